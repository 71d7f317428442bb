//! The box.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A box centred at the origin, its edges along the axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cuboid {
    /// Half the edge lengths; each positive.
    pub half_extents: DVec3,
}
