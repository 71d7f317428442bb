//! Options that `solve` and `compare` share, and how their values are read.

use crate::failure::Failure;
use clap::Args;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::residual::Measure;
use moreau_contact_solvers::settings::Settings;
use moreau_scene::nearest_word;

/// More threads than this are taken for a mistake.
const MOST_THREADS: usize = 1024;

/// What every solve is told, whatever the command.
#[derive(Args, Debug)]
pub struct SolveOptions {
    /// Stop when the measure is at or below this.
    #[arg(long, value_name = "T", default_value = "1e-8", allow_hyphen_values = true, value_parser = tolerance)]
    pub tolerance: f64,

    /// Stop after so many iterations [default: what the solver finds sensible].
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = iterations)]
    pub max_iterations: Option<usize>,

    /// Measure the error in every N-th iteration only. Iterations are cheaper then; the answer may come up to N − 1 of them late.
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true, value_parser = iterations)]
    pub check_every: usize,

    /// The error measure to stop on: natural, energy, mazhar, tasora, silcowitz, koziara, de, gap
    /// (relaxed law only) or max. Every measure is printed in any case.
    #[arg(long, value_name = "NAME", default_value = "natural", value_parser = measure)]
    pub measure: Measure,

    /// Threads to use; the answer is the same for any number [default: one per core].
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = threads)]
    pub threads: Option<usize>,

    /// Print JSON for programs instead of tables.
    #[arg(long)]
    pub json: bool,

    /// Show progress on stderr even with --json.
    #[arg(long)]
    pub progress: bool,
}

impl SolveOptions {
    /// The settings of the library.
    pub fn settings(&self, time_limit: Option<f64>) -> Settings {
        Settings {
            tolerance: self.tolerance,
            max_iterations: self.max_iterations,
            time_limit,
            measure: self.measure,
            check_interval: self.check_every,
            ..Settings::default()
        }
    }

    /// Sets up the threads of the process.
    pub fn start_threads(&self) -> Result<(), Failure> {
        start_threads(self.threads)
    }
}

/// Sets up the threads of the process; `None` for one per core.
///
/// The calling thread is one of them. Otherwise every parallel loop that it begins would be handed to another thread, for which it
/// waits: several times in a step, and on a busy machine each time until the system lets both go on.
pub fn start_threads(count: Option<usize>) -> Result<(), Failure> {
    let one_per_core = 0;
    rayon::ThreadPoolBuilder::new()
        .num_threads(count.unwrap_or(one_per_core))
        .use_current_thread()
        .build_global()
        .map_err(|error| Failure::new(format!("the threads: {error}")))
}

/// The solver that is used when none is named.
pub const DEFAULT_SOLVER: &str = "auto";

/// Reads the name of a solver.
pub fn solver(text: &str) -> Result<String, String> {
    methods::by_name(text)
        .map(|method| method.name().to_string())
        .map_err(|error| error + &suggestion(text, methods::all().iter().map(|m| m.name())))
}

/// Reads the name of a law.
pub fn law(text: &str) -> Result<FrictionLaw, String> {
    let names = FrictionLaw::ALL.map(FrictionLaw::name);
    text.parse()
        .map_err(|error: String| error + &suggestion(text, names))
}

/// Reads the name of an error measure.
pub fn measure(text: &str) -> Result<Measure, String> {
    let names = Measure::ALL.map(Measure::name);
    text.parse()
        .map_err(|error: String| error + &suggestion(text, names))
}

pub fn tolerance(text: &str) -> Result<f64, String> {
    finite_from_zero(
        text,
        "it must be a finite number, zero or more, such as 1e-8",
    )
}

/// Reads a time limit in seconds.
pub fn seconds(text: &str) -> Result<f64, String> {
    finite_from_zero(text, "it must be a finite number of seconds, zero or more")
}

fn finite_from_zero(text: &str, right: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|value: &f64| value.is_finite() && *value >= 0.0)
        .ok_or_else(|| right.to_string())
}

fn iterations(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|count: &usize| *count > 0)
        .ok_or_else(|| "it must be a whole number, one or more".to_string())
}

pub fn threads(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|count| (1..=MOST_THREADS).contains(count))
        .ok_or_else(|| format!("it must be a whole number from 1 to {MOST_THREADS}"))
}

/// ". Did you mean 'x'?", or nothing.
pub fn suggestion<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest_word(word, candidates)
        .map(|found| format!(". Did you mean '{found}'?"))
        .unwrap_or_default()
}
