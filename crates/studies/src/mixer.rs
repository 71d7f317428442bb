//! Cohesive grains of four shapes in a mixer: Mazhar et al. 2015, section 4.1.2, Fig. 6, Table III.

use crate::context::Context;
use crate::mixer_report;
use crate::outcome::{Outcome, Picture, SceneText};
use crate::picture;
use crate::study::{Scale, Study, StudyError};
use glam::DVec3;
use moreau_contact_solvers::residual::Measure;
use moreau_dynamics::simulation::Simulation;
use moreau_scene::{Run, Scene};
use std::f64::consts::FRAC_PI_2;

/// The study.
pub const STUDY: Study = Study {
    name: "mixer",
    title: "A mixer of sticky grains",
    source: "Mazhar et al. 2015, Fig. 6, Table III",
    shows: "the time of APGD per step grows linearly with the number of objects and contacts",
    takes: "11 s at `small`, 3 hours at `paper` (estimated from the last three of four sizes)",
    highlights: &[
        "1200 objects (paper 400555): contacts per object",
        "1200 objects (paper 400555): residual",
        "1200 objects (paper 400555): CPU time per contact",
    ],
    discussion: include_str!("mixer.md"),
    run,
};

const SCENE: &str = include_str!("mixer.toml");
/// Table III: objects, contacts, residual, seconds of the solver in a step.
pub const TABLE_3: [(usize, f64, f64, f64); 4] = [
    (101_506, 355_551.0, 6.08e-5, 3.97),
    (200_270, 804_768.0, 6.42e-5, 8.13),
    (301_790, 1.33e6, 5.36e-5, 12.53),
    (400_555, 1.89e6, 4.58e-5, 17.23),
];
/// Iterations of a step at most.
const MOST_ITERATIONS: usize = 5000;
/// The published step, in s.
const STEP: f64 = 5e-4;
/// The root mean square of the error that a solve may leave in the velocities of the contacts, in m/s: what gravity gives in a
/// step.
const SPEED_ERROR: f64 = 9.81 * STEP;
/// Overlap that solves may leave while the grains fall, as a share of their size: nothing is measured there.
const OVERLAP: f64 = 0.01;
/// How the grains of the published sizes fall: solved as well as those of the smaller scales they would take hours more.
const ROUGH: Rough = Rough {
    fall: 0.7,
    calm: 0.02,
    overlap: 0.05,
    most_iterations: 20,
};
/// Steps with it before the first that is measured, and those measured.
pub const STEPS: [usize; 2] = [10, 40];

/// A fall that is solved roughly.
struct Rough {
    /// How long it takes, in s.
    fall: f64,
    /// How long its last steps take together, which are solved as well as those of the smaller scales, in s.
    calm: f64,
    /// Overlap that solves may leave before, as a share of the size of grains, and their iterations at most.
    overlap: f64,
    most_iterations: usize,
}

/// Means over the measured steps of one size.
#[derive(Default)]
pub struct Means {
    /// Grains in the mixer.
    pub grains: f64,
    /// Contacts.
    pub contacts: f64,
    /// Mazhar's residual.
    pub residual: f64,
    /// Iterations of the solver.
    pub iterations: f64,
    /// Steps that the solver left unsolved.
    pub unsolved: f64,
    /// CPU seconds of the solver.
    pub solve: f64,
    /// CPU seconds of the whole step.
    pub step: f64,
    /// Turning of the grains about the shaft over that of the blades.
    pub turning: f64,
}

fn run(context: &mut Context) -> Result<Outcome, StudyError> {
    let width = context.scale.pick("0.6", "0.9", "6.2");
    let counts = context.scale.pick(
        [150, 250, 350, 450],
        [300, 600, 900, 1200],
        TABLE_3.map(|row| row.0),
    );
    let solver = context.solver.clone().unwrap_or_else(|| "apgd".into());
    let mut outcome = Outcome::default();
    let mut sizes = Vec::new();
    // The cost of a size is about that of its grains.
    let total: usize = counts.iter().sum();
    let mut done = 0;
    for count in counts {
        done += count;
        let scene = Scene::parse(SCENE, "mixer.toml")?
            .with_parameters(&[("count", &count.to_string()), ("width", width)])?;
        let mut run = context.build(&scene)?;
        let share = done as f64 / total as f64;
        let means = stir(context, &mut run, &solver, share)?;
        if Some(&count) == counts.last() {
            show(&mut outcome, &run, count);
        }
        sizes.push(means);
    }
    mixer_report::write(&mut outcome, &sizes, &solver, context.scale);
    outcome.scenes.push(SceneText {
        name: "mixer".into(),
        text: SCENE.into(),
    });
    Ok(outcome)
}

/// Lets the grains fall onto the turning blades with the scene's solver and step, then measures the solver on the paper's.
fn stir(
    context: &mut Context,
    run: &mut Run,
    solver: &str,
    until: f64,
) -> Result<Means, StudyError> {
    let grains = run.simulation.bodies().len() - 2;
    let what = format!("{grains} grains");
    let mut contacts = 0;
    if context.scale == Scale::Paper {
        Context::solve_as_large(run, ROUGH.overlap);
        run.simulation.settings_mut().solver.max_iterations = Some(ROUGH.most_iterations);
        run.duration = ROUGH.fall - ROUGH.calm;
        context.simulate(run, until, &what, |_, _| ())?;
        run.simulation.settings_mut().solver.max_iterations = None;
        run.duration = ROUGH.fall;
    }
    Context::solve_as_large(run, OVERLAP);
    context.simulate(run, until, &what, |_, report| contacts = report.contacts)?;
    Context::one_solve_per_step(run);
    let settings = run.simulation.settings_mut();
    settings.time_step = Some(STEP);
    settings.solver.name = solver.into();
    settings.solver.measure = Measure::Mazhar;
    // Mazhar's residual is that root mean square over the square root of the number of rows.
    settings.solver.tolerance = SPEED_ERROR / (3.0 * contacts.max(1) as f64).sqrt();
    settings.solver.max_iterations = Some(MOST_ITERATIONS);
    run.duration += STEP * STEPS.iter().sum::<usize>() as f64;
    let mut sum = Means::default();
    let mut steps = 0;
    context.simulate(run, until, &what, |run, report| {
        steps += 1;
        if steps <= STEPS[0] {
            return;
        }
        sum.contacts += report.contacts as f64;
        sum.residual += report.error;
        sum.iterations += report.iterations as f64;
        sum.unsolved += f64::from(!report.converged());
        sum.solve += report.cpu_times.solve;
        sum.step += report.cpu_times.total();
        sum.turning += turning(&run.simulation);
    })?;
    let measured = (steps - STEPS[0]) as f64;
    Ok(Means {
        grains: grains as f64,
        contacts: sum.contacts / measured,
        residual: sum.residual / measured,
        iterations: sum.iterations / measured,
        unsolved: sum.unsolved,
        solve: sum.solve / measured,
        step: sum.step / measured,
        turning: sum.turning / measured,
    })
}

/// Angular momentum of the grains about the shaft over what it were if they turned with the blades.
fn turning(simulation: &Simulation) -> f64 {
    let bodies = simulation.bodies();
    let (mut momentum, mut with_blades) = (0.0, 0.0);
    for body in (0..bodies.len()).filter(|body| bodies.is_rigid(*body)) {
        let arm = bodies.poses[body].position.with_z(0.0);
        let mass = bodies.masses[body];
        momentum += mass * arm.cross(bodies.velocities[body].linear).dot(DVec3::Z);
        with_blades += mass * arm.length_squared() * FRAC_PI_2;
    }
    momentum / with_blades
}

fn show(outcome: &mut Outcome, run: &Run, count: usize) {
    let caption = format!(
        "{count} grains of four shapes after {:.2} s, coloured by speed",
        run.simulation.time()
    );
    let mut solids = picture::by_speed(&run.simulation, caption.clone());
    (solids.width, solids.height) = (430, 410);
    outcome.pictures.push(Picture {
        name: "mixer".into(),
        caption,
        solids,
    });
}
