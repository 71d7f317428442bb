//! Small dense matrices held on the stack: the blocks of one contact or one body.

mod factors;

use factors::Factors;
use std::ops::Range;

/// The largest dimension of a [`SmallMatrix`].
pub const MAX_DIMENSION: usize = 6;

/// Sweeps of Jacobi rotations; five or six reach working precision.
const MAX_SWEEPS: usize = 30;

/// A square matrix of dimension at most [`MAX_DIMENSION`].
///
/// Entries are kept by rows without gaps: (i, j) is `values[i * dimension + j]`, and the values
/// after the first `dimension`² are zero.
///
/// ```
/// use moreau_algebra::small::SmallMatrix;
/// let a = SmallMatrix::from_rows(2, &[2.0, 1.0, 1.0, 2.0]);
/// let mut x = [4.0, 5.0];
/// assert!(a.solve(&mut x));
/// assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 2.0).abs() < 1e-15);
/// assert!((a.largest_eigenvalue_symmetric() - 3.0).abs() < 1e-15);
/// assert!((a.smallest_eigenvalue_symmetric() - 1.0).abs() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmallMatrix {
    dimension: usize,
    values: [f64; MAX_DIMENSION * MAX_DIMENSION],
}

impl SmallMatrix {
    /// The zero matrix.
    ///
    /// # Panics
    /// When `dimension` exceeds [`MAX_DIMENSION`].
    pub fn zeros(dimension: usize) -> Self {
        assert!(
            dimension <= MAX_DIMENSION,
            "dimension {dimension} is too large"
        );
        Self {
            dimension,
            values: [0.0; MAX_DIMENSION * MAX_DIMENSION],
        }
    }

    /// The identity.
    ///
    /// # Panics
    /// When `dimension` exceeds [`MAX_DIMENSION`].
    pub fn identity(dimension: usize) -> Self {
        let mut matrix = Self::zeros(dimension);
        for i in 0..dimension {
            matrix.set(i, i, 1.0);
        }
        matrix
    }

    /// The matrix with the given entries by rows.
    ///
    /// # Panics
    /// When `dimension` exceeds [`MAX_DIMENSION`] or `rows` is not of length `dimension`².
    pub fn from_rows(dimension: usize, rows: &[f64]) -> Self {
        let mut matrix = Self::zeros(dimension);
        matrix.values[..dimension * dimension].copy_from_slice(rows);
        matrix
    }

    /// The number of rows.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// All entries by rows, without gaps.
    pub fn rows(&self) -> &[f64] {
        &self.values[..self.dimension * self.dimension]
    }

    /// The entry at a place.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        debug_assert!(row < self.dimension && column < self.dimension);
        self.values[row * self.dimension + column]
    }

    /// Replaces the entry at a place.
    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        debug_assert!(row < self.dimension && column < self.dimension);
        self.values[row * self.dimension + column] = value;
    }

    /// Writes A x into `result`.
    pub fn multiply(&self, x: &[f64], result: &mut [f64]) {
        let n = self.dimension;
        debug_assert!(x.len() == n && result.len() == n);
        for i in 0..n {
            result[i] = (0..n).map(|j| self.get(i, j) * x[j]).sum();
        }
    }

    /// The product A B.
    ///
    /// # Panics
    /// When the dimensions differ.
    pub fn product(&self, other: &Self) -> Self {
        let n = self.dimension;
        assert_eq!(other.dimension, n);
        let mut result = Self::zeros(n);
        for i in 0..n {
            for j in 0..n {
                result.set(i, j, (0..n).map(|k| self.get(i, k) * other.get(k, j)).sum());
            }
        }
        result
    }

    /// Aᵀ.
    pub fn transposed(&self) -> Self {
        let mut result = Self::zeros(self.dimension);
        for i in 0..self.dimension {
            for j in 0..self.dimension {
                result.set(j, i, self.get(i, j));
            }
        }
        result
    }

    /// A + B.
    ///
    /// # Panics
    /// When the dimensions differ.
    #[allow(clippy::should_implement_trait)]
    pub fn add(&self, other: &Self) -> Self {
        assert_eq!(other.dimension, self.dimension);
        let mut result = *self;
        for (value, other) in result.values.iter_mut().zip(&other.values) {
            *value += other;
        }
        result
    }

    /// `factor` A.
    pub fn scaled(&self, factor: f64) -> Self {
        let mut result = *self;
        let stored = self.dimension * self.dimension;
        for value in &mut result.values[..stored] {
            *value *= factor;
        }
        result
    }

    /// The block of the given rows and columns, as many of one as of the other.
    ///
    /// # Panics
    /// When the ranges have different lengths or leave the matrix.
    pub fn submatrix(&self, rows: Range<usize>, columns: Range<usize>) -> Self {
        assert_eq!(rows.len(), columns.len());
        assert!(rows.end <= self.dimension && columns.end <= self.dimension);
        let mut result = Self::zeros(rows.len());
        for (i, row) in rows.enumerate() {
            for (j, column) in columns.clone().enumerate() {
                result.set(i, j, self.get(row, column));
            }
        }
        result
    }

    /// The sum of the diagonal.
    pub fn trace(&self) -> f64 {
        (0..self.dimension).map(|i| self.get(i, i)).sum()
    }

    /// The largest magnitude of an entry; NaN when one is undefined.
    pub fn max_abs(&self) -> f64 {
        crate::reduction::max_abs(self.rows())
    }

    /// Replaces `rhs` by A⁻¹ `rhs`; false, with `rhs` undefined, when A is singular to working
    /// precision or not finite.
    ///
    /// Gaussian elimination with complete pivoting: the largest entry left is the next pivot, and
    /// the matrix is called singular when it is below 10⁻¹⁴ of the largest entry of A.
    #[must_use]
    pub fn solve(&self, rhs: &mut [f64]) -> bool {
        debug_assert_eq!(rhs.len(), self.dimension);
        match Factors::new(self) {
            Some(factors) => {
                factors.solve(rhs);
                true
            }
            None => false,
        }
    }

    /// A⁻¹, or `None` when A is singular as [`SmallMatrix::solve`] understands it.
    pub fn inverse(&self) -> Option<Self> {
        let n = self.dimension;
        let factors = Factors::new(self)?;
        let mut inverse = Self::zeros(n);
        for j in 0..n {
            let mut column = [0.0; MAX_DIMENSION];
            column[j] = 1.0;
            factors.solve(&mut column[..n]);
            for i in 0..n {
                inverse.set(i, j, column[i]);
            }
        }
        Some(inverse)
    }

    /// The largest eigenvalue of (A + Aᵀ) / 2; −∞ for dimension 0, NaN when A is not finite.
    pub fn largest_eigenvalue_symmetric(&self) -> f64 {
        let eigenvalues = self.eigenvalues_symmetric();
        let folded = eigenvalues[..self.dimension].iter().copied();
        if self.is_finite() {
            folded.fold(f64::NEG_INFINITY, f64::max)
        } else {
            f64::NAN
        }
    }

    /// The smallest eigenvalue of (A + Aᵀ) / 2; +∞ for dimension 0, NaN when A is not finite.
    pub fn smallest_eigenvalue_symmetric(&self) -> f64 {
        let eigenvalues = self.eigenvalues_symmetric();
        let folded = eigenvalues[..self.dimension].iter().copied();
        if self.is_finite() {
            folded.fold(f64::INFINITY, f64::min)
        } else {
            f64::NAN
        }
    }

    fn is_finite(&self) -> bool {
        self.rows().iter().all(|value| value.is_finite())
    }

    /// Eigenvalues of the symmetric part, in no order, in the first `dimension` places.
    ///
    /// Jacobi's method: rotate the plane of the coordinates p and q by the angle that makes entry
    /// (p, q) vanish, for all pairs in turn, until the matrix is diagonal to working precision.
    /// With θ = (a_qq − a_pp) / (2 a_pq) the tangent of the angle is the smaller root of
    /// t² + 2 θ t − 1 = 0.
    fn eigenvalues_symmetric(&self) -> [f64; MAX_DIMENSION] {
        let n = self.dimension;
        let mut a = self.add(&self.transposed()).scaled(0.5);
        for _ in 0..MAX_SWEEPS {
            let mut rotated = false;
            for p in 0..n {
                for q in p + 1..n {
                    let (app, aqq, apq) = (a.get(p, p), a.get(q, q), a.get(p, q));
                    if apq.abs() <= f64::EPSILON * 1e-3 * (app.abs() + aqq.abs()) {
                        continue;
                    }
                    rotated = true;
                    let theta = (aqq - app) / (2.0 * apq);
                    let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
                    let c = 1.0 / t.hypot(1.0);
                    let s = t * c;
                    for k in 0..n {
                        let (akp, akq) = (a.get(k, p), a.get(k, q));
                        a.set(k, p, c * akp - s * akq);
                        a.set(k, q, s * akp + c * akq);
                    }
                    for k in 0..n {
                        let (apk, aqk) = (a.get(p, k), a.get(q, k));
                        a.set(p, k, c * apk - s * aqk);
                        a.set(q, k, s * apk + c * aqk);
                    }
                    a.set(p, q, 0.0);
                    a.set(q, p, 0.0);
                }
            }
            if !rotated {
                break;
            }
        }
        let mut eigenvalues = [0.0; MAX_DIMENSION];
        for i in 0..n {
            eigenvalues[i] = a.get(i, i);
        }
        eigenvalues
    }
}
