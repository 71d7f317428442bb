//! Projected Jacobi: Mazhar Algorithm 2 without the update on its line 6.
//!
//! ```text
//!   γ̂_i = Π( γ_i − ω B_i (Nγ + r)_i ),   γ_i ← λ γ̂_i + (1 − λ) γ_i,   all i at once
//! ```
//!
//! with B_i = 1/g_i, g_i = tr(N_ii)/d (Eq. 27). Under Coulomb's law the velocity is De Saxcé's.
//!
//! Departure from the paper: ω has no published value that is safe; left open, it is set to
//! 1/λ_max(B N), found by a few power iterations, at which the step is a contraction for the relaxed law.
//!
//! H. Mazhar, T. Heyn, D. Negrut, A. Tasora, *Using Nesterov's method to accelerate multibody dynamics
//! with friction and contact*, ACM Trans. Graph. 34(3), 2015, §4.1.

use crate::cones::MAX_DIMENSION;
use crate::law::FrictionLaw;
use crate::monitor::{Monitor, broken};
use crate::problem::ContactProblem;
use crate::solver::ContactSolver;
use crate::status::Status;
use moreau_algebra::reduction::norm;

/// Settings of projected Jacobi.
#[derive(Clone, Debug, PartialEq)]
pub struct Jacobi {
    /// Step ω; `None`: 1/λ_max(B N), estimated. Default `None`.
    pub omega: Option<f64>,
    /// Blend λ of new and old. Default 1.
    pub lambda: f64,
}

impl Default for Jacobi {
    fn default() -> Self {
        Self {
            omega: None,
            lambda: 1.0,
        }
    }
}

impl ContactSolver for Jacobi {
    fn name(&self) -> &'static str {
        "jacobi"
    }

    fn summary(&self) -> &'static str {
        "projected Jacobi: simple and parallel, converges slowly; a baseline"
    }

    fn laws(&self) -> &'static [FrictionLaw] {
        &[FrictionLaw::Relaxed, FrictionLaw::Coulomb, FrictionLaw::Box]
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
        let mut state = vec![0.0; problem.state_length()];
        let mut velocity = vec![0.0; problem.dimension()];
        let g = problem.mean_diagonal();
        let omega = self.omega.unwrap_or_else(|| {
            let estimate = largest_scaled_eigenvalue(problem, &mut state);
            monitor.products += POWER_ITERATIONS;
            // The estimate comes from below; the margin makes up for it.
            1.0 / (1.1 * estimate).max(f64::MIN_POSITIVE)
        });
        problem.velocity(impulses, &mut state, &mut velocity);
        monitor.products += 1;
        if let Some(status) = broken(monitor.start(impulses, &velocity)) {
            return status;
        }
        let mut map = [0.0; MAX_DIMENSION];
        loop {
            for (block, cone) in problem.cones().iter().enumerate() {
                let rows = problem.rows(block);
                let map = &mut map[..rows.len()];
                let gamma = &mut impulses[rows.clone()];
                // The natural map is γ − γ̂.
                law.natural_map(cone, omega / g[block], gamma, &velocity[rows], map);
                for (value, difference) in gamma.iter_mut().zip(map.iter()) {
                    *value -= self.lambda * difference;
                }
            }
            problem.velocity(impulses, &mut state, &mut velocity);
            monitor.products += 1;
            if let Some(status) = broken(monitor.check(impulses, &velocity, omega)) {
                return status;
            }
        }
    }
}

const POWER_ITERATIONS: usize = 20;

/// λ_max of B N by power iterations from a fixed start.
fn largest_scaled_eigenvalue(problem: &ContactProblem, state: &mut [f64]) -> f64 {
    let g = problem.mean_diagonal();
    let mut x: Vec<f64> = (0..problem.dimension())
        .map(|k| 1.0 + (k as f64).sin())
        .collect();
    let mut y = vec![0.0; problem.dimension()];
    let mut eigenvalue = 0.0;
    for _ in 0..POWER_ITERATIONS {
        let size = norm(&x);
        if size == 0.0 {
            break;
        }
        x.iter_mut().for_each(|v| *v /= size);
        problem.product(&x, state, &mut y);
        for block in 0..problem.blocks() {
            for row in problem.rows(block) {
                y[row] /= g[block];
            }
        }
        eigenvalue = norm(&y);
        std::mem::swap(&mut x, &mut y);
    }
    eigenvalue
}
