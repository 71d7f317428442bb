//! How the quasi-Newton method depends on δ, ε and m: Koziara 2017, Figs. 2, 6 to 8 and Table 4.

use crate::context::Context;
use crate::drum_replay::published_method;
use crate::outcome::{Entry, Figure, Outcome, Table};
use crate::study::{Scale, StudyError};
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods::QuasiNewton;
use moreau_contact_solvers::methods::quasi_newton::Regularisation;
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::residual::Measure;
use moreau_contact_solvers::settings::Settings;
use moreau_plots::{AxisScale, LinePlot, Series};

const DELTAS: [f64; 5] = [1e-4, 1e-3, 1e-2, 3e-2, 1e-1];
const EPSILONS: [f64; 4] = [1e-3, 1e-2, 0.1, 0.25];
const ITERATIONS: [f64; 4] = [100.0, 20.0, 10.0, 5.0];

/// The first and the last but one at the scale for tests, all otherwise.
fn thinned(context: &Context, values: &[f64]) -> Vec<f64> {
    match context.scale {
        Scale::Tiny => vec![values[0], values[values.len() - 2]],
        _ => values.to_vec(),
    }
}

/// Mean iterations where Newton alone converged, and the share of problems where it did not.
struct Cell {
    iterations: f64,
    failed: f64,
    /// CPU seconds of all problems.
    seconds: f64,
}

/// Solves the recorded problems over the maps, and adds tables, curves and verdicts.
pub fn draw(
    context: &mut Context,
    problems: &[ContactProblem],
    outcome: &mut Outcome,
) -> Result<(), StudyError> {
    let base = QuasiNewton::default;
    let relative = |delta: f64| Regularisation::RelativeToAverage(delta);
    let accuracy = map(
        context,
        problems,
        "m = 1000, over ε",
        &EPSILONS,
        outcome,
        |delta, epsilon| QuasiNewton {
            regularisation: relative(delta),
            linear_tolerance: epsilon,
            linear_iterations: 1000,
            ..base()
        },
    )?;
    map(
        context,
        problems,
        "ε = 1e-3, over m",
        &ITERATIONS,
        outcome,
        |delta, m| QuasiNewton {
            regularisation: relative(delta),
            linear_tolerance: 1e-3,
            linear_iterations: m as usize,
            ..base()
        },
    )?;
    norms(context, problems, outcome)?;
    // Failures over the whole strip of δ: the exact linear solves against the best of the inexact ones.
    let strip = |column: usize| {
        accuracy
            .iter()
            .map(|cells| cells[column].failed)
            .sum::<f64>()
    };
    let columns = accuracy.first().map_or(0, Vec::len);
    let tight = strip(0);
    let loose = (1..columns).map(strip).fold(f64::INFINITY, f64::min);
    outcome.claim(
        "Inexact linear solves fail no more often than exact ones (ε = 1e-3), summed over δ",
        loose <= tight,
        format!("failures summed over δ: {loose:.2} against {tight:.2} of the problems"),
    );
    Ok(())
}

/// One map: a row of cells for each δ.
fn map(
    context: &mut Context,
    problems: &[ContactProblem],
    title: &str,
    values: &[f64],
    outcome: &mut Outcome,
    method: impl Fn(f64, f64) -> QuasiNewton,
) -> Result<Vec<Vec<Cell>>, StudyError> {
    let (deltas, values) = (thinned(context, &DELTAS), thinned(context, values));
    let heads: Vec<String> = values.iter().map(|value| format!("{value}")).collect();
    let mut table = Table::new(
        format!(
            "Figs. 2 and 7: iterations (share of {} problems failed), {title}",
            problems.len()
        ),
        &[],
    );
    table.heads = vec!["δ over average W_ii".into()];
    table.heads.extend(heads.clone());
    let mut cells = Vec::new();
    for delta in &deltas {
        context.at(0.9, &format!("map over δ, {title}: δ = {delta}"))?;
        let mut row = Vec::new();
        for value in &values {
            row.push(cell(context, problems, &method(*delta, *value))?);
        }
        let mut entries = vec![Entry::Number(*delta)];
        entries.extend(row.iter().map(|cell| {
            Entry::Words(format!(
                "{:.1} ({:.0} %)",
                cell.iterations,
                100.0 * cell.failed
            ))
        }));
        table.row(entries);
        cells.push(row);
    }
    outcome.tables.push(table);
    let series = heads.iter().enumerate().map(|(k, head)| Series {
        label: head.clone(),
        points: DELTAS
            .iter()
            .zip(&cells)
            .map(|(delta, row)| (*delta, row[k].iterations))
            .collect(),
    });
    outcome.figures.push(Figure {
        name: if title.contains("over ε") {
            "map-accuracy"
        } else {
            "map-iterations"
        }
        .into(),
        caption: format!("Newton iterations per problem over δ, {title}."),
        plot: LinePlot {
            title: format!("Quasi-Newton iterations, {title}"),
            x_label: "δ over the average W_ii".into(),
            y_label: "iterations".into(),
            x_scale: AxisScale::Log10,
            series: series.collect(),
            ..LinePlot::default()
        },
    });
    Ok(cells)
}

/// The parameters that Tables 2 to 4 find best: δ itself, and relative to the smallest, average and largest diagonal entry.
fn norms(
    context: &mut Context,
    problems: &[ContactProblem],
    outcome: &mut Outcome,
) -> Result<(), StudyError> {
    let mut table = Table::new(
        "The parameters of Tables 2 to 4, ε = 0.25, on the recorded problems, from zero impulses",
        &["δ", "m", "iterations", "failed", "CPU ms a problem"],
    );
    for (name, regularisation, m, scaled) in [
        (
            "1e-4, as published (Table 2)",
            Regularisation::Absolute(1e-4),
            15,
            false,
        ),
        (
            "0.025 of the smallest W_ii (Table 4)",
            Regularisation::RelativeToSmallest(0.025),
            15,
            true,
        ),
        (
            "0.01 of the average W_ii (Tables 3 and 4)",
            Regularisation::RelativeToAverage(0.01),
            10,
            true,
        ),
        (
            "0.01 of the largest W_ii (Table 4)",
            Regularisation::RelativeToLargest(0.01),
            20,
            true,
        ),
    ] {
        let method = published_method(regularisation, m, scaled);
        let cell = cell(context, problems, &method)?;
        table.row([
            name.into(),
            m.into(),
            cell.iterations.into(),
            cell.failed.into(),
            (1e3 * cell.seconds / problems.len() as f64).into(),
        ]);
    }
    outcome.tables.push(table);
    Ok(())
}

fn cell(
    context: &mut Context,
    problems: &[ContactProblem],
    method: &QuasiNewton,
) -> Result<Cell, StudyError> {
    let settings = Settings {
        tolerance: 1e-8,
        max_iterations: Some(1000),
        measure: Measure::Koziara,
        ..Settings::default()
    };
    let (mut iterations, mut solved, mut seconds) = (0, 0, 0.0);
    for problem in problems {
        let report = context
            .solve(problem, FrictionLaw::Coulomb, method, &settings, "map")?
            .report;
        seconds += report.cpu_seconds;
        let alone = report.notes.iter().any(|note| note.contains("no fallback"));
        if alone && report.error() <= settings.tolerance {
            solved += 1;
            iterations += report.iterations;
        }
    }
    Ok(Cell {
        iterations: iterations as f64 / solved as f64,
        failed: 1.0 - solved as f64 / problems.len() as f64,
        seconds,
    })
}
