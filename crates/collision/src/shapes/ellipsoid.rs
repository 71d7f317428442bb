//! The ellipsoid.

use super::{ShapeError, VolumeProperties};
use crate::bounds::Bounds;
use crate::pose::Pose;
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// All points with (x/a)² + (y/b)² + (z/c)² ≤ 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ellipsoid {
    /// a, b, c; each positive.
    pub semi_axes: DVec3,
}

impl Ellipsoid {
    /// An ellipsoid.
    ///
    /// # Errors
    /// When a length is not positive and finite.
    pub fn new(semi_axes: DVec3) -> Result<Self, ShapeError> {
        super::volume::positive_vector("semi_axes", semi_axes)?;
        Ok(Self { semi_axes })
    }

    /// The box around it. Along e an ellipsoid reaches |D Rᵀ e|, D = diag(a, b, c): the length of a row of R D.
    pub fn bounds(&self, pose: &Pose) -> Bounds {
        let scaled =
            (DMat3::from_quat(pose.rotation) * DMat3::from_diagonal(self.semi_axes)).transpose();
        let half = DVec3::new(
            scaled.x_axis.length(),
            scaled.y_axis.length(),
            scaled.z_axis.length(),
        );
        Bounds {
            lower: pose.position - half,
            upper: pose.position + half,
        }
    }

    /// Volume 4/3 π a b c, inertia about x 1/5 (b² + c²) of it.
    pub fn volume_properties(&self) -> VolumeProperties {
        let volume = 4.0 / 3.0 * PI * self.semi_axes.element_product();
        let squares = self.semi_axes * self.semi_axes;
        VolumeProperties {
            volume,
            centre: DVec3::ZERO,
            inertia: DMat3::from_diagonal(
                0.2 * volume * (DVec3::splat(squares.element_sum()) - squares),
            ),
        }
    }
}
