//! Direct solvers of linear systems: sparse and dense, Cholesky and LU.
//!
//! The elimination itself is done by the `faer` library; what is added here is the life cycle the
//! contact solvers need. A sparsity pattern is analysed once, then factorised with new values as
//! often as wanted in the same storage; values are given in the order of the caller's own entries;
//! a matrix that cannot be factorised is a [`FactorizationError`], never a panic.
//!
//! | type | matrix | fill-reducing order |
//! |------|--------|---------------------|
//! | [`SparseCholesky`] | symmetric positive definite, lower triangle | approximate minimum degree, or nested dissection |
//! | [`SparseLu`] | square, any pattern, partial pivoting | column approximate minimum degree |
//! | [`DenseCholesky`] | symmetric positive definite, lower triangle | none |
//! | [`DenseLu`] | square, partial pivoting | none |
//!
//! A large [`SparseCholesky`] uses all threads, cut in a way that depends on the matrix alone; everything else runs on the calling
//! thread (`faer::Par::Seq`). So a result has the same bits for any number of threads, and independent systems may be solved on
//! different ones.

mod by_columns;
mod dense;
mod dense_parts;
mod elimination_tree;
mod frontal_solve;
mod fronts;
mod multifrontal;
mod ordering;
mod pattern;
mod sparse_cholesky;
mod sparse_lu;
#[cfg(test)]
mod tests;

pub use dense::{DenseCholesky, DenseLu};
pub use sparse_cholesky::SparseCholesky;
pub use sparse_lu::SparseLu;

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use std::fmt;
use std::sync::Mutex;

/// Why a matrix was not analysed or factorised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FactorizationError {
    /// A Cholesky pivot was zero or negative.
    NotPositiveDefinite {
        /// Number of the failing elimination step, from 0. A sparse factorisation eliminates in
        /// its fill-reducing order, so there this is not the number of a row of the matrix.
        step: usize,
    },
    /// A matrix is singular to working precision.
    Singular {
        /// A measure of the distance to a singular matrix, relative to the matrix: the smallest
        /// pivot over the largest for a dense matrix, an estimate of the reciprocal condition
        /// number after scaling of rows and columns for a sparse one. Zero when a pivot was zero.
        relative: f64,
    },
    /// An entry is infinite or not a number.
    NotFinite,
    /// An entry of the pattern lies outside the matrix.
    OutsideMatrix {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
    },
    /// The number of values differs from the number of entries.
    WrongLength {
        /// How many values are needed.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// The factors do not fit in memory.
    OutOfMemory,
}

impl fmt::Display for FactorizationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPositiveDefinite { step } => {
                write!(
                    f,
                    "the matrix is not positive definite (elimination step {step})"
                )
            }
            Self::Singular { relative } => {
                write!(
                    f,
                    "the matrix is singular to working precision ({relative:e})"
                )
            }
            Self::NotFinite => write!(f, "the matrix has an infinite or undefined entry"),
            Self::OutsideMatrix { row, column } => {
                write!(f, "entry ({row}, {column}) lies outside the matrix")
            }
            Self::WrongLength { expected, given } => {
                write!(f, "{expected} values are needed, {given} were given")
            }
            Self::OutOfMemory => write!(f, "the factors do not fit in memory"),
        }
    }
}

impl std::error::Error for FactorizationError {}

/// Working memory of a solve, kept between calls that only borrow the factorisation.
struct Scratch {
    request: StackReq,
    memory: Mutex<MemBuffer>,
}

impl Scratch {
    fn new(request: StackReq) -> Result<Self, FactorizationError> {
        let memory = MemBuffer::try_new(request).map_err(|_| FactorizationError::OutOfMemory)?;
        Ok(Self {
            request,
            memory: Mutex::new(memory),
        })
    }

    /// Lends the memory to `work`; a second thread that solves at the same time gets its own.
    fn lend<T>(&self, work: impl FnOnce(&mut MemStack) -> T) -> T {
        match self.memory.try_lock() {
            Ok(mut memory) => work(MemStack::new(&mut memory)),
            Err(_) => work(MemStack::new(&mut MemBuffer::new(self.request))),
        }
    }
}

fn check_length(expected: usize, given: usize) -> Result<(), FactorizationError> {
    if expected == given {
        Ok(())
    } else {
        Err(FactorizationError::WrongLength { expected, given })
    }
}

fn check_finite(values: &[f64]) -> Result<(), FactorizationError> {
    if values.iter().all(|value| value.is_finite()) {
        Ok(())
    } else {
        Err(FactorizationError::NotFinite)
    }
}
