//! Projected gradient steps over groups of four contacts, with body velocities instead of products.
//!
//! A step is one pass over the contacts ([`super::stepping`]). Their velocities at y come from those at the two iterates before, and
//! f(γ₊) = ½ pᵀv + rᵀγ₊ from the momenta p and the velocities v of the bodies: neither asks for a pass of its own. Where the error of an
//! iterate is asked for, it is found in the pass of the step that begins there.

use super::alike::OfSome;
use super::arms::{Arms, Body, Group, Inertia};
use super::chunks::{Chunk, Finished, Way};
use super::judging::{Judge, Sums};
use super::kernel::Iterates;
use super::lanes::{Lanes, Vector};
use super::measuring::OwnMeasure;
use super::stepping::{JudgingAndStepping, Start, Step, Stepping, Turn};
use super::{Grouped, Groups, machine};
use crate::law::FrictionLaw;
use crate::methods::apgd::{Steps, Trial};
use crate::monitor::{Best, Measured, Monitor};
use crate::problem::ContactProblem;
use crate::settings::Settings;
use moreau_algebra::copies::{copy_of, filled};
use std::marker::PhantomData;

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
    /// Contact velocities: of the impulses before the present ones until a trial has been made, of the present ones from then on.
    velocities: Vec<Vector>,
    turn: Turn,
    /// The momenta of a trial, then its body velocities; its impulses are in `grouped.next`.
    bodies_next: Vec<Body>,
    /// The bodies that have no contact in a later chunk, chunk by chunk.
    finished: Finished,
    beta: f64,
    /// f of the last trial's γ₊, and of the present γ.
    objectives: [f64; 2],
    kept: Kept,
}

impl<'a> Gradient<'a> {
    /// `None` unless all blocks are contacts that can be grouped.
    pub fn new(
        problem: &'a ContactProblem,
        settings: &Settings,
        impulses: &'a mut [f64],
    ) -> Option<Self> {
        let grouped = Grouped::new(problem, settings, impulses)?;
        grouped.rest.is_none().then(|| Self::of(grouped))
    }

    /// Steps of given groups, behind which there is nothing else.
    pub(super) fn of(mut grouped: Grouped<'a>) -> Self {
        let zeros = || filled(grouped.now.len(), Vector::default());
        let velocities = zeros();
        grouped.next = zeros();
        let finished = match &grouped.groups {
            Groups::Balls(groups) => grouped.chunks.finished(&grouped.halves, groups),
            Groups::Bodies(groups, _) => grouped.chunks.finished(&grouped.halves, groups),
        };
        Self {
            velocities,
            turn: Turn::First,
            bodies_next: copy_of(&grouped.bodies),
            finished,
            grouped,
            beta: 0.0,
            objectives: [f64::NAN; 2],
            kept: Kept::Nothing,
        }
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
        let turn = std::mem::replace(&mut self.turn, Turn::Again);
        let g = &mut self.grouped;
        let (now, before, groups) = (&g.now, &g.before, &g.groups);
        let (frictions, finished) = (&g.frictions, &self.finished);
        let looked_at = match turn {
            Turn::First => &g.bodies,
            Turn::Again => &g.bodies_before,
        };
        let start = Start {
            beta: self.beta,
            length: 1.0 / lipschitz,
        };
        let work = |_, chunk: &Chunk, momenta: &mut [Body], [next, velocities]: [&mut [_]; 2]| {
            if chunk.is_leaf {
                momenta.iter_mut().for_each(Body::stop);
            }
            let part = chunk.groups.clone();
            let frictions = frictions.part(part.clone());
            let step = StepOfChunk {
                judge: measure.map(|measure| measure.part(part.clone())),
                bodies: &looked_at[chunk.bodies.clone()],
                finished: finished.of(chunk),
                iterates: Iterates {
                    now: &now[part.clone()],
                    before: &before[part.clone()],
                    next,
                },
                velocities,
                momenta,
            };
            match groups {
                Groups::Balls(groups) => step.make(&groups[part], &[], frictions, (start, turn)),
                Groups::Bodies(groups, inertias) => {
                    let inertias = &inertias[chunk.bodies.clone()];
                    step.make(&groups[part], inertias, frictions, (start, turn))
                }
            }
        };
        let of_groups = [&mut g.next[..], &mut self.velocities[..]];
        let momenta = &mut self.bodies_next;
        let ((step, sums), work) = g.chunks.walk(Way::Up, momenta, of_groups, work);
        let trial = Trial {
            f_y: 0.5 * step.twice_f_y,
            f_next: 0.5 * work + step.free_work,
            linear: step.linear,
            distance: step.distance,
            along: step.along,
            size: step.size.sqrt(),
        };
        self.objectives[0] = trial.f_next;
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
        let measured = self.measure(monitor);
        self.objectives[1] = measured.objective;
        measured
    }

    fn extrapolate(&mut self, beta: f64) {
        self.beta = beta;
        self.turn = Turn::First;
    }

    fn try_step(&mut self, lipschitz: f64) -> Trial {
        self.pass(lipschitz, None).0
    }

    fn judge_and_try_step(&mut self, lipschitz: f64, monitor: &Monitor) -> (Measured, Trial) {
        let Some(measure) = self.grouped.measure.take() else {
            return (self.measure(monitor), self.try_step(lipschitz));
        };
        let [_, objective] = self.objectives;
        let (trial, sums) = self.pass(lipschitz, Some(&measure));
        let measured = Measured {
            error: measure.error(&sums, monitor),
            objective,
        };
        self.grouped.measure = Some(measure);
        (measured, trial)
    }

    fn accept(&mut self) {
        self.objectives[1] = self.objectives[0];
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
        std::mem::swap(&mut g.bodies_before, &mut self.bodies_next);
        std::mem::swap(&mut g.bodies_before, &mut g.bodies);
    }

    fn measure(&mut self, monitor: &Monitor) -> Measured {
        self.grouped.measure(FrictionLaw::Relaxed, monitor)
    }

    fn keep(&mut self, _: &mut Best) {
        self.kept = Kept::Now;
    }
}

/// What a trial reads and writes of one chunk.
struct StepOfChunk<'a> {
    judge: Option<Judge<'a>>,
    bodies: &'a [Body],
    finished: &'a [u32],
    iterates: Iterates<'a>,
    velocities: &'a mut [Vector],
    momenta: &'a mut [Body],
}

impl StepOfChunk<'_> {
    /// Steps, and makes velocities v of the momenta p of the bodies that are finished; finds Σ pᵀv of these, too.
    fn make<A: Arms>(
        self,
        groups: &[Group<A>],
        inertias: &[Inertia],
        frictions: OfSome<Lanes>,
        (start, turn): (Start, Turn),
    ) -> ((Step, Sums), f64) {
        let found = machine::run_striding(JudgingAndStepping {
            judge: self.judge,
            bodies: self.bodies,
            stepping: Stepping {
                groups,
                frictions,
                start,
                iterates: self.iterates,
                velocities: self.velocities,
                turn,
                momenta: self.momenta,
            },
        });
        let work = machine::run(Dividing::<A> {
            bodies: self.momenta,
            chosen: self.finished,
            inertias,
            arms: PhantomData,
        });
        (found, work)
    }
}

/// Velocities of the momenta of some bodies.
struct Dividing<'a, A> {
    bodies: &'a mut [Body],
    chosen: &'a [u32],
    inertias: &'a [Inertia],
    arms: PhantomData<A>,
}

impl<A: Arms> machine::Work for Dividing<'_, A> {
    type Found = f64;

    #[inline(always)]
    fn on<M: machine::Machine>(self, machine: M) -> f64 {
        A::divide_by_mass(machine, self.bodies, self.chosen, self.inertias)
    }
}
