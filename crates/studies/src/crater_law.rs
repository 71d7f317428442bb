//! The law of the crater's depth, fitted to what was measured.

use crate::crater::{BALL, Drop, FRICTION, GRAIN_DENSITY};
use crate::fit::least_squares_with_errors;

/// Eq. 28: the exponents of ρ_b/ρ_g and of H.
pub const EXPONENTS: [f64; 2] = [1.0 / 2.0, 1.0 / 3.0];

/// The length (ρ_b/ρ_g)^½ D^⅔ H^⅓/μ that the depth is held against, in m.
fn scale(density: f64, total_drop: f64) -> f64 {
    let [by_density, by_height] = EXPONENTS;
    (density / GRAIN_DENSITY).powf(by_density)
        * BALL.powf(1.0 - by_height)
        * total_drop.powf(by_height)
        / FRICTION
}

/// The depth that the law gives with a constant: H = h + d holds the depth itself.
pub fn predicted(constant: f64, density: f64, height: f64) -> f64 {
    // Each turn brings the error down to a third of d/H or less of what it was.
    (0..60).fold(0.0, |depth, _| constant * scale(density, height + depth))
}

impl Drop {
    /// The whole way down, in m.
    pub fn total(&self) -> f64 {
        self.height + self.depth
    }

    /// The length that the depth is held against, in m.
    pub fn scale(&self) -> f64 {
        scale(self.density, self.total())
    }
}

/// What the drops say together.
pub struct Law {
    /// c of Eq. 28; NaN when the drops do not tell.
    pub constant: f64,
    /// Its standard error.
    pub constant_error: f64,
    /// Of ρ_b/ρ_g and of H; NaN when the drops do not tell.
    pub exponents: [f64; 2],
    /// Their standard errors.
    pub exponent_errors: [f64; 2],
}

impl Law {
    /// The law when depths count from a surface that lies higher by `lift`, in m. (The whole way H stays as it is.)
    pub fn of(drops: &[Drop], lift: impl Fn(&Drop) -> f64) -> Self {
        let depth = |drop: &Drop| drop.depth + lift(drop);
        let line: Vec<_> = drops.iter().map(|d| ([d.scale()], depth(d))).collect();
        let plane: Vec<_> = drops
            .iter()
            .map(|d| {
                let x = [1.0, (d.density / GRAIN_DENSITY).ln(), d.total().ln()];
                (x, depth(d).ln())
            })
            .collect();
        let unknown = ([f64::NAN; 3], [f64::NAN; 3]);
        let (exponents, errors) = least_squares_with_errors(&plane).unwrap_or(unknown);
        let unknown = ([f64::NAN], [f64::NAN]);
        let ([constant], [constant_error]) = least_squares_with_errors(&line).unwrap_or(unknown);
        Self {
            constant,
            constant_error,
            exponents: [exponents[1], exponents[2]],
            exponent_errors: [errors[1], errors[2]],
        }
    }
}
