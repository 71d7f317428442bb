//! A silo empties: Dosta et al. 2024, case 1, large orifice, material M1.

use crate::context::Context;
use crate::grains;
use crate::outcome::{Outcome, Picture, SceneText, Table};
use crate::picture;
use crate::silo_report::{MEAN_RATE, PUBLISHED_STEADY, compare, draw, judge, rate_between};
use crate::study::{Study, StudyError};
use moreau_bench::packing::Room;
use moreau_plots::{Solid, View};
use moreau_scene::{Run, Scene};

/// The study.
pub const STUDY: Study = Study {
    name: "silo",
    title: "A silo empties",
    source: "Dosta et al. 2024 (Computer Physics Communications 296, 109066), case 1",
    shows: "grains that leave a silo in time, beside codes with soft contacts; the rate of discharge against friction",
    takes: "60 s at `small`, 50 minutes at `paper`",
    highlights: &["mean of the eight codes", "LIGGGHTS", "MUSEN"],
    discussion: include_str!("silo.md"),
    run,
};

const SCENE: &str = include_str!("silo.toml");
/// Radius of the hole and moment of its opening, as the scene has them.
const OUTLET: f64 = 0.03;
const OPENS: f64 = 0.02;
/// Friction between grains: that of the benchmark, and less and more.
const FRICTIONS: [f64; 3] = [0.0, 0.3, 0.9];
/// What separates two rates.
const APART: f64 = 0.03;
/// Overlap that a solve may leave, as a share of the radius: at a twelfth of it the rate is the same.
const OVERLAP: f64 = 0.01;
/// Speed that has the last colour, in m/s: nearly that with which grains leave.
const FAST: f64 = 0.6;

/// What is simulated.
#[derive(Clone, Copy, PartialEq)]
pub struct Silo {
    /// Grains in it.
    pub count: usize,
    /// Of the cylinder, in m.
    radius: f64,
    friction: f64,
    /// Time step, in s.
    pub step: f64,
    /// Seconds after the opening between which the rate is taken.
    pub steady: (f64, f64),
    /// Seconds after the opening.
    pub end: f64,
}

/// Grains that have left: seconds after the opening, and their number.
pub type Curve = Vec<(f64, f64)>;

fn run(context: &mut Context) -> Result<Outcome, StudyError> {
    let narrow = Silo {
        count: 2000,
        radius: 0.04,
        friction: 0.3,
        step: 0.002,
        steady: (0.05, 0.09),
        end: 0.09,
    };
    let whole = Silo {
        count: context.scale.pick(narrow.count, 24_000, 100_000),
        radius: context.scale.pick(narrow.radius, 0.1, 0.1),
        step: context.scale.pick(narrow.step, 0.001, 0.001),
        steady: context
            .scale
            .pick(narrow.steady, (0.09, 0.17), PUBLISHED_STEADY),
        end: context.scale.pick(narrow.end, 0.17, 4.0),
        ..narrow
    };
    let mut outcome = Outcome::default();
    let (curve, overlap) = discharge(context, whole, 0.7, Some(&mut outcome))?;
    let rate = rate_between(&curve, whole.steady);
    compare(&mut outcome, &curve, rate, whole);
    judge(&mut outcome, &curve, rate, overlap, whole);

    let mut table = Table::new(
        "Rate against friction between grains, in a narrow silo",
        &["friction", "grains per second"],
    );
    let mut rates = Vec::new();
    for (k, friction) in FRICTIONS.into_iter().enumerate() {
        let until = 0.7 + 0.1 * (k + 1) as f64;
        let silo = Silo { friction, ..narrow };
        let rate = if silo == whole {
            rate
        } else {
            rate_between(&discharge(context, silo, until, None)?.0, silo.steady)
        };
        table.row([friction.into(), rate.into()]);
        rates.push(rate);
    }
    outcome.tables.push(table);
    outcome.claim(
        "The rougher the grains, the slower they leave: each rate is at least 3 % below the one before",
        rates.windows(2).all(|pair| pair[1] < (1.0 - APART) * pair[0]),
        format!("{:.0}, {:.0} and {:.0} per second at friction 0, 0.3 and 0.9", rates[0], rates[1], rates[2]),
    );
    outcome.summary = format!(
        "{:.1} thousand grains leave in a second; the mean of eight codes is {:.1} thousand. Without friction it would be {:.0} % more, and \
         three times the friction takes {:.0} % away.",
        1e-3 * rate,
        1e-3 * MEAN_RATE,
        100.0 * (rates[0] / rates[1] - 1.0),
        100.0 * (1.0 - rates[2] / rates[1])
    );
    draw(&mut outcome, curve, whole);
    outcome.scenes.push(SceneText {
        name: "silo".into(),
        text: SCENE.into(),
    });
    Ok(outcome)
}

/// Fills a silo, opens it, and counts. Gives the grains that have left over time, and the largest overlap as a share of a
/// diameter. A picture of the last moment goes to `shown`.
fn discharge(
    context: &mut Context,
    silo: Silo,
    until: f64,
    shown: Option<&mut Outcome>,
) -> Result<(Curve, f64), StudyError> {
    let scene = Scene::parse(SCENE, "silo.toml")?.with_parameters(&[
        ("radius", &silo.radius.to_string()),
        ("friction", &silo.friction.to_string()),
        ("step", &silo.step.to_string()),
    ])?;
    let mut run = context.build(&scene)?;
    Context::solve_as_large(&mut run, OVERLAP);
    run.duration = OPENS + silo.end;
    let room = Room::Hopper {
        outlet: OUTLET,
        height: silo.radius - OUTLET,
        radius: silo.radius,
    };
    grains::lay(&mut run, room, silo.count, 1)?;
    let (mut curve, mut overlap) = (Vec::new(), 0.0f64);
    let what = format!("{} grains, friction {}", silo.count, silo.friction);
    context.simulate(&mut run, until, &what, |run, report| {
        if report.time >= OPENS {
            let left = silo.count - inside(run);
            curve.push((report.time - OPENS, left as f64));
        }
        // In terms of a diameter, where the report has the radius.
        overlap = overlap.max(0.5 * report.relative_penetration);
    })?;
    if let Some(outcome) = shown {
        outcome.pictures.push(show(&run, silo));
    }
    Ok((curve, overlap))
}

/// Grains above the hole.
fn inside(run: &Run) -> usize {
    let bodies = run.simulation.bodies();
    (0..bodies.len())
        .filter(|body| bodies.is_rigid(*body) && bodies.poses[*body].position.z > 0.0)
        .count()
}

/// The silo cut open, its grains coloured by speed.
fn show(run: &Run, silo: Silo) -> Picture {
    let title = format!("{:.2} s after the opening", run.simulation.time() - OPENS);
    let caption = format!(
        "{title}: grains of 4 mm in a silo of {:.0} mm, cut through the middle, from dark (at rest) to light ({FAST} m/s)",
        2e3 * silo.radius,
    );
    let mut solids = picture::by_speed_up_to(&run.simulation, title, FAST);
    // The front half is cut away, and so is the trapdoor that has fallen.
    solids.items.retain(|solid| match solid {
        Solid::Sphere { centre, .. } => centre[1] >= 0.0,
        Solid::Mesh { vertices, .. } => vertices.iter().any(|vertex| vertex[2] > 0.0),
    });
    solids.view = View {
        direction: [0.0, 1.0, -0.15],
        ..View::default()
    };
    (solids.width, solids.height) = (560, 640);
    Picture {
        name: "cut".into(),
        caption,
        solids,
    }
}
