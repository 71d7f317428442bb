//! The capsule.

use super::{ShapeError, VolumeProperties};
use crate::bounds::Bounds;
use crate::pose::Pose;
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// All points within `radius` of the segment from −`half_length` to +`half_length` on the z axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Capsule {
    /// Half the length of the segment; positive.
    pub half_length: f64,
    /// The radius; positive.
    pub radius: f64,
}

impl Capsule {
    /// A capsule.
    ///
    /// # Errors
    /// When a length is not positive and finite.
    pub fn new(half_length: f64, radius: f64) -> Result<Self, ShapeError> {
        super::volume::positive("half_length", half_length)?;
        super::volume::positive("radius", radius)?;
        Ok(Self {
            half_length,
            radius,
        })
    }

    /// The box around it: that of the segment, grown by the radius.
    pub fn bounds(&self, pose: &Pose) -> Bounds {
        let half = pose.direction(self.half_length * DVec3::Z).abs() + self.radius;
        Bounds {
            lower: pose.position - half,
            upper: pose.position + half,
        }
    }

    /// A cylinder and two half spheres, whose own centres are 3/8 r beyond the segment's ends.
    pub fn volume_properties(&self) -> VolumeProperties {
        let (h, r) = (self.half_length, self.radius);
        let tube = 2.0 * PI * r * r * h;
        let ball = 4.0 / 3.0 * PI * r.powi(3);
        let along = tube * 0.5 * r * r + ball * 0.4 * r * r;
        // Both caps together, moved from a common centre to ±h: 2/5 r² + h² + 2 h (3/8 r).
        let across =
            tube * (0.25 * r * r + h * h / 3.0) + ball * (0.4 * r * r + h * h + 0.75 * h * r);
        VolumeProperties {
            volume: tube + ball,
            centre: DVec3::ZERO,
            inertia: DMat3::from_diagonal(DVec3::new(across, across, along)),
        }
    }
}
