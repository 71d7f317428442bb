//! Every body against every other: the truth that the fast search is tested against.

use super::holds_a_point;
use crate::bounds::Bounds;
use crate::colliders::Colliders;

/// All pairs whose grown boxes overlap, in rising order.
pub fn find_pairs_by_brute_force(colliders: &Colliders) -> Vec<[u32; 2]> {
    let bounds: Vec<_> = (0..colliders.len()).map(|i| colliders.bounds(i)).collect();
    find_overlaps_by_brute_force(&bounds, |a, b| colliders.may_touch(a, b))
}

/// All pairs of boxes that overlap and that `may_touch` lets pass, in rising order.
pub fn find_overlaps_by_brute_force(
    bounds: &[Bounds],
    may_touch: impl Fn(u32, u32) -> bool,
) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    for a in 0..bounds.len() {
        for b in a + 1..bounds.len() {
            if holds_a_point(&bounds[a])
                && holds_a_point(&bounds[b])
                && bounds[a].overlaps(&bounds[b])
                && may_touch(a as u32, b as u32)
            {
                pairs.push([a as u32, b as u32]);
            }
        }
    }
    pairs
}
