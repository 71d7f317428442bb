//! How a command ends: converged, not converged, or with a message about its input. (Ctrl-C has an exit code of its own, see
//! `main`.)

use std::fmt;

/// How a command that could do its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every solve converged: exit code 0.
    Converged,
    /// At least one did not: exit code 2.
    NotConverged,
}

impl Outcome {
    /// The outcome of solves of which all, or not all, converged.
    pub fn of(all_converged: bool) -> Self {
        if all_converged {
            Outcome::Converged
        } else {
            Outcome::NotConverged
        }
    }
}

/// Bad input: what is wrong, where, and what would be right. Exit code 1.
#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    /// A failure with a message of our own.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<moreau_files::FileError> for Failure {
    fn from(error: moreau_files::FileError) -> Self {
        Self(error.to_string())
    }
}

impl From<moreau_plots::PlotError> for Failure {
    fn from(error: moreau_plots::PlotError) -> Self {
        Self(error.to_string())
    }
}

impl From<moreau_contact_solvers::solver::SolveError> for Failure {
    fn from(error: moreau_contact_solvers::solver::SolveError) -> Self {
        Self(error.to_string())
    }
}

impl From<moreau_scene::SceneErrors> for Failure {
    fn from(errors: moreau_scene::SceneErrors) -> Self {
        Self(errors.to_string())
    }
}

impl From<moreau_scene::RunError> for Failure {
    fn from(error: moreau_scene::RunError) -> Self {
        Self(error.to_string())
    }
}

impl From<moreau_studies::StudyError> for Failure {
    fn from(error: moreau_studies::StudyError) -> Self {
        Self(error.to_string())
    }
}
