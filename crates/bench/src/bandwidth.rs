//! What the memory of the machine could do in the same run: every time is set beside it.

use cpu_time::ProcessTime;
use std::hint::black_box;

/// Bytes that one pass over the contacts moves at least, for each contact: normal, two arms and two indices (80), the
/// impulse read and written, and the free velocity read (24 each).
pub const PASS_BYTES: f64 = 80.0 + 3.0 * 24.0;

/// Numbers in each vector of the triad: 32 MB each, far more than the caches hold.
const LENGTH: usize = 4 * 1024 * 1024;
const REPETITIONS: usize = 7;

/// Bytes per second of a = b + s c on one thread, the best of several repetitions.
pub fn triad() -> f64 {
    let (b, c) = (vec![1.0f64; LENGTH], vec![2.0f64; LENGTH]);
    let mut a = vec![0.0f64; LENGTH];
    let seconds = smallest(REPETITIONS, || {
        for ((a, b), c) in a.iter_mut().zip(&b).zip(&c) {
            *a = b + 3.0 * c;
        }
        black_box(&mut a);
    });
    24.0 * LENGTH as f64 / seconds
}

/// The smallest CPU time of several repetitions: on a shared machine the one least disturbed.
pub(crate) fn smallest(repetitions: usize, mut work: impl FnMut()) -> f64 {
    (0..repetitions)
        .map(|_| {
            let start = ProcessTime::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}
