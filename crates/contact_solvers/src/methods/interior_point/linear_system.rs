//! (N + E + δ + P) x = f with P = Gᵀ W⁻² G, in contact space or in body space.
//!
//! **Contact space.** N + E is assembled once; every iteration refills the diagonal blocks with P and
//! factorises. 3m unknowns for m contacts, and every two contacts of one body are coupled.
//!
//! **Body space.** With M⁻¹ = L Lᵀ for each body and B = Dᵀ L, N = B Bᵀ. Put y = Bᵀ x and Q = E + δ + P,
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
//! in which nothing cancels but inside C_k⁻¹, where it does no harm. This needs one compliance per disc.

use super::cone_algebra::{Pieces, Scaling};
use crate::cones::MAX_DIMENSION;
use crate::delassus::{Delassus, MatrixFree};
use crate::problem::ContactProblem;
use moreau_algebra::factorization::{FactorizationError, SparseCholesky};
use std::collections::HashMap;

const BLOCK: usize = MAX_DIMENSION * MAX_DIMENSION;

/// One of the two forms.
#[allow(clippy::large_enum_variant)] // one per solve: a box would save nothing
pub(super) enum LinearSystem {
    /// In the impulses.
    Contact(ContactSpace),
    /// In the velocities of the bodies.
    Body(Box<BodySpace>),
}

impl LinearSystem {
    /// Factorises with the present scaling; `shift` is δ of each row.
    pub fn factorize(
        &mut self,
        problem: &ContactProblem,
        pieces: &Pieces,
        scalings: &[Scaling],
        shift: &[f64],
    ) -> Result<(), FactorizationError> {
        match self {
            LinearSystem::Contact(system) => system.factorize(problem, pieces, scalings, shift),
            LinearSystem::Body(system) => system.factorize(problem, pieces, scalings, shift),
        }
    }

    /// Replaces f by x.
    pub fn solve(&mut self, problem: &ContactProblem, f: &mut [f64]) {
        match self {
            LinearSystem::Contact(system) => system.cholesky.solve_in_place(f),
            LinearSystem::Body(system) => system.solve(problem, f),
        }
    }
}

/// N + E + δ + P, assembled.
pub(super) struct ContactSpace {
    cholesky: SparseCholesky,
    /// The lower triangle of N + E, then the lower triangles of the blocks of δ + P.
    values: Vec<f64>,
    /// Where the latter begin.
    blocks_from: usize,
}

impl ContactSpace {
    /// Assembles and analyses.
    pub fn new(problem: &ContactProblem, pieces: &Pieces) -> Result<Self, FactorizationError> {
        let (mut entries, mut values) = (Vec::new(), Vec::new());
        for (row, column, value) in problem.to_sparse().triplets() {
            if row >= column && pieces.fixed[row].is_none() && pieces.fixed[column].is_none() {
                entries.push((row, column));
                values.push(value);
            }
        }
        let blocks_from = values.len();
        for block in 0..problem.blocks() {
            let rows = problem.rows(block);
            for row in rows.clone() {
                entries.extend((rows.start..=row).map(|column| (row, column)));
            }
        }
        values.resize(entries.len(), 0.0);
        Ok(Self {
            cholesky: SparseCholesky::analyze(problem.dimension(), &entries)?,
            values,
            blocks_from,
        })
    }

    fn factorize(
        &mut self,
        problem: &ContactProblem,
        pieces: &Pieces,
        scalings: &[Scaling],
        shift: &[f64],
    ) -> Result<(), FactorizationError> {
        let mut target = self.blocks_from;
        let mut p = [0.0; BLOCK];
        for block in 0..problem.blocks() {
            let rows = problem.rows(block);
            let d = rows.len();
            p[..d * d].fill(0.0);
            for k in 0..d {
                let fixed = pieces.fixed[rows.start + k].is_some();
                p[k * d + k] = if fixed { 1.0 } else { shift[rows.start + k] };
            }
            for piece in pieces.of_block(block) {
                let (scaling, piece) = (&scalings[piece], &pieces.list[piece]);
                let w = &scaling.w;
                let factor = 1.0 / (scaling.beta * scaling.beta);
                let c = piece.coefficient;
                let tail = piece.tail - rows.start;
                p[0] += c * c * factor * (1.0 + 2.0 * (w[1] * w[1] + w[2] * w[2]));
                for k in 0..piece.tail_length {
                    p[(tail + k) * d] -= 2.0 * c * factor * w[0] * w[1 + k];
                    p[(tail + k) * d + tail + k] += factor;
                    for l in 0..=k {
                        p[(tail + k) * d + tail + l] += 2.0 * factor * w[1 + k] * w[1 + l];
                    }
                }
            }
            for row in 0..d {
                self.values[target..target + row + 1]
                    .copy_from_slice(&p[row * d..row * d + row + 1]);
                target += row + 1;
            }
        }
        self.cholesky.factorize(&self.values)
    }
}

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
    /// Q⁻¹ of each block, row-major.
    inverses: Vec<[f64; BLOCK]>,
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
            inverses: vec![[0.0; BLOCK]; problem.blocks()],
            y: vec![0.0; n.body_dimension()],
        })
    }

    fn factorize(
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
            invert_block(
                problem,
                pieces,
                scalings,
                shift,
                block,
                &mut self.inverses[block],
            );
            let inverse = &self.inverses[block];
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

    fn solve(&mut self, problem: &ContactProblem, f: &mut [f64]) {
        let size = self.size;
        // y = Bᵀ Q⁻¹ f.
        self.y.fill(0.0);
        let mut x = [0.0; MAX_DIMENSION];
        for block in 0..problem.blocks() {
            let rows = problem.rows(block);
            let d = rows.len();
            multiply(d, &self.inverses[block], &f[rows], &mut x);
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
            multiply(d, &self.inverses[block], f, &mut x);
            f.copy_from_slice(&x[..d]);
        }
    }
}

/// The pairs (a, b) of a contact whose product lies in the lower triangle.
fn ordered(pairs: &[Pair]) -> impl Iterator<Item = (&Pair, &Pair)> {
    let all = pairs.iter().flat_map(|a| pairs.iter().map(move |b| (a, b)));
    all.filter(|(a, b)| a.body >= b.body)
}

/// Writes Q⁻¹ of one block; see the module. Fixed rows get zeros.
fn invert_block(
    problem: &ContactProblem,
    pieces: &Pieces,
    scalings: &[Scaling],
    shift: &[f64],
    block: usize,
    inverse: &mut [f64; BLOCK],
) {
    let rows = problem.rows(block);
    let (first, d) = (rows.start, rows.len());
    let diagonal = |row: usize| problem.compliance_of(row) + shift[row];
    inverse.fill(0.0);
    if !problem.cones()[block].is_contact() && pieces.of_block(block).is_empty() {
        for k in (0..d).filter(|&k| pieces.fixed[first + k].is_none()) {
            inverse[k * d + k] = 1.0 / diagonal(first + k);
        }
        return;
    }
    // (1, t₁, t₂, …) and S.
    let mut t = [0.0; MAX_DIMENSION];
    t[0] = 1.0;
    let mut schur = diagonal(first);
    for piece in pieces.of_block(block) {
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
        let tail = piece.tail - first;
        for k in 0..piece.tail_length {
            t[tail + k] = 2.0 * c * w[0] * w[1 + k] / divisor;
            for l in 0..piece.tail_length {
                let identity = if k == l { 1.0 } else { 0.0 };
                inverse[(tail + k) * d + tail + l] =
                    square / (1.0 + epsilon) * (identity - 2.0 * w[1 + k] * w[1 + l] / divisor);
            }
        }
    }
    for k in 0..d {
        for l in 0..d {
            inverse[k * d + l] += t[k] * t[l] / schur;
        }
    }
}

fn multiply(d: usize, matrix: &[f64], x: &[f64], result: &mut [f64; MAX_DIMENSION]) {
    for (row, value) in matrix.chunks_exact(d).zip(result.iter_mut()).take(d) {
        *value = row.iter().zip(x).map(|(a, b)| a * b).sum();
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
