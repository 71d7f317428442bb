//! The conjugate gradient method.

use super::{
    Pause, Problem, Report, Settings, Status, Step, add_scaled, check_dimensions, solve_zero_rhs,
};
use crate::operator::LinearOperator;
use crate::reduction::{dot, norm};
use std::ops::ControlFlow;

/// Vectors of [`cg()`], kept between solves.
#[derive(Clone, Debug, Default)]
pub struct CgWorkspace {
    /// r = b − A x.
    residual: Vec<f64>,
    /// z = M⁻¹ r.
    preconditioned: Vec<f64>,
    /// The search direction p.
    direction: Vec<f64>,
    /// A p.
    product: Vec<f64>,
}

impl CgWorkspace {
    /// An empty workspace; it grows at its first use.
    pub fn new() -> Self {
        Self::default()
    }

    fn resize(&mut self, n: usize) {
        for vector in [
            &mut self.residual,
            &mut self.preconditioned,
            &mut self.direction,
            &mut self.product,
        ] {
            vector.resize(n, 0.0);
        }
    }
}

/// Solves A x = b for a symmetric positive definite A by preconditioned conjugate gradients
/// (M. R. Hestenes and E. Stiefel, "Methods of conjugate gradients for solving linear systems",
/// Journal of Research of the National Bureau of Standards 49(6), 1952, 409–436).
///
/// The solution minimises f(x) = ½ xᵀA x − bᵀx, whose negative gradient is the residual
/// r = b − A x. From x along a direction p the minimum is at the step α with
/// pᵀ(r − α A p) = 0. Directions are made conjugate, pᵀA p' = 0, so that a later step does not
/// spoil an earlier minimum: x is then the minimiser over the whole space spanned so far. Taking
/// the new direction from the preconditioned residual z = M⁻¹ r, one coefficient suffices:
///
/// ```text
/// α = rᵀz / pᵀA p,   x ← x + α p,   r ← r − α A p,   z = M⁻¹ r,
/// β = (rᵀz)_new / (rᵀz)_old,   p ← z + β p.
/// ```
///
/// In exact arithmetic it ends after as many iterations as M⁻¹A has distinct eigenvalues. It
/// breaks down when pᵀA p or rᵀM⁻¹r is not positive.
///
/// ```
/// use moreau_algebra::krylov::{CgWorkspace, Diagonal, Identity, Settings, Status, cg};
/// let a = Diagonal(vec![1.0, 2.0, 4.0]);
/// let mut x = [0.0; 3];
/// let report =
///     cg(&a, &Identity(3), &[1.0; 3], &mut x, &Settings::default(), &mut CgWorkspace::new());
/// assert_eq!(report.status, Status::Converged);
/// assert!((x[2] - 0.25).abs() < 1e-9);
/// ```
///
/// # Panics
/// When the dimensions of the arguments differ.
pub fn cg(
    operator: &dyn LinearOperator,
    preconditioner: &dyn LinearOperator,
    rhs: &[f64],
    x: &mut [f64],
    settings: &Settings,
    workspace: &mut CgWorkspace,
) -> Report {
    let mut observer = |_: Step| ControlFlow::Continue(());
    cg_observed(
        operator,
        preconditioner,
        rhs,
        x,
        settings,
        workspace,
        &mut observer,
    )
}

/// [`cg()`] with an observer, called after every iteration, that may stop it.
///
/// # Panics
/// When the dimensions of the arguments differ.
pub fn cg_observed(
    operator: &dyn LinearOperator,
    preconditioner: &dyn LinearOperator,
    rhs: &[f64],
    x: &mut [f64],
    settings: &Settings,
    workspace: &mut CgWorkspace,
    observer: &mut dyn FnMut(Step) -> ControlFlow<()>,
) -> Report {
    check_dimensions(operator, preconditioner, rhs, x);
    let rhs_norm = norm(rhs);
    if rhs_norm == 0.0 {
        return solve_zero_rhs(x);
    }
    workspace.resize(rhs.len());
    let problem = Problem {
        operator,
        preconditioner,
        rhs,
        tolerance: settings
            .absolute_tolerance
            .max(settings.relative_tolerance * rhs_norm),
        max_iterations: settings.max_iterations,
    };
    let mut report = Report::new(rhs_norm);
    while !problem.is_over(x, &mut workspace.residual, &mut report) {
        if let Pause::End(status) = iterate(&problem, x, workspace, &mut report, observer) {
            report.status = status;
            break;
        }
    }
    report
}

/// Conjugate gradients from the residual in the workspace until it is small or something ends it.
fn iterate(
    problem: &Problem,
    x: &mut [f64],
    workspace: &mut CgWorkspace,
    report: &mut Report,
    observer: &mut dyn FnMut(Step) -> ControlFlow<()>,
) -> Pause {
    let CgWorkspace {
        residual: r,
        preconditioned: z,
        direction: p,
        product: ap,
    } = workspace;
    problem.preconditioner.apply(r, z);
    p.copy_from_slice(z);
    let mut rz = dot(r, z);
    while report.iterations < problem.max_iterations {
        problem.operator.apply(p, ap);
        report.products += 1;
        let pap = dot(p, ap);
        let alpha = rz / pap;
        if !(pap.is_finite() && rz.is_finite()) {
            return Pause::End(Status::NumericalFailure);
        }
        if pap <= 0.0 || rz <= 0.0 {
            return Pause::End(Status::Breakdown);
        }
        if !alpha.is_finite() {
            return Pause::End(Status::NumericalFailure);
        }
        add_scaled(x, alpha, p);
        add_scaled(r, -alpha, ap);
        report.iterations += 1;
        report.residual = norm(r);
        let step = Step {
            iteration: report.iterations,
            residual: report.residual,
            residual_vector: r,
            x,
        };
        if observer(step).is_break() {
            return Pause::End(Status::Stopped);
        }
        if report.residual <= problem.tolerance {
            return Pause::Check;
        }
        problem.preconditioner.apply(r, z);
        let rz_new = dot(r, z);
        let beta = rz_new / rz;
        for (p, z) in p.iter_mut().zip(z.iter()) {
            *p = z + beta * *p;
        }
        rz = rz_new;
    }
    Pause::Check
}
