//! The cone.

use serde::{Deserialize, Serialize};

/// A solid cone about the z axis: base of `radius` at −`half_height`, apex at +`half_height`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cone {
    /// Half the height; positive.
    pub half_height: f64,
    /// The radius of the base; positive.
    pub radius: f64,
}
