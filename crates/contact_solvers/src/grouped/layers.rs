//! Bodies in layers, so that several threads can sweep.
//!
//! Contacts join only bodies of one layer or of two neighbouring ones. The contacts whose lower body lies in layer i, a *chunk*, then
//! touch layers i and i + 1 alone: chunks 0, 2, 4, … have no body in common and can be swept at once, and so can 1, 3, 5, …. A
//! sweep is two such rounds. Which thread takes which chunk changes nothing, so the bits are the same for any number of
//! threads.
//!
//! Layers come from the contacts alone: bodies are numbered so that neighbours in space are neighbours in number, so
//! some consecutive bodies make a cluster, and the layers are the distances of the clusters from the first of them, counted in
//! steps from cluster to cluster. Bodies are then stored layer by layer: the bodies of a chunk lie together, and threads share out
//! one array by cutting it.

use super::arms::Body;
use super::lanes::Vector;
use crate::delassus::RigidContact;
use std::ops::Range;

/// How bodies are put into layers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layering {
    /// Fewer contacts than this stay in one layer: they are swept before a second thread has woken up.
    pub from_contacts: usize,
    /// Bodies of a cluster at least.
    pub cluster: usize,
}

impl Default for Layering {
    fn default() -> Self {
        Self {
            from_contacts: 30_000,
            cluster: 32,
        }
    }
}

/// Clusters at most: which of them are neighbours is a bit each, 8 MB in all.
const MOST_CLUSTERS: usize = 8192;

/// The layers of all bodies.
pub(crate) struct Layers {
    cluster: usize,
    layer_of_cluster: Vec<u32>,
    /// The first place of each layer, and the number of places. The last place of a layer belongs to no body and never moves:
    /// it is the other side of walls.
    starts: Vec<usize>,
    /// The place of each body.
    places: Vec<u32>,
}

/// Contacts whose lower body lies in one layer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chunk {
    /// The layer.
    pub layer: usize,
    pub groups: Range<usize>,
    /// The places of the two layers that it touches.
    pub bodies: Range<usize>,
}

impl Layers {
    pub fn new(
        bodies: usize,
        contacts: usize,
        sides: impl Fn(usize) -> [u32; 2],
        layering: Layering,
    ) -> Self {
        let cluster = match contacts < layering.from_contacts {
            true => bodies.max(1),
            false => layering.cluster.max(bodies.div_ceil(MOST_CLUSTERS)),
        };
        let clusters = bodies.div_ceil(cluster);
        let words = clusters.div_ceil(64);
        let mut neighbours = vec![0u64; clusters * words];
        if clusters > 1 {
            for [a, b] in (0..contacts).map(sides) {
                if a != RigidContact::FIXED && b != RigidContact::FIXED {
                    let (a, b) = (a as usize / cluster, b as usize / cluster);
                    neighbours[a * words + b / 64] |= 1 << (b % 64);
                    neighbours[b * words + a / 64] |= 1 << (a % 64);
                }
            }
        }
        let layer_of_cluster = distances(clusters, words, &neighbours);
        let layers = layer_of_cluster.iter().max().map_or(1, |l| *l as usize + 1);
        let mut starts = vec![0; layers + 1];
        for body in 0..bodies {
            starts[layer_of_cluster[body / cluster] as usize + 1] += 1;
        }
        for layer in 0..layers {
            starts[layer + 1] += starts[layer] + 1;
        }
        let mut next = starts.clone();
        let place = |body: usize| {
            let next = &mut next[layer_of_cluster[body / cluster] as usize];
            *next += 1;
            (*next - 1) as u32
        };
        let places = (0..bodies).map(place).collect();
        Self {
            cluster,
            layer_of_cluster,
            starts,
            places,
        }
    }

    /// The place of each body.
    pub fn places(&self) -> &[u32] {
        &self.places
    }

    /// Nothing else is needed when the groups are made.
    pub fn into_places(self) -> Vec<u32> {
        self.places
    }

    /// The number of places: one for each body and one for each layer.
    pub fn room(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// The number of chunks, some of which may be empty.
    pub fn chunks(&self) -> usize {
        self.starts.len() - 1
    }

    /// The places that a chunk touches.
    pub fn places_of_chunk(&self, chunk: usize) -> Range<usize> {
        self.starts[chunk]..self.starts[(chunk + 2).min(self.chunks())]
    }

    /// The chunk of a contact.
    pub fn chunk_of(&self, sides: [u32; 2]) -> usize {
        let layer = |body: u32| match body {
            RigidContact::FIXED => u32::MAX,
            body => self.layer_of_cluster[body as usize / self.cluster],
        };
        let lower = layer(sides[0]).min(layer(sides[1]));
        // A contact of two walls, if there is one, can be anywhere.
        if lower == u32::MAX { 0 } else { lower as usize }
    }

    /// The place of a side within the places of a chunk.
    pub fn place_in_chunk(&self, body: u32, chunk: usize) -> u32 {
        let place = match body {
            RigidContact::FIXED => self.starts[chunk + 1] - 1,
            body => self.places[body as usize] as usize,
        };
        (place - self.starts[chunk]) as u32
    }
}

/// The steps from the first cluster to each; parts that nothing joins to it count from a cluster of their own.
fn distances(clusters: usize, words: usize, neighbours: &[u64]) -> Vec<u32> {
    let mut distance = vec![u32::MAX; clusters];
    let mut reached = Vec::with_capacity(clusters);
    for first in 0..clusters {
        if distance[first] != u32::MAX {
            continue;
        }
        distance[first] = 0;
        let mut done = reached.len();
        reached.push(first);
        while done < reached.len() {
            let from = reached[done];
            done += 1;
            for (word, bits) in neighbours[from * words..][..words].iter().enumerate() {
                let mut bits = *bits;
                while bits != 0 {
                    let to = 64 * word + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    if distance[to] == u32::MAX {
                        distance[to] = distance[from] + 1;
                        reached.push(to);
                    }
                }
            }
        }
    }
    distance
}

/// The chunks in the order in which they are swept: the even ones, then the odd ones.
#[derive(Debug)]
pub(crate) struct Chunks {
    chunks: Vec<Chunk>,
    even: usize,
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

impl Chunks {
    pub fn new(chunks: Vec<Chunk>, even: usize) -> Self {
        Self { chunks, even }
    }

    /// The layer of the chunk that a group belongs to.
    pub fn layer_of_group(&self, group: usize) -> usize {
        let chunk = self
            .chunks
            .partition_point(|chunk| chunk.groups.end <= group);
        self.chunks[chunk].layer
    }

    /// Calls `work` for each chunk, with its bodies and its part of `impulses`; one round after the other, in the
    /// reverse order if not `forward`.
    pub fn change<F: Found>(
        &self,
        forward: bool,
        bodies: &mut [Body],
        impulses: &mut [Vector],
        work: impl Fn(&Chunk, &mut [Body], &mut [Vector]) -> F + Sync,
    ) -> F {
        let (even, odd) = self.chunks.split_at(self.even);
        let rounds = if forward { [even, odd] } else { [odd, even] };
        rounds.into_iter().fold(F::default(), |found, round| {
            let Some(first) = round.first() else {
                return found;
            };
            let bodies = &mut bodies[first.bodies.start..];
            let impulses = &mut impulses[first.groups.start..];
            found.add(change_round(round, bodies, impulses, &work))
        })
    }

    /// Calls `work` for each chunk.
    pub fn look<F: Found>(&self, work: impl Fn(&Chunk) -> F + Sync) -> F {
        look_at(&self.chunks, &work)
    }
}

fn change_round<F: Found>(
    round: &[Chunk],
    bodies: &mut [Body],
    impulses: &mut [Vector],
    work: &(impl Fn(&Chunk, &mut [Body], &mut [Vector]) -> F + Sync),
) -> F {
    match round {
        [] => F::default(),
        [one] => {
            let (bodies, impulses) = (
                &mut bodies[..one.bodies.len()],
                &mut impulses[..one.groups.len()],
            );
            work(one, bodies, impulses)
        }
        [first, ..] => {
            let (left, right) = round.split_at(round.len() / 2);
            let (b, i) = (right[0].bodies.start, right[0].groups.start);
            let (bodies_left, bodies_right) = bodies.split_at_mut(b - first.bodies.start);
            let (impulses_left, impulses_right) = impulses.split_at_mut(i - first.groups.start);
            let (a, b) = rayon::join(
                || change_round(left, bodies_left, impulses_left, work),
                || change_round(right, bodies_right, impulses_right, work),
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
            let (a, b) = rayon::join(|| look_at(left, work), || look_at(right, work));
            a.add(b)
        }
    }
}
