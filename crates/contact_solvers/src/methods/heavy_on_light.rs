//! Heavy bodies on light ones under the relaxed law: a chain of three methods, each for what the others are slow at.
//!
//! 1. A few steps of [`ProximalMasses`] find the level of the forces and roughly their paths, by sweeps; a hundred sweeps with the
//!    masses as they are then free the light bodies from the pull of these steps. Where masses are too much alike for such steps,
//!    [`MassScaledStart`].
//! 2. [`InteriorPoint`] removes the smooth errors, which sweeps would need thousands of iterations for. A factorisation costs most
//!    of its step, so each is used for several correctors, early ones are of single precision, and the method ends at an
//!    energy error of 4e-3.
//! 3. [`AcceleratedGaussSeidel`] removes the local errors that are left, in a few hundred cheap iterations.

use super::mass_scaled_start::sweep_and_scale;
use super::{AcceleratedGaussSeidel, InteriorPoint, MassScaledStart, ProximalMasses};
use crate::law::FrictionLaw;
use crate::monitor::{Monitor, Phase};
use crate::problem::ContactProblem;
use crate::solver::ContactSolver;
use crate::status::Status;

/// Settings of the chain.
#[derive(Clone, Debug, PartialEq)]
pub struct HeavyOnLight {
    /// The first link: its ratio, the number of its steps and their sweeps.
    pub start: ProximalMasses,
    /// Sweeps with the masses as they are at the end of the first link. Default 100.
    pub settling_sweeps: usize,
    /// The first link where masses differ too little for proximal steps.
    pub scaled_start: MassScaledStart,
    /// The second link.
    pub interior_point: InteriorPoint,
    /// Iterations of the third link at most. Default 20 000.
    pub finish_iterations: usize,
}

impl Default for HeavyOnLight {
    fn default() -> Self {
        Self {
            start: ProximalMasses {
                steps: 20,
                ..ProximalMasses::default()
            },
            settling_sweeps: 100,
            scaled_start: MassScaledStart::default(),
            interior_point: InteriorPoint {
                hand_over: 4e-3,
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
        "proximal steps by sweeps, interior point, sweeps: a heavy body on thousands of light ones"
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
        if self.start.approach(problem, impulses, monitor) {
            sweep_and_scale(problem, self.settling_sweeps, impulses, monitor);
        } else {
            self.scaled_start.run(problem, impulses, monitor);
        }
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
