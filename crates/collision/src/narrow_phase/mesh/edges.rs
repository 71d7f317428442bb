//! Ridges and corners of a surface against a convex shape.

use super::facets::Facet;
use super::{Task, Touch, feature};
use crate::narrow_phase::support::Solid;
use crate::shapes::Bend;
use glam::DVec3;
use parry3d_f64::math::{Pose as ParryPose, Vector};
use parry3d_f64::query::details::contact_support_map_support_map;
use parry3d_f64::shape::{Segment, SupportMap};

/// How far a normal must be from that of a facet to count as a ridge's own: nearer ones belong to the facet.
const OFF_FACE: f64 = 1e-4;
/// How far the distance found may be from the one that the normal gives, in units of the shape's reach.
const CONSISTENT: f64 = 1e-6;

/// A convex shape in units of its own reach, so that the library's absolute tolerances become relative.
struct UnitShape<'a> {
    solid: Solid<'a>,
    reach: f64,
}

impl SupportMap for UnitShape<'_> {
    fn local_support_point(&self, direction: Vector) -> Vector {
        let direction = DVec3::new(direction.x, direction.y, direction.z);
        to_parry(self.solid.farthest(direction) / self.reach)
    }
}

fn to_parry(v: DVec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

/// Appends the contacts of ridges and corners where the normal is between those of the facets around.
pub(in crate::narrow_phase) fn touches(task: &Task, facets: &[Facet], touches: &mut Vec<Touch>) {
    let Some(solid) = Solid::of(task.shape) else {
        return;
    };
    let unit = UnitShape {
        solid,
        reach: task.shape.reach(),
    };
    for facet in facets {
        for k in 0..3 {
            let ends = [k, (k + 1) % 3];
            let ridge_ends = ends.map(|end| facet.vertices[end]);
            let seen_elsewhere = || {
                facets.iter().any(|other| {
                    other.id != facet.id && ridge_ends.iter().all(|v| other.vertices.contains(v))
                })
            };
            // Each ridge is seen from both sides, unless one is left out; the side that goes from the smaller to the
            // larger corner counts.
            if facet.bends[k] == Bend::Convex
                && (ridge_ends[0] < ridge_ends[1] || !seen_elsewhere())
                && let Some(touch) = ridge(task, &unit, facets, facet, k)
            {
                touches.push(touch);
            }
        }
    }
}

fn ridge(
    task: &Task,
    unit: &UnitShape,
    facets: &[Facet],
    facet: &Facet,
    k: usize,
) -> Option<Touch> {
    let reach = unit.reach;
    let (a, b) = (facet.corners[k], facet.corners[(k + 1) % 3]);
    let [start, end] = [a, b].map(|p| task.pose.local_point(p) / reach);
    let middle = 0.5 * (start + end);
    let segment = Segment::new(to_parry(start - middle), to_parry(end - middle));
    let place = ParryPose::from_translation(to_parry(middle));
    let found = contact_support_map_support_map(&place, unit, &segment, task.envelope / reach)?;
    let normal = DVec3::new(found.normal1.x, found.normal1.y, found.normal1.z);
    // Any normal gives a distance, the right one the largest; a wrong one shows by not giving what was promised.
    let along = |p: DVec3| normal.dot(p);
    let gap = along(start).min(along(end)) - along(unit.solid.farthest(normal) / reach);
    if !normal.is_finite() || (gap - found.dist).abs() > CONSISTENT {
        return None;
    }
    let gap = gap * reach;
    if gap > task.envelope || gap < -task.depth {
        return None;
    }
    let foot = DVec3::new(found.point2.x, found.point2.y, found.point2.z) + middle;
    let foot = task.pose.point(foot * reach);
    let outward = -task.pose.direction(normal);
    let t = (foot - a).dot(b - a) / (b - a).length_squared();
    let slot = if t < CONSISTENT {
        corner(facets, facet.vertices[k], outward).then_some(k)?
    } else if t > 1.0 - CONSISTENT {
        let end = (k + 1) % 3;
        corner(facets, facet.vertices[end], outward).then_some(end)?
    } else {
        between(outward, facet.normal, facet.across[k]).then_some(3 + k)?
    };
    Some(Touch {
        feature: feature(facet, 48 + slot),
        foot,
        outward,
        gap,
    })
}

/// Whether a normal lies strictly between two others: m = α m₁ + β m₂ with α, β > 0, by the sines of the angles.
fn between(outward: DVec3, one: DVec3, two: DVec3) -> bool {
    let axis = one.cross(two).normalize_or_zero();
    axis.dot(one.cross(outward)) > OFF_FACE && axis.dot(outward.cross(two)) > OFF_FACE
}

/// Whether the surface falls away on all sides of a corner, seen along a normal, and no facet there has this normal.
fn corner(facets: &[Facet], vertex: u32, outward: DVec3) -> bool {
    facets
        .iter()
        .filter_map(|f| (0..3).find(|&k| f.vertices[k] == vertex).map(|k| (f, k)))
        .all(|(f, k)| {
            let falls = |other: usize| {
                let edge = f.corners[other % 3] - f.corners[k];
                outward.dot(edge) <= OFF_FACE * edge.length()
            };
            falls(k + 1) && falls(k + 2) && outward.cross(f.normal).length() > OFF_FACE
        })
}
