//! Why a solve ended.

use std::fmt;

/// Why a solve ended. Not converging is a status, never an error and never hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The referee's error is at or below the tolerance.
    Converged,
    /// The iterations allowed are used up.
    IterationLimit,
    /// The time allowed is used up.
    TimeLimit,
    /// The error stopped falling, or the referee does not confirm what the method believed.
    Stalled,
    /// NaN, infinity or a factorisation that broke down.
    NumericalFailure,
    /// The observer asked to stop.
    Stopped,
}

impl Status {
    /// The name in JSON and tables.
    pub fn name(self) -> &'static str {
        match self {
            Status::Converged => "converged",
            Status::IterationLimit => "iteration_limit",
            Status::TimeLimit => "time_limit",
            Status::Stalled => "stalled",
            Status::NumericalFailure => "numerical_failure",
            Status::Stopped => "stopped",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}
