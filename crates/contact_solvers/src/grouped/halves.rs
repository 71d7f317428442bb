//! Bodies in halves of halves, so that several threads can sweep and what each of them touches stays in its cache.
//!
//! Bodies are numbered so that neighbours in space are neighbours in number. Some consecutive bodies make a *leaf*, two neighbouring leaves
//! a node of the next level, two of these a node of the level above, and so on up to one node that holds all bodies. A contact belongs to the
//! lowest node that holds both its bodies; the contacts of a node are a *chunk*. The two halves of a node have no body in
//! common and can be swept at once; a sweep goes from the leaves to the root or back ([`super::chunks`]). Which thread takes which
//! half changes nothing, so the bits are the same for any number of threads.
//!
//! In a bed of spheres nine contacts of ten lie within leaves of a thousand, and one in a hundred, which no thread can share, at the root. The
//! bodies of a leaf stay in the nearest caches while its contacts are visited, there and back. Layers by the distance from one body in the graph
//! of contacts, of which every second can be swept at once, were tried before: the largest of a dozen layers has a fifth of all
//! contacts, and threads wait for it.

use super::BODIES_FOR_A_THREAD;
use crate::delassus::RigidContact;
use rayon::prelude::*;
use std::ops::Range;

/// Bodies of a leaf, unless a test asks for others.
const BODIES_OF_A_LEAF: usize = 1024;

/// Places of a leaf: one for each of its bodies, and one that never moves.
pub(crate) const PLACES_OF_A_LEAF: usize = BODIES_OF_A_LEAF + 1;

/// How bodies are cut into halves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Halving {
    /// Fewer contacts than this stay in one leaf. Two threads would gain from 10 000 on, but under a slab, where forces go straight through a bed in
    /// order, halves take half as many iterations again.
    pub from_contacts: usize,
    /// Bodies of a leaf.
    pub leaf: usize,
}

impl Default for Halving {
    fn default() -> Self {
        Self {
            from_contacts: 30_000,
            leaf: BODIES_OF_A_LEAF,
        }
    }
}

/// The tree of all bodies.
pub(crate) struct Halves {
    leaf: usize,
    leaves: usize,
    bodies: usize,
}

/// A node of the tree: of the leaves, level 0, or above them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Node {
    pub level: usize,
    /// Its number among those of its level.
    pub index: usize,
}

impl Halves {
    pub fn new(bodies: usize, contacts: usize, halving: Halving) -> Self {
        let leaf = match contacts < halving.from_contacts {
            true => bodies.max(1),
            false => halving.leaf,
        };
        Self {
            leaf,
            leaves: bodies.div_ceil(leaf).max(1),
            bodies,
        }
    }

    /// The level of the root.
    pub fn height(&self) -> usize {
        self.leaves.next_power_of_two().trailing_zeros() as usize
    }

    /// The place of a body. The first place of a leaf belongs to no body and never moves: it is the other side of walls.
    pub fn place(&self, body: usize) -> usize {
        body + body / self.leaf + 1
    }

    /// The body of a place, if it has one.
    pub fn body_at(&self, place: usize) -> Option<usize> {
        let (leaf, within) = (place / (self.leaf + 1), place % (self.leaf + 1));
        (within > 0).then(|| leaf * self.leaf + within - 1)
    }

    /// A value for each place: that of its body, or the default where no body is.
    pub fn by_places<T: Default + Send>(&self, value: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let of_place = |place: usize| self.body_at(place).map_or_else(T::default, &value);
        let places = (0..self.room()).into_par_iter();
        places
            .with_min_len(BODIES_FOR_A_THREAD)
            .map(of_place)
            .collect()
    }

    /// The number of places: one for each body and one for each leaf.
    pub fn room(&self) -> usize {
        self.bodies + self.leaves
    }

    /// The number of nodes, and so of chunks, some of which may be empty.
    pub fn chunks(&self) -> usize {
        let root = Node {
            level: self.height(),
            index: 0,
        };
        self.number_of(root) + 1
    }

    /// The nodes in the order of their chunks: both halves of a node come before it.
    pub fn nodes(&self) -> Vec<Node> {
        let mut nodes = Vec::with_capacity(self.chunks());
        for leaf in 0..self.leaves {
            let is_last = leaf + 1 == self.leaves;
            let mut node = Node {
                level: 0,
                index: leaf,
            };
            nodes.push(node);
            // Nodes that end with this leaf.
            while node.level < self.height() && (node.index % 2 == 1 || is_last) {
                node = Node {
                    level: node.level + 1,
                    index: node.index / 2,
                };
                nodes.push(node);
            }
        }
        nodes
    }

    /// The chunk of a node. The nodes that end with one leaf follow each other by level; a tree of m leaves has 2m − popcount(m) nodes that are whole.
    fn number_of(&self, Node { level, index }: Node) -> usize {
        let leaves_before = ((index + 1) << level).min(self.leaves) - 1;
        2 * leaves_before - leaves_before.count_ones() as usize + level
    }

    /// The places that a node touches.
    pub fn places_of(&self, Node { level, index }: Node) -> Range<usize> {
        let place = |leaf: usize| (leaf * (self.leaf + 1)).min(self.room());
        place(index << level)..place((index + 1) << level)
    }

    /// The lowest node that holds both sides of a contact.
    pub fn node_of(&self, [a, b]: [u32; 2]) -> Node {
        let (a, b) = match (a, b) {
            // A contact of two walls, if there is one, can be anywhere.
            (RigidContact::FIXED, RigidContact::FIXED) => (0, 0),
            (RigidContact::FIXED, b) => (b, b),
            (a, RigidContact::FIXED) => (a, a),
            both => both,
        };
        let (a, b) = (a as usize / self.leaf, b as usize / self.leaf);
        let level = (usize::BITS - (a ^ b).leading_zeros()) as usize;
        Node {
            level,
            index: a >> level,
        }
    }

    /// The chunk of a contact.
    pub fn chunk_of(&self, sides: [u32; 2]) -> usize {
        self.number_of(self.node_of(sides))
    }

    /// The place of a side within the places of a chunk, which begin with one that never moves.
    pub fn place_in_chunk(&self, body: u32, places: &Range<usize>) -> u32 {
        match body {
            RigidContact::FIXED => 0,
            body => (self.place(body as usize) - places.start) as u32,
        }
    }
}
