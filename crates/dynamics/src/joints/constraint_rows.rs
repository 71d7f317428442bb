//! The rows of a joint that are always there: what it keeps, rigid or with stiffness and damping.

use super::block::{BlockKind, JointBlock};
use super::equations::Motion;
use super::kind::JointKind;
use super::parts::{Ends, Row, moved, pose_of};
use super::spring;
use crate::bodies::Velocity;
use crate::forces::WORLD;
use glam::DVec3;
use moreau_contact_solvers::cones::Cone;

impl Motion<'_> {
    /// Appends the block of these rows, if there are any. With stiffness k and damping d the force is
    ///
    /// ```text
    ///   f = −k (w⁻ φ⁻ + w φ + w⁺ φ⁺) − d (θ J v⁺ + (1 − θ) J v),    φ⁺ = h (J v⁺ + b)
    /// ```
    ///
    /// with the weights of [`spring`]. With γ = h f and p = h k w⁺ + d θ that is
    /// J v⁺ + (k (w⁻ φ⁻ + w φ + w⁺ h b) + d (1 − θ) J v)/p + E γ = 0 with E = 1/(h p).
    pub(super) fn constraints(
        &self,
        now: &mut Vec<Row>,
        next: &mut Vec<Row>,
        blocks: &mut Vec<JointBlock>,
    ) {
        self.joint.kind.constraint_rows(&self.ends, now);
        self.joint.kind.constraint_rows(&self.next, next);
        let rows = now.len();
        if rows == 0 {
            return;
        }
        let past = self.past_velocities();
        let mut before = Vec::new();
        let mut block = self.empty(BlockKind::Constraint, Cone::Bilateral { rows });
        if !matches!(self.joint.kind, JointKind::Spring { .. }) {
            block.length = self.lever;
        }
        for (row, (now, next)) in now.iter().zip(next.iter()).enumerate() {
            let scale = self.write(&now.direction, 1.0, row, &mut block);
            let rate = now.direction.rate(&self.velocities, &self.arms);
            block.bias[row] = scale * (next.value / self.step - rate);
            block.rounding[row] = scale * self.rounding(&now.direction, next.value);
            block.compliance[row] = self.softness;
            if let Some([stiffness, damping]) = self.joint.give(now.direction.is_angular()) {
                if before.is_empty() {
                    self.joint
                        .kind
                        .constraint_rows(&self.before(&past), &mut before);
                }
                let inverse_mass = self.inverse_mass(&block, row) / (scale * scale);
                let [k, d] = [stiffness, damping].map(|strength| strength * inverse_mass);
                let weights = spring::Weights::new(k, d, self.step);
                let [last, middle, end] = weights.elongations;
                let theta = weights.next_speed;
                let past_rate = now.direction.rate(&past, &self.arms);
                let pull = self.step * stiffness * end + damping * theta;
                let known = last * before[row].value
                    + middle * now.value
                    + end * (next.value - self.step * rate);
                let known = stiffness * known + damping * (1.0 - theta) * past_rate;
                block.bias[row] = scale * known / pull;
                block.compliance[row] = scale * scale / (self.step * pull);
            }
        }
        blocks.push(block);
    }

    /// The velocities with which the ends came to where they are. Driven bodies have that of the step to come already.
    fn past_velocities(&self) -> [Velocity; 2] {
        [0, 1].map(
            |end| match self.bodies.motions.get(&self.joint.bodies[end]) {
                Some(motion) if self.from_beginning => {
                    motion.velocity(self.time - self.step, self.step)
                }
                _ => self.velocities[end],
            },
        )
    }

    /// The ends where they were a step ago.
    fn before(&self, past: &[Velocity; 2]) -> Ends {
        let joint = self.joint;
        let before = [0, 1].map(|end| {
            let pose = pose_of(self.bodies, joint.bodies[end]);
            moved(&pose, &past[end], -self.step)
        });
        Ends::new(before, &joint.frames)
    }

    /// J M⁻¹ Jᵀ of a row of a block.
    fn inverse_mass(&self, block: &JointBlock, row: usize) -> f64 {
        let of_end = |end: usize| {
            let body = self.joint.bodies[end];
            if body == WORLD || !self.bodies.is_rigid(body as usize) {
                return 0.0;
            }
            let values = &block.jacobians[end][6 * row..6 * row + 6];
            let [linear, angular] = [0, 3].map(|first| DVec3::from_slice(&values[first..]));
            let inverse_inertia = self.bodies.world_inverse_inertia(body as usize);
            linear.length_squared() / self.bodies.masses[body as usize]
                + angular.dot(inverse_inertia.to_matrix() * angular)
        };
        of_end(0) + of_end(1)
    }
}
