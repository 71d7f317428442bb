//! What one contact of two rigid bodies is worth in numbers: velocities, impulses, its block of N.

use super::ball_contacts::BallContact;
use super::inertias::{Ball, InverseInertia};
use super::rigid::{RigidContact, contact_frame, cross};
use rayon::prelude::*;

/// Bodies whose momenta one thread divides by their masses.
const BODIES_OF_A_PIECE: usize = 4096;

/// tr(N_ii)/3 = Σ 1/m + (tr(I⁻¹)|r|² − rᵀ I⁻¹ r)/3: no frame is needed.
#[inline]
pub(super) fn mean_of_three<M: InverseInertia>(contact: &RigidContact, bodies: &[M]) -> f64 {
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
pub(super) fn mean_of_balls(contact: &BallContact, balls: &[Ball]) -> f64 {
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
pub(super) fn diagonal_of_three<M: InverseInertia>(
    contact: &RigidContact,
    bodies: &[M],
    result: &mut [f64],
) {
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
pub(super) fn velocity_of<M: InverseInertia>(body: M, p: &[f64; 6]) -> [f64; 6] {
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

pub(super) fn divide_by_mass<M: InverseInertia>(bodies: &[M], momenta: &mut [[f64; 6]]) {
    let pieces = momenta.par_chunks_mut(BODIES_OF_A_PIECE);
    let pieces = pieces.zip(bodies.par_chunks(BODIES_OF_A_PIECE));
    pieces.for_each(|(momenta, bodies)| {
        for (p, &body) in momenta.iter_mut().zip(bodies) {
            *p = velocity_of(body, p);
        }
    });
}

/// The velocities of both sides; zero for a side without a body, whose index lies outside.
#[inline(always)]
pub(super) fn sides(contact: &RigidContact, velocities: &[[f64; 6]]) -> [[f64; 6]; 2] {
    contact
        .bodies
        .map(|body| velocities.get(body as usize).copied().unwrap_or([0.0; 6]))
}

/// The relative velocity of the two sides at the contact point, in the world frame.
#[inline(always)]
pub(super) fn point_velocity(contact: &RigidContact, velocities: &[[f64; 6]]) -> [f64; 3] {
    let [a, b] = sides(contact, velocities);
    let turn_a = cross([a[3], a[4], a[5]], contact.arms[0]);
    let turn_b = cross([b[3], b[4], b[5]], contact.arms[1]);
    std::array::from_fn(|k| (b[k] - a[k]) + (turn_b[k] - turn_a[k]))
}

/// The force impulse and the torque impulse on the second side, in the world frame.
#[inline]
pub(super) fn world_impulse(contact: &RigidContact, impulse: &[f64]) -> ([f64; 3], [f64; 3]) {
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
pub(super) fn push<M: InverseInertia>(
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
pub(super) fn multiply(matrix: [[f64; 3]; 3], x: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| dot(row, x))
}

#[inline(always)]
pub(super) fn multiply_transposed(matrix: [[f64; 3]; 3], x: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| matrix[0][k] * x[0] + matrix[1][k] * x[1] + matrix[2][k] * x[2])
}
