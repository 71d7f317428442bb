//! The contacts of each node of the tree of bodies, and the ways through the tree.
//!
//! A sweep goes from the leaves to the root or back, and a node comes after both its halves, or before them; that is all the order there
//! is, since halves have no body in common. So a way is walked branch by branch: both halves of a node, whose bodies are still in a near
//! cache when the contacts between them come. The chunks lie in this order ([`Halves::chunk_of`]), and a way from the leaves reads them from the
//! first to the last. Level by level, a contact between leaves finds its bodies in the memory, and took twice as long as one within a leaf.

use super::arms::{Body, Group};
use super::build::SortedPiece;
use super::halves::{Halves, Node};
use super::lanes::Vector;
use rayon::prelude::*;
use std::ops::Range;

/// Groups below which a branch is not worth a second thread.
const GROUPS_OF_A_TASK: usize = 128;

/// Contacts that one node holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chunk {
    /// Its place among all.
    pub number: usize,
    pub groups: Range<usize>,
    /// How many of the groups, from the first on, are in [pairs](super::grouping::Fours).
    pub paired: usize,
    /// How many contacts the groups hold.
    pub contacts: usize,
    /// The places of the bodies of the node.
    pub bodies: Range<usize>,
    pub is_leaf: bool,
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

/// A way through the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Way {
    /// From the leaves to the root.
    Up,
    /// From the root to the leaves.
    Down,
    /// From the root to the leaves and back; a leaf is visited twice in a row.
    DownAndUp,
}

/// Whether a visit is on the way from the root or back to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Heading {
    Down,
    Up,
}

/// Arrays with an entry for each group.
type OfGroups<'a, const N: usize> = [&'a mut [Vector]; N];

/// The chunks, both halves of a node before it.
#[derive(Debug)]
pub(crate) struct Chunks {
    chunks: Vec<Chunk>,
    /// The level of the root.
    height: usize,
}

impl Chunks {
    /// The chunks of a tree, with the numbers of groups, of those in pairs and of contacts of each.
    pub fn new(halves: &Halves, sizes: impl Iterator<Item = [usize; 3]>) -> Self {
        let mut first = 0;
        let chunk = |(number, (node, [groups, paired, contacts])): (usize, (Node, [usize; 3]))| {
            first += groups;
            Chunk {
                number,
                groups: first - groups..first,
                paired,
                contacts,
                bodies: halves.places_of(node),
                is_leaf: node.level == 0,
            }
        };
        Self {
            chunks: (halves.nodes().into_iter().zip(sizes).enumerate())
                .map(chunk)
                .collect(),
            height: halves.height(),
        }
    }

    /// The chunk that a group belongs to.
    pub fn of_group(&self, group: usize) -> &Chunk {
        let index = self
            .chunks
            .partition_point(|chunk| chunk.groups.end <= group);
        &self.chunks[index]
    }

    /// Which bodies are done with each chunk on the way up.
    pub fn finished<A>(&self, halves: &Halves, groups: &[Group<A>]) -> Finished {
        // The last chunk that touches each place. A place belongs to one leaf at least, and what comes later on the way up is higher.
        let mut last = vec![0u32; halves.room()];
        for (index, chunk) in self.chunks.iter().enumerate() {
            let places = &mut last[chunk.bodies.clone()];
            if chunk.is_leaf {
                places.fill(index as u32);
            }
            for group in &groups[chunk.groups.clone()] {
                for &place in group.bodies.as_flattened() {
                    places[place as usize] = index as u32;
                }
            }
        }
        Finished::new(&self.chunks, &last)
    }

    /// Calls `work` for each chunk on a way, with its bodies and its part of each of the arrays.
    pub fn walk<F: Found, const N: usize>(
        &self,
        way: Way,
        bodies: &mut [Body],
        of_groups: OfGroups<N>,
        work: impl Fn(Heading, &Chunk, &mut [Body], OfGroups<N>) -> F + Sync,
    ) -> F {
        let walk = Walk { way, work: &work };
        walk.branch(self.height, &self.chunks, bodies, of_groups)
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

    /// Calls `work` for one chunk after another, as they come on the way up.
    #[cfg(test)]
    pub fn each(&self, work: impl FnMut(&Chunk)) {
        self.chunks.iter().for_each(work);
    }

    /// Calls `work` for each chunk.
    pub fn look<F: Found>(&self, work: impl Fn(&Chunk) -> F + Sync) -> F {
        look_at(&self.chunks, &work)
    }
}

/// Bodies that have no contact in a later chunk on the way up, chunk by chunk: every place is named once.
pub(crate) struct Finished {
    /// Places within those of the chunk.
    places: Vec<u32>,
    /// Where those of each chunk begin, by its number.
    starts: Vec<u32>,
}

impl Finished {
    fn new(chunks: &[Chunk], last: &[u32]) -> Self {
        let by_chunks = SortedPiece::new(0..last.len(), chunks.len(), |place| last[place] as usize);
        let places = chunks.iter().flat_map(|chunk| {
            let places = by_chunks.of_chunk(chunk.number).iter();
            places.map(|place| place - chunk.bodies.start as u32)
        });
        let (places, starts) = (places.collect(), by_chunks.starts);
        Self { places, starts }
    }

    /// Those of a chunk.
    pub fn of(&self, chunk: &Chunk) -> &[u32] {
        let [first, end] = [0, 1].map(|k| self.starts[chunk.number + k] as usize);
        &self.places[first..end]
    }
}

/// A way through the tree, and what is done there.
struct Walk<'a, W> {
    way: Way,
    work: &'a W,
}

impl<W> Walk<'_, W> {
    /// Walks the branch whose node has the given level. Chunks, bodies and arrays are those of the branch.
    fn branch<F: Found, const N: usize>(
        &self,
        level: usize,
        chunks: &[Chunk],
        bodies: &mut [Body],
        mut of_groups: OfGroups<N>,
    ) -> F
    where
        W: Fn(Heading, &Chunk, &mut [Body], OfGroups<N>) -> F + Sync,
    {
        let Some((node, below)) = chunks.split_last() else {
            return F::default();
        };
        let [between, mut own] = cut(&mut of_groups, node.groups.start - chunks[0].groups.start);
        let mut visit = |heading: Heading, bodies: &mut [Body]| {
            (self.work)(heading, node, bodies, reborrowed(&mut own))
        };
        let mut found = F::default();
        if self.way != Way::Up {
            found = found.add(visit(Heading::Down, bodies));
        }
        found = found.add(self.halves(level, below, bodies, between));
        if self.way != Way::Down {
            found = found.add(visit(Heading::Up, bodies));
        }
        found
    }

    /// Walks both halves below a node of the given level, at once if they are worth it.
    fn halves<F: Found, const N: usize>(
        &self,
        level: usize,
        chunks: &[Chunk],
        bodies: &mut [Body],
        mut of_groups: OfGroups<N>,
    ) -> F
    where
        W: Fn(Heading, &Chunk, &mut [Body], OfGroups<N>) -> F + Sync,
    {
        let Some(last) = chunks.last() else {
            return F::default();
        };
        // A whole half has all nodes of a tree; only the last one may have fewer.
        let (left, right) = chunks.split_at(chunks.len().min((1 << level) - 1));
        let Some(first_on_the_right) = right.first() else {
            return self.branch(level - 1, left, bodies, of_groups);
        };
        let first = &chunks[0];
        let middle = first_on_the_right.bodies.start - first.bodies.start;
        let (bodies_left, bodies_right) = bodies.split_at_mut(middle);
        let middle = first_on_the_right.groups.start - first.groups.start;
        let [groups_left, groups_right] = cut(&mut of_groups, middle);
        let on_the_left = || self.branch(level - 1, left, bodies_left, groups_left);
        let on_the_right = || self.branch(level - 1, right, bodies_right, groups_right);
        let groups = last.groups.end - first.groups.start;
        let (a, b) = match self.way {
            // In the reverse order of the way up: what was read last is still near.
            Way::Down => {
                let (b, a) = both(groups, on_the_right, on_the_left);
                (a, b)
            }
            Way::Up | Way::DownAndUp => both(groups, on_the_left, on_the_right),
        };
        a.add(b)
    }
}

/// The entries before the given one, and the others.
fn cut<'b, const N: usize>(arrays: &'b mut OfGroups<N>, middle: usize) -> [OfGroups<'b, N>; 2] {
    let mut right: OfGroups<'b, N> = std::array::from_fn(|_| Default::default());
    let mut ends = right.iter_mut();
    let left = arrays.each_mut().map(|array| {
        let (left, end) = array.split_at_mut(middle);
        if let Some(right) = ends.next() {
            *right = end;
        }
        left
    });
    [left, right]
}

fn reborrowed<'b, const N: usize>(arrays: &'b mut OfGroups<N>) -> OfGroups<'b, N> {
    arrays.each_mut().map(|array| &mut **array)
}

/// Does both, at once if they are worth it.
fn both<A: Send, B: Send>(
    groups: usize,
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    match groups < GROUPS_OF_A_TASK {
        true => (one(), other()),
        false => rayon::join(one, other),
    }
}

fn look_at<F: Found>(chunks: &[Chunk], work: &(impl Fn(&Chunk) -> F + Sync)) -> F {
    match chunks {
        [] => F::default(),
        [one] => work(one),
        [first, .., last] => {
            let (left, right) = chunks.split_at(chunks.len() / 2);
            let groups = last.groups.end - first.groups.start;
            let (a, b) = both(groups, || look_at(left, work), || look_at(right, work));
            a.add(b)
        }
    }
}
