//! The measures by name, and their free parameters.

use std::fmt;
use std::str::FromStr;

/// An error measure by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// The relative natural-map error.
    Natural,
    /// The dimensionless energy measure eta.
    Energy,
    /// Mazhar Eq. 25.
    Mazhar,
    /// Tasora's w.
    Tasora,
    /// Silcowitz' ‖∇f‖².
    Silcowitz,
    /// Koziara's g(R).
    Koziara,
    /// De's residuals r_p, r_d, r_c.
    De,
    /// The relative duality gap.
    Gap,
    /// The largest violation at a single contact.
    Max,
}

impl Measure {
    /// Every measure.
    pub const ALL: [Measure; 9] = [
        Measure::Natural,
        Measure::Energy,
        Measure::Mazhar,
        Measure::Tasora,
        Measure::Silcowitz,
        Measure::Koziara,
        Measure::De,
        Measure::Gap,
        Measure::Max,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Natural => "natural",
            Measure::Energy => "energy",
            Measure::Mazhar => "mazhar",
            Measure::Tasora => "tasora",
            Measure::Silcowitz => "silcowitz",
            Measure::Koziara => "koziara",
            Measure::De => "de",
            Measure::Gap => "gap",
            Measure::Max => "max",
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Measure {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|m| m.name() == name)
            .ok_or_else(|| {
                let names: Vec<_> = Self::ALL.iter().map(|m| m.name()).collect();
                format!(
                    "there is no measure '{name}'; the measures are {}",
                    names.join(", ")
                )
            })
    }
}

/// Free parameters of the published measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasureSettings {
    /// g_d of Mazhar Eq. 25; the paper uses 1e-6.
    pub mazhar_step: f64,
    /// τ_g of Tasora's w.
    pub tasora_step: f64,
}

impl Default for MeasureSettings {
    fn default() -> Self {
        Self {
            mazhar_step: 1e-6,
            tasora_step: 1e-6,
        }
    }
}
