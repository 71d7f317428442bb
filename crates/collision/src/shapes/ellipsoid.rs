//! The ellipsoid.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// All points with (x/a)² + (y/b)² + (z/c)² ≤ 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ellipsoid {
    /// a, b, c; each positive.
    pub semi_axes: DVec3,
}
