//! Few points that hold a shape as well as many.

use super::Touch;
use glam::DVec3;

/// Normals with a smaller sine between them are the same.
const SAME_NORMAL: f64 = 1e-3;
/// Points nearer than this fraction of the shape's reach are the same.
const SAME_PLACE: f64 = 1e-6;
/// A region of one normal keeps at most this many points.
const MOST: usize = 4;

/// Leaves at most four points of each normal, spread as widely as possible, and no point twice.
pub(in crate::narrow_phase) fn reduce(touches: &mut Vec<Touch>, reach: f64) {
    let mut rest = std::mem::take(touches);
    while let Some(first) = rest.first().copied() {
        let same = |t: &Touch| {
            t.outward.dot(first.outward) > 0.0
                && t.outward.cross(first.outward).length() < SAME_NORMAL
        };
        let mut region: Vec<Touch> = Vec::new();
        for touch in rest.iter().filter(|t| same(t)) {
            let close = |other: &Touch| (touch.foot - other.foot).length() <= SAME_PLACE * reach;
            if !region.iter().any(close) {
                region.push(*touch);
            }
        }
        rest.retain(|t| !same(t));
        if region.len() > MOST {
            region = spread(&region, first.outward);
        }
        touches.extend(region);
    }
    touches.sort_by_key(|touch| touch.feature);
}

/// The deepest point, the one farthest from it, and the two farthest on both sides of the line through these.
fn spread(region: &[Touch], outward: DVec3) -> Vec<Touch> {
    let most = |measure: &dyn Fn(&Touch) -> f64| {
        (0..region.len()).fold(0, |best, i| {
            if measure(&region[i]) > measure(&region[best]) { i } else { best }
        })
    };
    let start = most(&|t| -t.gap);
    // Among points that are equally deep up to rounding, take one at the rim: the farthest from the deepest, and then
    // the farthest from that.
    let a = most(&|t| (t.foot - region[start].foot).length_squared());
    let b = most(&|t| (t.foot - region[a].foot).length_squared());
    let across = outward.cross(region[b].foot - region[a].foot);
    let side = |t: &Touch| across.dot(t.foot - region[a].foot);
    let c = most(&side);
    let d = most(&|t| -side(t));
    let mut chosen = vec![a, b, c, d];
    let deepest = region[start].gap;
    // The deepest point stays when it is none of these.
    if chosen.iter().all(|&i| region[i].gap > deepest) {
        chosen.push(start);
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen.into_iter().map(|i| region[i]).collect()
}
