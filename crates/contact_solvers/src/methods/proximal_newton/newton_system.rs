//! The Newton system [A (W + α) + B] Δr = −F: in contact space, or in body space where that is smaller.

use super::body_system::BodySystem;
use super::equations::Equations;
use crate::cones::MAX_DIMENSION;
use crate::delassus::Delassus;
use crate::problem::ContactProblem;
use moreau_algebra::block_sparse::BlockSparse;
use moreau_algebra::factorization::{DenseLu, SparseLu};

/// Systems up to this dimension are solved dense whatever their pattern.
const DENSE_UP_TO: usize = 90;
/// Larger ones too, when the share of stored entries is above this.
const DENSE_SHARE: f64 = 0.3;

/// Contact spaces up to this dimension are not worth the detour through bodies.
const CONTACT_UP_TO: usize = 6000;

/// The system in the smaller of the two spaces.
#[allow(clippy::large_enum_variant)] // one per solve: a box would save nothing
pub enum NewtonSystem<'a> {
    /// Three unknowns for each contact.
    Contact(ContactSystem<'a>),
    /// Six unknowns for each body.
    Body(Box<BodySystem<'a>>),
}

impl<'a> NewtonSystem<'a> {
    /// Chooses the space and analyses the pattern.
    pub fn new(problem: &'a ContactProblem) -> Result<Self, String> {
        let rows = problem.dimension();
        match problem.delassus() {
            Delassus::MatrixFree(operator)
                if rows > CONTACT_UP_TO
                    && problem.compliance().is_empty()
                    && operator.body_dimension() < rows =>
            {
                BodySystem::new(problem, operator).map(|system| Self::Body(Box::new(system)))
            }
            _ => ContactSystem::new(problem).map(Self::Contact),
        }
    }

    /// Writes the Newton step; `false` if the matrix is singular.
    pub fn solve(&mut self, equations: &Equations, regularization: f64, step: &mut [f64]) -> bool {
        match self {
            NewtonSystem::Contact(system) => system.solve(equations, regularization, step),
            NewtonSystem::Body(system) => system.solve(equations, regularization, step),
        }
    }
}

/// W by blocks, and the factorisation with its memory.
pub struct ContactSystem<'a> {
    problem: &'a ContactProblem,
    w: BlockSparse,
    factor: Factor,
}

enum Factor {
    Dense { lu: DenseLu, matrix: Vec<f64> },
    Sparse { lu: Box<SparseLu>, values: Vec<f64> },
}

impl<'a> ContactSystem<'a> {
    /// Assembles W and analyses the pattern.
    pub fn new(problem: &'a ContactProblem) -> Result<Self, String> {
        let n = problem.dimension();
        let w = BlockSparse::from_sparse(&problem.to_sparse(), &problem.offsets());
        let mut entries = Vec::new();
        for block in 0..problem.blocks() {
            let mut diagonal = false;
            for (column, _) in w.row(block) {
                diagonal |= column == block;
                push_entries(problem, block, column, &mut entries);
            }
            if !diagonal {
                push_entries(problem, block, block, &mut entries);
            }
        }
        let dense = n <= DENSE_UP_TO || entries.len() as f64 > DENSE_SHARE * (n * n) as f64;
        let factor = if dense {
            Factor::Dense {
                lu: DenseLu::new(),
                matrix: vec![0.0; n * n],
            }
        } else {
            let lu = SparseLu::analyze(n, &entries).map_err(|e| e.to_string())?;
            Factor::Sparse {
                lu: Box::new(lu),
                values: Vec::with_capacity(entries.len()),
            }
        };
        Ok(Self { problem, w, factor })
    }

    /// Writes the Newton step; `false` if the matrix is singular.
    pub fn solve(&mut self, equations: &Equations, regularization: f64, step: &mut [f64]) -> bool {
        for (s, f) in step.iter_mut().zip(&equations.residual) {
            *s = -f;
        }
        let n = self.problem.dimension();
        let (problem, w) = (self.problem, &self.w);
        match &mut self.factor {
            Factor::Dense { lu, matrix } => {
                matrix.fill(0.0);
                for_each_block(
                    problem,
                    w,
                    equations,
                    regularization,
                    |row, column, width, values| {
                        for (k, value) in values.iter().enumerate() {
                            matrix[(row + k / width) * n + column + k % width] = *value;
                        }
                    },
                );
                if lu.factorize(n, matrix).is_err() {
                    return false;
                }
                lu.solve_in_place(step);
            }
            Factor::Sparse { lu, values } => {
                values.clear();
                for_each_block(problem, w, equations, regularization, |_, _, _, block| {
                    values.extend_from_slice(block);
                });
                if lu.factorize(values).is_err() {
                    return false;
                }
                lu.solve_in_place(step);
            }
        }
        step.iter().all(|v| v.is_finite())
    }
}

fn push_entries(
    problem: &ContactProblem,
    block: usize,
    column: usize,
    entries: &mut Vec<(usize, usize)>,
) {
    for i in problem.rows(block) {
        for j in problem.rows(column) {
            entries.push((i, j));
        }
    }
}

/// Calls `visit(first row, first column, width, values)` for each block of A (W + α) + B, in the order of the
/// pattern's analysis.
fn for_each_block(
    problem: &ContactProblem,
    w: &BlockSparse,
    equations: &Equations,
    regularization: f64,
    mut visit: impl FnMut(usize, usize, usize, &[f64]),
) {
    let g = problem.mean_diagonal();
    let mut values = [0.0; MAX_DIMENSION * MAX_DIMENSION];
    for block in 0..problem.blocks() {
        let first = problem.rows(block).start;
        let d = problem.rows(block).len();
        let (a, b) = (equations.a(block), equations.b(block));
        let alpha = regularization * g[block];
        let mut diagonal = false;
        for (column, w_block) in w.row(block) {
            let width = problem.rows(column).len();
            let values = &mut values[..d * width];
            values.fill(0.0);
            if !equations.open[block] {
                for i in 0..d {
                    for k in 0..d {
                        let factor = a[i * d + k];
                        if factor != 0.0 {
                            for j in 0..width {
                                values[i * width + j] += factor * w_block[k * width + j];
                            }
                        }
                    }
                }
            }
            if column == block {
                diagonal = true;
                for k in 0..d * d {
                    values[k] += alpha * a[k] + b[k];
                }
            }
            visit(first, problem.rows(column).start, width, values);
        }
        if !diagonal {
            for k in 0..d * d {
                values[k] = alpha * a[k] + b[k];
            }
            visit(first, first, d, &values[..d * d]);
        }
    }
}
