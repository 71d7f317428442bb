//! Accelerated symmetric Gauss-Seidel: Nesterov momentum with restart around symmetric block sweeps.
//!
//! A symmetric sweep (forward, then backward) is a proximal step of the relaxed problem in the metric
//! (L+D)D⁻¹(D+Lᵀ) instead of a diagonal one, and momentum accelerates it as it does a gradient step.
//! With G the block metric of [`crate::metric`], G_i − N_ii ⪰ 0:
//!
//! ```text
//!   x₀ = x₋₁ = start, θ = 1, β = 0
//!   repeat
//!     y = x_k + β (x_k − x_{k−1})                       the body velocities likewise, by linearity
//!     x = y;  sweep all blocks in an order, then in its reverse (the order alternates with k):
//!        z = projection of x_i − G_i⁻¹ u_i in the metric G_i;   x_i ← z, body velocities with it
//!     x_{k+1} = x
//!     if (y − x_{k+1})ᵀ G (x_{k+1} − x_k) > 0:  θ = 1, β = 0      (restart)
//!     else θ, β as in Mazhar Eqs. 21 and 22
//! ```
//!
//! Both sweeps are needed: forward sweeps alone stagnate under momentum. There is no proof of convergence
//! for many cones, so the objective guards it: where it rises, momentum is dropped. The best iterate is kept by the
//! monitor in any case.
//!
//! # Coulomb's law
//!
//! Here û = u + μ|u_T| e_N takes the place of u at each visit (`metric_sweep`), so a fixed point satisfies
//! Coulomb's law itself. The map is then not the gradient of anything, and full momentum stirs up the contacts that
//! slide: on beds of spheres the error stood still at 1e-3. With β ≤ 0.75 it falls, and to 1e-3 from zero takes a third of the
//! time of Gauss-Seidel with exact one-contact solutions. Momentum is dropped where the error has risen.
//!
//! Joints are swept with the exact block inverse; the restart test then uses λ_max(N_ii) for them.

use super::apgd::momentum;
use super::gauss_seidel::velocity_of_state;
use crate::law::FrictionLaw;
use crate::metric_sweep::Metric;
use crate::monitor::{Monitor, broken};
use crate::problem::ContactProblem;
use crate::residual::objective;
use crate::solver::ContactSolver;
use crate::status::Status;

/// The largest momentum under Coulomb's law. Of 0, 0.5, 0.7, 0.85, 0.93 and 1 those from 0.7 to 0.85 were the best.
const COULOMB_MOMENTUM: f64 = 0.75;

/// Under Coulomb's law momentum is dropped where the error has risen to so many times the smallest.
const RISE: f64 = 3.0;

/// Settings of accelerated symmetric Gauss-Seidel.
#[derive(Clone, Debug, PartialEq)]
pub struct AcceleratedGaussSeidel {
    /// The body velocities are recomputed from the impulses after so many iterations. Default 50.
    pub refresh: usize,
}

impl Default for AcceleratedGaussSeidel {
    fn default() -> Self {
        Self { refresh: 50 }
    }
}

impl ContactSolver for AcceleratedGaussSeidel {
    fn name(&self) -> &'static str {
        "accelerated_gauss_seidel"
    }

    fn summary(&self) -> &'static str {
        "symmetric Gauss-Seidel sweeps with momentum: large problems, above all beds and piles of grains"
    }

    fn laws(&self) -> &'static [FrictionLaw] {
        &[FrictionLaw::Relaxed, FrictionLaw::Coulomb]
    }

    fn default_max_iterations(&self) -> usize {
        100_000
    }

    fn run(
        &self,
        problem: &ContactProblem,
        law: FrictionLaw,
        x: &mut [f64],
        monitor: &mut Monitor,
    ) -> Status {
        let n = problem.dimension();
        let metric = Metric::new(problem);
        let mut state = vec![0.0; problem.state_length()];
        let mut velocity = vec![0.0; n];
        problem.velocity(x, &mut state, &mut velocity);
        monitor.products += 1;
        if let Some(status) = broken(monitor.start(x, &velocity)) {
            return status;
        }
        let (mut previous, mut previous_state) = (x.to_vec(), state.clone());
        let mut y = x.to_vec();
        let (mut theta, mut beta) = (1.0, 0.0);
        let mut lowest = objective(problem, x, &velocity);
        loop {
            // y = x_k + β (x_k − x_{k−1}); afterwards `previous` is x_k.
            for k in 0..n {
                let now = x[k];
                x[k] = now + beta * (now - previous[k]);
                y[k] = x[k];
                previous[k] = now;
            }
            for k in 0..state.len() {
                let now = state[k];
                state[k] = now + beta * (now - previous_state[k]);
                previous_state[k] = now;
            }

            let first_forward = monitor.phase_iterations().is_multiple_of(2);
            for forward in [first_forward, !first_forward] {
                metric.sweep(problem, law, forward, x, &mut state);
                monitor.products += 1;
            }
            if monitor.phase_iterations() % self.refresh == self.refresh - 1 {
                problem.delassus().state_of(x, &mut state);
                problem.delassus().state_of(&previous, &mut previous_state);
            }

            let along = metric.inner(|k| (y[k] - x[k]) * (x[k] - previous[k]));
            if along > 0.0 {
                (theta, beta) = (1.0, 0.0);
            } else {
                (theta, beta) = momentum(theta);
            }
            if monitor.is_due() {
                velocity_of_state(problem, x, &state, &mut velocity);
                // The safeguard: momentum that raises the objective is dropped.
                let value = objective(problem, x, &velocity);
                if law == FrictionLaw::Relaxed && value > lowest + 1e-9 * lowest.abs() {
                    (theta, beta) = (1.0, 0.0);
                }
                lowest = lowest.min(value);
            }
            if let Some(status) = broken(monitor.check(x, &velocity, beta)) {
                return status;
            }
            if law == FrictionLaw::Coulomb {
                beta = beta.min(COULOMB_MOMENTUM);
                if monitor.last_error() > RISE * monitor.best_error() {
                    (theta, beta) = (1.0, 0.0);
                }
            }
        }
    }
}
