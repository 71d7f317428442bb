//! The box.

use super::{ShapeError, VolumeProperties};
use crate::bounds::Bounds;
use crate::pose::Pose;
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

/// A box centred at the origin, its edges along the axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cuboid {
    /// Half the edge lengths; each positive.
    pub half_extents: DVec3,
}

impl Cuboid {
    /// A box.
    ///
    /// # Errors
    /// When a length is not positive and finite.
    pub fn new(half_extents: DVec3) -> Result<Self, ShapeError> {
        super::volume::positive_vector("half_extents", half_extents)?;
        Ok(Self { half_extents })
    }

    /// The box around it.
    pub fn bounds(&self, pose: &Pose) -> Bounds {
        box_bounds(pose, -self.half_extents, self.half_extents)
    }

    /// Volume 8 a b c.
    pub fn volume_properties(&self) -> VolumeProperties {
        VolumeProperties::of_box(DVec3::ZERO, self.half_extents)
    }
}

/// The box along the world's axes around one along the shape's axes: half-widths |R| h.
pub(crate) fn box_bounds(pose: &Pose, lower: DVec3, upper: DVec3) -> Bounds {
    let rotation = DMat3::from_quat(pose.rotation);
    let (centre, half) = (pose.point(0.5 * (lower + upper)), 0.5 * (upper - lower));
    let half = rotation.x_axis.abs() * half.x
        + rotation.y_axis.abs() * half.y
        + rotation.z_axis.abs() * half.z;
    Bounds {
        lower: centre - half,
        upper: centre + half,
    }
}
