//! Random numbers whose state can be kept in a checkpoint.

use glam::{DQuat, DVec3};
use moreau_contact_solvers::generate::SplitMix64;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// A stream of random numbers: the state of a SplitMix64.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    /// The stream of a number for one of several users of it.
    pub fn new(seed: u64, user: u64) -> Self {
        let scatter = SplitMix64::new(seed ^ user.wrapping_mul(0xD1B5_4A32_D192_ED03)).next_u64();
        Self { state: scatter }
    }

    /// A number between `low` and `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let mut generator = SplitMix64::new(self.state);
        let number = generator.between(low, high);
        self.state = generator.state();
        number
    }

    /// A point of a box.
    pub fn in_box(&mut self, lower: DVec3, upper: DVec3) -> DVec3 {
        DVec3::from_array([0, 1, 2].map(|k| self.between(lower[k], upper[k])))
    }

    /// A number of the normal distribution (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        // Away from zero, whose logarithm is infinite.
        let radius = (-2.0 * (1.0 - self.between(0.0, 1.0)).ln()).sqrt();
        radius * (self.between(0.0, TAU)).cos()
    }

    /// An index, each as likely as its weight says.
    pub fn weighted(&mut self, weights: impl Iterator<Item = f64> + Clone) -> usize {
        let total: f64 = weights.clone().sum();
        let mut left = self.between(0.0, total);
        let mut last = 0;
        for (index, weight) in weights.enumerate() {
            last = index;
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
        last
    }

    /// A rotation, all as likely (Shoemake).
    pub fn rotation(&mut self) -> DQuat {
        let u = self.between(0.0, 1.0);
        let (a, b) = (self.between(0.0, TAU), self.between(0.0, TAU));
        let (p, q) = ((1.0 - u).sqrt(), u.sqrt());
        DQuat::from_xyzw(p * a.sin(), p * a.cos(), q * b.sin(), q * b.cos()).normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_that_of_the_generator() {
        let mut random = Random::new(7, 0);
        let mut generator = SplitMix64::new(random.state);
        for _ in 0..5 {
            assert_eq!(random.between(0.0, 1.0), generator.between(0.0, 1.0));
        }
    }
}
