//! Coulomb's law for one contact, exactly: find r with u = W r + q.
//!
//! With friction in space there are three cases (Bonnefon & Daviet 2011 solve the third as a quartic;
//! here it is a search in one unknown):
//!
//! - **take-off**: q_N ≥ 0. Then r = 0 with u = q.
//! - **stick**: r = −W⁻¹q lies in the cone. Then u = 0.
//! - **slide**: u_N = 0 and u_T = −α r_T with α > 0 and |r_T| = μ r_N. Eliminating r_N by u_N = 0 gives
//!   (S + α I) r_T = −b with S = W_TT − W_TN W_NT / W_NN and b = q_T − W_TN q_N / W_NN, and α is a root of
//!   φ(α) = |r_T(α)| − μ r_N(α). φ > 0 at α = 0, because sticking leaves the cone, and as α → ∞ r_T
//!   vanishes and φ → μ q_N / W_NN < 0: a root exists and bisection finds it.
//!
//! Reference: O. Bonnefon, G. Daviet, *Quartic formulation of Coulomb 3D frictional contact*, INRIA
//! RT-0400, 2011.

use crate::cones::{Cone, MAX_DIMENSION};
use crate::law::FrictionLaw;
use moreau_algebra::small::SmallMatrix;

/// Local iterations at most where there is no closed form (rolling friction).
const LOCAL_ITERATIONS: usize = 60;

/// Replaces `impulse` by the solution of u = W r + q under Coulomb's law. `matrix` is W, row-major. The
/// given impulse is the starting point where the solution is iterated, and otherwise ignored.
pub fn solve_coulomb(cone: &Cone, matrix: &[f64], free: &[f64], impulse: &mut [f64]) {
    match *cone {
        Cone::Friction { friction } => match (
            matrix.first_chunk(),
            free.first_chunk(),
            impulse.first_chunk_mut(),
        ) {
            (Some(w), Some(q), Some(r)) => solve_friction(friction, w, q, r),
            _ => unreachable!("a friction contact has three rows"),
        },
        Cone::PlanarFriction { friction } => planar(friction, matrix, free, impulse),
        Cone::Unilateral => {
            impulse[0] = one_row(matrix[0], free[0], 0.0, f64::INFINITY, impulse[0])
        }
        Cone::Box { lower, upper } => {
            impulse[0] = one_row(matrix[0], free[0], lower, upper, impulse[0]);
        }
        Cone::Bilateral { rows } => {
            let mut solution = [0.0; MAX_DIMENSION];
            for (s, q) in solution.iter_mut().zip(free) {
                *s = -q;
            }
            if SmallMatrix::from_rows(rows, matrix).solve(&mut solution[..rows]) {
                impulse.copy_from_slice(&solution[..rows]);
            }
        }
        Cone::Rolling { .. } | Cone::RollingSpinning { .. } => {
            iterate(cone, matrix, free, impulse);
        }
    }
}

/// The same for friction in space, where lengths are known.
#[inline]
pub fn solve_friction(friction: f64, w: &[f64; 9], q: &[f64; 3], r: &mut [f64; 3]) {
    if !spatial(friction, w, q, r) {
        iterate(&Cone::Friction { friction }, w, q, r);
    }
}

/// w r + q ⟂ r in [lower, upper]; the present value where w vanishes.
fn one_row(w: f64, q: f64, lower: f64, upper: f64, present: f64) -> f64 {
    if w > 0.0 {
        (-q / w).max(lower).min(upper)
    } else {
        present
    }
}

/// Friction in the plane: stick, or slide to one of two sides.
fn planar(friction: f64, w: &[f64], q: &[f64], r: &mut [f64]) {
    if q[0] >= 0.0 || w[0] <= 0.0 {
        r.fill(0.0);
        return;
    }
    let determinant = w[0] * w[3] - w[1] * w[2];
    if determinant > 1e-14 * w[0] * w[3] {
        let normal = (-q[0] * w[3] + q[1] * w[1]) / determinant;
        let tangential = (-q[1] * w[0] + q[0] * w[2]) / determinant;
        if tangential.abs() <= friction * normal {
            r[0] = normal;
            r[1] = tangential;
            return;
        }
    }
    // Slide: r_T = s μ r_N and u_T has the sign of −s.
    for sign in [1.0, -1.0] {
        let pivot = w[0] + sign * friction * w[1];
        if pivot <= 0.0 {
            continue;
        }
        let normal = -q[0] / pivot;
        let tangential = sign * friction * normal;
        let slip = w[2] * normal + w[3] * tangential + q[1];
        if slip * sign <= 0.0 {
            r[0] = normal;
            r[1] = tangential;
            return;
        }
    }
    let normal = -q[0] / w[0];
    r[0] = normal;
    r[1] = 0.0;
}

/// Friction in space. `false` when W is too degenerate for the case distinction.
fn spatial(friction: f64, w: &[f64; 9], q: &[f64; 3], r: &mut [f64; 3]) -> bool {
    if q[0] >= 0.0 {
        r.fill(0.0);
        return true;
    }
    if w[0] <= 0.0 {
        return false;
    }
    let inverse = 1.0 / w[0];
    if friction == 0.0 {
        // Without friction α would be infinite.
        r.copy_from_slice(&[-q[0] * inverse, 0.0, 0.0]);
        return true;
    }
    let s = [
        w[4] - w[3] * w[1] * inverse,
        w[5] - w[3] * w[2] * inverse,
        w[7] - w[6] * w[1] * inverse,
        w[8] - w[6] * w[2] * inverse,
    ];
    let b = [q[1] - w[3] * q[0] * inverse, q[2] - w[6] * q[0] * inverse];
    let scale = 0.5 * (s[0].abs() + s[3].abs());
    // r(α) and φ(α); `None` where S + αI is singular.
    let at = |alpha: f64| {
        let (a, d) = (s[0] + alpha, s[3] + alpha);
        let determinant = a * d - s[1] * s[2];
        if determinant.abs() <= 1e-14 * (a * d).abs() {
            return None;
        }
        let t1 = (-b[0] * d + b[1] * s[1]) / determinant;
        let t2 = (-b[1] * a + b[0] * s[2]) / determinant;
        let normal = -(q[0] + w[1] * t1 + w[2] * t2) * inverse;
        Some((
            [normal, t1, t2],
            (t1 * t1 + t2 * t2).sqrt() - friction * normal,
        ))
    };
    let mut low = 0.0;
    let mut phi_low = f64::INFINITY;
    if let Some((stick, phi)) = at(0.0) {
        if phi <= 0.0 {
            *r = stick;
            return true;
        }
        if let Some(slide) = newton(friction, w, &s, q[0], stick) {
            *r = on_cone(friction, slide);
            return true;
        }
        phi_low = phi;
    }
    // Bracket the root from above, then regula falsi with the Illinois halving.
    let mut high = scale.max(f64::MIN_POSITIVE);
    let mut at_high = None;
    for _ in 0..200 {
        match at(high) {
            Some((point, phi)) if phi <= 0.0 => {
                at_high = Some((point, phi));
                break;
            }
            Some((_, phi)) => (low, phi_low) = (high, phi),
            None => low = high,
        }
        high *= 4.0;
    }
    let Some((mut point, mut phi_high)) = at_high else {
        return false;
    };
    for _ in 0..100 {
        if high - low <= 64.0 * f64::EPSILON * high {
            break;
        }
        let falsi = (low * phi_high - high * phi_low) / (phi_high - phi_low);
        let trial = if falsi > low && falsi < high {
            falsi
        } else {
            0.5 * (low + high)
        };
        let Some((candidate, phi)) = at(trial) else {
            break;
        };
        if phi <= 0.0 {
            (high, phi_high, point) = (trial, phi, candidate);
            phi_low *= 0.5;
        } else {
            (low, phi_low) = (trial, phi);
            phi_high *= 0.5;
        }
        if phi.abs() <= 64.0 * f64::EPSILON * friction * candidate[0].abs() {
            point = candidate;
            break;
        }
    }
    *r = on_cone(friction, point);
    true
}

/// Takes back what rounding left beside the cone.
fn on_cone(friction: f64, [normal, t1, t2]: [f64; 3]) -> [f64; 3] {
    let length = (t1 * t1 + t2 * t2).sqrt();
    if length > 0.0 {
        let shrink = friction * normal.max(0.0) / length;
        [normal, shrink * t1, shrink * t2]
    } else {
        [normal, t1, t2]
    }
}

/// Newton's method for the slide from α = 0, where r = `stick` lies outside the cone.
///
/// It is applied to h(α) = 1/|r_T| − 1/(μ r_N) as in trust-region methods: where S is a multiple of the identity and
/// does not couple with the normal, as for spheres, h is linear and one step is exact. `None` when it leaves
/// the region in which h increases; the caller then brackets the root.
fn newton(
    friction: f64,
    w: &[f64; 9],
    s: &[f64; 4],
    q_normal: f64,
    stick: [f64; 3],
) -> Option<[f64; 3]> {
    let inverse = 1.0 / w[0];
    let mut point = stick;
    let mut alpha = 0.0;
    // b = −S r_T at α = 0.
    let b = [
        -(s[0] * stick[1] + s[1] * stick[2]),
        -(s[2] * stick[1] + s[3] * stick[2]),
    ];
    for _ in 0..12 {
        let (a, d) = (s[0] + alpha, s[3] + alpha);
        let determinant = 1.0 / (a * d - s[1] * s[2]);
        if alpha > 0.0 {
            let t1 = (b[1] * s[1] - b[0] * d) * determinant;
            let t2 = (b[0] * s[2] - b[1] * a) * determinant;
            point = [-(q_normal + w[1] * t1 + w[2] * t2) * inverse, t1, t2];
        }
        let [normal, t1, t2] = point;
        let bound = friction * normal;
        let length = (t1 * t1 + t2 * t2).sqrt();
        if (length - bound).abs() <= 64.0 * f64::EPSILON * bound {
            return Some(point);
        }
        // dr_T/dα = −(S + αI)⁻¹ r_T.
        let d1 = (t2 * s[1] - t1 * d) * determinant;
        let d2 = (t1 * s[2] - t2 * a) * determinant;
        let length_slope = (t1 * d1 + t2 * d2) / length;
        let bound_slope = -friction * (w[1] * d1 + w[2] * d2) * inverse;
        // h/h' with the common factor 1/(length bound)² taken out.
        let slope = bound_slope * length * length - length_slope * bound * bound;
        if !(bound > 0.0 && slope > 0.0) {
            return None;
        }
        alpha -= (bound - length) * length * bound / slope;
        if !(alpha > 0.0) {
            return None;
        }
    }
    None
}

/// Fixed-point iteration of the natural map on this one block.
fn iterate(cone: &Cone, matrix: &[f64], free: &[f64], impulse: &mut [f64]) {
    let d = impulse.len();
    let largest = SmallMatrix::from_rows(d, matrix).largest_eigenvalue_symmetric();
    if largest <= 0.0 {
        return;
    }
    let step = 1.0 / largest;
    let mut velocity = [0.0; MAX_DIMENSION];
    let mut map = [0.0; MAX_DIMENSION];
    for _ in 0..LOCAL_ITERATIONS {
        for row in 0..d {
            let own: f64 = (0..d).map(|k| matrix[row * d + k] * impulse[k]).sum();
            velocity[row] = free[row] + own;
        }
        FrictionLaw::Coulomb.natural_map(cone, step, impulse, &velocity[..d], &mut map[..d]);
        let (mut change, mut size) = (0.0, 0.0);
        for k in 0..d {
            impulse[k] -= map[k];
            change += map[k] * map[k];
            size += impulse[k] * impulse[k];
        }
        if change <= 1e-30 * size {
            break;
        }
    }
}
