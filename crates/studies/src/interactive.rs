//! PGS against NNCG on nine configurations: Silcowitz et al. 2010, Figs. 3 to 6, Table 1.

use crate::context::Context;
use crate::interactive_scenes::{self, Configuration};
use crate::outcome::{Comparison, Entry, Figure, Outcome, Picture, SceneText, Table};
use crate::picture;
use crate::race::{Over, Race, Runner, best_errors, data};
use crate::study::{Study, StudyError};
use moreau_algebra::sparse::SparseMatrix;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods::{GaussSeidel, Nncg};
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::residual::Measure;
use moreau_plots::{AxisScale, LinePlot, Series};
use moreau_scene::Scene;

/// The study.
pub const STUDY: Study = Study {
    name: "interactive",
    title: "Nine configurations for interactive simulation",
    source: "Silcowitz et al. 2010, Figs. 3 to 6, Table 1",
    shows: "PGS against NNCG, with and without line search, after 150 and 5000 sweeps",
    takes: "10 s at both scales, which are the same",
    highlights: &[
        "(b) pyramid of boxes: bodies",
        "(b) pyramid of boxes: constraints",
        "(b) pyramid of boxes: rank |",
        "(i) suspended snake: constraints",
    ],
    discussion: include_str!("interactive.md"),
    run,
};

/// Sweeps of an interactive frame (Fig. 5).
const INTERACTIVE: f64 = 150.0;
/// Errors below this are rounding: impulses are of the order of a tenth.
const ROUNDING: f64 = 1e-24;

/// The best error after so many sweeps.
fn after(series: &Series, sweeps: f64) -> f64 {
    let points = series.points.iter().filter(|point| point.0 <= sweeps);
    points.map(|point| point.1).fold(f64::INFINITY, f64::min)
}

/// The sweeps after which the best error is at most so large; infinite if it never is.
fn sweeps_to(series: &Series, error: f64) -> f64 {
    let first = series.points.iter().find(|point| point.1 <= error);
    first.map_or(f64::INFINITY, |point| point.0)
}

fn run(context: &mut Context) -> Result<Outcome, StudyError> {
    let mut outcome = Outcome::default();
    let sweeps = context.scale.pick(300, 5000, 5000);
    let mut table_1 = Comparison::new("Table 1: the configurations");
    let mut results = Table::new(
        format!("Best ‖∇f‖² after 150 and {sweeps} sweeps, in (N s)²"),
        &[
            "configuration",
            "PGS, 150",
            "NNCG, 150",
            "line search, 150",
            "PGS",
            "NNCG",
            "line search",
            "sweeps of PGS to twice its last error",
            "of NNCG to there",
        ],
    );
    // How many configurations: NNCG is as good early, as good late, ten times better late; line search is better late.
    let (mut early, mut late, mut much, mut searched) = (0, 0, 0, 0);
    // How many: NNCG is within a factor of two of where PGS ends after fewer sweeps, or as few.
    let mut sooner = 0;
    let configurations = interactive_scenes::all();
    let count = configurations.len();
    for (k, configuration) in configurations.into_iter().enumerate() {
        context.at(k as f64 / count as f64, configuration.title)?;
        let problem = problem_of(&configuration, &mut outcome, &mut table_1)?;
        let curves = curves(context, &problem, sweeps)?;
        let at = |series: &Series, most: f64| after(series, most).max(ROUNDING);
        let values = |most: f64| {
            [
                at(&curves[0], most),
                at(&curves[1], most),
                at(&curves[2], most),
            ]
        };
        let (short, long) = (values(INTERACTIVE), values(sweeps as f64));
        early += usize::from(short[1] <= 1.05 * short[0]);
        late += usize::from(long[1] <= 1.05 * long[0]);
        much += usize::from(long[1] <= 0.1 * long[0]);
        searched += usize::from(long[2] < 0.1 * long[1]);
        let label = format!("({}) {}", configuration.letter, configuration.title);
        let mut row: Vec<Entry> = vec![label.as_str().into()];
        let shown = |error: f64| match error <= ROUNDING {
            true => Entry::from(format!("below {ROUNDING:.0e}")),
            false => error.into(),
        };
        row.extend(short.into_iter().chain(long).map(shown));
        let [slow, fast] = [0, 1].map(|k| sweeps_to(&curves[k], 2.0 * long[0]));
        sooner += usize::from(fast <= slow);
        row.extend([slow, fast].map(|sweeps| Entry::from(Some(sweeps).filter(|s| s.is_finite()))));
        results.row(row);
        draw(&mut outcome, &configuration, curves);
    }
    // The pyramid of boxes stands alone above the others, and in the list of studies.
    outcome.pictures.swap(0, 1);
    outcome.comparisons.push(table_1);
    outcome.tables.push(results);
    outcome.claim(
        "Within 150 sweeps NNCG is at least as good as PGS (to 5 %) in every configuration",
        early == count,
        format!("in {early} of {count}"),
    );
    outcome.claim(
        "In the long run NNCG is at least as good as PGS (to 5 %) in every configuration",
        late == count,
        format!("in {late} of {count}"),
    );
    outcome.claim(
        "NNCG converges faster: to twice the error at which PGS ends it needs no more sweeps than PGS, in every configuration",
        sooner == count,
        format!("in {sooner} of {count}"),
    );
    outcome.claim(
        "In the long run NNCG is ten times better or more in some configurations",
        much > 0,
        format!("in {much} of {count}"),
    );
    outcome.claim(
        "Line search gains nothing: nowhere is it ten times better than NNCG without it",
        searched == 0,
        format!("it is in {searched} of {count}"),
    );
    outcome.summary = format!(
        "NNCG is at least as good as PGS in {early} of {count} configurations after 150 sweeps and in {late} after {sweeps}, ten times \
         better in {much}; line search gains in {searched}."
    );
    Ok(outcome)
}

/// Simulates a configuration for a moment and takes the problem of its last step.
fn problem_of(
    configuration: &Configuration,
    outcome: &mut Outcome,
    table: &mut Comparison,
) -> Result<ContactProblem, StudyError> {
    let name = format!("{}", configuration.letter);
    let scene = Scene::parse(&configuration.scene, &format!("{name}.toml"))?;
    let mut run = scene.build()?;
    for _ in 0..configuration.steps {
        run.step()?;
    }
    let problem = run.simulation.last_problem().cloned();
    let problem = problem
        .ok_or_else(|| StudyError::Settings(format!("configuration {name} has no contacts")))?;
    let rows = problem.dimension();
    let [bodies, constraints, eigenvalues] = configuration.published;
    let title = format!("({name}) {}", configuration.title);
    table.row(
        format!("{title}: bodies"),
        "",
        bodies,
        run.simulation.bodies().len(),
    );
    table.row(format!("{title}: constraints"), "", constraints, rows);
    // Dense, and so only for systems of this size.
    let rank = rank(&problem.to_sparse());
    table.row(format!("{title}: rank"), "", eigenvalues, rank);
    table.row(
        format!("{title}: rank over constraints"),
        "%",
        100.0 * eigenvalues / constraints,
        100.0 * rank as f64 / rows as f64,
    );
    let caption = format!("Configuration {title}: {rows} constraints");
    let mut solids = picture::by(&run.simulation, caption.clone(), |body| {
        0.25 + 0.5 * ((body * 7) % 10) as f64 / 10.0
    });
    (solids.width, solids.height) = (560, 400);
    outcome.pictures.push(Picture {
        name: name.clone(),
        caption,
        solids,
    });
    outcome.scenes.push(SceneText {
        name,
        text: configuration.scene.clone(),
    });
    Ok(problem)
}

/// The best errors over sweeps of PGS, NNCG and NNCG with line search.
fn curves(
    context: &mut Context,
    problem: &ContactProblem,
    sweeps: usize,
) -> Result<Vec<Series>, StudyError> {
    let race = Race {
        problem,
        law: FrictionLaw::Box,
        measure: Measure::Silcowitz,
        tolerance: 0.0,
        iterations: sweeps,
        seconds: None,
    };
    let searching = Nncg {
        line_search: true,
        ..Nncg::default()
    };
    let mut runners = vec![
        Runner::new("PGS", GaussSeidel::default()),
        Runner::new("NNCG", Nncg::default()),
        Runner::new("NNCG with line search", searching),
    ];
    if let Some(name) = context.chosen(&["gauss_seidel", "nncg"], FrictionLaw::Box)? {
        runners.extend(Runner::named(&[name])?);
    }
    let mut list = Vec::new();
    for runner in runners {
        let solved = race.run(context, &runner)?;
        let mut series = best_errors(&runner.label, &solved, Over::Products);
        series.points.retain(|point| point.0 <= sweeps as f64);
        list.push(series);
    }
    Ok(list)
}

fn draw(outcome: &mut Outcome, configuration: &Configuration, series: Vec<Series>) {
    let name = format!("{}-error", configuration.letter);
    outcome
        .data
        .push(data(&name, "sweeps", "best ‖∇f‖² [(N s)²]", &series));
    outcome.figures.push(Figure {
        name,
        caption: format!(
            "({}) {}: best error over sweeps (the paper's Figs. 5 and 6).",
            configuration.letter, configuration.title
        ),
        plot: LinePlot {
            title: format!("({}) {}", configuration.letter, configuration.title),
            x_label: "sweeps".into(),
            y_label: "‖∇f‖², best so far ((N s)²)".into(),
            x_scale: AxisScale::Log10,
            y_scale: AxisScale::Log10,
            series,
            reference: None,
        },
    });
}

/// The numerical rank of a symmetric positive semidefinite matrix: pivots of Cholesky's factorisation above 1e-9 of
/// the largest.
fn rank(matrix: &SparseMatrix) -> usize {
    let n = matrix.rows();
    let mut a = vec![vec![0.0f64; n]; n];
    for (row, column, value) in matrix.triplets() {
        a[row][column] = value;
    }
    let mut left: Vec<usize> = (0..n).collect();
    let mut largest = 0.0f64;
    for found in 0..n {
        let (place, pivot) = left
            .iter()
            .enumerate()
            .map(|(place, &k)| (place, k))
            .max_by(|x, y| a[x.1][x.1].total_cmp(&a[y.1][y.1]))
            .expect("there are rows left");
        largest = largest.max(a[pivot][pivot]);
        if a[pivot][pivot] <= 1e-9 * largest {
            return found;
        }
        left.swap_remove(place);
        for &i in &left {
            let factor = a[i][pivot] / a[pivot][pivot];
            for &j in &left {
                a[i][j] -= factor * a[pivot][j];
            }
        }
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rank_is_found() {
        // u uᵀ + v vᵀ has rank 2 whatever its size.
        let (u, v) = ([1.0, 2.0, 3.0, 4.0, 0.5], [1.0, -1.0, 0.25, 2.0, 8.0]);
        let entries: Vec<_> = (0..5)
            .flat_map(|i| (0..5).map(move |j| (i, j, u[i] * u[j] + v[i] * v[j])))
            .collect();
        assert_eq!(rank(&SparseMatrix::from_triplets(5, 5, &entries)), 2);
        let identity: Vec<_> = (0..4).map(|i| (i, i, 1.0)).collect();
        assert_eq!(rank(&SparseMatrix::from_triplets(4, 4, &identity)), 4);
    }
}
