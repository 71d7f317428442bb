//! What can be wrong with a joint.

use thiserror::Error;

/// What a joint is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointPart {
    /// The two bodies.
    Ends,
    /// Its kind, with points, axes, length and compliance.
    Kind,
    /// Limits, motors and friction of free coordinates.
    Coordinates,
    /// Its name or number.
    Name,
}

/// Why a joint cannot be added or changed.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{what} {found}; {right}")]
pub struct JointError {
    /// What of the joint is wrong.
    pub part: JointPart,
    /// Which property.
    pub what: String,
    /// What was found.
    pub found: String,
    /// What would be right.
    pub right: String,
}

impl JointError {
    pub(super) fn new(part: JointPart, what: &str, found: String, right: &str) -> Self {
        Self {
            part,
            what: what.into(),
            found,
            right: right.into(),
        }
    }
}
