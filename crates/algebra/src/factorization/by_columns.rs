//! Factorisation column by column, by the library: for matrices with little fill.

use super::Scratch;
use super::pattern::Pattern;
use super::{FactorizationError, dense_parts::Real};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltError, LltRegularization};
use faer::sparse::SparseColMatRef;
use faer::sparse::linalg::cholesky::{LltRef, SymbolicCholesky};
use faer::{Conj, MatMut, Par, Side, Spec};
use std::sync::{Mutex, PoisonError};

/// L in some precision.
pub(super) struct ColumnFactor<T> {
    /// Of the matrix, in this precision.
    matrix: Vec<T>,
    /// Of L, in the order of the symbolic factorisation.
    values: Vec<T>,
    rhs: Mutex<Vec<T>>,
}

impl<T> Default for ColumnFactor<T> {
    fn default() -> Self {
        Self {
            matrix: Vec::new(),
            values: Vec::new(),
            rhs: Mutex::new(Vec::new()),
        }
    }
}

/// Work space of a factorisation and of a solve, the same for both precisions.
pub(super) struct ColumnMemory {
    factor: MemBuffer,
    solve: Scratch,
}

impl ColumnMemory {
    /// As much as double precision needs.
    pub fn new(symbolic: &SymbolicCholesky<usize>) -> Result<Self, FactorizationError> {
        let factor = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Spec::default());
        let factor = MemBuffer::try_new(factor).map_err(|_| FactorizationError::OutOfMemory)?;
        let solve = Scratch::new(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq))?;
        Ok(Self { factor, solve })
    }
}

impl<T: Real> ColumnFactor<T> {
    /// Takes the memory, once.
    pub fn reserve(&mut self, pattern: &Pattern, symbolic: &SymbolicCholesky<usize>) {
        self.matrix.resize(pattern.values.len(), T::zero());
        self.values.resize(symbolic.len_val(), T::zero());
        if let Ok(rhs) = self.rhs.get_mut() {
            rhs.resize(pattern.dimension, T::zero());
        }
    }

    /// Computes L. The error is the step whose pivot is not positive.
    pub fn factorize(
        &mut self,
        symbolic: &SymbolicCholesky<usize>,
        pattern: &Pattern,
        memory: &mut ColumnMemory,
    ) -> Result<(), usize> {
        for (value, slot) in self.matrix.iter_mut().zip(&pattern.values) {
            *value = T::nearest(*slot);
        }
        let result = symbolic.factorize_numeric_llt(
            &mut self.values,
            SparseColMatRef::new(pattern.symbolic(), &self.matrix),
            Side::Lower,
            LltRegularization::default(),
            Par::Seq,
            MemStack::new(&mut memory.factor),
            Spec::default(),
        );
        match result {
            Ok(_) => Ok(()),
            // Column by column the library counts steps from 1.
            Err(LltError::NonPositivePivot { index }) => Err(index.saturating_sub(1)),
        }
    }

    /// Replaces `rhs` by A⁻¹ `rhs`.
    pub fn solve_in_place(
        &self,
        symbolic: &SymbolicCholesky<usize>,
        memory: &ColumnMemory,
        rhs: &mut [f64],
    ) {
        let mut own = self.rhs.lock().unwrap_or_else(PoisonError::into_inner);
        for (own, value) in own.iter_mut().zip(&*rhs) {
            *own = T::nearest(*value);
        }
        let factors = LltRef::<usize, T>::new(symbolic, &self.values);
        let matrix = MatMut::from_column_major_slice_mut(&mut own, rhs.len(), 1);
        memory.solve.lend(|memory| {
            factors.solve_in_place_with_conj(Conj::No, matrix, Par::Seq, memory);
        });
        for (rhs, own) in rhs.iter_mut().zip(&*own) {
            *rhs = own.widened();
        }
    }
}
