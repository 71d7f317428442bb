//! Every body against every other: the truth that the fast search is tested against.

use crate::colliders::Colliders;

/// All pairs whose grown boxes overlap, in rising order.
pub fn find_pairs_by_brute_force(colliders: &Colliders) -> Vec<[u32; 2]> {
    let bounds: Vec<_> = (0..colliders.len()).map(|i| colliders.bounds(i)).collect();
    let mut pairs = Vec::new();
    for a in 0..bounds.len() {
        for b in a + 1..bounds.len() {
            if bounds[a].overlaps(&bounds[b]) && colliders.may_touch(a as u32, b as u32) {
                pairs.push([a as u32, b as u32]);
            }
        }
    }
    pairs
}
