//! Quasi-Newton against Gauss-Seidel in a rotating drum: Koziara 2017, Figs. 1 to 7, Tables 2 to 4.

use crate::context::Context;
use crate::drum_maps;
use crate::drum_replay::{Replay, Replayed};
use crate::outcome::{Comparison, Data, Figure, Outcome, Picture, SceneText};
use crate::picture;
use crate::study::{Scale, Study, StudyError};
use moreau_contact_solvers::problem::ContactProblem;
use moreau_plots::{LinePlot, Series};
use moreau_scene::{Run, Scene};

/// The study.
pub const STUDY: Study = Study {
    name: "drum",
    title: "A rotating drum",
    source: "Koziara 2017, Figs. 1 to 7, Tables 2 to 4",
    shows: "quasi-Newton against Gauss-Seidel for 100 rigid ellipsoids and spheres; the maps over δ, ε and m",
    takes: "2 minutes at `small`, 7 minutes at `paper`",
    highlights: &[
        "ellipsoids, quasi_newton: iterations",
        "ellipsoids, gauss_seidel: iterations",
        "spheres, quasi_newton: iterations",
        "spheres, gauss_seidel: iterations",
    ],
    discussion: include_str!("drum.md"),
    run,
};

const SCENE: &str = include_str!("drum.toml");
/// Table 3: iterations per step, diverged steps, the solver's share of the runtime and the runtime in seconds, of Newton and
/// of Gauss-Seidel.
const PUBLISHED: [(&str, [f64; 4], [f64; 4]); 2] = [
    (
        "ellipsoids",
        [9.0, 0.0, 0.77, 467.0],
        [112.0, 20.0, 0.85, 495.0],
    ),
    (
        "spheres",
        [14.0, 0.0, 0.93, 272.0],
        [174.0, 330.0, 0.96, 462.0],
    ),
];
/// Table 2, in the same order: Newton with δ = 1e-4, and the same runs of Gauss-Seidel timed again.
const PUBLISHED_ABSOLUTE: [[[f64; 4]; 2]; 2] = [
    [[10.0, 0.0, 0.78, 525.0], [112.0, 20.0, 0.84, 467.0]],
    [[12.0, 1.0, 0.93, 257.0], [174.0, 330.0, 0.96, 440.0]],
];
/// Table 4: runtimes of rigid ellipsoids in s.
const PUBLISHED_NORMS: [(&str, f64); 3] = [
    ("0.025 of the smallest W_ii, m = 15", 495.0),
    ("0.01 of the average W_ii, m = 10", 467.0),
    ("0.01 of the largest W_ii, m = 20", 525.0),
];
/// What the tables count, and the units.
const QUANTITIES: [(&str, &str); 4] = [
    ("iterations per converged step", ""),
    ("diverged steps of 10 000", ""),
    ("solver's share of the time", ""),
    ("CPU time of 10 000 steps (paper: runtime)", "s"),
];
const SOLVERS: [&str; 2] = ["quasi_newton", "gauss_seidel"];

/// Iterations that a step may take, as the scene has it.
const LIMIT: usize = 1000;

/// What one run counted.
#[derive(Default)]
struct Counts {
    steps: usize,
    converged: usize,
    iterations: usize,
    diverged: usize,
    solve: f64,
    total: f64,
    /// Time and iterations of each step.
    history: Vec<(f64, f64)>,
}

impl Counts {
    fn per_step(&self) -> f64 {
        self.iterations as f64 / self.converged as f64
    }

    /// What the tables have of it.
    fn quantities(&self) -> [f64; 4] {
        let ten_thousand = 1e4 / self.steps as f64;
        [
            self.per_step(),
            ten_thousand * self.diverged as f64,
            self.solve / self.total,
            ten_thousand * self.total,
        ]
    }

    /// With the limit for steps that did not converge.
    fn per_step_of_all(&self) -> f64 {
        (self.iterations + LIMIT * self.diverged) as f64 / self.steps as f64
    }
}

fn run(context: &mut Context) -> Result<Outcome, StudyError> {
    let mut outcome = Outcome::default();
    let mut table =
        Comparison::new("Table 3: iterations, failures, the solver's share of the time, runtime");
    let mut absolute_table = Comparison::new(
        "Table 2: Newton with δ = 1e-4, ε = 0.25, m = 15 (ours: every 20th step solved again)",
    );
    let mut norm_table = Comparison::new(
        "Table 4: CPU time of 10 000 steps of ellipsoids (ours: every 20th step solved again)",
    );
    let mut series = Vec::new();
    let mut problems = Vec::new();
    let (mut fewer, mut fewer_of_all, mut failures) = (f64::INFINITY, f64::INFINITY, [0, 0]);
    let mut done = 0.0;
    for (kind, newton, gauss_seidel) in PUBLISHED {
        let (mut per_step, mut of_all) = (Vec::new(), Vec::new());
        for (solver, published) in SOLVERS.into_iter().zip([newton, gauss_seidel]) {
            done += 0.2;
            let keep = (kind == "ellipsoids" && solver == SOLVERS[0]).then_some(&mut problems);
            let mut again = parameters(kind, solver);
            let (run, counts) = turn(context, (kind, solver), done, keep, &mut again)?;
            let label = format!("{kind}, {solver}");
            add(&mut table, &label, published, counts.quantities());
            let again_label = format!("Table 2, {label}");
            let absolute = PUBLISHED_ABSOLUTE[usize::from(kind == "spheres")];
            if solver == SOLVERS[0] {
                let [newton, norms @ ..] = &again[..] else {
                    unreachable!("Table 2 is always solved again")
                };
                add(&mut absolute_table, &again_label, absolute[0], of(newton));
                norm_rows(&mut norm_table, norms);
            } else {
                let ours = counts.quantities();
                add(&mut absolute_table, &again_label, absolute[1], ours);
            }
            per_step.push(counts.per_step());
            of_all.push(counts.per_step_of_all());
            failures[per_step.len() - 1] += counts.diverged;
            if kind == "ellipsoids" && solver == SOLVERS[0] {
                show(&mut outcome, &run);
            }
            series.push(Series {
                label,
                points: smoothed(&counts.history),
            });
        }
        fewer = fewer.min(per_step[1] / per_step[0]);
        fewer_of_all = fewer_of_all.min(of_all[1] / of_all[0]);
    }
    outcome
        .comparisons
        .extend([table, absolute_table, norm_table]);
    outcome.claim(
        "Newton needs at most a fifth of the iterations of Gauss-Seidel (the paper: a twelfth)",
        fewer >= 5.0,
        format!(
            "{fewer:.1} times fewer at least in steps that converged; {fewer_of_all:.1} times if the others count with {LIMIT} iterations"
        ),
    );
    outcome.claim(
        "Newton diverges no more often than Gauss-Seidel",
        failures[0] <= failures[1],
        format!("{} steps against {}", failures[0], failures[1]),
    );
    outcome.data.push(Data {
        name: "iterations".into(),
        heads: ["run (ellipsoids Newton / ellipsoids Gauss-Seidel / spheres Newton / spheres Gauss-Seidel)", "time [s]", "iterations"]
            .map(String::from)
            .to_vec(),
        rows: series
            .iter()
            .enumerate()
            .flat_map(|(k, s)| s.points.iter().map(move |p| vec![k as f64, p.0, p.1]))
            .collect(),
    });
    outcome.figures.push(Figure {
        name: "iterations".into(),
        caption: "Iterations per step, means of ten, over time; the drum begins to turn after the particles have fallen.".into(),
        plot: LinePlot {
            title: "Iterations per step".into(),
            x_label: "time (s)".into(),
            y_label: "iterations".into(),
            y_scale: moreau_plots::AxisScale::Log10,
            series,
            ..LinePlot::default()
        },
    });
    drum_maps::draw(context, &problems, &mut outcome)?;
    outcome.scenes.push(SceneText {
        name: "drum".into(),
        text: SCENE.into(),
    });
    outcome.summary = format!(
        "Newton needs {fewer:.1} times fewer iterations than Gauss-Seidel or better in steps that converged, and {fewer_of_all:.1} times if the others \
         count with {LIMIT}; it fails {} times, Gauss-Seidel {} times.",
        failures[0], failures[1]
    );
    Ok(outcome)
}

/// The parameters with which steps of a run are solved again.
fn parameters(kind: &str, solver: &str) -> Vec<Replayed> {
    match (kind, solver == SOLVERS[0]) {
        (_, false) => Vec::new(),
        ("ellipsoids", true) => [Replayed::table_2()]
            .into_iter()
            .chain(Replayed::table_4())
            .collect(),
        (_, true) => vec![Replayed::table_2()],
    }
}

/// What a table has of steps that were solved again.
fn of(replayed: &Replayed) -> [f64; 4] {
    [
        replayed.per_step(),
        1e4 * replayed.diverged(),
        replayed.share(),
        1e4 * replayed.step_seconds(),
    ]
}

/// Adds the rows of one run to a table.
fn add(table: &mut Comparison, label: &str, published: [f64; 4], ours: [f64; 4]) {
    for (((what, unit), published), ours) in QUANTITIES.into_iter().zip(published).zip(ours) {
        table.row(format!("{label}: {what}"), unit, published, ours);
    }
}

/// Adds what Table 4 has of ellipsoids; of spheres it has nothing.
fn norm_rows(table: &mut Comparison, norms: &[Replayed]) {
    for ((what, published), replayed) in PUBLISHED_NORMS.into_iter().zip(norms) {
        let ours = 1e4 * replayed.step_seconds();
        table.row(format!("δ = {what}"), "s", published, ours);
    }
}

/// Runs the drum with one kind of particle and one solver, and solves some steps again; problems of some steps are kept if
/// asked for.
fn turn(
    context: &mut Context,
    (kind, solver): (&str, &str),
    until: f64,
    mut keep: Option<&mut Vec<ContactProblem>>,
    again: &mut [Replayed],
) -> Result<(Run, Counts), StudyError> {
    let mut scene = Scene::parse(SCENE, "drum.toml")?.with_parameters(&[("solver", solver)])?;
    let smaller: &[(&str, &str)] = match context.scale {
        Scale::Tiny => &[("count", "40"), ("step", "0.002"), ("rest", "0.4")],
        Scale::Small => &[("rest", "0.5")],
        Scale::Paper => &[],
    };
    scene = scene.with_parameters(smaller)?;
    if kind == "spheres" {
        let mean = "(0.9 + 0.5 + 1)/3*size";
        scene = scene.with_parameters(&[("semi_x", mean), ("semi_y", mean), ("semi_z", mean)])?;
    }
    let mut run = scene.build()?;
    run.duration = context.scale.pick(0.65, 0.9, 10.0);
    Context::one_solve_per_step(&mut run);
    let rest = context.scale.pick(0.4, 0.5, 0.9);
    let every = context.scale.pick(50, 80, 600);
    let mut counts = Counts::default();
    let what = format!("{kind}, {solver}");
    let mut replay = Replay::new(again);
    context.simulate(&mut run, until, &what, |run, report| {
        replay.after(&run.simulation, report);
        let fell_back = report.notes.iter().any(|note| note.contains("1 fallback"));
        let ok = report.converged() && !fell_back;
        counts.steps += 1;
        counts.diverged += usize::from(!ok);
        if ok {
            counts.converged += 1;
            counts.iterations += report.iterations;
        }
        counts.solve += report.cpu_times.solve;
        counts.total += report.cpu_times.total();
        // A logarithmic axis has no place for steps without contacts.
        counts
            .history
            .push((report.time, report.iterations.max(1) as f64));
        if let Some(problems) = keep.as_deref_mut()
            && report.time > rest
            && report.step % every == 0
        {
            problems.extend(run.simulation.last_problem().cloned());
        }
    })?;
    Ok((run, counts))
}

/// Means over a few steps: single steps differ too much to be read as a curve.
fn smoothed(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mean = |window: &[(f64, f64)]| {
        let count = window.len() as f64;
        let sum = window
            .iter()
            .fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
        (sum.0 / count, sum.1 / count)
    };
    points.chunks(10).map(mean).collect()
}

fn show(outcome: &mut Outcome, run: &Run) {
    let caption = format!(
        "{} ellipsoids after {:.1} s, coloured by speed",
        run.simulation.bodies().len() - 1,
        run.simulation.time()
    );
    let mut solids = picture::by_speed(&run.simulation, caption.clone());
    (solids.width, solids.height) = (560, 560);
    outcome.pictures.push(Picture {
        name: "drum".into(),
        caption,
        solids,
    });
}
