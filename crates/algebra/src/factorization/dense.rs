//! Dense factorisations in reusable storage.

use super::{FactorizationError, check_finite, check_length};
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor::{self as cholesky, LltError, LltRegularization};
use faer::linalg::lu::partial_pivoting::factor as partial_pivoting;
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_unit_lower_triangular_in_place,
    solve_upper_triangular_in_place,
};
use faer::{MatMut, MatRef, Par, Spec};

/// Memory that grows to the largest request and is then reused.
struct Memory {
    buffer: MemBuffer,
    request: StackReq,
}

impl Memory {
    fn new() -> Self {
        Self {
            buffer: MemBuffer::new(StackReq::EMPTY),
            request: StackReq::EMPTY,
        }
    }

    fn stack(&mut self, request: StackReq) -> Result<&mut MemStack, FactorizationError> {
        let request = request.or(self.request);
        if request != self.request {
            self.buffer =
                MemBuffer::try_new(request).map_err(|_| FactorizationError::OutOfMemory)?;
            self.request = request;
        }
        Ok(MemStack::new(&mut self.buffer))
    }
}

/// P A = L U for a dense square matrix, with partial pivoting.
///
/// Storage is kept between factorisations and grows only for a larger matrix than any before.
///
/// ```
/// use moreau_algebra::factorization::DenseLu;
/// let mut lu = DenseLu::new();
/// lu.factorize(2, &[0.0, 2.0, 1.0, 5.0]).unwrap(); // by rows
/// let mut x = [4.0, 13.0];
/// lu.solve_in_place(&mut x);
/// assert_eq!(x, [3.0, 2.0]);
/// assert!(lu.factorize(2, &[1.0, 2.0, 2.0, 4.0]).is_err());
/// ```
pub struct DenseLu {
    dimension: usize,
    /// L below the diagonal (its unit diagonal is not stored) and U above, by columns.
    factors: Vec<f64>,
    /// Row `order[i]` of the matrix is row i of the factors.
    order: Vec<usize>,
    inverse_order: Vec<usize>,
    /// The same reordering as exchanges: for i in turn, rows i and `exchanges[i]`.
    exchanges: Vec<usize>,
    memory: Memory,
    ready: bool,
}

impl Default for DenseLu {
    fn default() -> Self {
        Self::new()
    }
}

impl DenseLu {
    /// An empty factorisation, without storage.
    pub fn new() -> Self {
        Self {
            dimension: 0,
            factors: Vec::new(),
            order: Vec::new(),
            inverse_order: Vec::new(),
            exchanges: Vec::new(),
            memory: Memory::new(),
            ready: false,
        }
    }

    /// The number of rows of the last matrix.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Factorises the `n` x `n` matrix given by rows: entry (i, j) is `matrix[i * n + j]`.
    ///
    /// The matrix is called singular when its smallest pivot is below 10 n ε times the largest (ε the
    /// spacing of numbers at 1). That ratio depends on the units of the rows: scale them first
    /// when they are of very different sizes.
    pub fn factorize(&mut self, n: usize, matrix: &[f64]) -> Result<(), FactorizationError> {
        self.ready = false;
        check_length(n * n, matrix.len())?;
        check_finite(matrix)?;
        self.dimension = n;
        copy_by_columns(n, matrix, &mut self.factors);
        self.order.resize(n, 0);
        self.inverse_order.resize(n, 0);
        if n > 0 {
            let request = partial_pivoting::lu_in_place_scratch::<usize, f64>(
                n,
                n,
                Par::Seq,
                Spec::default(),
            );
            partial_pivoting::lu_in_place(
                MatMut::from_column_major_slice_mut(&mut self.factors, n, n),
                &mut self.order,
                &mut self.inverse_order,
                Par::Seq,
                self.memory.stack(request)?,
                Spec::default(),
            );
        }
        self.exchanges.clear();
        for i in 0..n {
            // Where earlier exchanges have put the row that belongs at i.
            let mut row = self.order[i];
            while row < i {
                row = self.order[row];
            }
            self.exchanges.push(row);
        }
        let relative = self.pivot_ratio();
        if relative < 10.0 * n as f64 * f64::EPSILON {
            return Err(FactorizationError::Singular { relative });
        }
        self.ready = true;
        Ok(())
    }

    /// The smallest pivot over the largest, in magnitude; zero when one is undefined, one without any.
    fn pivot_ratio(&self) -> f64 {
        let n = self.dimension;
        if n == 0 {
            return 1.0;
        }
        let (mut smallest, mut largest) = (f64::INFINITY, 0.0_f64);
        for i in 0..n {
            let pivot = self.factors[i * n + i].abs();
            if !pivot.is_finite() {
                return 0.0;
            }
            smallest = smallest.min(pivot);
            largest = largest.max(pivot);
        }
        if largest > 0.0 {
            smallest / largest
        } else {
            0.0
        }
    }

    /// Replaces `rhs` by A⁻¹ `rhs`.
    ///
    /// # Panics
    /// When the last [`DenseLu::factorize`] failed or there was none, or when `rhs` has another
    /// length than the matrix.
    pub fn solve_in_place(&self, rhs: &mut [f64]) {
        assert!(self.ready, "solve without a factorisation");
        let n = self.dimension;
        assert_eq!(rhs.len(), n);
        if n == 0 {
            return;
        }
        for (i, &row) in self.exchanges.iter().enumerate() {
            rhs.swap(i, row);
        }
        let factors = MatRef::from_column_major_slice(&self.factors, n, n);
        let mut rhs = MatMut::from_column_major_slice_mut(rhs, n, 1);
        solve_unit_lower_triangular_in_place(factors, rhs.as_mut(), Par::Seq);
        solve_upper_triangular_in_place(factors, rhs, Par::Seq);
    }
}

/// A = L Lᵀ for a dense symmetric positive definite matrix, of which only the lower triangle is
/// read. Storage is kept between factorisations.
///
/// ```
/// use moreau_algebra::factorization::DenseCholesky;
/// let mut cholesky = DenseCholesky::new();
/// cholesky.factorize(2, &[4.0, 2.0, 2.0, 5.0]).unwrap();
/// let mut x = [8.0, 12.0];
/// cholesky.solve_in_place(&mut x);
/// assert_eq!(x, [1.0, 2.0]);
/// assert!(cholesky.factorize(2, &[1.0, 2.0, 2.0, 1.0]).is_err());
/// ```
pub struct DenseCholesky {
    dimension: usize,
    /// L by columns; the strict upper triangle is not used.
    factor: Vec<f64>,
    memory: Memory,
    ready: bool,
}

impl Default for DenseCholesky {
    fn default() -> Self {
        Self::new()
    }
}

impl DenseCholesky {
    /// An empty factorisation, without storage.
    pub fn new() -> Self {
        Self {
            dimension: 0,
            factor: Vec::new(),
            memory: Memory::new(),
            ready: false,
        }
    }

    /// The number of rows of the last matrix.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Factorises the `n` x `n` matrix given by rows: entry (i, j) is `matrix[i * n + j]`.
    pub fn factorize(&mut self, n: usize, matrix: &[f64]) -> Result<(), FactorizationError> {
        self.ready = false;
        check_length(n * n, matrix.len())?;
        check_finite(matrix)?;
        self.dimension = n;
        copy_by_columns(n, matrix, &mut self.factor);
        if n > 0 {
            let request = cholesky::cholesky_in_place_scratch::<f64>(n, Par::Seq, Spec::default());
            cholesky::cholesky_in_place(
                MatMut::from_column_major_slice_mut(&mut self.factor, n, n),
                LltRegularization::default(),
                Par::Seq,
                self.memory.stack(request)?,
                Spec::default(),
            )
            .map_err(|LltError::NonPositivePivot { index }| {
                FactorizationError::NotPositiveDefinite { step: index }
            })?;
        }
        // A pivot that overflowed or was undefined must not pass for a factor.
        match (0..n)
            .find(|&i| !(self.factor[i * n + i] > 0.0 && self.factor[i * n + i].is_finite()))
        {
            Some(step) => Err(FactorizationError::NotPositiveDefinite { step }),
            None => {
                self.ready = true;
                Ok(())
            }
        }
    }

    /// Replaces `rhs` by A⁻¹ `rhs`.
    ///
    /// # Panics
    /// When the last [`DenseCholesky::factorize`] failed or there was none, or when `rhs` has
    /// another length than the matrix.
    pub fn solve_in_place(&self, rhs: &mut [f64]) {
        assert!(self.ready, "solve without a factorisation");
        let n = self.dimension;
        assert_eq!(rhs.len(), n);
        if n == 0 {
            return;
        }
        let factor = MatRef::from_column_major_slice(&self.factor, n, n);
        let mut rhs = MatMut::from_column_major_slice_mut(rhs, n, 1);
        solve_lower_triangular_in_place(factor, rhs.as_mut(), Par::Seq);
        solve_upper_triangular_in_place(factor.transpose(), rhs, Par::Seq);
    }
}

/// Copies a matrix given by rows into storage by columns.
fn copy_by_columns(n: usize, by_rows: &[f64], by_columns: &mut Vec<f64>) {
    by_columns.resize(n * n, 0.0);
    for row in 0..n {
        for column in 0..n {
            by_columns[column * n + row] = by_rows[row * n + column];
        }
    }
}
