//! N γ of balls leaf by leaf: what some consecutive bodies and their contacts need stays in a near cache from Dγ to Dᵀv.
//!
//! Bodies that are neighbours in space are neighbours in number, and contacts come in the order of their first bodies. Some
//! consecutive bodies make a *leaf*. A contact is read with the leaf of the lower of its bodies, the leaf that *owns* it; if its other body lies in a
//! later leaf, it *visits* that one. A leaf adds up the impulses of its visitors and then of its own contacts, divides by mass, and writes the
//! velocities of its own contacts: no leaf waits for another, and threads share them. The velocity of a contact between two leaves is
//! written when both are done, with the other contacts of the smallest node that holds both: nodes are leaves in
//! halves of halves, as in [`crate::grouped`].
//!
//! Impulses are added to a body in the order of the contacts, as by [`super::ball_contacts`], so the bits are the same whether
//! there are leaves or not, and for any number of threads.

use super::ball_contacts::BallContact;
use super::inertias::Ball;
use super::leaf_work::{Between, LEAF, Leaf};
use super::rigid::RigidContact;
use crate::grouped::machine::run;
use rayon::prelude::*;

#[cfg(test)]
mod tests;

/// Contacts that one thread looks at when they are cut into leaves. What comes out does not depend on it.
const CONTACTS_OF_A_PIECE: usize = 65_536;

/// Which contacts each leaf has.
#[derive(Clone, Debug)]
pub(super) struct Leaves {
    /// The first of its own contacts, and the number of all contacts at the end.
    own: Vec<usize>,
    /// The contacts of earlier leaves that visit each leaf.
    visitors: Lists,
    /// The contacts between leaves of each node above the leaves, level by level.
    between: Lists,
    /// The first node of each level above the leaves.
    levels: Vec<usize>,
}

/// Lists of contacts in one array.
#[derive(Clone, Debug)]
struct Lists {
    contacts: Vec<u32>,
    starts: Vec<u32>,
}

impl Lists {
    /// Contacts with the list that each belongs to; they stay in order.
    fn new(lists: usize, contacts: impl Iterator<Item = (usize, u32)> + Clone) -> Self {
        // Each start serves as the next free place of its list, and ends where that of the next was.
        let mut starts = vec![0; lists + 2];
        contacts.clone().for_each(|(list, _)| starts[list + 2] += 1);
        for list in 0..lists {
            starts[list + 2] += starts[list + 1];
        }
        let mut sorted = vec![0; starts[lists + 1] as usize];
        for (list, contact) in contacts {
            sorted[starts[list + 1] as usize] = contact;
            starts[list + 1] += 1;
        }
        Self {
            contacts: sorted,
            starts,
        }
    }

    fn get(&self, list: usize) -> &[u32] {
        &self.contacts[self.starts[list] as usize..self.starts[list + 1] as usize]
    }
}

/// A contact between two leaves.
#[derive(Clone, Copy)]
struct Cut {
    contact: u32,
    leaves: [u32; 2],
}

impl Leaves {
    /// `None` if contacts, of which `bodies_of` tells the two bodies, do not come in the order of the leaves that own them.
    pub fn new<C: Sync>(
        contacts: &[C],
        bodies: usize,
        bodies_of: impl Fn(&C) -> [u32; 2] + Sync,
    ) -> Option<Self> {
        let leaves_of = |contact: &C| leaves_of(bodies_of(contact));
        let count = bodies.div_ceil(LEAF).max(1);
        let mut levels = vec![0];
        let mut nodes = count;
        while nodes > 1 {
            nodes = nodes.div_ceil(2);
            levels.push(levels[levels.len() - 1] + nodes);
        }
        let pieces = contacts.par_chunks(CONTACTS_OF_A_PIECE).enumerate();
        let pieces: Option<Vec<Piece>> = pieces
            .map(|(piece, part)| Piece::new(part, piece * CONTACTS_OF_A_PIECE, leaves_of))
            .collect();
        let pieces = pieces?;
        let in_order = (pieces.windows(2)).all(|pair| pair[0].owners[1] <= pair[1].owners[0]);
        let last = pieces.last().map_or(0, |piece| piece.owners[1]);
        if !in_order || last as usize >= count {
            return None;
        }
        let first =
            |leaf| contacts.partition_point(|contact| (leaves_of(contact)[0] as usize) < leaf);
        let visits = |cut: &Cut| (cut.leaves[1] as usize, cut.contact);
        let node = |cut: &Cut| {
            let [a, b] = cut.leaves;
            let level = u32::BITS - (a ^ b).leading_zeros();
            (
                levels[level as usize - 1] + (a >> level) as usize,
                cut.contact,
            )
        };
        let all = pieces.iter().flat_map(|piece| &piece.cuts);
        Some(Self {
            own: (0..=count).map(first).collect(),
            visitors: Lists::new(count, all.clone().map(visits)),
            between: Lists::new(levels[levels.len() - 1], all.map(node)),
            levels,
        })
    }

    /// The number of leaves.
    pub fn count(&self) -> usize {
        self.own.len() - 1
    }

    /// All contacts that add to the bodies of a leaf, in their order.
    pub fn contacts_of(&self, leaf: usize) -> impl Iterator<Item = usize> {
        let visitors = self
            .visitors
            .get(leaf)
            .iter()
            .map(|&contact| contact as usize);
        visitors.chain(self.own[leaf]..self.own[leaf + 1])
    }
}

/// Some consecutive contacts.
struct Piece {
    /// The leaves that own the first and the last.
    owners: [u32; 2],
    cuts: Vec<Cut>,
}

impl Piece {
    /// `None` if they do not come in the order of the leaves that own them.
    fn new<C>(contacts: &[C], first: usize, leaves_of: impl Fn(&C) -> [u32; 2]) -> Option<Self> {
        let mut owners = [leaves_of(contacts.first()?)[0]; 2];
        let mut cuts = Vec::new();
        for (index, contact) in contacts.iter().enumerate() {
            let leaves = leaves_of(contact);
            if leaves[0] < owners[1] {
                return None;
            }
            owners[1] = leaves[0];
            if leaves[0] != leaves[1] {
                let contact = (first + index) as u32;
                cuts.push(Cut { contact, leaves });
            }
        }
        Some(Self { owners, cuts })
    }
}

/// The leaves of a contact of two bodies, the one that owns it first; no leaf for a contact of two walls.
#[inline]
fn leaves_of([a, b]: [u32; 2]) -> [u32; 2] {
    let (a, b) = (a.min(b), a.max(b));
    let b = if b == RigidContact::FIXED { a } else { b };
    [a / LEAF as u32, b / LEAF as u32]
}

/// A product over all leaves.
#[derive(Clone, Copy)]
pub(super) struct Product<'a> {
    pub leaves: &'a Leaves,
    pub contacts: &'a [BallContact],
    pub balls: &'a [Ball],
    pub impulses: &'a [[f64; 3]],
}

impl Product<'_> {
    /// Writes M⁻¹Dγ and, if there is room for it, Nγ.
    pub fn write(&self, velocities: &mut [[f64; 6]], result: Option<&mut [[f64; 3]]>) {
        self.write_node(self.leaves.levels.len() - 1, 0, velocities, result);
    }

    /// Writes what belongs to the bodies and contacts of a node, `level` levels above the leaves.
    fn write_node(
        &self,
        level: usize,
        node: usize,
        velocities: &mut [[f64; 6]],
        result: Option<&mut [[f64; 3]]>,
    ) {
        let own = &self.leaves.own;
        let Some(below) = level.checked_sub(1) else {
            self.write_leaf(node, velocities, result);
            return;
        };
        let second = (2 * node + 1) << below;
        if second >= own.len() - 1 {
            return self.write_node(below, 2 * node, velocities, result);
        }
        let (first_body, first) = ((node << level) * LEAF, own[node << level]);
        let (left, right) = velocities.split_at_mut(second * LEAF - first_body);
        let mut result = result;
        let (result_left, result_right) = match &mut result {
            None => (None, None),
            Some(result) => {
                let (left, right) = result.split_at_mut(own[second] - first);
                (Some(left), Some(right))
            }
        };
        rayon::join(
            || self.write_node(below, 2 * node, left, result_left),
            || self.write_node(below, 2 * node + 1, right, result_right),
        );
        if let Some(result) = result {
            run(Between {
                contacts: self.contacts,
                between: self.leaves.between.get(self.leaves.levels[below] + node),
                first_body,
                velocities,
                first,
                result,
            });
        }
    }

    /// Writes what belongs to a leaf. A function of its own: the room for its bodies would else be on the stack of every node above it.
    #[inline(never)]
    fn write_leaf(
        &self,
        leaf: usize,
        velocities: &mut [[f64; 6]],
        result: Option<&mut [[f64; 3]]>,
    ) {
        let own = &self.leaves.own;
        run(Leaf {
            contacts: self.contacts,
            impulses: self.impulses,
            visitors: self.leaves.visitors.get(leaf),
            own: own[leaf]..own[leaf + 1],
            first: leaf * LEAF,
            balls: &self.balls[leaf * LEAF..][..velocities.len()],
            velocities,
            result,
        });
    }
}
