//! Impulses of the last step, kept by contact feature. Joints remember their own.
//!
//! A contact is recognised by its two bodies and its feature. Impulses are kept as vectors in space, because the
//! tangents of a contact turn from step to step. Entries are grouped by the first body, which has a dozen at most, so
//! that finding one is a short scan: 56 bytes for each contact and 4 for each body.

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
    impulse: ContactImpulse,
}

/// The impulses of one step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WarmStart {
    starts: Vec<u32>,
    entries: Vec<Entry>,
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
        let empty = Entry {
            other: 0,
            feature: 0,
            impulse: ContactImpulse::default(),
        };
        self.entries.clear();
        self.entries.resize(self.starts[bodies] as usize, empty);
        let mut next = self.starts.clone();
        for (index, contact) in contacts.iter().enumerate() {
            if pushed(index) {
                let slot = &mut next[contact.bodies[0] as usize];
                self.entries[*slot as usize] = Entry {
                    other: contact.bodies[1],
                    feature: contact.feature,
                    impulse: contact_impulse(contact, rows(index)),
                };
                *slot += 1;
            }
        }
    }

    /// The impulse that passed through the same contact in the last step; zero for a new one.
    #[inline]
    pub fn find(&self, contact: &Contact) -> ContactImpulse {
        let body = contact.bodies[0] as usize;
        if body + 1 >= self.starts.len() {
            return ContactImpulse::default();
        }
        let range = self.starts[body] as usize..self.starts[body + 1] as usize;
        self.entries[range]
            .iter()
            .find(|e| e.other == contact.bodies[1] && e.feature == contact.feature)
            .map_or(ContactImpulse::default(), |entry| entry.impulse)
    }

    /// Adapts to the removal of bodies; `new_index` is `u32::MAX` for a removed one.
    pub(crate) fn renumber(&mut self, new_index: &[u32]) {
        let mut starts = vec![0];
        let mut entries = Vec::with_capacity(self.entries.len());
        for body in 0..self.starts.len().saturating_sub(1) {
            if new_index[body] == u32::MAX {
                continue;
            }
            for entry in &self.entries[self.starts[body] as usize..self.starts[body + 1] as usize] {
                let other = new_index[entry.other as usize];
                if other != u32::MAX {
                    entries.push(Entry { other, ..*entry });
                }
            }
            starts.push(entries.len() as u32);
        }
        self.starts = starts;
        self.entries = entries;
    }
}
