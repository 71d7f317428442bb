//! From a joint to the blocks of a step.
//!
//! Every row measures a scalar function φ of the poses, and what counts is its value at the end of the step, where the
//! bodies will have moved with the new velocities v⁺. Linearised about the velocities v at the beginning,
//!
//! ```text
//!   φ(q ⊕ h v⁺) ≈ φ(q ⊕ h v) + h J (v⁺ − v) = h (J v⁺ + b),    b = φ(q ⊕ h v)/h − J v
//! ```
//!
//! so that the constraint φ = 0 at the end of the step is J v⁺ + b = 0. Taking the value where the bodies are going, and not
//! φ(q)/h alone, leaves an error of the order h³ and not h²: v⁺ − v is of the order h. With the impulses along J(q) this is
//! the SHAKE method, which keeps energy bounded over long times. In Moreau's scheme q is the middle of the step and φ = 0
//! is asked of the next middle, which is the same method again.

use super::block::{BlockKind, JointBlock};
use super::control::{Control, Motor};
use super::joint::Joint;
use super::parts::{Direction, Ends, Row, moved, pose_of, unwrapped, velocity_of};
use crate::bodies::{Bodies, Velocity};
use crate::forces::WORLD;
use glam::DVec3;
use moreau_contact_solvers::cones::Cone;

/// A limit is looked at when it is this many steps away, at the highest speed that the coordinate can be expected to reach,
/// and as long as it pushes. What still slips through is over the limit by less than a step's motion, and pushed back in the
/// next.
const STEPS_AHEAD: f64 = 4.0;

/// Compliance of constraints that are given none, as a share of the inverse mass of the joined bodies.
///
/// Joints that hold the same thing twice, like two hinges of one door, leave their shares of the load open, and what they
/// ask differs by terms of higher order, which rigid rows would answer with any prestress. A little compliance shares the
/// load evenly. Under the weight of its bodies a joint gives way by this share of g h²: less than the error of a step.
const SOFTNESS: f64 = 1e-5;

/// Rounding errors that add up in a measured value, in units of the last place of the numbers it is made of.
const ROUNDINGS: f64 = 8.0 * f64::EPSILON;

/// The step that blocks are made for.
#[derive(Clone, Copy, Debug)]
pub struct StepPlan<'a> {
    /// The bodies.
    pub bodies: &'a Bodies,
    /// Their velocities without contacts and joints.
    pub free: &'a [Velocity],
    /// The time that the poses belong to, in s.
    pub time: f64,
    /// h in s.
    pub step: f64,
    /// Whether the poses are those at the beginning of the step, to which driven bodies came with the velocities of the step
    /// before.
    pub from_beginning: bool,
}

/// A joint and where its bodies are going.
pub(super) struct Motion<'a> {
    index: u32,
    pub(super) joint: &'a Joint,
    pub(super) bodies: &'a Bodies,
    pub(super) ends: Ends,
    pub(super) next: Ends,
    pub(super) arms: [DVec3; 2],
    pub(super) velocities: [Velocity; 2],
    /// Bound of the change of the ends' velocities by outer forces: linear, and angular times the lever.
    kick: f64,
    pub(super) lever: f64,
    /// E of rows that are given no compliance.
    pub(super) softness: f64,
    pub(super) time: f64,
    pub(super) step: f64,
    pub(super) from_beginning: bool,
}

/// A coordinate now and at the end of the step.
struct Travel {
    now: f64,
    direction: Direction,
    /// b of the value: J v⁺ + b is the value at the end of the step, over h.
    bias: f64,
    rate: f64,
    /// Of the bias.
    rounding: f64,
}

/// Appends the blocks of one joint.
pub(super) fn blocks_of(index: u32, joint: &Joint, plan: &StepPlan, blocks: &mut Vec<JointBlock>) {
    let poses = joint.bodies.map(|body| pose_of(plan.bodies, body));
    let velocities = joint
        .bodies
        .map(|b| velocity_of(&plan.bodies.velocities, b));
    let ends = Ends::new(poses, &joint.frames);
    let after = [0, 1].map(|end| moved(&poses[end], &velocities[end], plan.step));
    let lever = lever_of(plan.bodies, joint);
    let change = |end: usize| {
        let free = velocity_of(plan.free, joint.bodies[end]);
        let linear = free.linear - velocities[end].linear;
        linear.length() + lever * (free.angular - velocities[end].angular).length()
    };
    let motion = Motion {
        index,
        joint,
        bodies: plan.bodies,
        ends,
        next: Ends::new(after, &joint.frames),
        arms: poses.map(|pose| ends.frames[1].position - pose.position),
        velocities,
        kick: change(0) + change(1),
        lever,
        softness: SOFTNESS / mass_of(plan.bodies, joint),
        time: plan.time,
        step: plan.step,
        from_beginning: plan.from_beginning,
    };
    let (mut now, mut next) = (Vec::with_capacity(6), Vec::with_capacity(6));
    motion.constraints(&mut now, &mut next, blocks);
    if joint.controls.iter().all(Control::is_idle) {
        return;
    }
    joint.kind.coordinate_rows(&motion.ends, &mut now);
    joint.kind.coordinate_rows(&motion.next, &mut next);
    for (coordinate, (now, next)) in now.iter().zip(&next).enumerate() {
        let travel = motion.travel(coordinate, now, next.value);
        motion.control(coordinate, &travel, blocks);
    }
}

/// The length that angular rows are multiplied with, so that all rows of a joint are in m/s and N s, and are of one size
/// for bodies of any size: the smaller radius of gyration, from the trace of the inertia, which no rotation changes.
fn lever_of(bodies: &Bodies, joint: &Joint) -> f64 {
    let rigid = |body: &&u32| **body != WORLD && bodies.is_rigid(**body as usize);
    joint
        .bodies
        .iter()
        .filter(rigid)
        .map(|&body| {
            let [xx, yy, zz, ..] = bodies.inertias[body as usize].0;
            ((xx + yy + zz) / (3.0 * bodies.masses[body as usize])).sqrt()
        })
        .fold(f64::INFINITY, f64::min)
}

/// The mass of the rigid bodies of a joint.
fn mass_of(bodies: &Bodies, joint: &Joint) -> f64 {
    let bodies_of = joint.bodies.iter().filter(|body| **body != WORLD);
    bodies_of.map(|&body| bodies.masses[body as usize]).sum()
}

impl Motion<'_> {
    pub(super) fn empty(&self, kind: BlockKind, cone: Cone) -> JointBlock {
        JointBlock {
            joint: self.index,
            kind,
            cone,
            bodies: self.joint.bodies,
            scale: 1.0,
            jacobians: [[0.0; 36]; 2],
            bias: [0.0; 6],
            compliance: [0.0; 6],
            length: f64::INFINITY,
            rounding: [0.0; 6],
        }
    }

    /// What rounding leaves of a value over h: angles are made of numbers up to one, lengths of the coordinates of the ends.
    pub(super) fn rounding(&self, direction: &Direction, value: f64) -> f64 {
        let size = if direction.is_angular() {
            1.0 + value.abs()
        } else {
            let places = self.ends.frames.iter().map(|frame| frame.position);
            places.chain(self.arms).map(DVec3::length).sum()
        };
        ROUNDINGS * size / self.step
    }

    /// Writes ± J into a row of a block, and gives the factor that its bias needs.
    pub(super) fn write(
        &self,
        direction: &Direction,
        sign: f64,
        row: usize,
        block: &mut JointBlock,
    ) -> f64 {
        for (end, side) in [(0, -sign), (1, sign)] {
            let (linear, angular) = match direction {
                Direction::Linear(n) => (side * *n, side * self.arms[end].cross(*n)),
                Direction::Angular(n) => (DVec3::ZERO, side * self.lever * *n),
            };
            let values = &mut block.jacobians[end][6 * row..6 * row + 6];
            values[..3].copy_from_slice(&linear.to_array());
            values[3..].copy_from_slice(&angular.to_array());
        }
        sign * self.scale(direction)
    }

    fn scale(&self, direction: &Direction) -> f64 {
        if direction.is_angular() {
            self.lever
        } else {
            1.0
        }
    }

    fn travel(&self, coordinate: usize, row: &Row, next: f64) -> Travel {
        let rate = row.direction.rate(&self.velocities, &self.arms);
        let (mut now, mut next) = (row.value, next);
        if row.direction.is_angular() {
            now = unwrapped(now, self.joint.state.coordinates[coordinate]);
            next = unwrapped(next, now + self.step * rate);
        }
        Travel {
            now,
            direction: row.direction,
            bias: next / self.step - rate,
            rate,
            rounding: self.rounding(&row.direction, next),
        }
    }

    /// Limits, motor and friction of one free coordinate.
    ///
    /// A motor that takes any force and a limit would ask for different things, and no impulses would do; so the limit bounds the
    /// speed that the motor takes, and is no row of its own.
    fn control(&self, coordinate: usize, travel: &Travel, blocks: &mut Vec<JointBlock>) {
        let control = &self.joint.controls[coordinate];
        let mut wanted = control
            .motor
            .as_ref()
            .map_or(0.0, |motor| self.wanted_speed(motor, travel));
        let mut limits = self.joint.limits(coordinate);
        if control.has_unbounded_motor()
            && let Some([min, max]) = limits.take()
        {
            let [slowest, fastest] = [min, max].map(|end| end / self.step - travel.bias);
            wanted = wanted.clamp(slowest, fastest);
        }
        let scale = self.scale(&travel.direction);
        let mut push = |kind: BlockKind, cone: Cone, sign: f64, bias: f64, rounding: f64| {
            let mut block = self.empty(kind, cone);
            block.bias[0] = self.write(&travel.direction, sign, 0, &mut block) * bias;
            block.rounding[0] = scale * rounding;
            block.scale = scale;
            let driven = matches!(control.motor, Some(Motor::Driven { .. }));
            block.length = match kind {
                BlockKind::Lower(_) | BlockKind::Upper(_) => self.lever,
                BlockKind::Motor(_) if driven => self.lever,
                _ => f64::INFINITY,
            };
            blocks.push(block);
        };
        if let Some([min, max]) = limits {
            // The kick may turn into motion of the coordinate through any of the joint's rows.
            let speed = (travel.rate.abs() + self.kick / scale).max(wanted.abs());
            let near = STEPS_AHEAD * self.step * speed;
            let pushes = |kind: BlockKind| self.joint.state.impulses[kind.slot()] != 0.0;
            if travel.now - min <= near || pushes(BlockKind::Lower(coordinate)) {
                let bias = travel.bias - min / self.step;
                push(
                    BlockKind::Lower(coordinate),
                    Cone::Unilateral,
                    1.0,
                    bias,
                    travel.rounding,
                );
            }
            if max - travel.now <= near || pushes(BlockKind::Upper(coordinate)) {
                let bias = travel.bias - max / self.step;
                push(
                    BlockKind::Upper(coordinate),
                    Cone::Unilateral,
                    -1.0,
                    bias,
                    travel.rounding,
                );
            }
        }
        // Without a bound it is a constraint like any other: methods and files that know no boxes then know it.
        let within = |largest: f64| match largest.is_infinite() {
            true => Cone::Bilateral { rows: 1 },
            false => Cone::Box {
                lower: -largest * self.step / scale,
                upper: largest * self.step / scale,
            },
        };
        if let Some(motor) = &control.motor {
            let cone = match motor {
                Motor::Speed { max_force, .. } | Motor::Position { max_force, .. } => {
                    within(*max_force)
                }
                Motor::Force { force } => {
                    let impulse = force.at(self.time + 0.5 * self.step) * self.step / scale;
                    Cone::Box {
                        lower: impulse,
                        upper: impulse,
                    }
                }
                Motor::Driven { .. } => Cone::Bilateral { rows: 1 },
            };
            let rounding = match motor {
                Motor::Speed { .. } | Motor::Force { .. } => ROUNDINGS * wanted.abs(),
                Motor::Position { .. } | Motor::Driven { .. } => travel.rounding,
            };
            push(BlockKind::Motor(coordinate), cone, 1.0, -wanted, rounding);
        }
        if control.friction > 0.0 {
            let cone = within(control.friction);
            push(BlockKind::Friction(coordinate), cone, 1.0, 0.0, 0.0);
        }
    }

    /// The speed that a motor would take if nothing held it. To be at s at the end of the step takes
    /// J v⁺ + b = s/h, so the speed s/h − b.
    fn wanted_speed(&self, motor: &Motor, travel: &Travel) -> f64 {
        let reach = |signal: &crate::motion::Signal| {
            signal.at(self.time + self.step) / self.step - travel.bias
        };
        match motor {
            Motor::Speed { speed, .. } => speed.at(self.time + 0.5 * self.step),
            Motor::Position {
                target, max_speed, ..
            } => {
                let fastest = max_speed.unwrap_or(f64::INFINITY);
                reach(target).clamp(-fastest, fastest)
            }
            Motor::Force { .. } => 0.0,
            Motor::Driven { position } => reach(position),
        }
    }
}
