//! Dense kernels of a factorisation by fronts, with all threads and the same bits for any number of them.
//!
//! Matrices are halved until a piece is small, and the pieces are done in parallel. Where they are cut depends on their
//! size alone, so each number is the sum of the same terms in the same order whoever computes it.

use faer::dyn_stack::MemStack;
use faer::linalg::cholesky::llt::factor::{self as cholesky, LltError, LltRegularization};
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::prelude::{Reborrow, ReborrowMut};
use faer::traits::RealField;
use faer::{Accum, MatMut, MatRef, Par, Spec};
use std::mem::MaybeUninit;

/// The numbers of a factor.
pub(super) trait Real: RealField + Copy + Send + Sync {
    /// The nearest to a number of double precision.
    fn nearest(value: f64) -> Self;
    /// The same in double precision.
    fn widened(self) -> f64;
}

impl Real for f64 {
    fn nearest(value: f64) -> Self {
        value
    }
    fn widened(self) -> f64 {
        self
    }
}

impl Real for f32 {
    fn nearest(value: f64) -> Self {
        value as f32
    }
    fn widened(self) -> f64 {
        f64::from(self)
    }
}

/// Columns that are eliminated at once.
const BLOCK: usize = 128;

/// Bytes of work space that the library asks for to eliminate a block: a column, aligned.
const BLOCK_MEMORY: usize = 16 * BLOCK + 512;

/// Multiplications of a piece that is not cut further.
const PIECE: usize = 6_000_000;

/// Numbers of a matrix below which its product with a vector is not cut further.
const VECTOR_PIECE: usize = 100_000;

/// Half of a size, such that the pieces suit the kernels.
fn half(size: usize) -> usize {
    (size / 2).next_multiple_of(24).min(size)
}

/// Does both, at the same time if there is enough to do.
fn both(operations: usize, a: impl FnOnce() + Send, b: impl FnOnce() + Send) {
    if operations < PIECE {
        a();
        b();
    } else {
        rayon::join(a, b);
    }
}

/// Eliminates all columns of a panel, whose first rows are its own: L of these, and L⁻ᵀ from the right on the rows below.
/// The error is the number of the column whose pivot is not positive.
pub(super) fn eliminate<T: Real>(panel: MatMut<'_, T>) -> Result<(), usize> {
    let columns = panel.ncols();
    if columns <= BLOCK {
        let (mut own, below) = panel.split_at_row_mut(columns);
        eliminate_block(own.rb_mut())?;
        divide(own.rb(), below);
        return Ok(());
    }
    let first = half(columns);
    let (mut left, right) = panel.split_at_col_mut(first);
    eliminate(left.rb_mut())?;
    let (_, left) = left.rb().split_at_row(first);
    let (_, mut right) = right.split_at_row_mut(first);
    let (own, below) = left.split_at_row(columns - first);
    let (corner, rest) = right.rb_mut().split_at_row_mut(columns - first);
    both(
        rest.nrows() * rest.ncols() * first,
        || subtract_square(corner, own, Accum::Add),
        || subtract_product(rest, below, own, Accum::Add),
    );
    eliminate(right).map_err(|column| first + column)
}

fn eliminate_block<T: Real>(block: MatMut<'_, T>) -> Result<(), usize> {
    let mut memory = [MaybeUninit::<u8>::uninit(); BLOCK_MEMORY];
    cholesky::cholesky_in_place(
        block,
        LltRegularization::default(),
        Par::Seq,
        MemStack::new(&mut memory),
        Spec::default(),
    )
    .map(|_| ())
    .map_err(|LltError::NonPositivePivot { index }| index)
}

/// B ← B L⁻ᵀ.
fn divide<T: Real>(l: MatRef<'_, T>, rows: MatMut<'_, T>) {
    let operations = rows.nrows() * l.ncols() * l.ncols() / 2;
    if operations < PIECE {
        solve_lower_triangular_in_place(l, rows.transpose_mut(), Par::Seq);
        return;
    }
    let middle = half(rows.nrows());
    let (upper, lower) = rows.split_at_row_mut(middle);
    both(operations, || divide(l, upper), || divide(l, lower));
}

/// The lower triangle of C − A Aᵀ, or of −A Aᵀ.
pub(super) fn subtract_square<T: Real>(c: MatMut<'_, T>, a: MatRef<'_, T>, accum: Accum) {
    let rows = c.nrows();
    let operations = rows * rows * a.ncols() / 2;
    if operations < PIECE {
        triangular::matmul(
            c,
            BlockStructure::TriangularLower,
            accum,
            a,
            BlockStructure::Rectangular,
            a.transpose(),
            BlockStructure::Rectangular,
            -T::one(),
            Par::Seq,
        );
        return;
    }
    let middle = half(rows);
    let (upper, lower) = a.split_at_row(middle);
    let (first, _, rectangle, last) = c.split_at_mut(middle, middle);
    both(
        operations,
        || subtract_product(rectangle, lower, upper, accum),
        || {
            both(
                operations / 2,
                || subtract_square(first, upper, accum),
                || subtract_square(last, lower, accum),
            );
        },
    );
}

/// C − A Bᵀ, or −A Bᵀ.
fn subtract_product<T: Real>(c: MatMut<'_, T>, a: MatRef<'_, T>, b: MatRef<'_, T>, accum: Accum) {
    let (rows, columns) = (c.nrows(), c.ncols());
    let operations = rows * columns * a.ncols();
    if operations < PIECE {
        matmul(c, accum, a, b.transpose(), -T::one(), Par::Seq);
    } else if rows >= columns {
        let (upper, lower) = c.split_at_row_mut(half(rows));
        let (a_upper, a_lower) = a.split_at_row(half(rows));
        both(
            operations,
            || subtract_product(upper, a_upper, b, accum),
            || subtract_product(lower, a_lower, b, accum),
        );
    } else {
        let (left, right) = c.split_at_col_mut(half(columns));
        let (b_left, b_right) = b.split_at_row(half(columns));
        both(
            operations,
            || subtract_product(left, a, b_left, accum),
            || subtract_product(right, a, b_right, accum),
        );
    }
}

/// y − A x, or −A x, cut by the rows of A.
pub(super) fn subtract_from_vector<T: Real>(
    y: MatMut<'_, T>,
    a: MatRef<'_, T>,
    x: MatRef<'_, T>,
    accum: Accum,
) {
    let rows = a.nrows();
    if rows * a.ncols() < VECTOR_PIECE || rows < 2 {
        matmul(y, accum, a, x, -T::one(), Par::Seq);
        return;
    }
    let middle = half(rows);
    let (upper, lower) = a.split_at_row(middle);
    let (y_upper, y_lower) = y.split_at_row_mut(middle);
    rayon::join(
        || subtract_from_vector(y_upper, upper, x, accum),
        || subtract_from_vector(y_lower, lower, x, accum),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use faer::linalg::cholesky::llt::factor::cholesky_in_place_scratch;

    #[test]
    fn the_work_space_of_a_block_suffices() {
        let asked = cholesky_in_place_scratch::<f64>(BLOCK, Par::Seq, Spec::default());
        assert!(asked.unaligned_bytes_required() <= BLOCK_MEMORY);
    }
}
