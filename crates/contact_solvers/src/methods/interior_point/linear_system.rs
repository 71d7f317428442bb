//! (N + E + δ + P) x = f with P = Gᵀ W⁻² G, in contact space or in body space.
//!
//! **Contact space.** N + E is assembled once; every iteration refills the diagonal blocks with P and
//! factorises. 3m unknowns for m contacts, and every two contacts of one body are coupled.
//!
//! **Body space.** The velocities of the bodies instead: [`body_space`](super::body_space).

use super::body_space::BodySpace;
use super::cone_algebra::{Pieces, Scaling};
use crate::cones::MAX_DIMENSION;
use crate::delassus::Precision;
use crate::problem::ContactProblem;
use moreau_algebra::factorization::{FactorizationError, SparseCholesky};

/// Numbers of the largest block.
pub(super) const BLOCK: usize = MAX_DIMENSION * MAX_DIMENSION;

/// One of the two forms.
#[allow(clippy::large_enum_variant)] // one per solve: a box would save nothing
pub(super) enum LinearSystem {
    /// In the impulses.
    Contact(ContactSpace),
    /// In the velocities of the bodies.
    Body(BodySpace),
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

    /// Whether the factor is of single precision.
    pub fn is_single(&self) -> bool {
        matches!(self, LinearSystem::Body(system) if system.precision == Precision::Single)
    }

    /// Chooses the precision of the factors to come; in contact space it is always double.
    pub fn set_precision(&mut self, precision: Precision) {
        if let LinearSystem::Body(system) = self {
            system.precision = precision;
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
