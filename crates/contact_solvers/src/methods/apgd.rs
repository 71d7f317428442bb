//! Accelerated projected gradient descent, as published: Mazhar Algorithm 1.
//!
//! ```text
//!  1: γ̂₀ = 1                              2: y₀ = γ₀            3: θ₀ = 1
//!  4: L = ‖N(γ₀ − γ̂₀)‖ / ‖γ₀ − γ̂₀‖         5: t = 1/L
//!  6: for k = 0 to N_max
//!  7:   g = N y_k + r
//!  8:   γ_{k+1} = Π(y_k − t g)
//!  9:   while f(γ_{k+1}) ≥ f(y_k) + gᵀ(γ_{k+1} − y_k) + ½ L ‖γ_{k+1} − y_k‖²
//! 10:     L = 2L,  11: t = 1/L,  12: γ_{k+1} = Π(y_k − t g)
//! 14:   θ_{k+1} = (−θ_k² + θ_k √(θ_k² + 4)) / 2
//! 15:   β = θ_k (1 − θ_k) / (θ_k² + θ_{k+1})
//! 16:   y_{k+1} = γ_{k+1} + β (γ_{k+1} − γ_k)
//! 17:   r = r(γ_{k+1});  18-21: keep the best;  22: if r < τ break
//! 25:   if gᵀ(γ_{k+1} − γ_k) > 0:  y_{k+1} = γ_{k+1},  θ_{k+1} = 1
//! 29:   L = 0.9 L,  30: t = 1/L
//! ```
//!
//! Departures: on line 9 "≥" is ">" with an allowance for rounding, since at the solution both sides are
//! equal and the loop would not end; r on lines 17 to 22 is the measure that the solve stops on, of which
//! Eq. 25 is one (`mazhar`).
//!
//! H. Mazhar, T. Heyn, D. Negrut, A. Tasora, *Using Nesterov's method to accelerate multibody dynamics
//! with friction and contact*, ACM Trans. Graph. 34(3), 2015, §3.

use crate::law::FrictionLaw;
use crate::monitor::{Monitor, broken};
use crate::problem::ContactProblem;
use crate::solver::ContactSolver;
use crate::status::Status;
use moreau_algebra::reduction::{norm, sum};

/// Settings of APGD as published.
#[derive(Clone, Debug, PartialEq)]
pub struct Apgd {
    /// Factor on L after each iteration (line 29). Default 0.9.
    pub shrink: f64,
    /// Factor on L while backtracking (line 10). Default 2.
    pub grow: f64,
}

impl Default for Apgd {
    fn default() -> Self {
        Self {
            shrink: 0.9,
            grow: 2.0,
        }
    }
}

/// Relative rounding of the two sides of the test on line 9.
const ROUNDING: f64 = 1e-15;

/// θ_{k+1} and β_{k+1} from θ_k (Mazhar Eqs. 21 and 22).
pub(crate) fn momentum(theta: f64) -> (f64, f64) {
    let next = 0.5 * (theta * (theta * theta + 4.0).sqrt() - theta * theta);
    (next, theta * (1.0 - theta) / (theta * theta + next))
}

/// Projects every block in place.
pub(crate) fn project_all(problem: &ContactProblem, x: &mut [f64]) {
    for (block, cone) in problem.cones().iter().enumerate() {
        cone.project(&mut x[problem.rows(block)]);
    }
}

impl ContactSolver for Apgd {
    fn name(&self) -> &'static str {
        "apgd"
    }

    fn summary(&self) -> &'static str {
        "accelerated projected gradient as published (Mazhar 2015): large problems to moderate accuracy"
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
        let mut state = vec![0.0; problem.state_length()];
        let (mut y, mut g, mut next, mut next_product) =
            (gamma.to_vec(), vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let mut velocity = vec![0.0; n];
        problem.velocity(gamma, &mut state, &mut velocity);
        monitor.products += 1;
        if let Some(status) = broken(monitor.start(gamma, &velocity)) {
            return status;
        }

        // Lines 1 to 5.
        for (k, value) in next.iter_mut().enumerate() {
            *value = gamma[k] - 1.0;
        }
        problem.product(&next, &mut state, &mut next_product);
        monitor.products += 1;
        let mut lipschitz = norm(&next_product) / norm(&next);
        if !(lipschitz > 0.0 && lipschitz.is_finite()) {
            lipschitz = problem
                .largest_diagonal()
                .iter()
                .fold(f64::MIN_POSITIVE, |m, &v| m.max(v));
        }
        let mut theta = 1.0;
        let free = norm(r);

        loop {
            // Line 7.
            problem.velocity(&y, &mut state, &mut g);
            monitor.products += 1;
            let f_y = 0.5 * sum(n, |k| y[k] * (g[k] + r[k]));
            loop {
                // Lines 8 and 12.
                for k in 0..n {
                    next[k] = y[k] - g[k] / lipschitz;
                }
                project_all(problem, &mut next);
                problem.product(&next, &mut state, &mut next_product);
                monitor.products += 1;
                // Line 9.
                let f_next = sum(n, |k| next[k] * (0.5 * next_product[k] + r[k]));
                let linear = sum(n, |k| g[k] * (next[k] - y[k]));
                let distance = sum(n, |k| (next[k] - y[k]) * (next[k] - y[k]));
                let bound = f_y + linear + 0.5 * lipschitz * distance;
                let rounding = ROUNDING * (f_next.abs() + f_y.abs() + free * norm(&next));
                if !(f_next > bound + rounding) || lipschitz > 1e300 {
                    break;
                }
                lipschitz *= self.grow;
            }
            // Lines 14 to 16 and 25 to 28; the restart is decided before y is overwritten.
            let (next_theta, beta) = momentum(theta);
            let restart = sum(n, |k| g[k] * (next[k] - gamma[k])) > 0.0;
            let beta = if restart { 0.0 } else { beta };
            theta = if restart { 1.0 } else { next_theta };
            for k in 0..n {
                y[k] = next[k] + beta * (next[k] - gamma[k]);
                velocity[k] = next_product[k] + r[k];
            }
            gamma.copy_from_slice(&next);
            if let Some(status) = broken(monitor.check(gamma, &velocity, 1.0 / lipschitz)) {
                return status;
            }
            lipschitz *= self.shrink;
        }
    }
}
