//! Whether a point is inside a closed surface.

use super::{Surface, TriangleMesh};
use crate::bounds::Bounds;
use crate::pose::Pose;
use glam::DVec3;

/// Along z, but a little aslant, so that the ray does not run along the faces of a regular body.
const ASLANT: DVec3 = DVec3::new(1.37e-4, 0.91e-4, 1.0);

impl TriangleMesh {
    /// Whether a point is inside: a ray from it crosses the surface an odd number of times.
    ///
    /// ```
    /// use glam::{DVec3, dvec3};
    /// use moreau_collision::shapes::TriangleMesh;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    /// let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    /// let tetrahedron = TriangleMesh::new(corners, faces)?;
    /// assert!(tetrahedron.contains(dvec3(0.2, 0.2, 0.2)));
    /// assert!(!tetrahedron.contains(dvec3(0.5, 0.5, 0.5)));
    /// # Ok::<(), moreau_collision::shapes::ShapeError>(())
    /// ```
    pub fn contains(&self, point: DVec3) -> bool {
        let bounds = self.bounds(&Pose::IDENTITY);
        let inside = point.cmpge(bounds.lower).all() && point.cmple(bounds.upper).all();
        if !inside {
            return false;
        }
        // Out of the box for sure.
        let end = point + 2.0 * bounds.extent().z * ASLANT;
        let column = Bounds {
            lower: point.min(end),
            upper: point.max(end),
        };
        let mut near = Vec::new();
        self.index().tree.near(&column, &mut near);
        let crosses = |triangle: &&u32| {
            let [a, b, c] = self.triangles[**triangle as usize].map(|i| self.vertices[i as usize]);
            crosses(point, end - point, [a, b, c])
        };
        near.iter().filter(crosses).count() % 2 == 1
    }
}

impl Surface {
    /// Whether a point is inside, if the surface is closed: a ray from it crosses the surface an odd number of times.
    pub fn contains(&self, point: DVec3) -> bool {
        let crossed = |triangle: &&[u32; 3]| {
            let corners = triangle.map(|index| self.vertices[index as usize]);
            crosses(point, ASLANT, corners)
        };
        self.triangles.iter().filter(crossed).count() % 2 == 1
    }
}

/// Whether a ray crosses a triangle. All comparisons are of the same three volumes, so that of two triangles at an edge
/// one is crossed, however near to the edge the ray runs.
fn crosses(from: DVec3, ray: DVec3, corners: [DVec3; 3]) -> bool {
    let [a, b, c] = corners.map(|corner| corner - from);
    // The sign of the volume of ray and edge says on which side of the edge the ray passes.
    let side = |p: DVec3, q: DVec3| {
        // In one order whichever triangle asks, so that rounding is the same.
        let ordered = p.to_array() < q.to_array();
        let volume = if ordered {
            ray.dot(p.cross(q))
        } else {
            -ray.dot(q.cross(p))
        };
        volume > 0.0 || (volume == 0.0 && ordered)
    };
    let sides = [side(a, b), side(b, c), side(c, a)];
    if sides != [true; 3] && sides != [false; 3] {
        return false;
    }
    let normal = (b - a).cross(c - a);
    // Ahead: the plane is reached at a positive multiple of the ray.
    normal.dot(a) * normal.dot(ray) > 0.0
}
