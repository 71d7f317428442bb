//! Spheres settle in a box: De et al. 2019, section V.C, Table I.

use crate::context::{Context, Solved};
use crate::outcome::{Comparison, Entry, Figure, Outcome, Picture, SceneText, Table};
use crate::picture;
use crate::race::{Over, Race, Runner, best_errors, data};
use crate::study::{Study, StudyError};
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::residual::Measure;
use moreau_plots::{AxisScale, LinePlot, Series};
use moreau_scene::{Run, Scene};

/// The study.
pub const STUDY: Study = Study {
    name: "sedimentation",
    title: "Spheres settle in a box",
    source: "De et al. 2019, Table I",
    shows: "iterations of APGD and of the interior point method in one time step, for residuals of 1e-1 … 1e-4",
    takes: "12 s at `small`, about an hour at `paper` (estimated)",
    highlights: &[
        "apgd, 1000 spheres (paper 25000), 1e-4",
        "interior_point, 1000 spheres (paper 25000), 1e-4",
        "apgd, 4000 spheres (paper 100000), 1e-4",
        "interior_point, 4000 spheres (paper 100000), 1e-4",
    ],
    discussion: include_str!("sedimentation.md"),
    run,
};

const SCENE: &str = include_str!("sedimentation.toml");
/// Table I: the tolerances.
const TOLERANCES: [f64; 4] = [1e-1, 1e-2, 1e-3, 1e-4];
const METHODS: [&str; 2] = ["apgd", "interior_point"];
/// Table I: spheres; iterations of APGD and of SCIP for each tolerance.
const TABLE_1: [(usize, [[f64; 4]; 2]); 2] = [
    (
        25_000,
        [[409.0, 433.0, 470.0, 509.0], [45.0, 50.0, 54.0, 57.0]],
    ),
    (
        100_000,
        [[435.0, 451.0, 506.0, 521.0], [47.0, 52.0, 56.0, 58.0]],
    ),
];
/// Iterations that the paper allows.
const MOST_ITERATIONS: usize = 10_000;
/// When the contact problem of a step is kept: the lower spheres lie while the upper fall; the last have arrived.
const MOMENTS: [f64; 2] = [0.15, 0.35];

/// The moment that is held against Table I. At rest it cannot be: there zero impulses are off by no more than gravity gives
/// in a step, which is below the first tolerance.
const COMPARED: f64 = MOMENTS[0];

/// The contact problem of one step, and when it was.
struct Moment {
    time: f64,
    problem: ContactProblem,
}

/// Iterations of one method at one moment, for each tolerance; none where it was not reached.
type Iterations = [Option<usize>; 4];

fn run(context: &mut Context) -> Result<Outcome, StudyError> {
    let mut outcome = Outcome::default();
    let counts = context
        .scale
        .pick([100, 400], [1000, 4000], [25_000, 100_000]);
    let mut names = METHODS.to_vec();
    let chosen = context.chosen(&METHODS, FrictionLaw::Relaxed)?;
    let chosen = chosen.map(str::to_string);
    names.extend(chosen.as_deref());
    let runners = Runner::named(&names)?;

    let mut table = Comparison::new("Table I: iterations in one time step, while spheres fall");
    let mut details = Table::new(
        "Both moments",
        &[
            "spheres",
            "time (s)",
            "contacts",
            "method",
            "1e-1",
            "1e-2",
            "1e-3",
            "1e-4",
            "CPU seconds to 1e-4",
        ],
    );
    let mut curves = Vec::new();
    // Iterations by size and method, at the compared moment.
    let mut found: Vec<Vec<Iterations>> = Vec::new();
    for (size, (count, (published_count, published))) in counts.into_iter().zip(TABLE_1).enumerate()
    {
        let share = 0.5 * size as f64;
        let moments = settle(context, count, share + 0.3, &mut outcome)?;
        for moment in &moments {
            let mut here = Vec::new();
            for (k, runner) in runners.iter().enumerate() {
                let done = 0.2 * k as f64 / runners.len() as f64;
                context.at(share + 0.3 + done, &format!("{count} spheres"))?;
                let solved = solve(context, moment, runner)?;
                let label = format!("{}, {count} spheres", runner.label);
                let curve = best_errors(&label, &solved, Over::Iterations);
                let iterations = reached(&curve);
                details.row(detail(count, moment, runner, &iterations, &solved));
                here.push(iterations);
                if moment.time == COMPARED {
                    curves.push(curve);
                }
            }
            if moment.time == COMPARED {
                for (k, runner) in runners.iter().enumerate() {
                    for (level, tolerance) in TOLERANCES.into_iter().enumerate() {
                        let paper = published.get(k).map(|row| row[level]);
                        table.row(
                            format!(
                                "{}, {count} spheres (paper {published_count}), {tolerance:.0e}",
                                runner.label
                            ),
                            "",
                            paper,
                            iterations_entry(here[k][level]),
                        );
                    }
                }
                found.push(here);
            }
        }
    }
    outcome.comparisons.push(table);
    outcome.tables.push(details);
    judge(&mut outcome, counts, &found);
    draw(&mut outcome, curves);
    Ok(outcome)
}

/// Lets the spheres settle and keeps the problems of the moments. The smaller box is drawn half way.
fn settle(
    context: &mut Context,
    count: usize,
    until: f64,
    outcome: &mut Outcome,
) -> Result<Vec<Moment>, StudyError> {
    let scene = Scene::parse(SCENE, "sedimentation.toml")?
        .with_parameters(&[("count", &count.to_string())])?;
    let mut run = context.build(&scene)?;
    let first = outcome.pictures.is_empty();
    if first {
        outcome.scenes.push(SceneText {
            name: "box".into(),
            text: SCENE.into(),
        });
    }
    let mut moments = Vec::new();
    let half_step = 0.5 * run.simulation.step_size().unwrap_or(0.0);
    let what = format!("{count} spheres settle");
    let mut drawn = None;
    context.simulate(&mut run, until, &what, |run, report| {
        let at = |time: f64| (report.time - time).abs() < half_step;
        let Some(time) = MOMENTS.into_iter().find(|time| at(*time)) else {
            return;
        };
        if let Some(problem) = run.simulation.last_problem().cloned() {
            moments.push(Moment { time, problem });
        }
        if first && time == MOMENTS[0] {
            drawn = Some(show(run, count, time));
        }
    })?;
    outcome.pictures.extend(drawn);
    if moments.len() < MOMENTS.len() {
        let message = "the spheres did not touch at every moment that is asked for";
        return Err(StudyError::Settings(message.into()));
    }
    Ok(moments)
}

fn solve(context: &mut Context, moment: &Moment, runner: &Runner) -> Result<Solved, StudyError> {
    let race = Race {
        problem: &moment.problem,
        law: FrictionLaw::Relaxed,
        measure: Measure::De,
        tolerance: TOLERANCES[3],
        iterations: MOST_ITERATIONS,
        seconds: None,
    };
    race.run(context, runner)
}

/// The first iterations at which the error is below each tolerance.
fn reached(curve: &Series) -> Iterations {
    TOLERANCES.map(|tolerance| {
        let first = curve.points.iter().find(|point| point.1 < tolerance);
        first.map(|point| point.0 as usize)
    })
}

fn iterations_entry(iterations: Option<usize>) -> Entry {
    match iterations {
        Some(iterations) => iterations.into(),
        None => format!("not in {MOST_ITERATIONS}").into(),
    }
}

fn detail(
    count: usize,
    moment: &Moment,
    runner: &Runner,
    iterations: &Iterations,
    solved: &Solved,
) -> Vec<Entry> {
    let mut row: Vec<Entry> = vec![
        count.into(),
        moment.time.into(),
        moment.problem.contacts().into(),
        runner.label.as_str().into(),
    ];
    row.extend(iterations.iter().map(|i| iterations_entry(*i)));
    row.push(solved.report.cpu_seconds.into());
    row
}

/// The paper's claims.
fn judge(outcome: &mut Outcome, counts: [usize; 2], found: &[Vec<Iterations>]) {
    // What was not reached is worse than any number.
    let of = |size: usize, method: usize, level: usize| {
        found[size][method][level].map_or(f64::INFINITY, |iterations| iterations as f64)
    };
    let levels = || (0..2).flat_map(|size| (0..TOLERANCES.len()).map(move |level| (size, level)));
    let gains: Vec<f64> = levels()
        .map(|(size, level)| of(size, 0, level) / of(size, 1, level))
        .collect();
    let least = gains.iter().copied().fold(f64::INFINITY, f64::min);
    outcome.claim(
        "The interior point method needs fewer iterations than APGD for every tolerance and size (the paper: 8.7 to 9.3 times fewer)",
        levels().all(|(size, level)| of(size, 1, level) < of(size, 0, level)),
        format!("{least:.1} times fewer at least"),
    );
    let growth = |method| of(1, method, 3) / of(0, method, 3);
    outcome.claim(
        "Four times the spheres cost the interior point method at most a quarter more iterations to 1e-4 (the paper: 2 %)",
        growth(1) <= 1.25,
        format!("{} and {}", of(0, 1, 3), of(1, 1, 3)),
    );
    let more = (0..2).map(|size| of(size, 1, 3) - of(size, 1, 0));
    let more = more.fold(0.0, f64::max);
    outcome.claim(
        "From 1e-1 to 1e-4 the interior point method needs at most 12 iterations more, the paper's number",
        more <= 12.0,
        format!("{more} more"),
    );
    outcome.claim(
        "Four times the spheres cost APGD at most half as many iterations again to 1e-4 (the paper: 2 %)",
        growth(0) <= 1.5,
        format!("{} and {}", of(0, 0, 3), of(1, 0, 3)),
    );
    outcome.summary = format!(
        "With {} spheres the interior point method needs {} iterations to 1e-4 and APGD {} (the paper, with 100 000: 58 and 521).",
        counts[1],
        of(1, 1, 3),
        of(1, 0, 3)
    );
}

fn draw(outcome: &mut Outcome, mut curves: Vec<Series>) {
    outcome
        .data
        .push(data("residual", "iteration", "residual", &curves));
    // A logarithmic axis has no place for the state before the first iteration.
    for curve in &mut curves {
        curve.points.retain(|point| point.0 >= 1.0);
    }
    outcome.figures.push(Figure {
        name: "residual".into(),
        caption: "De's residual over the iterations, while spheres fall.".into(),
        plot: LinePlot {
            title: "Residual in one time step".into(),
            x_label: "iterations".into(),
            x_scale: AxisScale::Log10,
            y_label: "residual, best so far (SI units)".into(),
            y_scale: AxisScale::Log10,
            series: curves,
            ..LinePlot::default()
        },
    });
}

fn show(run: &Run, count: usize, time: f64) -> Picture {
    let caption = format!("{count} spheres after {time} s, coloured by speed");
    let mut solids = picture::by_speed(&run.simulation, caption.clone());
    (solids.width, solids.height) = (420, 560);
    Picture {
        name: "falling".into(),
        caption,
        solids,
    }
}
