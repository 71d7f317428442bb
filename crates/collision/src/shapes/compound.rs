//! Several shapes that move as one.

use super::{Shape, ShapeError, VolumeProperties};
use crate::bounds::Bounds;
use crate::pose::Pose;
use serde::{Deserialize, Serialize};

/// Shapes fixed to one another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compound {
    /// The parts and their poses in the frame of the compound; no part is a compound itself.
    pub parts: Vec<(Pose, Shape)>,
}

impl Compound {
    /// Several shapes as one.
    ///
    /// # Errors
    /// When there is no part, a pose is not finite, its rotation is not a unit quaternion, or a part is a compound.
    pub fn new(parts: Vec<(Pose, Shape)>) -> Result<Self, ShapeError> {
        if parts.is_empty() {
            return Err(ShapeError {
                what: "parts".into(),
                found: "are none".into(),
                right: "a compound needs at least one part".into(),
            });
        }
        for (number, (pose, shape)) in parts.iter().enumerate() {
            if !pose.position.is_finite() || !pose.rotation.is_normalized() {
                return Err(ShapeError {
                    what: format!("pose of part {number}"),
                    found: format!("is {:?}", pose),
                    right: "it must be a finite position and a unit quaternion".into(),
                });
            }
            if matches!(shape, Shape::Compound(_)) {
                return Err(ShapeError {
                    what: format!("part {number}"),
                    found: "is a compound".into(),
                    right: "give its parts instead".into(),
                });
            }
        }
        Ok(Self { parts })
    }

    /// The box around all parts.
    pub fn bounds(&self, pose: &Pose) -> Bounds {
        self.parts.iter().fold(Bounds::EMPTY, |all, (part, shape)| {
            all.union(&shape.bounds(&pose.compose(part)))
        })
    }

    /// The sum of the parts: where parts overlap, their common volume counts once for each. `None` when a part has
    /// no volume of its own.
    pub fn volume_properties(&self) -> Option<VolumeProperties> {
        let solids: Option<Vec<_>> = self
            .parts
            .iter()
            .map(|(part, shape)| shape.volume_properties().map(|solid| solid.moved(part)))
            .collect();
        VolumeProperties::sum(solids?)
    }
}
