//! Accelerated symmetric Gauss-Seidel: Nesterov momentum with restart around symmetric block sweeps.
//!
//! A symmetric sweep (forward, then backward) is a proximal step of the relaxed problem in the metric
//! (L+D)D⁻¹(D+Lᵀ) instead of a diagonal one, and momentum accelerates it as it does a gradient step.
//! With G the block metric of [`cone_metric`], G_i − N_ii ⪰ 0:
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
//! Joints are swept with the exact block inverse; the restart test then uses λ_max(N_ii) for them.

use super::apgd::momentum;
use super::gauss_seidel::velocity_of_state;
use crate::cones::{Cone, MAX_DIMENSION};
use crate::law::FrictionLaw;
use crate::metric::cone_metric;
use crate::monitor::{Monitor, broken};
use crate::problem::ContactProblem;
use crate::residual::objective;
use crate::solver::ContactSolver;
use crate::status::Status;
use crate::sweep::{BlockRule, updated_block};
use moreau_algebra::reduction::sum;

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
        &[FrictionLaw::Relaxed]
    }

    fn default_max_iterations(&self) -> usize {
        100_000
    }

    fn run(
        &self,
        problem: &ContactProblem,
        _law: FrictionLaw,
        x: &mut [f64],
        monitor: &mut Monitor,
    ) -> Status {
        let n = problem.dimension();
        let weights = cone_metric(problem);
        let mut state = vec![0.0; problem.state_length()];
        let mut velocity = vec![0.0; n];
        problem.velocity(x, &mut state, &mut velocity);
        monitor.products += 1;
        if let Some(status) = broken(monitor.start(x, &velocity)) {
            return status;
        }
        let (mut previous, mut previous_state) = (x.to_vec(), state.clone());
        let mut y = x.to_vec();
        let mut y_state = state.clone();
        let (mut theta, mut beta) = (1.0, 0.0);
        let mut lowest = objective(problem, x, &velocity);
        loop {
            // y = x_k + β (x_k − x_{k−1}); afterwards `previous` is x_k.
            for k in 0..n {
                y[k] = x[k] + beta * (x[k] - previous[k]);
            }
            for k in 0..state.len() {
                y_state[k] = state[k] + beta * (state[k] - previous_state[k]);
            }
            previous.copy_from_slice(x);
            previous_state.copy_from_slice(&state);
            x.copy_from_slice(&y);
            state.copy_from_slice(&y_state);

            let first_forward = monitor.phase_iterations().is_multiple_of(2);
            for forward in [first_forward, !first_forward] {
                metric_sweep(problem, &weights, forward, x, &mut state);
                monitor.products += 1;
            }
            if monitor.phase_iterations() % self.refresh == self.refresh - 1 {
                problem.delassus().state_of(x, &mut state);
                problem.delassus().state_of(&previous, &mut previous_state);
            }

            let along = sum(n, |k| weights[k] * (y[k] - x[k]) * (x[k] - previous[k]));
            if along > 0.0 {
                (theta, beta) = (1.0, 0.0);
            } else {
                (theta, beta) = momentum(theta);
            }
            if monitor.is_due() {
                velocity_of_state(problem, x, &state, &mut velocity);
                // The safeguard: momentum that raises the objective is dropped.
                let value = objective(problem, x, &velocity);
                if value > lowest + 1e-9 * lowest.abs() {
                    (theta, beta) = (1.0, 0.0);
                }
                lowest = lowest.min(value);
            }
            if let Some(status) = broken(monitor.check(x, &velocity, beta)) {
                return status;
            }
        }
    }
}

/// One pass over all blocks with projected steps in the metric.
fn metric_sweep(
    problem: &ContactProblem,
    weights: &[f64],
    forward: bool,
    impulses: &mut [f64],
    state: &mut [f64],
) {
    let blocks = problem.blocks();
    let mut velocity = [0.0; MAX_DIMENSION];
    let mut new = [0.0; MAX_DIMENSION];
    for k in 0..blocks {
        let block = if forward { k } else { blocks - 1 - k };
        let rows = problem.rows(block);
        let d = rows.len();
        let cone = &problem.cones()[block];
        problem.block_velocity(block, state, impulses, &mut velocity[..d]);
        let old = &impulses[rows.clone()];
        let weights = &weights[rows];
        if matches!(cone, Cone::Bilateral { .. }) {
            new[..d].copy_from_slice(old);
            let rule = BlockRule::Projected {
                omega: 1.0,
                lambda: 1.0,
            };
            updated_block(
                problem,
                FrictionLaw::Relaxed,
                rule,
                block,
                &velocity[..d],
                &mut new[..d],
            );
        } else {
            for k in 0..d {
                new[k] = old[k] - velocity[k] / weights[k];
            }
            cone.project_weighted(&mut new[..d], weights);
        }
        let mut moved = false;
        for k in 0..d {
            new[k] -= old[k];
            moved |= new[k] != 0.0;
        }
        if moved {
            problem.change_block(block, &new[..d], impulses, state);
        }
    }
}
