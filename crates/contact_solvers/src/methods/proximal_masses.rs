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
use super::mass_scaled_start::sweep_and_scale;
use crate::delassus::{Delassus, MatrixFree};
use crate::law::FrictionLaw;
use crate::monitor::{Monitor, Phase, broken};
use crate::problem::ContactProblem;
use crate::solver::ContactSolver;
use crate::status::Status;
use moreau_algebra::reduction::sum;

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
        let Some((operator, factors)) = self.heavier(problem) else {
            monitor.begin_phase(sweeps.name(), Phase::whole(usize::MAX));
            return sweeps.run(problem, law, impulses, monitor);
        };
        monitor.notes.push(format!(
            "proximal_masses: light bodies up to {:.0} times heavier in the proximal steps",
            factors.iter().copied().fold(1.0, f64::max)
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
            if let Some(status) = self.steps(problem, operator, &factors, impulses, monitor) {
                return status;
            }
        }
    }
}

impl ProximalMasses {
    /// The bodies and 1 + c of each; `None` where they are not known, or alike enough for sweeps.
    fn heavier<'a>(&self, problem: &'a ContactProblem) -> Option<(&'a MatrixFree, Vec<f64>)> {
        let Delassus::MatrixFree(operator) = problem.delassus() else {
            return None;
        };
        let mut contacts = vec![0.0; operator.bodies()];
        operator.touch(|body| contacts[body] += 1.0);
        let masses: Vec<f64> = (0..operator.bodies())
            .map(|body| 1.0 / operator.inverse_mass(body)[0])
            .collect();
        let touched = || (0..masses.len()).filter(|&b| contacts[b] > 0.0 && masses[b].is_finite());
        let heaviest = touched().map(|b| masses[b]).fold(0.0, f64::max);
        let most = touched()
            .map(|b| masses[b] / contacts[b])
            .fold(0.0, f64::max);
        let least = touched()
            .map(|b| masses[b] / contacts[b])
            .fold(f64::INFINITY, f64::min);
        let largest = most / least / self.ratio;
        let factor = |mass: &f64| largest.min(heaviest / mass).max(1.0);
        (largest > 1.0).then(|| (operator, masses.iter().map(factor).collect()))
    }

    /// The proximal steps; answers with the status if the solve is over.
    fn steps(
        &self,
        problem: &ContactProblem,
        operator: &MatrixFree,
        factors: &[f64],
        impulses: &mut [f64],
        monitor: &mut Monitor,
    ) -> Option<Status> {
        let size = operator.body_size();
        // The diagonal of C, to judge directions with.
        let mut added = vec![0.0; operator.body_dimension()];
        for (k, added) in added.iter_mut().enumerate() {
            let inverse = operator.inverse_mass(k / size)[k % size * (size + 1)];
            if inverse > 0.0 {
                *added = (factors[k / size] - 1.0) / inverse;
            }
        }
        let scaled = operator.with_masses_times(factors);
        let mut stage = problem.with_operator(Delassus::MatrixFree(scaled.clone()));
        let mut velocity = vec![0.0; problem.dimension()];
        let mut state = vec![0.0; problem.state_length()];
        let mut w = vec![0.0; operator.body_dimension()];
        operator.body_velocities(impulses, &mut w);
        let (mut before, mut theta) = (w.clone(), 1.0f64);
        for _ in 0..self.steps {
            let next = 0.5 * (1.0 + (1.0 + 4.0 * theta * theta).sqrt());
            let beta = (theta - 1.0) / next;
            theta = next;
            let y: Vec<f64> = w
                .iter()
                .zip(&before)
                .map(|(w, before)| w + beta * (w - before))
                .collect();
            before.copy_from_slice(&w);
            // (M + C)⁻¹ C y, and what the contacts see of it.
            let pulled: Vec<f64> = y
                .iter()
                .enumerate()
                .map(|(k, y)| (1.0 - 1.0 / factors[k / size]) * y)
                .collect();
            operator.contact_velocities(&pulled, &mut velocity);
            let free = velocity.iter().zip(problem.free_velocity());
            let Ok(next_stage) = stage.with_free_velocity(free.map(|(u, r)| u + r).collect())
            else {
                return Some(Status::NumericalFailure);
            };
            stage = next_stage;
            if !sweep_and_scale(&stage, self.sweeps, impulses, monitor) {
                return Some(Status::TimeLimit);
            }
            scaled.body_velocities(impulses, &mut w);
            for (w, pulled) in w.iter_mut().zip(&pulled) {
                *w += pulled;
            }
            let turned = sum(w.len(), |k| added[k] * (y[k] - w[k]) * (w[k] - before[k]));
            if turned > 0.0 {
                theta = 1.0;
            }
            problem.velocity(impulses, &mut state, &mut velocity);
            monitor.products += 1;
            if let Some(status) = broken(monitor.check(impulses, &velocity, beta)) {
                return Some(status);
            }
        }
        None
    }
}
