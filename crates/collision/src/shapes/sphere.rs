//! The sphere.

use super::{ShapeError, VolumeProperties};
use crate::bounds::Bounds;
use crate::pose::Pose;
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// All points within `radius` of the origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sphere {
    /// The radius, positive.
    pub radius: f64,
}

impl Sphere {
    /// A sphere.
    ///
    /// # Errors
    /// When the radius is not positive and finite.
    pub fn new(radius: f64) -> Result<Self, ShapeError> {
        super::volume::positive("radius", radius)?;
        Ok(Self { radius })
    }

    /// The box around it.
    pub fn bounds(&self, pose: &Pose) -> Bounds {
        Bounds {
            lower: pose.position - self.radius,
            upper: pose.position + self.radius,
        }
    }

    /// Volume 4/3 π r³, inertia 2/5 r² of it.
    pub fn volume_properties(&self) -> VolumeProperties {
        let volume = 4.0 / 3.0 * PI * self.radius.powi(3);
        let inertia = 0.4 * volume * self.radius * self.radius;
        VolumeProperties {
            volume,
            centre: DVec3::ZERO,
            inertia: DMat3::from_diagonal(DVec3::splat(inertia)),
        }
    }
}
