//! Spring with a damper between two points, stable for any step and of second order.
//!
//! Along its line, with the elongations φ⁻, φ, φ⁺ a step ago, now and a step on, the speeds u = (φ − φ⁻)/h and
//! u⁺ = (φ⁺ − φ)/h, stiffness k, damping d and mass m of what moves, the force is
//!
//! ```text
//!   f = −k [(1 − s) (φ⁺ + 2 φ + φ⁻)/4 + s φ⁺] − d [θ u⁺ + (1 − θ) u],    m (u⁺ − u) = h f
//! ```
//!
//! Both schemes advance poses by h u⁺, so that speeds belong to the middle between two poses, and the trapezoidal mean s = 0
//! is centred: an oscillation of ω = √(k/m) keeps its amplitude and takes the phase ψ with tan(ψ/2) = ω h/2 in a step, an error
//! of second order. Multiplied by ½ (u⁺ + u) the equation says that
//!
//! ```text
//!   E = ½ (m + s k h²/4 + (θ − ½) d h) u² + ½ k ((φ + φ⁻)/2)²
//!   E⁺ − E = −¼ (s k h² + d h) (u⁺ + u)²
//! ```
//!
//! which is never positive for s ≥ 0 and θ ≥ ½, for any step and stiffness, and for any number of springs. (Where the line
//! turns, the elongation is that of the linearised motion, as in every joint.) An oscillation that the step does not
//! resolve would ring for ever between two positions: from ω h = 1 on, s = 1 − 1/(ω h)², which goes over to the force at the end
//! of the step and takes the energy out. For the damper θ = 1/(1 − e⁻ᶜ) − 1/c with c = h d/m, which makes u⁺ = e⁻ᶜ u the
//! true decay and is ½ to the order h.

use super::distance;
use super::parts::{Ends, Row, points_coincide};

/// Below this c the series of θ is exact to rounding.
const SMALL: f64 = 1e-3;

/// What a force along a row takes of the elongations and speeds of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weights {
    /// Of φ⁻, φ and φ⁺.
    pub elongations: [f64; 3],
    /// θ: of u⁺; the rest is that of u.
    pub next_speed: f64,
}

impl Weights {
    /// Those of stiffness and damping over the mass of what moves, for a step.
    pub fn new(stiffness_over_mass: f64, damping_over_mass: f64, step: f64) -> Self {
        let unresolved = 1.0 / (stiffness_over_mass * step * step);
        let s = 1.0 - unresolved.min(1.0);
        let mean = 0.25 * (1.0 - s);
        let c = step * damping_over_mass;
        let next_speed = if c < SMALL {
            0.5 + c / 12.0
        } else {
            -1.0 / (-c).exp_m1() - 1.0 / c
        };
        Self {
            elongations: [mean, 2.0 * mean, mean + s],
            next_speed,
        }
    }
}

/// Without a rest length the force has no kink where the points meet, and all three directions are rows.
pub(super) fn rows(rest_length: f64) -> usize {
    if rest_length == 0.0 { 3 } else { 1 }
}

pub(super) fn constraints(ends: &Ends, rest_length: f64, rows: &mut Vec<Row>) {
    if rest_length == 0.0 {
        points_coincide(ends, rows);
    } else {
        distance::constraints(ends, rest_length, rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_a_mean_and_go_from_the_trapezoid_to_the_end_of_the_step() {
        for k in -60..=60 {
            let strength = f64::powf(10.0, 0.2 * f64::from(k));
            let weights = Weights::new(strength, strength, 1.0);
            let [before, now, next] = weights.elongations;
            assert!((before + now + next - 1.0).abs() < 1e-15);
            assert!(before >= 0.0 && now >= 0.0 && next >= before);
            let theta = weights.next_speed;
            assert!((0.5..=1.0).contains(&theta), "{strength}: {theta}");
            // u⁺ (1 + c θ) = u (1 − c (1 − θ)).
            let decay = (1.0 - strength * (1.0 - theta)) / (1.0 + strength * theta);
            assert!((decay - (-strength).exp()).abs() < 1e-13, "{strength}");
        }
        assert_eq!(Weights::new(0.5, 0.0, 1.0).elongations, [0.25, 0.5, 0.25]);
        assert_eq!(Weights::new(0.0, 0.0, 1.0).elongations, [0.25, 0.5, 0.25]);
        assert_eq!(Weights::new(0.0, 0.0, 1.0).next_speed, 0.5);
    }
}
