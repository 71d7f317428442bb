//! One joint and what it remembers.

use super::block::{BlockKind, JointBlock, MAX_COORDINATES};
use super::control::{Control, Motor};
use super::kind::JointKind;
use super::parts::{Ends, Row, pose_of, unwrapped, velocity_of};
use crate::bodies::Bodies;
use glam::DVec3;
use moreau_collision::pose::Pose;
use serde::{Deserialize, Serialize};

/// How far the constraints of a joint give way under load. All zero: not at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Compliance {
    /// In m/N.
    pub linear: f64,
    /// In rad/(N m).
    pub angular: f64,
    /// Damping over stiffness, in s.
    pub damping_time: f64,
}

/// What a joint did in the last step: mean values over its last part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointReaction {
    /// Force on the second body, through the joint's point on it, in the world's axes, in N. Motors, limits and friction
    /// are part of it.
    pub force: DVec3,
    /// Torque on the second body beside that force, in N m.
    pub torque: DVec3,
    /// The part of the motor of each free coordinate, along the coordinate: N or N m.
    pub motor: [f64; MAX_COORDINATES],
    /// The part of the limits: positive pushes to larger values.
    pub limit: [f64; MAX_COORDINATES],
    /// The part of friction.
    pub friction: [f64; MAX_COORDINATES],
}

/// How far joints are from what they should be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointDrift {
    /// Largest distance, in m.
    pub position: f64,
    /// Largest angle, in rad.
    pub angle: f64,
}

impl JointDrift {
    pub(super) fn larger(self, other: Self) -> Self {
        Self {
            position: self.position.max(other.position),
            angle: self.angle.max(other.angle),
        }
    }
}

/// What a joint remembers from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct JointState {
    /// The free coordinates, angles with all their turns.
    pub(super) coordinates: [f64; MAX_COORDINATES],
    /// Impulses of the last step in the slots of [`BlockKind`].
    pub(super) impulses: [f64; BlockKind::SLOTS],
    /// The same as forces.
    pub(super) reaction: JointReaction,
}

/// A joint between two bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    pub(super) kind: JointKind,
    pub(super) bodies: [u32; 2],
    pub(super) frames: [Pose; 2],
    pub(super) controls: [Control; MAX_COORDINATES],
    pub(super) compliance: Compliance,
    pub(super) collide: bool,
    pub(super) name: Option<String>,
    pub(super) state: JointState,
}

impl Joint {
    /// What it keeps and what it leaves free.
    pub fn kind(&self) -> JointKind {
        self.kind
    }

    /// The two bodies; [`WORLD`](crate::forces::WORLD) for the world.
    pub fn bodies(&self) -> [u32; 2] {
        self.bodies
    }

    /// The frames of the joint, each in the own frame of its body.
    pub fn frames(&self) -> &[Pose; 2] {
        &self.frames
    }

    /// What is asked of its free coordinates.
    pub fn controls(&self) -> &[Control] {
        &self.controls[..self.kind.coordinates()]
    }

    /// Its name.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The free coordinates at the end of the last step: m or rad, angles counted over all turns since the joint was
    /// added.
    pub fn coordinates(&self) -> &[f64] {
        &self.state.coordinates[..self.kind.coordinates()]
    }

    /// What it did in the last step.
    pub fn reaction(&self) -> JointReaction {
        self.state.reaction
    }

    /// The frames in the world.
    pub fn ends(&self, bodies: &Bodies) -> Ends {
        Ends::new(self.bodies.map(|body| pose_of(bodies, body)), &self.frames)
    }

    /// The rates of the free coordinates, m/s or rad/s.
    pub fn speeds(&self, bodies: &Bodies) -> Vec<f64> {
        self.coordinate_rows(bodies)
            .iter()
            .map(|row| self.rate(row, bodies))
            .collect()
    }

    fn coordinate_rows(&self, bodies: &Bodies) -> Vec<Row> {
        let mut rows = Vec::with_capacity(MAX_COORDINATES);
        self.kind.coordinate_rows(&self.ends(bodies), &mut rows);
        rows
    }

    fn rate(&self, row: &Row, bodies: &Bodies) -> f64 {
        let point = self.ends(bodies).frames[1].position;
        let arms = self
            .bodies
            .map(|body| point - pose_of(bodies, body).position);
        let velocities = self
            .bodies
            .map(|body| velocity_of(&bodies.velocities, body));
        row.direction.rate(&velocities, &arms)
    }

    /// Whether its motors let bodies rest from one time to the other.
    pub(crate) fn is_steady(&self, times: [f64; 2]) -> bool {
        self.controls()
            .iter()
            .all(|control| control.is_steady(times))
    }

    /// Follows the free coordinates over a step. An angle is taken for the one nearest to where its speed leads, so that
    /// no turn is lost even above half a turn in a step.
    pub(super) fn track(&mut self, bodies: &Bodies, step: f64) {
        for (coordinate, row) in self.coordinate_rows(bodies).iter().enumerate() {
            let before = self.state.coordinates[coordinate];
            self.state.coordinates[coordinate] = if row.direction.is_angular() {
                unwrapped(row.value, before + step * self.rate(row, bodies))
            } else {
                row.value
            };
        }
    }

    /// Smallest and largest value of a free coordinate, if it has limits.
    pub(super) fn limits(&self, coordinate: usize) -> Option<[f64; 2]> {
        let [min, max] = self.controls[coordinate].limits?;
        let asks_nothing = self.kind.is_size(coordinate) && min <= 0.0;
        Some([if asks_nothing { f64::NEG_INFINITY } else { min }, max])
    }

    /// How far its constraints and limits are violated. What a compliant joint gives way is no error and not counted.
    pub(super) fn drift(&self, bodies: &Bodies, time: f64) -> JointDrift {
        let mut rows = Vec::with_capacity(6);
        self.kind.constraint_rows(&self.ends(bodies), &mut rows);
        let size = |angular: bool| {
            let squares = rows
                .iter()
                .filter(|row| row.direction.is_angular() == angular)
                .map(|row| row.value * row.value);
            squares.sum::<f64>().sqrt()
        };
        let counted = |angular: bool| match self.give(angular) {
            Some(_) => 0.0,
            None => size(angular),
        };
        let mut drift = JointDrift {
            position: counted(false),
            angle: counted(true),
        };
        for (coordinate, control) in self.controls().iter().enumerate() {
            let value = self.state.coordinates[coordinate];
            let violation = match (&control.motor, self.limits(coordinate)) {
                (Some(Motor::Driven { position }), _) => (value - position.at(time)).abs(),
                (_, Some([min, max])) => (min - value).max(value - max),
                _ => continue,
            };
            let larger = if self.coordinate_rows(bodies)[coordinate]
                .direction
                .is_angular()
            {
                &mut drift.angle
            } else {
                &mut drift.position
            };
            *larger = larger.max(violation);
        }
        drift
    }

    /// Stiffness and damping of its linear or angular constraints; `None` where they do not give way.
    pub(super) fn give(&self, angular: bool) -> Option<[f64; 2]> {
        if let JointKind::Spring {
            stiffness, damping, ..
        } = self.kind
        {
            return Some([stiffness, damping]);
        }
        let soft = &self.compliance;
        let compliance = if angular { soft.angular } else { soft.linear };
        (compliance > 0.0).then(|| [1.0 / compliance, soft.damping_time / compliance])
    }

    /// ½ k φ² of all constraints that give way.
    pub(super) fn energy(&self, bodies: &Bodies) -> f64 {
        if self.give(false).or(self.give(true)).is_none() {
            return 0.0;
        }
        let mut rows = Vec::with_capacity(6);
        self.kind.constraint_rows(&self.ends(bodies), &mut rows);
        let stored = rows.iter().filter_map(|row| {
            let [stiffness, _] = self.give(row.direction.is_angular())?;
            Some(0.5 * stiffness * row.value * row.value)
        });
        stored.sum()
    }

    /// Keeps the impulses of a block and adds them to the reaction. The second body's part of a row is either a force
    /// through the joint's point or a torque times the lever of the row.
    pub(super) fn store(&mut self, block: &JointBlock, impulses: &[f64], step: f64) {
        let state = &mut self.state;
        let slot = block.kind.slot();
        state.impulses[slot..slot + impulses.len()].copy_from_slice(impulses);
        let reaction = &mut state.reaction;
        let mut along = 0.0;
        for (row, impulse) in block.jacobians[1].chunks_exact(6).zip(impulses) {
            let (linear, angular) = (DVec3::from_slice(&row[..3]), DVec3::from_slice(&row[3..]));
            let mean = impulse / step;
            if linear == DVec3::ZERO {
                reaction.torque += mean * angular;
            } else {
                reaction.force += mean * linear;
            }
            along = mean * block.scale;
        }
        match block.kind {
            BlockKind::Constraint => {}
            BlockKind::Lower(coordinate) => reaction.limit[coordinate] += along,
            BlockKind::Upper(coordinate) => reaction.limit[coordinate] -= along,
            BlockKind::Motor(coordinate) => reaction.motor[coordinate] = along,
            BlockKind::Friction(coordinate) => reaction.friction[coordinate] = along,
        }
    }
}
