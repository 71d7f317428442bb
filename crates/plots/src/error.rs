//! What can go wrong when a picture is made.

use std::io;
use std::path::PathBuf;

/// Why a picture was not written.
///
/// ```
/// use moreau_plots::{ConvergencePlot, PlotError, convergence};
///
/// let refused = convergence("errors.jpeg", &ConvergencePlot::default());
/// assert!(matches!(refused, Err(PlotError::Extension { .. })));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// The extension of the file names neither of the two formats.
    #[error("{}: the extension must be .svg or .png", path.display())]
    Extension {
        /// The file that was asked for.
        path: PathBuf,
    },
    /// The file could not be written; nothing is left behind.
    #[error("{}: cannot write the picture: {source}", path.display())]
    Write {
        /// The file that was asked for.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The drawing library refused.
    #[error("cannot draw the picture: {0}")]
    Draw(String),
}
