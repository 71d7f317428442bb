//! A diagonal metric that keeps cones closed-form and majorises the diagonal blocks of N.
//!
//! First-order methods step by G⁻¹ and project in the metric G. The projection stays closed-form when
//! the weights are equal within a disc (see [`crate::cones::disc_cone`]); a block step is stable when
//! G_i − N_ii is positive semidefinite. With the normal and the discs as parts p of block i, let
//! λ_p = λ_max(N_pp). The weights
//!
//! ```text
//!   g_p = λ_p + Σ_{q≠p} ‖N_pq‖ √(λ_p / λ_q)
//! ```
//!
//! do it: for every pair 2 x_pᵀ N_pq x_q ≤ ‖N_pq‖ (s |x_p|² + |x_q|²/s) with s = √(λ_p/λ_q). For two
//! spheres the coupling vanishes and G is the exact diagonal. Where the coupling is strong (long
//! lever arms), the single weight λ_max(N_ii) can be tighter; the one of smaller product is taken.

use crate::cones::disc_cone::MAX_DISCS;
use crate::cones::{Cone, MAX_DIMENSION};
use crate::problem::ContactProblem;
use moreau_algebra::small::SmallMatrix;
use std::ops::Range;

/// The weights, one per row.
pub fn cone_metric(problem: &ContactProblem) -> Vec<f64> {
    let mut weights = vec![0.0; problem.dimension()];
    for block in 0..problem.blocks() {
        block_weights(problem, block, &mut weights[problem.rows(block)]);
    }
    weights
}

/// 1/g_N and 1/g_T of a friction contact in space with the diagonal block `w`, [`rounded_down`].
#[inline]
pub(crate) fn inverse_friction_weights(
    problem: &ContactProblem,
    block: usize,
    w: &[f64],
) -> [f64; 2] {
    let [normal, tangential] = friction_weights(problem, block, w);
    [rounded_down(1.0 / normal), rounded_down(1.0 / tangential)]
}

/// The number of single precision next below an inverse weight, so that it takes four bytes: the weight becomes larger by a share of
/// 1e-7 at most, and majorises as before. Beyond the range of such numbers, as given.
#[inline]
pub(crate) fn rounded_down(inverse: f64) -> f64 {
    let near = inverse as f32;
    let below = if f64::from(near) > inverse {
        near.next_down()
    } else {
        near
    };
    if below.is_normal() {
        f64::from(below)
    } else {
        inverse
    }
}

/// g_N and g_T of a friction contact in space with the diagonal block `w`, without an eigenvalue iteration: λ_T has a
/// closed form, and λ_max(N_ii) is at most that of the 2 x 2 matrix of λ_N, λ_T and the norm of their coupling.
#[inline]
fn friction_weights(problem: &ContactProblem, block: usize, w: &[f64]) -> [f64; 2] {
    let largest =
        |a: f64, d: f64, b: f64| 0.5 * (a + d) + (0.25 * (a - d) * (a - d) + b * b).sqrt();
    let tangential = largest(w[4], w[8], 0.5 * (w[5] + w[7]));
    let (c1, c2) = (0.5 * (w[1] + w[3]), 0.5 * (w[2] + w[6]));
    let coupling = (c1 * c1 + c2 * c2).sqrt();
    let single = largest(w[0], tangential, coupling);
    if !(single > 0.0) {
        return [1e-12 * problem.mean_diagonals().of(block); 2];
    }
    let (own_n, own_t) = (w[0].max(1e-12 * single), tangential.max(1e-12 * single));
    let ratio = (own_n / own_t).sqrt();
    let (g_n, g_t) = (own_n + coupling * ratio, own_t + coupling / ratio);
    if g_n * g_t * g_t <= single * single * single {
        [g_n, g_t]
    } else {
        [single; 2]
    }
}

/// Writes the weights of one block.
pub(crate) fn block_weights(problem: &ContactProblem, block: usize, rows: &mut [f64]) {
    let mut room = [0.0; MAX_DIMENSION * MAX_DIMENSION];
    let values = problem.diagonal_block(block, &mut room);
    let cone = &problem.cones()[block];
    if matches!(cone, Cone::Friction { .. }) {
        let inverse = inverse_friction_weights(problem, block, values);
        let [normal, tangential] = inverse.map(|inverse| 1.0 / inverse);
        rows.copy_from_slice(&[normal, tangential, tangential]);
        return;
    }
    let d = rows.len();
    let matrix = SmallMatrix::from_rows(d, values);
    let largest = matrix.largest_eigenvalue_symmetric().max(0.0);
    let floor = 1e-12 * largest.max(problem.mean_diagonals().of(block));
    rows.fill(largest.max(floor));
    let (parts, count) = parts(cone);
    let parts = &parts[..count];
    if count < 2 {
        return;
    }
    let mut own = [0.0; MAX_PARTS];
    for (part, own) in parts.iter().zip(&mut own) {
        let block = matrix.submatrix(part.clone(), part.clone());
        *own = block.largest_eigenvalue_symmetric().max(floor);
    }
    let mut split = own;
    for (p, rows_p) in parts.iter().enumerate() {
        for (q, rows_q) in parts.iter().enumerate().filter(|(q, _)| *q != p) {
            split[p] += coupling(&matrix, rows_p, rows_q) * (own[p] / own[q]).sqrt();
        }
    }
    let product: f64 = parts
        .iter()
        .zip(&split)
        .map(|(r, g)| g.ln() * r.len() as f64)
        .sum();
    if product < d as f64 * largest.max(floor).ln() {
        for (part, g) in parts.iter().zip(split) {
            rows[part.clone()].fill(g);
        }
    }
}

/// The normal and the discs.
const MAX_PARTS: usize = 1 + MAX_DISCS;

/// The groups of rows that must share a weight.
fn parts(cone: &Cone) -> ([Range<usize>; MAX_PARTS], usize) {
    let mut parts = [const { 0..0 }; MAX_PARTS];
    let Some(discs) = cone.discs() else {
        parts[0] = 0..cone.dimension();
        return (parts, 1);
    };
    parts[0] = 0..1;
    for (part, disc) in parts[1..].iter_mut().zip(discs.discs()) {
        *part = disc.start..disc.end;
    }
    (parts, 1 + discs.discs().len())
}

/// The Frobenius norm of the symmetric part of N_pq, a bound of its spectral norm.
fn coupling(matrix: &SmallMatrix, p: &Range<usize>, q: &Range<usize>) -> f64 {
    let mut sum = 0.0;
    for i in p.clone() {
        for j in q.clone() {
            sum += (0.5 * (matrix.get(i, j) + matrix.get(j, i))).powi(2);
        }
    }
    sum.sqrt()
}
