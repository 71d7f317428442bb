//! Heavy bodies on light ones under the relaxed law: a chain of three methods, each for what the others are slow at.
//!
//! 1. [`MassScaledStart`] finds the level of the forces and roughly their paths, by sweeps.
//! 2. [`InteriorPoint`] removes the smooth errors, which sweeps would need thousands of iterations for. A factorisation costs most
//!    of its step, so each is used for several correctors, early ones are of single precision, and the method ends at an
//!    energy error of 1e-2.
//! 3. [`AcceleratedGaussSeidel`] removes the local errors that are left, in a few hundred cheap iterations.

use super::{AcceleratedGaussSeidel, InteriorPoint, MassScaledStart};
use crate::law::FrictionLaw;
use crate::monitor::{Monitor, Phase};
use crate::problem::ContactProblem;
use crate::solver::ContactSolver;
use crate::status::Status;

/// Settings of the chain.
#[derive(Clone, Debug, PartialEq)]
pub struct HeavyOnLight {
    /// The first link.
    pub start: MassScaledStart,
    /// The second link.
    pub interior_point: InteriorPoint,
    /// Iterations of the third link at most. Default 20 000.
    pub finish_iterations: usize,
}

impl Default for HeavyOnLight {
    fn default() -> Self {
        Self {
            start: MassScaledStart::default(),
            interior_point: InteriorPoint {
                hand_over: 1e-2,
                single_precision: true,
                refinement_accuracy: 1e-3,
                further_correctors: 0,
                centrality_correctors: 4,
                warm_margin: 1e-2,
                polish_iterations: 0,
                ..InteriorPoint::default()
            },
            finish_iterations: 20_000,
        }
    }
}

impl ContactSolver for HeavyOnLight {
    fn name(&self) -> &'static str {
        "heavy_on_light"
    }

    fn summary(&self) -> &'static str {
        "sweeps with scaled masses, interior point, sweeps: a heavy body on thousands of light ones"
    }

    fn laws(&self) -> &'static [FrictionLaw] {
        &[FrictionLaw::Relaxed]
    }

    fn default_max_iterations(&self) -> usize {
        self.interior_point.default_max_iterations() + self.finish_iterations
    }

    fn run(
        &self,
        problem: &ContactProblem,
        law: FrictionLaw,
        impulses: &mut [f64],
        monitor: &mut Monitor,
    ) -> Status {
        self.start.run(problem, impulses, monitor);
        monitor.begin_phase(
            self.interior_point.name(),
            Phase::whole(self.interior_point.default_max_iterations()),
        );
        let status = self.interior_point.run(problem, law, impulses, monitor);
        monitor.notes.push(format!(
            "heavy_on_light: {} factorisations, then accelerated Gauss-Seidel from error {:.1e}",
            monitor.phase_iterations(),
            monitor.last_error()
        ));
        if !matches!(status, Status::Stalled | Status::NumericalFailure) || monitor.is_exhausted() {
            return status;
        }
        if status == Status::NumericalFailure {
            impulses.copy_from_slice(monitor.best());
        }
        let finish = AcceleratedGaussSeidel::default();
        monitor.begin_phase(finish.name(), Phase::whole(self.finish_iterations));
        finish.run(problem, law, impulses, monitor)
    }
}
