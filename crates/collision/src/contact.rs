//! One point where two bodies touch or nearly touch.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A contact point of two bodies. 72 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// The two bodies; the first has the smaller index.
    pub bodies: [u32; 2],
    /// What touches what on the two shapes (vertex, edge, face, triangle, part of a compound). It stays the same
    /// from step to step while the same features touch, and is unique within a pair of bodies.
    pub feature: u32,
    /// Midway between the two surfaces.
    pub point: DVec3,
    /// Unit vector from the first body into the second.
    pub normal: DVec3,
    /// Φ: distance of the surfaces along the normal; negative when they overlap.
    pub gap: f64,
}
