//! Files and text that leave the program: whole or not at all.

use crate::failure::Failure;
use moreau_contact_solvers::report::SolveReport;
use std::fmt::Write as _;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

/// Prints to standard output. A reader that has gone away is no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("cannot write the output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a line of progress, a warning or an error to stderr. Nobody may be listening; that is no reason to stop.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Finds out before a long solve whether a file can be written afterwards, and whether its
/// extension is one of `extensions`; any will do when there are none.
pub fn check(path: &Path, extensions: &[&str]) -> Result<(), Failure> {
    let name = path.display();
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    if !extensions.is_empty() && !extensions.contains(&extension.to_lowercase().as_str()) {
        let allowed: Vec<_> = extensions.iter().map(|e| format!(".{e}")).collect();
        return Err(Failure::new(format!(
            "{name}: the extension must be {}",
            allowed.join(" or ")
        )));
    }
    if path.is_dir() {
        return Err(Failure::new(format!(
            "{name}: this is a folder; expected the name of a file to write"
        )));
    }
    moreau_files::check_writable(path).map_err(|error| refused(path, &error))
}

/// Writes a file in one step: a reader sees the old file or the new one, never a part.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    moreau_files::write(path, text.as_bytes()).map_err(|error| refused(path, &error))
}

fn refused(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!(
        "{}: cannot write there: {error}; expected a file in a folder that exists and may be written",
        path.display()
    ))
}

/// The iteration record as comma-separated values.
pub fn history_csv(report: &SolveReport) -> String {
    let mut text = String::from("iteration,products,seconds,error,objective,step\n");
    for r in report.history.records() {
        let _ = writeln!(
            text,
            "{},{},{:e},{:e},{:e},{:e}",
            r.iteration, r.products, r.seconds, r.error, r.objective, r.step
        );
    }
    text
}
