//! `moreau compare`: several solvers on one or more problems, side by side.

use crate::compare_report::{self as report, Comparison, Row, Skipped};
use crate::failure::{Failure, Outcome};
use crate::input::{Problem, expand};
use crate::options::{self, SolveOptions};
use crate::progress::{Progress, interrupted, listen_for_interrupt};
use crate::{json, output};
use clap::Args;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::{ContactSolver, SolveError, solve};
use moreau_contact_solvers::status::Status;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  moreau compare stack.hdf5
  moreau compare stack.hdf5 --solvers apgd,spg --tolerance 1e-6 --convergence errors.svg
  moreau compare problems/ --law coulomb --time-limit 60 --plot profile.png --csv runs.csv

Solvers that do not know the law are left out, and said so. The performance profile (Dolan and Moré) \
shows for each solver the share of problems solved within a factor of the best CPU time.
Exit codes: 0 every run converged, 2 one did not, 1 bad input, 130 interrupted by Ctrl-C.";

/// What `moreau compare` is told.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Problem files; a folder stands for all problem files in it.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The solvers to run, separated by commas [default: every one that knows the law].
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = options::solver)]
    solvers: Vec<String>,

    /// The law of friction for every run: relaxed, coulomb or box.
    #[arg(long, value_name = "LAW", default_value = "relaxed", value_parser = options::law)]
    law: FrictionLaw,

    /// Seconds for each run.
    #[arg(long, value_name = "S", default_value = "10", allow_hyphen_values = true,
          value_parser = options::seconds)]
    time_limit: f64,

    #[command(flatten)]
    options: SolveOptions,

    /// Draw an .svg or .png file: a performance profile over several files, convergence curves for one.
    #[arg(long, value_name = "PICTURE")]
    plot: Option<PathBuf>,

    /// Draw convergence curves (one problem file only) into an .svg or .png file.
    #[arg(long, value_name = "PICTURE")]
    convergence: Option<PathBuf>,

    /// Write every run as a line of CSV.
    #[arg(long, value_name = "CSV")]
    csv: Option<PathBuf>,
}

/// Runs the solvers on the problems.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let options = &arguments.options;
    // Before anything is read: whoever needs threads first would set them up otherwise.
    options.start_threads()?;
    let files = expand(&arguments.files)?;
    check_outputs(arguments, files.len())?;
    let (solvers, skipped) = fitting_solvers(&arguments.solvers, arguments.law)?;
    let problems = files
        .iter()
        .map(|path| Problem::read(path))
        .collect::<Result<Vec<_>, _>>()?;
    listen_for_interrupt();

    let settings = options.settings(Some(arguments.time_limit));
    let mut comparison = Comparison {
        law: arguments.law,
        solvers: solvers.iter().map(|solver| solver.name()).collect(),
        rows: Vec::new(),
        skipped,
    };
    if !options.json {
        output::print(&report::opening(&comparison, &settings))?;
    }
    for problem in &problems {
        let start = comparison.rows.len();
        for solver in &solvers {
            if interrupted() {
                break;
            }
            let visible = !options.json || options.progress;
            run_one(
                problem,
                solver.as_ref(),
                &settings,
                visible,
                &mut comparison,
            )?;
        }
        if !options.json {
            output::print(&report::problem_table(problem, &comparison.rows[start..]))?;
        }
    }
    finish(arguments, &comparison, &problems)?;
    let complete = comparison.rows.len() + comparison.refused() == problems.len() * solvers.len();
    let solved = |row: &Row| row.report.status == Status::Converged;
    Ok(Outcome::of(complete && comparison.rows.iter().all(solved)))
}

fn run_one(
    problem: &Problem,
    solver: &dyn ContactSolver,
    settings: &Settings,
    visible: bool,
    comparison: &mut Comparison,
) -> Result<(), Failure> {
    let posed = &problem.posed.problem;
    // What solvers share is computed here, not at the cost of the first of them.
    posed.diagonal();
    let mut progress = Progress::new(&format!("{}, {}", problem.title(), solver.name()), visible);
    let mut impulses = vec![0.0; posed.dimension()];
    let outcome = solve(
        posed,
        comparison.law,
        solver,
        settings,
        &mut impulses,
        &mut progress,
    );
    progress.finish();
    match outcome {
        Ok(report) => comparison.rows.push(Row {
            problem: problem.name.clone(),
            contacts: posed.contacts(),
            report,
        }),
        Err(SolveError::Problem { method, reason }) => comparison.skipped.push(Skipped {
            solver: method,
            problem: Some(problem.name.clone()),
            reason,
        }),
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

fn finish(
    arguments: &Arguments,
    comparison: &Comparison,
    problems: &[Problem],
) -> Result<(), Failure> {
    let tolerance = arguments.options.tolerance;
    if let Some(path) = &arguments.csv {
        output::write(path, &report::csv(comparison))?;
    }
    for (path, asked_for_curves) in [(&arguments.plot, false), (&arguments.convergence, true)] {
        let Some(path) = path else { continue };
        if asked_for_curves || problems.len() == 1 {
            let reports: Vec<_> = comparison.rows.iter().map(|row| &row.report).collect();
            report::draw_convergence(path, problems[0].title(), &reports, tolerance)?;
        } else {
            report::draw_profile(path, comparison, problems)?;
        }
    }
    let text = if arguments.options.json {
        json::text(&report::to_json(comparison, tolerance))?
    } else {
        report::closing(comparison, problems.len())
    };
    output::print(&text)
}

fn check_outputs(arguments: &Arguments, files: usize) -> Result<(), Failure> {
    for path in [&arguments.plot, &arguments.convergence]
        .into_iter()
        .flatten()
    {
        output::check(path, &["svg", "png"])?;
    }
    if let Some(path) = &arguments.csv {
        output::check(path, &[])?;
    }
    if files > 1 && arguments.convergence.is_some() {
        return Err(Failure::new(format!(
            "--convergence draws the curves of one problem and there are {files}; \
             give one file, or --plot for a performance profile"
        )));
    }
    Ok(())
}

type Solvers = Vec<Box<dyn ContactSolver>>;

/// The solvers asked for that know the law, and a word about those that do not.
fn fitting_solvers(names: &[String], law: FrictionLaw) -> Result<(Solvers, Vec<Skipped>), Failure> {
    let mut asked = Vec::new();
    for name in names {
        asked.push(methods::by_name(name).map_err(Failure::new)?);
    }
    if names.is_empty() {
        asked = methods::all();
    }
    let (fitting, others): (Vec<_>, Vec<_>) = asked
        .into_iter()
        .partition(|solver| solver.laws().contains(&law));
    let skipped: Vec<_> = others
        .iter()
        .map(|solver| Skipped {
            solver: solver.name(),
            problem: None,
            reason: format!("it does not solve the {law} law"),
        })
        .collect();
    if fitting.is_empty() {
        let known: Vec<_> = methods::all()
            .iter()
            .filter(|solver| solver.laws().contains(&law))
            .map(|solver| solver.name())
            .collect();
        return Err(Failure::new(format!(
            "--solvers: none of them solves the {law} law; these do: {}",
            known.join(", ")
        )));
    }
    Ok((fitting, skipped))
}
