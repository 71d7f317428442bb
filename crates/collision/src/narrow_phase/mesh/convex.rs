//! The side of a convex shape that faces a facet, cut to the facet's outline.

use super::facets::Facet;
use super::support::facing;
use super::{Task, Touch, feature};
use glam::DVec3;

/// Rounding, relative to the lengths compared.
const ROUNDING: f64 = 1e-9;

/// Appends the points of the shape over or in the facets.
pub(in crate::narrow_phase) fn touches(task: &Task, facets: &[Facet], touches: &mut Vec<Touch>) {
    let mut outline = Vec::new();
    for facet in facets {
        outline.clear();
        facing(task.shape, task.pose.local_direction(-facet.normal), &mut outline);
        for corner in &mut outline {
            *corner = task.pose.point(*corner);
        }
        cut(&mut outline, facet);
        for (k, &corner) in outline.iter().enumerate() {
            let height = facet.height(corner);
            if height > task.envelope
                || height < -task.depth
                || (height < 0.0 && nearer_elsewhere(corner, height, facet, facets))
            {
                continue;
            }
            touches.push(Touch {
                feature: feature(facet, 8 + k.min(15)),
                foot: corner - height * facet.normal,
                outward: facet.normal,
                gap: height,
            });
        }
    }
}

/// Whether a point below a facet is nearer to another one: it left the surface's inside through that one.
fn nearer_elsewhere(point: DVec3, height: f64, facet: &Facet, facets: &[Facet]) -> bool {
    facets.iter().any(|other| {
        other.id != facet.id
            && (other.nearest(point).0 - point).length() < -height * (1.0 - ROUNDING)
    })
}

/// Cuts an outline (a polygon, a segment or a point) to the prism over a facet: one half-space after the other, keeping
/// the corners inside and the crossings.
fn cut(outline: &mut Vec<DVec3>, facet: &Facet) {
    let slack = ROUNDING * facet.length();
    for k in 0..3 {
        let (a, b) = (facet.corners[k], facet.corners[(k + 1) % 3]);
        let inward = facet.normal.cross(b - a).normalize_or_zero();
        let inside = |p: DVec3| inward.dot(p - a);
        let old = std::mem::take(outline);
        for (i, &p) in old.iter().enumerate() {
            if inside(p) >= -slack {
                outline.push(p);
            }
            // A polygon returns to its start; a segment does not.
            if i + 1 < old.len() || old.len() > 2 {
                let q = old[(i + 1) % old.len()];
                let (dp, dq) = (inside(p), inside(q));
                if (dp > slack && dq < -slack) || (dp < -slack && dq > slack) {
                    outline.push(p + dp / (dp - dq) * (q - p));
                }
            }
        }
    }
}
