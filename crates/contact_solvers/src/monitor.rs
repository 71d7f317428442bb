//! The bookkeeping that every method shares: measuring, recording, keeping the best iterate, and
//! deciding when to stop. A method calls [`Monitor::check`] once an iteration and obeys the answer.

use crate::approach::largest_approach;
use crate::law::FrictionLaw;
use crate::observer::{IterationRecord, Observer};
use crate::problem::ContactProblem;
use crate::report::History;
use crate::residual::{larger, measure_of, objective};
use crate::settings::Settings;
use crate::status::Status;
use std::cell::OnceCell;
use std::ops::ControlFlow;
use std::time::Instant;

/// Limits of one phase of a solve. A plain method is one phase; `auto` runs several.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phase {
    /// Iterations of this phase at most.
    pub max_iterations: usize,
    /// The phase has stalled when in so many iterations the best error did not fall …
    pub stall_window: usize,
    /// … to this fraction of what it was.
    pub stall_factor: f64,
    /// The phase ends early at this error; never below the tolerance of the solve.
    pub target: f64,
}

impl Phase {
    /// A phase that only the iteration limit and a long standstill end.
    pub fn whole(max_iterations: usize) -> Self {
        Self {
            max_iterations,
            stall_window: 20_000,
            stall_factor: 0.99,
            target: 0.0,
        }
    }
}

/// What the monitor judges an iterate by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measured {
    /// The measure of the solve's settings; at least the tolerance times the largest approach, where that is limited, so
    /// that an iterate is good enough when this is at or below the tolerance.
    pub error: f64,
    /// The objective of the relaxed problem.
    pub objective: f64,
}

/// Measures, records and decides; see the module.
pub struct Monitor<'a> {
    problem: &'a ContactProblem,
    law: FrictionLaw,
    settings: &'a Settings,
    observer: &'a mut dyn Observer,
    started: Instant,
    /// Products with N so far; methods add theirs.
    pub products: usize,
    /// Remarks for the report.
    pub notes: Vec<String>,
    iterations: usize,
    /// Iterations of all phases together at most.
    total_limit: usize,
    phase: Phase,
    phase_start: usize,
    mark: (usize, f64),
    phase_best: f64,
    best_error: f64,
    best: Best,
    keep_latest: bool,
    last_error: f64,
    history: History,
}

impl<'a> Monitor<'a> {
    /// Watches a solve of `problem`, which has no cohesion.
    pub fn new(
        problem: &'a ContactProblem,
        law: FrictionLaw,
        settings: &'a Settings,
        max_iterations: usize,
        observer: &'a mut dyn Observer,
    ) -> Self {
        Self {
            problem,
            law,
            settings,
            observer,
            started: Instant::now(),
            products: 0,
            notes: Vec::new(),
            iterations: 0,
            total_limit: max_iterations,
            phase: Phase::whole(max_iterations),
            phase_start: 0,
            mark: (0, f64::INFINITY),
            phase_best: f64::INFINITY,
            best_error: f64::INFINITY,
            best: Best::new(problem.dimension()),
            keep_latest: false,
            last_error: f64::INFINITY,
            history: History::default(),
        }
    }

    /// What the solve was told.
    pub fn settings(&self) -> &Settings {
        self.settings
    }

    /// Iterations so far, over all phases.
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// Iterations of the present phase.
    pub fn phase_iterations(&self) -> usize {
        self.iterations - self.phase_start
    }

    /// The error at the last check.
    pub fn last_error(&self) -> f64 {
        self.last_error
    }

    /// The smallest error seen.
    pub fn best_error(&self) -> f64 {
        self.best_error
    }

    /// The impulses with the smallest error; zeros if none was measured.
    pub fn best(&self) -> &[f64] {
        self.best.get()
    }

    /// Whether the iterations of the whole solve are used up.
    pub fn is_exhausted(&self) -> bool {
        self.iterations >= self.total_limit
    }

    /// Wall-clock seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Seconds left, or infinity.
    pub fn seconds_left(&self) -> f64 {
        self.settings
            .time_limit
            .map_or(f64::INFINITY, |limit| limit - self.seconds())
    }

    /// Begins a phase with limits of its own.
    pub fn begin_phase(&mut self, name: &str, phase: Phase) {
        self.observer.phase(name);
        self.phase = phase;
        self.phase_start = self.iterations;
        self.mark = (self.iterations, f64::INFINITY);
        self.phase_best = f64::INFINITY;
    }

    /// From now on the latest iterate that is measured counts as the best: for a few iterations on the way to something
    /// else, during which the error may rise while the objective falls.
    pub(crate) fn keep_latest(&mut self) {
        self.keep_latest = true;
    }

    /// Puts the best impulses aside, so that from now on the best are those that are found from here. On a way that leads
    /// through larger errors to a lower objective, where the error began must not be where it ends.
    pub(crate) fn set_best_aside(&mut self) -> Aside {
        let best = Best::new(self.problem.dimension());
        Aside {
            error: std::mem::replace(&mut self.best_error, f64::INFINITY),
            best: std::mem::replace(&mut self.best, best),
        }
    }

    /// The best impulses are again those with the smallest error, be it from before or since.
    pub(crate) fn take_back(&mut self, aside: Aside) {
        if !(self.best_error <= aside.error) {
            (self.best_error, self.best) = (aside.error, aside.best);
        }
    }

    /// Takes over what an inner solve of another problem has cost.
    pub fn absorb(&mut self, inner: &Monitor) {
        self.products += inner.products;
    }

    /// Whether the coming [`Monitor::check`] will measure: a method that computes velocities only
    /// for that may skip them otherwise.
    pub fn is_due(&self) -> bool {
        let done = self.iterations + 1 - self.phase_start;
        done.is_multiple_of(self.settings.check_interval) || self.is_last()
    }

    /// Whether no further iteration is allowed after the coming check, whatever it finds.
    pub(crate) fn is_last(&self) -> bool {
        self.phase_iterations() + 1 >= self.phase.max_iterations
            || self.iterations + 1 >= self.total_limit
    }

    /// Judges the starting point; counts no iteration.
    pub fn start(&mut self, impulses: &[f64], velocity: &[f64]) -> ControlFlow<Status> {
        let measured = self.measure(impulses, velocity);
        self.judge(measured, f64::NAN, |best| best.set(impulses))
    }

    /// Counts an iteration and judges it if that is due.
    pub fn check(&mut self, impulses: &[f64], velocity: &[f64], step: f64) -> ControlFlow<Status> {
        let due = self.is_due();
        self.iterations += 1;
        if due {
            let measured = self.measure(impulses, velocity);
            self.judge(measured, step, |best| best.set(impulses))?;
        }
        self.check_limits()
    }

    /// Counts an iteration whose error the method has measured itself. If it is the best, `keep` is called and shall
    /// write the impulses, now or through [`Monitor::best_mut`] before the method ends.
    pub(crate) fn check_measured(
        &mut self,
        measured: Measured,
        step: f64,
        keep: impl FnOnce(&mut Best),
    ) -> ControlFlow<Status> {
        self.iterations += 1;
        self.judge(measured, step, keep)?;
        self.check_limits()
    }

    /// Judges a starting point that the method has measured itself.
    pub(crate) fn start_measured(
        &mut self,
        measured: Measured,
        keep: impl FnOnce(&mut Best),
    ) -> ControlFlow<Status> {
        self.judge(measured, f64::NAN, keep)
    }

    /// The place of the best impulses, for a method that keeps them in a form of its own until it ends.
    pub(crate) fn best_mut(&mut self) -> &mut Best {
        &mut self.best
    }

    /// The measure of the solve's settings, and the objective.
    pub(crate) fn measure(&self, impulses: &[f64], velocity: &[f64]) -> Measured {
        let s = self.settings;
        let (p, law) = (self.problem, self.law);
        Measured {
            error: larger(
                measure_of(p, law, s.measure, &s.measures, impulses, velocity),
                s.tolerance * largest_approach(p, &s.approach_limits, velocity),
            ),
            objective: objective(p, impulses, velocity),
        }
    }

    /// Counts an iteration that is known to be worse than an earlier one and need not be judged.
    pub fn skip(&mut self) -> ControlFlow<Status> {
        self.iterations += 1;
        self.check_limits()
    }

    fn check_limits(&self) -> ControlFlow<Status> {
        if self.phase_iterations() >= self.phase.max_iterations || self.is_exhausted() {
            return ControlFlow::Break(Status::IterationLimit);
        }
        if self.seconds_left() <= 0.0 {
            return ControlFlow::Break(Status::TimeLimit);
        }
        if self.iterations - self.mark.0 >= self.phase.stall_window {
            return ControlFlow::Break(Status::Stalled);
        }
        ControlFlow::Continue(())
    }

    fn judge(
        &mut self,
        Measured { error, objective }: Measured,
        step: f64,
        keep: impl FnOnce(&mut Best),
    ) -> ControlFlow<Status> {
        let s = self.settings;
        self.last_error = error;
        if error.is_nan() {
            return ControlFlow::Break(Status::NumericalFailure);
        }
        if error < self.best_error || self.keep_latest {
            self.best_error = error;
            keep(&mut self.best);
        }
        self.phase_best = self.phase_best.min(error);
        let record = IterationRecord {
            iteration: self.iterations,
            products: self.products,
            seconds: self.seconds(),
            error,
            objective,
            step,
        };
        self.history.push(record);
        if error <= s.tolerance.max(self.phase.target) {
            return ControlFlow::Break(Status::Converged);
        }
        if self.observer.iteration(&record).is_break() {
            return ControlFlow::Break(Status::Stopped);
        }
        if self.phase_best <= self.phase.stall_factor * self.mark.1 {
            self.mark = (self.iterations, self.phase_best);
        }
        ControlFlow::Continue(())
    }

    /// Ends the solve.
    pub(crate) fn finish(self) -> Watched {
        Watched {
            iterations: self.iterations,
            products: self.products,
            history: self.history,
            notes: self.notes,
            best: (self.best_error.is_finite()).then(|| self.best.into_inner()),
        }
    }
}

/// The best impulses of an earlier time, and their error.
pub(crate) struct Aside {
    error: f64,
    best: Best,
}

/// Room for the best impulses of a solve. It is taken when it is first needed: a method that keeps them in a form of its own needs it
/// when the room of everything else has been given back.
pub(crate) struct Best {
    dimension: usize,
    impulses: OnceCell<Vec<f64>>,
}

impl Best {
    fn new(dimension: usize) -> Self {
        Self {
            dimension,
            impulses: OnceCell::new(),
        }
    }

    fn get(&self) -> &[f64] {
        self.impulses.get_or_init(|| vec![0.0; self.dimension])
    }

    /// Replaces the impulses.
    pub fn set(&mut self, impulses: &[f64]) {
        match self.impulses.get_mut() {
            Some(room) => room.copy_from_slice(impulses),
            None => self.impulses = impulses.to_vec().into(),
        }
    }

    /// The same with impulses that nobody else needs.
    pub fn replace(&mut self, impulses: Vec<f64>) {
        self.impulses = impulses.into();
    }

    fn into_inner(self) -> Vec<f64> {
        let zeros = || vec![0.0; self.dimension];
        self.impulses.into_inner().unwrap_or_else(zeros)
    }
}

/// What a monitor has seen.
pub(crate) struct Watched {
    pub iterations: usize,
    pub products: usize,
    pub history: History,
    pub notes: Vec<String>,
    /// The impulses with the smallest error, if any was measured.
    pub best: Option<Vec<f64>>,
}

/// The status to return, if the monitor says that it is time.
pub(crate) fn broken(flow: ControlFlow<Status>) -> Option<Status> {
    match flow {
        ControlFlow::Break(status) => Some(status),
        ControlFlow::Continue(()) => None,
    }
}
