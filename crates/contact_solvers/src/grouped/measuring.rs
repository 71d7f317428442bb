//! The error and the objective of the present impulses, in one pass over the groups where they can tell them.

use super::alike::OfGroups;
use super::judging::{Judge, Judging, Sums};
use super::lanes::ShortLanes;
use super::{Grouped, Groups, machine, of_members, six_of, vectors_to_rows, write_vectors};
use crate::law::FrictionLaw;
use crate::methods::gauss_seidel::velocity_of_state;
use crate::monitor::{Measured, Monitor};
use crate::problem::ContactProblem;
use crate::residual::{ABSOLUTE_FLOOR, EnergyWeights, Measure, energy_scale, larger};
use crate::settings::Settings;
use moreau_algebra::reduction::norm;
use std::ops::Range;

/// Room for measures that the groups cannot compute; empty until one is asked for.
#[derive(Default)]
pub(super) struct ByRows {
    impulses: Vec<f64>,
    state: Vec<f64>,
    velocity: Vec<f64>,
}

/// A measure that the groups can compute themselves.
pub(super) struct OwnMeasure {
    weights: OfGroups<ShortLanes>,
    inverse_limits: OfGroups<ShortLanes>,
    /// The error is relative to at least this.
    scale: f64,
    /// … and to the norms of impulses and velocities.
    by_norms: bool,
}

impl Grouped<'_> {
    /// The error that the solve stops on and the objective, in one pass where the groups can tell them.
    pub fn measure(&mut self, law: FrictionLaw, monitor: &Monitor) -> Measured {
        let Some(measure) = &self.measure else {
            return self.measure_by_rows(monitor);
        };
        let coulomb = law == FrictionLaw::Coulomb;
        let (now, bodies) = (&self.now, &self.bodies);
        let sums = self.chunks.look(|chunk| {
            let part = chunk.groups.clone();
            let frictions = self.frictions.part(part.clone());
            let judge = measure.part(part.clone());
            let impulses = &now[part.clone()];
            let bodies = &bodies[chunk.bodies.clone()];
            match &self.groups {
                Groups::Balls(groups) => machine::run_striding(Judging {
                    groups: &groups[part],
                    frictions,
                    judge,
                    impulses,
                    bodies,
                    coulomb,
                }),
                Groups::Bodies(groups, _) => machine::run_striding(Judging {
                    groups: &groups[part],
                    frictions,
                    judge,
                    impulses,
                    bodies,
                    coulomb,
                }),
            }
        });
        Measured {
            error: measure.error(&sums, monitor),
            objective: 0.5 * sums.work,
        }
    }

    /// Any measure of any problem, from impulses and velocities in the problem's own form.
    fn measure_by_rows(&mut self, monitor: &Monitor) -> Measured {
        let (n, problem) = (self.problem.dimension(), self.problem);
        let ByRows {
            impulses,
            state,
            velocity,
        } = &mut self.by_rows;
        impulses.resize(n, 0.0);
        velocity.resize(n, 0.0);
        state.resize(problem.state_length(), 0.0);
        write_vectors(&self.members, &self.now, impulses);
        vectors_to_rows(problem, impulses);
        if let Some(rest) = &self.rest {
            rest.write(impulses);
        }
        for (body, six) in state.as_chunks_mut::<6>().0.iter_mut().enumerate() {
            *six = six_of(&self.bodies[self.halves.place(body)]);
        }
        velocity_of_state(problem, impulses, state, velocity);
        monitor.measure(impulses, velocity)
    }
}

impl OwnMeasure {
    /// What some groups are judged by.
    pub(super) fn part(&self, groups: Range<usize>) -> Judge<'_> {
        Judge {
            weights: self.weights.part(groups.clone()),
            inverse_limits: self.inverse_limits.part(groups),
            norms: self.by_norms,
        }
    }

    /// The error from sums over all groups.
    pub(super) fn error(&self, sums: &Sums, monitor: &Monitor) -> f64 {
        let mut scale = self.scale;
        if self.by_norms {
            scale = scale
                .max(sums.impulse_squared.sqrt())
                .max(sums.velocity_squared.sqrt());
        }
        let error = sums.map.sqrt() / scale.max(ABSOLUTE_FLOOR);
        larger(error, monitor.settings().tolerance * sums.approach)
    }

    /// `None` for measures other than the natural-map error and the energy.
    pub(super) fn new(
        problem: &ContactProblem,
        settings: &Settings,
        members: &[[u32; 4]],
    ) -> Option<Self> {
        let limits = &settings.approach_limits;
        let inverse_limit = |contact: usize| limits.inverse(contact);
        let inverse_limits = |group: usize| ShortLanes(of_members(&members[group], inverse_limit));
        let with_weights = |weights, scale| Self {
            weights,
            inverse_limits: OfGroups::new(members.len(), inverse_limits),
            scale,
            by_norms: settings.measure == Measure::Natural,
        };
        match settings.measure {
            Measure::Natural => {
                let weights = OfGroups::one(ShortLanes([1.0; 4]));
                Some(with_weights(weights, norm(problem.free_velocity())))
            }
            Measure::Energy => {
                let g = EnergyWeights::new(problem);
                let weight = |contact: usize| g.of(contact) as f32;
                let weights = |group: usize| ShortLanes(of_members(&members[group], weight));
                let weights = OfGroups::new(members.len(), weights);
                if !weights.all(|four| four.are_normal()) {
                    return None;
                }
                let scale = energy_scale(problem).sqrt();
                Some(with_weights(weights, scale))
            }
            _ => None,
        }
    }
}
