//! Proximal point with a semismooth Newton method inside: Coulomb's law at high accuracy, also where
//! W is rank-deficient.
//!
//! Newton's method needs a regular W; rigid bodies with more contact rows than freedoms do not have
//! one. The proximal point method solves instead a sequence of regular problems,
//!
//! ```text
//!   r_{k+1} ≈ solution of the law with  u = W r + q + α (r − r_k),      α_i = c g_i,  g_i = tr(W_ii)/d,
//! ```
//!
//! whose fixed points solve the law itself. Each is solved to a fraction of its initial residual by
//! Newton's method on the equations F(r, u) = 0 of [`equations`] (Alart & Curnier 1991 for Coulomb's law,
//! the natural map for the relaxed one):
//!
//! ```text
//!  repeat
//!    until |F_α| ≤ θ |F_α(r_k)| or too many steps:
//!      [ A (W + α) + B ] Δr = −F_α          A = ∂F/∂u, B = ∂F/∂r, block-diagonal
//!      r ← r + t Δr,  t by backtracking until |F_α| is below κ times its last value
//!    success: r_k ← r, c smaller
//!    failure: back to r_k, a few Gauss-Seidel sweeps, c larger
//! ```
//!
//! The line search lets the residual grow by κ = 10: a monotone one follows the kinks of F in tiny steps. On the
//! shared box stack and the four capsule problems κ = 10 with c = 1e-4 takes 18, 13, 10, 17 and 5 steps, κ = 1
//! takes 124, 55, 12, 214 and 8. What is lost by growing is bounded: an inner solve that does not
//! end lower is undone.
//!
//! A few Gauss-Seidel sweeps come first: they are cheap and find most of the active set.
//!
//! The Newton system is assembled in contact space; an open contact's rows are those of the
//! identity. It is solved dense when it is small or full, and by a sparse LU with its analysis
//! reused otherwise. Large systems of rigid bodies are solved in body space (`body_system.rs`).
//!
//! P. Alart, A. Curnier, *A mixed formulation for frictional contact problems prone to Newton like
//! solution methods*, CMAME 92, 1991. V. Acary, M. Brémond, O. Huber, *On solving contact problems with
//! Coulomb friction: formulations and numerical comparisons*, 2018: proximal point with Newton inside is the
//! most robust of some thirty methods at 1e-8 on rigid problems.

mod body_system;
pub mod equations;
mod newton_system;

use crate::law::FrictionLaw;
use crate::monitor::{Monitor, broken};
use crate::problem::ContactProblem;
use crate::solver::ContactSolver;
use crate::status::Status;
use crate::sweep::{BlockRule, Direction, sweep};
use equations::Equations;
use newton_system::NewtonSystem;

/// Settings of the proximal point method with Newton inside.
#[derive(Clone, Debug, PartialEq)]
pub struct ProximalNewton {
    /// Gauss-Seidel sweeps before the first Newton step. Default 20.
    pub first_sweeps: usize,
    /// Gauss-Seidel sweeps after a failed inner solve. Default 20.
    pub rescue_sweeps: usize,
    /// First regularisation c. Default 1e-4.
    pub regularization: f64,
    /// Smallest c: below it a rank-deficient system is singular in floating point. Default 1e-7.
    pub regularization_min: f64,
    /// Largest c. Default 10.
    pub regularization_max: f64,
    /// Newton steps of one inner solve at most. Default 15.
    pub inner_steps: usize,
    /// Factor κ by which a step may raise the residual. Default 10.
    pub growth: f64,
    /// An inner solve has succeeded when its residual fell by this factor θ. Default 0.1.
    pub reduction: f64,
}

impl Default for ProximalNewton {
    fn default() -> Self {
        Self {
            first_sweeps: 20,
            rescue_sweeps: 20,
            regularization: 1e-4,
            regularization_min: 1e-7,
            regularization_max: 10.0,
            inner_steps: 15,
            growth: 10.0,
            reduction: 0.1,
        }
    }
}

/// Failed inner solves in a row after which the method gives up.
const MAX_FAILURES: usize = 25;

impl ContactSolver for ProximalNewton {
    fn name(&self) -> &'static str {
        "proximal_newton"
    }

    fn summary(&self) -> &'static str {
        "proximal point with semismooth Newton inside: Coulomb's law to high accuracy"
    }

    fn laws(&self) -> &'static [FrictionLaw] {
        &[FrictionLaw::Coulomb, FrictionLaw::Relaxed]
    }

    fn needs_symmetry(&self, law: FrictionLaw) -> bool {
        law == FrictionLaw::Relaxed
    }

    fn default_max_iterations(&self) -> usize {
        2000
    }

    fn run(
        &self,
        problem: &ContactProblem,
        law: FrictionLaw,
        r: &mut [f64],
        monitor: &mut Monitor,
    ) -> Status {
        let n = problem.dimension();
        let mut state = vec![0.0; problem.state_length()];
        let mut velocity = vec![0.0; n];
        problem.velocity(r, &mut state, &mut velocity);
        monitor.products += 1;
        if let Some(status) = broken(monitor.start(r, &velocity)) {
            return status;
        }
        let sweeps = |count: usize, r: &mut [f64], state: &mut [f64], monitor: &mut Monitor| {
            problem.delassus().state_of(r, state);
            let rule = BlockRule::default_for(law);
            for _ in 0..count {
                sweep(problem, law, rule, Direction::Forward, r, state);
                monitor.products += 1;
            }
        };
        if self.first_sweeps > 0 {
            sweeps(self.first_sweeps, r, &mut state, monitor);
            problem.velocity(r, &mut state, &mut velocity);
            if let Some(status) = broken(monitor.check(r, &velocity, f64::NAN)) {
                return status;
            }
        }

        let mut system = match NewtonSystem::new(problem) {
            Ok(system) => system,
            Err(reason) => {
                monitor
                    .notes
                    .push(format!("the Newton system cannot be analysed: {reason}"));
                return Status::NumericalFailure;
            }
        };
        let mut equations = Equations::new(problem, law);
        let mut center = r.to_vec();
        let mut step = vec![0.0; n];
        let mut step_velocity = vec![0.0; n];
        let (mut trial, mut trial_velocity) = (vec![0.0; n], vec![0.0; n]);
        let mut regularization = self.regularization;
        let mut failures = 0;
        loop {
            // `velocity` is that of the regularised problem; at the centre both are the same.
            let first = equations.evaluate(r, &velocity);
            let mut merit = first;
            let mut steps = 0;
            let mut succeeded = false;
            while steps < self.inner_steps {
                steps += 1;
                equations.linearize(r, &velocity);
                if !system.solve(&equations, regularization, &mut step) {
                    break;
                }
                // (W + α) Δr gives the velocity along the whole line.
                problem.product(&step, &mut state, &mut step_velocity);
                monitor.products += 1;
                add_regularization(problem, regularization, &step, &mut step_velocity);
                let mut t = 1.0;
                let mut accepted = false;
                for _ in 0..12 {
                    for k in 0..n {
                        trial[k] = r[k] + t * step[k];
                        trial_velocity[k] = velocity[k] + t * step_velocity[k];
                    }
                    let value = equations.evaluate(&trial, &trial_velocity);
                    if value <= self.growth * merit {
                        merit = value;
                        accepted = true;
                        break;
                    }
                    t *= 0.5;
                }
                if !accepted {
                    break;
                }
                for k in 0..n {
                    r[k] += t * step[k];
                    velocity[k] += t * step_velocity[k];
                }
                // The referee sees the velocity without the proximal term. A step that has raised the
                // residual is on its way, not an answer: huge impulses can look good to a relative measure.
                let verdict = if merit <= first {
                    problem.velocity(r, &mut state, &mut trial_velocity);
                    monitor.products += 1;
                    monitor.check(r, &trial_velocity, regularization)
                } else {
                    monitor.skip()
                };
                if let Some(status) = broken(verdict) {
                    return status;
                }
                if merit <= self.reduction * first {
                    succeeded = true;
                    break;
                }
            }
            if succeeded {
                failures = 0;
                if steps <= 4 {
                    regularization = (0.2 * regularization).max(self.regularization_min);
                }
            } else {
                failures += 1;
                if failures > MAX_FAILURES {
                    return Status::Stalled;
                }
                r.copy_from_slice(&center);
                let count = self.rescue_sweeps * failures;
                sweeps(count, r, &mut state, monitor);
                regularization = (10.0 * regularization).min(self.regularization_max);
            }
            center.copy_from_slice(r);
            problem.velocity(r, &mut state, &mut velocity);
            monitor.products += 1;
            if !succeeded && let Some(status) = broken(monitor.check(r, &velocity, regularization))
            {
                return status;
            }
        }
    }
}

/// Adds α x to the velocity, α_i = c g_i.
fn add_regularization(problem: &ContactProblem, c: f64, x: &[f64], velocity: &mut [f64]) {
    for (block, g) in problem.mean_diagonal().iter().enumerate() {
        for row in problem.rows(block) {
            velocity[row] += c * g * x[row];
        }
    }
}
