//! Storage and kernels for contacts of rigid bodies: 80 bytes a contact, 48 between balls, no Jacobian blocks.
//!
//! A contact is its normal, two arms and two indices; the arms of balls lie along the normal, and two numbers say how long they
//! are ([`super::ball_contacts`]). The frame is computed anew at each visit. Storing the two
//! 3 x 6 blocks instead would take 288 bytes and more time: a sweep is bound by what it reads. Bodies whose
//! inertia is that of a ball, all of them in a bed of spheres, take 16 bytes each instead of 56.
//!
//! Impulses are scattered from contacts to bodies by one thread in the order of the contacts. Lists of the
//! contacts of each body would let several threads gather them, at 12 bytes a contact, and compute each contact
//! twice; methods for large beds sweep, and multiply only now and then.

use super::ball_contacts::{self, BallContact};
use super::rigid::{BodyInertia, RigidContact, contact_frame, cross};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Contacts at least that are worth a second thread.
const PARALLEL_FROM: usize = 4096;

/// Contacts at least that one task looks at.
const CONTACTS_OF_A_TASK: usize = 1024;

/// 1/m and 1/I of a ball.
type Ball = [f64; 2];

/// The inverse masses of all bodies.
#[derive(Clone, Debug)]
pub(super) enum Inertias {
    Balls(Vec<Ball>),
    Bodies(Vec<BodyInertia>),
}

impl Inertias {
    pub fn new(bodies: Vec<BodyInertia>) -> Self {
        let ball = |body: &BodyInertia| {
            let [xx, yy, zz, xy, xz, yz] = body.inverse_inertia;
            xx == yy && yy == zz && [xy, xz, yz] == [0.0; 3]
        };
        if bodies.iter().all(ball) {
            let pair = |body: &BodyInertia| [body.inverse_mass, body.inverse_inertia[0]];
            Inertias::Balls(bodies.iter().map(pair).collect())
        } else {
            Inertias::Bodies(bodies)
        }
    }

    pub fn get(&self, body: usize) -> BodyInertia {
        match self {
            Inertias::Balls(balls) => {
                let [inverse_mass, turn] = balls[body];
                BodyInertia {
                    inverse_mass,
                    inverse_inertia: [turn, turn, turn, 0.0, 0.0, 0.0],
                }
            }
            Inertias::Bodies(bodies) => bodies[body],
        }
    }
}

/// What a kernel asks of a body.
trait InverseInertia: Copy {
    /// 1/m.
    fn push(self) -> f64;
    /// I⁻¹ t.
    fn turn(self, torque: [f64; 3]) -> [f64; 3];
    /// tr(I⁻¹).
    fn trace(self) -> f64;
}

impl InverseInertia for Ball {
    #[inline(always)]
    fn push(self) -> f64 {
        self[0]
    }
    #[inline(always)]
    fn turn(self, torque: [f64; 3]) -> [f64; 3] {
        torque.map(|t| self[1] * t)
    }
    #[inline(always)]
    fn trace(self) -> f64 {
        3.0 * self[1]
    }
}

impl InverseInertia for BodyInertia {
    #[inline(always)]
    fn push(self) -> f64 {
        self.inverse_mass
    }
    #[inline(always)]
    fn turn(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [xx, yy, zz, xy, xz, yz] = self.inverse_inertia;
        [
            xx * x + xy * y + xz * z,
            xy * x + yy * y + yz * z,
            xz * x + yz * y + zz * z,
        ]
    }
    #[inline(always)]
    fn trace(self) -> f64 {
        let [xx, yy, zz, ..] = self.inverse_inertia;
        xx + yy + zz
    }
}

/// The geometry of all contacts.
#[derive(Clone, Debug)]
pub(super) enum Geometry {
    Balls(Vec<BallContact>),
    Any(Vec<RigidContact>),
}

impl Geometry {
    /// The geometry of so many contacts, each from a function that may refuse it.
    ///
    /// # Errors
    /// What the function says of the first contact that it refuses.
    pub fn new(
        count: usize,
        contact: impl Fn(usize) -> Result<RigidContact, String> + Sync,
    ) -> Result<Self, String> {
        let refused = AtomicUsize::new(usize::MAX);
        let given = |index: usize| {
            contact(index).unwrap_or_else(|_| {
                refused.fetch_min(index, Relaxed);
                NOBODY
            })
        };
        let other = AtomicBool::new(false);
        let ball = |index: usize| {
            // One contact of other bodies decides for all.
            let ball = match other.load(Relaxed) {
                true => None,
                false => BallContact::of(&given(index)),
            };
            ball.unwrap_or_else(|| {
                other.store(true, Relaxed);
                BallContact::NOBODY
            })
        };
        let balls = written_in_place(count, ball);
        let geometry = match other.into_inner() {
            false => Self::Balls(balls),
            true => {
                drop(balls);
                Self::Any(written_in_place(count, given))
            }
        };
        match refused.into_inner() {
            usize::MAX => Ok(geometry),
            first => Err(contact(first).err().unwrap_or_default()),
        }
    }
}

/// A contact that nobody has.
const NOBODY: RigidContact = RigidContact {
    bodies: [RigidContact::FIXED; 2],
    normal: [0.0; 3],
    arms: [[0.0; 3]; 2],
};

/// A list by all threads, with no room but its own: one of unknown length would be put together from parts.
fn written_in_place<T: Send>(count: usize, item: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    let mut list = Vec::new();
    let indices = (0..count).into_par_iter().with_min_len(CONTACTS_OF_A_TASK);
    indices.map(item).collect_into_vec(&mut list);
    list
}

/// The contacts, blocks `0..len()` of the operator.
#[derive(Clone, Debug)]
pub(crate) struct LeanContacts {
    geometry: Geometry,
    /// Rows of every contact, if they are all the same.
    uniform: Option<usize>,
    /// First row of each contact and one past the last, if not.
    offsets: Vec<usize>,
    pub(super) inertias: Inertias,
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

    /// Adds D γ, momentum and angular momentum, to each body.
    pub fn add_impulses(&self, impulses: &[f64], momenta: &mut [[f64; 6]]) {
        if let (Geometry::Balls(contacts), Some(3)) = (&self.geometry, self.uniform) {
            ball_contacts::add_impulses(contacts, impulses.as_chunks().0, momenta);
            return;
        }
        for index in 0..self.len() {
            let contact = self.contact(index);
            let (force, torque) = world_impulse(&contact, &impulses[self.rows(index)]);
            for side in 0..2 {
                if let Some(p) = momenta.get_mut(contact.bodies[side] as usize) {
                    let sign = if side == 0 { -1.0 } else { 1.0 };
                    let moment = cross(contact.arms[side], force);
                    for k in 0..3 {
                        p[k] += sign * force[k];
                        p[3 + k] += sign * (moment[k] + torque[k]);
                    }
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

/// tr(N_ii)/3 = Σ 1/m + (tr(I⁻¹)|r|² − rᵀ I⁻¹ r)/3: no frame is needed.
#[inline]
fn mean_of_three<M: InverseInertia>(contact: &RigidContact, bodies: &[M]) -> f64 {
    let mut mean = 0.0;
    for side in 0..2 {
        let Some(&body) = bodies.get(contact.bodies[side] as usize) else {
            continue;
        };
        let arm = contact.arms[side];
        let turning = body.trace() * dot(arm, arm) - dot(arm, body.turn(arm));
        mean += body.push() + turning / 3.0;
    }
    mean
}

/// The same for balls: Σ 1/m + ⅔ ρ²/I.
#[inline]
fn mean_of_balls(contact: &BallContact, balls: &[Ball]) -> f64 {
    let mut mean = 0.0;
    for side in 0..2 {
        if let Some([push, turn]) = balls.get(contact.bodies[side] as usize) {
            let lever = contact.levers()[side];
            mean += push + 2.0 / 3.0 * (turn * lever * lever);
        }
    }
    mean
}

/// N_ii = Σ (1/m) I + R [r]ₓᵀ I⁻¹ [r]ₓ Rᵀ over the two bodies.
#[inline]
fn diagonal_of_three<M: InverseInertia>(contact: &RigidContact, bodies: &[M], result: &mut [f64]) {
    let frame = contact_frame(contact.normal);
    let mut block = [0.0; 9];
    for side in 0..2 {
        let Some(&body) = bodies.get(contact.bodies[side] as usize) else {
            continue;
        };
        let levers = frame.map(|direction| cross(contact.arms[side], direction));
        for i in 0..3 {
            let turned = body.turn(levers[i]);
            block[4 * i] += body.push();
            for j in 0..3 {
                block[3 * i + j] += dot(turned, levers[j]);
            }
        }
    }
    result.copy_from_slice(&block);
}

/// M⁻¹ p for a momentum of six numbers.
fn velocity_of<M: InverseInertia>(body: M, p: &[f64; 6]) -> [f64; 6] {
    let m = body.push();
    let turned = body.turn([p[3], p[4], p[5]]);
    [
        m * p[0],
        m * p[1],
        m * p[2],
        turned[0],
        turned[1],
        turned[2],
    ]
}

fn divide_by_mass<M: InverseInertia>(bodies: &[M], momenta: &mut [[f64; 6]]) {
    for (p, &body) in momenta.iter_mut().zip(bodies) {
        *p = velocity_of(body, p);
    }
}

/// The velocities of both sides; zero for a side without a body, whose index lies outside.
#[inline(always)]
fn sides(contact: &RigidContact, velocities: &[[f64; 6]]) -> [[f64; 6]; 2] {
    contact
        .bodies
        .map(|body| velocities.get(body as usize).copied().unwrap_or([0.0; 6]))
}

/// The relative velocity of the two sides at the contact point, in the world frame.
#[inline(always)]
fn point_velocity(contact: &RigidContact, velocities: &[[f64; 6]]) -> [f64; 3] {
    let [a, b] = sides(contact, velocities);
    let turn_a = cross([a[3], a[4], a[5]], contact.arms[0]);
    let turn_b = cross([b[3], b[4], b[5]], contact.arms[1]);
    std::array::from_fn(|k| (b[k] - a[k]) + (turn_b[k] - turn_a[k]))
}

/// The force impulse and the torque impulse on the second side, in the world frame.
#[inline]
fn world_impulse(contact: &RigidContact, impulse: &[f64]) -> ([f64; 3], [f64; 3]) {
    let frame = contact_frame(contact.normal);
    let mut rows = [0.0; 6];
    rows[..impulse.len()].copy_from_slice(impulse);
    let force = multiply_transposed(frame, [rows[0], rows[1], rows[2]]);
    let torque = if impulse.len() > 3 {
        multiply_transposed(frame, [rows[5], rows[3], rows[4]])
    } else {
        [0.0; 3]
    };
    (force, torque)
}

/// Changes the velocities of both sides as an impulse does.
#[inline(always)]
fn push<M: InverseInertia>(
    contact: &RigidContact,
    bodies: &[M],
    force: [f64; 3],
    torque: [f64; 3],
    velocities: &mut [[f64; 6]],
) {
    for side in 0..2 {
        let body = contact.bodies[side] as usize;
        let (Some(v), Some(&inertia)) = (velocities.get_mut(body), bodies.get(body)) else {
            continue;
        };
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let moment = cross(contact.arms[side], force);
        let turned = inertia.turn(std::array::from_fn(|k| moment[k] + torque[k]));
        let push = sign * inertia.push();
        for k in 0..3 {
            v[k] += push * force[k];
            v[3 + k] += sign * turned[k];
        }
    }
}

#[inline(always)]
fn dot(x: [f64; 3], y: [f64; 3]) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

#[inline(always)]
fn multiply(matrix: [[f64; 3]; 3], x: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| dot(row, x))
}

#[inline(always)]
fn multiply_transposed(matrix: [[f64; 3]; 3], x: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| matrix[0][k] * x[0] + matrix[1][k] * x[1] + matrix[2][k] * x[2])
}
