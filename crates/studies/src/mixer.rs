//! Cohesive grains of four shapes in a mixer: Mazhar et al. 2015, section 4.1.2, Fig. 6, Table III.

use crate::context::Context;
use crate::outcome::{Comparison, Data, Entry, Figure, Outcome, Picture, SceneText, Table};
use crate::picture;
use crate::study::{Scale, Study, StudyError};
use glam::DVec3;
use moreau_contact_solvers::residual::Measure;
use moreau_dynamics::simulation::Simulation;
use moreau_plots::{AxisScale, LinePlot, Series};
use moreau_scene::{Run, Scene};
use std::f64::consts::FRAC_PI_2;

/// The study.
pub const STUDY: Study = Study {
    name: "mixer",
    title: "A mixer of sticky grains",
    source: "Mazhar et al. 2015, Fig. 6, Table III",
    shows: "the time of APGD per step grows linearly with the number of objects and contacts",
    discussion: include_str!("mixer.md"),
    run,
};

const SCENE: &str = include_str!("mixer.toml");
/// Table III: objects, contacts, residual, seconds of the solver in a step.
const TABLE_3: [(usize, f64, f64, f64); 4] = [
    (101_506, 355_551.0, 6.08e-5, 3.97),
    (200_270, 804_768.0, 6.42e-5, 8.13),
    (301_790, 1.33e6, 5.36e-5, 12.53),
    (400_555, 1.89e6, 4.58e-5, 17.23),
];
/// Cores that Table III was measured on.
const PUBLISHED_CORES: f64 = 8.0;
/// Iterations of a step at most.
const MOST_ITERATIONS: usize = 5000;
/// The published step, in s.
const STEP: f64 = 5e-4;
/// The root mean square of the error that a solve may leave in the velocities of the contacts, in m/s: what gravity gives in a
/// step.
const SPEED_ERROR: f64 = 9.81 * STEP;
/// Steps with it before the first that is measured, and those measured.
const STEPS: [usize; 2] = [10, 40];

/// Means over the measured steps of one size.
#[derive(Default)]
struct Means {
    grains: f64,
    contacts: f64,
    residual: f64,
    iterations: f64,
    /// Steps that the solver left unsolved.
    unsolved: f64,
    /// CPU seconds of the solver.
    solve: f64,
    /// CPU seconds of the whole step.
    step: f64,
    /// Turning of the grains about the shaft over that of the blades.
    turning: f64,
}

fn run(context: &mut Context) -> Result<Outcome, StudyError> {
    let width = context.scale.pick("0.6", "0.9", "6.2");
    let counts = context.scale.pick(
        [100, 200, 300, 400],
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
    compare(&mut outcome, &sizes);
    judge(&mut outcome, &sizes, &solver, context.scale);
    draw(&mut outcome, &sizes, &solver);
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

fn compare(outcome: &mut Outcome, sizes: &[Means]) {
    let mut table = Comparison::new("Table III: one time step, blades in steady rotation");
    for (ours, (objects, contacts, residual, seconds)) in sizes.iter().zip(TABLE_3) {
        let who = format!("{} objects (paper {objects})", ours.grains);
        let per_object = contacts / objects as f64;
        table.row(format!("{who}: contacts"), "", contacts, ours.contacts);
        table.row(
            format!("{who}: contacts per object"),
            "",
            per_object,
            ours.contacts / ours.grains,
        );
        table.row(format!("{who}: residual r"), "", residual, ours.residual);
        table.row(
            format!("{who}: solution time (paper: 8 cores; ours: CPU time)"),
            "s",
            seconds,
            ours.solve,
        );
        table.row(
            format!("{who}: CPU time per contact (paper: 8 times the solution time)"),
            "µs",
            1e6 * PUBLISHED_CORES * seconds / contacts,
            1e6 * ours.solve / ours.contacts,
        );
    }
    outcome.comparisons.push(table);
    let mut details = Table::new(
        "Means of the measured steps",
        &[
            "objects",
            "contacts",
            "iterations",
            "CPU of the solver (ms)",
            "CPU of the step (ms)",
            "per contact and iteration (ns)",
            "turning of the grains / of the blades",
        ],
    );
    for size in sizes {
        details.row([
            size.grains.into(),
            size.contacts.into(),
            size.iterations.into(),
            (1e3 * size.solve).into(),
            (1e3 * size.step).into(),
            Entry::from(1e9 * size.solve / (size.contacts * size.iterations)),
            size.turning.into(),
        ]);
    }
    outcome.tables.push(details);
}

/// The exponent p of the least-squares fit y ∝ x^p.
fn exponent(points: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let logs = points.map(|(x, y)| (x.ln(), y.ln()));
    let count = logs.clone().count() as f64;
    let (sum_x, sum_y) = logs.clone().fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
    let (mean_x, mean_y) = (sum_x / count, sum_y / count);
    let (mut xy, mut xx) = (0.0, 0.0);
    for (x, y) in logs {
        xy += (x - mean_x) * (y - mean_y);
        xx += (x - mean_x) * (x - mean_x);
    }
    xy / xx
}

fn judge(outcome: &mut Outcome, sizes: &[Means], solver: &str, scale: Scale) {
    let published_by_objects = exponent(TABLE_3.iter().map(|row| (row.0 as f64, row.3)));
    let published_by_contacts = exponent(TABLE_3.iter().map(|row| (row.1, row.3)));
    let by_objects = exponent(sizes.iter().map(|size| (size.grains, size.solve)));
    let by_contacts = exponent(sizes.iter().map(|size| (size.contacts, size.solve)));
    let linear = |p: f64| p <= 1.2;
    let work = exponent(
        sizes
            .iter()
            .map(|s| (s.contacts, s.contacts * s.iterations)),
    );
    let unsolved: f64 = sizes.iter().map(|size| size.unsolved).sum();
    outcome.claim(
        "Every measured step is solved",
        unsolved == 0.0,
        format!("{unsolved} of {} are not", STEPS[1] * sizes.len()),
    );
    let per_contact = |solve: f64, contacts: f64| 1e6 * solve / contacts;
    let most = sizes
        .iter()
        .map(|size| per_contact(size.solve, size.contacts))
        .fold(0.0, f64::max);
    let published = TABLE_3
        .iter()
        .map(|row| per_contact(PUBLISHED_CORES * row.3, row.1))
        .fold(f64::INFINITY, f64::min);
    // A few hundred grains: the number of iterations is a matter of chance, and steps are too short to be timed.
    if scale != Scale::Tiny {
        outcome.claim(
            "Contacts times iterations grow no faster than linearly with the contacts: with their power 1.2 at most",
            linear(work),
            format!("power {work:.2}"),
        );
        outcome.claim(
            format!("The solver's CPU time grows no faster than linearly with the contacts: with their power 1.2 at most (Table III: {published_by_contacts:.2})"),
            linear(by_contacts),
            format!("power {by_contacts:.2}"),
        );
        outcome.claim(
            format!("The solver's CPU time grows no faster than linearly with the objects: with their power 1.2 at most (Table III: {published_by_objects:.2})"),
            linear(by_objects),
            format!("power {by_objects:.2}"),
        );
        outcome.claim(
            "A contact costs no more CPU time than on the paper's eight cores",
            most <= published,
            format!("{most:.1} µs at most against {published:.1} µs at least"),
        );
    }
    let last = &sizes[sizes.len() - 1];
    outcome.summary = format!(
        "The time of {solver} grows as the contacts to the power {by_contacts:.2} and as the objects to the power {by_objects:.2} (Table III: \
         {published_by_contacts:.2} and {published_by_objects:.2}); a step of {} objects with {:.0} contacts takes {:.0} ms of CPU time.",
        last.grains,
        last.contacts,
        1e3 * last.solve
    );
}

fn draw(outcome: &mut Outcome, sizes: &[Means], solver: &str) {
    let ours = || sizes.iter().map(|size| (size.contacts, size.solve));
    let (contacts, seconds) = ours().next().unwrap_or((1.0, 1.0));
    let largest = TABLE_3[TABLE_3.len() - 1].1;
    let proportional = |x: f64| (x, seconds * x / contacts);
    outcome.figures.push(Figure {
        name: "time".into(),
        caption: "CPU seconds of the solver in a step over the contacts; the straight line is proportional to them.".into(),
        plot: LinePlot {
            title: "Time of a step".into(),
            x_label: "contacts".into(),
            x_scale: AxisScale::Log10,
            y_label: "time of the solver (CPU s)".into(),
            y_scale: AxisScale::Log10,
            series: vec![
                Series {
                    label: format!("{solver}, here"),
                    points: ours().collect(),
                },
                Series {
                    label: "Table III, times 8 cores".into(),
                    points: TABLE_3
                        .iter()
                        .map(|row| (row.1, PUBLISHED_CORES * row.3))
                        .collect(),
                },
                Series {
                    label: "proportional".into(),
                    points: vec![proportional(contacts), proportional(largest)],
                },
            ],
            ..LinePlot::default()
        },
    });
    outcome.data.push(Data {
        name: "time".into(),
        heads: [
            "objects",
            "contacts",
            "iterations",
            "solver [CPU s]",
            "step [CPU s]",
        ]
        .map(String::from)
        .to_vec(),
        rows: sizes
            .iter()
            .map(|s| vec![s.grains, s.contacts, s.iterations, s.solve, s.step])
            .collect(),
    });
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
