//! The convex hull of points.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A convex polyhedron.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConvexHull {
    /// Its corners.
    pub vertices: Vec<DVec3>,
    /// Its faces as triangles, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}
