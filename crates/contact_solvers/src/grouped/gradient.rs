//! Projected gradient steps over groups of four contacts, with body velocities instead of products.
//!
//! A step is one pass over the contacts ([`super::stepping`]). Their velocities at y come from those at the two iterates before, and
//! f(γ₊) = ½ pᵀv + rᵀγ₊ from the momenta p and the velocities v of the bodies: neither asks for a pass of its own. Where the error of an
//! iterate is asked for, it is found in the pass of the step that begins there.

use super::arms::{Arms, BallArms, Body, FreeArms, Inertia};
use super::chunks::{Chunk, Way};
use super::judging::Sums;
use super::kernel::Iterates;
use super::lanes::Vector;
use super::measuring::OwnMeasure;
use super::stepping::{JudgingAndStepping, Start, Stepping, Velocities};
use super::{Grouped, Groups, machine};
use crate::law::FrictionLaw;
use crate::methods::apgd::{Steps, Trial};
use crate::monitor::{Best, Measured, Monitor};
use crate::problem::ContactProblem;
use crate::settings::Settings;
use moreau_algebra::copies::filled;
use std::marker::PhantomData;

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
    /// Contact velocities of the present impulses and of those before. A trial has its momenta, then its body velocities in
    /// `grouped.bodies_before`, where those before the present ones are no more needed, and its impulses in `grouped.next`.
    velocities: [Vec<Vector>; 2],
    /// Whether a trial has found those of the present impulses.
    known: bool,
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
        let zeros = || filled(grouped.now.len(), Vector::default());
        let velocities = [zeros(), zeros()];
        grouped.next = zeros();
        Some(Self {
            velocities,
            known: false,
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

    /// A trial; judges the present γ on the way if it is told how.
    fn pass(&mut self, lipschitz: f64, measure: Option<&OwnMeasure>) -> (Trial, Sums) {
        let known = std::mem::replace(&mut self.known, true);
        let g = &mut self.grouped;
        let (now, before, groups) = (&g.now, &g.before, &g.groups);
        let (frictions, bodies) = (&g.frictions, &g.bodies);
        let [u, u_before] = &mut self.velocities;
        let start = Start {
            beta: self.beta,
            length: 1.0 / lipschitz,
        };
        let work = |_, chunk: &Chunk, momenta: &mut [Body], [next, u]: [&mut [_]; 2]| {
            if chunk.is_leaf {
                momenta.iter_mut().for_each(Body::stop);
            }
            let part = chunk.groups.clone();
            let judge = measure.map(|measure| measure.part(part.clone()));
            let bodies = &bodies[chunk.bodies.clone()];
            let iterates = Iterates {
                now: &now[part.clone()],
                before: &before[part.clone()],
                next,
            };
            let velocities = Velocities {
                now: u,
                known,
                before: &u_before[part.clone()],
            };
            let frictions = frictions.part(part.clone());
            match groups {
                Groups::Balls(groups) => machine::run_striding(JudgingAndStepping {
                    judge,
                    bodies,
                    stepping: Stepping {
                        groups: &groups[part],
                        frictions,
                        start,
                        iterates,
                        velocities,
                        momenta,
                    },
                }),
                Groups::Bodies(groups, _) => machine::run_striding(JudgingAndStepping {
                    judge,
                    bodies,
                    stepping: Stepping {
                        groups: &groups[part],
                        frictions,
                        start,
                        iterates,
                        velocities,
                        momenta,
                    },
                }),
            }
        };
        let of_groups = [&mut g.next[..], &mut u[..]];
        let (step, sums) = g
            .chunks
            .walk(Way::Up, &mut g.bodies_before, of_groups, work);
        let trial = Trial {
            f_y: 0.5 * step.twice_f_y,
            f_next: 0.5 * divide_by_mass(&g.groups, 0, &mut g.bodies_before) + step.free_work,
            linear: step.linear,
            distance: step.distance,
            along: step.along,
            size: step.size.sqrt(),
        };
        (trial, sums)
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
        self.known = false;
    }

    fn try_step(&mut self, lipschitz: f64) -> Trial {
        self.pass(lipschitz, None).0
    }

    fn judge_and_try_step(&mut self, lipschitz: f64, monitor: &Monitor) -> (Measured, Trial) {
        let Some(measure) = self.grouped.measure.take() else {
            return (self.measure(monitor), self.try_step(lipschitz));
        };
        let (trial, sums) = self.pass(lipschitz, Some(&measure));
        let measured = measure.of(&sums, monitor);
        self.grouped.measure = Some(measure);
        (measured, trial)
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
        self.velocities.swap(0, 1);
    }

    fn measure(&mut self, monitor: &Monitor) -> Measured {
        self.grouped.measure(FrictionLaw::Relaxed, monitor)
    }

    fn keep(&mut self, _: &mut Best) {
        self.kept = Kept::Now;
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
        Groups::Balls(_) => machine::run(Dividing::<BallArms> {
            bodies,
            inertias: &[],
            arms: PhantomData,
        }),
        Groups::Bodies(_, inertias) => machine::run(Dividing::<FreeArms> {
            inertias: &inertias[first..][..bodies.len()],
            bodies,
            arms: PhantomData,
        }),
    }
}

/// Velocities of momenta.
struct Dividing<'a, A> {
    bodies: &'a mut [Body],
    inertias: &'a [Inertia],
    arms: PhantomData<A>,
}

impl<A: Arms> machine::Work for Dividing<'_, A> {
    type Found = f64;

    #[inline(always)]
    fn on<M: machine::Machine>(self, machine: M) -> f64 {
        A::divide_by_mass(machine, self.bodies, self.inertias)
    }
}
