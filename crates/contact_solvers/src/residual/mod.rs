//! The referee: every error measure, each in one function of (problem, law, impulses).
//!
//! No solver judges itself. Solvers stop on these functions, tables print them, tests assert them;
//! they see the problem as it was stated and the impulses that came back, nothing else.
//!
//! With x = γ (shifted by the cohesion where there is one), u = Nγ + r, û the velocity of the
//! [law](crate::law) and F(ρ) = x − Π(x − ρ û) its natural map:
//!
//! | name | measure | from |
//! |---|---|---|
//! | `natural` | ‖F(1)‖ / max(‖r‖, ‖x‖, ‖u‖) | FCLIB, Siconos |
//! | `energy` | √(Σ g_i ‖F_i(1/g_i)‖²) / √(Σ ‖r_i‖²/g_i), g_i = tr(N_ii)/d to single precision | square root of an energy ratio |
//! | `mazhar` | ‖F(g_d)‖ / (n g_d), n the number of rows | Mazhar 2015, Eq. 25 |
//! | `tasora` | ‖F(τ)‖ / τ | Tasora 2013, w |
//! | `silcowitz` | ‖PGS(x) − x‖² | Silcowitz 2010, ‖∇f‖² |
//! | `koziara` | Σ C_iᵀ N_ii⁻¹ C_i / Σ r_iᵀ N_ii⁻¹ r_i, C = F(1) | Koziara 2017, Eq. 40 |
//! | `de` | max(‖r_p‖∞, ‖r_d‖∞, r_c) | De 2019, §III.C |
//! | `gap` | duality gap / (½ xᵀNx + ‖rᵀx‖) | relaxed law |
//! | `max` | max_i ‖F_i(1)‖ / max_i max(‖r_i‖, ‖x_i‖, ‖u_i‖) | |
//!
//! `mazhar` divides by the number of rows and so falls with the size of a problem whatever the
//! solution is; it is reported, and should not decide.

mod duality_gap;
mod errors;
mod evaluation;
mod measure;
mod natural_map;
mod published;

use crate::law::FrictionLaw;
use crate::problem::ContactProblem;
pub use duality_gap::{gap, objective};
pub(crate) use errors::larger;
pub use errors::{DeResiduals, Errors, Violation};
pub use evaluation::Evaluation;
pub use measure::{Measure, MeasureSettings};
pub(crate) use natural_map::{EnergyWeights, energy_scale};
pub use natural_map::{energy, largest_violation, natural};
pub use published::{de, koziara, mazhar, silcowitz, tasora};

/// Below this a relative measure becomes absolute: velocities and impulses of this size are the
/// rounding of quantities that cancelled.
pub const ABSOLUTE_FLOOR: f64 = f64::EPSILON;

/// One measure of impulses whose velocities are known, for a problem without cohesion. This is what
/// solvers call in their loops; it allocates nothing except for [`Measure::Silcowitz`].
pub fn measure_of(
    problem: &ContactProblem,
    law: FrictionLaw,
    measure: Measure,
    settings: &MeasureSettings,
    impulses: &[f64],
    velocity: &[f64],
) -> f64 {
    match measure {
        Measure::Natural => natural(problem, law, impulses, velocity),
        Measure::Energy => energy(problem, law, impulses, velocity),
        Measure::Mazhar => mazhar(problem, law, impulses, velocity, settings.mazhar_step),
        Measure::Tasora => tasora(problem, law, impulses, velocity, settings.tasora_step),
        Measure::Silcowitz => silcowitz(problem, law, impulses),
        Measure::Koziara => koziara(problem, law, impulses, velocity),
        Measure::De => de(problem, law, impulses, velocity).largest(),
        Measure::Gap => gap(problem, impulses, velocity),
        Measure::Max => largest_violation(problem, law, impulses, velocity).error,
    }
}
