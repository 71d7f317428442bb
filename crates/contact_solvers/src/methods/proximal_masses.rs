//! Heavy bodies on light ones without a factorisation: the accelerated proximal point method, whose steps are contact
//! problems with a small mass ratio.
//!
//! The relaxed law is min F(v) over the velocities, F(v) = ½ |v − v_f|²_M where the contacts allow v. Sweeps solve its dual,
//! and take the longer the heavier the heaviest body is among the others. With C = c M on the light bodies, 0 on the heaviest,
//!
//! ```text
//!   y = v_k + β_k (v_k − v_{k−1}),      v_{k+1} = argmin F(v) + ½ |v − y|²_C
//! ```
//!
//! is a contact problem again, with masses M + C and free velocities (M v_f + C y) / (M + C), which sweeps are good at. The
//! limit of the steps is the solution of the problem itself, unlike that of [`MassScaledStart`](super::MassScaledStart), which is
//! the case y = v_f. c is such that masses differ by a hundred at most once each is shared among the contacts of its body:
//! what counts is the load of a contact, and a slab on a thousand spheres is less of a burden than one on ten.
//!
//! A light body that no contact holds comes nearer to its velocity by c/(1 + c) a step only; momentum β_k makes √c steps
//! of c, and sweeps with the masses as they are do the rest: they are good at what is light and local, as the steps are at
//! what the heavy bodies rest on.
//!
//! ```text
//!   repeat
//!     sweeps with masses M as long as the error is halved now and then: easy problems end here
//!     w = M⁻¹ D γ                                                        velocities v − v_f
//!     repeat: sweeps with masses M + C and r + Dᵀ (M + C)⁻¹ C y,  γ ← s γ,  w = (M + C)⁻¹ (C y + D γ)
//! ```
//!
//! Memory is that of sweeps, and so is the time of an iteration: both grow as the contacts do. O. Güler, *New proximal point
//! algorithms for convex minimization*, SIAM J. Optim. 2, 1992; restart of β where the step turns back: B. O'Donoghue and
//! E. Candès, *Adaptive restart for accelerated gradient schemes*, Found. Comput. Math. 15, 2015.

use super::AcceleratedGaussSeidel;
use super::proximal_steps::{HeavierMasses, ProximalSteps};
use crate::law::FrictionLaw;
use crate::monitor::{Monitor, Phase, broken};
use crate::problem::ContactProblem;
use crate::solver::ContactSolver;
use crate::status::Status;

/// Settings of the method.
#[derive(Clone, Debug, PartialEq)]
pub struct ProximalMasses {
    /// The ratio of masses, each shared among the contacts of its body, that is left to the sweeps of the steps. Default 100.
    pub ratio: f64,
    /// Steps in a row. Default 60.
    pub steps: usize,
    /// Sweeps of a step. Default 50.
    pub sweeps: usize,
    /// Iterations with the masses as they are in which the error must fall to half, or steps follow. Default 300.
    pub patience: usize,
}

impl Default for ProximalMasses {
    fn default() -> Self {
        Self {
            ratio: 100.0,
            steps: 60,
            sweeps: 50,
            patience: 300,
        }
    }
}

/// Iterations of sweeps between steps at most.
const LONGEST_SWEEPS: usize = 20_000;

/// Share of the error that steps and sweeps must not leave, or the method gives up …
const PROGRESS: f64 = 0.7;

/// … unless they lower the objective by this share of it: under a heavy body errors are small long before its force is right.
const LOWERING: f64 = 1e-3;

impl ContactSolver for ProximalMasses {
    fn name(&self) -> &'static str {
        "proximal_masses"
    }

    fn summary(&self) -> &'static str {
        "sweeps, and proximal steps that make light bodies heavier: a heavy body on any number of light ones"
    }

    fn laws(&self) -> &'static [FrictionLaw] {
        &[FrictionLaw::Relaxed]
    }

    fn default_max_iterations(&self) -> usize {
        100_000
    }

    fn run(
        &self,
        problem: &ContactProblem,
        law: FrictionLaw,
        impulses: &mut [f64],
        monitor: &mut Monitor,
    ) -> Status {
        let sweeps = AcceleratedGaussSeidel::default();
        let Some(masses) = HeavierMasses::new(problem, self.ratio) else {
            monitor.begin_phase(sweeps.name(), Phase::whole(usize::MAX));
            return sweeps.run(problem, law, impulses, monitor);
        };
        monitor.notes.push(format!(
            "proximal_masses: light bodies up to {:.0} times heavier in the proximal steps",
            masses.largest_factor()
        ));
        let (mut left, mut lowest) = (f64::INFINITY, f64::INFINITY);
        let (mut state, mut velocity) = (
            vec![0.0; problem.state_length()],
            vec![0.0; problem.dimension()],
        );
        loop {
            let while_it_pays = Phase {
                stall_window: self.patience,
                stall_factor: 0.5,
                ..Phase::whole(LONGEST_SWEEPS)
            };
            monitor.begin_phase(sweeps.name(), while_it_pays);
            // Steps go through larger errors to a lower objective: what follows them counts, not the smallest error.
            let aside = monitor.set_best_aside();
            let status = sweeps.run(problem, law, impulses, monitor);
            let error = monitor.best_error();
            impulses.copy_from_slice(monitor.best());
            monitor.take_back(aside);
            let gone_on = matches!(status, Status::Stalled | Status::IterationLimit);
            if !gone_on || monitor.is_exhausted() {
                return status;
            }
            problem.velocity(impulses, &mut state, &mut velocity);
            monitor.products += 1;
            let objective = monitor.measure(impulses, &velocity).objective;
            let lower = lowest - objective > LOWERING * objective.abs();
            if !(error <= PROGRESS * left || lower) {
                return Status::Stalled;
            }
            (left, lowest) = (left.min(error), lowest.min(objective));
            monitor.begin_phase(self.name(), Phase::whole(usize::MAX));
            if let Some(status) = self.steps(problem, &masses, impulses, monitor) {
                return status;
            }
        }
    }
}

impl ProximalMasses {
    /// The first steps alone, as a start for another method; false where masses are alike enough without them. Their errors are
    /// those of the pull, which says nothing about the start, so none is measured.
    pub(super) fn approach(
        &self,
        problem: &ContactProblem,
        impulses: &mut [f64],
        monitor: &mut Monitor,
    ) -> bool {
        let Some(masses) = HeavierMasses::new(problem, self.ratio) else {
            return false;
        };
        let mut steps = ProximalSteps::new(problem, &masses, impulses);
        for _ in 0..self.steps {
            if steps.step(self.sweeps, impulses, monitor).is_err() {
                break;
            }
        }
        true
    }

    /// The proximal steps; answers with the status if the solve is over.
    fn steps(
        &self,
        problem: &ContactProblem,
        masses: &HeavierMasses,
        impulses: &mut [f64],
        monitor: &mut Monitor,
    ) -> Option<Status> {
        let mut velocity = vec![0.0; problem.dimension()];
        let mut state = vec![0.0; problem.state_length()];
        let mut steps = ProximalSteps::new(problem, masses, impulses);
        for _ in 0..self.steps {
            let momentum = match steps.step(self.sweeps, impulses, monitor) {
                Ok(momentum) => momentum,
                Err(status) => return Some(status),
            };
            problem.velocity(impulses, &mut state, &mut velocity);
            monitor.products += 1;
            if let Some(status) = broken(monitor.check(impulses, &velocity, momentum)) {
                return Some(status);
            }
        }
        None
    }
}
