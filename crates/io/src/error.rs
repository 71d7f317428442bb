//! What can go wrong with a file, said so that one can repair it.

use std::fmt;
use std::path::{Path, PathBuf};

/// Something wrong in the content of a problem: what, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The dataset, the line or the field.
    pub place: String,
    /// What is wrong there.
    pub what: String,
    /// What would be right.
    pub right: String,
}

impl Fault {
    pub(crate) fn new(
        place: impl Into<String>,
        what: impl Into<String>,
        right: impl Into<String>,
    ) -> Self {
        Self {
            place: place.into(),
            what: what.into(),
            right: right.into(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}: {}; expected {}",
            self.place, self.what, self.right
        )
    }
}

impl std::error::Error for Fault {}

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum IoError {
    /// The operating system refused.
    #[error("{}: cannot {action}: {source}", file.display())]
    System {
        /// The file concerned.
        file: PathBuf,
        /// What was attempted.
        action: &'static str,
        /// What the operating system answered.
        source: std::io::Error,
    },
    /// The content is wrong, or cannot be stated in the format.
    #[error("{}: {fault}", file.display())]
    Content {
        /// The file concerned.
        file: PathBuf,
        /// What, where, and what would be right.
        #[source]
        fault: Fault,
    },
}

impl IoError {
    pub(crate) fn system(file: &Path, action: &'static str, source: std::io::Error) -> Self {
        Self::System {
            file: file.to_path_buf(),
            action,
            source,
        }
    }

    pub(crate) fn content(file: &Path, fault: Fault) -> Self {
        Self::Content {
            file: file.to_path_buf(),
            fault,
        }
    }
}
