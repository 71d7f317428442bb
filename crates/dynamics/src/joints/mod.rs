//! Joints between bodies: rows of velocity constraints with a correction of their drift.

use crate::bodies::Bodies;
use moreau_contact_solvers::cones::Cone;
use serde::{Deserialize, Serialize};

/// One block of the contact problem that a joint makes.
#[derive(Clone, Debug, PartialEq)]
pub struct JointBlock {
    /// Which joint.
    pub joint: u32,
    /// [`Cone::Bilateral`] for constraints, [`Cone::Box`] for motors and limits.
    pub cone: Cone,
    /// The two bodies; `u32::MAX` for the world.
    pub bodies: [u32; 2],
    /// For each body, its part of the Jacobian: rows x 6 (velocity, then angular velocity), row-major; the first
    /// `6 * rows` numbers count.
    pub jacobians: [[f64; 36]; 2],
    /// Added to J v: for constraints the drift over the step, for motors minus the wanted speed.
    pub bias: [f64; 6],
    /// Compliance E of each row.
    pub compliance: [f64; 6],
}

impl JointBlock {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.cone.dimension()
    }
}

/// All joints of a simulation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Joints {}

impl Joints {
    /// The number of joints.
    pub fn len(&self) -> usize {
        0
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        true
    }

    /// Appends the blocks of all joints, in the order of the joints, at the poses of `bodies`, for a step from `time`
    /// over `step` seconds.
    pub fn blocks(&self, _bodies: &Bodies, _time: f64, _step: f64, _blocks: &mut Vec<JointBlock>) {}

    /// The largest violation of a joint's constraints, in m (angles times 1 m).
    pub fn drift(&self, _bodies: &Bodies, _time: f64) -> f64 {
        0.0
    }

    /// Pairs of joined bodies that must not collide, smaller index first, sorted.
    pub fn excluded_pairs(&self) -> &[[u32; 2]] {
        &[]
    }

    /// Adapts to the removal of bodies.
    pub(crate) fn renumber(&mut self, _new_index: &[u32]) {}
}
