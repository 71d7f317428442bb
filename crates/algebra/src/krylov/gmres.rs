//! The generalised minimal residual method, restarted.

use super::{
    Report, Status, add_scaled, check_dimensions, compute_residual, scale, solve_zero_rhs,
};
use crate::operator::LinearOperator;
use crate::reduction::{dot, norm};

/// On which side of A the preconditioner works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// M⁻¹A x = M⁻¹b: residuals and tolerances are those of the preconditioned system.
    Left,
    /// A M⁻¹ u = b, x = M⁻¹u: residuals are those of A x = b itself.
    Right,
}

/// How [`gmres()`] works and when it stops.
#[derive(Clone, Debug, PartialEq)]
pub struct GmresSettings {
    /// A residual norm of at most this is good enough, whatever b.
    pub absolute_tolerance: f64,
    /// A residual norm of at most this times |b| (|M⁻¹b| on the left) is good enough.
    pub relative_tolerance: f64,
    /// The largest number of iterations, over all restarts.
    pub max_iterations: usize,
    /// Iterations between restarts, at least 1: the number of basis vectors kept.
    pub restart: usize,
    /// The side of the preconditioner.
    pub side: Side,
}

impl Default for GmresSettings {
    fn default() -> Self {
        Self {
            absolute_tolerance: 0.0,
            relative_tolerance: 1e-10,
            max_iterations: 1000,
            restart: 20,
            side: Side::Right,
        }
    }
}

/// Vectors of [`gmres()`], kept between solves.
#[derive(Clone, Debug, Default)]
pub struct GmresWorkspace {
    dimension: usize,
    restart: usize,
    /// The orthonormal basis v₀, v₁, …, one vector after another.
    basis: Vec<f64>,
    /// The triangle R by columns of length `restart + 1`; the last column is work in progress.
    triangle: Vec<f64>,
    /// Rotations (c, s).
    rotations: Vec<(f64, f64)>,
    /// The right-hand side of the least-squares problem under the rotations, then its solution.
    projected: Vec<f64>,
    /// Two vectors for products.
    first: Vec<f64>,
    second: Vec<f64>,
}

impl GmresWorkspace {
    /// An empty workspace; it grows at its first use.
    pub fn new() -> Self {
        Self::default()
    }

    fn resize(&mut self, n: usize, restart: usize) {
        (self.dimension, self.restart) = (n, restart);
        self.basis.resize(n * (restart + 1), 0.0);
        self.triangle.resize((restart + 1) * restart, 0.0);
        self.rotations.resize(restart, (1.0, 0.0));
        self.projected.resize(restart + 1, 0.0);
        self.first.resize(n, 0.0);
        self.second.resize(n, 0.0);
    }
}

/// Solves A x = b for any A by restarted GMRES (Y. Saad and M. H. Schultz, "GMRES: a generalized
/// minimal residual algorithm for solving nonsymmetric linear systems", SIAM Journal on
/// Scientific and Statistical Computing 7(3), 1986, 856–869).
///
/// Write B for A M⁻¹ or M⁻¹A. Arnoldi's process orthonormalises r₀, B r₀, B² r₀, … into the
/// columns of Vₖ₊₁, so that B Vₖ = Vₖ₊₁ Hₖ with Hₖ zero below its first subdiagonal. Of all
/// corrections Vₖ y the one with the least residual solves the small least-squares problem
///
/// ```text
/// min over y of | β e₁ − Hₖ y |,   β = |r₀|,
/// ```
///
/// since the columns of Vₖ₊₁ are orthonormal. One plane rotation a step keeps Hₖ triangular, and
/// the entry of β e₁ they leave below the triangle is the norm of the residual, known without
/// forming x. After `restart` steps x is formed and all begins again from its residual.
///
/// The residual never increases from one iteration to the next; over restarts it may stand still
/// for a matrix whose symmetric part is not definite. When Arnoldi's process ends early x is
/// exact, unless the projected matrix is singular: then the best x found is kept and the solve is
/// a breakdown if that is not good enough.
///
/// With an absolute tolerance, no relative one and a bound on the iterations, this is the inexact
/// inner solver of a Newton method.
///
/// ```
/// use moreau_algebra::krylov::{Diagonal, GmresSettings, GmresWorkspace, Identity, Status, gmres};
/// let a = Diagonal(vec![1.0, -2.0, 4.0]);
/// let mut x = [0.0; 3];
/// let settings =
///     GmresSettings { absolute_tolerance: 1e-12, max_iterations: 10, ..Default::default() };
/// let mut workspace = GmresWorkspace::new();
/// let report = gmres(&a, &Identity(3), &[1.0; 3], &mut x, &settings, &mut workspace);
/// assert_eq!(report.status, Status::Converged);
/// assert!((x[1] + 0.5).abs() < 1e-12);
/// ```
///
/// # Panics
/// When the dimensions of the arguments differ, or when `settings.restart` is zero.
pub fn gmres(
    operator: &dyn LinearOperator,
    preconditioner: &dyn LinearOperator,
    rhs: &[f64],
    x: &mut [f64],
    settings: &GmresSettings,
    workspace: &mut GmresWorkspace,
) -> Report {
    check_dimensions(operator, preconditioner, rhs, x);
    assert!(settings.restart > 0, "restart must be at least 1");
    if norm(rhs) == 0.0 {
        return solve_zero_rhs(x);
    }
    let n = rhs.len();
    // More basis vectors than the dimension are never used.
    workspace.resize(n, settings.restart.min(n));
    let rhs_norm = match settings.side {
        Side::Right => norm(rhs),
        Side::Left => {
            preconditioner.apply(rhs, &mut workspace.first);
            norm(&workspace.first)
        }
    };
    let tolerance = settings
        .absolute_tolerance
        .max(settings.relative_tolerance * rhs_norm);
    let mut report = Report::new(rhs_norm);
    let mut singular = false;
    loop {
        let v0 = &mut workspace.basis[..n];
        report.residual = compute_residual(operator, rhs, x, v0);
        report.products += 1;
        if settings.side == Side::Left {
            preconditioner.apply(v0, &mut workspace.first);
            v0.copy_from_slice(&workspace.first);
            report.residual = norm(v0);
        }
        if !report.residual.is_finite() {
            report.status = Status::NumericalFailure;
            return report;
        }
        if report.residual <= tolerance {
            report.status = Status::Converged;
            return report;
        }
        if singular || report.residual == 0.0 {
            report.status = Status::Breakdown;
            return report;
        }
        if report.iterations >= settings.max_iterations {
            return report;
        }
        scale(v0, 1.0 / report.residual);
        let cycle = Cycle {
            operator,
            preconditioner,
            settings,
            tolerance,
        };
        match cycle.run(x, workspace, &mut report) {
            Ok(ended_singular) => singular = ended_singular,
            Err(status) => {
                report.status = status;
                return report;
            }
        }
    }
}

/// What stays the same over the restarts.
struct Cycle<'a> {
    operator: &'a dyn LinearOperator,
    preconditioner: &'a dyn LinearOperator,
    settings: &'a GmresSettings,
    tolerance: f64,
}

impl Cycle<'_> {
    /// The iterations up to a restart; v₀ is in the workspace. Adds the correction to `x` and
    /// tells whether the projected matrix was singular.
    fn run(
        &self,
        x: &mut [f64],
        workspace: &mut GmresWorkspace,
        report: &mut Report,
    ) -> Result<bool, Status> {
        let (n, restart) = (workspace.dimension, workspace.restart);
        workspace.projected.fill(0.0);
        workspace.projected[0] = report.residual;
        let mut columns = 0;
        let mut singular = false;
        while columns < restart && report.iterations < self.settings.max_iterations {
            let k = columns;
            self.multiply(k, workspace);
            report.products += 1;
            report.iterations += 1;

            // Arnoldi: make B vₖ orthogonal to the basis, one vector after another.
            let (basis, next) = workspace.basis.split_at_mut(n * (k + 1));
            let (next, start) = (&mut next[..n], k * (restart + 1));
            let h = &mut workspace.triangle[start..start + k + 2];
            let product_norm = norm(next);
            for (i, v) in basis.chunks_exact(n).enumerate() {
                h[i] = dot(next, v);
                add_scaled(next, -h[i], v);
            }
            h[k + 1] = norm(next);
            if !(product_norm.is_finite() && h[k + 1].is_finite()) {
                return Err(Status::NumericalFailure);
            }
            // What cancellation leaves of a vector in the span of the basis is rounding.
            let exhausted = h[k + 1] <= f64::EPSILON * product_norm;
            if exhausted {
                h[k + 1] = 0.0;
            } else {
                let length = h[k + 1];
                scale(next, 1.0 / length);
            }

            // The rotations so far, then the one that removes the subdiagonal entry.
            for (i, &(c, s)) in workspace.rotations[..k].iter().enumerate() {
                (h[i], h[i + 1]) = (c * h[i] + s * h[i + 1], c * h[i + 1] - s * h[i]);
            }
            let pivot = h[k].hypot(h[k + 1]);
            if pivot <= 10.0 * f64::EPSILON * product_norm {
                singular = true;
                break;
            }
            let (c, s) = (h[k] / pivot, h[k + 1] / pivot);
            (h[k], h[k + 1]) = (pivot, 0.0);
            workspace.rotations[k] = (c, s);
            let g = &mut workspace.projected;
            (g[k], g[k + 1]) = (c * g[k], -s * g[k]);
            columns += 1;
            report.residual = g[k + 1].abs();
            if report.residual <= self.tolerance || exhausted {
                break;
            }
        }
        self.correct(columns, x, workspace)?;
        Ok(singular)
    }

    /// Writes B vₖ into the place of vₖ₊₁.
    fn multiply(&self, k: usize, workspace: &mut GmresWorkspace) {
        let n = workspace.dimension;
        let (before, next) = workspace.basis.split_at_mut(n * (k + 1));
        let (v, next) = (&before[n * k..], &mut next[..n]);
        match self.settings.side {
            Side::Right => {
                self.preconditioner.apply(v, &mut workspace.first);
                self.operator.apply(&workspace.first, next);
            }
            Side::Left => {
                self.operator.apply(v, &mut workspace.first);
                self.preconditioner.apply(&workspace.first, next);
            }
        }
    }

    /// Solves R y = g for the first `columns` unknowns and adds V y, or M⁻¹V y, to `x`, unless
    /// that is not finite.
    fn correct(
        &self,
        columns: usize,
        x: &mut [f64],
        workspace: &mut GmresWorkspace,
    ) -> Result<(), Status> {
        let (n, stride) = (workspace.dimension, workspace.restart + 1);
        let y = &mut workspace.projected;
        for i in (0..columns).rev() {
            for j in i + 1..columns {
                y[i] -= workspace.triangle[j * stride + i] * y[j];
            }
            y[i] /= workspace.triangle[i * stride + i];
        }
        workspace.first.fill(0.0);
        for (v, &y) in workspace.basis.chunks_exact(n).zip(&y[..columns]) {
            add_scaled(&mut workspace.first, y, v);
        }
        let correction = match self.settings.side {
            Side::Left => &workspace.first,
            Side::Right => {
                self.preconditioner
                    .apply(&workspace.first, &mut workspace.second);
                &workspace.second
            }
        };
        if !norm(correction).is_finite() {
            return Err(Status::NumericalFailure);
        }
        add_scaled(x, 1.0, correction);
        Ok(())
    }
}
