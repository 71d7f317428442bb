//! Work of many parallel loops, done inside the pool of threads.
//!
//! A parallel loop that is begun outside the pool is handed to one of its threads, and the caller sleeps until it is done: two
//! switches of threads for each loop, some microseconds each. A step of ten thousand bodies has hundreds of loops.

use rayon::prelude::*;

/// Bodies, or rows, below which parallel loops hardly split and a change of threads costs more than it saves.
const WORTH_A_SWITCH: usize = 1024;

/// Numbers of a piece that one thread copies or adds.
const PIECE: usize = 16_384;

/// Copies numbers by all threads.
///
/// # Panics
/// When there are more or fewer than there is room for.
pub fn copy(from: &[f64], to: &mut [f64]) {
    assert_eq!(from.len(), to.len(), "as many as there is room for");
    let pieces = to.par_chunks_mut(PIECE).zip(from.par_chunks(PIECE));
    pieces.for_each(|(to, from)| to.copy_from_slice(from));
}

/// Adds numbers to others by all threads.
///
/// # Panics
/// When there are more of the ones than of the others.
pub fn add(terms: &[f64], sums: &mut [f64]) {
    assert_eq!(
        terms.len(),
        sums.len(),
        "as many of the ones as of the others"
    );
    let pieces = sums.par_chunks_mut(PIECE).zip(terms.par_chunks(PIECE));
    pieces.for_each(|(sums, terms)| {
        for (sum, term) in sums.iter_mut().zip(terms) {
            *sum += term;
        }
    });
}

/// Runs `work` on a thread of the pool if it is `large` enough (bodies, or rows), so that its parallel loops begin there. Results
/// do not depend on it.
///
/// ```
/// use moreau_algebra::pool::inside;
/// assert!(inside(1_000_000, || rayon::current_thread_index().is_some()));
/// assert!(!inside(1, || rayon::current_thread_index().is_some()));
/// ```
pub fn inside<R: Send>(large: usize, work: impl FnOnce() -> R + Send) -> R {
    if large < WORTH_A_SWITCH {
        work()
    } else {
        rayon::scope(|_| work())
    }
}
