//! Work of many parallel loops, done inside the pool of threads.
//!
//! A parallel loop that is begun outside the pool is handed to one of its threads, and the caller sleeps until it is done: two
//! switches of threads for each loop, some microseconds each. A step of ten thousand bodies has hundreds of loops.

/// Bodies, or rows, below which parallel loops hardly split and a change of threads costs more than it saves.
const WORTH_A_SWITCH: usize = 1024;

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
