//! `moreau export`: a trajectory in another form.

use crate::failure::{Failure, Outcome};
use crate::output;
use clap::{Args, ValueEnum};
use moreau_trajectory::Format;
use std::path::{Path, PathBuf};

/// The forms of a trajectory.
#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// A folder of .vtp files with a .pvd.
    Vtp,
    /// One .vtkhdf file (needs a build with the feature hdf5).
    Vtkhdf,
    /// One row for each body and frame.
    Csv,
}

/// What `moreau export` is told.
#[derive(Args)]
pub struct Arguments {
    /// The output folder of a run, or its .pvd or .vtkhdf file.
    from: PathBuf,

    /// The file (csv) or folder (vtp, vtkhdf) to write.
    to: PathBuf,

    /// The form to write [default: csv, if the name of the file ends so].
    #[arg(long, value_enum)]
    format: Option<Form>,
}

/// Converts a trajectory.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let format = format_of(arguments.format, &arguments.to)?;
    let exported = moreau_trajectory::export(&arguments.from, &arguments.to, format)?;
    let to = arguments.to.display();
    output::print(&match format {
        Format::Csv => format!("{} frames, {} rows: {to}\n", exported.frames, exported.rows),
        _ => format!("{} frames: {to}\n", exported.frames),
    })?;
    Ok(Outcome::Converged)
}

/// The form that is asked for, or that the name of the file says. A name that says another form than the one that would be
/// written is a mistake.
fn format_of(asked: Option<Form>, to: &Path) -> Result<Format, Failure> {
    let ending = to.extension().and_then(|ending| ending.to_str());
    match (asked, ending) {
        (Some(Form::Csv), Some("pvd" | "vtp" | "vtkhdf"))
        | (Some(Form::Vtp | Form::Vtkhdf), Some("csv" | "pvd" | "vtp" | "vtkhdf")) => {
            Err(Failure::new(format!(
                "{}: expected a file for --format csv, with a name such as motion.csv, or a folder for vtp and vtkhdf",
                to.display()
            )))
        }
        (Some(Form::Vtp), _) => Ok(Format::Series),
        (Some(Form::Vtkhdf), _) => Ok(Format::VtkHdf),
        (Some(Form::Csv), _) | (None, Some("csv")) => Ok(Format::Csv),
        (None, _) => Err(Failure::new(format!(
            "{}: the name does not say in which form to write; expected one that ends in .csv, or --format vtp or vtkhdf and \
             a folder",
            to.display()
        ))),
    }
}
