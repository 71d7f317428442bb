//! Gaussian elimination of a small matrix.

use super::{MAX_DIMENSION, SmallMatrix};

/// A pivot of at most this times the largest entry makes a matrix singular.
const SINGULAR_BELOW: f64 = 1e-14;

/// P A Q = L U with complete pivoting.
pub(super) struct Factors {
    /// L below the diagonal (its unit diagonal is not stored), U above.
    lu: SmallMatrix,
    /// The row and the column exchanged with k at step k.
    rows: [usize; MAX_DIMENSION],
    columns: [usize; MAX_DIMENSION],
}

impl Factors {
    /// `None` when the matrix is singular to working precision or not finite.
    pub fn new(matrix: &SmallMatrix) -> Option<Self> {
        let n = matrix.dimension;
        let mut lu = *matrix;
        let (mut rows, mut columns) = ([0; MAX_DIMENSION], [0; MAX_DIMENSION]);
        if !matrix.is_finite() {
            return None;
        }
        let smallest_pivot = SINGULAR_BELOW * matrix.max_abs();
        for k in 0..n {
            let (mut row, mut column) = (k, k);
            for i in k..n {
                for j in k..n {
                    if lu.get(i, j).abs() > lu.get(row, column).abs() {
                        (row, column) = (i, j);
                    }
                }
            }
            (rows[k], columns[k]) = (row, column);
            for j in 0..n {
                lu.values.swap(k * n + j, row * n + j);
            }
            for i in 0..n {
                lu.values.swap(i * n + k, i * n + column);
            }
            let pivot = lu.get(k, k);
            if pivot.abs() <= smallest_pivot {
                return None;
            }
            for i in k + 1..n {
                let factor = lu.get(i, k) / pivot;
                lu.set(i, k, factor);
                for j in k + 1..n {
                    lu.set(i, j, lu.get(i, j) - factor * lu.get(k, j));
                }
            }
        }
        Some(Self { lu, rows, columns })
    }

    /// Replaces `rhs` by A⁻¹ `rhs`.
    pub fn solve(&self, rhs: &mut [f64]) {
        let n = self.lu.dimension;
        for k in 0..n {
            rhs.swap(k, self.rows[k]);
        }
        for i in 0..n {
            for j in 0..i {
                rhs[i] -= self.lu.get(i, j) * rhs[j];
            }
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                rhs[i] -= self.lu.get(i, j) * rhs[j];
            }
            rhs[i] /= self.lu.get(i, i);
        }
        for k in (0..n).rev() {
            rhs.swap(k, self.columns[k]);
        }
    }
}
