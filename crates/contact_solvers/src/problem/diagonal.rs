//! The diagonal blocks N_ii + E_ii of a problem and the numbers that methods take from them.

use super::ContactProblem;
use crate::cones::MAX_DIMENSION;
use crate::delassus::Delassus;
use crate::delassus::lean::LeanContacts;
use moreau_algebra::small::SmallMatrix;
use rayon::prelude::*;
use std::sync::OnceLock;

/// Blocks at least that are worth a thread of their own.
pub(crate) const BLOCKS_FOR_A_THREAD: usize = 8192;

/// What is computed of the diagonal blocks, each when first asked for: a method that takes its metric from the
/// blocks themselves then pays neither the 88 bytes for each contact nor the eigenvalues.
#[derive(Debug, Default)]
pub(super) struct Diagonal {
    blocks: OnceLock<DiagonalBlocks>,
    mean: OnceLock<Vec<f64>>,
    short_mean: OnceLock<Vec<f32>>,
    largest: OnceLock<Vec<f64>>,
}

/// The diagonal blocks N_ii + E_ii.
#[derive(Clone, Debug)]
pub struct DiagonalBlocks {
    starts: Vec<usize>,
    values: Vec<f64>,
}

impl DiagonalBlocks {
    /// N_ii, row-major.
    #[inline]
    pub fn block(&self, block: usize) -> &[f64] {
        &self.values[self.starts[block]..self.starts[block + 1]]
    }
}

/// g_i of the blocks of a problem, each computed when it is asked for, unless all are known.
pub(crate) struct MeanDiagonals<'a> {
    problem: &'a ContactProblem,
    known: Option<&'a [f64]>,
    /// Contacts of three rows, of which g_i is quickly told.
    contacts: Option<&'a LeanContacts>,
}

impl MeanDiagonals<'_> {
    #[inline]
    pub fn of(&self, block: usize) -> f64 {
        if let Some(known) = self.known {
            return known[block];
        }
        let own = self.own(block);
        if own > 0.0 {
            own
        } else {
            self.problem.mean_diagonal()[block]
        }
    }

    /// tr(N_ii) / d_i.
    #[inline]
    fn own(&self, block: usize) -> f64 {
        match self.contacts {
            Some(contacts) if block < contacts.len() => contacts.mean_diagonal_of_three(block),
            _ => self.problem.own_mean_diagonal(block),
        }
    }
}

impl ContactProblem {
    /// The diagonal blocks N_ii + E_ii, computed when first asked for.
    pub fn diagonal(&self) -> &DiagonalBlocks {
        self.diagonal.blocks.get_or_init(|| {
            let squares = (0..self.blocks()).map(|block| self.rows(block).len().pow(2));
            let mut starts = Vec::with_capacity(self.blocks() + 1);
            let mut values = Vec::with_capacity(squares.sum());
            let mut room = [0.0; MAX_DIMENSION * MAX_DIMENSION];
            for block in 0..self.blocks() {
                starts.push(values.len());
                values.extend_from_slice(self.diagonal_block(block, &mut room));
            }
            starts.push(values.len());
            DiagonalBlocks { starts, values }
        })
    }

    /// N_ii + E_ii of one block, row-major, computed into `room`.
    #[inline]
    pub fn diagonal_block<'a>(
        &self,
        block: usize,
        room: &'a mut [f64; MAX_DIMENSION * MAX_DIMENSION],
    ) -> &'a [f64] {
        let rows = self.rows(block);
        let d = rows.len();
        let result = &mut room[..d * d];
        self.delassus.diagonal_block(block, result);
        if !self.compliance.is_empty() {
            for (k, row) in rows.enumerate() {
                result[k * d + k] += self.compliance[row];
            }
        }
        result
    }

    /// g_i = tr(N_ii) / d_i (Mazhar Eq. 27), one per block; where N_ii is zero, the mean of the others
    /// (1 if all are zero), so that a step length always exists. Computed when first asked for.
    pub fn mean_diagonal(&self) -> &[f64] {
        self.diagonal.mean.get_or_init(|| {
            // By one thread: a thread that waits here for others could be given work that asks for these numbers.
            let blocks = 0..self.blocks();
            let means = self.mean_diagonals();
            let own = |block: usize| means.own(block);
            let mut mean: Vec<f64> = blocks.map(own).collect();
            if mean.iter().any(|&g| g <= 0.0) {
                let positive = || mean.iter().copied().filter(|&g| g > 0.0);
                let fallback = match positive().count() {
                    0 => 1.0,
                    count => positive().sum::<f64>() / count as f64,
                };
                for g in mean.iter_mut().filter(|g| **g <= 0.0) {
                    *g = fallback;
                }
            }
            mean
        })
    }

    /// g_i as a number of single precision; where that is out of range, infinity, zero or not accurate. Computed when first asked for.
    pub(crate) fn short_mean_diagonal(&self) -> &[f32] {
        if let Some(known) = self.diagonal.short_mean.get() {
            return known;
        }
        // Found before it is set: a thread that takes up other work while it waits for its helpers, and asks for the same there,
        // would wait for itself.
        let means = self.mean_diagonals();
        let found = (0..self.blocks())
            .into_par_iter()
            .with_min_len(BLOCKS_FOR_A_THREAD)
            .map(|block| means.of(block) as f32)
            .collect();
        self.diagonal.short_mean.get_or_init(|| found)
    }

    /// g_i of one block after another, without keeping them.
    pub(crate) fn mean_diagonals(&self) -> MeanDiagonals<'_> {
        let contacts = match &*self.delassus {
            Delassus::MatrixFree(n) if self.compliance.is_empty() => n.lean_contacts(),
            _ => None,
        };
        MeanDiagonals {
            problem: self,
            known: self.diagonal.mean.get().map(Vec::as_slice),
            contacts: contacts.filter(|contacts| contacts.uniform() == Some(3)),
        }
    }

    /// tr(N_ii) / d_i.
    fn own_mean_diagonal(&self, block: usize) -> f64 {
        let d = self.rows(block).len();
        let mut room = [0.0; MAX_DIMENSION * MAX_DIMENSION];
        let values = self.diagonal_block(block, &mut room);
        (0..d).map(|k| values[k * d + k]).sum::<f64>() / d as f64
    }

    /// The largest eigenvalue of the symmetric part of N_ii, one per block. Computed when first asked for.
    pub fn largest_diagonal(&self) -> &[f64] {
        self.diagonal.largest.get_or_init(|| {
            let mut room = [0.0; MAX_DIMENSION * MAX_DIMENSION];
            (0..self.blocks())
                .map(|index| {
                    let d = self.rows(index).len();
                    let block = self.diagonal_block(index, &mut room);
                    let diagonal = (0..d * d).all(|k| k % (d + 1) == 0 || block[k] == 0.0);
                    let largest = if diagonal {
                        (0..d).map(|k| block[k * d + k]).fold(0.0, f64::max)
                    } else {
                        SmallMatrix::from_rows(d, block).largest_eigenvalue_symmetric()
                    };
                    largest.max(0.0)
                })
                .collect()
        })
    }
}
