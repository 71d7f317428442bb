//! The side of a convex shape that faces a facet, cut to the facet's outline.

use super::facets::Facet;
use super::facing::facing;
use super::{Task, Touch, feature};
use glam::DVec3;

/// Rounding, relative to the lengths compared.
const ROUNDING: f64 = 1e-9;

/// Slots of features: first the corners of the shape's face, then the crossings with the facet's edges.
const CORNER: usize = 8;
const CROSSING: usize = 40;

/// A point of the outline and its slot.
type Labelled = (usize, DVec3);

/// Appends the points of the shape over or in the facets.
pub(in crate::narrow_phase) fn touches(task: &Task, facets: &[Facet], touches: &mut Vec<Touch>) {
    let mut face = Vec::new();
    for facet in facets {
        face.clear();
        facing(
            task.shape,
            task.pose.local_direction(-facet.normal),
            &mut face,
        );
        let mut outline: Vec<Labelled> = face
            .iter()
            .enumerate()
            .map(|(k, &corner)| (CORNER + k % (CROSSING - CORNER), task.pose.point(corner)))
            .collect();
        cut(&mut outline, facet);
        for (slot, corner) in outline {
            let height = facet.height(corner);
            if height > task.envelope
                || height < -task.depth
                || (height < 0.0 && nearer_elsewhere(corner, height, facet, facets))
            {
                continue;
            }
            touches.push(Touch {
                feature: feature(facet, slot),
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
fn cut(outline: &mut Vec<Labelled>, facet: &Facet) {
    let slack = ROUNDING * facet.length();
    for k in 0..3 {
        let (a, b) = (facet.corners[k], facet.corners[(k + 1) % 3]);
        let inward = facet.normal.cross(b - a).normalize_or_zero();
        let inside = |p: DVec3| inward.dot(p - a);
        let old = std::mem::take(outline);
        for (i, &(slot, p)) in old.iter().enumerate() {
            if inside(p) >= -slack {
                outline.push((slot, p));
            }
            // A polygon returns to its start; a segment does not.
            if i + 1 < old.len() || old.len() > 2 {
                let q = old[(i + 1) % old.len()].1;
                let (dp, dq) = (inside(p), inside(q));
                if (dp > slack && dq < -slack) || (dp < -slack && dq > slack) {
                    // A line leaves a convex outline once and enters it once.
                    let slot = CROSSING + 2 * k + usize::from(dp < 0.0);
                    outline.push((slot, p + dp / (dp - dq) * (q - p)));
                }
            }
        }
    }
}
