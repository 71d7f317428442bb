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
use crate::delassus::{BodyMatrix, Delassus, MatrixFree, Precision};
use crate::problem::ContactProblem;
use moreau_algebra::factorization::FactorizationError;
use rayon::prelude::*;
use std::ops::Range;

/// I + Bᵀ Q⁻¹ B.
pub(super) struct BodySpace {
    matrix: BodyMatrix,
    /// Of the factor.
    pub precision: Precision,
    /// Q⁻¹ of each block.
    inverses: Vec<BlockInverse>,
    x: Vec<f64>,
    y: Vec<f64>,
}

/// Blocks that one thread takes at least.
const FEWEST: usize = 256;

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
        let matrix = BodyMatrix::new(problem, n)?;
        Ok(Self {
            x: vec![0.0; problem.dimension()],
            y: vec![0.0; matrix.dimension()],
            matrix,
            precision: Precision::Double,
            inverses: vec![BlockInverse::default(); problem.blocks()],
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
        let inverses = self.inverses.par_iter_mut().enumerate();
        inverses.with_min_len(FEWEST).for_each(|(block, inverse)| {
            *inverse = BlockInverse::new(problem, pieces, scalings, shift, block);
        });
        let inverses = &self.inverses;
        self.matrix.factorize(problem, self.precision, |block, s| {
            let d = s.len().isqrt();
            s.copy_from_slice(&inverses[block].to_dense(d)[..d * d]);
        })
    }

    /// Replaces f by x.
    pub fn solve(&mut self, problem: &ContactProblem, f: &mut [f64]) {
        // y = Bᵀ Q⁻¹ f.
        self.x.copy_from_slice(f);
        let inverses = &self.inverses;
        over_blocks(problem, 0..problem.blocks(), &mut self.x, &|block, rows| {
            let mut x = [0.0; MAX_DIMENSION];
            inverses[block].apply(rows, &mut x);
            rows.copy_from_slice(&x[..rows.len()]);
        });
        let first_row = |block| problem.first_row(block);
        self.matrix.collect(&self.x, first_row, &mut self.y);
        self.matrix.solve_in_place(&mut self.y);
        // f ← Q⁻¹ (f − B y).
        let (matrix, y) = (&self.matrix, &self.y);
        over_blocks(problem, 0..problem.blocks(), f, &|block, f| {
            let mut x = [0.0; MAX_DIMENSION];
            let d = f.len();
            matrix.gather(block, y, &mut x[..d]);
            for (f, x) in f.iter_mut().zip(x) {
                *f -= x;
            }
            inverses[block].apply(f, &mut x);
            f.copy_from_slice(&x[..d]);
        });
    }
}

/// Calls `work` with each of these blocks and its rows, which are those of `rows`, in parallel.
fn over_blocks(
    problem: &ContactProblem,
    blocks: Range<usize>,
    rows: &mut [f64],
    work: &(impl Fn(usize, &mut [f64]) + Sync),
) {
    if blocks.len() <= FEWEST {
        let mut rows = rows;
        for block in blocks {
            let (own, others) = rows.split_at_mut(problem.rows(block).len());
            work(block, own);
            rows = others;
        }
        return;
    }
    let middle = blocks.start + blocks.len() / 2;
    let first = problem.first_row(middle) - problem.first_row(blocks.start);
    let (a, b) = rows.split_at_mut(first);
    rayon::join(
        || over_blocks(problem, blocks.start..middle, a, work),
        || over_blocks(problem, middle..blocks.end, b, work),
    );
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
