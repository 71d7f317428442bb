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
    /// What it weighs, where that is known better than as the sum of the parts.
    solid: Option<VolumeProperties>,
    /// See [`Shape::size`].
    size: f64,
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
        let size = smallest(&parts);
        Ok(Self {
            parts,
            solid: None,
            size,
        })
    }

    /// The same with another size than that of its smallest part: where parts are pieces of a solid, cut as it suits the search for
    /// contacts, the smallest of them says nothing about the solid.
    pub fn of_size(mut self, size: f64) -> Self {
        self.size = size;
        self
    }

    pub(super) fn size(&self) -> f64 {
        self.size
    }

    /// The same with the volume, centre and inertia of the solid that the parts stand for: pieces of a mesh overlap, and
    /// fill corners that the mesh leaves free.
    pub fn standing_for(mut self, solid: VolumeProperties) -> Self {
        self.solid = Some(solid);
        self
    }

    /// The same, enlarged about the origin; `part` enlarges the parts.
    pub fn scaled(&self, scale: f64, part: impl Fn(&Shape) -> Shape) -> Self {
        let parts = self.parts.iter().map(|(pose, shape)| {
            let pose = Pose::new(pose.position * scale, pose.rotation);
            (pose, part(shape))
        });
        Self {
            parts: parts.collect(),
            solid: self.solid.map(|solid| solid.scaled(scale)),
            size: scale * self.size,
        }
    }

    /// The box around all parts.
    pub fn bounds(&self, pose: &Pose) -> Bounds {
        self.parts.iter().fold(Bounds::EMPTY, |all, (part, shape)| {
            all.union(&shape.bounds(&pose.compose(part)))
        })
    }

    /// Those of the solid that the parts stand for; else the sum of the parts: where parts overlap, their common volume counts
    /// once for each. `None` when a part has no volume of its own.
    pub fn volume_properties(&self) -> Option<VolumeProperties> {
        if self.solid.is_some() {
            return self.solid;
        }
        let solids: Option<Vec<_>> = self
            .parts
            .iter()
            .map(|(part, shape)| shape.volume_properties().map(|solid| solid.moved(part)))
            .collect();
        VolumeProperties::sum(solids?)
    }
}

/// The size of the smallest part.
fn smallest(parts: &[(Pose, Shape)]) -> f64 {
    let sizes = parts.iter().map(|(_, part)| part.size());
    sizes.fold(f64::INFINITY, f64::min)
}
