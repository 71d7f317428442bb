//! Impulses by contacts become lists of the bodies that keep them, by all threads.
//!
//! Pieces of the contacts are looked at side by side, each with its entries sorted by ranges of bodies; then the ranges are put in order side by side.
//! One list in the order of the bodies, each looking for its contacts, took a quarter more CPU time than one thread: contacts were read in no order.

use super::Entry;
use crate::assembly::contact_impulse;
use glam::DVec3;
use moreau_collision::contact::Contact;
use rayon::prelude::*;

/// Contacts at least that one thread looks at, pieces of them for each thread, bodies whose entries are put in order by one, and counts of contacts
/// that are made side by side at most. What is kept depends on none of them.
const PIECE: usize = 8192;
const PIECES_PER_THREAD: usize = 4;
pub(super) const RANGE: usize = 4096;
const MOST_COUNTS: usize = 8;

/// Contacts of a piece.
pub(super) fn contacts_of_a_piece(contacts: usize) -> usize {
    let pieces = PIECES_PER_THREAD * rayon::current_num_threads();
    contacts.div_ceil(pieces).max(PIECE)
}

/// How many contacts each body has.
pub(super) fn contacts_of_bodies(bodies: usize, contacts: &[Contact]) -> Vec<u32> {
    let parts = rayon::current_num_threads().min(MOST_COUNTS);
    let length = contacts.len().div_ceil(parts).max(PIECE.max(bodies / 4));
    let count = |contacts: &[Contact]| {
        let mut counts = vec![0u32; bodies];
        for body in contacts.iter().flat_map(|contact| contact.bodies) {
            counts[body as usize] += 1;
        }
        counts
    };
    let mut counts: Vec<Vec<u32>> = contacts.par_chunks(length).map(count).collect();
    let mut sum = counts.pop().unwrap_or_else(|| vec![0; bodies]);
    for others in counts {
        let both = sum.par_iter_mut().zip(&others).with_min_len(PIECE);
        both.for_each(|(sum, other)| *sum += other);
    }
    sum
}

/// The body that keeps the impulse of a contact, which is that with fewer contacts, and the other; `None` where nothing pushed.
#[inline]
pub(super) fn keeper(contact: &Contact, contacts_of: &[u32], rows: &[f64]) -> Option<[u32; 2]> {
    let [a, b] = contact.bodies;
    if rows.iter().all(|row| *row == 0.0) {
        None
    } else if contacts_of[b as usize] < contacts_of[a as usize] {
        Some([b, a])
    } else {
        Some([a, b])
    }
}

/// The entries of some contacts in a row, sorted by ranges of the bodies that keep them and by contacts within each range. They are copied here
/// first because whoever puts a range in order then reads what lies together, and not contacts from everywhere.
pub(super) struct Piece {
    /// Where the entries of each range begin.
    starts: Vec<u32>,
    /// With the body that keeps the entry.
    pub entries: Vec<(u32, Entry)>,
    /// The moment of each; empty where there is none.
    pub moments: Vec<DVec3>,
}

impl Piece {
    pub fn new<'a>(
        contacts: &[Contact],
        contacts_of: &[u32],
        ranges: usize,
        rows: impl Fn(usize) -> &'a [f64],
    ) -> Self {
        let keepers: Vec<[u32; 2]> = (contacts.iter().enumerate())
            .map(|(index, contact)| {
                keeper(contact, contacts_of, rows(index)).unwrap_or([u32::MAX; 2])
            })
            .collect();
        let pushing = || (keepers.iter().enumerate()).filter(|(_, keeper)| keeper[0] != u32::MAX);
        // Each start serves as the next free place of its range, and ends where that of the next was.
        let mut starts = vec![0u32; ranges + 2];
        for (_, &[body, _]) in pushing() {
            starts[body as usize / RANGE + 2] += 1;
        }
        for range in 0..ranges {
            starts[range + 2] += starts[range + 1];
        }
        let count = starts[ranges + 1] as usize;
        let mut entries = vec![(0, Entry::NONE); count];
        let mut moments = Vec::new();
        for (index, &[body, other]) in pushing() {
            let next = &mut starts[body as usize / RANGE + 1];
            let place = *next as usize;
            *next += 1;
            let contact = &contacts[index];
            let impulse = contact_impulse(contact, rows(index));
            let entry = Entry {
                other,
                feature: contact.feature,
                linear: impulse.linear,
            };
            entries[place] = (body, entry);
            if impulse.angular != DVec3::ZERO {
                moments.resize(count, DVec3::ZERO);
                moments[place] = impulse.angular;
            }
        }
        Self {
            starts,
            entries,
            moments,
        }
    }

    /// The places of the entries of a range.
    pub fn of(&self, range: usize) -> std::ops::Range<usize> {
        self.starts[range] as usize..self.starts[range + 1] as usize
    }
}

/// Puts the entries of a range of bodies in the order of the bodies. `starts` becomes the end of each body's entries, of which those of the range
/// begin at `first`.
pub(super) fn sort_by_bodies(
    pieces: &[Piece],
    range: usize,
    first: usize,
    starts: &mut [u32],
    entries: &mut [Entry],
    moments: &mut [DVec3],
) {
    for piece in pieces {
        for (body, _) in &piece.entries[piece.of(range)] {
            starts[*body as usize % RANGE] += 1;
        }
    }
    // From numbers of entries to the first free place of each body.
    let mut next = first as u32;
    for start in starts.iter_mut() {
        next += std::mem::replace(start, next);
    }
    for piece in pieces {
        for index in piece.of(range) {
            let (body, entry) = piece.entries[index];
            let next = &mut starts[body as usize % RANGE];
            let place = *next as usize - first;
            *next += 1;
            entries[place] = entry;
            if let Some(moment) = piece.moments.get(index) {
                moments[place] = *moment;
            }
        }
    }
}
