//! What can go wrong with a file, said so that one can repair it.

use std::fmt;
use std::path::{Path, PathBuf};

/// Something wrong in the content of a file, before it is known in which one: what, where, and what would be right.
///
/// ```
/// use moreau_files::Fault;
///
/// let fault = Fault::new("line 3", "the radius is -1", "a positive radius").within("grains");
/// assert_eq!(fault.to_string(), "grains: line 3: the radius is -1; expected a positive radius");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The dataset, the line or the field; empty for the file as a whole.
    pub place: String,
    /// What is wrong there.
    pub what: String,
    /// What would be right.
    pub right: String,
}

impl Fault {
    /// Something wrong at a place.
    pub fn new(
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

    /// Something wrong with the file as a whole, or with what [`Fault::within`] will say.
    pub fn of_whole(what: impl Into<String>, right: impl Into<String>) -> Self {
        Self::new("", what, right)
    }

    /// Says which part of the file the fault is in.
    pub fn within(mut self, place: &str) -> Self {
        self.place = if self.place.is_empty() {
            place.to_string()
        } else {
            format!("{place}: {}", self.place)
        };
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(formatter, "{}: ", self.place)?;
        }
        write!(formatter, "{}; expected {}", self.what, self.right)
    }
}

impl std::error::Error for Fault {}

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
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

impl FileError {
    /// The operating system refused an action on a file.
    pub fn system(file: &Path, action: &'static str, source: std::io::Error) -> Self {
        Self::System {
            file: file.to_path_buf(),
            action,
            source,
        }
    }

    /// The content of a file is wrong.
    pub fn content(file: &Path, fault: Fault) -> Self {
        Self::Content {
            file: file.to_path_buf(),
            fault,
        }
    }
}
