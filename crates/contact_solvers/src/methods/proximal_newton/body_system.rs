//! The Newton system in body space, for rigid bodies with many contacts.
//!
//! The equations A (Δu + α Δr) + B Δr = −F of one block give Δr = −Q⁻¹(F + A Δu) with Q = αA + B, which α > 0
//! keeps regular. With S = Q⁻¹A by blocks and the scaled body velocities y of [`BodyMatrix`], in which
//! Δu = 𝓑 y and y = 𝓑ᵀ Δr,
//!
//! ```text
//!   (I + 𝓑ᵀ S 𝓑) y = −𝓑ᵀ Q⁻¹ F,        Δr = −Q⁻¹ (F + A 𝓑 y):
//! ```
//!
//! six unknowns for each body instead of three for each contact. S is not symmetric where a contact
//! slides, because friction follows the normal impulse. Without that coupling it is symmetric and positive
//! semidefinite; the sparse Cholesky factor of the symmetric matrix preconditions GMRES on the true one.

use super::equations::Equations;
use crate::cones::MAX_DIMENSION;
use crate::delassus::{BodyMatrix, MatrixFree, Precision};
use crate::problem::ContactProblem;
use moreau_algebra::krylov::{GmresSettings, GmresWorkspace, gmres};
use moreau_algebra::operator::LinearOperator;
use moreau_algebra::small::SmallMatrix;

const BLOCK: usize = MAX_DIMENSION * MAX_DIMENSION;

/// Relative residual to which GMRES solves the system.
const LINEAR_TOLERANCE: f64 = 1e-6;

/// I + 𝓑ᵀ S 𝓑 with its preconditioner and memory.
pub struct BodySystem<'a> {
    problem: &'a ContactProblem,
    /// The symmetric part, factorised.
    matrix: BodyMatrix,
    /// S and Q⁻¹ of each block, row-major with stride d, `BLOCK` numbers reserved.
    s: Vec<f64>,
    q_inverse: Vec<f64>,
    rhs: Vec<f64>,
    solution: Vec<f64>,
    workspace: GmresWorkspace,
}

impl<'a> BodySystem<'a> {
    /// Analyses the pattern of the bodies that touch.
    pub fn new(problem: &'a ContactProblem, operator: &MatrixFree) -> Result<Self, String> {
        let matrix = BodyMatrix::new(problem, operator).map_err(|e| e.to_string())?;
        let n = matrix.dimension();
        Ok(Self {
            problem,
            matrix,
            s: vec![0.0; problem.blocks() * BLOCK],
            q_inverse: vec![0.0; problem.blocks() * BLOCK],
            rhs: vec![0.0; n],
            solution: vec![0.0; n],
            workspace: GmresWorkspace::new(),
        })
    }

    /// Writes the Newton step; `false` if a block or the preconditioner is singular.
    pub fn solve(&mut self, equations: &Equations, regularization: f64, step: &mut [f64]) -> bool {
        if !self.eliminate(equations, regularization) || !self.factorize() {
            return false;
        }
        // −𝓑ᵀ Q⁻¹ F.
        self.rhs.fill(0.0);
        let mut local = [0.0; MAX_DIMENSION];
        for block in 0..self.problem.blocks() {
            let rows = self.problem.rows(block);
            let d = rows.len();
            let q_inverse = &self.q_inverse[block * BLOCK..];
            multiply(d, q_inverse, &equations.residual[rows], &mut local);
            local.iter_mut().for_each(|v| *v = -*v);
            self.matrix.scatter(block, &local[..d], &mut self.rhs);
        }
        let settings = GmresSettings {
            relative_tolerance: LINEAR_TOLERANCE,
            absolute_tolerance: 0.0,
            max_iterations: 60,
            restart: 30,
            ..GmresSettings::default()
        };
        self.solution.fill(0.0);
        let whole = Whole {
            problem: self.problem,
            matrix: &self.matrix,
            s: &self.s,
        };
        let preconditioner = Symmetric(&self.matrix);
        gmres(
            &whole,
            &preconditioner,
            &self.rhs,
            &mut self.solution,
            &settings,
            &mut self.workspace,
        );
        // Δr = −Q⁻¹ (F + A 𝓑 y).
        for block in 0..self.problem.blocks() {
            let rows = self.problem.rows(block);
            let d = rows.len();
            let mut velocity = [0.0; MAX_DIMENSION];
            self.matrix
                .gather(block, &self.solution, &mut velocity[..d]);
            multiply(d, equations.a(block), &velocity[..d], &mut local);
            for k in 0..d {
                local[k] = -local[k] - equations.residual[rows.start + k];
            }
            let q_inverse = &self.q_inverse[block * BLOCK..];
            multiply(d, q_inverse, &local[..d], &mut step[rows]);
        }
        step.iter().all(|v| v.is_finite())
    }

    /// Q⁻¹ and S = Q⁻¹A of every block.
    fn eliminate(&mut self, equations: &Equations, regularization: f64) -> bool {
        let g = self.problem.mean_diagonal();
        for block in 0..self.problem.blocks() {
            let d = self.problem.rows(block).len();
            let a = SmallMatrix::from_rows(d, equations.a(block));
            let mut q = SmallMatrix::from_rows(d, equations.b(block));
            q = q.add(&a.scaled(regularization * g[block]));
            let Some(inverse) = q.inverse() else {
                return false;
            };
            let s = inverse.product(&a);
            self.q_inverse[block * BLOCK..block * BLOCK + d * d].copy_from_slice(inverse.rows());
            self.s[block * BLOCK..block * BLOCK + d * d].copy_from_slice(s.rows());
        }
        true
    }

    /// The factor with the symmetric part of S, without normal-tangential coupling.
    fn factorize(&mut self) -> bool {
        let (problem, s) = (self.problem, &self.s);
        let outcome = self
            .matrix
            .factorize(problem, Precision::Double, |block, symmetric| {
                let d = problem.rows(block).len();
                let contact = problem.cones()[block].is_contact();
                let full = &s[block * BLOCK..];
                for i in 0..d {
                    for j in 0..d {
                        let coupled = contact && (i == 0) != (j == 0);
                        let mean = 0.5 * (full[i * d + j] + full[j * d + i]);
                        symmetric[i * d + j] = if coupled { 0.0 } else { mean };
                    }
                }
            });
        outcome.is_ok()
    }
}

fn multiply(d: usize, matrix: &[f64], x: &[f64], result: &mut [f64]) {
    for row in 0..d {
        result[row] = (0..d).map(|k| matrix[row * d + k] * x[k]).sum();
    }
}

/// I + 𝓑ᵀ S 𝓑 with the S that is not symmetric.
struct Whole<'a> {
    problem: &'a ContactProblem,
    matrix: &'a BodyMatrix,
    s: &'a [f64],
}

impl LinearOperator for Whole<'_> {
    fn dimension(&self) -> usize {
        self.matrix.dimension()
    }

    fn apply(&self, x: &[f64], result: &mut [f64]) {
        result.copy_from_slice(x);
        for block in 0..self.problem.blocks() {
            let d = self.problem.rows(block).len();
            let (mut velocity, mut impulse) = ([0.0; MAX_DIMENSION], [0.0; MAX_DIMENSION]);
            self.matrix.gather(block, x, &mut velocity[..d]);
            multiply(d, &self.s[block * BLOCK..], &velocity[..d], &mut impulse);
            self.matrix.scatter(block, &impulse[..d], result);
        }
    }
}

/// The inverse of the symmetric part.
struct Symmetric<'a>(&'a BodyMatrix);

impl LinearOperator for Symmetric<'_> {
    fn dimension(&self) -> usize {
        self.0.dimension()
    }

    fn apply(&self, x: &[f64], result: &mut [f64]) {
        result.copy_from_slice(x);
        self.0.solve_in_place(result);
    }
}
