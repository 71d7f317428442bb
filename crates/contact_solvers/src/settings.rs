//! What every solve is told, whatever its method.

use crate::approach::ApproachLimits;
use crate::residual::{Measure, MeasureSettings};

/// When to stop and what to measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The solve has converged when `measure` is at or below this. Default 1e-8.
    pub tolerance: f64,
    /// Largest number of iterations; `None` takes the method's own default.
    pub max_iterations: Option<usize>,
    /// Largest wall-clock time in seconds; `None` for no limit.
    pub time_limit: Option<f64>,
    /// What is measured. Default: the natural-map error of the law.
    pub measure: Measure,
    /// Free parameters of the published measures.
    pub measures: MeasureSettings,
    /// First-order methods measure every so many iterations. Default 1.
    pub check_interval: usize,
    /// The normal velocity of each contact may be below zero, and the velocity of each row of a joint differ from zero, by no
    /// more than this at the end, in the unit of velocity; empty for no such demand. A time step asks for it so that no two
    /// bodies overlap and no joint comes apart by more than they may: an error that is small as a sum over all blocks can be
    /// large at one of them. Default empty.
    pub approach_limits: ApproachLimits,
    /// Solve parts of the problem that have no body in common apart, each to the tolerance by its own measure (see the module
    /// `islands`). Default `false`.
    pub islands: bool,
    /// Evaluate every measure for the report. Otherwise only the natural-map error and `measure`, which are all that
    /// a time step needs; the others are NaN. Default `true`.
    pub all_measures: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            max_iterations: None,
            time_limit: None,
            measure: Measure::Natural,
            measures: MeasureSettings::default(),
            check_interval: 1,
            approach_limits: ApproachLimits::default(),
            islands: false,
            all_measures: true,
        }
    }
}
