//! The hollow cylinder: drums, silos.

use super::cylinder::disc_bounds;
use super::{ShapeError, VolumeProperties};
use crate::bounds::Bounds;
use crate::pose::Pose;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// A tube about the z axis from −`half_height` to +`half_height`, optionally closed by discs of the same thickness
/// outside of these heights; the discs are as wide as the tube's outside.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HollowCylinder {
    /// Radius of the room inside; positive.
    pub inner_radius: f64,
    /// Half the height of the room inside; positive.
    pub half_height: f64,
    /// Of the wall; positive.
    pub thickness: f64,
    /// Whether a disc closes the end at −z.
    pub bottom: bool,
    /// Whether a disc closes the end at +z.
    pub top: bool,
}

impl HollowCylinder {
    /// A tube.
    ///
    /// # Errors
    /// When a length is not positive and finite.
    pub fn new(
        inner_radius: f64,
        half_height: f64,
        thickness: f64,
        bottom: bool,
        top: bool,
    ) -> Result<Self, ShapeError> {
        super::volume::positive("inner_radius", inner_radius)?;
        super::volume::positive("half_height", half_height)?;
        super::volume::positive("thickness", thickness)?;
        Ok(Self {
            inner_radius,
            half_height,
            thickness,
            bottom,
            top,
        })
    }

    /// Heights of the outside, discs included.
    pub(crate) fn heights(&self) -> [f64; 2] {
        let (h, t) = (self.half_height, self.thickness);
        [
            if self.bottom { -h - t } else { -h },
            if self.top { h + t } else { h },
        ]
    }

    /// The walls cut by a half-plane through the axis, as a polygon of (distance from the axis, height) with its
    /// inside on the left: at most eight corners, and their number.
    pub(crate) fn profile(&self) -> ([DVec2; 8], usize) {
        let (r, h, [low, high]) = (self.inner_radius, self.half_height, self.heights());
        let outer = r + self.thickness;
        let corners = [
            (true, r, -h),
            (self.bottom, 0.0, -h),
            (self.bottom, 0.0, low),
            (true, outer, low),
            (true, outer, high),
            (self.top, 0.0, high),
            (self.top, 0.0, h),
            (true, r, h),
        ];
        let mut profile = [DVec2::ZERO; 8];
        let mut count = 0;
        for (_, x, y) in corners.into_iter().filter(|corner| corner.0) {
            profile[count] = DVec2::new(x, y);
            count += 1;
        }
        (profile, count)
    }

    /// The box around it.
    pub fn bounds(&self, pose: &Pose) -> Bounds {
        let ([low, high], radius) = (self.heights(), self.inner_radius + self.thickness);
        disc_bounds(pose, low, radius).union(&disc_bounds(pose, high, radius))
    }

    /// The walls: the cylinder of the outside without the room.
    pub fn volume_properties(&self) -> Option<VolumeProperties> {
        let (r, h) = (self.inner_radius, self.half_height);
        let outer = r + self.thickness;
        VolumeProperties::sum([
            VolumeProperties::of_frustum([outer, outer], self.heights()),
            VolumeProperties::of_frustum([r, r], [-h, h]).negative(),
        ])
    }
}
