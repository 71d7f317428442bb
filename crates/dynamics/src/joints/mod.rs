//! Joints between bodies: rows of velocity constraints with a correction of their drift.
//!
//! A joint has a frame on each of its two bodies (or one in the world). Its kind says which functions of the two frames
//! stay zero and which are free coordinates; a free coordinate can be limited, driven by a motor, and have friction. Each
//! kind is a file built of shared [`parts`]; [`equations`] turns any of them into blocks of the contact problem.

pub mod block;
mod constraint_rows;
pub mod control;
mod cylindrical;
mod distance;
pub mod equations;
mod error;
mod fixed;
mod joint;
mod kind;
mod new_joint;
pub mod parts;
mod placement;
mod revolute;
mod spherical;
mod spring;
mod translational;
mod universal;

pub use block::{BlockKind, JointBlock};
pub use control::{Control, Motor};
pub use error::{JointError, JointPart};
pub use joint::{Compliance, Joint, JointDrift, JointReaction};
pub use kind::JointKind;
pub use new_joint::NewJoint;

use crate::bodies::Bodies;
use crate::forces::WORLD;
use crate::sleep::Sleepers;
use equations::StepPlan;
pub(crate) use joint::JointState;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// All joints of a simulation. A joint is its index; removing one moves those behind it up.
///
/// ```
/// use glam::{DMat3, DVec3};
/// use moreau_dynamics::bodies::NewBody;
/// use moreau_dynamics::forces::WORLD;
/// use moreau_dynamics::joints::NewJoint;
/// use moreau_dynamics::settings::SimulationSettings;
/// use moreau_dynamics::simulation::Simulation;
///
/// let settings = SimulationSettings { time_step: Some(1e-3), ..Default::default() };
/// let mut simulation = Simulation::new(settings);
/// let body = NewBody::with_mass(u32::MAX, 1.0).with_inertia(DMat3::IDENTITY).at(DVec3::X);
/// let body = simulation.add_body(body)? as u32;
/// let rod = NewJoint::distance([WORLD, body], [DVec3::ZERO, DVec3::X], 1.0).named("rod");
/// simulation.add_joint(rod)?;
/// for _ in 0..100 {
///     simulation.step()?;
/// }
/// assert_eq!(simulation.joints().find("rod"), Some(0));
/// assert!((simulation.bodies().poses[0].position.length() - 1.0).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Joints {
    joints: Vec<Joint>,
    names: BTreeMap<String, u32>,
    excluded: Vec<[u32; 2]>,
}

impl Joints {
    /// The number of joints.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// Adds a joint between bodies and gives its index.
    /// [`Simulation::add_joint`](crate::simulation::Simulation::add_joint) does the same with its own bodies.
    ///
    /// # Errors
    /// When an end is no body, both are the same or none is rigid; when an axis is zero, a number is not finite, limits
    /// are in the wrong order, a free coordinate does not exist, or the name is taken.
    pub fn add(&mut self, new: NewJoint, bodies: &Bodies) -> Result<usize, JointError> {
        if let Some(name) = &new.name
            && self.names.contains_key(name)
        {
            return Err(JointError::new(
                JointPart::Name,
                &format!("the name '{name}'"),
                "is taken".into(),
                "every name must be used once",
            ));
        }
        let joint = new.build(bodies)?;
        let index = self.len();
        if let Some(name) = &joint.name {
            self.names.insert(name.clone(), index as u32);
        }
        if let Some(pair) = excluded_pair(&joint)
            && let Err(place) = self.excluded.binary_search(&pair)
        {
            self.excluded.insert(place, pair);
        }
        self.joints.push(joint);
        Ok(index)
    }

    /// Removes a joint. Gives it back, or `None` if there is no such joint.
    pub fn remove(&mut self, joint: usize) -> Option<Joint> {
        if joint >= self.len() {
            return None;
        }
        let removed = self.joints.remove(joint);
        self.index();
        Some(removed)
    }

    /// A joint.
    pub fn get(&self, joint: usize) -> Option<&Joint> {
        self.joints.get(joint)
    }

    /// All joints in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Joint> {
        self.joints.iter()
    }

    /// The joint of a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.get(name).map(|joint| *joint as usize)
    }

    /// What a joint did in the last step: force and torque on its second body at the joint's point, in the world's axes,
    /// and the parts of motors, limits and friction. `None` if there is no such joint.
    pub fn reaction(&self, joint: usize) -> Option<JointReaction> {
        self.get(joint).map(Joint::reaction)
    }

    /// Replaces what is asked of a free coordinate.
    ///
    /// # Errors
    /// When there is no such joint or coordinate, or a number makes no sense.
    pub fn set_control(
        &mut self,
        joint: usize,
        coordinate: usize,
        control: Control,
    ) -> Result<(), JointError> {
        let count = self.len();
        let Some(joint) = self.joints.get_mut(joint) else {
            return Err(JointError::new(
                JointPart::Name,
                &format!("joint {joint}"),
                "does not exist".into(),
                &format!("there are {count} joints, counted from 0"),
            ));
        };
        if coordinate >= joint.kind.coordinates() {
            return Err(new_joint::no_coordinate(joint.kind, coordinate));
        }
        control.validate()?;
        new_joint::check_driven(joint.kind, coordinate, &control)?;
        joint.controls[coordinate] = control;
        Ok(())
    }

    /// Appends the blocks of all joints but those between bodies that sleep, in the order of the joints.
    pub(crate) fn blocks(
        &self,
        plan: &StepPlan,
        sleepers: &Sleepers,
        blocks: &mut Vec<JointBlock>,
    ) {
        for (index, joint) in self.joints.iter().enumerate() {
            if !sleepers.hold(joint.bodies) {
                equations::blocks_of(index as u32, joint, plan, blocks);
            }
        }
    }

    /// The largest violations of the joints' constraints.
    pub fn drift(&self, bodies: &Bodies, time: f64) -> JointDrift {
        self.joints
            .iter()
            .map(|joint| joint.drift(bodies, time))
            .fold(JointDrift::default(), JointDrift::larger)
    }

    /// What is stored in springs and compliant joints, in J.
    pub fn energy(&self, bodies: &Bodies) -> f64 {
        self.joints.iter().map(|joint| joint.energy(bodies)).sum()
    }

    /// Pairs of joined bodies that must not collide, smaller index first, sorted.
    pub fn excluded_pairs(&self) -> &[[u32; 2]] {
        &self.excluded
    }

    /// The impulses that a block of the same joint and kind had in the last step; zero in the beginning.
    pub(crate) fn last_impulses(&self, block: &JointBlock) -> &[f64] {
        let slot = block.kind.slot();
        &self.joints[block.joint as usize].state.impulses[slot..slot + block.rows()]
    }

    /// Keeps what a step found: the impulses of `blocks`, one slice for each. Joints between bodies that sleep keep what they
    /// have.
    pub(crate) fn store<'a>(
        &mut self,
        sleepers: &Sleepers,
        blocks: &[JointBlock],
        impulses: impl Iterator<Item = &'a [f64]>,
        step: f64,
    ) {
        for joint in &mut self.joints {
            if sleepers.hold(joint.bodies) {
                continue;
            }
            joint.state = JointState {
                coordinates: joint.state.coordinates,
                ..JointState::default()
            };
        }
        for (block, impulses) in blocks.iter().zip(impulses) {
            self.joints[block.joint as usize].store(block, impulses, step);
        }
    }

    /// Follows the free coordinates over a step of `step` seconds that has just been made.
    pub(crate) fn track(&mut self, bodies: &Bodies, step: f64) {
        for joint in &mut self.joints {
            joint.track(bodies, step);
        }
    }

    /// What the joints remember, for a step that may be taken back.
    pub(crate) fn states(&self) -> Vec<JointState> {
        self.joints.iter().map(|joint| joint.state).collect()
    }

    /// Returns to what they remembered.
    pub(crate) fn restore(&mut self, states: &[JointState]) {
        for (joint, state) in self.joints.iter_mut().zip(states) {
            joint.state = *state;
        }
    }

    /// Adapts to the removal of bodies; `new_index` is `u32::MAX` for a removed one. Joints of removed bodies go too.
    pub(crate) fn renumber(&mut self, new_index: &[u32]) {
        self.joints.retain_mut(|joint| {
            let mut kept = true;
            for body in joint.bodies.iter_mut().filter(|body| **body != WORLD) {
                *body = new_index[*body as usize];
                kept &= *body != u32::MAX;
            }
            kept
        });
        self.index();
    }

    /// Finds names and excluded pairs again after joints were removed.
    fn index(&mut self) {
        self.names.clear();
        self.excluded.clear();
        for (index, joint) in self.joints.iter().enumerate() {
            if let Some(name) = &joint.name {
                self.names.insert(name.clone(), index as u32);
            }
            self.excluded.extend(excluded_pair(joint));
        }
        self.excluded.sort_unstable();
        self.excluded.dedup();
    }
}

/// The two bodies, smaller index first, if they must not collide.
fn excluded_pair(joint: &Joint) -> Option<[u32; 2]> {
    let [a, b] = joint.bodies;
    let both = !joint.collide && a != WORLD && b != WORLD;
    both.then_some([a.min(b), a.max(b)])
}
