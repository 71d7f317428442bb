//! The open box: bins, troughs.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A box-shaped room centred at the origin with walls around it; the face at +z is open unless `lid`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenBox {
    /// Half the edge lengths of the room inside; each positive.
    pub half_extents: DVec3,
    /// Of the walls and the floor; positive.
    pub thickness: f64,
    /// Whether a lid closes the face at +z.
    pub lid: bool,
}
