//! A silo empties: Dosta et al. 2024, case 1, large orifice, material M1.

use crate::context::Context;
use crate::fit::slope;
use crate::grains;
use crate::outcome::{Comparison, Data, Figure, Outcome, Picture, SceneText, Table};
use crate::picture;
use crate::study::{Study, StudyError};
use moreau_bench::packing::Room;
use moreau_plots::{LinePlot, Series, Solid, View};
use moreau_scene::{Run, Scene};

/// The study.
pub const STUDY: Study = Study {
    name: "silo",
    title: "A silo empties",
    source: "Dosta et al. 2024 (Computer Physics Communications 296, 109066), case 1",
    shows: "grains that leave a silo in time, beside codes with soft contacts; the rate of discharge against friction",
    discussion: include_str!("silo.md"),
    run,
};

const SCENE: &str = include_str!("silo.toml");
/// Radius of the hole and moment of its opening, as the scene has them.
const OUTLET: f64 = 0.03;
const OPENS: f64 = 0.02;
/// Mean rate of the eight codes, in grains per second.
const MEAN_RATE: f64 = 23_200.0;
const TOLERANCE: f64 = 0.08;
/// Grains of the benchmark, and how many of them are left after 0.5, 1.0, … 4.0 s.
const PUBLISHED_COUNT: f64 = 1e5;
const PUBLISHED_EVERY: f64 = 0.5;
const PUBLISHED: [(&str, [f64; 8]); 2] = [
    (
        "LIGGGHTS",
        [
            88542.0, 76015.0, 63550.0, 51271.0, 39070.0, 27007.0, 15080.0, 3953.0,
        ],
    ),
    (
        "MUSEN",
        [
            88020.0, 75710.0, 63402.0, 51156.0, 39112.0, 27141.0, 15454.0, 4341.0,
        ],
    ),
];
/// Seconds between which the published curves are straight.
const PUBLISHED_STEADY: (f64, f64) = (0.5, 3.5);
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
struct Silo {
    count: usize,
    /// Of the cylinder, in m.
    radius: f64,
    friction: f64,
    step: f64,
    /// Seconds after the opening between which the rate is taken.
    steady: (f64, f64),
    /// Seconds after the opening.
    end: f64,
}

/// Grains that have left: seconds after the opening, and their number.
type Curve = Vec<(f64, f64)>;

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
        step: context.scale.pick(narrow.step, narrow.step, 0.001),
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
    let solver = &mut run.simulation.settings_mut().solver;
    solver.overlap_tolerance = OVERLAP;
    // What a large bed is solved to is enough for the bounces of a few grains, too.
    solver.middle_rows = 0;
    solver.small_rows = 0;
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

/// The slope of the line through the points of a curve between two times, by least squares.
fn rate_between(curve: &Curve, (from, to): (f64, f64)) -> f64 {
    let within = |point: &&(f64, f64)| point.0 >= from - 1e-9 && point.0 <= to + 1e-9;
    slope(curve.iter().filter(within).copied())
}

/// The published grains that have left, from nothing at the beginning.
fn published(left: &[f64; 8]) -> Curve {
    let points = left.iter().enumerate();
    let points = points.map(|(k, left)| (PUBLISHED_EVERY * (k + 1) as f64, PUBLISHED_COUNT - left));
    std::iter::once((0.0, 0.0)).chain(points).collect()
}

/// Our numbers beside the published ones.
fn compare(outcome: &mut Outcome, curve: &Curve, rate: f64, silo: Silo) {
    let mut table = Comparison::new("Grains per second");
    table.row("mean of the eight codes", "1/s", MEAN_RATE, rate);
    for (code, left) in &PUBLISHED {
        let theirs = rate_between(&published(left), PUBLISHED_STEADY);
        table.row(format!("{code}, 0.5 to 3.5 s"), "1/s", theirs, rate);
    }
    outcome.comparisons.push(table);
    let mut table = Comparison::new("Grains that have left");
    for (code, left) in &PUBLISHED {
        for (time, gone) in published(left).into_iter().skip(1) {
            let near = |point: &&(f64, f64)| (point.0 - time).abs() < 0.5 * silo.step;
            if let Some((_, ours)) = curve.iter().find(near) {
                table.row(format!("{code}, after {time} s"), "", gone, *ours);
            }
        }
    }
    if !table.rows.is_empty() {
        outcome.comparisons.push(table);
    }
}

fn judge(outcome: &mut Outcome, curve: &Curve, rate: f64, overlap: f64, silo: Silo) {
    outcome.claim(
        "The rate is within 8 % of the mean of the eight codes (which differ from it by up to 5 %)",
        (rate / MEAN_RATE - 1.0).abs() <= TOLERANCE,
        format!(
            "{rate:.0} per second, {:+.1} %",
            100.0 * (rate / MEAN_RATE - 1.0)
        ),
    );
    let (from, to) = silo.steady;
    let middle = 0.5 * (from + to);
    let halves = [(from, middle), (middle, to)].map(|part| rate_between(curve, part));
    outcome.claim(
        "Grains leave at a steady rate, however many are left above: its halves differ by at most 5 %",
        (halves[1] / halves[0] - 1.0).abs() <= 0.05,
        format!("{:.0} and {:.0} per second", halves[0], halves[1]),
    );
    outcome.claim(
        "Nothing is crushed: no two grains are nearer than 0.98 diameters",
        overlap <= 0.02,
        format!("{:.4} diameters at least", 1.0 - overlap),
    );
}

fn draw(outcome: &mut Outcome, curve: Curve, silo: Silo) {
    outcome.data.push(Data {
        name: "left".into(),
        heads: ["time [s]", "grains that have left"]
            .map(String::from)
            .to_vec(),
        rows: curve.iter().map(|point| vec![point.0, point.1]).collect(),
    });
    let shown = silo.end.max(PUBLISHED_EVERY);
    let thousands = |curve: Curve| -> Curve {
        let points = curve.into_iter().filter(|point| point.0 <= shown + 1e-9);
        points.map(|point| (point.0, 1e-3 * point.1)).collect()
    };
    let mut series: Vec<_> = PUBLISHED
        .iter()
        .map(|(code, left)| Series {
            label: format!("{code}, 100 000 grains"),
            points: thousands(published(left)),
        })
        .collect();
    series.push(Series {
        label: format!("here, {} grains", silo.count),
        points: thousands(curve),
    });
    series.push(Series {
        label: "mean rate of eight codes".into(),
        points: vec![(0.0, 0.0), (shown, 1e-3 * MEAN_RATE * shown)],
    });
    outcome.figures.push(Figure {
        name: "left".into(),
        caption: "Grains that have left the silo over time; the published counts are half a second apart.".into(),
        plot: LinePlot {
            title: "Discharge of a silo".into(),
            x_label: "time since the opening (s)".into(),
            y_label: "grains that have left (thousands)".into(),
            series,
            ..LinePlot::default()
        },
    });
}

/// The silo cut open, its grains coloured by speed.
fn show(run: &Run, silo: Silo) -> Picture {
    let title = format!("{:.2} s after the opening", run.simulation.time() - OPENS);
    let caption = format!(
        "{title}: grains of 4 mm in a silo of {:.0} mm, cut through the middle, from dark (at rest) to light ({FAST} m/s)",
        2e3 * silo.radius,
    );
    let mut solids = picture::by_speed_up_to(&run.simulation, title, FAST);
    solids
        .items
        .retain(|solid| !matches!(solid, Solid::Sphere { centre, .. } if centre[1] < 0.0));
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
