//! The hollow cone frustum: funnels, hoppers.

use super::cylinder::disc_bounds;
use super::{ShapeError, VolumeProperties};
use crate::bounds::Bounds;
use crate::pose::Pose;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// A conical wall about the z axis, open at both ends; its inner surface has `lower_radius` at −`half_height` and
/// `upper_radius` at +`half_height`. Both ends are cut level: rings in the planes z = ±`half_height`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frustum {
    /// Inner radius at the lower end; zero or more.
    pub lower_radius: f64,
    /// Inner radius at the upper end; zero or more, not both zero.
    pub upper_radius: f64,
    /// Half the height; positive.
    pub half_height: f64,
    /// Of the wall, measured along its normal; positive.
    pub thickness: f64,
}

impl Frustum {
    /// A conical wall.
    ///
    /// # Errors
    /// When a radius is negative or not finite, both are zero, or another length is not positive and finite.
    pub fn new(
        lower_radius: f64,
        upper_radius: f64,
        half_height: f64,
        thickness: f64,
    ) -> Result<Self, ShapeError> {
        for (what, radius) in [
            ("lower_radius", lower_radius),
            ("upper_radius", upper_radius),
        ] {
            if !(radius >= 0.0 && radius.is_finite()) {
                return Err(ShapeError {
                    what: what.into(),
                    found: format!("is {radius}"),
                    right: "it must be a finite length, zero or more".into(),
                });
            }
        }
        super::volume::positive("the larger radius", lower_radius.max(upper_radius))?;
        super::volume::positive("half_height", half_height)?;
        super::volume::positive("thickness", thickness)?;
        Ok(Self {
            lower_radius,
            upper_radius,
            half_height,
            thickness,
        })
    }

    /// The thickness measured level: that along the normal over the cosine of the slope.
    pub(crate) fn level_thickness(&self) -> f64 {
        let slope = (self.upper_radius - self.lower_radius) / (2.0 * self.half_height);
        self.thickness * slope.hypot(1.0)
    }

    /// The wall cut by a half-plane through the axis, as a polygon of (distance from the axis, height) with its
    /// inside on the left: first the lower ring, then outside, upper ring, inside.
    pub(crate) fn profile(&self) -> [DVec2; 4] {
        let (h, t) = (self.half_height, self.level_thickness());
        [
            DVec2::new(self.lower_radius, -h),
            DVec2::new(self.lower_radius + t, -h),
            DVec2::new(self.upper_radius + t, h),
            DVec2::new(self.upper_radius, h),
        ]
    }

    /// The box around it.
    pub fn bounds(&self, pose: &Pose) -> Bounds {
        let [_, lower, upper, _] = self.profile();
        disc_bounds(pose, lower.y, lower.x).union(&disc_bounds(pose, upper.y, upper.x))
    }

    /// The wall: the cone of the outside without that of the inside.
    pub fn volume_properties(&self) -> Option<VolumeProperties> {
        let [lower_in, lower_out, upper_out, upper_in] = self.profile();
        let heights = [lower_in.y, upper_in.y];
        VolumeProperties::sum([
            VolumeProperties::of_frustum([lower_out.x, upper_out.x], heights),
            VolumeProperties::of_frustum([lower_in.x, upper_in.x], heights).negative(),
        ])
    }
}
