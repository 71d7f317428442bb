//! A slab on a bed of spheres: Mazhar et al. 2015, section 4.1.1, Figs. 4 and 5, Tables I and II.

use crate::context::{Context, Solved};
use crate::outcome::{Comparison, Entry, Figure, Outcome, Picture, SceneText};
use crate::picture;
use crate::pressure_forces;
use crate::race::{Over, Race, Runner, best_errors, data};
use crate::study::{Scale, Study, StudyError};
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::residual::Measure;
use moreau_contact_solvers::status::Status;
use moreau_dynamics::assembly::contact_impulse;
use moreau_dynamics::simulation::Simulation;
use moreau_plots::{AxisScale, LinePlot, Series};
use moreau_scene::{Run, Scene};

/// The study.
pub const STUDY: Study = Study {
    name: "pressure",
    title: "A slab on a bed of spheres",
    source: "Mazhar et al. 2015, Figs. 4 and 5, Tables I and II",
    shows: "residual and objective after 1000 iterations, work to r = 7e-6, and the force under the slab for every solver",
    discussion: include_str!("pressure.md"),
    run,
};

const SCENE: &str = include_str!("pressure.toml");
const SLAB: usize = 1;
/// The residual of Table II over that of Gauss-Seidel in Table I.
const PUBLISHED_SHARE: f64 = 7e-6 / 9.43e-6;

/// Table I: slab in kg; residuals and objectives of Jacobi, Gauss-Seidel, APGD.
const TABLE_1: [(f64, [f64; 3], [f64; 3]); 4] = [
    (1e3, [1.27e-5, 9.43e-6, 1.10e-6], [-28.29, -117.70, -220.14]),
    (1e4, [1.48e-5, 1.27e-5, 3.18e-6], [-35.63, -162.99, -883.54]),
    (
        1e5,
        [1.52e-5, 1.36e-5, 9.09e-6],
        [-37.02, -176.94, -3199.27],
    ),
    (
        1e6,
        [1.53e-5, 1.37e-5, 1.18e-5],
        [-37.15, -210.23, -4696.48],
    ),
];
const PUBLISHED_METHODS: [&str; 3] = ["jacobi", "gauss_seidel", "apgd"];

/// The problem of one step, and how to read the force under the slab from its impulses.
pub struct Bed {
    simulation: Simulation,
    /// The problem.
    pub problem: ContactProblem,
    step: f64,
}

impl Bed {
    /// The force that holds the slab, in N.
    pub fn force(&self, impulses: &[f64]) -> f64 {
        let contacts = self.simulation.contacts().iter().enumerate();
        let upward = contacts.map(|(k, contact)| {
            let sign = match contact.bodies.map(|body| body as usize) {
                [SLAB, _] => -1.0,
                [_, SLAB] => 1.0,
                _ => return 0.0,
            };
            sign * contact_impulse(contact, &impulses[self.problem.rows(k)])
                .linear
                .z
        });
        upward.sum::<f64>() / self.step
    }
}

fn run(context: &mut Context) -> Result<Outcome, StudyError> {
    let mut outcome = Outcome::default();
    let settled = settle(context, &mut outcome)?;
    let (iterations, limit) = context
        .scale
        .pick((300, 20_000), (1000, 30_000), (1000, 500_000));
    let mut table = Comparison::new(format!("Table I: after {iterations} iterations"));
    let (mut order, mut residual_order) = (true, true);
    let mut objectives = Vec::new();
    let mut first = None;
    for (k, (mass, residuals, values)) in TABLE_1.into_iter().enumerate() {
        context.at(0.35 + 0.08 * k as f64, &format!("slab of {mass:e} kg"))?;
        let bed = exchange(&settled, context, mass)?;
        let mut found = Vec::new();
        for (index, runner) in Runner::named(&PUBLISHED_METHODS)?.iter().enumerate() {
            let solved = race(&bed, iterations, 0.0, None).run(context, runner)?;
            let name = &runner.label;
            let errors = &solved.report.errors;
            table.row(
                format!("{mass:.0e} kg, {name}: residual"),
                "",
                residuals[index],
                errors.mazhar,
            );
            table.row(
                format!("{mass:.0e} kg, {name}: objective"),
                "J",
                values[index],
                errors.objective,
            );
            found.push(solved);
        }
        let of = |value: fn(&Solved) -> f64| -> Vec<f64> { found.iter().map(value).collect() };
        let (f, r) = (
            of(|s| s.report.errors.objective),
            of(|s| s.report.errors.mazhar),
        );
        order &= f[2] < f[1] && f[1] < f[0];
        residual_order &= r[2] < r[1] && r[1] < r[0];
        objectives.push(f[2] / f[1]);
        if k == 0 {
            draw_convergence(&mut outcome, &found);
            first = Some((bed, PUBLISHED_SHARE * r[1]));
        }
    }
    outcome.comparisons.push(table);
    let (bed, residual) = first.expect("the table has rows");
    outcome.claim(
        "After the same iterations the objective of APGD is below that of Gauss-Seidel, and that below Jacobi's, at every slab mass",
        order,
        format!("APGD's over Gauss-Seidel's: {}", list(&objectives)),
    );
    outcome.claim(
        "The residual has the same order at every slab mass",
        residual_order,
        "see Table I",
    );
    let gain = table_2(context, &bed, residual, limit, &mut outcome)?;
    let carried = pressure_forces::table(context, &bed, &mut outcome)?;
    outcome.summary = format!(
        "APGD beats Gauss-Seidel beats Jacobi at every slab mass; to the residual of Table II it needs {gain:.1} times fewer iterations than \
         Gauss-Seidel (paper 57), and {} of {} solvers really carry the slab.",
        carried.0, carried.1
    );
    Ok(outcome)
}

/// Lets the bed come to rest under the slab of 1000 kg.
fn settle(context: &mut Context, outcome: &mut Outcome) -> Result<Run, StudyError> {
    let (across, layers, duration) = context.scale.pick((3, 6, 1.0), (5, 20, 2.0), (9, 49, 3.5));
    let (across, layers): (u32, u32) = (across, layers);
    let (across, layers) = (across.to_string(), layers.to_string());
    let scene = Scene::parse(SCENE, "pressure.toml")?
        .with_parameters(&[("across", &across), ("layers", &layers)])?;
    let mut run = context.build(&scene)?;
    run.duration = duration;
    context.simulate(&mut run, 0.35, "settling", |_, _| {})?;
    outcome.scenes.push(SceneText {
        name: "bed".into(),
        text: SCENE.into(),
    });
    let spheres = run.simulation.bodies().len() - 2;
    let caption = format!("A slab of 1000 kg on {spheres} spheres of 1 kg");
    let mut solids = picture::by(&run.simulation, caption.clone(), |body| {
        if body == SLAB { 0.9 } else { 0.35 }
    });
    (solids.width, solids.height) = (520, 700);
    outcome.pictures.push(Picture {
        name: "bed".into(),
        caption,
        solids,
    });
    Ok(run)
}

/// The problem of the next step with a slab of another mass on the same bed.
fn exchange(settled: &Run, context: &Context, mass: f64) -> Result<Bed, StudyError> {
    let spheres = settled.simulation.bodies().len() - 2;
    let across = context.scale.pick(3, 5, 9);
    let layers = spheres / (across * across);
    let scene = Scene::parse(SCENE, "pressure.toml")?.with_parameters(&[
        ("across", &across.to_string()),
        ("layers", &layers.to_string()),
        ("slab", &mass.to_string()),
    ])?;
    let mut simulation = scene.build()?.simulation;
    let bodies = simulation.bodies_mut();
    bodies.poses.clone_from(&settled.simulation.bodies().poses);
    bodies
        .velocities
        .clone_from(&settled.simulation.bodies().velocities);
    // The problem is what is wanted; its own solution does not matter here.
    simulation.settings_mut().solver.max_iterations = Some(1);
    simulation.settings_mut().solver.name = "jacobi".into();
    let report = simulation
        .step()
        .map_err(|error| StudyError::Run(error.into()))?;
    let problem = simulation.last_problem().cloned();
    let problem = problem.ok_or_else(|| StudyError::Settings("the bed has no contacts".into()))?;
    Ok(Bed {
        simulation,
        problem,
        step: report.step_size,
    })
}

fn race<'a>(bed: &'a Bed, iterations: usize, tolerance: f64, seconds: Option<f64>) -> Race<'a> {
    Race {
        problem: &bed.problem,
        law: FrictionLaw::Relaxed,
        measure: Measure::Mazhar,
        tolerance,
        iterations,
        seconds,
    }
}

fn draw_convergence(outcome: &mut Outcome, found: &[Solved]) {
    let label = |k: usize| PUBLISHED_METHODS[k];
    let errors: Vec<_> = found
        .iter()
        .enumerate()
        .map(|(k, s)| best_errors(label(k), s, Over::Iterations))
        .collect();
    let objectives = found.iter().enumerate().map(|(k, solved)| Series {
        label: label(k).into(),
        points: solved
            .report
            .history
            .records()
            .map(|r| (r.iteration as f64, r.objective))
            .collect(),
    });
    outcome
        .data
        .push(data("residual", "iteration", "residual", &errors));
    outcome.figures.push(Figure {
        name: "residual".into(),
        caption: "Residual of Eq. 25 over the iterations, slab of 1000 kg (the paper's Fig. 5)."
            .into(),
        plot: LinePlot {
            title: "Slab of 1000 kg: residual".into(),
            x_label: "iterations".into(),
            y_label: "residual r, best so far (m/s)".into(),
            y_scale: AxisScale::Log10,
            series: errors,
            ..LinePlot::default()
        },
    });
    outcome.figures.push(Figure {
        name: "objective".into(),
        caption: "Objective over the iterations, slab of 1000 kg (the paper's Fig. 5).".into(),
        plot: LinePlot {
            title: "Slab of 1000 kg: objective".into(),
            x_label: "iterations".into(),
            y_label: "objective (J)".into(),
            series: objectives.collect(),
            ..LinePlot::default()
        },
    });
}

/// Work to the residual of Table II; gives how many times fewer iterations APGD needs than Gauss-Seidel.
fn table_2(
    context: &mut Context,
    bed: &Bed,
    residual: f64,
    limit: usize,
    outcome: &mut Outcome,
) -> Result<f64, StudyError> {
    let published: [(Entry, Entry); 3] = [
        ("not in 500000".into(), "not in 24300 s".into()),
        (11485.0.into(), 494.8.into()),
        (202.0.into(), 10.6.into()),
    ];
    let mut table = Comparison::new(format!(
        "Table II: work to the residual {residual:.2e}, slab of 1000 kg"
    ));
    let mut counts = Vec::new();
    for (runner, (iterations, time)) in Runner::named(&PUBLISHED_METHODS)?.iter().zip(published) {
        context.at(
            0.7,
            &format!("{} to the residual of Table II", runner.label),
        )?;
        let solved = race(bed, limit, residual, None).run(context, runner)?;
        let report = &solved.report;
        let reached = report.status == Status::Converged;
        let ours: Entry = match reached {
            true => report.iterations.into(),
            false => format!("not in {}", report.iterations).into(),
        };
        table.row(
            format!("{}: iterations", runner.label),
            "",
            iterations,
            ours,
        );
        table.row(format!("{}: time", runner.label), "s", time, report.seconds);
        counts.push(if reached {
            report.iterations as f64
        } else {
            f64::INFINITY
        });
    }
    outcome.comparisons.push(table);
    let gain = counts[1] / counts[2];
    outcome.claim(
        "To the residual of Table II APGD needs fewer iterations than Gauss-Seidel, and that fewer than Jacobi",
        counts[2] < counts[1] && counts[1] < counts[0],
        format!("APGD {}, Gauss-Seidel {}, Jacobi {}", counts[2], counts[1], counts[0]),
    );
    // A hundred spheres are too few for the gap between the methods to open.
    if context.scale > Scale::Tiny {
        outcome.claim(
            "APGD needs at least ten times fewer iterations there than Gauss-Seidel (the paper: 57 times)",
            gain >= 10.0,
            format!("{gain:.1} times fewer"),
        );
    }
    Ok(gain)
}

fn list(values: &[f64]) -> String {
    let texts: Vec<_> = values.iter().map(|value| format!("{value:.2}")).collect();
    texts.join(", ")
}
