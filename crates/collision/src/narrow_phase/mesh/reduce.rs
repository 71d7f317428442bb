//! Few points that hold a shape as well as many.

use super::Touch;
use glam::DVec3;

/// Normals with a smaller sine between them are the same.
const SAME_NORMAL: f64 = 1e-3;
/// Points nearer than this fraction of the shape's reach are the same.
const SAME_PLACE: f64 = 1e-6;
/// A region of one normal with more points than this is thinned out.
const MOST: usize = 4;

/// Leaves at most four points of each normal, spread as widely as possible, and the deepest one; no point twice.
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
            region = spread(&region, first.outward, reach);
        }
        touches.extend(region);
    }
    touches.sort_by_key(|touch| touch.feature);
    // Faces of very many corners run out of slots: the later point takes the next free number.
    for i in 1..touches.len() {
        touches[i].feature = touches[i]
            .feature
            .max(touches[i - 1].feature.saturating_add(1));
    }
}

/// The deepest point, the one farthest from it, and the two farthest on both sides of the line through these; the
/// latter only if the points do not all lie on the line.
fn spread(region: &[Touch], outward: DVec3, reach: f64) -> Vec<Touch> {
    // The first of several that are equal up to rounding, so that rounding does not choose.
    let most = |measure: &dyn Fn(&Touch) -> f64, margin: f64| {
        (0..region.len()).fold(0, |best, i| {
            if measure(&region[i]) > measure(&region[best]) + margin {
                i
            } else {
                best
            }
        })
    };
    let margin = SAME_PLACE * reach;
    let deepest = most(&|t| -t.gap, margin);
    let distance = |t: &Touch, i: usize| (t.foot - region[i].foot).length();
    // The deepest point may be in the middle; what is farthest from it is at the rim.
    let a = most(&|t| distance(t, deepest), margin);
    let b = most(&|t| distance(t, a), margin);
    let across = outward
        .cross(region[b].foot - region[a].foot)
        .normalize_or_zero();
    let side = |t: &Touch| across.dot(t.foot - region[a].foot);
    let mut chosen = vec![a, b];
    let sides = [most(&side, margin), most(&|t| -side(t), margin)];
    chosen.extend(sides.iter().filter(|&&i| side(&region[i]).abs() > margin));
    if chosen
        .iter()
        .all(|&i| region[i].gap > region[deepest].gap + margin)
    {
        chosen.push(deepest);
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen.into_iter().map(|i| region[i]).collect()
}
