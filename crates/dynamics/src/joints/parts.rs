//! What joints are built of: points that coincide, axes that stay aligned, and the coordinates that remain free.
//!
//! A joint has a frame on each of its bodies. Every part measures one scalar function of the two frames and gives
//! the direction in which it changes: along a linear direction n the rate is n·(v_b − v_a), both velocities taken at the
//! origin of the second frame, and about an angular direction it is n·(ω_b − ω_a).
//!
//! Linear directions are fixed in the first body. For such an n and the separation s = x_b − x_a of the origins,
//! d/dt (n·s) = (ω_a × n)·s + n·ṡ = n·(velocity of b at x_b − velocity of a *at x_b*). So the impulses on both bodies act
//! in the same point, and momentum and angular momentum are kept to rounding however far the joint has drifted.

use crate::bodies::{Bodies, Velocity};
use crate::forces::WORLD;
use glam::{DQuat, DVec3};
use moreau_collision::pose::Pose;

/// The two frames of a joint in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// On the first body and on the second.
    pub frames: [Pose; 2],
}

impl Ends {
    /// Where the frames are, each given in the own frame of its body.
    pub fn new(poses: [Pose; 2], frames: &[Pose; 2]) -> Self {
        Self {
            frames: [0, 1].map(|end| poses[end].compose(&frames[end])),
        }
    }

    /// x_b − x_a.
    pub fn separation(&self) -> DVec3 {
        self.frames[1].position - self.frames[0].position
    }

    /// An axis (0, 1, 2 for x, y, z) of the frame on the first body.
    pub fn first_axis(&self, axis: usize) -> DVec3 {
        self.frames[0].direction(DVec3::AXES[axis])
    }

    /// An axis of the frame on the second body.
    pub fn second_axis(&self, axis: usize) -> DVec3 {
        self.frames[1].direction(DVec3::AXES[axis])
    }
}

/// The pose of a body; the world is at the origin.
pub fn pose_of(bodies: &Bodies, body: u32) -> Pose {
    match body {
        WORLD => Pose::IDENTITY,
        body => bodies.poses[body as usize],
    }
}

/// The velocity of a body; the world rests.
pub fn velocity_of(velocities: &[Velocity], body: u32) -> Velocity {
    match body {
        WORLD => Velocity::ZERO,
        body => velocities[body as usize],
    }
}

/// Where a body will be after `step` seconds at a velocity: the integrator's own formula.
pub fn moved(pose: &Pose, velocity: &Velocity, step: f64) -> Pose {
    Pose {
        position: pose.position + step * velocity.linear,
        rotation: (DQuat::from_scaled_axis(step * velocity.angular) * pose.rotation).normalize(),
    }
}

/// The direction in which a row acts on the second body, in the world's axes; on the first it acts the other way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Direction {
    /// A force through the origin of the second frame. Measured in m.
    Linear(DVec3),
    /// A torque. Measured in rad.
    Angular(DVec3),
}

impl Direction {
    /// The rate at which the measured value changes; `arms` lead from each body's centre to the origin of the second
    /// frame.
    pub fn rate(&self, velocities: &[Velocity; 2], arms: &[DVec3; 2]) -> f64 {
        match self {
            Direction::Linear(n) => {
                n.dot(velocities[1].at(arms[1])) - n.dot(velocities[0].at(arms[0]))
            }
            Direction::Angular(n) => n.dot(velocities[1].angular - velocities[0].angular),
        }
    }

    /// Whether the value is an angle.
    pub fn is_angular(&self) -> bool {
        matches!(self, Direction::Angular(_))
    }
}

/// A scalar function of the two frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Where it changes.
    pub direction: Direction,
    /// Its value; for a constraint zero is what is wanted.
    pub value: f64,
}

/// The separation along an axis of the first frame.
pub fn displacement(ends: &Ends, axis: usize) -> Row {
    let n = ends.first_axis(axis);
    Row {
        direction: Direction::Linear(n),
        value: n.dot(ends.separation()),
    }
}

/// The second frame's origin stays in the first one's: three rows.
pub fn points_coincide(ends: &Ends, rows: &mut Vec<Row>) {
    rows.extend([0, 1, 2].map(|axis| displacement(ends, axis)));
}

/// The second frame's origin stays on the z axis of the first: two rows.
pub fn point_on_axis(ends: &Ends, rows: &mut Vec<Row>) {
    rows.extend([0, 1].map(|axis| displacement(ends, axis)));
}

/// The z axes of both frames stay aligned: two rows.
///
/// Measured is the smallest rotation that takes one axis to the other: the vector along z_a × z_b whose length is the
/// angle, not its sine, so that an angle of any size is corrected as what it is.
pub fn axes_aligned(ends: &Ends, rows: &mut Vec<Row>) {
    let (a, b) = (ends.first_axis(2), ends.second_axis(2));
    let across = a.cross(b);
    let (sine, cosine) = (across.length(), a.dot(b));
    let swing = if sine > 0.0 {
        across * (sine.atan2(cosine) / sine)
    } else if cosine > 0.0 {
        DVec3::ZERO
    } else {
        // Exactly opposite: every way round is as short.
        ends.first_axis(0) * std::f64::consts::PI
    };
    rows.extend([0, 1].map(|axis| {
        let n = ends.first_axis(axis);
        Row {
            direction: Direction::Angular(n),
            value: n.dot(swing),
        }
    }));
}

/// Both frames keep the same axes: three rows, the components of the rotation vector between them.
pub fn rotations_coincide(ends: &Ends, rows: &mut Vec<Row>) {
    let vector = rotation_vector(ends.frames[0].rotation.conjugate() * ends.frames[1].rotation);
    rows.extend([0, 1, 2].map(|axis| Row {
        direction: Direction::Angular(ends.first_axis(axis)),
        value: vector[axis],
    }));
}

/// The rotation vector of a unit quaternion, by the shorter way round.
///
/// q = (cos θ/2, n sin θ/2). The angle is taken by its tangent, which is accurate at every size.
fn rotation_vector(rotation: DQuat) -> DVec3 {
    let shorter = if rotation.w < 0.0 {
        -rotation
    } else {
        rotation
    };
    let sine = shorter.xyz().length();
    if sine > 0.0 {
        shorter.xyz() * (2.0 * sine.atan2(shorter.w) / sine)
    } else {
        DVec3::ZERO
    }
}

/// The x axis of the first frame stays perpendicular to the y axis of the second: one row.
///
/// For u fixed in a and w fixed in b, d/dt (u·w) = (w × u)·(ω_b − ω_a); measured is the angle by which they miss a right
/// angle, asin(u·w), whose derivative is that over cos = |w × u|.
pub fn axes_perpendicular(ends: &Ends, rows: &mut Vec<Row>) {
    let (u, w) = (ends.first_axis(0), ends.second_axis(1));
    let across = w.cross(u);
    // Parallel axes leave the direction open; the z axis of the first frame is perpendicular to u at least.
    let direction = across.try_normalize().unwrap_or(ends.first_axis(2));
    rows.push(Row {
        direction: Direction::Angular(direction),
        value: u.dot(w).atan2(across.length()),
    });
}

/// The angle of the second frame about the z axis of the first, in (−π, π].
pub fn angle_about_axis(ends: &Ends) -> Row {
    let x = ends.second_axis(0);
    Row {
        direction: Direction::Angular(ends.first_axis(2)),
        value: x.dot(ends.first_axis(1)).atan2(x.dot(ends.first_axis(0))),
    }
}

/// The value nearest to `expected` among those that differ from an angle by full turns.
pub fn unwrapped(angle: f64, expected: f64) -> f64 {
    let turn = std::f64::consts::TAU;
    angle + turn * ((expected - angle) / turn).round()
}
