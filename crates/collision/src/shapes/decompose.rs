//! Convex pieces of a mesh that is not convex.

use super::{Compound, ConvexHull, Shape, ShapeError, TriangleMesh};
use crate::pose::Pose;
use glam::DVec3;
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use std::sync::Arc;

/// Convex pieces that together approximate the mesh, so that it may move and touch other meshes. A convex mesh gives
/// one piece, its own hull; any other is cut on a grid of cells (V-HACD), and the pieces' hulls overlap a little. What it weighs
/// is what the mesh weighs.
///
/// # Errors
/// When no piece has an inside, as for a mesh much thinner than the grid's cells.
pub fn decompose(mesh: &TriangleMesh) -> Result<Compound, ShapeError> {
    if mesh.is_convex() {
        let hull = ConvexHull::from_points(&mesh.vertices)?;
        return Compound::new(vec![(Pose::IDENTITY, Shape::ConvexHull(Arc::new(hull)))]);
    }
    let bounds = mesh.bounds(&Pose::IDENTITY);
    let (centre, length) = (bounds.centre(), bounds.extent().max_element());
    // In units of its own length, so that the result does not depend on the mesh's scale.
    let points: Vec<Vector> = mesh
        .vertices
        .iter()
        .map(|&v| (v - centre) / length)
        .map(|v| Vector::new(v.x, v.y, v.z))
        .collect();
    let parameters = VHACDParameters::default();
    let pieces = VHACD::decompose(&parameters, &points, &mesh.triangles, true);
    let parts: Vec<(Pose, Shape)> = pieces
        .compute_exact_convex_hulls(&points, &mesh.triangles)
        .iter()
        .filter_map(|(corners, _)| {
            let corners: Vec<DVec3> = corners
                .iter()
                .map(|p| centre + length * DVec3::new(p.x, p.y, p.z))
                .collect();
            // Slivers without an inside carry no volume: nothing is lost with them.
            ConvexHull::from_points(&corners).ok()
        })
        .map(|hull| (Pose::IDENTITY, Shape::ConvexHull(Arc::new(hull))))
        .collect();
    if parts.is_empty() {
        return Err(ShapeError {
            what: "convex pieces of the mesh".into(),
            found: "are all flat".into(),
            right: "the mesh is too thin to be cut: build a compound by hand".into(),
        });
    }
    let compound = Compound::new(parts)?;
    Ok(match mesh.volume_properties() {
        Some(solid) => compound.standing_for(solid),
        None => compound,
    })
}
