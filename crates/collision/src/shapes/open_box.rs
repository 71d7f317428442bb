//! The open box: bins, troughs.

use super::cuboid::box_bounds;
use super::{ShapeError, VolumeProperties};
use crate::bounds::Bounds;
use crate::pose::Pose;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A box-shaped room centred at the origin with walls around it; the face at +z is open unless `lid`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenBox {
    /// Half the edge lengths of the room inside; each positive.
    pub half_extents: DVec3,
    /// Of the walls and the floor; positive.
    pub thickness: f64,
    /// Whether a lid closes the face at +z.
    pub lid: bool,
}

impl OpenBox {
    /// A bin.
    ///
    /// # Errors
    /// When a length is not positive and finite.
    pub fn new(half_extents: DVec3, thickness: f64, lid: bool) -> Result<Self, ShapeError> {
        super::volume::positive_vector("half_extents", half_extents)?;
        super::volume::positive("thickness", thickness)?;
        Ok(Self {
            half_extents,
            thickness,
            lid,
        })
    }

    /// Two corners of the outside.
    pub(crate) fn outside(&self) -> [DVec3; 2] {
        let lower = -self.half_extents - self.thickness;
        let mut upper = self.half_extents + self.thickness;
        if !self.lid {
            upper.z = self.half_extents.z;
        }
        [lower, upper]
    }

    /// The box around it.
    pub fn bounds(&self, pose: &Pose) -> Bounds {
        let [lower, upper] = self.outside();
        box_bounds(pose, lower, upper)
    }

    /// The walls: the box of the outside without the room.
    pub fn volume_properties(&self) -> Option<VolumeProperties> {
        let [lower, upper] = self.outside();
        VolumeProperties::sum([
            VolumeProperties::of_box(0.5 * (lower + upper), 0.5 * (upper - lower)),
            VolumeProperties::of_box(DVec3::ZERO, self.half_extents).negative(),
        ])
    }
}
