//! What a study is.

use crate::context::Context;
use crate::outcome::Outcome;
use moreau_contact_solvers::solver::SolveError;
use moreau_scene::{RunError, SceneErrors};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// One experiment of a paper.
pub struct Study {
    /// The name on the command line.
    pub name: &'static str,
    /// What stands above its page.
    pub title: &'static str,
    /// Author, year, figures and tables.
    pub source: &'static str,
    /// What it shows, in a line.
    pub shows: &'static str,
    /// The CPU time that it takes at the scales `small` and `paper`, in a line.
    pub takes: &'static str,
    /// How the rows begin that the list of all studies shows of its numbers beside the paper's, at the scale `small`.
    pub highlights: &'static [&'static str],
    /// The prose of its page in Markdown: the experiment, what differs from the paper and why.
    pub discussion: &'static str,
    /// Runs it.
    pub run: fn(&mut Context) -> Result<Outcome, StudyError>,
}

/// How large a study is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scale {
    /// Seconds without optimisation: for tests. The verdicts hold all the same.
    Tiny,
    /// Two minutes on two cores; the physics is that of the paper.
    Small,
    /// The published size.
    Paper,
}

impl Scale {
    /// Every scale, the smallest first.
    pub const ALL: [Scale; 3] = [Scale::Tiny, Scale::Small, Scale::Paper];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Scale::Tiny => "tiny",
            Scale::Small => "small",
            Scale::Paper => "paper",
        }
    }

    /// One of three values.
    pub fn pick<T>(self, tiny: T, small: T, paper: T) -> T {
        match self {
            Scale::Tiny => tiny,
            Scale::Small => small,
            Scale::Paper => paper,
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scale {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|scale| scale.name() == name)
            .ok_or_else(|| format!("there is no scale '{name}'; the scales are tiny, small, paper"))
    }
}

/// Why a study could not be finished.
#[derive(Debug, Error)]
pub enum StudyError {
    /// Somebody asked it to stop.
    #[error("the study was stopped before it was finished; nothing was written")]
    Stopped,
    /// A scene is wrong.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// A step failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A solve could not begin.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// Settings that do not fit, such as a solver that does not know the law of the study.
    #[error("{0}")]
    Settings(String),
}
