//! A linear map that can be applied; the only thing an iterative method needs to know of a matrix.

/// A square linear map y = A x on vectors of length [`LinearOperator::dimension`].
pub trait LinearOperator: Sync {
    /// Length of the vectors it maps.
    fn dimension(&self) -> usize;

    /// Writes A `x` into `result`; both have length [`LinearOperator::dimension`].
    fn apply(&self, x: &[f64], result: &mut [f64]);
}
