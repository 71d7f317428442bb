//! Bodies in halves of halves, so that several threads can sweep and what each of them touches stays in its cache.
//!
//! Bodies are numbered so that neighbours in space are neighbours in number. Some consecutive bodies make a *leaf*, two neighbouring leaves
//! a node of the next level, two of these a node of the level above, and so on up to one node that holds all bodies. A contact belongs to the
//! lowest node that holds both its bodies; the contacts of a node are a *chunk*. Chunks of one level have no body in
//! common and can be swept at once; a sweep goes level by level, from the leaves to the root or back. Which thread takes which
//! chunk changes nothing, so the bits are the same for any number of threads.
//!
//! In a bed of spheres nine contacts of ten lie within leaves of a thousand, and one in a hundred, which no thread can share, at the root. The
//! bodies of a leaf stay in the nearest caches while its contacts are visited, there and back. Layers by the distance from one body in the graph
//! of contacts, of which every second can be swept at once, were tried before: the largest of a dozen layers has a fifth of all
//! contacts, and threads wait for it.

use super::BODIES_FOR_A_THREAD;
use super::arms::Body;
use super::lanes::Vector;
use crate::delassus::RigidContact;
use rayon::prelude::*;
use std::ops::Range;

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
            leaf: 1024,
        }
    }
}

/// Groups below which a part of a round is not worth a second thread.
const GROUPS_OF_A_TASK: usize = 128;

/// The tree of all bodies. Chunks are numbered level by level, the leaves first.
pub(crate) struct Halves {
    leaf: usize,
    leaves: usize,
    bodies: usize,
    /// The first chunk of each level, and the number of chunks.
    levels: Vec<usize>,
}

/// Contacts that one node holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chunk {
    pub groups: Range<usize>,
    /// How many contacts the groups hold.
    pub contacts: usize,
    /// The places of the bodies of the node.
    pub bodies: Range<usize>,
}

impl Halves {
    pub fn new(bodies: usize, contacts: usize, halving: Halving) -> Self {
        let leaf = match contacts < halving.from_contacts {
            true => bodies.max(1),
            false => halving.leaf,
        };
        let leaves = bodies.div_ceil(leaf).max(1);
        let (mut levels, mut nodes) = (vec![0, leaves], leaves);
        while nodes > 1 {
            nodes = nodes.div_ceil(2);
            levels.push(levels[levels.len() - 1] + nodes);
        }
        Self {
            leaf,
            leaves,
            bodies,
            levels,
        }
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

    /// The number of chunks, some of which may be empty.
    pub fn chunks(&self) -> usize {
        self.levels[self.levels.len() - 1]
    }

    /// The chunks of each level.
    fn rounds(&self) -> Vec<Range<usize>> {
        self.levels.windows(2).map(|w| w[0]..w[1]).collect()
    }

    /// The places that a chunk touches.
    pub fn places_of_chunk(&self, chunk: usize) -> Range<usize> {
        let level = self.levels.partition_point(|first| *first <= chunk) - 1;
        let node = chunk - self.levels[level];
        let place = |leaf: usize| (leaf * (self.leaf + 1)).min(self.room());
        place(node << level)..place((node + 1) << level)
    }

    /// The chunk of a contact.
    pub fn chunk_of(&self, [a, b]: [u32; 2]) -> usize {
        let (a, b) = match (a, b) {
            // A contact of two walls, if there is one, can be anywhere.
            (RigidContact::FIXED, RigidContact::FIXED) => (0, 0),
            (RigidContact::FIXED, b) => (b, b),
            (a, RigidContact::FIXED) => (a, a),
            both => both,
        };
        let (a, b) = (a as usize / self.leaf, b as usize / self.leaf);
        let level = (usize::BITS - (a ^ b).leading_zeros()) as usize;
        self.levels[level] + (a >> level)
    }

    /// The place of a side within the places of a chunk, which begin with one that never moves.
    pub fn place_in_chunk(&self, body: u32, places: &Range<usize>) -> u32 {
        match body {
            RigidContact::FIXED => 0,
            body => (self.place(body as usize) - places.start) as u32,
        }
    }
}

/// The chunks, level by level.
#[derive(Debug)]
pub(crate) struct Chunks {
    chunks: Vec<Chunk>,
    rounds: Vec<Range<usize>>,
}

/// What threads find is added up in an order that the chunks alone decide.
pub(crate) trait Found: Default + Send {
    fn add(self, other: Self) -> Self;
}

impl Found for () {
    fn add(self, _: Self) {}
}

impl Found for f64 {
    fn add(self, other: Self) -> Self {
        self + other
    }
}

impl<A: Found, B: Found> Found for (A, B) {
    fn add(self, other: Self) -> Self {
        (self.0.add(other.0), self.1.add(other.1))
    }
}

/// One array or several with an entry for each body or each group, which threads share out among each other.
trait Shared: Send + Sized {
    fn split_at(self, middle: usize) -> (Self, Self);
}

impl<T: Send> Shared for &mut [T] {
    fn split_at(self, middle: usize) -> (Self, Self) {
        self.split_at_mut(middle)
    }
}

impl<T: Send> Shared for [&mut [T]; 2] {
    fn split_at(self, middle: usize) -> (Self, Self) {
        let [a, b] = self;
        let ((a, a_end), (b, b_end)) = (a.split_at_mut(middle), b.split_at_mut(middle));
        ([a, b], [a_end, b_end])
    }
}

impl Chunks {
    /// The chunks of a tree, with the numbers of groups and contacts of each.
    pub fn new(halves: &Halves, sizes: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut first = 0;
        let chunk = |(chunk, (groups, contacts)): (usize, (usize, usize))| {
            first += groups;
            Chunk {
                groups: first - groups..first,
                contacts,
                bodies: halves.places_of_chunk(chunk),
            }
        };
        Self {
            chunks: sizes.enumerate().map(chunk).collect(),
            rounds: halves.rounds(),
        }
    }

    /// The chunk that a group belongs to.
    pub fn of_group(&self, group: usize) -> &Chunk {
        let index = self
            .chunks
            .partition_point(|chunk| chunk.groups.end <= group);
        &self.chunks[index]
    }

    /// Calls `work` for each chunk, with its bodies and its part of `impulses`; level by level, from the leaves to the root if
    /// `forward`.
    pub fn change<F: Found>(
        &self,
        forward: bool,
        bodies: &mut [Body],
        impulses: &mut [Vector],
        work: impl Fn(&Chunk, &mut [Body], &mut [Vector]) -> F + Sync,
    ) -> F {
        let last = self.rounds.len() - 1;
        (0..=last).fold(F::default(), |found, k| {
            let level = if forward { k } else { last - k };
            found.add(self.change_level(level, &mut *bodies, &mut *impulses, &work))
        })
    }

    /// Calls `work` twice for each chunk: from the root to the leaves and, which the first argument says, back. A leaf has both calls one after
    /// the other.
    pub fn change_twice<F: Found>(
        &self,
        bodies: &mut [Body],
        impulses: &mut [Vector],
        work: impl Fn(bool, &Chunk, &mut [Body], &mut [Vector]) -> F + Sync,
    ) -> F {
        let there = |chunk: &Chunk, bodies: &mut [Body], part: &mut [Vector]| {
            work(false, chunk, bodies, part)
        };
        let back = |chunk: &Chunk, bodies: &mut [Body], part: &mut [Vector]| {
            work(true, chunk, bodies, part)
        };
        let turn = |chunk: &Chunk, bodies: &mut [Body], part: &mut [Vector]| {
            there(chunk, bodies, part).add(back(chunk, bodies, part))
        };
        let mut found = F::default();
        for level in (1..self.rounds.len()).rev() {
            found = found.add(self.change_level(level, &mut *bodies, &mut *impulses, &there));
        }
        found = found.add(self.change_level(0, &mut *bodies, &mut *impulses, &turn));
        for level in 1..self.rounds.len() {
            found = found.add(self.change_level(level, &mut *bodies, &mut *impulses, &back));
        }
        found
    }

    /// Calls `work` for each chunk, with its bodies and its part of two arrays of groups, and says whether it is a leaf; level by
    /// level, from the leaves to the root.
    pub fn change_from_leaves<F: Found>(
        &self,
        bodies: &mut [Body],
        [one, other]: [&mut [Vector]; 2],
        work: impl Fn(bool, &Chunk, &mut [Body], [&mut [Vector]; 2]) -> F + Sync,
    ) -> F {
        (0..self.rounds.len()).fold(F::default(), |found, level| {
            let of_groups = [&mut *one, &mut *other];
            let work = |chunk: &Chunk, bodies: &mut [Body], part: [&mut [Vector]; 2]| {
                work(level == 0, chunk, bodies, part)
            };
            found.add(self.change_level(level, &mut *bodies, of_groups, &work))
        })
    }

    fn change_level<F: Found, B: Shared, G: Shared>(
        &self,
        level: usize,
        bodies: B,
        of_groups: G,
        work: &(impl Fn(&Chunk, B, G) -> F + Sync),
    ) -> F {
        let round = &self.chunks[self.rounds[level].clone()];
        let (_, of_groups) = of_groups.split_at(round[0].groups.start);
        change_round(round, bodies, of_groups, work)
    }

    /// Calls `work` for each chunk, with its part of an array that has one entry for each contact, in the order of the groups.
    pub fn fill<T: Send>(&self, mut array: &mut [T], work: impl Fn(&Chunk, &mut [T]) + Sync) {
        let mut parts = Vec::with_capacity(self.chunks.len());
        for chunk in &self.chunks {
            let (part, rest) = array.split_at_mut(chunk.contacts);
            parts.push((chunk, part));
            array = rest;
        }
        parts
            .into_par_iter()
            .for_each(|(chunk, part)| work(chunk, part));
    }

    /// Calls `work` for each chunk.
    pub fn look<F: Found>(&self, work: impl Fn(&Chunk) -> F + Sync) -> F {
        look_at(&self.chunks, &work)
    }
}

/// The groups of chunks that follow each other.
fn groups_of(chunks: &[Chunk]) -> usize {
    chunks[chunks.len() - 1].groups.end - chunks[0].groups.start
}

/// Does both, at once if they are worth it.
fn both<A: Send, B: Send>(
    groups: usize,
    left: impl FnOnce() -> A + Send,
    right: impl FnOnce() -> B + Send,
) -> (A, B) {
    match groups < GROUPS_OF_A_TASK {
        true => (left(), right()),
        false => rayon::join(left, right),
    }
}

fn change_round<F: Found, B: Shared, G: Shared>(
    round: &[Chunk],
    bodies: B,
    of_groups: G,
    work: &(impl Fn(&Chunk, B, G) -> F + Sync),
) -> F {
    match round {
        [] => F::default(),
        [one] => {
            let (bodies, _) = bodies.split_at(one.bodies.len());
            let (of_groups, _) = of_groups.split_at(one.groups.len());
            work(one, bodies, of_groups)
        }
        [first, ..] => {
            let (left, right) = round.split_at(round.len() / 2);
            let (b, g) = (right[0].bodies.start, right[0].groups.start);
            let (bodies_left, bodies_right) = bodies.split_at(b - first.bodies.start);
            let (groups_left, groups_right) = of_groups.split_at(g - first.groups.start);
            let (a, b) = both(
                groups_of(round),
                || change_round(left, bodies_left, groups_left, work),
                || change_round(right, bodies_right, groups_right, work),
            );
            a.add(b)
        }
    }
}

fn look_at<F: Found>(chunks: &[Chunk], work: &(impl Fn(&Chunk) -> F + Sync)) -> F {
    match chunks {
        [] => F::default(),
        [one] => work(one),
        _ => {
            let (left, right) = chunks.split_at(chunks.len() / 2);
            let groups = groups_of(chunks);
            let (a, b) = both(groups, || look_at(left, work), || look_at(right, work));
            a.add(b)
        }
    }
}
