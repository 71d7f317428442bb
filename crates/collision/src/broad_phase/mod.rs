//! Pairs of bodies that may touch.
//!
//! Bodies are sorted along a Morton curve and every eight in a row share a block; eight blocks share a node, and so on
//! up: a tree of boxes without pointers. Each block descends the tree once for its eight bodies and looks only at
//! blocks after itself. Bodies of very different size live in trees of their own, the smaller ones searching those of
//! the larger, so that a slab does not widen the boxes of the grains around it. Boxes in the trees are in single
//! precision, rounded outwards; for a list, what passes is tested in double precision, so the list is exact.
//!
//! Measured on one thread of a shared AMD EPYC (`benches/broad_phase.rs`, best of four or more; runs differ by up to 40 %).
//! Spheres are placed at random, filling 60 %, with 4.8 pairs and 2.5 contacts each:
//!
//! | scene                               | ns a body | ns a pair | 2 threads, ns a pair |
//! |-------------------------------------|----------:|----------:|---------------------:|
//! | 10⁴ equal spheres                   |       325 |        72 |                   71 |
//! | 10⁵                                 |       421 |        90 |                   91 |
//! | 10⁶                                 |       691 |       144 |                   74 |
//! | 10⁶, numbered in Morton order       |       378 |        79 |                   42 |
//! | 10⁶ on one slab                     |       649 |       135 |                   67 |
//! | 10⁶, 300 of them ten times larger   |       736 |       142 |                   73 |
//! | 10⁶, one of them 10⁹ diameters away |       716 |       150 |                   78 |
//! | 10⁶, a thousand times further apart |       274 |         – |                    – |
//! | 2.5 · 10⁵, sizes 1 : 10             |       490 |       144 |                   73 |
//! | 2.5 · 10⁵, sizes 1 : 1000           |       503 |       240 |                  115 |
//!
//! Kept storage: 95 bytes a body (48 box, 27 tree, 12 key and order, the rest lists of bodies), the pairs of four pieces of
//! 1024 bodies for each thread, and 8 bytes a pair if a list of them is made.
//!
//! One tree for all sizes was tried: equal within the noise on these scenes, but each of many slabs would widen a block
//! of grains that every search then opens. Classes of a factor 4 or 2 seemed slower on sizes 1 : 1000, with more trees
//! to descend. A grid of cells was not tried: it needs a table of cells, of levels for the sizes and of neighbours
//! across them, and its cells are too many or too full where a crowd has a straggler.

mod brute_force;
mod order;
mod tree;

pub use brute_force::{find_overlaps_by_brute_force, find_pairs_by_brute_force};

use crate::bounds::Bounds;
use crate::colliders::Colliders;
use glam::DVec3;
use order::SpatialOrder;
use rayon::prelude::*;
use tree::{NO_BODY, Tree, WIDTH};

/// Bodies of one class differ in size by at most 2 to this power (but for the last class).
const CLASS_LOG2: u64 = 3;

/// Trees at most: one for unbounded boxes, the rest for classes of size from the largest body down; the last holds all
/// that is smaller still.
const CLASSES: usize = 16;

/// Places in Morton order that are searched as one piece. Fixed, so that the list does not depend on threads.
const CHUNK: usize = 1024;

/// Pieces for each thread that are searched before their pairs are handed on: enough to share the work out evenly, and
/// so few that bodies are still in the cache when their contacts are looked for.
const CHUNKS_PER_THREAD: usize = 4;

/// Finds all pairs of bodies whose grown boxes overlap, in a fixed order; keeps its storage from call to call.
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    bounds: Vec<Bounds>,
    order: SpatialOrder,
    classes: Vec<u8>,
    trees: Vec<Tree>,
    found: Vec<Vec<[u32; 2]>>,
    pairs: Vec<[u32; 2]>,
}

impl BroadPhase {
    /// The pairs, the smaller index first in each; neighbours in space are neighbours in the list. The same list for
    /// any number of threads.
    pub fn find_pairs(&mut self, colliders: &Colliders) -> &[[u32; 2]] {
        self.find_bounds(colliders);
        self.list_pairs(
            |body| colliders.poses[body].position,
            |a, b| colliders.may_touch(a, b),
        )
    }

    /// The same pairs in the same order, some pieces at a time: whoever needs each of them once need not hold them all,
    /// and finds the bodies of a pair still in the cache. Now and then there is one more, whose boxes are so little apart
    /// that single precision does not tell: to look at the boxes once more would cost more than to look for its contacts.
    pub fn visit_pairs(&mut self, colliders: &Colliders, visit: impl FnMut(&[Vec<[u32; 2]>])) {
        self.find_bounds(colliders);
        let any_group = colliders.all_groups_meet();
        let passes = |_: &[Bounds], a: u32, b: u32| match any_group {
            true => colliders.may_touch_in_any_group(a, b),
            false => colliders.may_touch(a, b),
        };
        self.search(|body| colliders.poses[body].position, passes, visit);
    }

    /// The pairs of boxes that overlap and that `may_touch` lets pass, in the same order.
    pub fn find_overlaps(
        &mut self,
        bounds: &[Bounds],
        may_touch: impl Fn(u32, u32) -> bool + Sync,
    ) -> &[[u32; 2]] {
        self.bounds.clear();
        self.bounds.extend_from_slice(bounds);
        self.list_pairs(|_| DVec3::NAN, may_touch)
    }

    fn find_bounds(&mut self, colliders: &Colliders) {
        (0..colliders.len())
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(|body| colliders.bounds(body))
            .collect_into_vec(&mut self.bounds);
    }

    /// Searches, tests what is found in double precision, and lists it.
    fn list_pairs(
        &mut self,
        position: impl Fn(usize) -> DVec3 + Sync,
        may_touch: impl Fn(u32, u32) -> bool + Sync,
    ) -> &[[u32; 2]] {
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.clear();
        let overlap = |bounds: &[Bounds], a: u32, b: u32| {
            bounds[a as usize].overlaps(&bounds[b as usize]) && may_touch(a, b)
        };
        let visit = |pieces: &[Vec<[u32; 2]>]| pairs.extend(pieces.iter().flatten());
        self.search(position, overlap, visit);
        self.pairs = pairs;
        &self.pairs
    }

    /// The pairs of the last search that made a list of them.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// All bodies in Morton order, as of the last search: numbered so, neighbours in space are neighbours in memory.
    pub fn order(&self) -> &[u32] {
        self.order.bodies()
    }

    /// Gives back the room of all that every search computes anew, but for the order of the bodies.
    pub fn forget_all_but_order(&mut self) {
        let mut order = std::mem::take(&mut self.order);
        order.forget_keys();
        *self = Self {
            order,
            ..Self::default()
        };
    }

    /// Bytes of storage that are kept, without the list of pairs.
    pub fn bytes(&self) -> usize {
        size_of::<Bounds>() * self.bounds.capacity()
            + self.order.bytes()
            + self.classes.capacity()
            + self.trees.iter().map(Tree::bytes).sum::<usize>()
            + 8 * self.found.iter().map(Vec::capacity).sum::<usize>()
    }

    /// Visits the pairs whose boxes overlap in single precision and that `passes` takes. Bodies whose box has no middle count
    /// as being at `position`.
    fn search(
        &mut self,
        position: impl Fn(usize) -> DVec3 + Sync,
        passes: impl Fn(&[Bounds], u32, u32) -> bool + Sync,
        mut visit: impl FnMut(&[Vec<[u32; 2]>]),
    ) {
        let bounds = &self.bounds;
        self.order.sort(bounds.len(), |body| {
            let centre = bounds[body].centre();
            if centre.is_finite() {
                centre
            } else {
                position(body)
            }
        });
        self.plant_trees();
        let at_once = CHUNKS_PER_THREAD * rayon::current_num_threads();
        self.found.resize(at_once, Vec::new());
        let chunks = self.bounds.len().div_ceil(CHUNK);
        for start in (0..chunks).step_by(at_once) {
            let (trees, bounds) = (&self.trees, &self.bounds);
            self.found
                .par_iter_mut()
                .enumerate()
                .for_each(|(i, found)| {
                    found.clear();
                    let first = CHUNK * (start + i);
                    let passes = |a: u32, b: u32| passes(bounds, a, b);
                    search_places(trees, first..first + CHUNK, &passes, found);
                });
            visit(&self.found);
        }
    }

    /// Sorts the bodies into trees by their size.
    fn plant_trees(&mut self) {
        let bounds = &self.bounds;
        let size = |body: usize| bounds[body].extent().max_element();
        let largest = (0..bounds.len())
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(size)
            .filter(|size| size.is_finite())
            .reduce(|| 0.0, f64::max);
        let order = self.order.bodies();
        bounds
            .par_iter()
            .with_min_len(CHUNK)
            .map(|bounds| class_of(bounds, largest))
            .collect_into_vec(&mut self.classes);

        self.trees.resize(CLASSES, Tree::default());
        self.trees.iter_mut().for_each(Tree::clear);
        for (rank, &body) in order.iter().enumerate() {
            let class = self.classes[body as usize];
            if class != NO_CLASS {
                self.trees[class as usize].push(body, rank as u32);
            }
        }
        // Single precision is finest near its origin; the middle of the list is among the crowd, which the middle of
        // the domain need not be.
        let origin = order
            .get(order.len() / 2)
            .map(|&body| bounds[body as usize].centre())
            .filter(|centre| centre.is_finite())
            .unwrap_or(DVec3::ZERO);
        for tree in &mut self.trees {
            tree.build(bounds, origin);
        }
    }
}

/// The class of a body that cannot touch.
const NO_CLASS: u8 = u8::MAX;

/// The tree that a box belongs to: 0 for unbounded ones, then from large to small.
fn class_of(bounds: &Bounds, largest: f64) -> u8 {
    if !holds_a_point(bounds) {
        return NO_CLASS;
    }
    let size = bounds.extent().max_element();
    if !size.is_finite() {
        return 0;
    }
    // The exponent of the ratio is the whole part of its logarithm. No size at all gives an infinite ratio or NaN, whose
    // exponents are the highest: the class of the smallest.
    let exponent = ((largest / size).to_bits() >> 52 & 0x7ff).saturating_sub(1023);
    (1 + exponent / CLASS_LOG2).min(CLASSES as u64 - 1) as u8
}

/// Whether there is a point in the box; not if a coordinate is NaN. [`Bounds::overlaps`] alone would let an empty box
/// overlap an unbounded one.
fn holds_a_point(bounds: &Bounds) -> bool {
    bounds.lower.cmple(bounds.upper).all()
}

/// Appends the pairs of all blocks that begin at these places of the Morton order, if `passes` takes them: each block with
/// later ones of its own tree and with all of the trees of larger bodies.
fn search_places(
    trees: &[Tree],
    places: std::ops::Range<usize>,
    passes: &impl Fn(u32, u32) -> bool,
    found: &mut Vec<[u32; 2]>,
) {
    for (class, tree) in trees.iter().enumerate() {
        let begin = tree.ranks.partition_point(|&r| (r as usize) < places.start);
        let end = tree.ranks.partition_point(|&r| (r as usize) < places.end);
        for leaf in begin..end {
            let block = &tree.leaves()[leaf];
            let bodies = &tree.bodies[WIDTH * leaf..][..WIDTH];
            let queries: [_; WIDTH] = std::array::from_fn(|lane| block.query(lane));
            let leaf_box = tree.leaf_box(leaf);
            for (other_class, other) in trees[..=class].iter().enumerate() {
                let same_tree = other_class == class;
                let from = if same_tree { leaf } else { 0 };
                other.for_each_leaf(&leaf_box, from, &mut |other_leaf, other_box| {
                    let other_block = &other.leaves()[other_leaf];
                    let other_bodies = &other.bodies[WIDTH * other_leaf..][..WIDTH];
                    let same_leaf = same_tree && other_leaf == leaf;
                    let mut near = block.overlaps(other_box);
                    while near != 0 {
                        let lane = near.trailing_zeros() as usize;
                        near &= near - 1;
                        let mut hits = other_block.overlaps(&queries[lane]);
                        if same_leaf {
                            hits &= u32::MAX << (lane + 1);
                        }
                        let a = bodies[lane];
                        while hits != 0 {
                            let b = other_bodies[hits.trailing_zeros() as usize];
                            hits &= hits - 1;
                            debug_assert!(a != NO_BODY && b != NO_BODY);
                            if passes(a, b) {
                                found.push([a.min(b), a.max(b)]);
                            }
                        }
                    }
                });
            }
        }
    }
}
