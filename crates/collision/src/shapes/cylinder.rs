//! The cylinder.

use super::{ShapeError, VolumeProperties};
use crate::bounds::Bounds;
use crate::pose::Pose;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A solid cylinder about the z axis, from −`half_height` to +`half_height`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cylinder {
    /// Half the height; positive.
    pub half_height: f64,
    /// The radius; positive.
    pub radius: f64,
}

impl Cylinder {
    /// A cylinder.
    ///
    /// # Errors
    /// When a length is not positive and finite.
    pub fn new(half_height: f64, radius: f64) -> Result<Self, ShapeError> {
        super::volume::positive("half_height", half_height)?;
        super::volume::positive("radius", radius)?;
        Ok(Self {
            half_height,
            radius,
        })
    }

    /// The box around it.
    pub fn bounds(&self, pose: &Pose) -> Bounds {
        let (h, r) = (self.half_height, self.radius);
        disc_bounds(pose, -h, r).union(&disc_bounds(pose, h, r))
    }

    /// Volume 2 π r² h.
    pub fn volume_properties(&self) -> VolumeProperties {
        let (h, r) = (self.half_height, self.radius);
        VolumeProperties::of_frustum([r, r], [-h, h])
    }
}

/// The box around a disc about the z axis at a height of the shape's frame. Along the world's axis e the disc reaches
/// r √(1 − (e·a)²) from its centre, where a is its own axis.
pub(crate) fn disc_bounds(pose: &Pose, height: f64, radius: f64) -> Bounds {
    let axis = pose.direction(DVec3::Z);
    let centre = pose.position + height * axis;
    let squares = (DVec3::ONE - axis * axis).max(DVec3::ZERO);
    let half = radius * DVec3::new(squares.x.sqrt(), squares.y.sqrt(), squares.z.sqrt());
    Bounds {
        lower: centre - half,
        upper: centre + half,
    }
}
