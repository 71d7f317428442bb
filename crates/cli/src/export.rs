//! `moreau export`: a trajectory in another form.

use crate::failure::{Failure, Outcome};
use crate::output;
use clap::{Args, ValueEnum};
use moreau_trajectory::Format;
use std::path::PathBuf;

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

    /// The form to write.
    #[arg(long, value_enum, default_value = "csv")]
    format: Form,
}

/// Converts a trajectory.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let format = match arguments.format {
        Form::Vtp => Format::Series,
        Form::Vtkhdf => Format::VtkHdf,
        Form::Csv => Format::Csv,
    };
    let exported = moreau_trajectory::export(&arguments.from, &arguments.to, format)?;
    let to = arguments.to.display();
    output::print(&match format {
        Format::Csv => format!("{} frames, {} rows: {to}\n", exported.frames, exported.rows),
        _ => format!("{} frames: {to}\n", exported.frames),
    })?;
    Ok(Outcome::Converged)
}
