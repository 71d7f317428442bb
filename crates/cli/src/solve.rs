//! `moreau solve`: one problem, one solver, every error measure.

use crate::failure::{Failure, Outcome};
use crate::input::Problem;
use crate::options::{self, DEFAULT_SOLVER, SolveOptions};
use crate::progress::{Progress, listen_for_interrupt};
use crate::{json, output, table};
use clap::Args;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::report::SolveReport;
use moreau_contact_solvers::residual::Evaluation;
use moreau_contact_solvers::solver::solve;
use moreau_contact_solvers::status::Status;
use moreau_io::Solution;
use moreau_plots::{ConvergencePlot, Series, convergence};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  moreau solve stack.hdf5
  moreau solve stack.hdf5 --law coulomb --tolerance 1e-10 --time-limit 60
  moreau solve stack.hdf5 --solver apgd --history errors.csv --plot errors.png
  moreau solve stack.dat --write-solution solved.hdf5
  moreau solve stack.hdf5 --json | jq .errors.natural

Ctrl-C ends the solve with the best answer so far (status `stopped`).
Exit codes: 0 converged, 2 not converged, 1 bad input, 130 interrupted by Ctrl-C.";

/// What `moreau solve` is told.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The problem: an FCLIB (HDF5) or a Siconos .dat file.
    file: PathBuf,

    /// The method; `moreau solvers` lists them.
    #[arg(long, value_name = "NAME", default_value = DEFAULT_SOLVER, value_parser = options::solver)]
    solver: String,

    /// The law of friction: relaxed (convex; sliding contacts open a little), coulomb, or box
    /// (each tangential direction bounded on its own) [default: the solver's natural law].
    #[arg(long, value_name = "LAW", value_parser = options::law)]
    law: Option<FrictionLaw>,

    /// Stop after so many seconds [default: no limit].
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = options::seconds)]
    time_limit: Option<f64>,

    #[command(flatten)]
    options: SolveOptions,

    /// Write the iteration record as CSV: iteration, products, seconds, error, objective, step.
    #[arg(long, value_name = "CSV")]
    history: Option<PathBuf>,

    /// Draw the error over the iterations into an .svg or .png file.
    #[arg(long, value_name = "PICTURE")]
    plot: Option<PathBuf>,

    /// Write the problem together with the impulses and velocities found as an FCLIB file.
    #[arg(long, value_name = "HDF5")]
    write_solution: Option<PathBuf>,
}

/// Solves the problem of a file.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    check_outputs(arguments)?;
    let options = &arguments.options;
    options.start_threads()?;
    let name = arguments.solver.as_str();
    let solver = methods::by_name(name).map_err(Failure::new)?;
    let law = arguments.law.unwrap_or(solver.laws()[0]);
    let problem = Problem::read(&arguments.file)?;

    listen_for_interrupt();
    let mut progress = Progress::new(name, !options.json || options.progress);
    let mut impulses = vec![0.0; problem.posed.problem.dimension()];
    let settings = options.settings(arguments.time_limit);
    let report = solve(
        &problem.posed.problem,
        law,
        solver.as_ref(),
        &settings,
        &mut impulses,
        &mut progress,
    )?;
    progress.finish();

    if let Some(path) = &arguments.history {
        output::write(path, &output::history_csv(&report))?;
    }
    if let Some(path) = &arguments.plot {
        draw(path, &problem, &report, options.tolerance)?;
    }
    if let Some(path) = &arguments.write_solution {
        write_solution(path, &problem, law, &impulses)?;
    }
    if options.json {
        let contacts = problem.posed.problem.contacts();
        let run = json::Run::new(&problem.name, contacts, options.tolerance, &report);
        output::print(&json::text(&run)?)?;
    } else {
        output::print(&human(&problem, &report, options.tolerance))?;
    }
    Ok(Outcome::of(report.status == Status::Converged))
}

fn check_outputs(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(path) = &arguments.history {
        output::check(path, &[])?;
    }
    if let Some(path) = &arguments.plot {
        output::check(path, &["svg", "png"])?;
    }
    if let Some(path) = &arguments.write_solution {
        if path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("dat"))
        {
            return Err(Failure::new(format!(
                "{}: the .dat format has no place for a solution; give a name ending in .hdf5",
                path.display()
            )));
        }
        output::check(path, &[])?;
    }
    Ok(())
}

fn human(problem: &Problem, report: &SolveReport, tolerance: f64) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}", problem.describe());
    let _ = writeln!(
        text,
        "{} law, solver {}, tolerance {tolerance:e} on {}\n",
        report.law, report.method, report.measure
    );
    let _ = writeln!(
        text,
        "{}: {} {:.2e} after {} iterations, {} products, {} ({} CPU)\n",
        report.status,
        report.measure,
        report.error(),
        report.iterations,
        report.products,
        table::seconds(report.seconds),
        table::seconds(report.cpu_seconds),
    );
    text.push_str(&table::errors(report));
    let _ = writeln!(text, "\nobjective      {:.12e}", report.errors.objective);
    if let Some(block) = report.errors.max.contact {
        let contacts = problem.posed.problem.contacts();
        let (kind, index) = if block < contacts {
            ("contact", block)
        } else {
            ("joint row", block - contacts)
        };
        let _ = writeln!(
            text,
            "worst          {kind} {index}, counted from 0: {:.2e}",
            report.errors.max.error
        );
    }
    for note in &report.notes {
        let _ = writeln!(text, "note           {note}");
    }
    text
}

fn draw(
    path: &Path,
    problem: &Problem,
    report: &SolveReport,
    tolerance: f64,
) -> Result<(), Failure> {
    let records = report.history.records();
    let plot = ConvergencePlot {
        title: format!("{}, {} law", problem.title(), report.law),
        x_label: "iterations".into(),
        y_label: format!("{} error", report.measure),
        series: vec![Series {
            label: report.method.into(),
            points: records.map(|r| (r.iteration as f64, r.error)).collect(),
        }],
        tolerance: Some(tolerance),
        ..Default::default()
    };
    Ok(convergence(path, &plot)?)
}

/// Writes the problem with the answer beside it: contacts in r and u, joints in l, bodies in v.
fn write_solution(
    path: &Path,
    problem: &Problem,
    law: FrictionLaw,
    impulses: &[f64],
) -> Result<(), Failure> {
    let evaluation = Evaluation::new(&problem.posed.problem, law, impulses);
    let components = problem.file.components();
    let mut solved = problem.file.clone();
    solved.solution = Some(Solution {
        impulses: impulses[..components].to_vec(),
        velocities: evaluation.velocity()[..components].to_vec(),
        body_velocities: problem.posed.body_velocity(impulses),
        multipliers: impulses[components..].to_vec(),
    });
    Ok(moreau_io::write_fclib(path, &solved)?)
}
