//! Projected gradient steps over groups of four contacts, with body velocities instead of products.
//!
//! A step is one pass over the contacts ([`super::stepping`]). Velocities at y come from those of the two iterates before, and
//! f(γ₊) = ½ pᵀv + rᵀγ₊ from the momenta p and the velocities v of the bodies: neither asks for a pass of its own. The error does, in
//! the iterations in which it is asked for.

use super::arms::{Arms, BallArms, Body, FreeArms, expect_lines};
use super::kernel::{Iterates, extrapolated};
use super::stepping::{Start, Stepping};
use super::{BODIES_FOR_A_THREAD, Grouped, Groups, machine};
use crate::law::FrictionLaw;
use crate::methods::apgd::{Steps, Trial};
use crate::monitor::{Best, Measured, Monitor};
use crate::problem::ContactProblem;
use crate::settings::Settings;
use rayon::prelude::*;

/// Bodies whose energies are added up one after another.
const BODIES_OF_A_PART: usize = 4096;

/// Where the impulses are that were worth keeping. They stay where they are until their room is needed: in the
/// first iterations nearly every one is the best so far, and a copy of each would be a sixth of the time.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kept {
    Nothing,
    Now,
    Before,
    Apart,
}

/// Impulses and velocities of accelerated projected gradient steps.
pub(crate) struct Gradient<'a> {
    grouped: Grouped<'a>,
    /// Velocities at y. When they are known those before the present ones are no more needed: `grouped.bodies_before` holds momenta, then
    /// velocities of the trial, whose impulses are `grouped.next`.
    at_y: Vec<Body>,
    /// Whether a trial has left its velocities there.
    tried: bool,
    beta: f64,
    kept: Kept,
}

impl<'a> Gradient<'a> {
    /// `None` unless all blocks are contacts that can be grouped.
    pub fn new(
        problem: &'a ContactProblem,
        settings: &Settings,
        impulses: &'a mut [f64],
    ) -> Option<Self> {
        let mut grouped = Grouped::new(problem, settings, impulses)?;
        if grouped.rest.is_some() {
            return None;
        }
        grouped.next = grouped.now.clone();
        Some(Self {
            at_y: grouped.bodies.clone(),
            tried: true,
            grouped,
            beta: 0.0,
            kept: Kept::Nothing,
        })
    }

    /// The end of a solve: writes the impulses that were kept, by rows, if any were.
    pub fn finish(mut self, best: &mut Best) {
        match self.kept {
            Kept::Now => self.grouped.keep(),
            Kept::Before => self.keep_before(),
            Kept::Nothing | Kept::Apart => {}
        }
        self.grouped.finish(best);
    }

    /// Keeps γ_{k−1}.
    fn keep_before(&mut self) {
        let g = &mut self.grouped;
        std::mem::swap(&mut g.now, &mut g.before);
        g.keep();
        std::mem::swap(&mut g.now, &mut g.before);
    }
}

impl Steps for Gradient<'_> {
    fn start(&mut self, monitor: &Monitor) -> Measured {
        self.grouped.measure(FrictionLaw::Relaxed, monitor)
    }

    fn extrapolate(&mut self, beta: f64) {
        self.beta = beta;
        let g = &mut self.grouped;
        (self.at_y.par_chunks_mut(BODIES_FOR_A_THREAD))
            .zip(g.bodies.par_chunks(BODIES_FOR_A_THREAD))
            .zip(g.bodies_before.par_chunks_mut(BODIES_FOR_A_THREAD))
            .for_each(|((at_y, now), before)| {
                machine::run(Leaving {
                    at_y,
                    now,
                    before,
                    beta,
                });
            });
        self.tried = false;
    }

    fn try_step(&mut self, lipschitz: f64) -> Trial {
        if self.tried {
            let trial = &mut self.grouped.bodies_before;
            trial.iter_mut().for_each(forget_motion);
        }
        self.tried = true;
        let g = &mut self.grouped;
        let (now, before, groups) = (&g.now, &g.before, &g.groups);
        let frictions = &g.frictions;
        let (beta, at_y) = (self.beta, &self.at_y);
        let momenta = &mut g.bodies_before;
        let step = g
            .chunks
            .change(true, momenta, &mut g.next, |chunk, momenta, next| {
                let part = chunk.groups.clone();
                let frictions = frictions.part(part.clone());
                let iterates = Iterates {
                    now: &now[part.clone()],
                    before: &before[part.clone()],
                    next,
                };
                let start = Start {
                    beta,
                    length: 1.0 / lipschitz,
                    bodies: &at_y[chunk.bodies.clone()],
                };
                match groups {
                    Groups::Balls(groups) => machine::run(Stepping {
                        groups: &groups[part],
                        frictions,
                        start,
                        iterates,
                        momenta,
                    }),
                    Groups::Bodies(groups, _) => machine::run(Stepping {
                        groups: &groups[part],
                        frictions,
                        start,
                        iterates,
                        momenta,
                    }),
                }
            });
        Trial {
            f_y: 0.5 * step.twice_f_y,
            f_next: 0.5 * divide_by_mass(&g.groups, 0, &mut g.bodies_before) + step.free_work,
            linear: step.linear,
            distance: step.distance,
            along: step.along,
            size: step.size.sqrt(),
        }
    }

    fn accept(&mut self) {
        self.kept = match self.kept {
            Kept::Nothing => Kept::Nothing,
            Kept::Now => Kept::Before,
            Kept::Apart => Kept::Apart,
            Kept::Before => {
                self.keep_before();
                Kept::Apart
            }
        };
        let g = &mut self.grouped;
        // The room of the oldest becomes that of the next trial.
        std::mem::swap(&mut g.before, &mut g.next);
        std::mem::swap(&mut g.before, &mut g.now);
        std::mem::swap(&mut g.bodies_before, &mut g.bodies);
    }

    fn measure(&mut self, monitor: &Monitor) -> Measured {
        self.grouped.measure(FrictionLaw::Relaxed, monitor)
    }

    fn keep(&mut self, _: &mut Best) {
        self.kept = Kept::Now;
    }
}

/// Velocities at y from those of two iterates, the older of which are no more needed and make room for momenta.
struct Leaving<'a> {
    at_y: &'a mut [Body],
    now: &'a [Body],
    before: &'a mut [Body],
    beta: f64,
}

impl machine::Work for Leaving<'_> {
    type Found = ();

    #[inline(always)]
    fn on<M: machine::Machine>(self, machine: M) {
        let Self {
            at_y,
            now,
            before,
            beta,
        } = self;
        for k in 0..at_y.len() {
            expect_lines(machine, now, (k, true));
            expect_lines(machine, before, (k, true));
            at_y[k] = extrapolated(machine, &now[k], &before[k], beta);
            forget_motion(&mut before[k]);
        }
    }
}

/// Makes velocities v of the momenta p of bodies, the first of which is given; answers with Σ pᵀv, added up in an order that the number of
/// bodies alone decides.
fn divide_by_mass(groups: &Groups, first: usize, bodies: &mut [Body]) -> f64 {
    if bodies.len() > BODIES_OF_A_PART {
        let middle = (bodies.len() / 2).next_multiple_of(BODIES_OF_A_PART);
        let (left, right) = bodies.split_at_mut(middle.min(bodies.len() - 1));
        let second = first + left.len();
        let (a, b) = rayon::join(
            || divide_by_mass(groups, first, left),
            || divide_by_mass(groups, second, right),
        );
        return a + b;
    }
    match groups {
        Groups::Balls(_) => BallArms::divide_by_mass(bodies, &[]),
        Groups::Bodies(_, inertias) => FreeArms::divide_by_mass(bodies, &inertias[first..]),
    }
}

/// Momenta begin at zero; the inverse masses stay.
fn forget_motion(body: &mut Body) {
    body.push[..3].fill(0.0);
    body.turn[..3].fill(0.0);
}
