//! What can go wrong with a file, said so that one can repair it.

use std::path::{Path, PathBuf};

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TrajectoryError {
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
    #[error("{}: {what}; expected {right}", file.display())]
    Content {
        /// The file concerned.
        file: PathBuf,
        /// What is wrong.
        what: String,
        /// What would be right.
        right: String,
    },
}

impl TrajectoryError {
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
            what: fault.what,
            right: fault.right,
        }
    }
}

/// Something wrong in a file, before it is known in which one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) what: String,
    pub(crate) right: String,
}

impl Fault {
    pub(crate) fn new(what: impl Into<String>, right: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            right: right.into(),
        }
    }

    /// Says which part of the file the fault is in.
    pub(crate) fn within(self, place: &str) -> Self {
        Self {
            what: format!("{place}: {}", self.what),
            right: self.right,
        }
    }
}
