//! The Newton system in body space, for rigid bodies with many contacts.
//!
//! The equations A (Δu + α Δr) + B Δr = −F of one block give Δr = −Q⁻¹(F + A Δu) with Q = αA + B, which α > 0
//! keeps regular, and Δu = Dᵀ Δv, M Δv = D Δr. So, with S = Q⁻¹A by blocks,
//!
//! ```text
//!   (M + D S Dᵀ) Δv = −D Q⁻¹ F,        Δr = −Q⁻¹ (F + A Dᵀ Δv):
//! ```
//!
//! six unknowns for each body instead of three for each contact. S is not symmetric where a contact
//! slides, because friction follows the normal impulse. Without that coupling it is symmetric and positive
//! semidefinite; the sparse Cholesky factor of the symmetric matrix preconditions GMRES on the true one.

use super::equations::Equations;
use crate::cones::MAX_DIMENSION;
use crate::delassus::MatrixFree;
use crate::problem::ContactProblem;
use moreau_algebra::factorization::SparseCholesky;
use moreau_algebra::krylov::{GmresSettings, GmresWorkspace, gmres};
use moreau_algebra::operator::LinearOperator;
use moreau_algebra::small::SmallMatrix;

const BLOCK: usize = MAX_DIMENSION * MAX_DIMENSION;

/// Relative residual to which GMRES solves the system.
const LINEAR_TOLERANCE: f64 = 1e-6;

/// M + D S Dᵀ with its preconditioner and memory.
pub struct BodySystem<'a> {
    problem: &'a ContactProblem,
    operator: &'a MatrixFree,
    /// Index of each touched body among the unknowns; `usize::MAX` for the others.
    index: Vec<usize>,
    /// M of each touched body.
    mass: Vec<f64>,
    /// S and Q⁻¹ of each block, row-major with stride d, `BLOCK` numbers reserved.
    s: Vec<f64>,
    q_inverse: Vec<f64>,
    cholesky: SparseCholesky,
    values: Vec<f64>,
    rhs: Vec<f64>,
    solution: Vec<f64>,
    workspace: GmresWorkspace,
}

impl<'a> BodySystem<'a> {
    /// The number of unknowns that the system would have.
    pub fn dimension_of(operator: &MatrixFree, contacts: usize) -> usize {
        let mut touched = vec![false; operator.bodies()];
        for contact in 0..contacts {
            operator
                .pairs(contact)
                .for_each(|(body, _)| touched[body] = true);
        }
        touched.iter().filter(|t| **t).count() * operator.body_size()
    }

    /// Finds the touched bodies and analyses the pattern.
    pub fn new(problem: &'a ContactProblem, operator: &'a MatrixFree) -> Result<Self, String> {
        let size = operator.body_size();
        let mut index = vec![usize::MAX; operator.bodies()];
        for contact in 0..problem.blocks() {
            operator
                .pairs(contact)
                .for_each(|(body, _)| index[body] = 0);
        }
        let mut mass = Vec::new();
        let mut count = 0;
        for (body, index) in index.iter_mut().enumerate().filter(|(_, i)| **i == 0) {
            *index = count;
            count += 1;
            let inverse = SmallMatrix::from_rows(size, operator.inverse_mass(body));
            let block = inverse
                .inverse()
                .ok_or(format!("the mass of body {body} is singular"))?;
            mass.extend_from_slice(block.rows());
        }
        let mut entries = Vec::new();
        for body in 0..count {
            push_block(size, body, body, &mut entries);
        }
        for contact in 0..problem.blocks() {
            for (p, _) in operator.pairs(contact) {
                for (q, _) in operator
                    .pairs(contact)
                    .filter(|(q, _)| index[*q] <= index[p])
                {
                    push_block(size, index[p], index[q], &mut entries);
                }
            }
        }
        let cholesky =
            SparseCholesky::analyze(count * size, &entries).map_err(|e| e.to_string())?;
        let n = count * size;
        Ok(Self {
            problem,
            operator,
            index,
            mass,
            s: vec![0.0; problem.blocks() * BLOCK],
            q_inverse: vec![0.0; problem.blocks() * BLOCK],
            cholesky,
            values: Vec::with_capacity(entries.len()),
            rhs: vec![0.0; n],
            solution: vec![0.0; n],
            workspace: GmresWorkspace::new(),
        })
    }

    /// Writes the Newton step; `false` if a block or the preconditioner is singular.
    pub fn solve(&mut self, equations: &Equations, regularization: f64, step: &mut [f64]) -> bool {
        if !self.eliminate(equations, regularization) || !self.factorize(equations) {
            return false;
        }
        // −D Q⁻¹ F.
        self.rhs.fill(0.0);
        let mut local = [0.0; MAX_DIMENSION];
        for block in 0..self.problem.blocks() {
            let rows = self.problem.rows(block);
            let d = rows.len();
            let q_inverse = &self.q_inverse[block * BLOCK..];
            multiply(d, q_inverse, &equations.residual[rows], &mut local);
            local.iter_mut().for_each(|v| *v = -*v);
            scatter(
                self.operator,
                &self.index,
                block,
                &local[..d],
                &mut self.rhs,
            );
        }
        let settings = GmresSettings {
            relative_tolerance: LINEAR_TOLERANCE,
            absolute_tolerance: 0.0,
            max_iterations: 60,
            restart: 30,
            ..GmresSettings::default()
        };
        self.solution.fill(0.0);
        let matrix = BodyMatrix {
            problem: self.problem,
            operator: self.operator,
            index: &self.index,
            mass: &self.mass,
            s: &self.s,
        };
        let preconditioner = Preconditioner(&self.cholesky);
        gmres(
            &matrix,
            &preconditioner,
            &self.rhs,
            &mut self.solution,
            &settings,
            &mut self.workspace,
        );
        // Δr = −Q⁻¹ (F + A Dᵀ Δv).
        let mut velocity = [0.0; MAX_DIMENSION];
        for block in 0..self.problem.blocks() {
            let rows = self.problem.rows(block);
            let d = rows.len();
            gather(
                self.operator,
                &self.index,
                block,
                &self.solution,
                &mut velocity[..d],
            );
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
        let g = &self.problem.diagonal().mean;
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

    /// The factor of M + D S̄ Dᵀ, with S̄ the symmetric part of S without normal-tangential coupling.
    fn factorize(&mut self, equations: &Equations) -> bool {
        let size = self.operator.body_size();
        self.values.clear();
        self.values.extend_from_slice(&self.mass);
        let mut s = [0.0; BLOCK];
        let mut s_j = [0.0; BLOCK];
        for block in 0..self.problem.blocks() {
            let d = self.problem.rows(block).len();
            let contact = self.problem.cones()[block].is_contact();
            let open = equations.open[block];
            let full = &self.s[block * BLOCK..];
            for i in 0..d {
                for j in 0..d {
                    let coupled = contact && (i == 0) != (j == 0);
                    let mean = 0.5 * (full[i * d + j] + full[j * d + i]);
                    s[i * d + j] = if coupled { 0.0 } else { mean };
                }
            }
            for (p, left) in self.operator.pairs(block) {
                let below = self
                    .operator
                    .pairs(block)
                    .filter(|(q, _)| self.index[*q] <= self.index[p]);
                for (_, right) in below {
                    let first = self.values.len();
                    self.values.resize(first + size * size, 0.0);
                    if open {
                        continue;
                    }
                    let result = &mut self.values[first..];
                    // J_pᵀ S̄ J_q: first S̄ J_q (d x size), then J_pᵀ times it.
                    for i in 0..d {
                        for k in 0..size {
                            s_j[i * size + k] =
                                (0..d).map(|j| s[i * d + j] * right[j * size + k]).sum();
                        }
                    }
                    for i in 0..d {
                        for row in 0..size {
                            let factor = left[i * size + row];
                            if factor != 0.0 {
                                for column in 0..size {
                                    result[row * size + column] += factor * s_j[i * size + column];
                                }
                            }
                        }
                    }
                }
            }
        }
        self.cholesky.factorize(&self.values).is_ok()
    }
}

fn push_block(size: usize, row: usize, column: usize, entries: &mut Vec<(usize, usize)>) {
    for i in 0..size {
        for j in 0..size {
            entries.push((row * size + i, column * size + j));
        }
    }
}

fn multiply(d: usize, matrix: &[f64], x: &[f64], result: &mut [f64]) {
    for row in 0..d {
        result[row] = (0..d).map(|k| matrix[row * d + k] * x[k]).sum();
    }
}

/// Adds D_i x to the momentum of the touched bodies.
fn scatter(operator: &MatrixFree, index: &[usize], block: usize, x: &[f64], result: &mut [f64]) {
    let size = operator.body_size();
    for (body, values) in operator.pairs(block) {
        let target = &mut result[index[body] * size..(index[body] + 1) * size];
        for (row, x) in values.chunks_exact(size).zip(x) {
            for (value, a) in target.iter_mut().zip(row) {
                *value += a * x;
            }
        }
    }
}

/// Writes (Dᵀ v) of one block.
fn gather(operator: &MatrixFree, index: &[usize], block: usize, v: &[f64], result: &mut [f64]) {
    let size = operator.body_size();
    result.fill(0.0);
    for (body, values) in operator.pairs(block) {
        let source = &v[index[body] * size..(index[body] + 1) * size];
        for (row, value) in values.chunks_exact(size).zip(result.iter_mut()) {
            *value += row.iter().zip(source).map(|(a, b)| a * b).sum::<f64>();
        }
    }
}

struct BodyMatrix<'a> {
    problem: &'a ContactProblem,
    operator: &'a MatrixFree,
    index: &'a [usize],
    mass: &'a [f64],
    s: &'a [f64],
}

impl LinearOperator for BodyMatrix<'_> {
    fn dimension(&self) -> usize {
        self.mass.len() / self.operator.body_size()
    }

    fn apply(&self, x: &[f64], result: &mut [f64]) {
        let size = self.operator.body_size();
        let blocks = self
            .mass
            .chunks_exact(size * size)
            .zip(x.chunks_exact(size));
        for ((mass, x), result) in blocks.zip(result.chunks_exact_mut(size)) {
            for (row, value) in mass.chunks_exact(size).zip(result) {
                *value = row.iter().zip(x).map(|(a, b)| a * b).sum();
            }
        }
        let (mut velocity, mut impulse) = ([0.0; MAX_DIMENSION], [0.0; MAX_DIMENSION]);
        for block in 0..self.problem.blocks() {
            let d = self.problem.rows(block).len();
            gather(self.operator, self.index, block, x, &mut velocity[..d]);
            multiply(d, &self.s[block * BLOCK..], &velocity[..d], &mut impulse);
            scatter(self.operator, self.index, block, &impulse[..d], result);
        }
    }
}

struct Preconditioner<'a>(&'a SparseCholesky);

impl LinearOperator for Preconditioner<'_> {
    fn dimension(&self) -> usize {
        self.0.dimension()
    }

    fn apply(&self, x: &[f64], result: &mut [f64]) {
        result.copy_from_slice(x);
        self.0.solve_in_place(result);
    }
}
