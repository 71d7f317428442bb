//! Projected gradient steps over groups of four contacts: one pass for a step, one for the objective and the error.
//!
//! The first pass reads a group once: from the body velocities at y it forms g = N y + r, from that
//! γ₊ = Π(y − g/L), from that the body velocities of γ₊, and on the way every inner product that an accelerated method asks
//! for. Body velocities are linear in the impulses, so those at y come from those of the two iterates before, without a pass.

use super::arms::{Arms, BallArms, Body, FreeArms, Group, Inertia};
use super::kernel::{Iterates, projected_step};
use super::lanes::{Lanes, Rows, Vector, at, dot, minus, plus, row, set, times};
use super::layers::Found;
use super::{Grouped, Groups};
use crate::law::FrictionLaw;
use crate::methods::apgd::{Steps, Trial};
use crate::monitor::{Measured, Monitor};
use crate::problem::ContactProblem;
use crate::settings::Settings;
use multiversion::multiversion;

/// Impulses and velocities of accelerated projected gradient steps.
pub(crate) struct Gradient<'a> {
    grouped: Grouped<'a>,
    /// Velocities at y, and of the trial.
    at_y: Vec<Body>,
    of_trial: Vec<Body>,
    beta: f64,
    measured: Measured,
}

impl<'a> Gradient<'a> {
    /// `None` unless all blocks are contacts that can be grouped, and the groups can measure the error.
    pub fn new(problem: &'a ContactProblem, settings: &Settings, impulses: &[f64]) -> Option<Self> {
        let mut grouped = Grouped::new(problem, settings, impulses)?;
        if grouped.rest.is_some() || grouped.measure.is_none() {
            return None;
        }
        grouped.next = grouped.now.clone();
        Some(Self {
            at_y: grouped.bodies.clone(),
            of_trial: grouped.bodies.clone(),
            grouped,
            beta: 0.0,
            measured: Measured {
                error: f64::NAN,
                objective: f64::NAN,
            },
        })
    }

    /// The end of a solve: writes the impulses that were kept, by rows, if any were.
    pub fn finish(self, rows: &mut [f64]) {
        self.grouped.finish(rows);
    }

    /// The trial becomes the present iterate; the room of the oldest becomes that of the next trial.
    fn advance(&mut self) {
        let g = &mut self.grouped;
        std::mem::swap(&mut g.before, &mut g.next);
        std::mem::swap(&mut g.before, &mut g.now);
        std::mem::swap(&mut g.bodies_before, &mut self.of_trial);
        std::mem::swap(&mut g.bodies_before, &mut g.bodies);
    }
}

impl Steps for Gradient<'_> {
    fn start(&mut self, monitor: &Monitor) -> Measured {
        self.measured = self.grouped.measure(FrictionLaw::Relaxed, monitor);
        self.measured
    }

    fn extrapolate(&mut self, beta: f64) {
        self.beta = beta;
        let g = &self.grouped;
        for ((y, now), before) in self.at_y.iter_mut().zip(&g.bodies).zip(&g.bodies_before) {
            for k in 0..3 {
                y.push[k] = now.push[k] + beta * (now.push[k] - before.push[k]);
                y.turn[k] = now.turn[k] + beta * (now.turn[k] - before.turn[k]);
            }
        }
    }

    fn try_step(&mut self, lipschitz: f64, monitor: &Monitor) -> Trial {
        for body in &mut self.of_trial {
            body.push[..3].fill(0.0);
            body.turn[..3].fill(0.0);
        }
        let g = &mut self.grouped;
        let (now, before, groups) = (&g.now, &g.before, &g.groups);
        let (beta, at_y) = (self.beta, &self.at_y);
        let sums = g.chunks.change(
            true,
            &mut self.of_trial,
            &mut g.next,
            |chunk, bodies, next| {
                let part = chunk.groups.clone();
                let mut iterates = Iterates {
                    now: &now[part.clone()],
                    before: &before[part.clone()],
                    next,
                };
                let from = Start {
                    beta,
                    length: 1.0 / lipschitz,
                    bodies: &at_y[chunk.bodies.clone()],
                };
                match groups {
                    Groups::Balls(groups) => {
                        step_of_balls(&groups[part], &from, &mut iterates, bodies)
                    }
                    Groups::Bodies(groups, inertias) => {
                        let inertias = &inertias[chunk.bodies.clone()];
                        step_of_bodies(&groups[part], inertias, &from, &mut iterates, bodies)
                    }
                }
            },
        );
        self.advance();
        self.measured = self.grouped.measure(FrictionLaw::Relaxed, monitor);
        let [twice_f_y, linear, distance, along, size] = sums;
        Trial {
            f_y: 0.5 * twice_f_y,
            f_next: self.measured.objective,
            linear,
            distance,
            along,
            size: size.sqrt(),
        }
    }

    fn take_back(&mut self) {
        // `advance` turns three places round; twice more brings them back.
        self.advance();
        self.advance();
    }

    fn measure(&mut self, _: &Monitor) -> Measured {
        self.measured
    }

    fn keep(&mut self, _: &mut [f64]) {
        self.grouped.keep();
    }
}

/// Where a step begins: y = x_k + β (x_k − x_{k−1}), its body velocities, and 1/L.
struct Start<'a> {
    beta: f64,
    length: f64,
    bodies: &'a [Body],
}

/// Σ yᵀ(g + r), Σ gᵀ(γ₊ − y), Σ |γ₊ − y|², Σ gᵀ(γ₊ − γ), Σ |γ₊|².
type StepSums = [f64; 5];

impl Found for StepSums {
    fn add(self, other: Self) -> Self {
        std::array::from_fn(|k| self[k] + other[k])
    }
}

/// What a visit of four contacts computes.
#[derive(Default)]
struct Visit<T> {
    new: Vector,
    force: Rows,
    torque: T,
    sums: [Lanes; 5],
}

/// Visits four contacts; a function of its own for the reason that `kernel::visit_four` is one.
#[inline(always)]
fn visit_four<A: Arms>(
    group: &Group<A>,
    motion: &A::Motion,
    [now, before]: [&Vector; 2],
    start: &Start,
    visit: &mut Visit<A::Torque>,
) {
    for lane in 0..4 {
        let n = at(&group.normal, lane);
        let old = at(now, lane);
        let y = plus(old, times(start.beta, minus(old, at(before, lane))));
        let free = at(&group.free, lane);
        let g = plus(A::velocity(group, motion, lane), free);
        let friction = group.friction.0[lane];
        let z = projected_step::<false>(n, friction, [start.length; 2], g, y);
        set(&mut visit.new, lane, z);
        visit.force[lane] = row(z);
        A::torque(group, z, lane, &mut visit.torque);
        let change = minus(z, y);
        visit.sums[0].0[lane] = dot(y, plus(g, free));
        visit.sums[1].0[lane] = dot(g, change);
        visit.sums[2].0[lane] = dot(change, change);
        visit.sums[3].0[lane] = dot(g, minus(z, old));
        visit.sums[4].0[lane] = dot(z, z);
    }
}

#[inline(always)]
fn step<A: Arms>(
    groups: &[Group<A>],
    inertias: &[Inertia],
    start: &Start,
    iterates: &mut Iterates,
    bodies: &mut [Body],
) -> StepSums {
    let count = groups.len();
    let (now, before) = (&iterates.now[..count], &iterates.before[..count]);
    let next = &mut iterates.next[..count];
    let mut sums = [Lanes::default(); 5];
    for (k, group) in groups.iter().enumerate() {
        let motion = A::gather(group, start.bodies);
        let mut visit = Visit::<A::Torque>::default();
        visit_four(group, &motion, [&now[k], &before[k]], start, &mut visit);
        for (sum, part) in sums.iter_mut().zip(&visit.sums) {
            for lane in 0..4 {
                sum.0[lane] += part.0[lane];
            }
        }
        next[k] = visit.new;
        A::push(group, inertias, &visit.force, &visit.torque, bodies);
    }
    sums.map(Lanes::sum)
}

#[multiversion(targets("x86_64+avx2"))]
fn step_of_balls(
    groups: &[Group<BallArms>],
    start: &Start,
    iterates: &mut Iterates,
    bodies: &mut [Body],
) -> StepSums {
    step(groups, &[], start, iterates, bodies)
}

#[multiversion(targets("x86_64+avx2"))]
fn step_of_bodies(
    groups: &[Group<FreeArms>],
    inertias: &[Inertia],
    start: &Start,
    iterates: &mut Iterates,
    bodies: &mut [Body],
) -> StepSums {
    step(groups, inertias, start, iterates, bodies)
}
