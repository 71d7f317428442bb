//! Impulses of the last step, kept by contact feature. Joints remember their own.
//!
//! A contact is recognised by its two bodies and its feature. Impulses are kept as vectors in space, because the
//! tangents of a contact turn from step to step. Entries are grouped by the first body, which has a dozen at most, so
//! that finding one is a short scan: 32 bytes for each contact (56 with rolling friction) and 4 for each body.

use crate::assembly::contact_impulse;
use glam::DVec3;
use moreau_collision::contact::Contact;
use serde::{Deserialize, Serialize};

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
        rows: impl Fn(usize) -> &'a [f64],
    ) {
        self.starts.clear();
        self.starts.resize(bodies + 1, 0);
        let pushed = |index: usize| rows(index).iter().any(|row| *row != 0.0);
        for (index, contact) in contacts.iter().enumerate() {
            if pushed(index) {
                self.starts[contact.bodies[0] as usize + 1] += 1;
            }
        }
        for body in 0..bodies {
            self.starts[body + 1] += self.starts[body];
        }
        let count = self.starts[bodies] as usize;
        let empty = Entry {
            other: 0,
            feature: 0,
            linear: DVec3::ZERO,
        };
        self.entries.clear();
        self.entries.resize(count, empty);
        self.moments.clear();
        // The starts serve as the next free place of each body; afterwards each is where the next body's was.
        for (index, contact) in contacts.iter().enumerate() {
            if pushed(index) {
                let place = &mut self.starts[contact.bodies[0] as usize];
                let impulse = contact_impulse(contact, rows(index));
                self.entries[*place as usize] = Entry {
                    other: contact.bodies[1],
                    feature: contact.feature,
                    linear: impulse.linear,
                };
                if impulse.angular != DVec3::ZERO {
                    self.moments.resize(count, DVec3::ZERO);
                    self.moments[*place as usize] = impulse.angular;
                }
                *place += 1;
            }
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

    /// The impulse that passed through the same contact in the last step; zero for a new one.
    #[inline]
    pub fn find(&self, contact: &Contact) -> ContactImpulse {
        let body = contact.bodies[0] as usize;
        if body + 1 >= self.starts.len() {
            return ContactImpulse::default();
        }
        let first = self.starts[body] as usize;
        let same = |e: &Entry| e.other == contact.bodies[1] && e.feature == contact.feature;
        let entries = &self.entries[first..self.starts[body + 1] as usize];
        match entries.iter().position(same) {
            Some(found) => ContactImpulse {
                linear: entries[found].linear,
                angular: self.moments.get(first + found).copied().unwrap_or_default(),
            },
            None => ContactImpulse::default(),
        }
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
                assert_eq!(
                    warm.find(contact),
                    contact_impulse(contact, &rows[..length])
                );
            }
        }
        let unknown = Contact {
            feature: 99,
            ..contacts[1]
        };
        assert_eq!(warm.find(&unknown), ContactImpulse::default());
        warm.forget();
        assert_eq!(warm.find(&contacts[1]), ContactImpulse::default());
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
                assert_eq!(warm.find(&renamed), contact_impulse(contact, rows));
            }
        }
    }
}
