//! A steel ball falls into a deep bed of grains: Dosta et al. 2024, case 3.

use crate::context::Context;
use crate::grains;
use crate::impact_report;
use crate::outcome::{Outcome, Picture, SceneText};
use crate::picture;
use crate::study::{Study, StudyError};
use glam::{DVec2, DVec3};
use moreau_bench::packing::Room;
use moreau_plots::{Solid, View};
use moreau_scene::{Run, Scene};
use std::f64::consts::PI;

/// The study.
pub const STUDY: Study = Study {
    name: "impact",
    title: "A steel ball falls into a deep bed",
    source: "Dosta et al. 2024 (Computer Physics Communications 296, 109066), case 3",
    shows: "how deep and how fast a steel ball goes into a bed of grains, beside codes with soft contacts (in grains of the published size: 88.0 mm for their 90.7 mm)",
    takes: "200 s at `small` (beds are run side by side, two at a time in 110 s), 20 minutes at `paper`",
    highlights: &["after 10 ms", "at the end"],
    discussion: include_str!("impact.md"),
    run,
};

const SCENE: &str = include_str!("impact.toml");
/// As the scene has them: where the ball begins and how fast it falls there, its radius and half the edges of the box.
const START: f64 = 0.150_243_1;
const SPEED: f64 = 5.0;
/// Radius of the ball, in m.
pub const BALL: f64 = 0.01;
const HALF: DVec2 = DVec2::new(0.05, 0.03);
const GRAVITY: f64 = 9.81;
/// Grains of the benchmark, and their diameter in m. Coarser ones fill the same volume.
const PUBLISHED_COUNT: f64 = 1e5;
/// Diameter of the benchmark's grains, in m.
pub const PUBLISHED_GRAIN: f64 = 0.002;
/// Share of a grain's diameter that the ball moves in a step, and no step is longer, in s. A step moves grains that slide past
/// one another along straight lines and leaves a gap of s²/(2d) between them, s being the way of one along the other: with a
/// quarter of a diameter d the bed near the ball is loosened by as much as 3 % of a diameter in each step, with a tenth by 0.5 %.
const ADVANCE: f64 = 0.1;
const LONGEST_STEP: f64 = 1e-4;
/// The ball has arrived when it is slower, in m/s: what is left to go is below half a millimetre. The benchmark ends after 0.1 s.
const ARRIVED: f64 = 0.02;
const END: f64 = 0.1;
/// It usually arrives after so many seconds: for the progress alone.
const USUAL: f64 = 0.06;
/// Overlap that a solve may leave, as a share of a grain's radius.
const OVERLAP: f64 = 0.01;
/// Speed that has the last colour, in m/s, and the moment of the picture, in s.
const FAST: f64 = 2.0;
const SHOWN: f64 = 0.02;

/// What is simulated.
#[derive(Clone, Copy)]
struct Bed {
    /// Diameter of the grains in m.
    grain: f64,
    /// Factor of the published restitutions.
    bounce: f64,
    /// Another bed of the same grains for each.
    seed: u64,
}

/// How the ball fell into one bed.
pub struct Fall {
    /// Diameter of the grains in m, and their number.
    pub grain: f64,
    /// How many there are.
    pub count: usize,
    /// Factor of the published restitutions.
    pub bounce: f64,
    /// Which bed of these grains.
    pub seed: u64,
    /// Share of the bed's volume that is grains, walls and surface included.
    pub filled: f64,
    /// Way of the ball to its first touch, in m.
    pub flight: f64,
    /// Displacement of the ball in m over time in s, from where the benchmark begins.
    pub curve: Vec<(f64, f64)>,
    /// Largest overlap as a share of a diameter.
    pub overlap: f64,
    /// Steps after the touch.
    pub steps: usize,
    /// Steps that did not converge.
    pub failed: usize,
}

impl Fall {
    /// The lowest displacement, in m.
    pub fn last(&self) -> f64 {
        self.curve.iter().map(|point| point.1).fold(0.0, f64::min)
    }

    /// The displacement at a time; between steps as if the ball moved evenly, at the end as if it stayed.
    pub fn at(&self, time: f64) -> f64 {
        let Some(after) = self.curve.iter().position(|point| point.0 >= time) else {
            return self.last();
        };
        let (before, after) = (self.curve[after.max(1) - 1], self.curve[after]);
        if after.0 <= before.0 {
            return after.1;
        }
        before.1 + (time - before.0) / (after.0 - before.0) * (after.1 - before.1)
    }
}

fn run(context: &mut Context) -> Result<Outcome, StudyError> {
    let mut outcome = Outcome::default();
    // Restitution doubles the cost and changes little: at the small scale it is in one of the coarsest beds alone, beside the
    // same without, and the time is spent on short steps. Small beds are laid down more than once, as chance decides about a
    // millimetre or two.
    let bed = |grain: f64, bounce: f64, seed: u64| Bed {
        grain,
        bounce,
        seed,
    };
    let beds = context.scale.pick(
        vec![bed(0.008, 0.0, 1), bed(0.008, 1.0, 1), bed(0.006, 1.0, 1)],
        vec![
            bed(0.0055, 1.0, 1),
            bed(0.0055, 0.0, 1),
            bed(0.0055, 0.0, 2),
            bed(0.0055, 0.0, 3),
            bed(0.0042, 0.0, 1),
            bed(0.0032, 0.0, 1),
            bed(0.0032, 0.0, 2),
        ],
        vec![bed(PUBLISHED_GRAIN, 1.0, 1)],
    );
    // The cost of a bed is about that of its grains times its steps.
    let cost = |bed: &Bed| bed.grain.powi(-4) * (1.0 + bed.bounce);
    let all = context.side_by_side(&beds, cost, 1.0, |context, bed| drop_ball(context, *bed))?;
    let (falls, mut pictures): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    outcome.pictures.extend(pictures.pop());
    impact_report::write(&mut outcome, &falls, context.scale);
    outcome.scenes.push(SceneText {
        name: "impact".into(),
        text: SCENE.into(),
    });
    Ok(outcome)
}

/// Lays a bed, and follows the ball from its first touch on. With a picture of the bed on the way.
fn drop_ball(context: &mut Context, bed: Bed) -> Result<(Fall, Picture), StudyError> {
    let scene = Scene::parse(SCENE, "impact.toml")?.with_parameters(&[
        ("grain", &bed.grain.to_string()),
        ("bounce", &bed.bounce.to_string()),
    ])?;
    let mut run = context.build(&scene)?;
    let count = (PUBLISHED_COUNT * (PUBLISHED_GRAIN / bed.grain).powi(3)).round() as usize;
    let what = format!("grains of {} mm", 1e3 * bed.grain);
    context.doing(&what)?;
    grains::lay(&mut run, Room::Bin { half: HALF }, count, bed.seed)?;
    run.simulation.settings_mut().solver.overlap_tolerance = OVERLAP;
    let missing = || StudyError::Settings("the scene has no body with the name 'ball'".into());
    let ball = run.simulation.bodies().find("ball").ok_or_else(missing)?;
    let filled = filled(&run, ball, bed.grain);

    let centres = centres(&run, ball);
    let touch = grains::first_touch(centres, DVec2::ZERO, BALL, 0.5 * bed.grain);
    let flight = START - touch;
    let speed = (SPEED * SPEED + 2.0 * GRAVITY * flight).sqrt();
    let touched = (speed - SPEED) / GRAVITY;
    let bodies = run.simulation.bodies_mut();
    bodies.poses[ball].position.z = touch;
    bodies.velocities[ball].linear = DVec3::new(0.0, 0.0, -speed);
    let began = run.simulation.time() - touched;

    let mut fall = Fall {
        grain: bed.grain,
        count,
        bounce: bed.bounce,
        seed: bed.seed,
        filled,
        flight,
        curve: vec![(0.0, 0.0), (touched, -flight)],
        overlap: 0.0,
        steps: 0,
        failed: 0,
    };
    let mut shown = None;
    loop {
        let speed = -run.simulation.bodies().velocities[ball].linear.z;
        let step = (ADVANCE * bed.grain / speed).min(LONGEST_STEP);
        run.simulation.settings_mut().time_step = Some(step);
        let report = run.step()?;
        let time = report.time - began;
        let bodies = run.simulation.bodies();
        fall.curve
            .push((time, bodies.poses[ball].position.z - START));
        // In terms of a diameter, where the report has the radius.
        fall.overlap = fall.overlap.max(0.5 * report.relative_penetration);
        fall.steps += 1;
        fall.failed += usize::from(!report.converged());
        context.at(
            (time / USUAL).min(1.0),
            &format!("{what}: {:.1} ms", 1e3 * time),
        )?;
        let arrived = bodies.velocities[ball].linear.z > -ARRIVED || time >= END;
        if arrived || time >= SHOWN {
            shown.get_or_insert_with(|| show(&run, ball, &fall));
        }
        if arrived && let Some(picture) = shown {
            context.at(1.0, &what)?;
            return Ok((fall, picture));
        }
    }
}

/// Centres of the grains.
fn centres(run: &Run, ball: usize) -> impl Iterator<Item = DVec3> {
    let bodies = run.simulation.bodies();
    (0..bodies.len())
        .filter(move |body| *body != ball && bodies.is_rigid(*body))
        .map(|body| bodies.poses[body].position)
}

/// The share of the bed's volume that is grains; its height is twice that of its centre of mass.
fn filled(run: &Run, ball: usize, grain: f64) -> f64 {
    let sum: f64 = centres(run, ball).map(|centre| centre.z).sum();
    let count = centres(run, ball).count() as f64;
    let volume = 4.0 * HALF.x * HALF.y * 2.0 * sum / count;
    count * PI / 6.0 * grain.powi(3) / volume
}

/// The bed cut open, its grains coloured by speed.
fn show(run: &Run, ball: usize, fall: &Fall) -> Picture {
    let time = fall.curve.last().map_or(0.0, |point| point.0);
    let title = format!("After {:.0} ms", 1e3 * time);
    let caption = format!(
        "{title}: {} grains of {} mm and a steel ball of 20 mm, cut through the middle, from dark (at rest) to light ({FAST} m/s)",
        fall.count,
        1e3 * fall.grain,
    );
    let mut solids = picture::by_speed_up_to(&run.simulation, title, FAST);
    let middle = run.simulation.bodies().poses[ball].position.y;
    solids.items.retain(|solid| match solid {
        Solid::Sphere { centre, radius, .. } => centre[1] >= middle || *radius > 0.9 * BALL,
        Solid::Mesh { .. } => true,
    });
    solids.view = View {
        direction: [0.0, 1.0, -0.25],
        ..View::default()
    };
    (solids.width, solids.height) = (420, 450);
    Picture {
        name: "cut".into(),
        caption,
        solids,
    }
}
