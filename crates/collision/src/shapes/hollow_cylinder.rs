//! The hollow cylinder: drums, silos.

use serde::{Deserialize, Serialize};

/// A tube about the z axis from −`half_height` to +`half_height`, optionally closed by discs of the same thickness outside of these heights.
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
