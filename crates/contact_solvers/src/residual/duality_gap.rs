//! The objective of the relaxed law, and how far from its minimum an answer is at most: `gap`.

use super::ABSOLUTE_FLOOR;
use crate::cones::Cone;
use crate::problem::ContactProblem;
use moreau_algebra::reduction::{dot, norm};

/// ½ γᵀNγ + rᵀγ = ½ γᵀ(u + r).
pub fn objective(p: &ContactProblem, impulses: &[f64], velocity: &[f64]) -> f64 {
    0.5 * (dot(impulses, velocity) + dot(impulses, p.free_velocity()))
}

/// The relative duality gap of the relaxed problem.
///
/// For a minimiser x* of f over K convexity gives f(x) − f(x*) ≤ uᵀ(x − x*). Where u lies in K* the
/// last term helps and the gap is uᵀx; what sticks out of K* is priced at ‖x‖, the best known
/// stand-in for ‖x*‖: gap = |uᵀx| + dist(u, K*) ‖x‖. While x is much smaller than x* that is not
/// enough, but then the gap is large: on recorded problems f(x) − f(x*) was never above a gap of less
/// than one half, and at most 1.31 times a larger one (a test). A bounded row contributes
/// u x − min over the interval of u z, exactly.
///
/// Zero impulses have no norm to price anything at, and an objective of zero. They are as far from the optimum as that is from zero,
/// so their gap is 1, unless nothing sticks out and zero is the answer.
pub fn gap(p: &ContactProblem, impulses: &[f64], velocity: &[f64]) -> f64 {
    let (mut inner, mut outside) = (0.0, 0.0);
    for (block, cone) in p.cones().iter().enumerate() {
        let rows = p.rows(block);
        let (x, u) = (&impulses[rows.clone()], &velocity[rows]);
        if let Cone::Box { lower, upper } = *cone {
            let best = if u[0] > 0.0 { lower } else { upper };
            if u[0] == 0.0 {
                continue;
            } else if best.is_finite() {
                inner += u[0] * (x[0] - best);
            } else {
                outside += u[0] * u[0];
            }
        } else {
            inner += x.iter().zip(u).map(|(a, b)| a * b).sum::<f64>();
            outside += cone.dual_distance(u).powi(2);
        }
    }
    let (inner, outside) = (f64::abs(inner), f64::sqrt(outside));
    let size = norm(impulses);
    if size == 0.0 {
        let rounding = ABSOLUTE_FLOOR * norm(p.free_velocity());
        return if inner.max(outside) <= rounding {
            0.0
        } else {
            1.0
        };
    }
    let gap = inner + outside * size;
    let linear = dot(impulses, p.free_velocity());
    let quadratic = dot(impulses, velocity) - linear;
    let scale = 0.5 * quadratic.abs() + linear.abs();
    gap / scale.max(ABSOLUTE_FLOOR * norm(p.free_velocity()).max(ABSOLUTE_FLOOR))
}
