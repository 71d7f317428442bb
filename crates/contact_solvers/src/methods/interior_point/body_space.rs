//! The linear system in the velocities of the bodies.
//!
//! With M⁻¹ = L Lᵀ for each body and B = Dᵀ L, N = B Bᵀ. Put y = Bᵀ x and Q = E + δ + P,
//! which is block-diagonal: from B y + Q x = f follow
//!
//! ```text
//!   (I + Bᵀ Q⁻¹ B) y = Bᵀ Q⁻¹ f,     x = Q⁻¹ (f − B y).
//! ```
//!
//! 6n unknowns for n bodies, two of which are coupled only where they touch. Q⁻¹ is written down, not
//! computed from Q: near the solution Q has a condition number of 1/μ² (μ the barrier), and its
//! numerical inverse would have no correct digit. With q = |w̄|², ε = (E_t + δ) β² and
//! W⁻² = β⁻² (2 (Jw)(Jw)ᵀ − J), eliminating the components of disc k leaves the normal with c_k² σ_k and
//!
//! ```text
//!   σ_k = (1 + ε (1 + 2q)) / (β² (1 + ε + 2q)),    t_k = 2 c_k w₀ w̄ / (1 + ε + 2q),
//!   C_k⁻¹ = β²/(1 + ε) (I − 2 w̄ w̄ᵀ / (1 + ε + 2q)),   S = E_n + δ + Σ c_k² σ_k,
//!   Q⁻¹ = [ 1/S, t_lᵀ/S ;  t_k/S, δ_kl C_k⁻¹ + t_k t_lᵀ/S ],
//! ```
//!
//! in which nothing cancels. This needs one compliance per disc.

use super::cone_algebra::{Pieces, Scaling};
use super::linear_system::BLOCK;
use crate::cones::MAX_DIMENSION;
use crate::cones::disc_cone::MAX_DISCS;
use crate::delassus::{Delassus, MatrixFree};
use crate::problem::ContactProblem;
use moreau_algebra::factorization::{FactorizationError, SparseCholesky};
use std::collections::HashMap;

/// A body of a contact, with its block of B.
struct Pair {
    body: usize,
    /// Where the block begins in `jacobians`.
    start: usize,
}

/// I + Bᵀ Q⁻¹ B.
pub(super) struct BodySpace {
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
    /// Q⁻¹ of each block.
    inverses: Vec<BlockInverse>,
    y: Vec<f64>,
}

impl BodySpace {
    /// Why this form cannot take the problem, if it cannot.
    pub fn refuses(problem: &ContactProblem) -> Option<&'static str> {
        if !matches!(problem.delassus(), Delassus::MatrixFree(_)) {
            return Some("the bodies are not known");
        }
        if problem.compliance().is_empty() {
            return None;
        }
        for (block, cone) in problem.cones().iter().enumerate() {
            let e = &problem.compliance()[problem.rows(block)];
            for disc in cone.discs().iter().flat_map(|cone| cone.discs()) {
                if e[disc.start..disc.end].windows(2).any(|e| e[0] != e[1]) {
                    return Some("the compliance differs within a disc");
                }
            }
        }
        None
    }

    /// Collects which bodies touch and analyses.
    pub fn new(problem: &ContactProblem, n: &MatrixFree) -> Result<Self, FactorizationError> {
        let size = n.body_size();
        let roots: Vec<Vec<f64>> = (0..n.bodies())
            .map(|body| square_root(size, n.inverse_mass(body)))
            .collect();
        let (mut starts, mut pairs, mut jacobians) = (vec![0], Vec::new(), Vec::new());
        for block in 0..problem.blocks() {
            for (body, values) in n.pairs(block) {
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
            inverses: vec![BlockInverse::default(); problem.blocks()],
            y: vec![0.0; n.body_dimension()],
        })
    }

    /// Factorises with the present scaling; `shift` is δ of each row.
    pub fn factorize(
        &mut self,
        problem: &ContactProblem,
        pieces: &Pieces,
        scalings: &[Scaling],
        shift: &[f64],
    ) -> Result<(), FactorizationError> {
        let size = self.size;
        self.values.fill(0.0);
        for row in 0..self.y.len() {
            let (body, k) = (row / size, row % size);
            self.values[body * size * size + k * size + k] = 1.0;
        }
        let mut next = 0;
        let mut half = [0.0; MAX_DIMENSION];
        for block in 0..problem.blocks() {
            let d = problem.rows(block).len();
            self.inverses[block] = BlockInverse::new(problem, pieces, scalings, shift, block);
            let inverse = self.inverses[block].to_dense(d);
            for (a, b) in ordered(&self.pairs[self.starts[block]..self.starts[block + 1]]) {
                let target = &mut self.values[self.targets[next]..][..size * size];
                next += 1;
                let left = &self.jacobians[a.start..a.start + d * size];
                let right = &self.jacobians[b.start..b.start + d * size];
                for i in 0..size {
                    for l in 0..d {
                        half[l] = (0..d)
                            .map(|k| left[k * size + i] * inverse[k * d + l])
                            .sum();
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
        self.cholesky.factorize(&self.values)
    }

    /// Replaces f by x.
    pub fn solve(&mut self, problem: &ContactProblem, f: &mut [f64]) {
        let size = self.size;
        // y = Bᵀ Q⁻¹ f.
        self.y.fill(0.0);
        let mut x = [0.0; MAX_DIMENSION];
        for block in 0..problem.blocks() {
            let rows = problem.rows(block);
            let d = rows.len();
            self.inverses[block].apply(&f[rows], &mut x);
            for pair in &self.pairs[self.starts[block]..self.starts[block + 1]] {
                let y = &mut self.y[pair.body * size..(pair.body + 1) * size];
                for k in 0..d {
                    let row = &self.jacobians[pair.start + k * size..pair.start + (k + 1) * size];
                    for (y, b) in y.iter_mut().zip(row) {
                        *y += b * x[k];
                    }
                }
            }
        }
        self.cholesky.solve_in_place(&mut self.y);
        // f ← Q⁻¹ (f − B y).
        for block in 0..problem.blocks() {
            let rows = problem.rows(block);
            let d = rows.len();
            let f = &mut f[rows];
            for pair in &self.pairs[self.starts[block]..self.starts[block + 1]] {
                let y = &self.y[pair.body * size..(pair.body + 1) * size];
                for k in 0..d {
                    let row = &self.jacobians[pair.start + k * size..pair.start + (k + 1) * size];
                    f[k] -= row.iter().zip(y).map(|(b, y)| b * y).sum::<f64>();
                }
            }
            self.inverses[block].apply(f, &mut x);
            f.copy_from_slice(&x[..d]);
        }
    }
}

/// The pairs (a, b) of a contact whose product lies in the lower triangle.
fn ordered(pairs: &[Pair]) -> impl Iterator<Item = (&Pair, &Pair)> {
    let all = pairs.iter().flat_map(|a| pairs.iter().map(move |b| (a, b)));
    all.filter(|(a, b)| a.body >= b.body)
}

/// C_k⁻¹ of one disc: `along` in the direction w̄, `across` at right angles to it.
#[derive(Clone, Copy, Default)]
struct DiscInverse {
    tail: usize,
    length: usize,
    direction: [f64; 2],
    along: f64,
    across: f64,
}

/// Q⁻¹ of one block in factors: multiplied out, its small eigenvalues would drown in the rounding of the
/// large ones, and refinement would diverge.
#[derive(Clone, Copy, Default)]
struct BlockInverse {
    /// 1/S and (1, t); zero for joints.
    inverse_schur: f64,
    t: [f64; MAX_DIMENSION],
    discs: [DiscInverse; MAX_DISCS],
    /// 1 / (E + δ) of the rows of a joint.
    diagonal: [f64; MAX_DIMENSION],
}

impl BlockInverse {
    /// See the module. Fixed rows get zeros.
    fn new(
        problem: &ContactProblem,
        pieces: &Pieces,
        scalings: &[Scaling],
        shift: &[f64],
        block: usize,
    ) -> Self {
        let rows = problem.rows(block);
        let first = rows.start;
        let diagonal = |row: usize| problem.compliance_of(row) + shift[row];
        let mut inverse = Self::default();
        if pieces.of_block(block).is_empty() {
            for row in rows.filter(|&row| pieces.fixed[row].is_none()) {
                inverse.diagonal[row - first] = 1.0 / diagonal(row);
            }
            return inverse;
        }
        inverse.t[0] = 1.0;
        let mut schur = diagonal(first);
        for (disc, piece) in inverse.discs.iter_mut().zip(pieces.of_block(block)) {
            let (scaling, piece) = (&scalings[piece], &pieces.list[piece]);
            let (w, square) = (&scaling.w, scaling.beta * scaling.beta);
            let c = piece.coefficient;
            if piece.tail_length == 0 {
                schur += c * c / square;
                continue;
            }
            let q = w[1] * w[1] + w[2] * w[2];
            let epsilon = diagonal(piece.tail) * square;
            let divisor = 1.0 + epsilon + 2.0 * q;
            schur += c * c * (1.0 + epsilon * (1.0 + 2.0 * q)) / (square * divisor);
            let length = if q > 0.0 { q.sqrt() } else { 1.0 };
            *disc = DiscInverse {
                tail: piece.tail - first,
                length: piece.tail_length,
                direction: [w[1] / length, w[2] / length],
                along: square / divisor,
                across: square / (1.0 + epsilon),
            };
            for k in 0..piece.tail_length {
                inverse.t[disc.tail + k] = 2.0 * c * w[0] * w[1 + k] / divisor;
            }
        }
        inverse.inverse_schur = 1.0 / schur;
        inverse
    }

    /// Writes Q⁻¹ f.
    fn apply(&self, f: &[f64], result: &mut [f64; MAX_DIMENSION]) {
        let d = f.len();
        let normal: f64 = (0..d).map(|k| self.t[k] * f[k]).sum::<f64>() * self.inverse_schur;
        for k in 0..d {
            result[k] = normal * self.t[k] + self.diagonal[k] * f[k];
        }
        for disc in &self.discs {
            let f = &f[disc.tail..disc.tail + disc.length];
            let along: f64 = f.iter().zip(disc.direction).map(|(f, w)| f * w).sum();
            for k in 0..disc.length {
                let part = along * disc.direction[k];
                result[disc.tail + k] += disc.across * (f[k] - part) + disc.along * part;
            }
        }
    }

    /// Q⁻¹ multiplied out, row-major.
    fn to_dense(self, d: usize) -> [f64; BLOCK] {
        let mut dense = [0.0; BLOCK];
        let mut column = [0.0; MAX_DIMENSION];
        for l in 0..d {
            let mut unit = [0.0; MAX_DIMENSION];
            unit[l] = 1.0;
            self.apply(&unit[..d], &mut column);
            for k in 0..d {
                dense[k * d + l] = column[k];
            }
        }
        dense
    }
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
