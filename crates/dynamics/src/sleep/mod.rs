//! Bodies at rest that sleep: who sleeps, with which contacts, and what wakes them.
//!
//! Bodies fall asleep by islands ([`islands`]): all that touch or are joined, through rigid bodies. A sleeping body has no velocity, stays
//! exactly where it is, and takes no part in detection among sleepers, in joints and in the solve. Its contacts keep the impulses of the
//! last step before, so that forces on it and on what carries it are still told.
//!
//! An island wakes as a whole, in the step and not after it, when
//!
//! - a contact of the step's problem has a sleeping body: with one that is awake, or with a driven body that moves;
//! - what accelerates a sleeping body changes: gravity, an applied force, a spring;
//! - a motor of its joints asks for something else or for motion;
//! - a body of it, or a body that carries it, is removed;
//! - bodies, joints, forces, materials or settings are changed from outside: then all wake, since nothing tells what was changed.
//!
//! It goes on from the poses that it had, without velocity and with the impulses that it had as the starting point: waking adds no
//! energy.

mod islands;

use crate::bodies::{Velocity, keep};
use crate::contact_choice::deepest_overlap;
use crate::simulation::Simulation;
use crate::warm_start::WarmStart;
use moreau_collision::contact::Contact;
use moreau_collision::pose::Pose;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The island of a body that is awake; others are named by the tag of their first body.
const AWAKE: u64 = u64::MAX;

/// Who sleeps, and the contacts of those who do.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Sleepers {
    /// The island that each body sleeps in, or [`AWAKE`]. Bodies that came after the last step have no entry yet.
    islands: Vec<u64>,
    /// Steps for which each body has been at rest.
    quiet: Vec<u32>,
    /// Where each body was when it came to rest.
    places: Vec<Pose>,
    /// What accelerates each sleeping body, but for contacts and joints.
    accelerations: Vec<Velocity>,
    count: usize,
    contacts: Vec<Contact>,
    /// Where the impulses of each contact begin among `rows`.
    offsets: Vec<u32>,
    rows: Vec<f64>,
    /// The same impulses by contact feature; those of bodies that have just woken until the step is over.
    impulses: WarmStart,
    /// Whether some have just woken.
    woken: bool,
    /// The deepest overlap of the contacts in m, and as a share of the smaller body's size.
    deepest: [f64; 2],
    /// Whether something was changed from outside since the last step.
    disturbed: bool,
}

impl Sleepers {
    /// How many bodies sleep.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether a body sleeps.
    #[inline]
    pub fn is_asleep(&self, body: usize) -> bool {
        self.islands
            .get(body)
            .is_some_and(|island| *island != AWAKE)
    }

    /// Whether a joint of these bodies is one between sleepers.
    pub fn hold(&self, bodies: [u32; 2]) -> bool {
        self.count > 0 && bodies.iter().any(|body| self.is_asleep(*body as usize))
    }

    /// Notes that something was changed from outside.
    pub fn disturb(&mut self) {
        self.disturbed = true;
    }

    /// The contacts of sleeping bodies.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// Impulses by contact feature, to start from when bodies wake.
    pub fn impulses(&self) -> &WarmStart {
        &self.impulses
    }

    /// The impulses of a contact in its own frame, and the step that they belong to.
    pub fn impulse(&self, contact: usize) -> (&[f64], f64) {
        (
            rows_of(&self.offsets, &self.rows, contact),
            self.impulses.step,
        )
    }

    /// The deepest overlap of the contacts in m, and as a share of the smaller body's size.
    pub fn deepest(&self) -> [f64; 2] {
        self.deepest
    }

    /// Wakes islands; whether there was anybody to wake.
    fn wake(&mut self, islands: &BTreeSet<u64>) -> bool {
        if islands.is_empty() {
            return false;
        }
        for (island, quiet) in self.islands.iter_mut().zip(&mut self.quiet) {
            if *island != AWAKE && islands.contains(island) {
                *island = AWAKE;
                *quiet = 0;
                self.count -= 1;
            }
        }
        let contacts = std::mem::take(&mut self.contacts);
        let offsets = std::mem::replace(&mut self.offsets, vec![0]);
        let rows = std::mem::take(&mut self.rows);
        for (index, contact) in contacts.iter().enumerate() {
            if self.hold(contact.bodies) {
                self.push(contact, rows_of(&offsets, &rows, index));
            }
        }
        self.woken = true;
        true
    }

    fn push(&mut self, contact: &Contact, rows: &[f64]) {
        if self.offsets.is_empty() {
            self.offsets.push(0);
        }
        self.contacts.push(*contact);
        self.rows.extend_from_slice(rows);
        self.offsets.push(self.rows.len() as u32);
    }

    /// Sorts the impulses anew when contacts came or went; `sizes` are those of the bodies.
    fn sort(&mut self, sizes: &[f64]) {
        let (offsets, rows) = (&self.offsets, &self.rows);
        self.impulses.store(sizes.len(), &self.contacts, |contact| {
            rows_of(offsets, rows, contact)
        });
        self.deepest = deepest_overlap(&self.contacts, sizes);
        self.woken = false;
    }

    /// Forgets the impulses of those who have woken, when the step is over.
    pub fn end_step(&mut self, sizes: &[f64]) {
        if self.woken {
            self.sort(sizes);
        }
    }

    /// Adapts to the removal of bodies; `new_index` is `u32::MAX` for a removed one.
    pub fn renumber(&mut self, new_index: &[u32]) {
        let gone = |body: usize| new_index[body] == u32::MAX;
        let of_contacts = self.contacts.iter().map(|contact| contact.bodies);
        let of_contacts = of_contacts.filter(|bodies| bodies.iter().any(|b| gone(*b as usize)));
        let removed = (0..self.islands.len()).filter(|body| gone(*body));
        let bodies = of_contacts
            .flatten()
            .map(|body| body as usize)
            .chain(removed);
        let touched = self.islands_of(bodies);
        self.wake(&touched);
        let gone: Vec<bool> = (0..new_index.len()).map(gone).collect();
        keep(&mut self.islands, &gone);
        keep(&mut self.quiet, &gone);
        keep(&mut self.places, &gone);
        keep(&mut self.accelerations, &gone);
        for contact in &mut self.contacts {
            contact.bodies = contact.bodies.map(|body| new_index[body as usize]);
        }
        self.impulses.renumber(new_index);
    }

    /// The islands that some bodies sleep in.
    fn islands_of(&self, bodies: impl Iterator<Item = usize>) -> BTreeSet<u64> {
        bodies
            .filter(|body| self.is_asleep(*body))
            .map(|body| self.islands[body])
            .collect()
    }
}

fn rows_of<'a>(offsets: &[u32], rows: &'a [f64], contact: usize) -> &'a [f64] {
    &rows[offsets[contact] as usize..offsets[contact + 1] as usize]
}

impl Simulation {
    /// Wakes all if something was changed from outside, or if nobody shall sleep any more.
    pub(crate) fn wake_if_disturbed(&mut self) {
        if self.sleepers.disturbed || !self.settings.sleep {
            let everybody = self.sleepers.islands_of(0..self.sleepers.islands.len());
            self.sleepers.wake(&everybody);
            self.sleepers.disturbed = false;
        }
    }

    /// Wakes the bodies that are accelerated or driven by motors in another way than when they fell asleep, and keeps the others at rest.
    pub(crate) fn let_sleepers_rest(&mut self, free: &mut [Velocity], h: f64) {
        if self.sleepers.count == 0 {
            return;
        }
        let asleep = (0..self.bodies.len()).filter(|body| self.sleepers.is_asleep(*body));
        let accelerated =
            asleep.filter(|body| self.sleepers.accelerations[*body] != per_second(&free[*body], h));
        let times = [self.time, self.time + h];
        let joints = self.joints.iter().filter(|joint| !joint.is_steady(times));
        let driven = joints.flat_map(|joint| joint.bodies());
        let bodies = accelerated.chain(driven.map(|body| body as usize));
        let islands = self.sleepers.islands_of(bodies);
        self.sleepers.wake(&islands);
        for (body, velocity) in free.iter_mut().enumerate() {
            if self.sleepers.is_asleep(body) {
                *velocity = Velocity::ZERO;
            }
        }
    }

    /// Wakes those whom the contacts of the problem touch; whether there were any. Contacts must then be searched for again, since those
    /// between sleepers were not.
    pub(crate) fn wake_touched(&mut self) -> bool {
        if self.sleepers.count == 0 {
            return false;
        }
        let touching = self.contacts.iter().flat_map(|contact| contact.bodies);
        let islands = self.sleepers.islands_of(touching.map(|body| body as usize));
        self.sleepers.wake(&islands)
    }
}

/// The acceleration that gives a velocity to a body at rest.
fn per_second(velocity: &Velocity, h: f64) -> Velocity {
    Velocity {
        linear: velocity.linear / h,
        angular: velocity.angular / h,
    }
}
