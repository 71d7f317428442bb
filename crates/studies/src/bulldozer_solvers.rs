//! Solvers side by side on single steps of the bulldozer.

use crate::bulldozer::Drive;
use crate::context::Context;
use crate::outcome::{Outcome, Table};
use crate::race::{Race, Runner};
use crate::study::StudyError;
use moreau_contact_solvers::cones::Cone;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::residual::{Evaluation, Measure};

/// Methods that solve one step side by side; the paper's first.
const METHODS: [&str; 5] = [
    "apgd",
    "apgd_scaled",
    "accelerated_gauss_seidel",
    "interior_point",
    "auto",
];
const MOST_ITERATIONS: usize = 3000;
/// What they are asked for: the error is relative to the energy of all impulses, which cohesion makes large beside what moves
/// the vehicle.
const ACCURACY: f64 = 1e-6;

/// Mazhar's Table III: residual and contacts of the smallest mixer, the best solved of the four in the root mean square.
const MIXER: (f64, f64) = (6.08e-5, 355_551.0);

/// Mazhar's r as what it is of the velocities: their root mean square, in m/s.
fn root_mean_square(residual: f64, rows: f64) -> f64 {
    residual * rows.sqrt()
}

/// One step of each run solved from zero impulses by several methods; gives words on the step with the pile.
pub fn race(
    context: &mut Context,
    outcome: &mut Outcome,
    drives: [&Drive; 2],
) -> Result<String, StudyError> {
    let chosen = context.chosen(&METHODS, FrictionLaw::Relaxed)?;
    let chosen = chosen.map(str::to_string);
    let mut names = METHODS.to_vec();
    names.extend(chosen.as_deref());
    let runners = Runner::named(&names)?;
    let mut table = Table::new(
        format!(
            "One step from zero impulses to an energy error of {ACCURACY:.0e}, at most {MOST_ITERATIONS} iterations"
        ),
        &[
            "step",
            "rows",
            "method",
            "energy error",
            "Mazhar's r",
            "r as a root mean square (mm/s)",
            "joints come apart at (mm/s)",
            "iterations",
            "products with N",
            "CPU seconds",
        ],
    );
    // The errors that `auto` leaves in both steps.
    let mut by_auto = Vec::new();
    // Whether each method solved the step with the pile, its error, iterations and the velocities left.
    let mut with_pile = Vec::new();
    for (name, drive) in ["plain ground", "pile"].into_iter().zip(drives) {
        let Some(problem) = &drive.problem else {
            return Err(StudyError::Settings(format!(
                "{name}: no step at full speed"
            )));
        };
        with_pile.clear();
        for runner in &runners {
            let asked = Race {
                problem,
                law: FrictionLaw::Relaxed,
                measure: Measure::Energy,
                tolerance: ACCURACY,
                iterations: MOST_ITERATIONS,
                seconds: None,
            };
            let solved = asked.run(context, runner)?;
            let report = &solved.report;
            let error = report.errors.energy;
            let left = root_mean_square(report.errors.mazhar, problem.dimension() as f64);
            table.row([
                name.into(),
                problem.dimension().into(),
                runner.label.as_str().into(),
                error.into(),
                report.errors.mazhar.into(),
                (1e3 * left).into(),
                (1e3 * parting_speed(problem, &solved.impulses)).into(),
                report.iterations.into(),
                report.products.into(),
                report.cpu_seconds.into(),
            ]);
            with_pile.push((error <= ACCURACY, error, report.iterations, left));
        }
        by_auto.push(with_pile[METHODS.len() - 1].1);
    }
    outcome.tables.push(table);
    let (solved, error, iterations, left) = with_pile[0];
    let published = root_mean_square(MIXER.0, 3.0 * MIXER.1);
    outcome.claim(
        format!(
            "APGD as published solves the step with the pile within {MOST_ITERATIONS} iterations, as well as the paper's mixer is solved (Table III: \
             {:.0} mm/s in the root mean square) or better",
            1e3 * published
        ),
        left <= published,
        format!("{:.2} mm/s after {iterations} iterations; its energy error is {error:.1e}", 1e3 * left),
    );
    outcome.claim(
        format!("`auto` solves both steps to an energy error of {ACCURACY:.0e}, and APGD as published does not within {MOST_ITERATIONS} iterations"),
        by_auto.iter().all(|error| *error <= ACCURACY) && !solved,
        format!("{:.1e} and {:.1e}; APGD {error:.1e} with the pile", by_auto[0], by_auto[1]),
    );
    let (auto_solved, auto_error, auto_iterations, _) = with_pile[METHODS.len() - 1];
    let words = |solved: bool, error: f64, iterations: usize| match solved {
        true => format!("{iterations} iterations"),
        false => format!("more than {iterations} (error {error:.1e})"),
    };
    Ok(format!(
        "to an error of {:.0e} the step with the most contacts takes auto {}, and APGD as published {}",
        ACCURACY,
        words(auto_solved, auto_error, auto_iterations),
        words(solved, error, iterations)
    ))
}

/// The largest velocity that an answer leaves in a row of a joint, in m/s.
fn parting_speed(problem: &ContactProblem, impulses: &[f64]) -> f64 {
    let evaluation = Evaluation::new(problem, FrictionLaw::Relaxed, impulses);
    let joints = (0..problem.blocks())
        .filter(|block| matches!(problem.cones()[*block], Cone::Bilateral { .. }));
    joints
        .flat_map(|block| problem.rows(block))
        .map(|row| evaluation.velocity()[row].abs())
        .fold(0.0, f64::max)
}
