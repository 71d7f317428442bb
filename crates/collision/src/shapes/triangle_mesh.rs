//! A closed surface of triangles.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A closed surface of triangles with its inside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TriangleMesh {
    /// Corners.
    pub vertices: Vec<DVec3>,
    /// Triangles, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}
