//! The command line of moreau: arguments become calls of the library, and nothing else.
//!
//! Exit codes: 0 when every solve converged, 2 when one did not, 1 for bad input, 130 after Ctrl-C.

mod bench;
mod bench_report;
mod compare;
mod compare_report;
mod demo;
mod demo_scene;
mod export;
mod failure;
mod input;
mod json;
mod options;
mod output;
mod progress;
mod run;
mod run_files;
mod run_report;
mod scenes;
mod solve;
mod solvers;
mod step_table;
mod study;
mod study_files;
mod table;

use clap::{CommandFactory, Parser, Subcommand};
use failure::{Failure, Outcome};
use std::process::ExitCode;

/// Time steps ask for the same large arrays again and again.
#[global_allocator]
static MEMORY: moreau_memory::KeptPages = moreau_memory::KeptPages::new();

const EXAMPLES: &str = "\
Examples:
  moreau demo                                    grains under a boulder: tables and two pictures
  moreau run                                     a row of dominoes: files for ParaView and a picture
  moreau run scenes/silo.toml --set friction=0.2 a scene of your own
  moreau solvers                                 the methods and what each is good for
  moreau solve stack.hdf5                        solve one problem, print every error measure
  moreau solve stack.hdf5 --solver apgd --law relaxed --tolerance 1e-6 --plot errors.svg
  moreau solve stack.hdf5 --json                 the same for programs
  moreau study                                   experiments of papers, to be run again
  moreau compare problems/ --law relaxed --plot profile.svg
  moreau bench --quick                           what steps and solvers cost on this machine

Problem files are FCLIB (HDF5) or Siconos .dat files; their content decides, not their name.
Exit codes: 0 converged, 2 not converged, 1 bad input, 130 interrupted by Ctrl-C.";

/// Simulate bodies that touch, rub and hang together; solve contact problems; say how good the answer is.
#[derive(Parser)]
#[command(name = "moreau", version, after_help = EXAMPLES, max_term_width = 100)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scene in time: frames for ParaView, tables, checkpoints, a picture.
    Run(Box<run::Arguments>),
    /// Go on with a run that was interrupted, bit for bit.
    Resume(Box<run::ResumeArguments>),
    /// Validate a scene file without running it.
    Check(scenes::CheckArguments),
    /// Print the JSON Schema of scene files, for editors.
    Schema,
    /// Convert the trajectory of a run.
    Export(export::Arguments),
    /// Solve one problem file and print every error measure of the answer.
    Solve(Box<solve::Arguments>),
    /// Run several solvers on one or more problem files, side by side.
    Compare(Box<compare::Arguments>),
    /// List the solvers, the laws they know and what each is good for.
    Solvers(solvers::Arguments),
    /// Measure what steps and solvers cost on standard scenes, and compare with an earlier run.
    Bench(Box<bench::Arguments>),
    /// Run an experiment of a paper again, with the published figures beside ours; without a name, list them.
    Study(study::Arguments),
    /// Build a box of grains under a boulder, solve it, and draw the forces.
    Demo(demo::Arguments),
}

fn main() -> ExitCode {
    let outcome = match CommandLine::try_parse() {
        Ok(line) => dispatch(line),
        Err(error) => {
            // Help and version are no mistakes; everything else is bad input.
            let _ = error.print();
            return ExitCode::from(u8::from(error.use_stderr()));
        }
    };
    let code = match outcome {
        Ok(Outcome::Converged) => ExitCode::SUCCESS,
        Ok(Outcome::NotConverged) => ExitCode::from(2),
        Err(failure) => {
            // Errors of scene files come with a heading each.
            let text = failure.to_string();
            let heading = if text.starts_with("error") {
                ""
            } else {
                "error: "
            };
            output::say(&format!("{heading}{text}"));
            ExitCode::FAILURE
        }
    };
    // Whatever was reached by then, nobody is to take it for the whole.
    if progress::interrupted() {
        return ExitCode::from(progress::INTERRUPTED_CODE);
    }
    code
}

fn dispatch(line: CommandLine) -> Result<Outcome, Failure> {
    match line.command {
        Some(Command::Run(arguments)) => run::run(&arguments),
        Some(Command::Resume(arguments)) => run::resume(&arguments),
        Some(Command::Check(arguments)) => scenes::check(&arguments),
        Some(Command::Schema) => scenes::schema(),
        Some(Command::Export(arguments)) => export::run(&arguments),
        Some(Command::Solve(arguments)) => solve::run(&arguments),
        Some(Command::Compare(arguments)) => compare::run(&arguments),
        Some(Command::Solvers(arguments)) => solvers::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Study(arguments)) => study::run(&arguments),
        Some(Command::Demo(arguments)) => demo::run(&arguments),
        None => {
            let help = CommandLine::command().render_long_help();
            output::print(&format!(
                "{help}\nNew here? `moreau demo` shows in a few seconds what this is about.\n"
            ))?;
            Ok(Outcome::Converged)
        }
    }
}
