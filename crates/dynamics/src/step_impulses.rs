//! What the impulses of a solve do to bodies, and where they are kept.

use crate::assembly::{self, Assembled, NOT_SOLVED, PIECE};
use crate::bodies::Velocity;
use crate::joints::JointBlock;
use crate::simulation::Simulation;
use glam::DVec3;
use moreau_algebra::reduction::tree_reduce;
use moreau_contact_solvers::problem::ContactProblem;
use rayon::prelude::*;

impl Simulation {
    /// v⁺ = v_free + M⁻¹ D γ. Gives the work of contacts and joints, γᵀ Dᵀ (v_free + v⁺)/2, and the momentum that they
    /// gave to the rigid bodies.
    pub(crate) fn add_impulses(
        &self,
        assembled: &Assembled,
        impulses: &[f64],
        free: &[Velocity],
        after: &mut Vec<Velocity>,
    ) -> (f64, DVec3) {
        let problem = &assembled.problem;
        let mut change = vec![0.0; problem.state_length()];
        problem.delassus().state_of(impulses, &mut change);
        after.resize(free.len(), Velocity::ZERO);
        let push = |body: usize, velocity: &mut Velocity| {
            *velocity = free[body];
            let number = assembled.number_of[body];
            if number == NOT_SOLVED {
                return (0.0, DVec3::ZERO);
            }
            let delta = &change[6 * number as usize..][..6];
            let linear = DVec3::from_slice(&delta[..3]);
            let angular = DVec3::from_slice(&delta[3..]) / assembled.length;
            let pose = &self.bodies.poses[body];
            let inertia = self.bodies.inertias[body].to_matrix();
            let twist = pose.direction(inertia * pose.local_direction(angular));
            let gained = self.bodies.masses[body] * linear;
            let work = gained.dot(velocity.linear + 0.5 * linear)
                + twist.dot(velocity.angular + 0.5 * angular);
            velocity.linear += linear;
            velocity.angular += angular;
            (work, gained)
        };
        let add = |a: (f64, DVec3), b: (f64, DVec3)| (a.0 + b.0, a.1 + b.1);
        // Sums of pieces that do not depend on the threads, added in their order.
        let pieces = after.par_chunks_mut(PIECE).enumerate();
        let sums: Vec<(f64, DVec3)> = pieces
            .map(|(piece, some)| {
                let some = some.iter_mut().enumerate();
                some.map(|(index, velocity)| push(PIECE * piece + index, velocity))
                    .fold((0.0, DVec3::ZERO), add)
            })
            .collect();
        sums.into_iter().fold((0.0, DVec3::ZERO), add)
    }

    /// The impulse that fixed and driven bodies and the world gave to the rigid bodies.
    pub(crate) fn outer_impulse(
        &self,
        problem: &ContactProblem,
        impulses: &[f64],
        joints: &[JointBlock],
    ) -> DVec3 {
        let rigid = |body: u32| body != u32::MAX && self.bodies.is_rigid(body as usize);
        let of_contact = |index: usize| {
            let contact = &self.contacts[index];
            let [a, b] = contact.bodies.map(rigid);
            if a == b {
                return DVec3::ZERO;
            }
            let rows = &impulses[problem.rows(index)];
            let impulse = assembly::contact_impulse(contact, rows).linear;
            if b { impulse } else { -impulse }
        };
        let mut sum = tree_reduce(
            0..self.contacts.len(),
            &|range| range.map(of_contact).sum::<DVec3>(),
            &|a, b| a + b,
        );
        for (index, block) in joints.iter().enumerate() {
            let rows = &impulses[problem.rows(self.contacts.len() + index)];
            for (&body, jacobian) in block.bodies.iter().zip(&block.jacobians) {
                if rigid(body) {
                    for (row, impulse) in jacobian.chunks_exact(6).zip(rows) {
                        sum += *impulse * DVec3::from_slice(&row[..3]);
                    }
                }
            }
        }
        sum
    }

    /// Keeps the impulses as the next starting point.
    pub(crate) fn keep_for_warm_start(
        &mut self,
        problem: &ContactProblem,
        impulses: &[f64],
        joints: &[JointBlock],
        h: f64,
    ) {
        let contacts = &self.contacts;
        self.warm.step = h;
        let blocks = contacts.len()..problem.blocks();
        let of_joints = blocks.map(|block| &impulses[problem.rows(block)]);
        self.joints.store(&self.sleepers, joints, of_joints, h);
        self.warm.store(self.bodies.len(), contacts, |index| {
            &impulses[problem.rows(index)]
        });
    }

    /// Keeps the impulses for those who want to see forces.
    pub(crate) fn keep_for_output(&mut self, problem: &ContactProblem, impulses: Vec<f64>, h: f64) {
        let count = self.contacts.len();
        self.last_part = h;
        let rows =
            |block| [problem.first_row(block), problem.first_row(block + 1)].map(|row| row as u32);
        let blocks = (0..count).into_par_iter().with_min_len(PIECE);
        blocks.map(rows).collect_into_vec(&mut self.contact_rows);
        self.impulses = impulses;
        self.contacts.extend_from_slice(self.sleepers.contacts());
    }
}
