//! NNCG: the nonsmooth nonlinear conjugate gradient method around Gauss-Seidel sweeps (Silcowitz 2010).
//!
//! ```text
//!  1: λ¹ ← PGS(λ⁰)      2: ∇f⁰ ← −(λ¹ − λ⁰)      3: p⁰ ← −∇f⁰
//!  5: while not converged
//!  6:   λᵏ⁺¹ ← PGS(λᵏ)
//!  7:   ∇fᵏ ← −(λᵏ⁺¹ − λᵏ)
//!  8:   βᵏ ← ‖∇fᵏ‖² / ‖∇fᵏ⁻¹‖²
//!  9:   if βᵏ > 1:  pᵏ ← 0   (restart)
//! 12:   else λᵏ⁺¹ ← λᵏ⁺¹ + βᵏ pᵏ⁻¹;  13: pᵏ ← βᵏ pᵏ⁻¹ − ∇fᵏ
//! ```
//!
//! PGS is one sweep of the law: rows with decoupled bounds under the box law, as in the paper; projected
//! blocks under the relaxed law; exact one-contact solutions under Coulomb's.
//!
//! Departures: the error is taken at λᵏ⁺¹ as the sweep leaves it, which is admissible, not after line 12;
//! the state of body velocities is carried through lines 12 and 13 by linearity, so an iteration costs one
//! sweep; with Polak-Ribière, β = ∇fᵏᵀ(∇fᵏ − ∇fᵏ⁻¹)/‖∇fᵏ⁻¹‖² is cut off at zero; the line search is the
//! Armijo backtracking of the paper's Fig. 3 on f = ½‖PGS(λ) − λ‖², each trial a sweep.
//!
//! M. Silcowitz-Hansen, S. Niebe, K. Erleben, *A nonsmooth nonlinear conjugate gradient method for
//! interactive contact force problems*, The Visual Computer 26, 2010.

use super::gauss_seidel::velocity_of_state;
use crate::law::FrictionLaw;
use crate::monitor::{Monitor, broken};
use crate::problem::ContactProblem;
use crate::solver::ContactSolver;
use crate::status::Status;
use crate::sweep::{BlockRule, Direction, sweep};
use moreau_algebra::reduction::{dot, sum};

/// How β is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BetaFormula {
    /// ‖∇fᵏ‖² / ‖∇fᵏ⁻¹‖².
    FletcherReeves,
    /// max(0, ∇fᵏᵀ(∇fᵏ − ∇fᵏ⁻¹) / ‖∇fᵏ⁻¹‖²).
    PolakRibiere,
}

/// Settings of NNCG.
#[derive(Clone, Debug, PartialEq)]
pub struct Nncg {
    /// How β is computed. Default Fletcher-Reeves.
    pub beta: BetaFormula,
    /// Backtracking line search along p instead of the full step. Default `false`.
    pub line_search: bool,
    /// The sweep's block rule; `None` takes what suits the law. Default `None`.
    pub rule: Option<BlockRule>,
}

impl Default for Nncg {
    fn default() -> Self {
        Self {
            beta: BetaFormula::FletcherReeves,
            line_search: false,
            rule: None,
        }
    }
}

/// Armijo constant of the paper's line search.
const ARMIJO: f64 = 0.01;
/// Recompute the states from the vectors after so many iterations.
const REFRESH: usize = 100;

impl ContactSolver for Nncg {
    fn name(&self) -> &'static str {
        "nncg"
    }

    fn summary(&self) -> &'static str {
        "nonlinear conjugate gradients around Gauss-Seidel sweeps (Silcowitz 2010): interactive accuracy"
    }

    fn laws(&self) -> &'static [FrictionLaw] {
        &[FrictionLaw::Relaxed, FrictionLaw::Box, FrictionLaw::Coulomb]
    }

    fn default_max_iterations(&self) -> usize {
        100_000
    }

    fn run(
        &self,
        problem: &ContactProblem,
        law: FrictionLaw,
        lambda: &mut [f64],
        monitor: &mut Monitor,
    ) -> Status {
        let n = problem.dimension();
        let rule = self.rule.unwrap_or(BlockRule::default_for(law));
        let pgs = |x: &mut [f64], state: &mut [f64]| {
            sweep(problem, law, rule, Direction::Forward, x, state);
        };
        let mut state = vec![0.0; problem.state_length()];
        let mut velocity = vec![0.0; n];
        problem.velocity(lambda, &mut state, &mut velocity);
        monitor.products += 1;
        if let Some(status) = broken(monitor.start(lambda, &velocity)) {
            return status;
        }
        // Lines 1 to 3; p is minus the gradient, the change of a sweep.
        let (mut before, mut state_before) = (lambda.to_vec(), state.clone());
        pgs(lambda, &mut state);
        monitor.products += 1;
        let mut p: Vec<f64> = lambda.iter().zip(&before).map(|(a, b)| a - b).collect();
        let mut p_state: Vec<f64> = state
            .iter()
            .zip(&state_before)
            .map(|(a, b)| a - b)
            .collect();
        let mut change = p.clone();
        let mut old_change = p.clone();
        let mut size = dot(&p, &p);
        let (mut trial, mut trial_state) = if self.line_search {
            (vec![0.0; n], vec![0.0; state.len()])
        } else {
            (Vec::new(), Vec::new())
        };
        loop {
            // Lines 6 to 8.
            before.copy_from_slice(lambda);
            state_before.copy_from_slice(&state);
            pgs(lambda, &mut state);
            monitor.products += 1;
            for k in 0..n {
                change[k] = lambda[k] - before[k];
            }
            let new_size = dot(&change, &change);
            let beta = match self.beta {
                BetaFormula::FletcherReeves => new_size / size,
                BetaFormula::PolakRibiere => {
                    (sum(n, |k| change[k] * (change[k] - old_change[k])) / size).max(0.0)
                }
            };
            let restart = !(new_size <= size) || !beta.is_finite();
            if monitor.is_due() {
                velocity_of_state(problem, lambda, &state, &mut velocity);
            }
            if let Some(status) = broken(monitor.check(lambda, &velocity, beta)) {
                return status;
            }
            // Lines 9 to 13.
            if restart {
                p.fill(0.0);
                p_state.fill(0.0);
            } else {
                let tau = if self.line_search {
                    let merit = 0.5 * new_size;
                    let slope = -beta * sum(n, |k| change[k] * p[k]);
                    let mut tau = 1.0;
                    for _ in 0..10 {
                        for k in 0..n {
                            trial[k] = lambda[k] + tau * beta * p[k];
                        }
                        problem.delassus().state_of(&trial, &mut trial_state);
                        before.copy_from_slice(&trial);
                        pgs(&mut trial, &mut trial_state);
                        monitor.products += 2;
                        let value = 0.5 * sum(n, |k| (trial[k] - before[k]).powi(2));
                        if value <= merit + ARMIJO * tau * slope.min(0.0) {
                            break;
                        }
                        tau *= 0.5;
                    }
                    tau
                } else {
                    1.0
                };
                for k in 0..n {
                    lambda[k] += tau * beta * p[k];
                    p[k] = beta * p[k] + change[k];
                }
                for k in 0..state.len() {
                    // The sweep's change of the state is that of `change`.
                    let swept = state[k] - state_before[k];
                    state[k] += tau * beta * p_state[k];
                    p_state[k] = beta * p_state[k] + swept;
                }
            }
            size = new_size;
            std::mem::swap(&mut change, &mut old_change);
            if monitor.phase_iterations().is_multiple_of(REFRESH) {
                problem.delassus().state_of(lambda, &mut state);
                problem.delassus().state_of(&p, &mut p_state);
            }
        }
    }
}
