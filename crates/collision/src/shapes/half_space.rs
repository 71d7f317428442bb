//! The half-space.

use serde::{Deserialize, Serialize};

/// All points with z ≤ 0: the ground below the plane z = 0 of the body's frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HalfSpace;
