//! The minimum residual method for symmetric matrices.

use super::{
    Pause, Problem, Report, Settings, Status, Step, add_scaled, check_dimensions, scale,
    solve_zero_rhs,
};
use crate::operator::LinearOperator;
use crate::reduction::{dot, norm};
use std::ops::ControlFlow;

/// |A r| / (|A| |r|) at which x is a minimiser of a residual that does not vanish.
const LEAST_SQUARES: f64 = 1e-13;

/// Vectors of [`minres()`], kept between solves.
#[derive(Clone, Debug, Default)]
pub struct MinresWorkspace {
    /// r = b − A x.
    residual: Vec<f64>,
    /// Lanczos vectors v of the last step and of the one before.
    v: Vec<f64>,
    v_before: Vec<f64>,
    /// z = M⁻¹ v.
    z: Vec<f64>,
    /// Directions w of the last two steps.
    w: Vec<f64>,
    w_before: Vec<f64>,
    /// The next v, then M⁻¹ of it.
    next: Vec<f64>,
}

impl MinresWorkspace {
    /// An empty workspace; it grows at its first use.
    pub fn new() -> Self {
        Self::default()
    }

    fn resize(&mut self, n: usize) {
        for vector in [
            &mut self.residual,
            &mut self.v,
            &mut self.v_before,
            &mut self.z,
            &mut self.w,
            &mut self.w_before,
            &mut self.next,
        ] {
            vector.resize(n, 0.0);
        }
    }
}

/// Solves A x = b for a symmetric A, definite or not, by the method of minimum residuals
/// (C. C. Paige and M. A. Saunders, "Solution of sparse indefinite systems of linear equations",
/// SIAM Journal on Numerical Analysis 12(4), 1975, 617–629).
///
/// Lanczos' process builds vectors v₁, v₂, … from the first residual, and z = M⁻¹v, with
/// zᵢᵀvⱼ = 1 if i = j and 0 otherwise, by a recurrence of three terms:
///
/// ```text
/// γ₁ v₁ = r₀,   γₖ₊₁ vₖ₊₁ = A zₖ − δₖ vₖ − γₖ vₖ₋₁,   δₖ = zₖᵀA zₖ,
/// ```
///
/// that is A Zₖ = Vₖ₊₁ Tₖ with a tridiagonal Tₖ of one row more than columns. With x = x₀ + Zₖ y
/// the residual is Vₖ₊₁ (γ₁e₁ − Tₖ y), whose M⁻¹-norm is |γ₁e₁ − Tₖ y|. This least-squares
/// problem is solved by turning Tₖ into an upper triangle Rₖ with one plane rotation (cₖ, sₖ) a
/// step; what the rotations leave below the triangle, ηₖ = −sₖ ηₖ₋₁ from η₀ = γ₁, is the norm of
/// the residual. The directions W = Z R⁻¹ obey a recurrence of three terms too, so
///
/// ```text
/// wₖ = (zₖ − ρ₂ wₖ₋₁ − ρ₃ wₖ₋₂) / ρ₁,   x ← x + cₖ ηₖ₋₁ wₖ,   r ← sₖ² r + cₖ ηₖ vₖ₊₁,
/// ```
///
/// where ρ₁, ρ₂, ρ₃ are the entries of the last column of Rₖ from the diagonal upwards. The last
/// recurrence gives the Euclidean norm of the residual, which the settings speak of, even with a
/// preconditioner; without one that norm never increases.
///
/// A singular A is allowed when b is in its range. Otherwise x tends to a minimiser of the
/// residual, where A r = 0; since A rₖ₋₁ = ηₖ₋₁ (p vₖ + cₖ₋₁ γₖ₊₁ vₖ₊₁), with p the diagonal entry
/// of the last column before the last rotation, |A r| is known before the step that would divide
/// by nearly zero, and the method breaks down with that minimiser when |A r| ≤ 10⁻¹³ |A| |r|. A
/// preconditioner that is not positive definite is a breakdown too.
///
/// ```
/// use moreau_algebra::krylov::{Diagonal, Identity, MinresWorkspace, Settings, Status, minres};
/// let a = Diagonal(vec![1.0, -2.0, 0.0]); // indefinite and singular
/// let (b, mut x) = ([1.0, 1.0, 0.0], [0.0; 3]);
/// let mut workspace = MinresWorkspace::new();
/// let report = minres(&a, &Identity(3), &b, &mut x, &Settings::default(), &mut workspace);
/// assert_eq!(report.status, Status::Converged);
/// assert!((x[1] + 0.5).abs() < 1e-9);
/// ```
///
/// # Panics
/// When the dimensions of the arguments differ.
pub fn minres(
    operator: &dyn LinearOperator,
    preconditioner: &dyn LinearOperator,
    rhs: &[f64],
    x: &mut [f64],
    settings: &Settings,
    workspace: &mut MinresWorkspace,
) -> Report {
    let mut observer = |_: Step| ControlFlow::Continue(());
    minres_observed(
        operator,
        preconditioner,
        rhs,
        x,
        settings,
        workspace,
        &mut observer,
    )
}

/// [`minres()`] with an observer, called after every iteration, that may stop it.
///
/// # Panics
/// When the dimensions of the arguments differ.
pub fn minres_observed(
    operator: &dyn LinearOperator,
    preconditioner: &dyn LinearOperator,
    rhs: &[f64],
    x: &mut [f64],
    settings: &Settings,
    workspace: &mut MinresWorkspace,
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

/// Minimum residuals from the residual in the workspace until it is small or something ends it.
fn iterate(
    problem: &Problem,
    x: &mut [f64],
    workspace: &mut MinresWorkspace,
    report: &mut Report,
    observer: &mut dyn FnMut(Step) -> ControlFlow<()>,
) -> Pause {
    let MinresWorkspace {
        residual: r,
        v,
        v_before,
        z,
        w,
        w_before,
        next,
    } = workspace;
    v.copy_from_slice(r);
    problem.preconditioner.apply(v, z);
    v_before.fill(0.0);
    w.fill(0.0);
    w_before.fill(0.0);
    let mut gamma = match lanczos_length(z, v) {
        Ok(0.0) => return Pause::End(Status::Breakdown), // M⁻¹ r = 0 although r is not
        Ok(gamma) => gamma,
        Err(status) => return Pause::End(status),
    };
    scale(v, 1.0 / gamma);
    scale(z, 1.0 / gamma);
    let mut eta = gamma;
    // Rotations of the last step and of the one before.
    let (mut c, mut s) = (1.0, 0.0);
    let (mut c_before, mut s_before) = (1.0, 0.0);
    let mut first = true;
    // The largest entry of T met, a measure of |A|.
    let mut largest = 0.0_f64;

    while report.iterations < problem.max_iterations {
        // Lanczos: the next v is A z − δ v − γ v_before, not yet of length one.
        problem.operator.apply(z, next);
        report.products += 1;
        let delta = dot(z, next);
        add_scaled(next, -delta, v);
        if !first {
            add_scaled(next, -gamma, v_before);
        }
        std::mem::swap(v_before, v);
        std::mem::swap(v, next);
        problem.preconditioner.apply(v, next);
        let gamma_next = match lanczos_length(next, v) {
            Ok(gamma) => gamma,
            Err(status) => return Pause::End(status),
        };

        // The new column of R: old rotations, then the one that removes γ_next.
        let off_diagonal = if first { 0.0 } else { gamma };
        let rho_3 = s_before * off_diagonal;
        let rho_2 = s * delta + c_before * c * off_diagonal;
        let pivot = c * delta - c_before * s * off_diagonal;
        let rho_1 = pivot.hypot(gamma_next);
        if !rho_1.is_finite() {
            return Pause::End(Status::NumericalFailure);
        }
        largest = largest.max(delta.abs()).max(gamma_next);
        // |A r| = |η| √(pivot² + (c γ_next)²) with the last c: r is orthogonal to the range of A.
        if pivot.hypot(c * gamma_next) <= LEAST_SQUARES * largest {
            return Pause::End(Status::Breakdown);
        }
        (c_before, s_before) = (c, s);
        (c, s) = (pivot / rho_1, gamma_next / rho_1);

        // w ← (z − ρ₂ w − ρ₃ w_before) / ρ₁, then x ← x + c η w.
        for ((w_before, w), z) in w_before.iter_mut().zip(w.iter()).zip(z.iter()) {
            *w_before = (z - rho_2 * w - rho_3 * *w_before) / rho_1;
        }
        std::mem::swap(w_before, w);
        let length = c * eta;
        if !length.is_finite() {
            return Pause::End(Status::NumericalFailure);
        }
        add_scaled(x, length, w);

        // r ← s² r + c η v with the new η and v.
        eta *= -s;
        if gamma_next > 0.0 {
            scale(v, 1.0 / gamma_next);
            scale(next, 1.0 / gamma_next);
        }
        std::mem::swap(z, next);
        for (r, v) in r.iter_mut().zip(v.iter()) {
            *r = s * s * *r + c * eta * v;
        }
        gamma = gamma_next;
        first = false;

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
        // γ = 0: the Krylov space is exhausted and x is as good as it gets from here.
        if report.residual <= problem.tolerance || gamma == 0.0 {
            return Pause::Check;
        }
    }
    Pause::Check
}

/// √(zᵀv), the length of v in the norm of the preconditioner.
fn lanczos_length(z: &[f64], v: &[f64]) -> Result<f64, Status> {
    let square = dot(z, v);
    if !square.is_finite() {
        Err(Status::NumericalFailure)
    } else if square < 0.0 {
        Err(Status::Breakdown)
    } else {
        Ok(square.sqrt())
    }
}
