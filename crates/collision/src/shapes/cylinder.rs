//! The cylinder.

use serde::{Deserialize, Serialize};

/// A solid cylinder about the z axis, from −`half_height` to +`half_height`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cylinder {
    /// Half the height; positive.
    pub half_height: f64,
    /// The radius; positive.
    pub radius: f64,
}
