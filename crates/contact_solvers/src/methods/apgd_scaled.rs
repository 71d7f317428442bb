//! APGD improved: Mazhar Algorithm 1 in variables scaled without leaving the cone, with one product per
//! iteration.
//!
//! Departures from [Algorithm 1](super::apgd), each with its reason:
//!
//! 1. *Scaled variables.* Gradient steps and distances use the diagonal metric G of
//!    [`cone_metric`], whose weights are equal within a disc, so
//!    that the projection stays closed-form. Heavy and light, normal and tangential directions get steps
//!    of their own size.
//! 2. *One product.* y_k is a combination of γ_k and γ_{k−1}, hence N y_k = (1+β) Nγ_k − β Nγ_{k−1}: the only
//!    product is that of γ_{k+1}, which the step test and the error need anyway.
//! 3. *A test without cancellation.* f(γ₊) − f(y) − gᵀ(γ₊ − y) = ½ dᵀN d with d = γ₊ − y; so line 9 becomes
//!    dᵀN d > L dᵀG d, with N d from the products at hand. As published the test subtracts objectives and
//!    stalls at the square root of rounding.
//! 4. *Start of L.* In the metric G each diagonal block is at most one; L starts at one and finds its size
//!    by backtracking.
//! 5. *Restart* uses the gradient step itself, (y − γ₊)ᵀG(γ₊ − γ) > 0 (O'Donoghue & Candès 2012, §3.2), which
//!    is exact for projected steps.

use super::apgd::momentum;
use crate::law::FrictionLaw;
use crate::metric::cone_metric;
use crate::monitor::{Monitor, broken};
use crate::problem::ContactProblem;
use crate::solver::ContactSolver;
use crate::status::Status;
use moreau_algebra::reduction::sum;

/// Settings of the improved APGD.
#[derive(Clone, Debug, PartialEq)]
pub struct ApgdScaled {
    /// Factor on L after each iteration. Default 0.98: a backtrack costs a product here, so L
    /// should not ask for one every few iterations.
    pub shrink: f64,
    /// Factor on L while backtracking. Default 1.5.
    pub grow: f64,
}

impl Default for ApgdScaled {
    fn default() -> Self {
        Self {
            shrink: 0.98,
            grow: 1.5,
        }
    }
}

impl ContactSolver for ApgdScaled {
    fn name(&self) -> &'static str {
        "apgd_scaled"
    }

    fn summary(&self) -> &'static str {
        "accelerated projected gradient with a scaled metric: as apgd, better where masses differ widely"
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
        gamma: &mut [f64],
        monitor: &mut Monitor,
    ) -> Status {
        let n = problem.dimension();
        let r = problem.free_velocity();
        let weights = cone_metric(problem);
        let mut state = vec![0.0; problem.state_length()];
        let mut velocity = vec![0.0; n];
        // Products of γ_k, γ_{k+1} and y_k.
        let (mut product, mut next_product) = (vec![0.0; n], vec![0.0; n]);
        problem.product(gamma, &mut state, &mut product);
        monitor.products += 1;
        for k in 0..n {
            velocity[k] = product[k] + r[k];
        }
        if let Some(status) = broken(monitor.start(gamma, &velocity)) {
            return status;
        }
        let (mut y, mut y_product, mut next) = (gamma.to_vec(), product.clone(), vec![0.0; n]);
        let mut lipschitz = 1.0;
        let mut theta = 1.0;
        loop {
            loop {
                for (block, cone) in problem.cones().iter().enumerate() {
                    let rows = problem.rows(block);
                    for k in rows.clone() {
                        next[k] = y[k] - (y_product[k] + r[k]) / (lipschitz * weights[k]);
                    }
                    cone.project_weighted(&mut next[rows.clone()], &weights[rows]);
                }
                problem.product(&next, &mut state, &mut next_product);
                monitor.products += 1;
                let curvature = sum(n, |k| (next[k] - y[k]) * (next_product[k] - y_product[k]));
                let distance = sum(n, |k| weights[k] * (next[k] - y[k]) * (next[k] - y[k]));
                if !(curvature > lipschitz * distance) || lipschitz > 1e30 {
                    break;
                }
                // The observed curvature says how far to go; a factor alone would take many tries.
                lipschitz = (self.grow * lipschitz).max(curvature / distance);
            }
            let restart = sum(n, |k| weights[k] * (y[k] - next[k]) * (next[k] - gamma[k])) > 0.0;
            let (next_theta, beta) = momentum(theta);
            let beta = if restart { 0.0 } else { beta };
            theta = if restart { 1.0 } else { next_theta };
            for k in 0..n {
                y[k] = next[k] + beta * (next[k] - gamma[k]);
                y_product[k] = next_product[k] + beta * (next_product[k] - product[k]);
                gamma[k] = next[k];
                product[k] = next_product[k];
                velocity[k] = product[k] + r[k];
            }
            if let Some(status) = broken(monitor.check(gamma, &velocity, 1.0 / lipschitz)) {
                return status;
            }
            lipschitz *= self.shrink;
        }
    }
}
