//! Projected quasi-Newton: Koziara 2017, Algorithm 1.
//!
//! The law is the equation C(R) = F + m(R − F) = 0 within the cone (15), with F the velocity U = W R + B
//! after De Saxcé's shift and m the projection onto the polar cone. Both are smoothed by ω (Eqs. 24, 39; see
//! [`super::smoothed_projection`]), which makes C_ω differentiable with
//!
//! ```text
//!   dC_ω = X dU + Y dR,   Y = ∂m_ω/∂S at S = R − F_ω,   X = (I − Y) ∂F_ω/∂U        (42-44)
//!
//!   1: k = 0
//!   2: do
//!   a:   U = W R + B
//!   b:   C_ω and A = X W + Y + δ I                                               (49, 52)
//!   c:   ΔR = A⁻¹ C_ω  by GMRES(ε|C_ω|, m), preconditioned with inverted blocks A_ii
//!   d:   R = proj_K(R − ΔR)                                                      (53)
//!   e:   k = k + 1
//!      while the error is too large and k < n
//!   3: if k = n, use Gauss-Seidel
//! ```
//!
//! # Blocks that the paper does not have
//!
//! A frictionless contact is the same with no tangential part and μ = 0; friction in the plane the same with
//! one tangential component. For a joint C = U. For a bounded row and for rolling friction
//! C = R − proj(R − F) is taken with an element D of the unsmoothed derivative: X = D ∂F_ω/∂U, Y = I − D. Under
//! the relaxed law F = U.
//!
//! # Departures
//!
//! - *Scaling.* R − F(U) subtracts a velocity from an impulse. The law is the same for ρ_i U_i with any ρ_i > 0 for
//!   each block, but Newton's method is not: where W is far from 1 nearly every contact seems to stick or to
//!   slide. By default U_i is multiplied by ρ_i = 1/g_i, g_i the mean diagonal of W_ii; then U is the impulse that
//!   would stop it, A is dimensionless, and a change of units changes nothing. `scaled: false` is the paper's.
//!   Of 50 recorded problems Newton's method alone solves 44 to 10⁻⁸ with scaling and 32 without.
//! - *ω.* Table 1 has ω = 10⁻³ times the tolerance, in the units of the velocity. Here that is multiplied by the
//!   root mean square of ρ_i B_i. C_ω differs from C by no more than a few ω per contact, so the smoothing stays
//!   a thousand times below what the tolerance allows in any units.
//! - *Giving up.* Besides k = n, Newton's method gives up when its best error did not halve within
//!   `stall_window` iterations, when a number is no longer finite, and at the limit of products of Table 1.
//!   Gauss-Seidel then starts from the best iterate. The notes of the report say what either has done.
//! - *δ.* Table 1 has δ = 0; §8.1.2 finds 0.01 times the average of W_ii best for rigid bodies, the default here.
//!
//! T. Koziara, *A projected quasi-Newton method for dynamic multibody frictional contact problems*, PARMES
//! technical report 2, 2017.

use super::GaussSeidel;
use super::quasi_newton_system::{BlockInverse, NewtonSystem};
use crate::law::FrictionLaw;
use crate::monitor::{Monitor, Phase, broken};
use crate::problem::ContactProblem;
use crate::solver::ContactSolver;
use crate::status::Status;
use moreau_algebra::krylov::{GmresSettings, GmresWorkspace, Side, gmres};
use moreau_algebra::reduction::norm;

/// δ, the regularisation of a singular Jacobian. W_ii are the diagonal entries of W, scaled as `scaled` says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Regularisation {
    /// δ itself.
    Absolute(f64),
    /// A factor on the smallest W_ii.
    RelativeToSmallest(f64),
    /// A factor on the average of the W_ii.
    RelativeToAverage(f64),
    /// A factor on the largest W_ii.
    RelativeToLargest(f64),
}

/// Settings of the projected quasi-Newton method.
#[derive(Clone, Debug, PartialEq)]
pub struct QuasiNewton {
    /// n, iterations before Gauss-Seidel takes over. Default 1000.
    pub newton_iterations: usize,
    /// Newton's method has stalled when its error did not halve in so many iterations. Default 300.
    pub stall_window: usize,
    /// ω relative to tolerance and scale; see the module. Default 1e-3.
    pub smoothing: f64,
    /// δ. Default 0.01 relative to the average.
    pub regularisation: Regularisation,
    /// ε, the accuracy of the linear solver relative to |C_ω|. Default 0.25.
    pub linear_tolerance: f64,
    /// m, iterations of the linear solver at most. Default 10.
    pub linear_iterations: usize,
    /// Iterations between restarts of GMRES. Default 20.
    pub restart: usize,
    /// Products with W that Newton's method may spend. Default 100 000.
    pub max_products: usize,
    /// Multiply the velocity of each block by 1/g_i; see the module. Default `true`.
    pub scaled: bool,
}

impl Default for QuasiNewton {
    fn default() -> Self {
        Self {
            newton_iterations: 1000,
            stall_window: 300,
            smoothing: 1e-3,
            regularisation: Regularisation::RelativeToAverage(0.01),
            linear_tolerance: 0.25,
            linear_iterations: 10,
            restart: 20,
            max_products: 100_000,
            scaled: true,
        }
    }
}

impl ContactSolver for QuasiNewton {
    fn name(&self) -> &'static str {
        "quasi_newton"
    }

    fn summary(&self) -> &'static str {
        "Koziara's projected quasi-Newton with GMRES; small and medium contact networks"
    }

    fn laws(&self) -> &'static [FrictionLaw] {
        &[FrictionLaw::Coulomb, FrictionLaw::Relaxed]
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
        let limit = monitor.settings().max_iterations;
        let limit = limit.unwrap_or(self.default_max_iterations());
        monitor.begin_phase(
            "quasi_newton",
            Phase {
                max_iterations: limit.min(self.newton_iterations),
                stall_window: self.stall_window,
                stall_factor: 0.5,
                target: 0.0,
            },
        );
        let products = monitor.products;
        let status = self.iterate(problem, law, impulses, monitor);
        let (newton, products) = (monitor.phase_iterations(), monitor.products - products);
        let done = matches!(
            status,
            Status::Converged | Status::TimeLimit | Status::Stopped
        );
        if done || newton >= limit {
            monitor.notes.push(format!(
                "quasi-Newton: {newton} iterations with {products} products, no fallback"
            ));
            return status;
        }
        // Line 3.
        let error = monitor.best_error();
        if error.is_finite() {
            impulses.copy_from_slice(monitor.best());
        } else {
            impulses.fill(0.0);
        }
        monitor.begin_phase(
            "gauss_seidel (fallback)",
            Phase::whole(limit - monitor.iterations()),
        );
        let fallback = GaussSeidel::default().run(problem, law, impulses, monitor);
        monitor.notes.push(format!(
            "quasi-Newton gave up ({status}) after {newton} iterations with {products} products at the \
             error {error:.1e}; 1 fallback: {} iterations of Gauss-Seidel",
            monitor.phase_iterations()
        ));
        fallback
    }
}

impl QuasiNewton {
    /// Line 2.
    fn iterate(
        &self,
        problem: &ContactProblem,
        law: FrictionLaw,
        impulses: &mut [f64],
        monitor: &mut Monitor,
    ) -> Status {
        let n = problem.dimension();
        super::apgd::project_all(problem, impulses);
        let mut state = vec![0.0; problem.state_length()];
        let mut velocity = vec![0.0; n];
        problem.velocity(impulses, &mut state, &mut velocity);
        monitor.products += 1;
        if let Some(status) = broken(monitor.start(impulses, &velocity)) {
            return status;
        }
        let mut system = NewtonSystem::new(problem, law, self, monitor.settings().tolerance);
        let mut residual = vec![0.0; n];
        let mut step = vec![0.0; n];
        let mut workspace = GmresWorkspace::new();
        let limit = monitor.products.saturating_add(self.max_products);
        loop {
            system.linearize(impulses, &velocity, &mut residual);
            let settings = GmresSettings {
                absolute_tolerance: self.linear_tolerance * norm(&residual),
                relative_tolerance: 0.0,
                max_iterations: self.linear_iterations,
                restart: self.restart.min(self.linear_iterations).max(1),
                side: Side::Right,
            };
            step.fill(0.0);
            let preconditioner = BlockInverse(&system);
            let report = gmres(
                &system,
                &preconditioner,
                &residual,
                &mut step,
                &settings,
                &mut workspace,
            );
            for (value, step) in impulses.iter_mut().zip(&step) {
                *value -= step;
            }
            super::apgd::project_all(problem, impulses);
            problem.velocity(impulses, &mut state, &mut velocity);
            monitor.products += report.products + 1;
            if let Some(status) = broken(monitor.check(impulses, &velocity, system.delta)) {
                return status;
            }
            if monitor.products >= limit {
                return Status::Stalled;
            }
        }
    }
}
