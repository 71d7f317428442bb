//! Step, solver, output.

use moreau_dynamics::settings::{SimulationSettings, SolverSettings};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Step, gravity and what happens in trouble.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Simulation {
    /// In s. Default: 0.14 √(size / g) of the smallest body, about a tenth of the time in which it falls its own size.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub time_step: Option<f64>,
    /// In m/s². Default 9.81 downwards along z.
    pub gravity: [f64; 3],
    /// How motion is cut into steps.
    pub scheme: Scheme,
    /// Contacts are made up to this gap, as a share of the size of a body.
    #[schemars(range(min = 0.0))]
    pub envelope: f64,
    /// Overlaps are pushed apart with at most this speed, in m/s. Default: no cap.
    #[schemars(range(min = 0.0))]
    pub recovery_speed: Option<f64>,
    /// Impacts slower than this do not bounce, in m/s. Default: twice the speed that gravity gives in a step.
    #[schemars(range(min = 0.0))]
    pub restitution_threshold: Option<f64>,
    /// Cohesion acts up to this gap, as a share of the size of the smaller body.
    #[schemars(range(min = 0.0))]
    pub cohesion_range: f64,
    /// What happens when a step did not converge.
    pub on_failure: OnFailure,
    /// With `refine`: the overlap that a step may leave at its end, as a share of the size of the smaller body. In Moreau's scheme
    /// set `recovery_speed` too: without it overlaps stay.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub penetration_limit: Option<f64>,
    /// How often a step may be halved.
    #[schemars(range(max = 30))]
    pub max_refinements: u32,
    /// Whether bodies that stay at rest sleep: they stand still and cost next to nothing until something that moves
    /// touches them or a force on them changes.
    pub sleep: bool,
    /// With `sleep`: bodies are at rest below this share of the speed that gravity gives in a step, if such speeds lead
    /// nowhere: in n = `sleep_steps` steps no farther than √n times the way in one.
    #[schemars(range(min = 0.0))]
    pub sleep_speed: f64,
    /// With `sleep`: bodies that touch or are joined sleep when all of them have been at rest for so many steps.
    #[schemars(range(min = 1))]
    pub sleep_steps: u32,
}

impl Default for Simulation {
    /// Those of [`SimulationSettings`].
    fn default() -> Self {
        let settings = SimulationSettings::default();
        Self {
            time_step: settings.time_step,
            gravity: settings.gravity.to_array(),
            scheme: Scheme::SymplecticEuler,
            envelope: settings.envelope,
            recovery_speed: settings.recovery_speed,
            restitution_threshold: settings.restitution_threshold,
            cohesion_range: settings.cohesion_range,
            on_failure: OnFailure::Continue,
            penetration_limit: settings.penetration_limit,
            max_refinements: settings.max_refinements,
            sleep: settings.sleep,
            sleep_speed: settings.sleep_speed,
            sleep_steps: settings.sleep_steps,
        }
    }
}

/// How motion is cut into steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scheme {
    /// Contacts at the beginning of the step, positions with the new velocities.
    SymplecticEuler,
    /// Half a step with the old velocities, contacts there, half a step with the new ones.
    MoreauHalfStep,
}

/// What happens when a step did not converge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnFailure {
    /// Count it, report it, go on.
    Continue,
    /// Repeat the step in two halves, and those in halves again if need be.
    Refine,
    /// End the run before the step, with the exit code of runs that did not converge.
    Stop,
}

/// How the contact problem of each step is solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Solver {
    /// The method.
    pub name: String,
    /// The friction law: coulomb, relaxed or box.
    pub law: String,
    /// The error at which a step counts as solved.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub tolerance: f64,
    /// Largest number of iterations of a solve; a step that finds further contacts solves again. Default: the method's own.
    #[schemars(range(min = 1))]
    pub max_iterations: Option<u32>,
    /// What is measured against the tolerance.
    pub measure: String,
    /// Whether the impulses of the last step are the starting point.
    pub warm_start: bool,
}

impl Default for Solver {
    /// Those of [`SolverSettings`].
    fn default() -> Self {
        let settings = SolverSettings::default();
        Self {
            name: settings.name,
            law: settings.law.name().into(),
            tolerance: settings.tolerance,
            max_iterations: None,
            measure: settings.measure.name().into(),
            warm_start: settings.warm_start,
        }
    }
}

/// What is written and how often.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Output {
    /// Seconds between two pictures of all bodies. Default: the hundredth part of the duration.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub every: Option<f64>,
    /// The files that show the motion. Default: vtp.
    pub format: TrajectoryFormat,
    /// Where the files go. Default: `results/` and the name of the scene.
    pub directory: Option<String>,
    /// Seconds between two checkpoints. Default: none.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub checkpoint_every: Option<f64>,
    /// Seconds between two rows of every sensor. Default: every step.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub sensors_every: Option<f64>,
}

/// The files that show the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TrajectoryFormat {
    /// A series of `.vtp` files, and a `.pvd` file that lists them.
    #[default]
    Vtp,
    /// One growing `.vtkhdf` file. Needs a program that was built with the feature `hdf5`.
    Vtkhdf,
}
