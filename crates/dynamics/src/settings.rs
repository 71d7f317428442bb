//! How a simulation is run.

use glam::DVec3;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::residual::Measure;
use serde::{Deserialize, Serialize};

/// How motion with contact is cut into steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scheme {
    /// Half-implicit symplectic Euler (Mazhar 2015, Eqs. 5-8): contacts at the beginning of the step, new velocities,
    /// then positions with the new velocities. The gap term Φ/h keeps bodies from overlapping.
    #[default]
    SymplecticEuler,
    /// Moreau's half-step scheme (Koziara 2017, Eqs. 1-5): half a step with the old velocities, contacts there, half a
    /// step with the new ones. Second order between impacts.
    MoreauHalfStep,
}

/// What happens when a step did not converge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnFailure {
    /// Count it, report it, go on.
    #[default]
    Continue,
    /// Repeat the step in two halves, and those in halves again if need be.
    Refine,
    /// End with an error; the state is that before the step.
    Stop,
}

/// The solver and how well it must do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolverSettings {
    /// Name of the method. Default `auto`.
    pub name: String,
    /// The friction law. Default Coulomb.
    #[serde(with = "law_by_name")]
    pub law: FrictionLaw,
    /// The error at which a step counts as solved. Default 1e-2: grains at rest then creep by two thousandths of their
    /// radius in a second (a bed of twelve layers; 1.5 ten-thousandths at 1e-3, for four times the iterations).
    pub tolerance: f64,
    /// Overlap that the error of a solve may leave in a step, as a share of the smaller body's size: a solve goes on
    /// until no contact is left with more. The same share of the smaller body's radius of gyration is what joints may be off
    /// by. Default 8e-4.
    pub overlap_tolerance: f64,
    /// The error that small systems are solved to: where a factorisation costs microseconds, accuracy costs little.
    /// Default 1e-12; never above `tolerance`.
    pub small_tolerance: f64,
    /// Rows up to which a system counts as small. Default 400.
    pub small_rows: usize,
    /// The error that systems of some size are solved to, if a few hundred iterations reach it. Default 1e-3; never above
    /// `tolerance`.
    pub middle_tolerance: f64,
    /// Rows up to which a system is of some size. Default 9000.
    pub middle_rows: usize,
    /// What is measured. Default: the energy error, which has no unit; the natural map adds impulses to velocities, so
    /// that its value changes with the units.
    #[serde(with = "measure_by_name")]
    pub measure: Measure,
    /// Largest number of iterations of a solve; `None` takes the method's own. A step that finds further contacts solves again.
    pub max_iterations: Option<usize>,
    /// Whether the impulses of the last step are the starting point. Default true.
    pub warm_start: bool,
    /// Whether parts of the scene that have no body in common are solved apart. Default true; papers that count iterations
    /// solve everything at once.
    pub islands: bool,
}

impl Default for SolverSettings {
    fn default() -> Self {
        Self {
            name: "auto".into(),
            law: FrictionLaw::Coulomb,
            tolerance: 1e-2,
            overlap_tolerance: 8e-4,
            small_tolerance: 1e-12,
            small_rows: 400,
            middle_tolerance: 1e-3,
            middle_rows: 9000,
            measure: Measure::Energy,
            max_iterations: None,
            warm_start: true,
            islands: true,
        }
    }
}

/// How a simulation is run. Every length scale is that of the bodies: no number here is an absolute length.
///
/// ```
/// use moreau_dynamics::settings::{OnFailure, Scheme, SimulationSettings};
///
/// let settings = SimulationSettings {
///     time_step: Some(1e-3),
///     scheme: Scheme::MoreauHalfStep,
///     on_failure: OnFailure::Refine,
///     ..SimulationSettings::default()
/// };
/// assert!(settings.validate().is_ok());
/// let wrong = SimulationSettings { time_step: Some(0.0), ..settings };
/// assert!(wrong.validate().unwrap_err().contains("time_step"));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SimulationSettings {
    /// h in s; `None` takes [`SimulationSettings::STEP_FRACTION`] √(size / g) of the smallest body.
    pub time_step: Option<f64>,
    /// In m/s². Default 9.81 downwards along z.
    pub gravity: DVec3,
    /// Default: half-implicit symplectic Euler.
    pub scheme: Scheme,
    /// The solver.
    pub solver: SolverSettings,
    /// Contacts are made up to this gap, as a share of the size of a body, beside the way it moves in a step.
    /// Default 0.01.
    pub envelope: f64,
    /// Overlaps are pushed apart with at most this speed in m/s; `None` for Φ/h without a cap.
    pub recovery_speed: Option<f64>,
    /// Impacts slower than this, in m/s, do not bounce; `None` takes twice the speed that gravity gives in a step.
    pub restitution_threshold: Option<f64>,
    /// Cohesion acts up to this gap, as a share of the size of the smaller body. Default 0.01.
    pub cohesion_range: f64,
    /// What happens when a step did not converge.
    pub on_failure: OnFailure,
    /// With [`OnFailure::Refine`]: overlap, as a share of the size of the smaller body, that a step may leave at its end.
    /// `None` for no limit. Moreau's scheme leaves overlaps as they are unless there is a `recovery_speed`: smaller steps
    /// make them grow more slowly then, but do not undo them.
    pub penetration_limit: Option<f64>,
    /// How often a step may be halved. Default 6.
    pub max_refinements: u32,
    /// Whether bodies that stay at rest sleep: they stand still and cost next to nothing until something that moves
    /// touches them or a force on them changes. Default: they do not.
    pub sleep: bool,
    /// Bodies are at rest below this share of the speed that gravity gives in a step, if such speeds lead nowhere: in n =
    /// `sleep_steps` steps no farther than √n times the way in one. Default 0.1: what errors of the solve leave.
    pub sleep_speed: f64,
    /// Bodies that touch or are joined sleep when all of them have been at rest for so many steps. Default 50.
    pub sleep_steps: u32,
}

impl SimulationSettings {
    /// Share of √(size / g) that is the default step.
    pub const STEP_FRACTION: f64 = 0.14;
}

impl Default for SimulationSettings {
    fn default() -> Self {
        Self {
            time_step: None,
            gravity: DVec3::new(0.0, 0.0, -9.81),
            scheme: Scheme::default(),
            solver: SolverSettings::default(),
            envelope: 0.01,
            recovery_speed: None,
            restitution_threshold: None,
            cohesion_range: 0.01,
            on_failure: OnFailure::default(),
            penetration_limit: None,
            max_refinements: 6,
            sleep: false,
            sleep_speed: 0.1,
            sleep_steps: 50,
        }
    }
}

impl SimulationSettings {
    /// What is wrong with the numbers, if anything.
    ///
    /// # Errors
    /// A message that names the setting, its value and what would be right.
    pub fn validate(&self) -> Result<(), String> {
        let positive = |name: &str, value: f64| {
            if value > 0.0 && value.is_finite() {
                Ok(())
            } else {
                Err(format!("{name} is {value}; it must be positive and finite"))
            }
        };
        let not_negative = |name: &str, value: f64| {
            if value >= 0.0 && value.is_finite() {
                Ok(())
            } else {
                Err(format!(
                    "{name} is {value}; it must be zero or more, and finite"
                ))
            }
        };
        if let Some(h) = self.time_step {
            positive("time_step", h)?;
        }
        if !self.gravity.is_finite() {
            return Err(format!("gravity is {}; it must be finite", self.gravity));
        }
        positive("tolerance", self.solver.tolerance)?;
        positive("overlap_tolerance", self.solver.overlap_tolerance)?;
        positive("small_tolerance", self.solver.small_tolerance)?;
        positive("middle_tolerance", self.solver.middle_tolerance)?;
        not_negative("envelope", self.envelope)?;
        not_negative("cohesion_range", self.cohesion_range)?;
        if let Some(speed) = self.recovery_speed {
            not_negative("recovery_speed", speed)?;
        }
        if let Some(speed) = self.restitution_threshold {
            not_negative("restitution_threshold", speed)?;
        }
        if let Some(limit) = self.penetration_limit {
            positive("penetration_limit", limit)?;
        }
        not_negative("sleep_speed", self.sleep_speed)?;
        let method = methods::by_name(&self.solver.name)?;
        if !method.laws().contains(&self.solver.law) {
            let knows: Vec<&str> = method.laws().iter().map(|law| law.name()).collect();
            return Err(format!(
                "the solver {} cannot solve the {} law; it knows {}",
                self.solver.name,
                self.solver.law.name(),
                knows.join(" and ")
            ));
        }
        if self.solver.measure == Measure::Gap && self.solver.law != FrictionLaw::Relaxed {
            return Err(format!(
                "the measure gap exists for the relaxed law only, not for the {} law",
                self.solver.law.name()
            ));
        }
        Ok(())
    }
}

mod law_by_name {
    use moreau_contact_solvers::law::FrictionLaw;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub fn serialize<S: Serializer>(law: &FrictionLaw, to: S) -> Result<S::Ok, S::Error> {
        law.name().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<FrictionLaw, D::Error> {
        let name = String::deserialize(from)?;
        name.parse()
            .map_err(|_| D::Error::custom(format!("no friction law '{name}'")))
    }
}

mod measure_by_name {
    use moreau_contact_solvers::residual::Measure;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub fn serialize<S: Serializer>(measure: &Measure, to: S) -> Result<S::Ok, S::Error> {
        measure.name().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Measure, D::Error> {
        let name = String::deserialize(from)?;
        name.parse()
            .map_err(|_| D::Error::custom(format!("no error measure '{name}'")))
    }
}
