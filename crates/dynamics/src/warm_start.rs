//! Impulses of the last step, kept by contact feature. Joints remember their own.
//!
//! A contact is recognised by its two bodies and its feature. Impulses are kept as vectors in space, because the
//! tangents of a contact turn from step to step. Each entry is kept with that of its two bodies which has fewer contacts, a dozen at
//! most, so that finding one is a short scan: a floor under a million grains has no entries, each grain has its own. 32 bytes
//! for each contact (56 with rolling friction) and 4 for each body.

mod sorting;

use crate::assembly::contact_impulse;
use glam::DVec3;
use moreau_collision::contact::Contact;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sorting::{Piece, RANGE, contacts_of_a_piece, contacts_of_bodies, keeper, sort_by_bodies};

/// Impulse and moment that passed through a contact, on the second body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactImpulse {
    /// In N s.
    pub linear: DVec3,
    /// Of rolling and spinning friction, in N m s.
    pub angular: DVec3,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    other: u32,
    feature: u32,
    linear: DVec3,
}

impl Entry {
    const NONE: Self = Self {
        other: 0,
        feature: 0,
        linear: DVec3::ZERO,
    };
}

/// The impulses of one step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WarmStart {
    starts: Vec<u32>,
    entries: Vec<Entry>,
    /// The moment of each entry; empty where no contact has rolling friction.
    moments: Vec<DVec3>,
    /// The step that the impulses belong to, in s: another step needs impulses in proportion.
    pub step: f64,
}

impl WarmStart {
    /// Remembers the impulses of a step that pushed at all; `rows` are those of a contact in its own frame.
    pub fn store<'a>(
        &mut self,
        bodies: usize,
        contacts: &[Contact],
        rows: impl Fn(usize) -> &'a [f64] + Sync,
    ) {
        if rayon::current_num_threads() == 1 {
            self.store_alone(bodies, contacts, rows);
            return;
        }
        let contacts_of = contacts_of_bodies(bodies, contacts);
        let ranges = bodies.div_ceil(RANGE);
        let length = contacts_of_a_piece(contacts.len());
        let pieces: Vec<Piece> = (contacts.par_chunks(length).enumerate())
            .map(|(piece, some)| {
                let rows = |index: usize| rows(length * piece + index);
                Piece::new(some, &contacts_of, ranges, rows)
            })
            .collect();
        drop(contacts_of);
        let count = pieces.iter().map(|piece| piece.entries.len()).sum();
        self.entries.clear();
        (self.entries).par_extend(rayon::iter::repeat_n(Entry::NONE, count));
        self.moments.clear();
        if pieces.iter().any(|piece| !piece.moments.is_empty()) {
            self.moments.resize(count, DVec3::ZERO);
        }
        self.starts.clear();
        self.starts.resize(bodies + 1, 0);

        let (mut entries, mut moments) = (&mut *self.entries, &mut *self.moments);
        let mut first = 0;
        let mut parts = Vec::with_capacity(ranges);
        for (range, starts) in self.starts[1..].chunks_mut(RANGE).enumerate() {
            let count = pieces.iter().map(|piece| piece.of(range).len()).sum();
            let (own, behind) = entries.split_at_mut(count);
            let (turns, turns_behind) = moments.split_at_mut(count.min(moments.len()));
            (entries, moments) = (behind, turns_behind);
            parts.push((range, first, starts, own, turns));
            first += count;
        }
        let parts = parts.into_par_iter();
        parts.for_each(|(range, first, starts, entries, moments)| {
            sort_by_bodies(&pieces, range, first, starts, entries, moments);
        });
    }

    /// The same by one thread, which needs no copy of the entries: ten milliseconds less for 294 700 contacts.
    fn store_alone<'a>(
        &mut self,
        bodies: usize,
        contacts: &[Contact],
        rows: impl Fn(usize) -> &'a [f64],
    ) {
        let contacts_of = contacts_of_bodies(bodies, contacts);
        let keeper = |index: usize| keeper(&contacts[index], &contacts_of, rows(index));
        let kept = || (0..contacts.len()).filter_map(|index| Some((index, keeper(index)?)));
        self.starts.clear();
        self.starts.resize(bodies + 1, 0);
        for (_, [body, _]) in kept() {
            self.starts[body as usize + 1] += 1;
        }
        for body in 0..bodies {
            self.starts[body + 1] += self.starts[body];
        }
        let count = self.starts[bodies] as usize;
        self.entries.clear();
        self.entries.resize(count, Entry::NONE);
        self.moments.clear();
        // The starts serve as the next free place of each body; afterwards each is where the next body's was.
        for (index, [body, other]) in kept() {
            let contact = &contacts[index];
            let place = &mut self.starts[body as usize];
            let impulse = contact_impulse(contact, rows(index));
            self.entries[*place as usize] = Entry {
                other,
                feature: contact.feature,
                linear: impulse.linear,
            };
            if impulse.angular != DVec3::ZERO {
                self.moments.resize(count, DVec3::ZERO);
                self.moments[*place as usize] = impulse.angular;
            }
            *place += 1;
        }
        self.starts.copy_within(0..bodies, 1);
        self.starts[0] = 0;
    }

    /// Gives the room of the impulses back; those that are asked for from now on are zero.
    pub fn forget(&mut self) {
        self.starts.clear();
        self.entries = Vec::new();
        self.moments = Vec::new();
    }

    /// The impulse that passed through the same contact in the last step; `None` for a new one.
    #[inline]
    pub fn find(&self, contact: &Contact) -> Option<ContactImpulse> {
        let [a, b] = contact.bodies;
        [(a, b), (b, a)]
            .into_iter()
            .find_map(|(body, other)| self.entry(body as usize, other, contact.feature))
    }

    /// What an impulse must be multiplied by to be that of a step of another length.
    pub fn scale_to(&self, step: f64) -> f64 {
        if self.step > 0.0 {
            step / self.step
        } else {
            0.0
        }
    }

    fn entry(&self, body: usize, other: u32, feature: u32) -> Option<ContactImpulse> {
        if body + 1 >= self.starts.len() {
            return None;
        }
        let first = self.starts[body] as usize;
        let entries = &self.entries[first..self.starts[body + 1] as usize];
        let found = entries
            .iter()
            .position(|entry| entry.other == other && entry.feature == feature)?;
        Some(ContactImpulse {
            linear: entries[found].linear,
            angular: self.moments.get(first + found).copied().unwrap_or_default(),
        })
    }

    /// Adapts to the removal of bodies; `new_index` is `u32::MAX` for a removed one.
    pub(crate) fn renumber(&mut self, new_index: &[u32]) {
        let mut starts = vec![0];
        let mut entries = Vec::with_capacity(self.entries.len());
        let mut moments = Vec::with_capacity(self.moments.len());
        for body in 0..self.starts.len().saturating_sub(1) {
            if new_index[body] == u32::MAX {
                continue;
            }
            for index in self.starts[body] as usize..self.starts[body + 1] as usize {
                let entry = self.entries[index];
                let other = new_index[entry.other as usize];
                if other != u32::MAX {
                    entries.push(Entry { other, ..entry });
                    moments.extend(self.moments.get(index));
                }
            }
            starts.push(entries.len() as u32);
        }
        self.starts = starts;
        self.entries = entries;
        self.moments = moments;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contacts of a few bodies, out of order, with impulses that differ; every third does not push.
    fn contacts() -> (Vec<Contact>, Vec<[f64; 5]>) {
        let mut contacts = Vec::new();
        let mut rows = Vec::new();
        for k in 0..40u32 {
            let a = (7 * k) % 6;
            contacts.push(Contact {
                bodies: [a, a + 1 + k % 3],
                feature: k,
                point: DVec3::ZERO,
                normal: DVec3::new(0.6, 0.0, 0.8),
                gap: 0.0,
            });
            let size = if k % 3 == 0 { 0.0 } else { f64::from(k) };
            rows.push([1.0, 0.2, -0.1, 0.0, 0.3].map(|x| size * x));
        }
        (contacts, rows)
    }

    #[test]
    fn every_contact_gets_its_own_impulse_back() {
        let (contacts, rows) = contacts();
        let mut warm = WarmStart::default();
        // Of three rows, then with rolling friction, then of three again: nothing is left of the step before.
        for length in [3, 5, 3] {
            warm.store(9, &contacts, |index| &rows[index][..length]);
            for (contact, rows) in contacts.iter().zip(&rows) {
                let pushed = contact_impulse(contact, &rows[..length]);
                assert_eq!(warm.find(contact).unwrap_or_default(), pushed);
            }
        }
        let unknown = Contact {
            feature: 99,
            ..contacts[1]
        };
        assert_eq!(warm.find(&unknown), None);
        warm.forget();
        assert_eq!(warm.find(&contacts[1]), None);
    }

    #[test]
    fn the_same_is_kept_with_any_number_of_threads() {
        // Bodies in chains that cross each other, numbered without order; some contacts do not push, some roll.
        let bodies = 30_000u32;
        let scattered = |k: u32| (u64::from(k) * 7919 % u64::from(bodies)) as u32;
        let contact = |k: u32| Contact {
            bodies: [scattered(k), scattered(k + 1 + k % 3)],
            feature: k % 5,
            point: DVec3::ZERO,
            normal: DVec3::new(0.6, 0.0, 0.8),
            gap: 0.0,
        };
        let contacts: Vec<Contact> = (0..80_000).map(contact).collect();
        let row = |k: u32| [f64::from(k % 7), 0.1, 0.2, f64::from(k % 2), 0.0];
        for length in [3, 5] {
            let rows: Vec<[f64; 5]> = (0..80_000)
                .map(|k| if k % 4 == 1 { [0.0; 5] } else { row(k) })
                .collect();
            let kept = [1, 2, 3, 5].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
                pool.build().expect("threads").install(|| {
                    let mut warm = WarmStart::default();
                    warm.store(bodies as usize, &contacts, |index| &rows[index][..length]);
                    warm
                })
            });
            // A contact that comes twice is found once, with the impulse that came first.
            let mut first = std::collections::HashMap::new();
            for (contact, rows) in contacts.iter().zip(&rows) {
                let mut pair = contact.bodies;
                pair.sort_unstable();
                let pushed = contact_impulse(contact, &rows[..length]);
                let known = first.entry((pair, contact.feature)).or_insert(pushed);
                if known.linear == DVec3::ZERO {
                    *known = pushed;
                }
            }
            assert_eq!(kept[0].entries.len(), 60_000);
            assert_eq!(kept[0].moments.is_empty(), length == 3);
            for contact in &contacts {
                let mut pair = contact.bodies;
                pair.sort_unstable();
                let found = kept[0].find(contact).unwrap_or_default();
                assert_eq!(found, first[&(pair, contact.feature)]);
            }
            assert!(kept[1..].iter().all(|other| *other == kept[0]));
        }
    }

    #[test]
    fn a_floor_keeps_no_entries() {
        // A thousand grains on a floor, each beside the next; the floor comes first or last among the bodies.
        for floor in [0u32, 1000] {
            let grain = |k: u32| k + u32::from(floor == 0);
            let contact = |a: u32, b: u32| Contact {
                bodies: [a.min(b), a.max(b)],
                feature: 0,
                point: DVec3::ZERO,
                normal: DVec3::Z,
                gap: 0.0,
            };
            let on_floor = (0..1000).map(|k| contact(floor, grain(k)));
            let beside = (0..999).map(|k| contact(grain(k), grain(k + 1)));
            let contacts: Vec<Contact> = on_floor.chain(beside).collect();
            let rows: Vec<[f64; 3]> = (0..contacts.len())
                .map(|k| [1.0 + k as f64, 0.0, 0.0])
                .collect();
            let mut warm = WarmStart::default();
            warm.store(1001, &contacts, |index| &rows[index]);
            let kept = |body: usize| warm.starts[body + 1] - warm.starts[body];
            assert_eq!(kept(floor as usize), 0);
            assert!((0..1001).all(|body| kept(body) <= 3));
            for (contact, rows) in contacts.iter().zip(&rows) {
                assert_eq!(warm.find(contact), Some(contact_impulse(contact, rows)));
            }
        }
    }

    #[test]
    fn impulses_follow_their_bodies_when_others_are_removed() {
        let (contacts, rows) = contacts();
        let mut warm = WarmStart::default();
        warm.store(9, &contacts, |index| &rows[index]);
        let gone = 2u32;
        let new_index = |body: u32| if body > gone { body - 1 } else { body };
        let table: Vec<u32> = (0..9)
            .map(|body| {
                if body == gone {
                    u32::MAX
                } else {
                    new_index(body)
                }
            })
            .collect();
        warm.renumber(&table);
        for (contact, rows) in contacts.iter().zip(&rows) {
            if !contact.bodies.contains(&gone) {
                let renamed = Contact {
                    bodies: contact.bodies.map(new_index),
                    ..*contact
                };
                let pushed = contact_impulse(contact, rows);
                assert_eq!(warm.find(&renamed).unwrap_or_default(), pushed);
            }
        }
    }
}
