//! Whether contacts still approach each other: a demand beside the error, contact by contact.

use crate::problem::ContactProblem;
use moreau_algebra::reduction::tree_reduce;

/// The largest −u_N / limit over the blocks, at least zero. At or below one no contact approaches faster than it may.
/// Without limits it is zero.
pub fn largest_approach(problem: &ContactProblem, limits: &[f64], velocity: &[f64]) -> f64 {
    tree_reduce(
        0..problem.blocks().min(limits.len()),
        &|blocks| {
            blocks.fold(0.0f64, |largest, block| {
                largest.max(-velocity[problem.first_row(block)] / limits[block])
            })
        },
        &f64::max,
    )
}
