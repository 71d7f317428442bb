//! What the measures answer with.

use super::Measure;

/// De's three residuals.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DeResiduals {
    /// Largest violation of γ ∈ K.
    pub primal: f64,
    /// Largest violation of u ∈ K*.
    pub dual: f64,
    /// |γᵀu| per block.
    pub complementarity: f64,
}

impl DeResiduals {
    /// What De's solvers stop on.
    pub fn largest(&self) -> f64 {
        larger(larger(self.primal, self.dual), self.complementarity)
    }
}

/// The larger of two errors. What is not a number is worse than any number; `f64::max` would pass it over.
pub(crate) fn larger(one: f64, other: f64) -> f64 {
    if one.is_nan() || one >= other {
        one
    } else {
        other
    }
}

/// The largest single violation and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Violation {
    /// Relative size.
    pub error: f64,
    /// The block; `None` when there is no block at all.
    pub contact: Option<usize>,
}

/// All measures of one answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Errors {
    /// [`Measure::Natural`].
    pub natural: f64,
    /// [`Measure::Energy`].
    pub energy: f64,
    /// [`Measure::Mazhar`].
    pub mazhar: f64,
    /// [`Measure::Tasora`].
    pub tasora: f64,
    /// [`Measure::Silcowitz`].
    pub silcowitz: f64,
    /// [`Measure::Koziara`].
    pub koziara: f64,
    /// [`Measure::De`], its three parts.
    pub de: DeResiduals,
    /// [`Measure::Gap`]; only for the relaxed law.
    pub gap: Option<f64>,
    /// [`Measure::Max`] and its place.
    pub max: Violation,
    /// f(γ) = ½ γᵀNγ + rᵀγ (with the symmetric part of N).
    pub objective: f64,
}

impl Errors {
    /// The value of one measure; NaN for a gap that does not exist.
    pub fn get(&self, measure: Measure) -> f64 {
        match measure {
            Measure::Natural => self.natural,
            Measure::Energy => self.energy,
            Measure::Mazhar => self.mazhar,
            Measure::Tasora => self.tasora,
            Measure::Silcowitz => self.silcowitz,
            Measure::Koziara => self.koziara,
            Measure::De => self.de.largest(),
            Measure::Gap => self.gap.unwrap_or(f64::NAN),
            Measure::Max => self.max.error,
        }
    }
}
