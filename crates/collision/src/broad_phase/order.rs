//! Bodies in Morton order.

use super::tree::WIDTH;
use crate::bounds::Bounds;
use crate::morton::{BITS, Cells};
use glam::DVec3;
use rayon::prelude::*;

/// Sorts bodies along a Morton curve; keeps its storage from call to call.
///
/// A key is a Morton code above the index of its body, 8 bytes together: all keys differ, so any sort gives the same
/// order on any number of threads. A million bodies leave 14 bits an axis for the code. Where that is too coarse (a
/// crowd far from a lone straggler), bodies with equal codes are sorted again by cells of their own box. Rejected: codes
/// of 63 bits beside the index, 16 bytes a key and a slower sort, and still too coarse for a far enough straggler.
#[derive(Clone, Debug, Default)]
pub(super) struct SpatialOrder {
    keys: Vec<u64>,
    bodies: Vec<u32>,
}

impl SpatialOrder {
    /// Sorts `count` bodies by their places. Bodies whose codes agree are in rising order if there are few.
    pub fn sort(&mut self, count: usize, place: impl Fn(usize) -> DVec3 + Sync) {
        let index_bits = u64::BITS - (count as u64).leading_zeros();
        self.keys.clear();
        self.keys.extend(0..count as u64);
        sort_keys(&mut self.keys, index_bits, &place);
        let mask = (1 << index_bits) - 1;
        self.bodies.clear();
        self.bodies
            .par_extend(self.keys.par_iter().map(|key| (key & mask) as u32));
    }

    /// The bodies in order.
    pub fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// Gives back the room of the keys.
    pub fn forget_keys(&mut self) {
        self.keys = Vec::new();
    }

    /// Bytes of the storage that is kept.
    pub fn bytes(&self) -> usize {
        8 * self.keys.capacity() + 4 * self.bodies.capacity()
    }
}

/// Sorts keys whose lowest `index_bits` are indices of bodies; the bits above are overwritten.
fn sort_keys(keys: &mut [u64], index_bits: u32, place: &(impl Fn(usize) -> DVec3 + Sync)) {
    let mask = (1 << index_bits) - 1;
    let domain = keys
        .par_iter()
        .with_min_len(1024)
        .map(|key| place((key & mask) as usize))
        .filter(|point| point.is_finite())
        .map(|point| Bounds {
            lower: point,
            upper: point,
        })
        .reduce(|| Bounds::EMPTY, |a, b| a.union(&b));
    let cells = Cells::new(&domain);
    let bits_per_axis = BITS.min((u64::BITS - index_bits) / 3);
    let dropped = 3 * (BITS - bits_per_axis);
    keys.par_iter_mut().with_min_len(1024).for_each(|key| {
        let body = *key & mask;
        *key = cells.code(place(body as usize)) >> dropped << index_bits | body;
    });
    keys.par_sort_unstable();

    // Order within one block of the tree is of no use. A run as long as the whole has nothing to tell it apart: bodies
    // in one point, or too far from each other for their distance to be a number.
    let all = keys.len();
    keys.par_chunk_by_mut(|a, b| a >> index_bits == b >> index_bits)
        .filter(|run| run.len() > WIDTH && run.len() < all)
        .for_each(|run| sort_keys(run, index_bits, place));
}
