//! Impacts of a step, one after the other: at which speeds do they make contacts open?
//!
//! Newton's law says u_N⁺ = −e u_N⁻ of one impact. A step may hold several that follow one another: a ball hits a row of balls,
//! the first passes the speed to the second, which stood still when the step began. Stated for the whole step at
//! once, with the approach at its beginning, only the first contact would bounce. The others would see the gap term alone,
//! u_N ≥ −Φ/h, which lets a ball go no faster than just to its neighbour: the approach that the next step sees is Φ/h, not
//! the speed of the impact, and the difference is lost. A cradle of five elastic balls lost 20 % of its energy so in five
//! swings.
//!
//! So the impacts are followed first, without forces, in passes. A pass takes the contacts that bodies would close in this
//! step while they approach faster than the threshold, and solves for u_N⁺ ≥ −e u_N⁻ there, with friction and with the
//! joints; contacts that do not approach take no part. It ends when no contact approaches (this is the generalised
//! reflection of Smith, Kaufman, Vouga, Tamstorf, Grinspun, *Reflections on simultaneous impact*, ACM Trans. Graph. 31(4),
//! 2012, with e in place of 1). The step is then solved once, as any other, with the demand u_N ≥ u_N* for the contacts that took
//! part, u_N* being their speed after the last pass. Without friction and forces its answer is the sum of the passes'
//! impulses: they are not negative, vanish where nothing is demanded, and meet every demand exactly.
//!
//! What this does not know: contacts that one pass finds together are solved together, whichever came first within the
//! step; Newton's law with friction can gain energy in slanted impacts; and where a light body is between heavy
//! ones, impacts hardly end. After a few of them for each contact, or when a pass cannot be solved, the step falls back to
//! Newton's law for all its contacts at once, with the approach at its beginning.

use crate::assembly::{self, ContactRules, Parts};
use crate::bodies::Velocity;
use crate::contact_choice::separation;
use crate::joints::JointBlock;
use crate::simulation::{Simulation, StepError};
use crate::step_solve::Trial;
use moreau_collision::contact::Contact;
use moreau_contact_solvers::status::Status;
use std::sync::Arc;

/// How often a contact may take part in the passes of a step, on average over all of them.
const IMPACTS_OF_A_CONTACT: usize = 4;

/// The demand of a contact that no impact touches.
pub const NO_IMPACT: f64 = f64::NEG_INFINITY;

/// A contact, by its number ([`Simulation::found`]), and the speed at which an impact makes it open.
type Impact = (usize, f64);

/// The numbers of the contacts of each body.
struct ContactsOfBodies {
    /// Where those of each body begin.
    starts: Vec<usize>,
    contacts: Vec<usize>,
}

impl ContactsOfBodies {
    fn of(&self, body: usize) -> impl Iterator<Item = usize> {
        let contacts = &self.contacts[self.starts[body]..self.starts[body + 1]];
        contacts.iter().copied()
    }
}

impl Simulation {
    /// Follows the impacts of the step that begins, and writes the speed at which each contact must at least open:
    /// `workspace.opening`, [`NO_IMPACT`] where nothing is demanded, empty where nothing bounces. Contacts that were left out
    /// and take part become part of the step's problem.
    pub(crate) fn follow_impacts(
        &mut self,
        joints: &[JointBlock],
        rules: &ContactRules,
        step: u64,
    ) -> Result<(), StepError> {
        self.workspace.opening.clear();
        if !self.materials.any_bounce() {
            return Ok(());
        }
        self.workspace
            .opening
            .resize(self.contacts.len(), NO_IMPACT);
        let mut velocities = self.bodies.velocities.clone();
        let found = self.contacts.len() + self.workspace.left_out.len();
        let mut meeting = self.meeting(0..found, &velocities, rules);
        if meeting.iter().all(|(_, speed)| *speed == 0.0) {
            return Ok(());
        }
        let first = meeting.clone();
        let touching = self.contacts_of_bodies(found);
        let mut met = vec![false; found];
        let mut left = IMPACTS_OF_A_CONTACT * found;
        while !meeting.is_empty() {
            if meeting.len() > left {
                self.demand(&first, rules);
                return Ok(());
            }
            left -= meeting.len();
            meeting.iter().for_each(|(index, _)| met[*index] = true);
            let Some(after) = self.pass(&meeting, &velocities, joints, rules, step)? else {
                self.demand(&first, rules);
                return Ok(());
            };
            velocities = after;
            // Only what the pass has moved can meet anew.
            let moved = self.bodies_of_pass(&meeting, joints);
            let mut near: Vec<usize> = moved.flat_map(|body| touching.of(body)).collect();
            near.sort_unstable();
            near.dedup();
            meeting = self.meeting(near.into_iter(), &velocities, rules);
            debug_assert_eq!(meeting, self.meeting(0..found, &velocities, rules));
        }
        let speed = |index: usize| separation(self.found(index), &self.bodies.poses, &velocities);
        let indices = (0..found).filter(|index| met[*index]);
        let after: Vec<Impact> = indices.map(|index| (index, speed(index))).collect();
        self.demand(&after, rules);
        Ok(())
    }

    /// The contacts of the problem by their numbers, then those that were left out.
    fn found(&self, index: usize) -> &Contact {
        match index.checked_sub(self.contacts.len()) {
            Some(index) => &self.workspace.left_out[index].contact,
            None => &self.contacts[index],
        }
    }

    /// Those of the given contacts that close in this step while they approach faster than the threshold, and −e u_N of each.
    fn meeting(
        &self,
        contacts: impl Iterator<Item = usize>,
        velocities: &[Velocity],
        rules: &ContactRules,
    ) -> Vec<Impact> {
        let time = rules.closing_time();
        let meeting = contacts.filter_map(|index| {
            let contact = self.found(index);
            let approach = separation(contact, &self.bodies.poses, velocities);
            let fast = approach < -rules.restitution_threshold;
            let meets = fast && contact.gap + time * approach <= 0.0;
            meets.then(|| (index, -self.restitution(contact) * approach))
        });
        meeting.collect()
    }

    /// The contacts of each body that can be moved, by their numbers, which are below `found`.
    fn contacts_of_bodies(&self, found: usize) -> ContactsOfBodies {
        let movable = |index: usize| {
            let bodies = self.found(index).bodies.map(|body| body as usize);
            bodies
                .into_iter()
                .filter(|body| self.bodies.is_rigid(*body))
        };
        let mut starts = vec![0; self.bodies.len() + 2];
        for body in (0..found).flat_map(movable) {
            starts[body + 2] += 1;
        }
        for body in 2..starts.len() {
            starts[body] += starts[body - 1];
        }
        let mut contacts = vec![0; starts[self.bodies.len() + 1]];
        for index in 0..found {
            for body in movable(index) {
                contacts[starts[body + 1]] = index;
                starts[body + 1] += 1;
            }
        }
        ContactsOfBodies { starts, contacts }
    }

    /// The bodies that a pass can have moved, some of them several times: those of its contacts and of all joints.
    fn bodies_of_pass<'a>(
        &'a self,
        meeting: &'a [Impact],
        joints: &'a [JointBlock],
    ) -> impl Iterator<Item = usize> + 'a {
        let of_contacts = meeting
            .iter()
            .flat_map(|(index, _)| self.found(*index).bodies);
        let of_joints = joints.iter().flat_map(|joint| joint.bodies.iter().copied());
        let bodies = of_contacts.chain(of_joints).map(|body| body as usize);
        bodies.filter(|body| *body < self.bodies.len())
    }

    fn restitution(&self, contact: &Contact) -> f64 {
        let materials = contact
            .bodies
            .map(|body| self.bodies.materials[body as usize]);
        self.materials.pair(materials[0], materials[1]).restitution
    }

    /// The velocities after the impacts of some contacts; `None` if the solver could not tell them.
    fn pass(
        &self,
        meeting: &[Impact],
        velocities: &[Velocity],
        joints: &[JointBlock],
        rules: &ContactRules,
        step: u64,
    ) -> Result<Option<Vec<Velocity>>, StepError> {
        // No gap counts in an impact: the demand alone.
        let touching = |(index, _): &Impact| Contact {
            gap: f64::INFINITY,
            ..*self.found(*index)
        };
        let contacts: Vec<Contact> = meeting.iter().map(touching).collect();
        let opening: Vec<f64> = meeting.iter().map(|(_, speed)| *speed).collect();
        let parts = Parts {
            bodies: &self.bodies,
            free: velocities,
            materials: &self.materials,
            contacts: &contacts,
            opening: &opening,
            joints,
            order: self.workspace.broad_phase.order(),
            sizes: &self.workspace.sizes,
        };
        let assembled = assembly::assemble(&parts, rules)
            .map_err(|reason| StepError::Problem { step, reason })?;
        let mut impulses = vec![0.0; assembled.problem.dimension()];
        let report = self.solve(
            &assembled.problem,
            &mut impulses,
            &Arc::default(),
            step,
            &mut Trial::never(),
        )?;
        if report.status != Status::Converged {
            return Ok(None);
        }
        let mut after = Vec::new();
        self.add_impulses(&assembled, &impulses, velocities, &mut after);
        Ok(Some(after))
    }

    /// Notes the speeds at which contacts must open, and sees to it that they are part of the step's problem. An inelastic
    /// contact that does not open has no demand: its gap may still close.
    fn demand(&mut self, impacts: &[Impact], rules: &ContactRules) {
        let count = self.contacts.len();
        let mut added = vec![None; self.workspace.left_out.len()];
        for &(index, speed) in impacts {
            let bounces = self.restitution(self.found(index)) > 0.0;
            let demand = if speed > rules.restitution_threshold || bounces {
                speed
            } else {
                NO_IMPACT
            };
            match index.checked_sub(count) {
                Some(index) => added[index] = Some(demand),
                None => self.workspace.opening[index] = demand,
            }
        }
        self.add_left_out(&added);
    }
}
