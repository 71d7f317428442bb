//! Integrals over the inside of a shape.

use super::ShapeError;
use glam::{DMat3, DVec3};

/// Volume, centre and inertia of a shape filled with density 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeProperties {
    /// The volume.
    pub volume: f64,
    /// The centre of mass in the shape's frame.
    pub centre: DVec3,
    /// The inertia about the centre, in the axes of the shape's frame.
    pub inertia: DMat3,
}

/// Refuses a length that is not positive and finite.
pub(crate) fn positive(what: &str, value: f64) -> Result<(), ShapeError> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(ShapeError {
            what: what.into(),
            found: format!("is {value}"),
            right: "it must be a positive, finite length".into(),
        })
    }
}
