//! Sparse LU factorisation with partial pivoting of one pattern with many values.

use super::pattern::Pattern;
use super::{FactorizationError, Scratch};
use crate::sparse::SparseMatrix;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::LuError;
use faer::sparse::linalg::lu::{LuRef, NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::{Conj, MatMut, Par, Spec};

/// A matrix whose estimated reciprocal condition number, after scaling of its rows and columns,
/// is below this is called singular.
const SINGULAR_BELOW: f64 = 1e-14;

/// P A Q = L U for a sparse square matrix with any pattern: Q reduces fill and is chosen once, P
/// is chosen by partial pivoting at every factorisation.
///
/// Singular matrices are found by a probe. Let R be the largest magnitudes of the rows of A and C
/// those of the columns of R⁻¹A, so that B = R⁻¹AC⁻¹ has no entry above 1 and one equal to 1 in
/// every column. The solution y of B y = ±1 (fixed signs) bounds |B⁻¹| from below, and a matrix is
/// called singular when 1/|y| in the maximum norm is less than 10⁻¹⁴. Units of rows and columns do
/// not matter to this test.
///
/// ```
/// use moreau_algebra::factorization::SparseLu;
/// // [ 0 2 ]
/// // [ 1 5 ]
/// let mut lu = SparseLu::analyze(2, &[(0, 1), (1, 0), (1, 1)]).unwrap();
/// lu.factorize(&[2.0, 1.0, 5.0]).unwrap();
/// let mut x = [4.0, 13.0];
/// lu.solve_in_place(&mut x);
/// assert!((x[0] - 3.0).abs() < 1e-14 && (x[1] - 2.0).abs() < 1e-14);
/// ```
pub struct SparseLu {
    pattern: Pattern,
    symbolic: SymbolicLu<usize>,
    numeric: NumericLu<usize, f64>,
    /// True from a successful factorisation to the next attempt.
    ready: bool,
    factor_memory: MemBuffer,
    solve_scratch: Scratch,
    row_scales: Vec<f64>,
    probe: Vec<f64>,
}

impl SparseLu {
    /// Analyses a pattern of `dimension` rows given by `(row, column)` entries, which come in any
    /// order and may repeat.
    pub fn analyze(
        dimension: usize,
        entries: &[(usize, usize)],
    ) -> Result<Self, FactorizationError> {
        let pattern = Pattern::new(dimension, entries, |_, _| true, std::iter::empty())?;
        let symbolic = factorize_symbolic_lu(pattern.symbolic(), Default::default())
            .map_err(|_| FactorizationError::OutOfMemory)?;
        let factor_memory = symbolic.factorize_numeric_lu_scratch::<f64>(Par::Seq, Spec::default());
        let solve_memory = symbolic.solve_in_place_scratch::<f64>(1, Par::Seq);
        Ok(Self {
            numeric: NumericLu::new(),
            factor_memory: MemBuffer::try_new(factor_memory)
                .map_err(|_| FactorizationError::OutOfMemory)?,
            solve_scratch: Scratch::new(solve_memory)?,
            row_scales: vec![0.0; dimension],
            probe: vec![0.0; dimension],
            pattern,
            symbolic,
            ready: false,
        })
    }

    /// Analyses the pattern of a matrix. The entry order is then that of its stored values: refill
    /// with `matrix.storage().2`.
    ///
    /// # Panics
    /// When the matrix is not square.
    pub fn analyze_matrix(matrix: &SparseMatrix) -> Result<Self, FactorizationError> {
        assert_eq!(matrix.rows(), matrix.columns());
        let entries: Vec<_> = matrix
            .triplets()
            .map(|(row, column, _)| (row, column))
            .collect();
        Self::analyze(matrix.rows(), &entries)
    }

    /// The number of rows.
    pub fn dimension(&self) -> usize {
        self.pattern.dimension
    }

    /// Factorises the matrix with `values[k]` at the k-th entry given to [`SparseLu::analyze`];
    /// values at the same place are added. Storage grows only when the pivots cause more fill
    /// than any before.
    pub fn factorize(&mut self, values: &[f64]) -> Result<(), FactorizationError> {
        self.ready = false;
        self.pattern.refill(values)?;
        if self.pattern.dimension == 0 {
            self.ready = true;
            return Ok(());
        }
        let result = self.symbolic.factorize_numeric_lu(
            &mut self.numeric,
            self.pattern.matrix(),
            Par::Seq,
            MemStack::new(&mut self.factor_memory),
            Spec::default(),
        );
        match result {
            Ok(_) => {}
            Err(LuError::SymbolicSingular { .. }) => {
                return Err(FactorizationError::Singular { relative: 0.0 });
            }
            Err(LuError::Generic(_)) => return Err(FactorizationError::OutOfMemory),
        }
        let relative = self.reciprocal_condition();
        if relative < SINGULAR_BELOW {
            return Err(FactorizationError::Singular { relative });
        }
        self.ready = true;
        Ok(())
    }

    /// The probe described at [`SparseLu`]; zero when the solution is not finite.
    fn reciprocal_condition(&mut self) -> f64 {
        let n = self.pattern.dimension;
        self.row_scales.fill(0.0);
        for column in 0..n {
            let (rows, values) = self.pattern.column(column);
            for (&row, value) in rows.iter().zip(values) {
                self.row_scales[row] = self.row_scales[row].max(value.abs());
            }
        }
        for (i, (probe, scale)) in self.probe.iter_mut().zip(&self.row_scales).enumerate() {
            // Signs without a short period: the parity of the bits of a scrambled index.
            let scrambled = (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            *probe = if scrambled.count_ones().is_multiple_of(2) {
                *scale
            } else {
                -*scale
            };
        }
        let mut probe = std::mem::take(&mut self.probe);
        self.solve_with_factors(&mut probe);
        self.probe = probe;
        let mut largest = 0.0_f64;
        for column in 0..n {
            if !self.probe[column].is_finite() {
                return 0.0;
            }
            let (rows, values) = self.pattern.column(column);
            let scaled = rows.iter().zip(values).map(|(&row, value)| {
                if *value == 0.0 {
                    0.0
                } else {
                    value.abs() / self.row_scales[row]
                }
            });
            largest = largest.max(scaled.fold(0.0, f64::max) * self.probe[column].abs());
        }
        if largest > 0.0 && largest.is_finite() {
            1.0 / largest
        } else {
            0.0
        }
    }

    fn solve_with_factors(&self, rhs: &mut [f64]) {
        let rhs = MatMut::from_column_major_slice_mut(rhs, self.pattern.dimension, 1);
        let factors = LuRef::new_unchecked(&self.symbolic, &self.numeric);
        self.solve_scratch
            .lend(|memory| factors.solve_in_place_with_conj(Conj::No, rhs, Par::Seq, memory));
    }

    /// Replaces `rhs` by A⁻¹ `rhs`.
    ///
    /// # Panics
    /// When the last [`SparseLu::factorize`] failed or there was none, or when `rhs` has another
    /// length than the matrix.
    pub fn solve_in_place(&self, rhs: &mut [f64]) {
        assert!(self.ready, "solve without a factorisation");
        assert_eq!(rhs.len(), self.dimension());
        if !rhs.is_empty() {
            self.solve_with_factors(rhs);
        }
    }
}
