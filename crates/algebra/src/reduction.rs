//! Sums, inner products and maxima in a fixed order.
//!
//! Floating-point addition is not associative: a sum that is split by the number of threads
//! changes its last bits with that number. Here an index range is split in halves down to leaves
//! of [`LEAF`] entries whatever the number of threads; a leaf is summed in order and two halves
//! are added left to right. Threads only decide who computes a half, never how it is added.

use rayon::prelude::*;
use std::ops::Range;

/// Entries summed one after another at the leaves of the tree.
pub const LEAF: usize = 2048;

/// Ranges shorter than this are not handed to another thread (the tree is the same).
const PARALLEL_FROM: usize = 16 * LEAF;

/// Reduces `range` with `leaf` on pieces of at most [`LEAF`] entries and `combine` on halves.
pub fn tree_reduce<T, L, C>(range: Range<usize>, leaf: &L, combine: &C) -> T
where
    T: Send,
    L: Fn(Range<usize>) -> T + Sync,
    C: Fn(T, T) -> T + Sync,
{
    let length = range.len();
    if length <= LEAF {
        return leaf(range);
    }
    let middle = range.start + (length / 2).next_multiple_of(LEAF).min(length - 1);
    let (left, right) = (range.start..middle, middle..range.end);
    let (a, b) = if length >= PARALLEL_FROM {
        rayon::join(
            || tree_reduce(left, leaf, combine),
            || tree_reduce(right, leaf, combine),
        )
    } else {
        (
            tree_reduce(left, leaf, combine),
            tree_reduce(right, leaf, combine),
        )
    };
    combine(a, b)
}

/// Σ `term(i)` for `i` in `0..length`.
pub fn sum(length: usize, term: impl Fn(usize) -> f64 + Sync) -> f64 {
    tree_reduce(
        0..length,
        // Not `sum()`, which makes -0.0 of nothing.
        &|range| range.map(&term).fold(0.0, |sum, term| sum + term),
        &|a, b| a + b,
    )
}

/// The inner product of two vectors of the same length.
///
/// ```
/// let x: Vec<f64> = (0..10_000).map(|i| f64::from(i).sin()).collect();
/// let one = moreau_algebra::reduction::dot(&x, &x);
/// assert_eq!(one, moreau_algebra::reduction::dot(&x, &x));
/// ```
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    debug_assert_eq!(x.len(), y.len());
    tree_reduce(
        0..x.len(),
        &|range| {
            // Four partial sums let the compiler use vector registers; their order is fixed too.
            let (x, y) = (&x[range.clone()], &y[range]);
            let mut partial = [0.0; 4];
            let quads = x.chunks_exact(4).zip(y.chunks_exact(4));
            for (a, b) in quads {
                for lane in 0..4 {
                    partial[lane] += a[lane] * b[lane];
                }
            }
            let done = x.len() / 4 * 4;
            let rest: f64 = x[done..].iter().zip(&y[done..]).map(|(a, b)| a * b).sum();
            (partial[0] + partial[1]) + (partial[2] + partial[3]) + rest
        },
        &|a, b| a + b,
    )
}

/// The Euclidean norm.
pub fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

/// The largest absolute value; zero for an empty vector. NaN wins over every number.
pub fn max_abs(x: &[f64]) -> f64 {
    tree_reduce(
        0..x.len(),
        &|range| x[range].iter().fold(0.0, |m, v| nan_max(m, v.abs())),
        &nan_max,
    )
}

/// The place of the first value that is infinite or no number.
pub fn first_not_finite(values: &[f64]) -> Option<usize> {
    let leaves = values.par_chunks(LEAF).with_min_len(PARALLEL_FROM / LEAF);
    // All of a leaf, without a way out in between, so that several are looked at at once.
    let all_finite = |leaf: &[f64]| leaf.iter().fold(true, |so_far, v| so_far & v.is_finite());
    if leaves.map(all_finite).reduce(|| true, |a, b| a & b) {
        return None;
    }
    values.iter().position(|v| !v.is_finite())
}

fn nan_max(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else {
        a.max(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_nothing_is_zero_without_a_sign() {
        assert!(sum(0, |_| 1.0).is_sign_positive());
        assert!(dot(&[], &[]).is_sign_positive());
    }

    fn noise(n: usize) -> Vec<f64> {
        (0..n)
            .map(|i| ((i * 7919 + 13) % 10_007) as f64 * 1e-3 - 5.0)
            .collect()
    }

    #[test]
    fn dot_has_the_same_bits_for_any_number_of_threads() {
        let (x, y) = (
            noise(300_001),
            noise(300_001).into_iter().rev().collect::<Vec<_>>(),
        );
        let results: Vec<u64> = [1, 2, 3, 4]
            .into_iter()
            .map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .unwrap();
                pool.install(|| dot(&x, &y)).to_bits()
            })
            .collect();
        assert!(results.windows(2).all(|w| w[0] == w[1]), "{results:?}");
    }

    #[test]
    fn dot_agrees_with_an_exact_integer_sum() {
        for n in [0, 1, 3, 4, 2048, 2049, 5000, 40_000] {
            let x: Vec<f64> = (0..n).map(|i| (i % 17) as f64).collect();
            let exact: u64 = (0..n as u64).map(|i| (i % 17) * (i % 17)).sum();
            assert_eq!(dot(&x, &x), exact as f64);
            assert_eq!(sum(n, |i| x[i] * x[i]), exact as f64);
        }
    }

    #[test]
    fn the_first_value_that_is_not_finite_is_found() {
        let mut values = vec![1.0; 100_000];
        assert_eq!(first_not_finite(&values), None);
        assert_eq!(first_not_finite(&[]), None);
        for (place, value) in [(99_999, f64::NAN), (70_000, f64::INFINITY), (3, f64::NAN)] {
            values[place] = value;
            assert_eq!(first_not_finite(&values), Some(place));
        }
    }

    #[test]
    fn maximum_reports_nan() {
        assert_eq!(max_abs(&[1.0, -3.0, 2.0]), 3.0);
        assert!(max_abs(&[1.0, f64::NAN, 2.0]).is_nan());
        assert_eq!(max_abs(&[]), 0.0);
    }
}
