//! `moreau study`: experiments of papers, run again.

use crate::failure::{Failure, Outcome};
use crate::options::suggestion;
use crate::progress::{self, interrupted, listen_for_interrupt};
use crate::study_files::{self, Finished};
use crate::{json, options, output, table};
use clap::Args;
use comfy_table::ContentArrangement;
use indicatif::ProgressBar;
use moreau_studies::{ALL, Context, Progress, Scale, Study, Table, by_name, report};
use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  moreau study                                   the list
  moreau study rolling-ball
  moreau study pressure --scale paper --output pressure
  moreau study all --scale small

In the output folder: NAME.md with all numbers, README.md with all studies run there, images/, data/ (CSV) and scenes/.
Exit codes: 0 every claim holds, 2 one does not, 1 bad input, 130 interrupted by Ctrl-C.";

/// The word for every study.
const EVERY: &str = "all";
/// Between two plain lines where there is no terminal.
const ELSEWHERE: Duration = Duration::from_secs(10);
/// Between two updates on a terminal.
const ON_TERMINAL: Duration = Duration::from_millis(100);

/// What `moreau study` is told.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The study; `all` for every one. Without it, the list.
    #[arg(value_parser = name)]
    name: Option<String>,

    /// How large: small (two minutes), paper (the published size), tiny (seconds, for tests).
    #[arg(long, value_name = "SCALE", default_value = "small", value_parser = scale)]
    scale: Scale,

    /// A solver: for time steps instead of the study's, in comparisons of solvers beside the paper's.
    #[arg(long, value_name = "NAME", value_parser = options::solver)]
    solver: Option<String>,

    /// Folder for the results.
    #[arg(long, value_name = "DIR", default_value = "results/studies")]
    output: PathBuf,

    /// Threads to use [default: one per core].
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = options::threads)]
    threads: Option<usize>,

    /// Print JSON for programs instead of tables.
    #[arg(long)]
    json: bool,
}

/// Reads the name of a study.
fn name(text: &str) -> Result<String, String> {
    let names = || ALL.iter().map(|study| study.name).chain([EVERY]);
    if names().any(|name| name == text) {
        return Ok(text.to_string());
    }
    let known: Vec<_> = names().collect();
    Err(format!(
        "there is no study '{text}'; the studies are {}{}",
        known.join(", "),
        suggestion(text, names())
    ))
}

/// Reads a scale.
fn scale(text: &str) -> Result<Scale, String> {
    let unknown = |message: String| message + &suggestion(text, Scale::ALL.map(Scale::name));
    text.parse().map_err(unknown)
}

/// Lists the studies, or runs one or all.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let studies = match arguments.name.as_deref() {
        None => return list(arguments.json),
        Some(EVERY) => ALL.to_vec(),
        Some(name) => by_name(name).into_iter().collect(),
    };
    options::start_threads(arguments.threads)?;
    study_files::prepare(&arguments.output)?;
    listen_for_interrupt();
    let mut finished = Vec::new();
    for study in studies {
        let done = run_one(study, arguments)?;
        study_files::write(&arguments.output, &done)?;
        if !arguments.json {
            output::print(&human(&done, &arguments.output))?;
        }
        finished.push(done);
    }
    study_files::write_index(&arguments.output)?;
    if arguments.json {
        let values: Vec<_> = finished.iter().map(study_files::json).collect();
        output::print(&json::text(&values)?)?;
    }
    let held = |done: &Finished| done.outcome.verdicts.iter().all(|verdict| verdict.holds);
    Ok(Outcome::of(finished.iter().all(held)))
}

fn run_one(study: &'static Study, arguments: &Arguments) -> Result<Finished, Failure> {
    let mut bar = Bar::new(study.name, !arguments.json);
    let began = Instant::now();
    let mut context = Context::new(arguments.scale, arguments.solver.clone(), &mut bar);
    let outcome = (study.run)(&mut context);
    bar.finish();
    Ok(Finished {
        study,
        scale: arguments.scale,
        outcome: outcome?,
        seconds: began.elapsed().as_secs_f64(),
    })
}

/// Columns of the list of studies.
const LIST_WIDTH: u16 = 110;

fn list(as_json: bool) -> Result<Outcome, Failure> {
    if as_json {
        let values: Vec<_> = ALL
            .iter()
            .map(|study| study_files::json_entry(study))
            .collect();
        output::print(&json::text(&values)?)?;
        return Ok(Outcome::Converged);
    }
    let mut list = table::table(&["study", "from", "what it shows"], &[0, 1, 2]);
    // Long lines are broken within their columns: a terminal would break them across the table.
    list.set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(LIST_WIDTH);
    for study in ALL {
        list.add_row([study.name, study.source, study.shows]);
    }
    output::print(&format!(
        "{}\nRun one: moreau study {}\n",
        table::text(&list),
        ALL[0].name
    ))?;
    Ok(Outcome::Converged)
}

fn human(done: &Finished, directory: &Path) -> String {
    let Finished { study, outcome, .. } = done;
    let mut text = format!("{} ({})\n{}\n", study.title, study.source, outcome.summary);
    let comparisons = outcome.comparisons.iter().map(report::comparison_table);
    for numbers in comparisons.chain(outcome.tables.iter().cloned()) {
        let _ = write!(text, "\n{}\n{}", numbers.title, columns(&numbers));
    }
    text.push('\n');
    for verdict in &outcome.verdicts {
        let holds = if verdict.holds {
            "holds       "
        } else {
            "does NOT hold"
        };
        let _ = writeln!(text, "{holds}  {}: {}", verdict.claim, verdict.figure);
    }
    let _ = writeln!(
        text,
        "{} at scale {}. The page: {}\n",
        table::seconds(done.seconds),
        done.scale,
        directory.join(format!("{}.md", study.name)).display()
    );
    text
}

fn columns(numbers: &Table) -> String {
    let heads: Vec<_> = numbers.heads.iter().map(String::as_str).collect();
    let left: Vec<_> = (0..heads.len())
        .filter(|column| !report::is_numeric(numbers, *column))
        .collect();
    let mut list = table::table(&heads, &left);
    for row in &numbers.rows {
        list.add_row(row.iter().map(report::entry).collect::<Vec<_>>());
    }
    table::text(&list)
}

/// Progress on stderr.
struct Bar {
    bar: Option<ProgressBar>,
    visible: bool,
    name: &'static str,
    shown: Instant,
}

impl Bar {
    fn new(name: &'static str, visible: bool) -> Self {
        Self {
            bar: progress::bar(visible),
            visible,
            name,
            shown: Instant::now(),
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Bar {
    fn show(&mut self, share: f64, what: &str) -> ControlFlow<()> {
        if interrupted() {
            return ControlFlow::Break(());
        }
        let pause = if self.bar.is_some() {
            ON_TERMINAL
        } else {
            ELSEWHERE
        };
        if self.visible && self.shown.elapsed() >= pause {
            self.shown = Instant::now();
            match &self.bar {
                Some(bar) => {
                    bar.set_position((1000.0 * share.clamp(0.0, 1.0)) as u64);
                    bar.set_message(what.to_string());
                }
                None => {
                    let line = format!("{}: {:.0} %, {what}", self.name, 100.0 * share);
                    output::say(&line);
                }
            }
        }
        ControlFlow::Continue(())
    }
}
