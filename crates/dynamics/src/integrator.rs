//! From velocities to poses.

use crate::bodies::Bodies;
use glam::{DMat3, DQuat, DVec3};
use rayon::prelude::*;

/// Bodies handled by one task.
const CHUNK: usize = 2048;

/// Moves and turns every body with its velocity for `step` seconds: q⁺ = q + h v, and the rotation by exp(h ω), which keeps
/// it a rotation. Angular momentum is kept: L = I(q) (ω − `gyroscopic`), and afterwards ω⁺ = I(q⁺)⁻¹ L.
pub fn move_bodies(bodies: &mut Bodies, gyroscopic: &[DVec3], step: f64) {
    let uneven = uneven_bodies(bodies);
    let momenta: Vec<DVec3> = uneven
        .iter()
        .map(|&body| {
            let body = body as usize;
            let angular = bodies.velocities[body].angular;
            let extra = gyroscopic.get(body).copied().unwrap_or(DVec3::ZERO);
            let rotation = DMat3::from_quat(bodies.poses[body].rotation);
            let inertia = bodies.inertias[body].to_matrix();
            rotation * (inertia * (rotation.transpose() * (angular - extra)))
        })
        .collect();
    bodies
        .poses
        .par_iter_mut()
        .zip(&bodies.velocities)
        .with_min_len(CHUNK)
        .for_each(|(pose, velocity)| {
            pose.position += step * velocity.linear;
            if velocity.angular != DVec3::ZERO {
                pose.rotation =
                    (DQuat::from_scaled_axis(step * velocity.angular) * pose.rotation).normalize();
            }
        });
    for (&body, momentum) in uneven.iter().zip(momenta) {
        let body = body as usize;
        let inverse = bodies.world_inverse_inertia(body).to_matrix();
        bodies.velocities[body].angular = inverse * momentum;
    }
}

/// The bodies whose angular velocity changes while nothing acts on them.
pub fn uneven_bodies(bodies: &Bodies) -> Vec<u32> {
    (0..bodies.len() as u32)
        .into_par_iter()
        .with_min_len(CHUNK)
        .filter(|body| turns_unevenly(bodies, *body as usize))
        .collect()
}

#[inline]
fn turns_unevenly(bodies: &Bodies, body: usize) -> bool {
    bodies.is_rigid(body)
        && bodies.velocities[body].angular != DVec3::ZERO
        && !bodies.inertias[body].is_isotropic()
}
