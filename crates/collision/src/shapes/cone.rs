//! The cone.

use super::cylinder::disc_bounds;
use super::{ShapeError, VolumeProperties};
use crate::bounds::Bounds;
use crate::pose::Pose;
use serde::{Deserialize, Serialize};

/// A solid cone about the z axis: base of `radius` at −`half_height`, apex at +`half_height`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cone {
    /// Half the height; positive.
    pub half_height: f64,
    /// The radius of the base; positive.
    pub radius: f64,
}

impl Cone {
    /// A cone.
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

    /// The box around it: that of the base and the apex.
    pub fn bounds(&self, pose: &Pose) -> Bounds {
        let h = self.half_height;
        disc_bounds(pose, -h, self.radius).union(&disc_bounds(pose, h, 0.0))
    }

    /// Volume 2/3 π r² h; the centre is a quarter of the height above the base.
    pub fn volume_properties(&self) -> VolumeProperties {
        let h = self.half_height;
        VolumeProperties::of_frustum([self.radius, 0.0], [-h, h])
    }

    /// The largest ball inside: in the triangle of half-base r and height 2h, its radius is the area over half the
    /// perimeter.
    pub(crate) fn inscribed_radius(&self) -> f64 {
        let (h, r) = (2.0 * self.half_height, self.radius);
        r * h / (r + r.hypot(h))
    }
}
