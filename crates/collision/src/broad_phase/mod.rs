//! Pairs of bodies that may touch.

mod brute_force;

pub use brute_force::find_pairs_by_brute_force;

use crate::colliders::Colliders;

/// Finds all pairs of bodies whose grown boxes overlap, in a fixed order; keeps its storage from call to call.
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    pairs: Vec<[u32; 2]>,
}

impl BroadPhase {
    /// The pairs, the smaller index first in each; neighbours in space are neighbours in the list. The same list for
    /// any number of threads.
    pub fn find_pairs(&mut self, colliders: &Colliders) -> &[[u32; 2]] {
        self.pairs = find_pairs_by_brute_force(colliders);
        &self.pairs
    }
}
