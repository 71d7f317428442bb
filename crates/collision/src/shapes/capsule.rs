//! The capsule.

use serde::{Deserialize, Serialize};

/// All points within `radius` of the segment from −`half_length` to +`half_length` on the z axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Capsule {
    /// Half the length of the segment; positive.
    pub half_length: f64,
    /// The radius; positive.
    pub radius: f64,
}
