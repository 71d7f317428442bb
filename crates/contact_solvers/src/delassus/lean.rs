//! Storage and kernels for contacts of rigid bodies: 80 bytes a contact, 48 between balls, no Jacobian blocks.
//!
//! A contact is its normal, two arms and two indices; the arms of balls lie along the normal, and two numbers say how long they
//! are ([`super::ball_contacts`]). The frame is computed anew at each visit. Storing the two
//! 3 x 6 blocks instead would take 288 bytes and more time: a sweep is bound by what it reads. Bodies whose
//! inertia is that of a ball, all of them in a bed of spheres, take 16 bytes each instead of 56.
//!
//! Products of balls are made leaf by leaf, by all threads ([`super::leaves`]); of other bodies Dγ is added up leaf by leaf. Where contacts do not come in the
//! order of the bodies, or balls have joints, impulses are scattered from contacts to bodies by one thread in the order of the contacts. Lists of the
//! contacts of each body would let several threads gather them, at 12 bytes a contact, and compute each contact
//! twice; methods for large beds sweep, and multiply only now and then.

use super::ball_contacts;
use super::geometry::Geometry;
use super::inertias::{Inertias, InverseInertia};
use super::leaf_work::LEAF;
use super::leaves::{Leaves, Product};
use super::rigid::{BodyInertia, RigidContact, contact_frame, cross};
use super::rigid_arithmetic::{
    diagonal_of_three, divide_by_mass, mean_of_balls, mean_of_three, multiply, multiply_transposed,
    point_velocity, push, sides, velocity_of, world_impulse,
};
use rayon::prelude::*;
use std::sync::OnceLock;

/// Contacts at least that are worth a second thread.
const PARALLEL_FROM: usize = 4096;

/// Contacts and bodies at least that are worth leaves: those of one leaf. The room for its bodies is cleared in every product, which would be most of a small one.
const LEAVES_FROM: usize = LEAF;

/// The contacts, blocks `0..len()` of the operator.
#[derive(Clone, Debug)]
pub(crate) struct LeanContacts {
    geometry: Geometry,
    /// Rows of every contact, if they are all the same.
    uniform: Option<usize>,
    /// First row of each contact and one past the last, if not.
    offsets: Vec<usize>,
    pub(super) inertias: Inertias,
    /// Found when they are first asked for; `None` in it if there are none.
    leaves: OnceLock<Option<Box<Leaves>>>,
}

impl LeanContacts {
    /// `offsets` are those of the contacts, with the end of the last.
    pub(super) fn new(offsets: &[usize], geometry: Geometry, inertias: Inertias) -> Self {
        let size = offsets.get(1).map_or(3, |end| end - offsets[0]);
        let uniform = offsets.windows(2).all(|w| w[1] - w[0] == size);
        Self {
            geometry,
            uniform: uniform.then_some(size),
            offsets: if uniform {
                Vec::new()
            } else {
                offsets.to_vec()
            },
            inertias,
            leaves: OnceLock::new(),
        }
    }

    /// Multiplies the mass and the inertia of each body by a factor.
    pub(super) fn multiply_masses(&mut self, factors: &[f64]) {
        let count = self.bodies();
        let bodies = (0..count).zip(factors).map(|(body, factor)| {
            let BodyInertia {
                inverse_mass,
                inverse_inertia,
            } = self.inertias.get(body);
            BodyInertia {
                inverse_mass: inverse_mass / factor,
                inverse_inertia: inverse_inertia.map(|value| value / factor),
            }
        });
        self.inertias = Inertias::new(bodies.collect());
    }

    pub fn len(&self) -> usize {
        match &self.geometry {
            Geometry::Balls(contacts) => contacts.len(),
            Geometry::Any(contacts) => contacts.len(),
        }
    }

    pub fn uniform(&self) -> Option<usize> {
        self.uniform
    }

    #[inline(always)]
    pub fn contact(&self, contact: usize) -> RigidContact {
        match &self.geometry {
            Geometry::Balls(contacts) => contacts[contact].contact(),
            Geometry::Any(contacts) => contacts[contact],
        }
    }

    /// The two bodies of a contact.
    #[inline(always)]
    pub fn bodies_of(&self, contact: usize) -> [u32; 2] {
        match &self.geometry {
            Geometry::Balls(contacts) => contacts[contact].bodies,
            Geometry::Any(contacts) => contacts[contact].bodies,
        }
    }

    /// The normal of a contact.
    #[inline(always)]
    pub fn normal_of(&self, contact: usize) -> [f64; 3] {
        match &self.geometry {
            Geometry::Balls(contacts) => contacts[contact].normal(),
            Geometry::Any(contacts) => contacts[contact].normal,
        }
    }

    /// ρ_a and ρ_b of a contact whose arms are ρ_a n and −ρ_b n; `None` if not all contacts are of this kind.
    pub fn levers(&self, contact: usize) -> Option<[f64; 2]> {
        match &self.geometry {
            Geometry::Balls(contacts) => Some(contacts[contact].levers()),
            Geometry::Any(_) => None,
        }
    }

    /// The number of bodies.
    pub fn bodies(&self) -> usize {
        match &self.inertias {
            Inertias::Balls(balls) => balls.len(),
            Inertias::Bodies(bodies) => bodies.len(),
        }
    }

    /// Whether every body has the inertia of a ball, and every arm lies along its normal.
    pub fn are_balls(&self) -> bool {
        matches!(
            (&self.inertias, &self.geometry),
            (Inertias::Balls(_), Geometry::Balls(_))
        )
    }

    pub fn inertia(&self, body: usize) -> BodyInertia {
        self.inertias.get(body)
    }

    #[inline]
    pub fn rows(&self, contact: usize) -> std::ops::Range<usize> {
        match self.uniform {
            Some(size) => size * contact..size * (contact + 1),
            None => self.offsets[contact]..self.offsets[contact + 1],
        }
    }

    /// Products with given impulses leaf by leaf: of contacts of balls with three rows each, if they come in the order of bodies.
    pub(super) fn by_leaves<'a>(&'a self, impulses: &'a [f64]) -> Option<Product<'a>> {
        let (Geometry::Balls(contacts), Inertias::Balls(balls), Some(3)) =
            (&self.geometry, &self.inertias, self.uniform)
        else {
            return None;
        };
        Some(Product {
            leaves: self.leaves()?,
            contacts,
            balls,
            impulses: &impulses.as_chunks().0[..contacts.len()],
        })
    }

    /// The leaves, if there are enough contacts and bodies and they come in order.
    fn leaves(&self) -> Option<&Leaves> {
        if self.len().min(self.bodies()) < LEAVES_FROM {
            return None;
        }
        let known = self.leaves.get().or_else(|| {
            // Threads that share this work may be given other work meanwhile, which must not wait for this lock.
            let found = match &self.geometry {
                Geometry::Balls(contacts) => Leaves::new(contacts, self.bodies(), |c| c.bodies),
                Geometry::Any(contacts) => Leaves::new(contacts, self.bodies(), |c| c.bodies),
            };
            Some(self.leaves.get_or_init(|| found.map(Box::new)))
        });
        known?.as_deref()
    }

    /// Adds D γ, momentum and angular momentum, to each body.
    pub fn add_impulses(&self, impulses: &[f64], momenta: &mut [[f64; 6]]) {
        if let (Geometry::Balls(contacts), Some(3)) = (&self.geometry, self.uniform) {
            ball_contacts::add_impulses(contacts, impulses.as_chunks().0, momenta);
            return;
        }
        let Some(leaves) = self.leaves() else {
            for contact in 0..self.len() {
                self.add_impulse(contact, impulses, 0, momenta);
            }
            return;
        };
        (momenta
            .par_chunks_mut(LEAF)
            .enumerate()
            .take(leaves.count()))
        .for_each(|(leaf, momenta)| {
            for contact in leaves.contacts_of(leaf) {
                self.add_impulse(contact, impulses, leaf * LEAF, momenta);
            }
        });
    }

    /// Adds D_i γ_i of one contact to those of its bodies that are among some, the first of which is given.
    #[inline]
    fn add_impulse(
        &self,
        contact: usize,
        impulses: &[f64],
        first: usize,
        momenta: &mut [[f64; 6]],
    ) {
        let rows = self.rows(contact);
        let contact = self.contact(contact);
        let (force, torque) = world_impulse(&contact, &impulses[rows]);
        for side in 0..2 {
            let place = contact.bodies[side].wrapping_sub(first as u32) as usize;
            if let Some(p) = momenta.get_mut(place) {
                let sign = if side == 0 { -1.0 } else { 1.0 };
                let moment = cross(contact.arms[side], force);
                for k in 0..3 {
                    p[k] += sign * force[k];
                    p[3 + k] += sign * (moment[k] + torque[k]);
                }
            }
        }
    }

    /// Replaces the momenta by M⁻¹ of them.
    pub fn divide_by_mass(&self, momenta: &mut [[f64; 6]]) {
        match &self.inertias {
            Inertias::Balls(balls) => divide_by_mass(balls, momenta),
            Inertias::Bodies(bodies) => divide_by_mass(bodies, momenta),
        }
    }

    /// Writes Dᵀ v of all contacts.
    pub fn velocities(&self, velocities: &[[f64; 6]], result: &mut [f64]) {
        match (&self.geometry, self.uniform) {
            (Geometry::Balls(contacts), Some(3)) => {
                ball_contacts::velocities(contacts, velocities, result.as_chunks_mut().0);
            }
            (_, Some(3)) => {
                let one = |(index, rows): (usize, &mut [f64; 3])| {
                    let contact = self.contact(index);
                    let relative = point_velocity(&contact, velocities);
                    *rows = multiply(contact_frame(contact.normal), relative);
                };
                let (rows, _) = result.as_chunks_mut::<3>();
                if self.len() < PARALLEL_FROM {
                    rows.iter_mut().enumerate().for_each(one);
                } else {
                    rows.par_iter_mut()
                        .enumerate()
                        .with_min_len(1024)
                        .for_each(one);
                }
            }
            _ => {
                for contact in 0..self.len() {
                    let rows = self.rows(contact);
                    self.block_velocity(contact, velocities, &mut result[rows]);
                }
            }
        }
    }

    /// Writes Dᵀ v of one contact of any number of rows.
    #[inline]
    pub fn block_velocity(&self, contact: usize, velocities: &[[f64; 6]], result: &mut [f64]) {
        let contact = &self.contact(contact);
        let frame = contact_frame(contact.normal);
        let linear = multiply(frame, point_velocity(contact, velocities));
        let mut rows = [linear[0], linear[1], linear[2], 0.0, 0.0, 0.0];
        if result.len() > 3 {
            let [a, b] = sides(contact, velocities);
            let spin = multiply(frame, std::array::from_fn(|k| b[3 + k] - a[3 + k]));
            [rows[3], rows[4], rows[5]] = [spin[1], spin[2], spin[0]];
        }
        result.copy_from_slice(&rows[..result.len()]);
    }

    /// Adds M⁻¹ D_i `change` to the velocities.
    #[inline]
    pub fn add_block_impulse(&self, contact: usize, change: &[f64], velocities: &mut [[f64; 6]]) {
        let contact = &self.contact(contact);
        let (force, torque) = world_impulse(contact, change);
        match &self.inertias {
            Inertias::Balls(balls) => push(contact, balls, force, torque, velocities),
            Inertias::Bodies(bodies) => push(contact, bodies, force, torque, velocities),
        }
    }

    /// Visits contacts of three rows in order: `update` is given the index, u = Dᵀv + r and γ, and answers with
    /// the new γ; the velocities follow. Only contacts `0..free.len()` are visited.
    pub fn sweep(
        &self,
        forward: bool,
        free: &[[f64; 3]],
        impulses: &mut [[f64; 3]],
        velocities: &mut [[f64; 6]],
        update: impl FnMut(usize, [f64; 3], [f64; 3]) -> [f64; 3],
    ) {
        match &self.inertias {
            Inertias::Balls(balls) => {
                self.sweep_bodies(balls, forward, free, impulses, velocities, update)
            }
            Inertias::Bodies(bodies) => {
                self.sweep_bodies(bodies, forward, free, impulses, velocities, update)
            }
        }
    }

    fn sweep_bodies<M: InverseInertia>(
        &self,
        bodies: &[M],
        forward: bool,
        free: &[[f64; 3]],
        impulses: &mut [[f64; 3]],
        velocities: &mut [[f64; 6]],
        mut update: impl FnMut(usize, [f64; 3], [f64; 3]) -> [f64; 3],
    ) {
        let count = free.len();
        let impulses = &mut impulses[..count];
        for k in 0..count {
            let index = if forward { k } else { count - 1 - k };
            let contact = &self.contact(index);
            let frame = contact_frame(contact.normal);
            let mut u = multiply(frame, point_velocity(contact, velocities));
            for k in 0..3 {
                u[k] += free[index][k];
            }
            let old = impulses[index];
            let new = update(index, u, old);
            let change: [f64; 3] = std::array::from_fn(|k| new[k] - old[k]);
            if change != [0.0; 3] {
                impulses[index] = new;
                let force = multiply_transposed(frame, change);
                push(contact, bodies, force, [0.0; 3], velocities);
            }
        }
    }

    /// tr(N_ii)/3 of a contact of three rows.
    #[inline]
    pub fn mean_diagonal_of_three(&self, contact: usize) -> f64 {
        match (&self.inertias, &self.geometry) {
            (Inertias::Balls(balls), Geometry::Balls(contacts)) => {
                mean_of_balls(&contacts[contact], balls)
            }
            (Inertias::Balls(balls), _) => mean_of_three(&self.contact(contact), balls),
            (Inertias::Bodies(bodies), _) => mean_of_three(&self.contact(contact), bodies),
        }
    }

    /// Writes N_ii of one contact, row-major.
    pub fn diagonal_block(&self, contact: usize, result: &mut [f64]) {
        let rows = self.rows(contact).len();
        match (&self.inertias, rows) {
            (Inertias::Balls(balls), 3) => diagonal_of_three(&self.contact(contact), balls, result),
            (Inertias::Bodies(bodies), 3) => {
                diagonal_of_three(&self.contact(contact), bodies, result);
            }
            _ => {
                let mut block = [0.0; 36];
                for side in 0..2 {
                    let body = self.bodies_of(contact)[side];
                    if body == RigidContact::FIXED {
                        continue;
                    }
                    let inertia = self.inertias.get(body as usize);
                    let jacobian = self.contact(contact).jacobian(side);
                    let (j, _) = jacobian.as_chunks::<6>();
                    for column in 0..rows {
                        let v = velocity_of(inertia, &j[column]);
                        for row in 0..rows {
                            block[row * rows + column] +=
                                (0..6).map(|k| j[row][k] * v[k]).sum::<f64>();
                        }
                    }
                }
                result.copy_from_slice(&block[..rows * rows]);
            }
        }
    }
}
