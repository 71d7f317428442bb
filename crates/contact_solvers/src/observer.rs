//! Watching a solve. Solvers print nothing; an observer sees each recorded iteration.

use std::ops::ControlFlow;

/// One recorded iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IterationRecord {
    /// Iterations done so far, over all phases of the solve.
    pub iteration: usize,
    /// Products with N (a sweep over all contacts counts as one).
    pub products: usize,
    /// Wall-clock seconds since the start.
    pub seconds: f64,
    /// The measure that the solve stops on.
    pub error: f64,
    /// ½ γᵀNγ + rᵀγ.
    pub objective: f64,
    /// Step length, momentum or regularisation: what the method varies; NaN if nothing.
    pub step: f64,
}

/// Sees the iterations and may end the solve. Large solves call it from a thread of the pool.
pub trait Observer: Send {
    /// Called after each recorded iteration; `Break` ends the solve with
    /// [`Status::Stopped`](crate::status::Status::Stopped).
    fn iteration(&mut self, record: &IterationRecord) -> ControlFlow<()>;

    /// Called when a method that is made of several changes from one to the next.
    fn phase(&mut self, _name: &str) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn iteration(&mut self, _record: &IterationRecord) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
