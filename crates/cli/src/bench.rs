//! `moreau bench`: what steps and solvers cost on standard scenes.

use crate::bench_report as report;
use crate::failure::{Failure, Outcome};
use crate::options;
use crate::options::suggestion;
use crate::progress::{Progress, interrupted, listen_for_interrupt};
use crate::{json, output};
use clap::Args;
use moreau_bench::compare::{comparable, compare};
use moreau_bench::report::Report;
use moreau_bench::scenes::Scene;
use moreau_bench::{DEFAULT_SOLVERS, Plan, Watch};
use moreau_contact_solvers::observer::{IterationRecord, Observer};
use moreau_contact_solvers::residual::Measure;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const EXAMPLES: &str = "\
Examples:
  moreau bench --quick                               every scene, small
  moreau bench --scenes pressure,bed_1e4 --save before.json
  moreau bench --scenes pressure,bed_1e4 --compare before.json
  moreau bench --scenes bed_1e5 --solvers auto,nncg --errors 1e-3,1e-6 --plot errors.svg

The scenes: pressure, bed_1e4, bed_1e5, bed_1e6, drum (of ellipsoids), box_pile, brick_wall, mixer. All of them at \
full size take long, and the largest bed 2 GB. Each runs in a process of its own, so that its memory can be counted.

Solvers start from zero on the contact problem of the last step under the relaxed law, and their CPU time stands \
beside that of APGD as published (`apgd`), which is always run. Steps are those of a simulation at default settings, \
but with 30 iterations at most.

Exit codes: 0; with --compare 2 when something became slower; 1 bad input; 130 interrupted by Ctrl-C.";

/// Seconds for each solver when the command line names none, at full size and with --quick.
const TIME_LIMITS: [f64; 2] = [10.0, 1.0];
/// Share of the bodies with --quick.
const QUICK_SCALE: f64 = 0.01;
/// Iterations of the solver in a step.
const STEP_ITERATIONS: usize = 30;
/// Steps are begun for so long.
const STEP_SECONDS: f64 = 60.0;

/// What `moreau bench` is told.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The scenes, separated by commas [default: all].
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = scene)]
    scenes: Vec<Scene>,

    /// The solvers, separated by commas [default: eight of them].
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = options::solver)]
    solvers: Vec<String>,

    /// The errors to reach, separated by commas.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1e-2,1e-4,1e-6,1e-8",
          allow_hyphen_values = true, value_parser = error)]
    errors: Vec<f64>,

    /// The error measure: natural, energy, mazhar, tasora, silcowitz, koziara, de, gap or max.
    #[arg(long, value_name = "NAME", default_value = "energy", value_parser = options::measure)]
    measure: Measure,

    /// CPU seconds for each solver on each scene [default: 10, with --quick 1].
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = options::seconds)]
    time_limit: Option<f64>,

    /// Time steps to measure, after one to warm up.
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u16).range(1..))]
    steps: u16,

    /// Take a hundredth of the bodies.
    #[arg(long)]
    quick: bool,

    /// Threads to use. One is the default here: figures are then per core.
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true, value_parser = options::threads)]
    threads: usize,

    /// Print JSON for programs instead of tables.
    #[arg(long)]
    json: bool,

    /// Show progress on stderr even with --json.
    #[arg(long)]
    progress: bool,

    /// Write the figures as JSON, to compare a later run with.
    #[arg(long, value_name = "JSON")]
    save: Option<PathBuf>,

    /// Draw an .svg or .png file: errors over CPU time for one scene, a performance profile for several.
    #[arg(long, value_name = "PICTURE")]
    plot: Option<PathBuf>,

    /// Say what became slower since a run that was saved.
    #[arg(long, value_name = "JSON")]
    compare: Option<PathBuf>,

    /// A figure has changed when it is more than so many times the other.
    #[arg(long, value_name = "X", default_value = "1.25", allow_hyphen_values = true, value_parser = threshold)]
    threshold: f64,

    /// Which of how many scenes this process measures; given by the process that started it.
    #[arg(long, hide = true, value_name = "K of N")]
    part: Option<String>,
}

/// Measures the scenes.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    if let Some(part) = &arguments.part {
        return run_part(arguments, part);
    }
    if let Some(path) = &arguments.plot {
        output::check(path, &["svg", "png"])?;
    }
    if let Some(path) = &arguments.save {
        output::check(path, &[])?;
    }
    let mut whole = empty_report(arguments);
    let earlier = match &arguments.compare {
        Some(path) => {
            let earlier = read(path)?;
            let refused = |reason| Failure::new(format!("{}: {reason}", path.display()));
            comparable(&earlier, &whole).map_err(refused)?;
            Some(earlier)
        }
        None => None,
    };
    listen_for_interrupt();
    let scenes = if arguments.scenes.is_empty() {
        Scene::ALL.to_vec()
    } else {
        arguments.scenes.clone()
    };
    for (index, scene) in scenes.iter().enumerate() {
        if interrupted() {
            break;
        }
        let part = format!("{} of {}", index + 1, scenes.len());
        let found = in_a_process(arguments, *scene, &part)?;
        if !arguments.json {
            for figures in &found.scenes {
                output::print(&report::scene_text(figures, &plan(arguments).errors))?;
            }
        }
        whole.scenes.extend(found.scenes);
    }
    finish(arguments, &whole, earlier.as_ref())
}

/// Writes, draws, compares and prints what was asked for.
fn finish(
    arguments: &Arguments,
    whole: &Report,
    earlier: Option<&Report>,
) -> Result<Outcome, Failure> {
    if let Some(path) = &arguments.save {
        output::write(path, &json::text(whole)?)?;
    }
    if let Some(path) = &arguments.plot {
        report::draw(path, whole)?;
    }
    let comparison = match (earlier, &arguments.compare) {
        (Some(earlier), Some(path)) => Some(
            compare(earlier, whole, arguments.threshold)
                .map_err(|reason| Failure::new(format!("{}: {reason}", path.display())))?,
        ),
        _ => None,
    };
    let slower = comparison
        .as_ref()
        .is_some_and(|c| !(c.slower.is_empty() && c.lost.is_empty()));
    if arguments.json {
        output::print(&report::json_text(whole, comparison.as_ref())?)?;
    } else {
        output::print(&report::growth_text(whole))?;
        if let Some(comparison) = &comparison {
            output::print(&report::comparison_text(comparison, arguments.threshold))?;
        }
    }
    Ok(Outcome::of(!slower))
}

fn plan(arguments: &Arguments) -> Plan {
    let mut errors = arguments.errors.clone();
    errors.sort_by(|a, b| b.total_cmp(a));
    errors.dedup();
    let named = !arguments.solvers.is_empty();
    Plan {
        solvers: if named {
            arguments.solvers.clone()
        } else {
            DEFAULT_SOLVERS.map(String::from).to_vec()
        },
        solvers_named: named,
        errors,
        measure: arguments.measure,
        time_limit: arguments
            .time_limit
            .unwrap_or(TIME_LIMITS[usize::from(arguments.quick)]),
        steps: usize::from(arguments.steps),
        step_iterations: STEP_ITERATIONS,
        step_time_limit: STEP_SECONDS,
        scale: if arguments.quick { QUICK_SCALE } else { 1.0 },
    }
}

fn empty_report(arguments: &Arguments) -> Report {
    let plan = plan(arguments);
    Report {
        threads: arguments.threads,
        measure: plan.measure.name().to_string(),
        scale: plan.scale,
        scenes: Vec::new(),
    }
}

/// Has one scene measured by a process of its own.
fn in_a_process(arguments: &Arguments, scene: Scene, part: &str) -> Result<Report, Failure> {
    let failed = |reason: String| Failure::new(format!("measuring {}: {reason}", scene.name()));
    let program = std::env::current_exe()
        .map_err(|error| failed(format!("this program cannot find itself: {error}")))?;
    let plan = plan(arguments);
    let list = |errors: &[f64]| {
        let words: Vec<_> = errors.iter().map(|e| format!("{e:e}")).collect();
        words.join(",")
    };
    let mut command = Command::new(program);
    command
        .args(["bench", "--part", part, "--scenes", scene.name(), "--json"])
        .args(["--errors", &list(&plan.errors)])
        .args(["--measure", plan.measure.name()])
        .args(["--time-limit", &plan.time_limit.to_string()])
        .args(["--steps", &plan.steps.to_string()])
        .args(["--threads", &arguments.threads.to_string()]);
    if plan.solvers_named {
        command.args(["--solvers", &plan.solvers.join(",")]);
    }
    if arguments.quick {
        command.arg("--quick");
    }
    if !arguments.json || arguments.progress {
        command.arg("--progress");
    }
    let finished = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| failed(format!("the process cannot be started: {error}")))?;
    if !finished.status.success() {
        return Err(failed(format!(
            "the process ended with {}",
            finished.status
        )));
    }
    serde_json::from_slice(&finished.stdout)
        .map_err(|error| failed(format!("the process gave no figures: {error}")))
}

/// Measures one scene in this process and prints the figures for the process that started it.
fn run_part(arguments: &Arguments, part: &str) -> Result<Outcome, Failure> {
    options::start_threads(Some(arguments.threads))?;
    listen_for_interrupt();
    let mut whole = empty_report(arguments);
    for scene in &arguments.scenes {
        let label = format!("[{part}] {}", scene.name());
        let mut progress = Shown {
            progress: Progress::new(&label, arguments.progress),
            label,
        };
        let figures = moreau_bench::measure(*scene, &plan(arguments), &mut progress)
            .map_err(|error| Failure::new(format!("{}: {error}", scene.name())))?;
        progress.progress.finish();
        whole.scenes.push(figures);
    }
    output::print(&json::text(&whole)?)?;
    Ok(Outcome::Converged)
}

struct Shown {
    progress: Progress,
    label: String,
}

impl Watch for Shown {
    fn begin(&mut self, what: &str) {
        self.progress.begin(&format!("{}, {what}", self.label));
    }

    fn iteration(&mut self, record: &IterationRecord) -> ControlFlow<()> {
        self.progress.iteration(record)
    }

    fn stopped(&self) -> bool {
        interrupted()
    }
}

/// Reads a run that was saved.
fn read(path: &Path) -> Result<Report, Failure> {
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::new(format!("{name}: cannot be read: {error}")))?;
    serde_json::from_str(&text).map_err(|error| {
        Failure::new(format!(
            "{name}: {error}; expected a file that `moreau bench --save` wrote"
        ))
    })
}

fn scene(text: &str) -> Result<Scene, String> {
    let names = Scene::ALL.map(Scene::name);
    Scene::by_name(text).map_err(|error| error + &suggestion(text, names))
}

fn error(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|value: &f64| value.is_finite() && *value > 0.0)
        .ok_or_else(|| "it must be a positive number, such as 1e-4".to_string())
}

fn threshold(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|value: &f64| value.is_finite() && *value > 1.0)
        .ok_or_else(|| "it must be a number above 1, such as 1.25".to_string())
}
