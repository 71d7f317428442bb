//! The friction contacts of rigid bodies that open most large problems, and the fast way to sweep them.
//!
//! For these the velocity, the impulse and the body velocities are small arrays of known length, the block's
//! offset is three times its number, and what a visit does is compiled into the loop.

use crate::cones::{Cone, Cones};
use crate::delassus::Delassus;
use crate::delassus::lean::LeanContacts;
use crate::problem::ContactProblem;

/// The first blocks of a problem: contacts of three rows with friction, stored by normals and arms.
pub(crate) struct FrictionRun<'a> {
    contacts: &'a LeanContacts,
    cones: &'a Cones,
    free: &'a [[f64; 3]],
}

impl<'a> FrictionRun<'a> {
    /// The run of a problem, if it has one. Compliance, which few problems have, excludes it.
    pub fn of(problem: &'a ContactProblem) -> Option<Self> {
        let Delassus::MatrixFree(operator) = problem.delassus() else {
            return None;
        };
        let contacts = operator.lean_contacts()?;
        let count = problem.friction_run().min(contacts.len());
        if count == 0 || contacts.uniform() != Some(3) || !problem.compliance().is_empty() {
            return None;
        }
        Some(Self {
            contacts,
            cones: problem.cones(),
            free: &problem.free_velocity().as_chunks().0[..count],
        })
    }

    /// The number of contacts.
    pub fn len(&self) -> usize {
        self.free.len()
    }

    /// The normal of a contact.
    pub fn normal(&self, contact: usize) -> [f64; 3] {
        self.contacts.normal_of(contact)
    }

    /// Visits the contacts in order. `update` is given the index, μ, u and γ, and answers with the new γ.
    #[inline]
    pub fn sweep(
        &self,
        forward: bool,
        impulses: &mut [f64],
        state: &mut [f64],
        mut update: impl FnMut(usize, f64, [f64; 3], [f64; 3]) -> [f64; 3],
    ) {
        let cones = self.cones;
        self.contacts.sweep(
            forward,
            self.free,
            impulses.as_chunks_mut().0,
            state.as_chunks_mut().0,
            |index, u, gamma| update(index, friction_of(&cones[index]), u, gamma),
        );
    }
}

/// μ of a friction cone.
#[inline(always)]
fn friction_of(cone: &Cone) -> f64 {
    match *cone {
        Cone::Friction { friction } => friction,
        _ => 0.0,
    }
}
