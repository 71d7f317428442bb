//! Dense matrices of dimension up to six, on the stack: the diagonal blocks of contact problems.

/// The largest dimension.
pub const MAX_DIMENSION: usize = 6;

/// A square matrix of dimension up to [`MAX_DIMENSION`], row-major with its dimension as stride.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmallMatrix {
    dimension: usize,
    values: [f64; MAX_DIMENSION * MAX_DIMENSION],
}

impl SmallMatrix {
    /// The zero matrix.
    pub fn zeros(dimension: usize) -> Self {
        assert!(dimension <= MAX_DIMENSION);
        Self {
            dimension,
            values: [0.0; MAX_DIMENSION * MAX_DIMENSION],
        }
    }

    /// A copy of `dimension`² row-major numbers.
    #[inline]
    pub fn from_row_major(dimension: usize, values: &[f64]) -> Self {
        let mut matrix = Self::zeros(dimension);
        matrix.values[..dimension * dimension].copy_from_slice(&values[..dimension * dimension]);
        matrix
    }

    /// The dimension.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The numbers, row-major.
    pub fn values(&self) -> &[f64] {
        &self.values[..self.dimension * self.dimension]
    }

    /// The numbers, row-major, to be changed.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values[..self.dimension * self.dimension]
    }

    /// One entry.
    #[inline]
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.dimension + column]
    }

    /// Sets one entry.
    #[inline]
    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.dimension + column] = value;
    }

    /// Writes A x into `result`.
    pub fn multiply(&self, x: &[f64], result: &mut [f64]) {
        for (row, value) in self
            .values()
            .chunks_exact(self.dimension.max(1))
            .zip(result)
        {
            *value = row.iter().zip(x).map(|(a, b)| a * b).sum();
        }
    }

    /// Replaces `rhs` by A⁻¹ `rhs`, by elimination with partial pivoting. `false`, with `rhs` as it
    /// was, if a pivot vanishes against the largest entry of its row.
    ///
    /// ```
    /// use moreau_algebra::small::SmallMatrix;
    /// let a = SmallMatrix::from_row_major(2, &[0.0, 2.0, 4.0, 0.0]);
    /// let mut x = [2.0, 4.0];
    /// assert!(a.solve(&mut x));
    /// assert_eq!(x, [1.0, 1.0]);
    /// ```
    pub fn solve(&self, rhs: &mut [f64]) -> bool {
        let n = self.dimension;
        let mut a = self.values;
        let mut x = [0.0; MAX_DIMENSION];
        x[..n].copy_from_slice(&rhs[..n]);
        let largest = self.values().iter().fold(0.0f64, |m, v| m.max(v.abs()));
        for column in 0..n {
            let pivot = (column..n)
                .max_by(|&i, &j| a[i * n + column].abs().total_cmp(&a[j * n + column].abs()))
                .expect("not empty");
            let value = a[pivot * n + column];
            // `!(a > b)` is also true for NaN.
            if !(value.abs() > 1e-14 * largest) {
                return false;
            }
            if pivot != column {
                for k in 0..n {
                    a.swap(pivot * n + k, column * n + k);
                }
                x.swap(pivot, column);
            }
            for row in column + 1..n {
                let factor = a[row * n + column] / value;
                if factor != 0.0 {
                    for k in column..n {
                        a[row * n + k] -= factor * a[column * n + k];
                    }
                    x[row] -= factor * x[column];
                }
            }
        }
        for row in (0..n).rev() {
            for k in row + 1..n {
                x[row] -= a[row * n + k] * x[k];
            }
            x[row] /= a[row * n + row];
        }
        rhs[..n].copy_from_slice(&x[..n]);
        true
    }

    /// A⁻¹, or `None` for a singular matrix.
    pub fn inverse(&self) -> Option<Self> {
        let n = self.dimension;
        let mut inverse = Self::zeros(n);
        for column in 0..n {
            let mut unit = [0.0; MAX_DIMENSION];
            unit[column] = 1.0;
            if !self.solve(&mut unit[..n]) {
                return None;
            }
            for row in 0..n {
                inverse.set(row, column, unit[row]);
            }
        }
        Some(inverse)
    }

    /// The largest eigenvalue of the symmetric part (A + Aᵀ)/2, by Jacobi rotations.
    pub fn largest_eigenvalue_symmetric(&self) -> f64 {
        self.symmetric_eigenvalues()
            .into_iter()
            .take(self.dimension)
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// The smallest eigenvalue of the symmetric part.
    pub fn smallest_eigenvalue_symmetric(&self) -> f64 {
        self.symmetric_eigenvalues()
            .into_iter()
            .take(self.dimension)
            .fold(f64::INFINITY, f64::min)
    }

    /// Eigenvalues of the symmetric part, in no order; cyclic Jacobi (Golub & Van Loan, §8.5).
    fn symmetric_eigenvalues(&self) -> [f64; MAX_DIMENSION] {
        let n = self.dimension;
        let mut a = Self::zeros(n);
        for i in 0..n {
            for j in 0..n {
                a.set(i, j, 0.5 * (self.get(i, j) + self.get(j, i)));
            }
        }
        let total: f64 = a.values().iter().map(|v| v * v).sum();
        for _ in 0..30 {
            let off: f64 = (0..n)
                .flat_map(|i| (0..n).filter(move |&j| j != i).map(move |j| (i, j)))
                .map(|(i, j)| a.get(i, j).powi(2))
                .sum();
            if off <= 1e-30 * total {
                break;
            }
            for p in 0..n {
                for q in p + 1..n {
                    a.rotate(p, q);
                }
            }
        }
        let mut eigenvalues = [0.0; MAX_DIMENSION];
        for k in 0..n {
            eigenvalues[k] = a.get(k, k);
        }
        eigenvalues
    }

    /// One Jacobi rotation that zeroes entry (p, q) of a symmetric matrix.
    fn rotate(&mut self, p: usize, q: usize) {
        let off = self.get(p, q);
        if off == 0.0 {
            return;
        }
        let tau = (self.get(q, q) - self.get(p, p)) / (2.0 * off);
        let t = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
        let c = 1.0 / (1.0 + t * t).sqrt();
        let s = t * c;
        for k in 0..self.dimension {
            let (a, b) = (self.get(k, p), self.get(k, q));
            self.set(k, p, c * a - s * b);
            self.set(k, q, s * a + c * b);
        }
        for k in 0..self.dimension {
            let (a, b) = (self.get(p, k), self.get(q, k));
            self.set(p, k, c * a - s * b);
            self.set(q, k, s * a + c * b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matrices() -> impl Strategy<Value = SmallMatrix> {
        (1usize..=6, prop::collection::vec(-2.0f64..2.0, 36))
            .prop_map(|(n, values)| SmallMatrix::from_row_major(n, &values))
    }

    proptest! {
        #[test]
        fn solving_and_multiplying_are_inverse(a in matrices(), x in prop::collection::vec(-1.0f64..1.0, 6)) {
            let n = a.dimension();
            let mut b = vec![0.0; n];
            a.multiply(&x[..n], &mut b);
            if let Some(inverse) = a.inverse() {
                let size = |m: &SmallMatrix| m.values().iter().map(|v| v * v).sum::<f64>().sqrt();
                let condition = size(&a) * size(&inverse);
                prop_assert!(a.solve(&mut b));
                for k in 0..n {
                    prop_assert!((b[k] - x[k]).abs() <= 1e-13 * condition);
                }
            }
        }

        #[test]
        fn the_largest_eigenvalue_bounds_every_rayleigh_quotient(
            a in matrices(), x in prop::collection::vec(-1.0f64..1.0, 6)
        ) {
            let n = a.dimension();
            let mut ax = vec![0.0; n];
            a.multiply(&x[..n], &mut ax);
            let quotient: f64 = ax.iter().zip(&x).map(|(a, b)| a * b).sum();
            let size: f64 = x[..n].iter().map(|v| v * v).sum();
            prop_assert!(quotient <= (a.largest_eigenvalue_symmetric() + 1e-12) * size);
            prop_assert!(quotient >= (a.smallest_eigenvalue_symmetric() - 1e-12) * size);
        }
    }

    #[test]
    fn a_singular_matrix_is_reported() {
        let a = SmallMatrix::from_row_major(2, &[1.0, 2.0, 2.0, 4.0]);
        assert!(!a.solve(&mut [1.0, 1.0]));
        assert!(!SmallMatrix::from_row_major(1, &[f64::NAN]).solve(&mut [1.0]));
    }

    #[test]
    fn eigenvalues_of_a_known_matrix() {
        let a = SmallMatrix::from_row_major(2, &[2.0, 1.0, 1.0, 2.0]);
        assert!((a.largest_eigenvalue_symmetric() - 3.0).abs() < 1e-14);
        assert!((a.smallest_eigenvalue_symmetric() - 1.0).abs() < 1e-14);
    }
}
