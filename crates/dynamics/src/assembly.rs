//! Bodies, contacts and joints become a contact problem. The only file that knows both sides.

use crate::bodies::{Bodies, Velocity};
use crate::impacts::NO_IMPACT;
use crate::joints::{JointBlock, Joints};
use crate::materials::{Material, Materials};
use crate::settings::Scheme;
use crate::warm_start::{ContactImpulse, WarmStart};
use glam::DVec3;
use moreau_collision::contact::Contact;
use moreau_contact_solvers::cones::{Cone, Cones};
use moreau_contact_solvers::delassus::{
    BodyInertia, Delassus, JacobianBlock, MatrixFree, RigidContact, contact_frame,
};
use moreau_contact_solvers::problem::{ContactProblem, ProblemError};
use rayon::prelude::*;

/// A body that the solver does not move.
pub const NOT_SOLVED: u32 = RigidContact::FIXED;

/// Contacts or bodies that one task handles at least; results do not depend on it.
pub(crate) const PIECE: usize = 1024;

/// What a step asks of its contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRules {
    /// h in s.
    pub step: f64,
    /// The scheme: it decides what a gap means.
    pub scheme: Scheme,
    /// Largest speed at which overlaps are pushed apart.
    pub recovery_speed: Option<f64>,
    /// Slowest impact that bounces, in m/s.
    pub restitution_threshold: f64,
    /// Largest gap at which cohesion acts, as a share of the smaller body's size.
    pub cohesion_range: f64,
}

impl ContactRules {
    /// The normal velocity that is added to u_N, so that u_N + bias ≥ 0 is what the contact demands.
    ///
    /// Symplectic Euler demands Φ + h u_N ≥ 0. In Moreau's scheme the gap is that in the middle of the step, so that
    /// Φ + (h/2) u_N ≥ 0, and a closed contact demands u_N ≥ 0 alone, unless a recovery speed is set. A compliant
    /// contact with force k Φ + d u and τ = d/k has Φ/(h + τ) and compliance E = 1/(k h (h + τ)). An impact faster than the
    /// threshold that closes the gap in this step demands u_N ≥ −e u_N⁻ (Newton's law), or, in a series of impacts, u_N ≥
    /// `opening` ([`crate::impacts`]). Of gap and impact the stricter demand counts, never their sum.
    fn bias(&self, gap: f64, opening: f64, material: &Material) -> f64 {
        let mut bias = gap / (self.closing_time() + material.damping_time);
        if gap < 0.0 {
            bias = match (self.recovery_speed, self.scheme) {
                (Some(speed), _) => bias.max(-speed),
                (None, Scheme::SymplecticEuler) => bias,
                (None, Scheme::MoreauHalfStep) => 0.0,
            };
        }
        bias.min(-opening)
    }

    /// The time for which bodies move with the new velocities after the contacts were found: a gap that is left then
    /// stays open.
    pub fn closing_time(&self) -> f64 {
        match self.scheme {
            Scheme::SymplecticEuler => self.step,
            Scheme::MoreauHalfStep => 0.5 * self.step,
        }
    }
}

/// The set of admissible impulses of a contact.
fn cone_of(material: &Material) -> Cone {
    let Material {
        friction,
        rolling_friction: rolling,
        spinning_friction: spinning,
        ..
    } = *material;
    if spinning > 0.0 {
        Cone::RollingSpinning {
            friction,
            rolling,
            spinning,
        }
    } else if rolling > 0.0 {
        Cone::Rolling { friction, rolling }
    } else if friction > 0.0 {
        Cone::Friction { friction }
    } else {
        Cone::Unilateral
    }
}

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
        let [a, b] = contact
            .bodies
            .map(|body| self.bodies.materials[body as usize]);
        self.materials.pair(a, b)
    }
}

/// A contact problem and who is who in it.
#[derive(Debug)]
pub struct Assembled {
    /// The problem: first the contacts in their order, then the joints' blocks.
    pub problem: ContactProblem,
    /// The number of each body in the problem; [`NOT_SOLVED`] for those that it does not move.
    pub number_of: Vec<u32>,
}

/// States the contact problem of a step.
///
/// # Errors
/// When a number is not finite.
pub fn assemble(parts: &Parts, rules: &ContactRules) -> Result<Assembled, ProblemError> {
    let (solved, index_of) = number_bodies(parts);
    let inertia_of = |&body: &u32| BodyInertia {
        inverse_mass: 1.0 / parts.bodies.masses[body as usize],
        inverse_inertia: parts.bodies.world_inverse_inertia(body as usize).0,
    };
    let inertias = solved
        .par_iter()
        .with_min_len(PIECE)
        .map(inertia_of)
        .collect();

    let count = parts.contacts.len();
    let mut cones = Cones::new();
    let mut offsets = Vec::with_capacity(count + parts.joints.len() + 1);
    offsets.push(0);
    let mut cohesion = Vec::new();
    let mut compliance = Vec::new();
    for (index, contact) in parts.contacts.iter().enumerate() {
        let material = parts.material(contact);
        let cone = cone_of(material);
        let first = offsets[index];
        let [a, b] = contact.bodies.map(|body| body as usize);
        if material.cohesion > 0.0
            && contact.gap <= rules.cohesion_range * parts.sizes[a].min(parts.sizes[b])
        {
            cohesion.resize(index, 0.0);
            cohesion.push(rules.step * material.cohesion);
        }
        if material.compliance > 0.0 {
            compliance.resize(first, 0.0);
            compliance
                .push(material.compliance / (rules.step * (rules.step + material.damping_time)));
        }
        offsets.push(first + cone.dimension());
        cones.push(cone);
    }

    let nothing = RigidContact {
        bodies: [NOT_SOLVED; 2],
        normal: [0.0; 3],
        arms: [[0.0; 3]; 2],
    };
    let mut rigid = vec![nothing; count];
    let mut free_velocity = vec![0.0; offsets[count]];
    let targets = (free_velocity.as_mut_slice(), rigid.as_mut_slice());
    for_each_block(targets, &offsets, 0, &|index, rows, rigid| {
        let contact = &parts.contacts[index];
        let arms = contact
            .bodies
            .map(|body| contact.point - parts.bodies.poses[body as usize].position);
        *rigid = RigidContact {
            bodies: contact.bodies.map(|body| index_of[body as usize]),
            normal: contact.normal.to_array(),
            arms: arms.map(|arm| arm.to_array()),
        };
        let opening = parts.opening.get(index).copied().unwrap_or(NO_IMPACT);
        let [a, b] = contact.bodies.map(|body| &parts.free[body as usize]);
        let slip = b.at(arms[1]) - a.at(arms[0]);
        in_frame(contact, slip, b.angular - a.angular, rows);
        rows[0] += rules.bias(contact.gap, opening, parts.material(contact));
    });

    let mut joints = Vec::new();
    for (index, block) in parts.joints.iter().enumerate() {
        let rows = block.rows();
        let first = free_velocity.len();
        free_velocity.extend_from_slice(&block.bias[..rows]);
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
                    free_velocity[first + row] += j * v;
                    rounding[row] += f64::EPSILON * (j * v).abs();
                }
            }
            if index_of[body as usize] != NOT_SOLVED {
                joints.push(JacobianBlock {
                    contact: count + index,
                    body: index_of[body as usize] as usize,
                    values: jacobian[..6 * rows].to_vec(),
                });
            }
        }
        for row in 0..rows {
            if free_velocity[first + row].abs() <= rounding[row] {
                free_velocity[first + row] = 0.0;
            }
        }
        if block.compliance[..rows].iter().any(|e| *e > 0.0) {
            compliance.resize(first, 0.0);
            compliance.extend_from_slice(&block.compliance[..rows]);
        }
        offsets.push(free_velocity.len());
        cones.push(block.cone);
    }

    let operator =
        MatrixFree::rigid(offsets, inertias, rigid, joints).expect("every block was numbered here");
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
    })
}

/// Numbers the rigid bodies that something touches.
fn number_bodies(parts: &Parts) -> (Vec<u32>, Vec<u32>) {
    let mut index_of = vec![NOT_SOLVED; parts.bodies.len()];
    let mut touched = vec![false; parts.bodies.len()];
    let contacts = parts.contacts.iter().flat_map(|contact| contact.bodies);
    let joints = parts.joints.iter().flat_map(|block| block.bodies);
    for body in contacts.chain(joints.filter(|body| *body != u32::MAX)) {
        touched[body as usize] = parts.bodies.is_rigid(body as usize);
    }
    let mut solved = Vec::new();
    for &body in parts.order {
        if touched[body as usize] {
            index_of[body as usize] = solved.len() as u32;
            solved.push(body);
        }
    }
    (solved, index_of)
}

/// Writes the rows of blocks and what else there is for each of them, on all threads; `offsets` are those of the blocks from `first`
/// on, with the end of the last.
fn for_each_block<T: Send>(
    (rows, others): (&mut [f64], &mut [T]),
    offsets: &[usize],
    first: usize,
    write: &(impl Fn(usize, &mut [f64], &mut T) + Sync),
) {
    let count = others.len();
    if count <= PIECE {
        let mut rest = rows;
        for (index, other) in others.iter_mut().enumerate() {
            let (block, behind) = rest.split_at_mut(offsets[index + 1] - offsets[index]);
            write(first + index, block, other);
            rest = behind;
        }
        return;
    }
    let middle = count / 2;
    let rows = rows.split_at_mut(offsets[middle] - offsets[0]);
    let others = others.split_at_mut(middle);
    rayon::join(
        || for_each_block((rows.0, others.0), &offsets[..=middle], first, write),
        || {
            for_each_block(
                (rows.1, others.1),
                &offsets[middle..],
                first + middle,
                write,
            )
        },
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
    let offsets: Vec<usize> = (0..=contacts.len()).map(|k| problem.first_row(k)).collect();
    start.resize(offsets[contacts.len()], 0.0);
    let mut nothing_else = vec![(); contacts.len()];
    let targets = (start.as_mut_slice(), nothing_else.as_mut_slice());
    for_each_block(targets, &offsets, 0, &|index, rows, ()| {
        let contact = &contacts[index];
        let known = warm.find(contact).map(|impulse| (impulse, scale));
        let known = known.or_else(|| Some((slept.find(contact)?, scale_of_slept)));
        if let Some((impulse, scale)) = known {
            in_frame(contact, impulse.linear, impulse.angular, rows);
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
