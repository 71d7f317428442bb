//! `moreau run` and `moreau resume`: a scene in time.

use crate::failure::{Failure, Outcome};
use crate::options;
use crate::output;
use crate::progress::{interrupted, listen_for_interrupt};
use crate::run_files::{RunFiles, check_format};
use crate::run_report::{Bar, Summary};
use crate::scenes;
use clap::{Args, ValueEnum};
use moreau_contact_solvers::law::FrictionLaw;
use moreau_dynamics::simulation::StepError;
use moreau_io::Info;
use moreau_scene::model::TrajectoryFormat;
use moreau_scene::{Run, RunError};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  moreau run                                     a row of dominoes
  moreau run scenes/silo.toml --output silo      files for ParaView in silo/
  moreau run scenes/heap.toml --set friction=0.8 --duration 2
  moreau run scenes/heap.toml --solver apgd --law relaxed
  moreau run scenes/wrecking_ball.toml --dump-problem 120
  moreau resume silo                             go on after Ctrl-C

In the output folder: trajectory.pvd or trajectory.vtkhdf (open it in ParaView, also while the run goes on), picture.png, \
steps.csv (how good each step was), one CSV file for each sensor, and checkpoints.
Ctrl-C finishes the step, writes a checkpoint and says how to go on.
Exit codes: 0 every step converged, 2 some did not (or one, and on_failure = \"stop\" ended the run), 130 interrupted by Ctrl-C, \
1 bad input.";

const RESUME_HELP: &str = "\
The summary and the exit code are of the whole run, whose steps before are read from steps.csv; only the times of the stages \
are of this part.
Exit codes: as of `moreau run`.";

/// What `moreau run` is told.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The scene file; without one, a small built-in scene.
    scene: Option<PathBuf>,

    /// Change a parameter of the scene; may be given several times.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    changes: Vec<String>,

    /// Seconds to simulate, instead of the scene's.
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = options::seconds)]
    duration: Option<f64>,

    /// Solver, instead of the scene's; `moreau solvers` lists them.
    #[arg(long, value_name = "NAME", value_parser = options::solver)]
    solver: Option<String>,

    /// Law of friction, instead of the scene's: relaxed, coulomb or box.
    #[arg(long, value_name = "LAW", value_parser = options::law)]
    law: Option<FrictionLaw>,

    /// Error at which a step counts as solved, instead of the scene's.
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = options::tolerance)]
    tolerance: Option<f64>,

    /// The files that show the motion, instead of the scene's.
    #[arg(long, value_enum)]
    format: Option<Form>,

    /// Folder for the results [default: the scene's, or `results/` and the name of the scene].
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,

    /// Write the contact problem of this step, counted from 1, as an FCLIB file into the output folder.
    #[arg(long, value_name = "STEP", value_parser = clap::value_parser!(u64).range(1..))]
    dump_problem: Option<u64>,

    #[command(flatten)]
    common: Common,
}

/// The files that show the motion.
#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// A series of .vtp files with a .pvd.
    Vtp,
    /// One growing .vtkhdf file (needs a build with the feature hdf5).
    Vtkhdf,
}

/// What `moreau resume` is told.
#[derive(Args)]
#[command(after_help = RESUME_HELP)]
pub struct ResumeArguments {
    /// The output folder of a run.
    directory: PathBuf,

    /// Seconds to simulate in all, instead of the scene's.
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = options::seconds)]
    duration: Option<f64>,

    #[command(flatten)]
    common: Common,
}

/// What both are told.
#[derive(Args)]
struct Common {
    /// Threads to use; the result is the same for any number [default: one per core].
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = options::threads)]
    threads: Option<usize>,

    /// Print the summary as JSON for programs.
    #[arg(long)]
    json: bool,
}

/// Runs a scene from its beginning.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    options::start_threads(arguments.common.threads)?;
    let scene = scenes::read(arguments.scene.as_deref(), &arguments.changes)?;
    let mut run = scene.build()?;
    if let Some(duration) = arguments.duration {
        run.duration = duration;
    }
    if let Some(form) = arguments.format {
        run.output.format = match form {
            Form::Vtp => TrajectoryFormat::Vtp,
            Form::Vtkhdf => TrajectoryFormat::Vtkhdf,
        };
    }
    let solver = &mut run.simulation.settings_mut().solver;
    if let Some(name) = &arguments.solver {
        solver.name.clone_from(name);
    }
    if let Some(law) = arguments.law {
        solver.law = law;
    }
    if let Some(tolerance) = arguments.tolerance {
        solver.tolerance = tolerance;
    }
    run.simulation.settings().validate().map_err(Failure::new)?;
    run.check_solver().map_err(Failure::new)?;
    run.check_length().map_err(Failure::new)?;
    if let Some(step) = arguments.dump_problem {
        run.check_problem_files()
            .map_err(|reason| Failure::new(format!("--dump-problem {step}: {reason}")))?;
    }
    check_format(&run)?;
    let directory = directory(arguments, &run);
    for warning in &run.warnings {
        output::say(warning);
    }
    if !arguments.common.json {
        output::print(&scenes::describe(&run))?;
    }
    let files = RunFiles::create(&directory, &run)?;
    let summary = Summary::default();
    let json = arguments.common.json;
    go_on(run, files, summary, arguments.dump_problem, json)
}

/// Goes on with a run that was interrupted.
pub fn resume(arguments: &ResumeArguments) -> Result<Outcome, Failure> {
    options::start_threads(arguments.common.threads)?;
    let (mut run, warnings) = RunFiles::last_checkpoint(&arguments.directory)?;
    for warning in warnings {
        output::say(&format!("warning: {warning}"));
    }
    if let Some(duration) = arguments.duration {
        run.duration = duration;
    }
    run.check_length().map_err(Failure::new)?;
    if !arguments.common.json {
        output::print(&scenes::describe(&run))?;
        output::print(&format!("Going on at {:.6} s.\n", run.simulation.time()))?;
    }
    if run.is_finished() {
        output::say(&format!(
            "warning: the run is at its end, {} s; a longer --duration lets it go on",
            run.duration
        ));
    }
    let mut files = RunFiles::resume(&arguments.directory, &run)?;
    let summary = Summary::of_resumed(&mut files, run.simulation.time())?;
    if summary.steps_before() != run.simulation.steps() {
        output::say(&format!(
            "warning: steps.csv has {} of the {} steps before; the summary counts those",
            summary.steps_before(),
            run.simulation.steps()
        ));
    }
    go_on(run, files, summary, None, arguments.common.json)
}

fn directory(arguments: &Arguments, run: &Run) -> PathBuf {
    if let Some(directory) = &arguments.output {
        return directory.clone();
    }
    if let Some(directory) = &run.output.directory {
        return PathBuf::from(directory);
    }
    let name = arguments.scene.as_deref().and_then(Path::file_stem);
    Path::new("results").join(name.unwrap_or("built-in".as_ref()))
}

fn go_on(
    mut run: Run,
    mut files: RunFiles,
    mut summary: Summary,
    dump: Option<u64>,
    json: bool,
) -> Result<Outcome, Failure> {
    listen_for_interrupt();
    let mut bar = Bar::new(&run, !json);
    while !run.is_finished() && !interrupted() {
        let report = match run.step() {
            Ok(report) => report,
            Err(RunError::Step(ref error @ StepError::NotConverged { ref report, .. })) => {
                summary.add(report);
                files.refused_step(report)?;
                summary.stopped = Some(error.to_string());
                break;
            }
            Err(error) => {
                bar.finish();
                // What was computed so far is worth keeping.
                files.checkpoint(&run)?;
                return Err(error.into());
            }
        };
        summary.add(&report);
        bar.show(&run, &report, &summary);
        files.after_step(&run, &report)?;
        if dump == Some(report.step) {
            dump_problem(&run, files.directory(), report.step)?;
        }
    }
    bar.finish();
    files.checkpoint(&run)?;
    let picture = files.finish(&run)?;
    if let Some(reason) = &summary.stopped {
        output::say(&format!("error: {reason}"));
    }
    if let Some(step) = dump.filter(|step| *step > run.simulation.steps()) {
        output::say(&format!(
            "warning: the run ended before step {step}, whose problem was to be written"
        ));
    }
    if json {
        output::print(&summary.json(&run, files.directory())?)?;
    } else {
        output::print(&summary.text(&run, &files, &picture))?;
        if !run.is_finished() {
            let directory = files.directory().display();
            let how = match summary.stopped {
                Some(_) => "Stopped",
                None => "Interrupted",
            };
            output::print(&format!(
                "{how} at {:.6} s. Go on with: moreau resume {directory}\n",
                run.simulation.time()
            ))?;
        }
    }
    Ok(Outcome::of(summary.not_converged == 0))
}

/// Writes the contact problem of the last step.
fn dump_problem(run: &Run, directory: &Path, step: u64) -> Result<(), Failure> {
    let Some(problem) = run.simulation.last_problem() else {
        return Ok(());
    };
    let path = directory.join(format!("problem-step-{step}.hdf5"));
    let time = run.simulation.time();
    let info = Info {
        title: match run.title.as_str() {
            "" => format!("step {step}"),
            title => format!("{title}, step {step}"),
        },
        description: match run.simulation.last_unit_of_length() {
            1.0 => format!("time {time} s"),
            length => format!(
                "time {time} s; lengths beside angles are in units of l = {length} m: l omega stands for an angular \
                 velocity, M/l for a moment, mu_r/l for mu_r"
            ),
        },
        math_info: String::new(),
    };
    match moreau_io::problem_file(problem, &run.simulation.last_impulses(), info) {
        Ok(file) => Ok(moreau_io::write_fclib(&path, &file)?),
        // The run is worth more than a file of one step.
        Err(reason) => {
            output::say(&format!(
                "warning: {} is not written: {reason}",
                path.display()
            ));
            Ok(())
        }
    }
}
