//! Bodies, contacts and joints become a contact problem. The only module that knows both sides.

use crate::bodies::{Bodies, Velocity};
use crate::impacts::NO_IMPACT;
use crate::joints::{JointBlock, Joints};
use crate::materials::{Material, Materials};
use crate::warm_start::{ContactImpulse, WarmStart};
use glam::DVec3;
use moreau_collision::contact::Contact;
use moreau_contact_solvers::delassus::{
    BodyInertia, Delassus, JacobianBlock, MatrixFree, RigidContact, contact_frame,
};
use moreau_contact_solvers::problem::{ContactProblem, ProblemError};
use rayon::prelude::*;
use std::ops::Range;

mod contact_blocks;
mod places;
mod slim_contacts;

pub use contact_blocks::ContactRules;
use contact_blocks::{ContactBlocks, blocks_of_contacts, unit_of_length};
use places::{Places, number_bodies};
pub(crate) use slim_contacts::{ManyContacts, SlimContacts};

/// A body that the solver does not move.
pub const NOT_SOLVED: u32 = RigidContact::FIXED;

/// Contacts or bodies that one task handles at least; results do not depend on it.
pub(crate) const PIECE: usize = 1024;

/// What is assembled.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// The bodies at the poses where the contacts were found.
    pub bodies: &'a Bodies,
    /// Their velocities without contacts and joints.
    pub free: &'a [Velocity],
    /// Materials.
    pub materials: &'a Materials,
    /// Contacts.
    pub contacts: &'a [Contact],
    /// The speed at which impacts make each of them open at least; [`NO_IMPACT`] for no demand; empty where
    /// nothing bounces.
    pub opening: &'a [f64],
    /// Blocks of the joints.
    pub joints: &'a [JointBlock],
    /// The order in which bodies are numbered: neighbours in space become neighbours in memory.
    pub order: &'a [u32],
    /// Size of each body's shape.
    pub sizes: &'a [f64],
}

impl Parts<'_> {
    /// What the two surfaces of a contact make together.
    fn material(&self, contact: &Contact) -> &Material {
        self.materials.only().unwrap_or_else(|| {
            let [a, b] = contact
                .bodies
                .map(|body| self.bodies.materials[body as usize]);
            self.materials.pair(a, b)
        })
    }
}

/// A contact problem and who is who in it.
#[derive(Debug)]
pub struct Assembled {
    /// The problem: first the contacts in their order, then the joints' blocks.
    pub problem: ContactProblem,
    /// The number of each body in the problem; [`NOT_SOLVED`] for those that it does not move.
    pub number_of: Vec<u32>,
    /// The unit of length that goes with angles, in m.
    pub length: f64,
}

impl Assembled {
    /// A contact as the problem knows it.
    #[inline]
    pub fn contact(&self, index: usize) -> RigidContact {
        let known = match self.problem.delassus() {
            Delassus::MatrixFree(operator) => operator.rigid_contact(index),
            _ => None,
        };
        let known = known.expect("contacts were stated by normals and arms");
        let arms = known.arms.map(|arm| arm.map(|x| self.length * x));
        RigidContact { arms, ..known }
    }

    /// The body of each number.
    pub fn solved(&self) -> Vec<u32> {
        let numbers = self.number_of.iter().enumerate();
        let known = numbers.filter(|(_, number)| **number != NOT_SOLVED);
        let mut solved = vec![0; self.number_of.len()];
        let mut count = 0;
        for (body, &number) in known {
            solved[number as usize] = body as u32;
            count += 1;
        }
        solved.truncate(count);
        solved
    }

    /// Turns the impulses of a solve into N s and N m s.
    pub fn to_moments(&self, contacts: usize, impulses: &mut [f64]) {
        if self.length == 1.0 {
            return;
        }
        for contact in 0..contacts {
            let rows = &mut impulses[self.problem.rows(contact)];
            rows.iter_mut().skip(3).for_each(|row| *row *= self.length);
        }
    }
}

/// States the contact problem of a step.
///
/// # Errors
/// When a number is not finite.
pub fn assemble(parts: &Parts, rules: &ContactRules) -> Result<Assembled, ProblemError> {
    let (solved, index_of) = number_bodies(parts);
    let length = unit_of_length(parts);
    let inertia_of = |&body: &u32| {
        let inverse_inertia = parts.bodies.world_inverse_inertia(body as usize).0;
        BodyInertia {
            inverse_mass: 1.0 / parts.bodies.masses[body as usize],
            inverse_inertia: inverse_inertia.map(|x| length * length * x),
        }
    };
    let inertias = solved
        .par_iter()
        .with_min_len(PIECE)
        .map(inertia_of)
        .collect();

    let count = parts.contacts.len();
    let ContactBlocks {
        mut cones,
        mut offsets,
        mut cohesion,
        mut compliance,
    } = blocks_of_contacts(parts, rules, length);

    let places = Places::new(parts, &solved, &index_of);
    let rigid = |index: usize| {
        let contact = &parts.contacts[index];
        let arms = contact.bodies.map(|body| contact.point - places.of(body));
        RigidContact {
            bodies: contact.bodies.map(|body| index_of[body as usize]),
            normal: contact.normal.to_array(),
            arms: arms.map(|arm| (arm / length).to_array()),
        }
    };

    let contact_rows = offsets[count];
    let mut joint_velocity = Vec::new();
    let mut joints = Vec::new();
    for (index, block) in parts.joints.iter().enumerate() {
        let rows = block.rows();
        let first = joint_velocity.len();
        joint_velocity.extend_from_slice(&block.bias[..rows]);
        let mut rounding = block.rounding;
        for (&body, jacobian) in block.bodies.iter().zip(&block.jacobians) {
            if body == u32::MAX {
                continue;
            }
            let velocity = &parts.free[body as usize];
            let stacked = [velocity.linear.to_array(), velocity.angular.to_array()];
            for row in 0..rows {
                let numbers = &jacobian[6 * row..6 * row + 6];
                for (j, v) in numbers.iter().zip(stacked.as_flattened()) {
                    joint_velocity[first + row] += j * v;
                    rounding[row] += f64::EPSILON * (j * v).abs();
                }
            }
            if index_of[body as usize] != NOT_SOLVED {
                let mut values = jacobian[..6 * rows].to_vec();
                for row in values.as_chunks_mut::<6>().0 {
                    row[3..].iter_mut().for_each(|j| *j /= length);
                }
                joints.push(JacobianBlock {
                    contact: count + index,
                    body: index_of[body as usize] as usize,
                    values,
                });
            }
        }
        for row in 0..rows {
            if joint_velocity[first + row].abs() <= rounding[row] {
                joint_velocity[first + row] = 0.0;
            }
        }
        if block.compliance[..rows].iter().any(|e| *e > 0.0) {
            compliance.resize(contact_rows + first, 0.0);
            compliance.extend_from_slice(&block.compliance[..rows]);
        }
        offsets.push(contact_rows + joint_velocity.len());
        cones.push(block.cone);
    }

    let operator = MatrixFree::rigid_by(offsets, inertias, (count, rigid), joints)
        .expect("every block was numbered here");
    drop(places);
    let numbers = (solved.as_slice(), index_of.as_slice());
    let mut free_velocity = velocities_at_contacts(parts, rules, numbers, &operator, length);
    free_velocity[contact_rows..].copy_from_slice(&joint_velocity);
    let (blocks, rows) = (cones.len(), free_velocity.len());
    let mut problem = ContactProblem::new(cones, Delassus::MatrixFree(operator), free_velocity)?;
    if !cohesion.is_empty() {
        cohesion.resize(blocks, 0.0);
        problem = problem.with_cohesion(cohesion)?;
    }
    if !compliance.is_empty() {
        compliance.resize(rows, 0.0);
        problem = problem.with_compliance(compliance)?;
    }
    Ok(Assembled {
        problem,
        number_of: index_of,
        length,
    })
}

/// Dᵀ v of the free velocities, with what the contacts demand beside; the rows of joints are not what they should be.
fn velocities_at_contacts(
    parts: &Parts,
    rules: &ContactRules,
    (solved, index_of): (&[u32], &[u32]),
    operator: &MatrixFree,
    length: f64,
) -> Vec<f64> {
    let numbers = |&body: &u32| {
        let velocity = &parts.free[body as usize];
        let turning = length * velocity.angular;
        let ([a, b, c], [d, e, f]) = (velocity.linear.to_array(), turning.to_array());
        [a, b, c, d, e, f]
    };
    let pieces = solved.par_iter().with_min_len(PIECE);
    let moving: Vec<[f64; 6]> = pieces.map(numbers).collect();
    let mut rows = vec![0.0; operator.dimension()];
    operator.contact_velocities(moving.as_flattened(), &mut rows);

    let is_driven =
        |body: usize| index_of[body] == NOT_SOLVED && parts.free[body] != Velocity::ZERO;
    let some_driven = (0..index_of.len()).any(is_driven);
    let rows_of = |contact: usize| operator.rows(contact);
    let contacts = 0..parts.contacts.len();
    for_each_block(&mut rows, contacts, &rows_of, &|index, rows| {
        let contact = &parts.contacts[index];
        for side in 0..2 {
            let body = contact.bodies[side] as usize;
            if some_driven && is_driven(body) {
                let sign = if side == 0 { -1.0 } else { 1.0 };
                let velocity = &parts.free[body];
                let arm = contact.point - parts.bodies.poses[body].position;
                let mut own = [0.0; 6];
                let own = &mut own[..rows.len()];
                in_frame(
                    contact,
                    sign * velocity.at(arm),
                    sign * length * velocity.angular,
                    own,
                );
                rows.iter_mut().zip(own).for_each(|(row, own)| *row += *own);
            }
        }
        let opening = parts.opening.get(index).copied().unwrap_or(NO_IMPACT);
        rows[0] += rules.bias(contact.gap, opening, parts.material(contact));
    });
    rows
}

/// Writes the rows of some blocks on all threads.
fn for_each_block(
    rows: &mut [f64],
    blocks: Range<usize>,
    rows_of: &(impl Fn(usize) -> Range<usize> + Sync),
    write: &(impl Fn(usize, &mut [f64]) + Sync),
) {
    if blocks.len() <= PIECE {
        let mut rest = rows;
        for block in blocks {
            let (own, behind) = rest.split_at_mut(rows_of(block).len());
            write(block, own);
            rest = behind;
        }
        return;
    }
    let middle = blocks.start + blocks.len() / 2;
    let (left, right) = rows.split_at_mut(rows_of(middle).start - rows_of(blocks.start).start);
    rayon::join(
        || for_each_block(left, blocks.start..middle, rows_of, write),
        || for_each_block(right, middle..blocks.end, rows_of, write),
    );
}

/// Writes a vector pair in the coordinates of a contact, as many rows as there is room for.
#[inline]
fn in_frame(contact: &Contact, linear: DVec3, angular: DVec3, rows: &mut [f64]) {
    let [n, t, w] = contact_frame(contact.normal.to_array()).map(DVec3::from_array);
    // Most contacts have three rows: those that turn are looked at apart.
    let (linear_rows, angular_rows) = rows.split_at_mut(rows.len().min(3));
    let numbers = [n.dot(linear), t.dot(linear), w.dot(linear)];
    linear_rows.copy_from_slice(&numbers[..linear_rows.len()]);
    if !angular_rows.is_empty() {
        let numbers = [t.dot(angular), w.dot(angular), n.dot(angular)];
        angular_rows.copy_from_slice(&numbers[..angular_rows.len()]);
    }
}

/// Appends the starting point of a solve: what the same contacts and joints needed in the last step, or before they
/// `slept`.
pub fn add_starting_impulses(
    assembled: &Assembled,
    contacts: &[Contact],
    (joints, blocks): (&Joints, &[JointBlock]),
    (warm, slept, step): (&WarmStart, &WarmStart, f64),
    start: &mut Vec<f64>,
) {
    let problem = &assembled.problem;
    let scale = warm.scale_to(step);
    let scale_of_slept = slept.scale_to(step);
    start.reserve_exact(problem.dimension());
    let count = contacts.len();
    let rows_of = |block: usize| problem.rows(block);
    start.resize(problem.first_row(count), 0.0);
    for_each_block(start, 0..count, &rows_of, &|index, rows| {
        let contact = &contacts[index];
        let known = warm.find(contact).map(|impulse| (impulse, scale));
        let known = known.or_else(|| Some((slept.find(contact)?, scale_of_slept)));
        if let Some((impulse, scale)) = known {
            let moment = impulse.angular / assembled.length;
            in_frame(contact, impulse.linear, moment, rows);
            rows.iter_mut().for_each(|row| *row *= scale);
        }
    });
    for block in blocks {
        start.extend(
            joints
                .last_impulses(block)
                .iter()
                .map(|value| scale * value),
        );
    }
}

/// The impulse of one contact, on its second body, as vectors in space.
pub fn contact_impulse(contact: &Contact, rows: &[f64]) -> ContactImpulse {
    let [n, t, w] = contact_frame(contact.normal.to_array()).map(DVec3::from_array);
    let row = |k: usize| rows.get(k).copied().unwrap_or(0.0);
    ContactImpulse {
        linear: n * row(0) + t * row(1) + w * row(2),
        angular: t * row(3) + w * row(4) + n * row(5),
    }
}
