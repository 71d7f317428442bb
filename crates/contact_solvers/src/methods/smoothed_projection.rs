//! The projection onto the polar of a friction cone, smoothed so that it has a derivative everywhere
//! (Koziara 2017, Eqs. 19 to 38 and Appendix A, after Fukushima, Luo and Tseng 2002).
//!
//! In the plane of the normal and of t = z_T/|z_T| the polar cone K° and the cone −K meet at a right
//! angle, along the spectral vectors u₁ = (−1, −μ t) and u₂ = (−μ, t), here with the normal first. With
//!
//! ```text
//!   λ₁ = (−z_N − μ|z_T|) / (1 + μ²),   λ₂ = (|z_T| − μ z_N) / (1 + μ²)            (20)
//! ```
//!
//! z = λ₁u₁ + λ₂u₂ and proj_K°(z) = max(0, λ₁) u₁ + max(0, λ₂) u₂ (23). Each max(0, λ) is replaced by
//!
//! ```text
//!   g₁ = ½ (λ₁ + √(λ₁² + 4ω²)),   g₂ = ½ (λ₂ + √(λ₂² + 4μ²ω²))                    (31)
//! ```
//!
//! which are at most ω and μω above it. The derivative has four numbers,
//!
//! ```text
//!   ġ₁ = ½ (1 + λ₁/√(λ₁² + 4ω²)),   ġ₂ = ½ (1 + λ₂/√(λ₂² + 4μ²ω²))               (34)
//!   a = ½ (1 + (λ₂ + μλ₁) / (√(λ₂² + 4μ²ω²) + μ√(λ₁² + 4ω²)))                     (35)
//!   b = (μ²ġ₁ + ġ₂)/(1 + μ²)   c = μ(ġ₁ − ġ₂)/(1 + μ²)   d = (ġ₁ + μ²ġ₂)/(1 + μ²)   (36-38)
//!
//!        | d     c tᵀ              |
//!   ∇  = | c t   a I + (b − a) ttᵀ |                                              (27)
//! ```
//!
//! Since a = (g₂ − μ g₁)/|z_T| the tangential part of the projection is a z_T, which has no division by
//! |z_T|; and as z_T → 0 with μ > 0, a and b tend to ġ₁ and c to 0, so the formula needs no case of its own
//! there: any t will do, and t = 0 is taken.
//!
//! One correction: Eq. 27 gives ġ₁ I at z_T = 0 for μ = 0 too, but then proj_K°(z)_T = z_T, whose derivative
//! is I. The limits μ → 0 and z_T → 0 do not commute; at μ = 0 a = b = 1 is right for every z_T.

/// Writes the smoothed projection of `z`, normal first, onto the polar of the cone |z_T| ≤ μ z_N into
/// `value` and its derivative, row-major, into `derivative`. The tangential part has zero (frictionless),
/// one or two components.
///
/// ```
/// use moreau_contact_solvers::methods::smoothed_projection::smoothed_polar_projection;
/// let (mut value, mut derivative) = ([0.0; 3], [0.0; 9]);
/// // A point of the polar cone stays where it is, up to the smoothing.
/// smoothed_polar_projection(0.5, 1e-8, &[-3.0, 1.0, 0.0], &mut value, &mut derivative);
/// assert!((value[0] + 3.0).abs() < 1e-7 && (value[1] - 1.0).abs() < 1e-7);
/// ```
pub fn smoothed_polar_projection(
    friction: f64,
    omega: f64,
    z: &[f64],
    value: &mut [f64],
    derivative: &mut [f64],
) {
    let dimension = z.len();
    let mu = friction;
    let length = z[1..].iter().map(|v| v * v).sum::<f64>().sqrt();
    let s = 1.0 / (1.0 + mu * mu);
    let lambda_1 = (-z[0] - mu * length) * s;
    let lambda_2 = (length - mu * z[0]) * s;
    let root_1 = lambda_1.hypot(2.0 * omega);
    let root_2 = lambda_2.hypot(2.0 * mu * omega);

    let dg_1 = 0.5 * (1.0 + quotient(lambda_1, root_1));
    let dg_2 = 0.5 * (1.0 + quotient(lambda_2, root_2));
    let a = 0.5 * (1.0 + quotient(lambda_2 + mu * lambda_1, root_2 + mu * root_1));
    let b = (mu * mu * dg_1 + dg_2) * s;
    let c = mu * (dg_1 - dg_2) * s;
    let d = (dg_1 + mu * mu * dg_2) * s;

    value[0] = -smoothed_positive_part(lambda_1, root_1, omega)
        - mu * smoothed_positive_part(lambda_2, root_2, mu * omega);
    derivative[0] = d;
    for i in 1..dimension {
        let t_i = if length > 0.0 { z[i] / length } else { 0.0 };
        value[i] = a * z[i];
        derivative[i] = c * t_i;
        derivative[i * dimension] = c * t_i;
        for j in 1..dimension {
            let t_j = if length > 0.0 { z[j] / length } else { 0.0 };
            let identity = f64::from(u8::from(i == j));
            derivative[i * dimension + j] = a * identity + (b - a) * (t_i * t_j);
        }
    }
}

/// ½ (λ + root) with root = √(λ² + 4κ²); for λ < 0 as 2κ²/(root − λ), which does not cancel.
fn smoothed_positive_part(lambda: f64, root: f64, kappa: f64) -> f64 {
    if lambda < 0.0 {
        2.0 * kappa * (kappa / (root - lambda))
    } else {
        0.5 * (lambda + root)
    }
}

/// λ/root; one, the value at μ = 0, where both vanish.
fn quotient(lambda: f64, root: f64) -> f64 {
    if root > 0.0 { lambda / root } else { 1.0 }
}

/// √(|u|² + ω²) − ω, the norm smoothed at zero (Eq. 39), written without cancellation.
pub fn smoothed_norm(omega: f64, u: &[f64]) -> f64 {
    let square = u.iter().map(|v| v * v).sum::<f64>();
    if square == 0.0 {
        return 0.0;
    }
    square / ((square + omega * omega).sqrt() + omega)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cones::Cone;
    use proptest::prelude::*;

    fn at(mu: f64, omega: f64, z: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let d = z.len();
        let (mut value, mut derivative) = (vec![0.0; d], vec![0.0; d * d]);
        smoothed_polar_projection(mu, omega, z, &mut value, &mut derivative);
        (value, derivative)
    }

    /// Points with z_T of ordinary size, tiny, and zero.
    fn point(d: usize) -> impl Strategy<Value = Vec<f64>> {
        let shrink = prop_oneof![Just(1.0), Just(1e-3), Just(1e-7), Just(0.0)];
        (prop::collection::vec(-3.0..3.0_f64, d), shrink).prop_map(|(mut z, shrink)| {
            z[1..].iter_mut().for_each(|v| *v *= shrink);
            z
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn the_derivative_agrees_with_central_differences(
            z in (1_usize..4).prop_flat_map(point),
            mu in prop_oneof![Just(0.0), 0.05..2.0_f64],
            omega in prop_oneof![Just(1e-2), Just(0.1), Just(1.0)],
        ) {
            let d = z.len();
            let (_, derivative) = at(mu, omega, &z);
            // At z_T = 0 the derivative has kinks of slope 1/(μω) at most, so a step of 10⁻⁶ of that radius
            // errs by 10⁻⁶; away from there it errs by far less.
            let radius = if mu > 0.0 { omega * mu.min(1.0) } else { omega };
            let h = 1e-6 * radius;
            for j in 0..d {
                let (mut plus, mut minus) = (z.clone(), z.clone());
                plus[j] += h;
                minus[j] -= h;
                let (plus, _) = at(mu, omega, &plus);
                let (minus, _) = at(mu, omega, &minus);
                for i in 0..d {
                    let difference = (plus[i] - minus[i]) / (2.0 * h);
                    // The second term is the rounding of values of size 5.
                    let allowed = 2e-6 + 4e-15 / h;
                    prop_assert!(
                        (difference - derivative[i * d + j]).abs() < allowed,
                        "({i}, {j}): {difference} against {}", derivative[i * d + j]
                    );
                }
            }
        }

        #[test]
        fn it_tends_to_the_projection_onto_the_polar_cone(
            z in point(3), mu in prop_oneof![Just(0.0), 0.01..2.0_f64],
        ) {
            // Moreau: the projection onto the polar cone is what the projection onto the cone leaves.
            let mut onto_cone = z.clone();
            Cone::Friction { friction: mu }.project(&mut onto_cone);
            for omega in [1e-2, 1e-5, 1e-9] {
                let (value, _) = at(mu, omega, &z);
                for k in 0..3 {
                    // |g₁ − max(0, λ₁)| ≤ ω, |g₂ − max(0, λ₂)| ≤ μω, and |u| = √(1 + μ²).
                    let bound = omega * (1.0 + mu) * (1.0 + mu * mu).sqrt() + 1e-14;
                    prop_assert!((value[k] - (z[k] - onto_cone[k])).abs() <= bound);
                }
            }
        }

        #[test]
        fn the_derivative_is_symmetric_and_between_zero_and_one(
            z in point(3), mu in 0.01..2.0_f64, omega in 1e-3..1.0_f64,
            x in prop::collection::vec(-1.0..1.0_f64, 3),
        ) {
            let (_, m) = at(mu, omega, &z);
            prop_assert!(m[1] == m[3] && m[2] == m[6] && m[5] == m[7]);
            let form: f64 = (0..9).map(|k| x[k / 3] * m[k] * x[k % 3]).sum();
            let square: f64 = x.iter().map(|v| v * v).sum();
            prop_assert!(form >= -1e-15 && form <= square + 1e-15);
        }
    }

    #[test]
    fn the_smoothed_norm_is_the_formula_of_the_paper() {
        for (omega, u) in [
            (0.5_f64, [3.0_f64, 4.0]),
            (1e-3, [1e-2, -2e-2]),
            (1.0, [0.0, 0.0]),
        ] {
            let formula = (u[0] * u[0] + u[1] * u[1] + omega * omega).sqrt() - omega;
            assert!((smoothed_norm(omega, &u) - formula).abs() < 1e-15);
        }
    }
}
