//! Sparse Cholesky factorisation of one pattern with many values.

use super::ordering::nested_dissection;
use super::pattern::Pattern;
use super::{FactorizationError, Scratch};
use crate::sparse::SparseMatrix;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltError, LltRegularization};
use faer::perm::PermRef;
use faer::sparse::SparseColMatRef;
use faer::sparse::linalg::cholesky::{
    LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::traits::RealField;
use faer::{Conj, MatMut, Par, Side, Spec};
use std::sync::{Mutex, PoisonError};

/// A = L Lᵀ for a sparse symmetric positive definite matrix.
///
/// [`SparseCholesky::analyze`] finds a fill-reducing elimination order (approximate minimum
/// degree, or nested dissection for thousands of rows), the places of L, and whether columns are eliminated one by one or in dense groups,
/// whichever suits the fill. [`SparseCholesky::factorize`] may then be called with new values as
/// often as wanted; it allocates nothing.
///
/// ```
/// use moreau_algebra::factorization::SparseCholesky;
/// // [ 4 1 ]
/// // [ 1 3 ], given by its lower triangle.
/// let mut cholesky = SparseCholesky::analyze(2, &[(0, 0), (1, 0), (1, 1)]).unwrap();
/// cholesky.factorize(&[4.0, 1.0, 3.0]).unwrap();
/// let mut x = [6.0, 7.0];
/// cholesky.solve_in_place(&mut x);
/// assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] - 2.0).abs() < 1e-14);
/// // The same pattern with other values; this one is not positive definite.
/// assert!(cholesky.factorize(&[1.0, 2.0, 1.0]).is_err());
/// ```
pub struct SparseCholesky {
    pattern: Pattern,
    symbolic: SymbolicCholesky<usize>,
    /// Values of L, in the order of the symbolic factorisation.
    factor: Vec<f64>,
    /// Values of A and L in single precision; empty until asked for.
    single: Single,
    /// What the last factorisation left.
    ready: Ready,
    /// Who factorises. The library gives each thread whole entries of its products, so L has the same bits for any number.
    threads: Par,
    factor_memory: MemBuffer,
    solve_scratch: Scratch,
}

/// Which factor is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ready {
    None,
    Double,
    Single,
}

/// Room for a factorisation in single precision.
#[derive(Default)]
struct Single {
    matrix: Vec<f32>,
    factor: Vec<f32>,
    rhs: Mutex<Vec<f32>>,
}

/// Numbers in L from which a factorisation is worth the threads.
const PARALLEL_FROM: usize = 1_000_000;

/// Rows from which an order by nested dissection is worth its time.
const DISSECT_FROM: usize = 2000;

/// The places of L for one of two orders: minimum degree on small patterns, nested dissection on large ones.
pub(super) fn analyze_pattern(
    pattern: &Pattern,
) -> Result<SymbolicCholesky<usize>, FactorizationError> {
    let dissected = (pattern.dimension >= DISSECT_FROM)
        .then(|| nested_dissection(pattern))
        .flatten();
    let Some(order) = dissected else {
        // The order must be `Amd`: with `Identity` the library only accepts an upper triangle.
        return analyze_in_order(pattern, SymmetricOrdering::Amd);
    };
    let mut inverse = vec![0; order.len()];
    for (place, &row) in order.iter().enumerate() {
        inverse[row] = place;
    }
    let order = PermRef::new_checked(&order, &inverse, pattern.dimension);
    analyze_in_order(pattern, SymmetricOrdering::Custom(order))
}

pub(super) fn analyze_in_order(
    pattern: &Pattern,
    order: SymmetricOrdering<'_, usize>,
) -> Result<SymbolicCholesky<usize>, FactorizationError> {
    factorize_symbolic_cholesky(pattern.symbolic(), Side::Lower, order, Default::default())
        .map_err(|_| FactorizationError::OutOfMemory)
}

impl SparseCholesky {
    /// Analyses a symmetric pattern of `dimension` rows given by `(row, column)` entries.
    ///
    /// Only the lower triangle (row ≥ column) is used; entries above the diagonal may be present
    /// and are ignored, so the entries of a whole symmetric matrix will do. Entries come in any
    /// order and may repeat; diagonal entries that are missing are stored as zeros.
    pub fn analyze(
        dimension: usize,
        entries: &[(usize, usize)],
    ) -> Result<Self, FactorizationError> {
        let diagonal = (0..dimension).map(|i| (i, i));
        let pattern = Pattern::new(dimension, entries, |row, column| row >= column, diagonal)?;
        let symbolic = analyze_pattern(&pattern)?;
        let threads = if symbolic.len_val() < PARALLEL_FROM {
            Par::Seq
        } else {
            Par::rayon(rayon::current_num_threads())
        };
        // Single precision needs no more room.
        let factor_memory = symbolic.factorize_numeric_llt_scratch::<f64>(threads, Spec::default());
        let solve_memory = symbolic.solve_in_place_scratch::<f64>(1, Par::Seq);
        Ok(Self {
            factor: vec![0.0; symbolic.len_val()],
            factor_memory: MemBuffer::try_new(factor_memory)
                .map_err(|_| FactorizationError::OutOfMemory)?,
            solve_scratch: Scratch::new(solve_memory)?,
            pattern,
            symbolic,
            single: Single::default(),
            ready: Ready::None,
            threads,
        })
    }

    /// Analyses the pattern of a symmetric matrix stored whole or by its lower triangle.
    ///
    /// The entry order is then that of its stored values: refill with `matrix.storage().2`.
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

    /// The number of stored values of L; a measure of memory and of the cost of a solve.
    pub fn factor_len(&self) -> usize {
        self.factor.len()
    }

    /// Factorises the matrix with `values[k]` at the k-th entry given to
    /// [`SparseCholesky::analyze`]; values at the same place are added.
    pub fn factorize(&mut self, values: &[f64]) -> Result<(), FactorizationError> {
        self.ready = Ready::None;
        self.pattern.refill(values)?;
        let outcome = factorize(
            &self.symbolic,
            &mut self.factor,
            self.pattern.matrix(),
            self.threads,
            &mut self.factor_memory,
        );
        outcome.inspect(|()| self.ready = Ready::Double)
    }

    /// The same in single precision, in half the time. [`SparseCholesky::solve_in_place`] then answers with seven digits less
    /// those that the condition of the matrix takes, and a matrix that is nearly singular may count as not positive
    /// definite.
    pub fn factorize_single(&mut self, values: &[f64]) -> Result<(), FactorizationError> {
        self.ready = Ready::None;
        self.pattern.refill(values)?;
        let Single { matrix, factor, .. } = &mut self.single;
        matrix.clear();
        matrix.extend(self.pattern.values.iter().map(|&value| value as f32));
        factor.resize(self.symbolic.len_val(), 0.0);
        let matrix = SparseColMatRef::new(self.pattern.symbolic(), &*matrix);
        let outcome = factorize(
            &self.symbolic,
            factor,
            matrix,
            self.threads,
            &mut self.factor_memory,
        );
        outcome.inspect(|()| self.ready = Ready::Single)
    }

    /// Replaces `rhs` by A⁻¹ `rhs`.
    ///
    /// # Panics
    /// When the last [`SparseCholesky::factorize`] failed or there was none, or when `rhs` has
    /// another length than the matrix.
    pub fn solve_in_place(&self, rhs: &mut [f64]) {
        assert!(self.ready != Ready::None, "solve without a factorisation");
        assert_eq!(rhs.len(), self.dimension());
        if self.ready == Ready::Double {
            solve(&self.symbolic, &self.factor, rhs, &self.solve_scratch);
            return;
        }
        let mut single = self
            .single
            .rhs
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        single.clear();
        single.extend(rhs.iter().map(|&value| value as f32));
        let factor = &self.single.factor;
        solve(&self.symbolic, factor, &mut single, &self.solve_scratch);
        for (rhs, &value) in rhs.iter_mut().zip(&*single) {
            *rhs = f64::from(value);
        }
    }
}

fn factorize<T: RealField>(
    symbolic: &SymbolicCholesky<usize>,
    factor: &mut [T],
    matrix: SparseColMatRef<'_, usize, T>,
    threads: Par,
    memory: &mut MemBuffer,
) -> Result<(), FactorizationError> {
    let result = symbolic.factorize_numeric_llt(
        factor,
        matrix,
        Side::Lower,
        LltRegularization::default(),
        threads,
        MemStack::new(memory),
        Spec::default(),
    );
    match result {
        Ok(_) => Ok(()),
        Err(LltError::NonPositivePivot { index }) => {
            // Column by column the library counts steps from 1, in groups from 0.
            let step = match symbolic.raw() {
                SymbolicCholeskyRaw::Simplicial(_) => index.saturating_sub(1),
                SymbolicCholeskyRaw::Supernodal(_) => index,
            };
            Err(FactorizationError::NotPositiveDefinite { step })
        }
    }
}

fn solve<T: RealField>(
    symbolic: &SymbolicCholesky<usize>,
    factor: &[T],
    rhs: &mut [T],
    scratch: &Scratch,
) {
    let rows = rhs.len();
    let rhs = MatMut::from_column_major_slice_mut(rhs, rows, 1);
    let factors = LltRef::<usize, T>::new(symbolic, factor);
    scratch.lend(|memory| factors.solve_in_place_with_conj(Conj::No, rhs, Par::Seq, memory));
}
