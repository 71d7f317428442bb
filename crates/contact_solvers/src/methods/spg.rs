//! P-SPG-FB: preconditioned spectral projected gradient with fallback (Tasora 2013).
//!
//! ```text
//!  x₀ = Π(x₀),  α̂₀ ∈ [α_min, α_max],  g₀ = A x₀ + b
//!  for j = 0 to N_max
//!    p = P⁻¹ g
//!    d = Π(x − α̂ p) − x
//!    if ⟨d, g⟩ ≥ 0:  d = Π(x − α̂ g) − x
//!    λ = 1
//!    line search: x₊ = x + λ d, g₊ = A x₊ + b;
//!      while f(x₊) > max_{i ≤ min(j, N_GLL)} f(x_{j−i}) + γ λ ⟨d, g⟩:  λ ∈ [σ_min λ, σ_max λ]
//!    s = x₊ − x,  y = g₊ − g
//!    α̂ = ⟨s, P s⟩/⟨s, y⟩ if j is odd, ⟨s, y⟩/⟨y, P⁻¹ y⟩ otherwise, clipped to [α_min, α_max]
//!    keep x₊ if its error is the smallest so far
//! ```
//!
//! P = diag(A) averaged over each cone, so that the projected preconditioned step stays meaningful.
//!
//! Departures: the new λ is the minimiser of the quadratic along d, safeguarded by σ; one product N d serves
//! the whole line search, since g and f along d are then known; f is carried as a difference to the first
//! value, f(x + λd) − f(x) = λ⟨d, g⟩ + ½λ²⟨d, N d⟩, and the test allows for its rounding; when ⟨s, y⟩ is not
//! positive, the direction has no curvature and α̂ = α_max·(1/mean P) would leave the problem's scale, so α̂
//! is kept; the error that selects the fallback is the measure of the solve, of which Tasora's w is one.
//!
//! A. Tasora, *Efficient simulation of contacts, friction and constraints using a modified spectral
//! projected gradient method*, 2013.

use crate::law::FrictionLaw;
use crate::monitor::{Monitor, broken};
use crate::problem::ContactProblem;
use crate::solver::ContactSolver;
use crate::status::Status;
use moreau_algebra::reduction::{dot, sum};
use std::collections::VecDeque;

/// Settings of P-SPG-FB.
#[derive(Clone, Debug, PartialEq)]
pub struct Spg {
    /// Smallest spectral step α_min. Default 1e-9.
    pub step_min: f64,
    /// Largest spectral step α_max. Default 1e9.
    pub step_max: f64,
    /// N_GLL, the memory of the non-monotone line search. Default 10.
    pub memory: usize,
    /// Armijo parameter γ. Default 1e-4.
    pub armijo: f64,
    /// σ_min of the line search. Default 0.1.
    pub backtrack_min: f64,
    /// σ_max of the line search. Default 0.9.
    pub backtrack_max: f64,
    /// Use the preconditioner P; otherwise the identity. Default `true`.
    pub preconditioned: bool,
}

impl Default for Spg {
    fn default() -> Self {
        Self {
            step_min: 1e-9,
            step_max: 1e9,
            memory: 10,
            armijo: 1e-4,
            backtrack_min: 0.1,
            backtrack_max: 0.9,
            preconditioned: true,
        }
    }
}

impl ContactSolver for Spg {
    fn name(&self) -> &'static str {
        "spg"
    }

    fn summary(&self) -> &'static str {
        "spectral projected gradient with fallback (Tasora 2013): few products, the error may rise on the way"
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
        let mut state = vec![0.0; problem.state_length()];
        let (mut g, mut d, mut product) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        super::apgd::project_all(problem, x);
        problem.velocity(x, &mut state, &mut g);
        monitor.products += 1;
        if let Some(status) = broken(monitor.start(x, &g)) {
            return status;
        }
        let preconditioner = self.preconditioner(problem);
        let p = |k: usize| preconditioner[k];
        // With P the natural first step is one.
        let mut alpha = if self.preconditioned {
            1.0
        } else {
            1.0 / problem.mean_diagonal()[0]
        };
        // f relative to f(x₀), and its size for the rounding allowance.
        let mut f = 0.0;
        let scale = 0.5 * sum(n, |k| x[k] * (g[k] + problem.free_velocity()[k])).abs();
        let mut recent = VecDeque::with_capacity(self.memory + 1);
        recent.push_back(f);
        loop {
            let slope = {
                direction(problem, x, &g, &mut d, |k| alpha / p(k));
                let slope = dot(&d, &g);
                if slope >= 0.0 {
                    direction(problem, x, &g, &mut d, |_| alpha);
                    dot(&d, &g)
                } else {
                    slope
                }
            };
            problem.product(&d, &mut state, &mut product);
            monitor.products += 1;
            let curvature = dot(&d, &product);
            let highest = recent.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let mut lambda: f64 = 1.0;
            let mut change = slope + 0.5 * curvature;
            for _ in 0..60 {
                let allowance = 1e-14 * (scale + f.abs());
                if f + change <= highest + self.armijo * lambda * slope + allowance {
                    break;
                }
                let best = if curvature > 0.0 {
                    -slope / curvature
                } else {
                    lambda
                };
                lambda = best.clamp(self.backtrack_min * lambda, self.backtrack_max * lambda);
                change = lambda * slope + 0.5 * lambda * lambda * curvature;
            }
            f += change;
            if recent.len() > self.memory {
                recent.pop_front();
            }
            recent.push_back(f);
            // s = λ d and y = λ N d; λ cancels in both quotients but for ⟨s, Ps⟩/⟨s, y⟩, where it does too.
            let odd = monitor.phase_iterations() % 2 == 1;
            let quotient = if odd {
                sum(n, |k| d[k] * p(k) * d[k]) / curvature
            } else {
                curvature / sum(n, |k| product[k] * product[k] / p(k))
            };
            if quotient.is_finite() && quotient > 0.0 {
                alpha = quotient.clamp(self.step_min, self.step_max);
            }
            for k in 0..n {
                x[k] += lambda * d[k];
                g[k] += lambda * product[k];
            }
            if monitor.phase_iterations() % REFRESH == REFRESH - 1 {
                problem.velocity(x, &mut state, &mut g);
                monitor.products += 1;
            }
            if let Some(status) = broken(monitor.check(x, &g, alpha)) {
                return status;
            }
        }
    }
}

/// The gradient is recomputed after so many iterations, against the drift of its recurrence.
const REFRESH: usize = 50;

impl Spg {
    /// diag(A) averaged over each cone, by rows; ones if the preconditioner is off.
    fn preconditioner(&self, problem: &ContactProblem) -> Vec<f64> {
        let mut p = vec![1.0; problem.dimension()];
        if self.preconditioned {
            for (block, &g) in problem.mean_diagonal().iter().enumerate() {
                p[problem.rows(block)].fill(g);
            }
        }
        p
    }
}

/// d = Π(x − step ∘ g) − x.
fn direction(
    problem: &ContactProblem,
    x: &[f64],
    g: &[f64],
    d: &mut [f64],
    step: impl Fn(usize) -> f64,
) {
    for (block, cone) in problem.cones().iter().enumerate() {
        let rows = problem.rows(block);
        for k in rows.clone() {
            d[k] = x[k] - step(k) * g[k];
        }
        cone.project(&mut d[rows.clone()]);
        for k in rows {
            d[k] -= x[k];
        }
    }
}
