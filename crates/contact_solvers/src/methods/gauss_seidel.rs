//! Projected Gauss-Seidel (Mazhar Algorithm 2), its scalar variant, and nonsmooth Gauss-Seidel with an
//! exact one-contact solver for Coulomb's law.
//!
//! ```text
//! 1: for k = 0 to N_max
//! 2:   γ = γ_k
//! 3:   for i = 1 to n_c
//! 4:     γ̂_i = Π( γ_i − ω B_i (Nγ + r)_i )
//! 5:     γ_i = λ γ̂_i + (1 − λ) γ_i          line 6, the update in place, is what makes it Gauss-Seidel
//! 8:   r = r(γ);  if r < τ break
//! ```
//!
//! Under Coulomb's law lines 4 and 5 are replaced by the exact solution of the one-contact problem
//! (Moreau 1999; Jourdan, Alart, Jean 1998), and under the box law by row-by-row clamping (Silcowitz 2010,
//! Eq. 17). What one block does is in [`crate::sweep`].
//!
//! Departures from the paper: the velocity (Nγ + r)_i comes from the body velocities, which every update
//! keeps current, instead of a row of N; joints are solved as a block.

use crate::law::FrictionLaw;
use crate::monitor::{Monitor, broken};
use crate::problem::ContactProblem;
use crate::solver::ContactSolver;
use crate::status::Status;
use crate::sweep::{BlockRule, Direction, sweep};

/// The state is recomputed from the impulses after so many sweeps, against the drift of rounding.
const REFRESH: usize = 100;

/// Settings of Gauss-Seidel.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct GaussSeidel {
    /// How a block is updated; `None` takes what suits the law: projection with ω = λ = 1 for the
    /// relaxed law, the exact solution for Coulomb's, rows for the box law. Default `None`.
    pub rule: Option<BlockRule>,
    /// Sweep forward and then backward in each iteration. Default `false`.
    pub symmetric: bool,
}

impl ContactSolver for GaussSeidel {
    fn name(&self) -> &'static str {
        "gauss_seidel"
    }

    fn summary(&self) -> &'static str {
        "block Gauss-Seidel with exact one-contact solutions: robust, quick to moderate accuracy, all laws"
    }

    fn laws(&self) -> &'static [FrictionLaw] {
        &[FrictionLaw::Coulomb, FrictionLaw::Relaxed, FrictionLaw::Box]
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
        let rule = self.rule.unwrap_or(BlockRule::default_for(law));
        let mut state = vec![0.0; problem.state_length()];
        let mut velocity = vec![0.0; problem.dimension()];
        problem.velocity(impulses, &mut state, &mut velocity);
        monitor.products += 1;
        if let Some(status) = broken(monitor.start(impulses, &velocity)) {
            return status;
        }
        loop {
            sweep(problem, law, rule, Direction::Forward, impulses, &mut state);
            monitor.products += 1;
            if self.symmetric {
                sweep(
                    problem,
                    law,
                    rule,
                    Direction::Backward,
                    impulses,
                    &mut state,
                );
                monitor.products += 1;
            }
            if monitor.phase_iterations() % REFRESH == REFRESH - 1 {
                problem.delassus().state_of(impulses, &mut state);
            }
            if monitor.is_due() {
                velocity_of_state(problem, impulses, &state, &mut velocity);
            }
            if let Some(status) = broken(monitor.check(impulses, &velocity, f64::NAN)) {
                return status;
            }
        }
    }
}

/// u = (N + E) γ + r from a state that is current.
pub(crate) fn velocity_of_state(
    problem: &ContactProblem,
    impulses: &[f64],
    state: &[f64],
    velocity: &mut [f64],
) {
    problem.delassus().velocities_of_state(state, velocity);
    for (row, (u, r)) in velocity.iter_mut().zip(problem.free_velocity()).enumerate() {
        *u += r + problem.compliance_of(row) * impulses[row];
    }
}
