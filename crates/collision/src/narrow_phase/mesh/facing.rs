//! The side of a convex shape towards a direction.

use crate::narrow_phase::support::{Solid, farthest};
use crate::shapes::{ConvexHull, Shape};
use glam::DVec3;
use std::f64::consts::TAU;

/// Corners of the polygon that stands for a round face.
const ROUND: usize = 8;

/// The face, line or point of a convex shape that faces a unit direction: its corners in order. It holds the farthest
/// point, and the rest of the flat part that is nearest to level.
pub(in crate::narrow_phase) fn facing(shape: &Shape, direction: DVec3, corners: &mut Vec<DVec3>) {
    let radial = DVec3::new(direction.x, direction.y, 0.0).normalize_or(DVec3::X);
    match shape {
        Shape::Cuboid(s) => {
            let size = direction.abs();
            let axis = (0..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            for (a, b) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
                let mut corner = s.half_extents;
                corner[axis] = corner[axis].copysign(direction[axis]);
                corner[u] *= a;
                corner[v] *= b;
                corners.push(corner);
            }
        }
        Shape::Capsule(s) => {
            let end = DVec3::new(0.0, 0.0, s.half_length);
            corners.extend([-end, end].map(|e| e + s.radius * direction));
        }
        Shape::Cylinder(s) => {
            let top = DVec3::new(0.0, 0.0, s.half_height);
            // Steeper than 45°, a cap faces the direction more than the side does.
            if direction.z.abs() > direction.truncate().length() {
                round_face(
                    s.radius,
                    s.half_height.copysign(direction.z),
                    radial,
                    corners,
                );
            } else {
                corners.extend([s.radius * radial - top, s.radius * radial + top]);
            }
        }
        Shape::Cone(s) => {
            let (r, h) = (s.radius, s.half_height);
            // The side's normal leans upwards: (2h, r) in (distance from the axis, height).
            let side =
                (2.0 * h * direction.truncate().length() + r * direction.z) / r.hypot(2.0 * h);
            if -direction.z > side {
                round_face(r, -h, radial, corners);
            } else {
                corners.extend([r * radial - h * DVec3::Z, h * DVec3::Z]);
            }
        }
        Shape::ConvexHull(s) => hull_face(s, direction, corners),
        _ => corners.extend(Solid::of(shape).map(|solid| solid.farthest(direction))),
    }
}

/// A regular polygon in the rim of a disc. One corner is moved to the farthest point of the rim, the others stay on
/// the body, so that they are the same from step to step.
fn round_face(radius: f64, height: f64, radial: DVec3, corners: &mut Vec<DVec3>) {
    let step = TAU / ROUND as f64;
    let lowest = (radial.y.atan2(radial.x) / step)
        .round()
        .rem_euclid(ROUND as f64) as usize
        % ROUND;
    for k in 0..ROUND {
        let angle = step * k as f64;
        let direction = if k == lowest {
            radial
        } else {
            DVec3::new(angle.cos(), angle.sin(), 0.0)
        };
        corners.push(radius * direction + DVec3::new(0.0, 0.0, height));
    }
}

/// The flat face around the farthest corner that is nearest to level.
fn hull_face(hull: &ConvexHull, direction: DVec3, corners: &mut Vec<DVec3>) {
    let lowest = farthest(&hull.vertices, direction) as u32;
    let normal_of = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| hull.vertices[i as usize]);
        (b - a).cross(c - a).normalize_or_zero()
    };
    let Some(normal) = hull
        .triangles
        .iter()
        .filter(|t| t.contains(&lowest))
        .map(normal_of)
        .reduce(|best, n| {
            if n.dot(direction) > best.dot(direction) {
                n
            } else {
                best
            }
        })
    else {
        return;
    };
    let anchor = hull.vertices[lowest as usize];
    let tolerance = 1e-6 * hull.size();
    let start = corners.len();
    corners.extend(
        hull.vertices
            .iter()
            .filter(|&&v| normal.dot(v - anchor).abs() <= tolerance),
    );
    let face = &mut corners[start..];
    let middle = face.iter().sum::<DVec3>() / face.len() as f64;
    let x = normal.any_orthonormal_vector();
    let y = normal.cross(x);
    let angle = |p: &DVec3| y.dot(*p - middle).atan2(x.dot(*p - middle));
    face.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
}
