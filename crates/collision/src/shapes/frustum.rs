//! The hollow cone frustum: funnels, hoppers.

use serde::{Deserialize, Serialize};

/// A conical wall about the z axis, open at both ends; its inner surface has `lower_radius` at −`half_height` and `upper_radius` at +`half_height`.
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
