//! Forces, and the velocity that bodies would have without contacts and joints.

use crate::assembly::PIECE;
use crate::bodies::{Bodies, BodyKind, Velocity};
use crate::integrator;
use crate::motion::{Signal3, vector_at};
use glam::{DMat3, DQuat, DVec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The world as an end of a spring or joint.
pub const WORLD: u32 = u32::MAX;

/// A force and a torque on one body, as functions of time, in the world's axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AppliedForce {
    /// The body.
    pub body: u32,
    /// In N.
    pub force: Signal3,
    /// In N m.
    pub torque: Signal3,
    /// Where the force acts, in the body's own frame from its centre of mass.
    pub point: DVec3,
}

/// A spring with a damper between two points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spring {
    /// The bodies; [`WORLD`] for a point fixed in space.
    pub bodies: [u32; 2],
    /// The points, each in the frame of its body from the centre of mass, or in space.
    pub points: [DVec3; 2],
    /// Length without force, in m.
    pub rest_length: f64,
    /// In N/m.
    pub stiffness: f64,
    /// In N s/m.
    pub damping: f64,
}

impl Spring {
    /// Both ends and the vector between them.
    fn ends(&self, bodies: &Bodies) -> [DVec3; 2] {
        [0, 1].map(|end| match self.bodies[end] {
            WORLD => self.points[end],
            body => bodies.poses[body as usize].point(self.points[end]),
        })
    }

    /// ½ k (l − l₀)².
    pub fn energy(&self, bodies: &Bodies) -> f64 {
        let [a, b] = self.ends(bodies);
        0.5 * self.stiffness * ((b - a).length() - self.rest_length).powi(2)
    }

    /// The largest step with which the spring stays stable: 2/√(k w), where w is the inverse mass that it feels along its
    /// line, and h k/2 + d < 2/(h w) with damping.
    pub fn largest_step(&self, bodies: &Bodies) -> f64 {
        let ends = self.ends(bodies);
        let direction = (ends[1] - ends[0]).normalize_or(DVec3::Z);
        let inverse_mass: f64 = [0, 1]
            .into_iter()
            .filter(|end| self.bodies[*end] != WORLD && bodies.is_rigid(self.bodies[*end] as usize))
            .map(|end| {
                let body = self.bodies[end] as usize;
                let arm = ends[end] - bodies.poses[body].position;
                let turn = arm.cross(direction);
                let inverse = bodies.world_inverse_inertia(body).to_matrix();
                1.0 / bodies.masses[body] + turn.dot(inverse * turn)
            })
            .sum();
        // w k h²/2 + w d h = 2, solved so that nothing cancels.
        let (a, b) = (
            0.5 * inverse_mass * self.stiffness,
            inverse_mass * self.damping,
        );
        4.0 / (b + (b * b + 8.0 * a).sqrt())
    }

    /// The force on the second end.
    pub fn force(&self, bodies: &Bodies) -> DVec3 {
        let ends = self.ends(bodies);
        let line = ends[1] - ends[0];
        let length = line.length();
        if length == 0.0 {
            return DVec3::ZERO;
        }
        let direction = line / length;
        let speed: f64 = [(0, -1.0), (1, 1.0)]
            .into_iter()
            .filter(|(end, _)| self.bodies[*end] != WORLD)
            .map(|(end, sign)| {
                let body = self.bodies[end] as usize;
                let arm = ends[end] - bodies.poses[body].position;
                sign * bodies.velocities[body].at(arm).dot(direction)
            })
            .sum();
        -(self.stiffness * (length - self.rest_length) + self.damping * speed) * direction
    }
}

/// Velocities without contacts and joints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FreeVelocities {
    /// One for each body.
    pub velocities: Vec<Velocity>,
    /// The part of the angular velocities that carries no momentum of its own; empty if no body has one.
    pub gyroscopic: Vec<DVec3>,
}

impl FreeVelocities {
    /// Takes the velocities of the bodies, with the angular velocities that free bodies have in the middle of a motion
    /// of `moves_for` seconds.
    pub fn turn_as_in_the_middle(&mut self, bodies: &Bodies, moves_for: f64) {
        self.velocities.clone_from(&bodies.velocities);
        self.gyroscopic.clear();
        for body in integrator::uneven_bodies(bodies) {
            let body = body as usize;
            let middle = middle_angular_velocity(bodies, body, moves_for);
            self.gyroscopic.resize(bodies.len(), DVec3::ZERO);
            self.gyroscopic[body] = middle - bodies.velocities[body].angular;
            self.velocities[body].angular = middle;
        }
    }
}

/// All forces but those of contacts and joints.
///
/// ```
/// use glam::{DMat3, DVec3};
/// use moreau_dynamics::bodies::NewBody;
/// use moreau_dynamics::forces::{Spring, WORLD};
/// use moreau_dynamics::settings::SimulationSettings;
/// use moreau_dynamics::simulation::Simulation;
///
/// let settings = SimulationSettings { time_step: Some(1e-3), ..Default::default() };
/// let mut simulation = Simulation::new(settings);
/// let body = NewBody::with_mass(u32::MAX, 2.0).with_inertia(DMat3::IDENTITY).at(DVec3::NEG_Z);
/// let body = simulation.add_body(body)? as u32;
/// simulation.forces_mut().springs.push(Spring {
///     bodies: [WORLD, body],
///     points: [DVec3::ZERO, DVec3::ZERO],
///     rest_length: 1.0,
///     stiffness: 1000.0,
///     damping: 20.0,
/// });
/// for _ in 0..3000 {
///     simulation.step()?;
/// }
/// let sag = -1.0 - simulation.bodies().poses[body as usize].position.z;
/// assert!((sag - 2.0 * 9.81 / 1000.0).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Forces {
    /// Forces on single bodies.
    pub applied: Vec<AppliedForce>,
    /// Springs and dampers.
    pub springs: Vec<Spring>,
}

impl Forces {
    /// Writes v_free = v + h M⁻¹ f for rigid bodies; driven and fixed bodies keep their velocity. The bodies will move
    /// with what becomes of it for `moves_for` seconds.
    ///
    /// A body that spins keeps its angular momentum L, not its angular velocity. While it moves it turns with the
    /// angular velocity that belongs to L in the middle of the motion, I(q_½)⁻¹ L: this is the gyroscopic torque, to second
    /// order and without a torque in the equations. The difference is kept apart, because it is no momentum;
    /// [`crate::integrator`] takes it out again.
    pub fn free_velocities(
        &self,
        bodies: &Bodies,
        gravity: DVec3,
        (time, step): (f64, f64),
        moves_for: f64,
        free: &mut FreeVelocities,
    ) {
        free.turn_as_in_the_middle(bodies, moves_for);
        let free = &mut free.velocities;
        free.par_iter_mut()
            .zip(&bodies.kinds)
            .with_min_len(PIECE)
            .filter(|(_, kind)| **kind == BodyKind::Rigid)
            .for_each(|(velocity, _)| velocity.linear += step * gravity);
        let mut push = |body: u32, force: DVec3, torque: DVec3| {
            let body = body as usize;
            if bodies.is_rigid(body) {
                free[body].linear += force * (step / bodies.masses[body]);
                let inverse = bodies.world_inverse_inertia(body).to_matrix();
                free[body].angular += inverse * torque * step;
            }
        };
        for applied in &self.applied {
            let arm = bodies.poses[applied.body as usize].direction(applied.point);
            let force = vector_at(&applied.force, time + 0.5 * step);
            let torque = vector_at(&applied.torque, time + 0.5 * step) + arm.cross(force);
            push(applied.body, force, torque);
        }
        for spring in &self.springs {
            let force = spring.force(bodies);
            let ends = spring.ends(bodies);
            for (end, sign) in [(0, -1.0), (1, 1.0)] {
                let body = spring.bodies[end];
                if body != WORLD {
                    let arm = ends[end] - bodies.poses[body as usize].position;
                    push(body, sign * force, arm.cross(sign * force));
                }
            }
        }
    }

    /// What is wrong with the ends of springs and forces, if anything: they are plain numbers, and may name nobody.
    pub(crate) fn check_bodies(&self, bodies: usize) -> Result<(), String> {
        let springs = self.springs.iter().flat_map(|spring| spring.bodies);
        let springs = springs.filter(|body| *body != WORLD).map(|b| ("spring", b));
        let forces = self.applied.iter().map(|force| ("force", force.body));
        match springs
            .chain(forces)
            .find(|(_, body)| *body as usize >= bodies)
        {
            None => Ok(()),
            Some((what, body)) => Err(format!(
                "a {what} acts on body {body}; there are {bodies}, counted from 0"
            )),
        }
    }

    pub(crate) fn renumber(&mut self, new_index: &[u32]) {
        self.applied.retain_mut(|force| {
            force.body = new_index[force.body as usize];
            force.body != u32::MAX
        });
        self.springs.retain_mut(|spring| {
            let mut kept = true;
            for body in spring.bodies.iter_mut().filter(|body| **body != WORLD) {
                *body = new_index[*body as usize];
                kept &= *body != u32::MAX;
            }
            kept
        });
    }
}

/// The angular velocity of a freely turning body half a step later, found from that at the quarter: the middle of the
/// first half stands for it.
fn middle_angular_velocity(bodies: &Bodies, body: usize, step: f64) -> DVec3 {
    let angular = bodies.velocities[body].angular;
    let momentum = bodies.angular_momentum(body);
    let inverse = bodies.inertias[body].to_matrix().inverse();
    let rotation = bodies.poses[body].rotation;
    let at = |angular: DVec3, duration: f64| {
        let turned = DMat3::from_quat(DQuat::from_scaled_axis(angular * duration) * rotation);
        turned * (inverse * (turned.transpose() * momentum))
    };
    at(at(angular, 0.25 * step), 0.5 * step)
}
