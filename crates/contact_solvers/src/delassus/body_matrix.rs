//! I + Bᵀ S B in the velocities of the bodies, for block-diagonal S: what second-order methods factorise.
//!
//! With M⁻¹ = L Lᵀ for each body and B = Dᵀ L, N = B Bᵀ. A system with N and something block-diagonal by contacts
//! becomes one with I + Bᵀ S B by bodies: 6n unknowns for n bodies, two of which are coupled only where they
//! touch. Scaling by L makes the masses disappear, so that heavy and light bodies look alike.

use super::MatrixFree;
use crate::cones::MAX_DIMENSION;
use crate::problem::ContactProblem;
use moreau_algebra::factorization::{FactorizationError, SparseCholesky};
use rayon::prelude::*;
use std::collections::HashMap;

/// Of the numbers of a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// 53 bits.
    Double,
    /// 24 bits.
    Single,
}

/// Blocks that one thread assembles at least: each is a few hundred operations.
const FEWEST: usize = 256;

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
    /// The terms of block k of the matrix are `terms[term_starts[k]..term_starts[k + 1]]`, in the order of the contacts.
    term_starts: Vec<usize>,
    terms: Vec<Term>,
    values: Vec<f64>,
    /// Pairs that touch body b, in the order of the contacts: `touching[touching_starts[b]..touching_starts[b + 1]]`.
    touching_starts: Vec<usize>,
    touching: Vec<Touch>,
    /// S of every contact, `stride` numbers each.
    s: Vec<f64>,
    stride: usize,
}

/// A contact that ties two bodies: B_aᵀ S B_b.
#[derive(Clone, Copy)]
struct Term {
    contact: usize,
    /// Where the blocks of B begin.
    left: usize,
    right: usize,
}

/// A contact of a body, and where its block of B begins.
#[derive(Clone, Copy)]
struct Touch {
    contact: usize,
    start: usize,
}

/// Numbers of the lists in which `list` says that entries belong, and the entries list by list, in their order.
fn by_list<T: Copy>(lists: usize, entries: &[(usize, T)]) -> (Vec<usize>, Vec<T>) {
    let mut starts = vec![0; lists + 1];
    for &(list, _) in entries {
        starts[list + 1] += 1;
    }
    for list in 0..lists {
        starts[list + 1] += starts[list];
    }
    let mut sorted: Vec<(usize, T)> = entries.to_vec();
    sorted.sort_by_key(|&(list, _)| list);
    (starts, sorted.into_iter().map(|(_, entry)| entry).collect())
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
        let mut places: HashMap<(usize, usize), usize> =
            (0..n.bodies()).map(|body| ((body, body), body)).collect();
        let mut order: Vec<(usize, usize)> = (0..n.bodies()).map(|body| (body, body)).collect();
        let (mut terms, mut touching) = (Vec::new(), Vec::new());
        for contact in 0..problem.blocks() {
            let own = &pairs[starts[contact]..starts[contact + 1]];
            for pair in own {
                let start = pair.start;
                touching.push((pair.body, Touch { contact, start }));
            }
            for (a, b) in ordered(own) {
                let next = order.len();
                let place = *places.entry((a.body, b.body)).or_insert(next);
                if place == next {
                    order.push((a.body, b.body));
                }
                let (left, right) = (a.start, b.start);
                let term = Term {
                    contact,
                    left,
                    right,
                };
                terms.push((place, term));
            }
        }
        let entries: Vec<(usize, usize)> = order
            .iter()
            .flat_map(|&(a, b)| {
                (0..square).map(move |k| (a * size + k / size, b * size + k % size))
            })
            .collect();
        let (term_starts, terms) = by_list(order.len(), &terms);
        let (touching_starts, touching) = by_list(n.bodies(), &touching);
        let largest = (0..problem.blocks()).map(|block| problem.rows(block).len());
        let stride = largest.max().map_or(0, |d| d * d);
        Ok(Self {
            cholesky: SparseCholesky::analyze(n.body_dimension(), &entries)?,
            size,
            starts,
            pairs,
            jacobians,
            term_starts,
            terms,
            values: vec![0.0; entries.len()],
            touching_starts,
            touching,
            s: vec![0.0; stride * problem.blocks()],
            stride,
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
        write_s: impl Fn(usize, &mut [f64]) + Sync,
    ) -> Result<(), FactorizationError> {
        let (size, stride) = (self.size, self.stride);
        let blocks = self.s.par_chunks_mut(stride.max(1)).enumerate();
        blocks.with_min_len(FEWEST).for_each(|(block, s)| {
            let d = problem.rows(block).len();
            write_s(block, &mut s[..d * d]);
        });
        let bodies = self.cholesky.dimension() / size;
        let (s, jacobians) = (&self.s, &self.jacobians);
        let (starts, terms) = (&self.term_starts, &self.terms);
        let targets = self.values.par_chunks_mut(size * size).enumerate();
        targets.with_min_len(FEWEST).for_each(|(k, target)| {
            target.fill(0.0);
            if k < bodies {
                // The diagonal blocks come first.
                target.iter_mut().step_by(size + 1).for_each(|v| *v = 1.0);
            }
            for term in &terms[starts[k]..starts[k + 1]] {
                let d = problem.rows(term.contact).len();
                let s = &s[term.contact * stride..][..d * d];
                if s.iter().any(|v| *v != 0.0) {
                    let left = &jacobians[term.left..term.left + d * size];
                    let right = &jacobians[term.right..term.right + d * size];
                    add_product(size, d, left, s, right, target);
                }
            }
        });
        match precision {
            Precision::Double => self.cholesky.factorize(&self.values),
            Precision::Single => self.cholesky.factorize_single(&self.values),
        }
    }

    /// Replaces y by (I + Bᵀ S B)⁻¹ y, with the S of the last factorisation.
    pub fn solve_in_place(&self, y: &mut [f64]) {
        self.cholesky.solve_in_place(y);
    }

    /// y = Bᵀ x, where block i of x begins at `first_row(i)`.
    pub fn collect(&self, x: &[f64], first_row: impl Fn(usize) -> usize + Sync, y: &mut [f64]) {
        let size = self.size;
        let bodies = y.par_chunks_mut(size).enumerate().with_min_len(FEWEST);
        bodies.for_each(|(body, y)| {
            y.fill(0.0);
            let touching = self.touching_starts[body]..self.touching_starts[body + 1];
            for touch in &self.touching[touching] {
                let rows = first_row(touch.contact)..first_row(touch.contact + 1);
                let blocks = self.jacobians[touch.start..].chunks_exact(size);
                for (row, x) in blocks.zip(&x[rows]) {
                    for (y, b) in y.iter_mut().zip(row) {
                        *y += b * x;
                    }
                }
            }
        });
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

/// Adds B_aᵀ S B_b, of d rows each.
fn add_product(size: usize, d: usize, left: &[f64], s: &[f64], right: &[f64], target: &mut [f64]) {
    let mut half = [0.0; MAX_DIMENSION];
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
