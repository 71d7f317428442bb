//! Why something is not a contact problem, and what is checked.

use moreau_algebra::reduction::first_not_finite;
use thiserror::Error;

/// Why something is not a contact problem.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ProblemError {
    /// Lengths that do not agree.
    #[error("{what} has length {found}, but {expected} is right: {reason}")]
    Length {
        /// Which array.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length that fits.
        expected: usize,
        /// Why that length.
        reason: &'static str,
    },
    /// NaN or infinity.
    #[error("{what}[{index}] is {value}; every entry must be a finite number")]
    NotFinite {
        /// Which array.
        what: &'static str,
        /// Where in it.
        index: usize,
        /// What stands there.
        value: f64,
    },
    /// A negative cohesion or compliance.
    #[error("{what}[{index}] is {value}; it must not be negative")]
    Negative {
        /// Which array.
        what: &'static str,
        /// Where in it.
        index: usize,
        /// What stands there.
        value: f64,
    },
    /// A cone with impossible coefficients.
    #[error("contact {index}: {reason}")]
    Cone {
        /// Which block.
        index: usize,
        /// What is wrong with it.
        reason: String,
    },
}

pub(super) fn check_length(
    what: &'static str,
    found: usize,
    expected: usize,
    reason: &'static str,
) -> Result<(), ProblemError> {
    if found == expected {
        Ok(())
    } else {
        Err(ProblemError::Length {
            what,
            found,
            expected,
            reason,
        })
    }
}

pub(super) fn check_finite(what: &'static str, values: &[f64]) -> Result<(), ProblemError> {
    match first_not_finite(values) {
        Some(index) => Err(ProblemError::NotFinite {
            what,
            index,
            value: values[index],
        }),
        None => Ok(()),
    }
}

pub(super) fn check_not_negative(what: &'static str, values: &[f64]) -> Result<(), ProblemError> {
    match values.iter().position(|v| *v < 0.0) {
        Some(index) => Err(ProblemError::Negative {
            what,
            index,
            value: values[index],
        }),
        None => Ok(()),
    }
}
