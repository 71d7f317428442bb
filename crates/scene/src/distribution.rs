//! Random sizes.

use crate::model;
use crate::random::Random;
use serde::{Deserialize, Serialize};

/// A distribution of positive numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Distribution {
    Constant(f64),
    Uniform { min: f64, max: f64 },
    Normal { mean: f64, deviation: f64 },
    List { values: Vec<f64>, weights: Vec<f64> },
}

impl Distribution {
    /// Checks what a file says.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(from: &model::Distribution) -> Result<Self, String> {
        use model::DistributionKind as Kind;
        let distribution = match from {
            model::Distribution::Constant(value) => Self::Constant(*value),
            model::Distribution::Random(Kind::Uniform { min, max }) => {
                if min > max {
                    return Err(format!(
                        "min is {min} and max {max}; min must not be larger"
                    ));
                }
                Self::Uniform {
                    min: *min,
                    max: *max,
                }
            }
            model::Distribution::Random(Kind::Normal { mean, deviation }) => Self::Normal {
                mean: *mean,
                deviation: *deviation,
            },
            model::Distribution::Random(Kind::List { values, weights }) => {
                let weights = weights.clone().unwrap_or_else(|| vec![1.0; values.len()]);
                if weights.len() != values.len() {
                    return Err(format!(
                        "there are {} values and {} weights; expected as many",
                        values.len(),
                        weights.len()
                    ));
                }
                if let Some(weight) = weights.iter().find(|w| !(**w > 0.0)) {
                    return Err(format!("a weight is {weight}; weights must be positive"));
                }
                Self::List {
                    values: values.clone(),
                    weights,
                }
            }
        };
        let smallest = distribution.smallest();
        if smallest > 0.0 {
            Ok(distribution)
        } else {
            Err(format!("{smallest} is no size; sizes must be positive"))
        }
    }

    /// Draws a number.
    pub fn draw(&self, random: &mut Random) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Uniform { min, max } => random.between(*min, *max),
            Self::Normal { mean, deviation } => loop {
                let deviate = random.normal();
                let value = mean + deviation * deviate;
                // The mean itself always passes, so that this ends.
                if deviate.abs() <= 3.0 && value >= 0.1 * mean {
                    return value;
                }
            },
            Self::List { values, weights } => values[random.weighted(weights.iter().copied())],
        }
    }

    /// Whether it gives many different numbers.
    pub fn is_continuous(&self) -> bool {
        matches!(self, Self::Uniform { .. } | Self::Normal { .. })
    }

    /// No number is below this.
    pub fn smallest(&self) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Uniform { min, .. } => *min,
            Self::Normal { mean, deviation } => (mean - 3.0 * deviation).max(0.1 * mean),
            Self::List { values, .. } => values.iter().copied().fold(f64::INFINITY, f64::min),
        }
    }

    /// No number is above this.
    pub fn largest(&self) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Uniform { max, .. } => *max,
            Self::Normal { mean, deviation } => mean + 3.0 * deviation,
            Self::List { values, .. } => values.iter().copied().fold(0.0, f64::max),
        }
    }
}
