//! Krylov methods: linear systems A x = b of which only products A v are known.
//!
//! | method | matrix A | preconditioner M |
//! |--------|----------|------------------|
//! | [`cg()`] | symmetric positive definite | symmetric positive definite |
//! | [`minres()`] | symmetric, may be indefinite, may be singular if b is in its range | symmetric positive definite |
//! | [`gmres()`] | any | any, on the left or on the right |
//!
//! Everywhere the preconditioner is given as the operator that applies M⁻¹ ([`Identity`] for none),
//! `x` holds the initial guess on entry and the answer on return, and the method stops when
//! |b − A x| ≤ max(absolute tolerance, relative tolerance · |b|) in the Euclidean norm.
//!
//! The recurrences only estimate the residual. When the estimate is small enough the residual is
//! computed afresh, and only that one is reported as [`Status::Converged`]; if it is still too
//! large the method starts again from the current x. When a number is no longer finite the
//! method stops and leaves in x the last iterate that was.
//!
//! All inner products use the fixed order of [`crate::reduction`], so a result has the same bits
//! for any number of threads. Nothing is allocated once the workspace has met its largest system.

mod cg;
mod gmres;
mod minres;
#[cfg(test)]
mod tests;

pub use cg::{CgWorkspace, cg, cg_observed};
pub use gmres::{GmresSettings, GmresWorkspace, Side, gmres};
pub use minres::{MinresWorkspace, minres, minres_observed};

use crate::operator::LinearOperator;
use crate::reduction::norm;

/// When [`cg()`] and [`minres()`] stop.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// A residual norm of at most this is good enough, whatever b.
    pub absolute_tolerance: f64,
    /// A residual norm of at most this times |b| is good enough.
    pub relative_tolerance: f64,
    /// The largest number of iterations.
    pub max_iterations: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            absolute_tolerance: 0.0,
            relative_tolerance: 1e-10,
            max_iterations: 1000,
        }
    }
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The residual, computed afresh, meets the tolerance.
    Converged,
    /// The iterations were used up.
    IterationLimit,
    /// The observer asked to stop.
    Stopped,
    /// The method cannot go on: the matrix or the preconditioner is not what it needs (not
    /// positive definite, or singular with b outside the range). x is the last good iterate.
    Breakdown,
    /// An infinite or undefined number appeared. x is the last finite iterate.
    NumericalFailure,
}

/// What a solve did.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// How it ended.
    pub status: Status,
    /// Iterations done, over all restarts.
    pub iterations: usize,
    /// Products with A.
    pub products: usize,
    /// The residual norm the stopping test last saw.
    pub residual: f64,
}

impl Report {
    /// Nothing done yet.
    fn new(residual: f64) -> Self {
        Self {
            status: Status::IterationLimit,
            iterations: 0,
            products: 0,
            residual,
        }
    }
}

/// The state of an iteration, shown to an observer.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Iterations done, counted from 1.
    pub iteration: usize,
    /// The norm of the residual by its recurrence.
    pub residual: f64,
    /// The residual b − A x by its recurrence.
    pub residual_vector: &'a [f64],
    /// The current iterate.
    pub x: &'a [f64],
}

/// The operator x ↦ x of a given dimension: no preconditioner.
#[derive(Clone, Copy, Debug)]
pub struct Identity(
    /// Length of the vectors.
    pub usize,
);

impl LinearOperator for Identity {
    fn dimension(&self) -> usize {
        self.0
    }

    fn apply(&self, x: &[f64], result: &mut [f64]) {
        result.copy_from_slice(x);
    }
}

/// The operator that multiplies by given numbers, entry by entry; with the reciprocals of the
/// diagonal of A it is Jacobi's preconditioner.
#[derive(Clone, Debug)]
pub struct Diagonal(
    /// The factors.
    pub Vec<f64>,
);

impl LinearOperator for Diagonal {
    fn dimension(&self) -> usize {
        self.0.len()
    }

    fn apply(&self, x: &[f64], result: &mut [f64]) {
        for ((result, x), factor) in result.iter_mut().zip(x).zip(&self.0) {
            *result = factor * x;
        }
    }
}

/// What stays the same over the restarts of [`cg()`] and [`minres()`].
struct Problem<'a> {
    operator: &'a dyn LinearOperator,
    preconditioner: &'a dyn LinearOperator,
    rhs: &'a [f64],
    tolerance: f64,
    max_iterations: usize,
}

impl Problem<'_> {
    /// Computes the residual afresh and tells whether the solve is over, with its status.
    fn is_over(&self, x: &[f64], residual: &mut [f64], report: &mut Report) -> bool {
        report.residual = compute_residual(self.operator, self.rhs, x, residual);
        report.products += 1;
        report.status = if !report.residual.is_finite() {
            Status::NumericalFailure
        } else if report.residual <= self.tolerance {
            Status::Converged
        } else {
            Status::IterationLimit
        };
        report.status != Status::IterationLimit || report.iterations >= self.max_iterations
    }
}

/// Why an uninterrupted run of iterations ended.
enum Pause {
    /// The residual may be small enough: compute it afresh.
    Check,
    /// The solve is over.
    End(Status),
}

fn check_dimensions(
    operator: &dyn LinearOperator,
    preconditioner: &dyn LinearOperator,
    rhs: &[f64],
    x: &[f64],
) {
    let n = operator.dimension();
    assert_eq!(
        preconditioner.dimension(),
        n,
        "the preconditioner has another dimension"
    );
    assert_eq!(rhs.len(), n, "the right-hand side has another dimension");
    assert_eq!(x.len(), n, "the initial guess has another dimension");
}

/// The answer to A x = 0 is known.
fn solve_zero_rhs(x: &mut [f64]) -> Report {
    x.fill(0.0);
    Report {
        status: Status::Converged,
        iterations: 0,
        products: 0,
        residual: 0.0,
    }
}

/// Writes b − A x into `residual` and returns its norm.
fn compute_residual(
    operator: &dyn LinearOperator,
    rhs: &[f64],
    x: &[f64],
    residual: &mut [f64],
) -> f64 {
    operator.apply(x, residual);
    for (residual, b) in residual.iter_mut().zip(rhs) {
        *residual = b - *residual;
    }
    norm(residual)
}

/// y ← y + `factor` x.
fn add_scaled(y: &mut [f64], factor: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

/// y ← `factor` y.
fn scale(y: &mut [f64], factor: f64) {
    for y in y {
        *y *= factor;
    }
}
