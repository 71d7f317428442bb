//! Joints.

use super::bodies::signal;
use super::{Builder, Told};
use crate::model::{self, JointKind, Motor};
use glam::DVec3;
use moreau_dynamics::joints::{self, JointPart, NewJoint};
use std::collections::BTreeSet;

/// Whether a free coordinate is an angle.
fn is_angle(kind: &JointKind, coordinate: u32) -> bool {
    match kind {
        JointKind::Spherical { .. } | JointKind::Revolute { .. } | JointKind::Universal { .. } => {
            true
        }
        JointKind::Cylindrical { .. } => coordinate == 1,
        _ => false,
    }
}

impl Builder<'_> {
    pub(super) fn add_joints(&mut self) {
        let file = self.file;
        for (number, joint) in file.joints.iter().enumerate() {
            let _ = self.joint(&format!("joints[{number}]"), joint);
        }
    }

    fn joint(&mut self, path: &str, joint: &model::Joint) -> Result<(), Told> {
        let ends = self.find_ends(path, &joint.bodies)?;
        let at = DVec3::from_array;
        let mut new = match &joint.kind {
            JointKind::Spherical { point, axis } => {
                NewJoint::swinging_from(ends, at(*point), at(*axis))
            }
            JointKind::Revolute { point, axis } => NewJoint::revolute(ends, at(*point), at(*axis)),
            JointKind::Translational { point, axis } => {
                NewJoint::translational(ends, at(*point), at(*axis))
            }
            JointKind::Cylindrical { point, axis } => {
                NewJoint::cylindrical(ends, at(*point), at(*axis))
            }
            JointKind::Universal { point, axes } => {
                NewJoint::universal(ends, at(*point), axes.map(at))
            }
            JointKind::Fixed { point } => NewJoint::fixed(ends, at(*point)),
            JointKind::Distance { points, length } => {
                let points = points.map(at);
                let length = length.unwrap_or(points[0].distance(points[1]));
                NewJoint::distance(ends, points, length)
            }
            JointKind::Rope { points, length } => {
                let points = points.map(at);
                let length = length.unwrap_or(points[0].distance(points[1]));
                NewJoint::rope(ends, points, 0.0, length)
            }
        };
        for (number, limits) in joint.limits.iter().enumerate() {
            let before = joint.limits[..number].iter();
            let coordinate = limits.coordinate;
            if before.into_iter().any(|one| one.coordinate == coordinate) {
                return Err(self.twice(&format!("{path}.limits[{number}]"), "limits", coordinate));
            }
            if let (Some(min), Some(max)) = (limits.min, limits.max)
                && min > max
            {
                let message = format!("min is {min} and max {max}; min must not be larger");
                return Err(self.error(&format!("{path}.limits[{number}]"), message));
            }
            let at = start_of(&joint.kind);
            let low = limits.min.is_some_and(|min| at < min);
            let high = limits.max.is_some_and(|max| at > max);
            if low || high {
                let message = format!(
                    "the joint is at {at} at the beginning, outside of its limits: its bodies jump there in the first step; \
                     expected limits that hold {at}"
                );
                self.warn(&format!("{path}.limits[{number}]"), message);
            }
            let unit = unit_of(&joint.kind, limits.coordinate);
            new = new.limited(
                limits.coordinate as usize,
                limits.min.map_or(f64::NEG_INFINITY, |min| unit * min),
                limits.max.map_or(f64::INFINITY, |max| unit * max),
            );
        }
        let mut driven = BTreeSet::new();
        for (number, motor) in joint.motors.iter().enumerate() {
            let made = motor_of(&joint.kind, motor);
            let path = format!("{path}.motors[{number}]");
            let (coordinate, motor) = self.told(&path, made)?;
            if !driven.insert(coordinate) {
                return Err(self.twice(&path, "a motor", coordinate as u32));
            }
            if let Some(target) = first_jump(&motor, self.file.duration) {
                let target = target / unit_of(&joint.kind, coordinate as u32);
                // Nine digits: what the way to radians and back has added is nobody's.
                let target: f64 = format!("{target:.8e}").parse().unwrap_or(target);
                let message = format!(
                    "the target is {target} at the beginning, where the joint is at 0: its bodies jump there in the first step; \
                     expected a target that begins at 0, or a position motor with max_speed"
                );
                self.warn(&path, message);
            }
            new = new.driven_by(coordinate, motor);
        }
        if joint.friction > 0.0 {
            new = new.with_friction(0, joint.friction);
        }
        new = new.with_compliance(joints::Compliance {
            linear: joint.compliance.linear,
            angular: joint.compliance.angular.to_radians(),
            damping_time: joint.compliance.damping_time,
        });
        if joint.collide {
            new = new.colliding();
        }
        if let Some(name) = &joint.name {
            new = new.named(name);
        }
        if let Err(error) = self.simulation.add_joint(new) {
            let asked = (!joint.limits.is_empty(), !joint.motors.is_empty());
            let key = match (error.part, asked) {
                (JointPart::Ends, _) => ".bodies",
                (JointPart::Kind, _) => ".kind",
                (JointPart::Name, _) => ".name",
                (JointPart::Coordinates, (true, false)) => ".limits",
                (JointPart::Coordinates, (false, true)) => ".motors",
                (JointPart::Coordinates, (false, false)) => ".friction",
                (JointPart::Coordinates, (true, true)) => "",
            };
            return Err(self.error(&format!("{path}{key}"), error.to_string()));
        }
        Ok(())
    }

    /// Tells that a free coordinate has something for the second time.
    fn twice(&mut self, path: &str, what: &str, coordinate: u32) -> Told {
        let message = format!("free coordinate {coordinate} has {what} already; expected one");
        self.error(path, message)
    }
}

/// The value of a free coordinate at the beginning: a distance, or how far the joint has moved from where it is placed.
fn start_of(kind: &JointKind) -> f64 {
    match kind {
        JointKind::Rope { points, .. } => {
            let [a, b] = points.map(DVec3::from_array);
            a.distance(b)
        }
        _ => 0.0,
    }
}

/// Where a motor without bounds takes its coordinate in the first step, if that is not where it begins. Rounding of a sine that
/// begins at zero is no jump: what counts is a share of what it reaches in the scene.
fn first_jump(motor: &joints::Motor, duration: f64) -> Option<f64> {
    let target = match motor {
        joints::Motor::Driven { position } => position,
        joints::Motor::Position {
            target,
            max_force,
            max_speed: None,
        } if max_force.is_infinite() => target,
        _ => return None,
    };
    let first = target.at(0.0);
    let largest = (0..=16)
        .map(|k| target.at(duration * f64::from(k) / 16.0).abs())
        .fold(0.0, f64::max);
    (first.abs() > 1e-9 * largest).then_some(first)
}

/// Radians in a degree for angles, 1 for lengths.
fn unit_of(kind: &JointKind, coordinate: u32) -> f64 {
    if is_angle(kind, coordinate) {
        1f64.to_radians()
    } else {
        1.0
    }
}

fn motor_of(kind: &JointKind, motor: &Motor) -> Result<(usize, joints::Motor), String> {
    let largest = |strength: &Option<f64>| strength.unwrap_or(f64::INFINITY);
    Ok(match motor {
        Motor::Speed {
            coordinate,
            target,
            strength,
        } => (
            *coordinate as usize,
            joints::Motor::Speed {
                speed: signal(target, 1.0)?,
                max_force: largest(strength),
            },
        ),
        Motor::Position {
            coordinate,
            target,
            strength,
            max_speed,
        } => (
            *coordinate as usize,
            joints::Motor::Position {
                target: signal(target, unit_of(kind, *coordinate))?,
                max_force: largest(strength),
                max_speed: *max_speed,
            },
        ),
        Motor::Force { coordinate, target } => (
            *coordinate as usize,
            joints::Motor::Force {
                force: signal(target, 1.0)?,
            },
        ),
        Motor::Driven { coordinate, target } => (
            *coordinate as usize,
            joints::Motor::Driven {
                position: signal(target, unit_of(kind, *coordinate))?,
            },
        ),
    })
}
