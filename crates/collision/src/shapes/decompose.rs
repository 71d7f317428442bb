//! Convex pieces of a mesh that is not convex.

use super::{Compound, ConvexHull, Shape, ShapeError, TriangleMesh};
use crate::pose::Pose;
use glam::DVec3;
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use std::sync::Arc;

/// Pieces that together hold less than this share of the volume are slivers, whose width says where the cuts went and nothing about
/// the mesh.
const SLIVERS: f64 = 0.1;

/// Convex pieces that together approximate the mesh, so that it may move and touch other meshes. A convex mesh gives
/// one piece, its own hull; any other is cut on a grid of cells (V-HACD), and the pieces' hulls overlap a little. What it weighs
/// is what the mesh weighs. Its size is that of the smallest piece that is no sliver, and not less than the volume of the mesh by its
/// surface, a third of the half-width of a cube and the half-width of a plate: that does not depend on where the cuts went.
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
    let size = size_without_slivers(&parts);
    let compound = Compound::new(parts)?.of_size(size);
    Ok(match mesh.volume_properties() {
        Some(solid) => compound
            .of_size(size.max(solid.volume / surface(mesh)))
            .standing_for(solid),
        None => compound,
    })
}

/// The size of the smallest piece, when the smallest ones that hold a share of [`SLIVERS`] of the volume are left out.
fn size_without_slivers(parts: &[(Pose, Shape)]) -> f64 {
    let mut pieces: Vec<(f64, f64)> = parts
        .iter()
        .map(|(_, piece)| {
            let solid = piece.volume_properties();
            (piece.size(), solid.map_or(0.0, |solid| solid.volume))
        })
        .collect();
    pieces.sort_by(|a, b| a.0.total_cmp(&b.0));
    let whole: f64 = pieces.iter().map(|(_, volume)| volume).sum();
    let mut sum = 0.0;
    for (size, volume) in &pieces {
        sum += volume;
        if sum > SLIVERS * whole {
            return *size;
        }
    }
    pieces.last().map_or(f64::INFINITY, |(size, _)| *size)
}

/// The area of all triangles.
fn surface(mesh: &TriangleMesh) -> f64 {
    let area = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|i| mesh.vertices[i as usize]);
        0.5 * (b - a).cross(c - a).length()
    };
    mesh.triangles.iter().map(area).sum()
}
