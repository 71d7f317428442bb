//! Two boxes: the axes that may separate them.

use super::ContactPoint;
use super::nearest::{Nearest, nearest};
use super::patch::{flat_patch, patch};
use super::support::Pair;
use crate::pose::Pose;
use glam::DVec3;

/// An axis must separate better than those before it by this part of the size: faces come before edges, so that flat contacts stay
/// flat, and of faces that separate alike (boxes edge on edge) the same one is taken, whatever rounding says.
const FACE_FIRST: f64 = 1e-6;

/// Appends the contact points of two boxes.
///
/// The largest separation over the normals of faces and the common perpendiculars of edges is minus the depth of
/// overlapping boxes, and a lower bound of the distance of separate ones. It is the distance if the nearest features
/// are a face and a corner, or two edges; otherwise (two corners, a corner and an edge) the closest points are sought.
pub(super) fn boxes(
    pair: &Pair,
    (half_a, half_b): (DVec3, DVec3),
    pose: &Pose,
    envelope: f64,
    points: &mut Vec<ContactPoint>,
) {
    let size = pair.size();
    let Some((normal, gap, edges)) = best_axis(pair, half_a, half_b, envelope) else {
        return;
    };
    let begin = points.len();
    if let Some(edges) = edges {
        let at_edges = crossing(pair, (half_a, half_b), edges, normal, gap);
        if let Some(nearest) = at_edges.or_else(|| nearest(pair, envelope)) {
            patch(pair, pose, &nearest, envelope, points);
        }
        return;
    }
    let flat = Nearest {
        normal,
        gap,
        point: DVec3::ZERO,
    };
    if flat_patch(pair, pose, &flat, envelope, points) {
        let least = points[begin..]
            .iter()
            .fold(f64::INFINITY, |least, p| least.min(p.gap));
        if gap <= 0.0 || least <= gap + 1e-5 * size {
            return;
        }
    }
    points.truncate(begin);
    if let Some(nearest) = nearest(pair, envelope) {
        patch(pair, pose, &nearest, envelope, points);
    }
}

/// A unit axis, the separation along it, and the edges of the two boxes if it is across two.
type Axis = (DVec3, f64, Option<(usize, usize)>);

/// The axis of largest separation, its separation, and the edges if it is across two.
fn best_axis(pair: &Pair, half_a: DVec3, half_b: DVec3, envelope: f64) -> Option<Axis> {
    let tolerance = FACE_FIRST * pair.size();
    let (rotation, offset) = (pair.rotation, pair.offset);
    let absolute = [
        rotation.x_axis.abs(),
        rotation.y_axis.abs(),
        rotation.z_axis.abs(),
    ];
    let columns = [rotation.x_axis, rotation.y_axis, rotation.z_axis];
    let unit = [DVec3::X, DVec3::Y, DVec3::Z];
    let mut best = (DVec3::Z, f64::NEG_INFINITY, None);
    for axis in 0..3 {
        let reach = half_a[axis]
            + absolute[0][axis] * half_b.x
            + absolute[1][axis] * half_b.y
            + absolute[2][axis] * half_b.z;
        let gap = offset[axis].abs() - reach;
        if gap > envelope {
            return None;
        }
        if gap > best.1 + tolerance {
            best = (unit[axis] * 1f64.copysign(offset[axis]), gap, None);
        }
    }
    for axis in 0..3 {
        let along = columns[axis].dot(offset);
        let gap = along.abs() - half_b[axis] - absolute[axis].dot(half_a);
        if gap > envelope {
            return None;
        }
        if gap > best.1 + tolerance {
            best = (columns[axis] * 1f64.copysign(along), gap, None);
        }
    }
    for (i, edge_a) in unit.into_iter().enumerate() {
        for (j, edge_b) in columns.into_iter().enumerate() {
            let cross = edge_a.cross(edge_b);
            let squared = cross.length_squared();
            // Parallel edges separate no better than faces do.
            if squared < 1e-10 {
                continue;
            }
            let axis = cross / squared.sqrt();
            let along = axis.dot(offset);
            let in_b = pair.in_second(axis);
            let gap = along.abs() - axis.abs().dot(half_a) - in_b.abs().dot(half_b);
            if gap > envelope {
                return None;
            }
            if gap > best.1 + tolerance {
                best = (axis * 1f64.copysign(along), gap, Some((i, j)));
            }
        }
    }
    Some(best)
}

/// The nearest points of two edges, one along an axis of each box, whose common perpendicular is the normal; `None`
/// when the lines of the edges are nearest beyond an end.
fn crossing(
    pair: &Pair,
    (half_a, half_b): (DVec3, DVec3),
    (edge_a, edge_b): (usize, usize),
    normal: DVec3,
    gap: f64,
) -> Option<Nearest> {
    let mut middle_a = pair.first.support(normal);
    middle_a[edge_a] = 0.0;
    let mut middle_b = pair.second.support(-pair.in_second(normal));
    middle_b[edge_b] = 0.0;
    let middle_b = pair.rotation * middle_b + pair.offset;
    let (a, b) = (DVec3::AXES[edge_a], pair.rotation.col(edge_b));
    // The line m_a + s a meets the plane of b and the normal where (m_a + s a − m_b)·(n × b) = 0, and likewise t.
    let line = middle_b - middle_a;
    let (across_a, across_b) = (normal.cross(b), normal.cross(a));
    let s = line.dot(across_a) / a.dot(across_a);
    let t = -line.dot(across_b) / b.dot(across_b);
    let inside = s.abs() <= half_a[edge_a] && t.abs() <= half_b[edge_b];
    inside.then(|| Nearest {
        normal,
        gap,
        point: 0.5 * (middle_a + s * a + middle_b + t * b),
    })
}
