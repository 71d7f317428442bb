//! Spring with a damper between two points, with the force that it has at the end of the step.
//!
//! Along its line, with the elongation φ, stiffness k, damping d and mass m of what moves,
//!
//! ```text
//!   m (v⁺ − v) = h f,    f = −k φ⁺ − d v⁺,    φ⁺ = φ + h v⁺
//! ```
//!
//! The energy E = ½ m v² + ½ k φ² then changes by
//!
//! ```text
//!   E⁺ − E = m (v⁺ − v) v⁺ − ½ m (v⁺ − v)² + k φ⁺ h v⁺ − ½ k (φ⁺ − φ)²
//!          = −h d (v⁺)² − ½ m (v⁺ − v)² − ½ k (φ⁺ − φ)²
//! ```
//!
//! which is never positive, for any step and stiffness. (Where the line turns, the elongation is that of the linearised
//! motion, as in every joint.) The price is a damping that the spring does not have: an oscillation
//! of frequency ω = √(k/m) loses the factor √(1 + ω² h²) of its amplitude in every step, which is the damping ratio ω h / 2
//! where the step is small. A spring that swings many times within what is looked at is better taken at the beginning of
//! the step ([`crate::forces::Spring`]), with a step below 2/ω.

use super::distance;
use super::parts::{Ends, Row, points_coincide};

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
