//! I + Bᵀ S B in the velocities of the bodies, for block-diagonal S: what second-order methods factorise.
//!
//! With M⁻¹ = L Lᵀ for each body and B = Dᵀ L, N = B Bᵀ. A system with N and something block-diagonal by contacts
//! becomes one with I + Bᵀ S B by bodies: 6n unknowns for n bodies, two of which are coupled only where they
//! touch. Scaling by L makes the masses disappear, so that heavy and light bodies look alike.

use super::MatrixFree;
use crate::cones::MAX_DIMENSION;
use crate::problem::ContactProblem;
use moreau_algebra::factorization::{FactorizationError, SparseCholesky};
use std::collections::HashMap;

/// Of the numbers of a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// 53 bits.
    Double,
    /// 24 bits.
    Single,
}

/// A body of a contact, with its block of B.
struct Pair {
    body: usize,
    /// Where the block begins in `jacobians`.
    start: usize,
}

/// I + Bᵀ S B with its Cholesky factor.
pub struct BodyMatrix {
    cholesky: SparseCholesky,
    size: usize,
    /// Contact i owns `pairs[starts[i]..starts[i + 1]]`.
    starts: Vec<usize>,
    pairs: Vec<Pair>,
    /// The blocks of B, row-major.
    jacobians: Vec<f64>,
    /// Where the product of each two pairs of a contact goes in `values`, in the order of assembly.
    targets: Vec<usize>,
    values: Vec<f64>,
}

impl BodyMatrix {
    /// Collects which bodies touch and analyses the pattern.
    ///
    /// # Errors
    /// When the analysis runs out of memory.
    pub fn new(problem: &ContactProblem, n: &MatrixFree) -> Result<Self, FactorizationError> {
        let size = n.body_size();
        let roots: Vec<Vec<f64>> = (0..n.bodies())
            .map(|body| square_root(size, &n.inverse_mass(body)))
            .collect();
        let (mut starts, mut pairs, mut jacobians) = (vec![0], Vec::new(), Vec::new());
        let mut room = [0.0; 72];
        for block in 0..problem.blocks() {
            for (body, values) in n.pairs(block, &mut room) {
                pairs.push(Pair {
                    body,
                    start: jacobians.len(),
                });
                for row in values.chunks_exact(size) {
                    jacobians.extend((0..size).map(|column| {
                        let root = roots[body].iter().skip(column).step_by(size);
                        row.iter().zip(root).map(|(a, b)| a * b).sum::<f64>()
                    }));
                }
            }
            starts.push(pairs.len());
        }
        // The diagonal blocks come first, then those of bodies that touch.
        let square = size * size;
        let mut places: HashMap<(usize, usize), usize> = (0..n.bodies())
            .map(|body| ((body, body), body * square))
            .collect();
        let mut order: Vec<(usize, usize)> = (0..n.bodies()).map(|body| (body, body)).collect();
        let mut targets = Vec::new();
        for block in 0..problem.blocks() {
            let own = &pairs[starts[block]..starts[block + 1]];
            for (a, b) in ordered(own) {
                let next = order.len() * square;
                let place = *places.entry((a.body, b.body)).or_insert(next);
                if place == next {
                    order.push((a.body, b.body));
                }
                targets.push(place);
            }
        }
        let entries: Vec<(usize, usize)> = order
            .iter()
            .flat_map(|&(a, b)| {
                (0..square).map(move |k| (a * size + k / size, b * size + k % size))
            })
            .collect();
        Ok(Self {
            cholesky: SparseCholesky::analyze(n.body_dimension(), &entries)?,
            size,
            starts,
            pairs,
            jacobians,
            targets,
            values: vec![0.0; entries.len()],
        })
    }

    /// The number of unknowns.
    pub fn dimension(&self) -> usize {
        self.cholesky.dimension()
    }

    /// Assembles and factorises; `write_s` writes the symmetric, positive semidefinite S of a block, row-major. In
    /// single precision the factor costs half, and is good for seven digits less those of the condition.
    ///
    /// # Errors
    /// When the matrix is not positive definite, or not finite.
    pub fn factorize(
        &mut self,
        problem: &ContactProblem,
        precision: Precision,
        mut write_s: impl FnMut(usize, &mut [f64]),
    ) -> Result<(), FactorizationError> {
        let size = self.size;
        self.values.fill(0.0);
        for row in 0..self.cholesky.dimension() {
            let (body, k) = (row / size, row % size);
            self.values[body * size * size + k * size + k] = 1.0;
        }
        let mut next = 0;
        let mut half = [0.0; MAX_DIMENSION];
        let mut s = [0.0; MAX_DIMENSION * MAX_DIMENSION];
        for block in 0..problem.blocks() {
            let d = problem.rows(block).len();
            write_s(block, &mut s[..d * d]);
            let open = s[..d * d].iter().all(|v| *v == 0.0);
            for (a, b) in ordered(&self.pairs[self.starts[block]..self.starts[block + 1]]) {
                let target = &mut self.values[self.targets[next]..][..size * size];
                next += 1;
                if open {
                    continue;
                }
                let left = &self.jacobians[a.start..a.start + d * size];
                let right = &self.jacobians[b.start..b.start + d * size];
                for i in 0..size {
                    for l in 0..d {
                        half[l] = (0..d).map(|k| left[k * size + i] * s[k * d + l]).sum();
                    }
                    let row = &mut target[i * size..(i + 1) * size];
                    for (value, column) in row.iter_mut().zip(0..size) {
                        *value += (0..d)
                            .map(|l| half[l] * right[l * size + column])
                            .sum::<f64>();
                    }
                }
            }
        }
        match precision {
            Precision::Double => self.cholesky.factorize(&self.values),
            Precision::Single => self.cholesky.factorize_single(&self.values),
        }
    }

    /// Replaces y by (I + Bᵀ S B)⁻¹ y, with the S of the last factorisation.
    pub fn solve_in_place(&self, y: &mut [f64]) {
        self.cholesky.solve_in_place(y);
    }

    /// Adds Bᵀ x of one block to y.
    pub fn scatter(&self, block: usize, x: &[f64], y: &mut [f64]) {
        let size = self.size;
        for pair in &self.pairs[self.starts[block]..self.starts[block + 1]] {
            let y = &mut y[pair.body * size..(pair.body + 1) * size];
            for (row, x) in self.jacobians[pair.start..].chunks_exact(size).zip(x) {
                for (y, b) in y.iter_mut().zip(row) {
                    *y += b * x;
                }
            }
        }
    }

    /// Adds (B y) of one block to `result`.
    pub fn gather(&self, block: usize, y: &[f64], result: &mut [f64]) {
        let size = self.size;
        for pair in &self.pairs[self.starts[block]..self.starts[block + 1]] {
            let y = &y[pair.body * size..(pair.body + 1) * size];
            for (row, value) in self.jacobians[pair.start..]
                .chunks_exact(size)
                .zip(&mut *result)
            {
                *value += row.iter().zip(y).map(|(b, y)| b * y).sum::<f64>();
            }
        }
    }
}

/// The pairs (a, b) of a contact whose product lies in the lower triangle.
fn ordered(pairs: &[Pair]) -> impl Iterator<Item = (&Pair, &Pair)> {
    let all = pairs.iter().flat_map(|a| pairs.iter().map(move |b| (a, b)));
    all.filter(|(a, b)| a.body >= b.body)
}

/// L with L Lᵀ = A for a positive semidefinite A, row-major; columns of zero pivots are zero.
fn square_root(n: usize, matrix: &[f64]) -> Vec<f64> {
    let mut l = vec![0.0; n * n];
    for column in 0..n {
        let done = |i: usize, l: &[f64]| -> f64 {
            (0..column).map(|k| l[i * n + k] * l[column * n + k]).sum()
        };
        let pivot = matrix[column * n + column] - done(column, &l);
        if pivot <= 1e-14 * matrix[column * n + column] {
            continue;
        }
        l[column * n + column] = pivot.sqrt();
        for row in column + 1..n {
            l[row * n + column] = (matrix[row * n + column] - done(row, &l)) / pivot.sqrt();
        }
    }
    l
}
