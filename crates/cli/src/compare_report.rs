//! What `moreau compare` says about its runs: tables, CSV, JSON and pictures.

use crate::failure::Failure;
use crate::input::Problem;
use crate::{json, table};
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::report::SolveReport;
use moreau_contact_solvers::residual::Measure;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::status::Status;
use moreau_plots::{
    AxisScale, ConvergencePlot, ProfilePlot, Series, convergence, performance_profile,
};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// CPU times below this are noise of the clock.
const CLOCK: f64 = 1e-3;

/// One run.
pub struct Row {
    /// The path of the problem.
    pub problem: String,
    /// Its contacts.
    pub contacts: usize,
    /// How it went.
    pub report: SolveReport,
}

/// A solver that was not run.
#[derive(Serialize)]
pub struct Skipped {
    /// Its name.
    pub solver: &'static str,
    /// On which problem; `None` for all.
    pub problem: Option<String>,
    /// Why.
    pub reason: String,
}

/// All runs of a comparison.
pub struct Comparison {
    /// The law of all runs.
    pub law: FrictionLaw,
    /// The solvers that were run.
    pub solvers: Vec<&'static str>,
    /// The runs, problem by problem.
    pub rows: Vec<Row>,
    /// What was not run.
    pub skipped: Vec<Skipped>,
}

impl Comparison {
    /// Runs that did not begin because the solver cannot take the problem.
    pub fn refused(&self) -> usize {
        self.skipped.iter().filter(|s| s.problem.is_some()).count()
    }
}

#[derive(Serialize)]
struct Summary {
    solver: &'static str,
    solved: usize,
    runs: usize,
    total_seconds: f64,
    median_seconds: f64,
    total_cpu_seconds: f64,
}

/// A comparison as JSON.
#[derive(Serialize)]
pub struct Json<'a> {
    runs: Vec<json::Run>,
    skipped: &'a [Skipped],
    summary: Vec<Summary>,
}

/// A comparison for programs.
pub fn to_json(comparison: &Comparison, tolerance: f64) -> Json<'_> {
    let runs = comparison.rows.iter();
    Json {
        runs: runs
            .map(|row| json::Run::new(&row.problem, row.contacts, tolerance, &row.report))
            .collect(),
        skipped: &comparison.skipped,
        summary: summary(comparison),
    }
}

/// What is compared, before the first run.
pub fn opening(comparison: &Comparison, settings: &Settings) -> String {
    let mut text = format!(
        "{} law, tolerance {:e} on {}, {} s for each run\n",
        comparison.law,
        settings.tolerance,
        settings.measure,
        settings.time_limit.unwrap_or(f64::INFINITY)
    );
    for skipped in &comparison.skipped {
        let _ = writeln!(text, "skipped: {}, {}", skipped.solver, skipped.reason);
    }
    text
}

/// The runs on one problem.
pub fn problem_table(problem: &Problem, rows: &[Row]) -> String {
    let reports: Vec<_> = rows.iter().map(|row| &row.report).collect();
    format!("\n{}\n{}", problem.describe(), runs_table(&reports))
}

/// Runs side by side: status, cost and every error measure.
pub fn runs_table(reports: &[&SolveReport]) -> String {
    let mut heads = vec!["solver", "status", "iterations", "products", "seconds"];
    heads.extend(Measure::ALL.map(Measure::name));
    let mut runs = table::table(&heads, &[0, 1]);
    for report in reports {
        let mut cells = vec![
            report.method.to_string(),
            report.status.to_string(),
            report.iterations.to_string(),
            report.products.to_string(),
            format!("{:.3}", report.seconds),
        ];
        let errors = Measure::ALL.map(|measure| report.errors.get(measure));
        cells.extend(errors.map(|value| match value.is_nan() {
            true => "-".to_string(),
            false => format!("{value:.1e}"),
        }));
        runs.add_row(cells);
    }
    table::text(&runs)
}

/// The summary over all problems, and what the solvers had to say.
pub fn closing(comparison: &Comparison, problems: usize) -> String {
    let mut totals = table::table(
        &[
            "solver",
            "solved",
            "total seconds",
            "median of solved",
            "CPU seconds",
        ],
        &[0],
    );
    for entry in summary(comparison) {
        totals.add_row([
            entry.solver.to_string(),
            format!("{} of {problems}", entry.solved),
            format!("{:.3}", entry.total_seconds),
            match entry.median_seconds.is_nan() {
                true => "-".to_string(),
                false => table::seconds(entry.median_seconds),
            },
            format!("{:.3}", entry.total_cpu_seconds),
        ]);
    }
    let mut text = format!("\nSummary\n{}", table::text(&totals));
    for (solver, reason, count) in refusals(comparison) {
        let _ = writeln!(text, "skipped: {solver} on {count} of {problems}: {reason}");
    }
    for (problem, solver, note) in notes(comparison, problems) {
        let _ = match solver {
            Some(solver) => writeln!(text, "note: {solver} on {problem}: {note}"),
            None => writeln!(text, "note: {problem}: {note}"),
        };
    }
    text
}

/// What is worth saying at the end: what several solvers said of a problem, once; and with a single problem also
/// what each said of its own way.
fn notes(comparison: &Comparison, problems: usize) -> Vec<(&str, Option<&'static str>, &str)> {
    let mut notes: Vec<(&str, Option<&'static str>, &str)> = Vec::new();
    for row in &comparison.rows {
        let others = || {
            comparison
                .rows
                .iter()
                .filter(|other| other.problem == row.problem)
        };
        for note in &row.report.notes {
            let said = others()
                .filter(|other| other.report.notes.contains(note))
                .count();
            let entry = match said {
                1 if problems > 1 => continue,
                1 => (row.problem.as_str(), Some(row.report.method), note.as_str()),
                _ => (row.problem.as_str(), None, note.as_str()),
            };
            if !notes.contains(&entry) {
                notes.push(entry);
            }
        }
    }
    notes
}

/// Which solver refused how many problems, and why.
fn refusals(comparison: &Comparison) -> Vec<(&'static str, &str, usize)> {
    let mut refusals: Vec<(&'static str, &str, usize)> = Vec::new();
    for skipped in comparison.skipped.iter().filter(|s| s.problem.is_some()) {
        let same = |entry: &&mut (&str, &str, usize)| {
            entry.0 == skipped.solver && entry.1 == skipped.reason
        };
        match refusals.iter_mut().find(same) {
            Some(entry) => entry.2 += 1,
            None => refusals.push((skipped.solver, &skipped.reason, 1)),
        }
    }
    refusals
}

fn summary(comparison: &Comparison) -> Vec<Summary> {
    let entry = |solver: &&'static str| {
        let reports: Vec<_> = comparison
            .rows
            .iter()
            .map(|row| &row.report)
            .filter(|report| report.method == *solver)
            .collect();
        let mut solved: Vec<_> = reports
            .iter()
            .filter(|report| report.status == Status::Converged)
            .map(|report| report.seconds)
            .collect();
        solved.sort_by(f64::total_cmp);
        let middle = solved.len() / 2;
        let median_seconds = match solved.len() {
            0 => f64::NAN,
            n if n % 2 == 1 => solved[middle],
            _ => 0.5 * (solved[middle - 1] + solved[middle]),
        };
        Summary {
            solver,
            solved: solved.len(),
            runs: reports.len(),
            total_seconds: reports.iter().map(|report| report.seconds).sum(),
            median_seconds,
            total_cpu_seconds: reports.iter().map(|report| report.cpu_seconds).sum(),
        }
    };
    let ran = |entry: &Summary| entry.runs > 0;
    comparison.solvers.iter().map(entry).filter(ran).collect()
}

/// Every run as a line of comma-separated values.
pub fn csv(comparison: &Comparison) -> String {
    let mut text = String::from(
        "problem,contacts,law,solver,status,iterations,products,seconds,cpu_seconds,measure,error",
    );
    for measure in Measure::ALL {
        let _ = write!(text, ",{measure}");
    }
    text.push_str(",objective\n");
    for Row {
        problem,
        contacts,
        report: r,
    } in &comparison.rows
    {
        let problem = problem.replace('"', "\"\"");
        let _ = write!(
            text,
            "\"{problem}\",{contacts},{},{},{},{},{},{:e},{:e},{},{:e}",
            r.law,
            r.method,
            r.status,
            r.iterations,
            r.products,
            r.seconds,
            r.cpu_seconds,
            r.measure,
            r.error()
        );
        for measure in Measure::ALL {
            let _ = write!(text, ",{:e}", r.errors.get(measure));
        }
        let _ = writeln!(text, ",{:e}", r.errors.objective);
    }
    text
}

/// Errors over seconds, one curve for each run.
pub fn draw_convergence(
    path: &Path,
    title: &str,
    reports: &[&SolveReport],
    tolerance: f64,
) -> Result<(), Failure> {
    let Some(first) = reports.first() else {
        return Ok(());
    };
    let series = |report: &&SolveReport| Series {
        label: report.method.into(),
        points: report
            .history
            .records()
            .filter(|record| record.iteration > 0 && record.seconds > 0.0)
            .map(|record| (record.seconds, record.error))
            .collect(),
    };
    let plot = ConvergencePlot {
        title: format!("{title}, {} law", first.law),
        x_label: "seconds".into(),
        y_label: format!("{} error", first.measure),
        x_scale: AxisScale::Log10,
        series: reports.iter().map(series).collect(),
        tolerance: Some(tolerance),
    };
    Ok(convergence(path, &plot)?)
}

/// The performance profile of CPU seconds.
pub fn draw_profile(
    path: &Path,
    comparison: &Comparison,
    problems: &[Problem],
) -> Result<(), Failure> {
    let cost = |problem: &Problem, solver: &str| {
        let mut runs = comparison.rows.iter();
        runs.find(|row| row.problem == problem.name && row.report.method == solver)
            .filter(|row| row.report.status == Status::Converged)
            .map(|row| row.report.cpu_seconds)
    };
    let solvers: Vec<_> = summary(comparison).iter().map(|s| s.solver).collect();
    let row = |problem: &Problem| {
        let solvers = solvers.iter();
        solvers.map(|solver| cost(problem, solver)).collect()
    };
    let plot = ProfilePlot {
        title: format!(
            "CPU time on {} problems, {} law",
            problems.len(),
            comparison.law
        ),
        solvers: solvers.iter().map(|s| s.to_string()).collect(),
        costs: problems.iter().map(row).collect(),
        floor: CLOCK,
        ..Default::default()
    };
    Ok(performance_profile(path, &plot)?)
}
