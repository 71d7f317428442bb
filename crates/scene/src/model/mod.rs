//! What a scene file holds, as types. SI units everywhere: m, kg, s, N; angles in degrees where the name says so.
//!
//! These types are read from TOML, described to editors by [`crate::schema()`], and may be built in Rust as well. Every
//! number in a file may be a string with an expression of the parameters instead. [`crate::Scene::from_model`] takes what was
//! built in Rust.

mod bodies;
mod flow;
mod forces;
mod generators;
mod joints;
mod materials;
mod regions;
mod sensors;
mod settings;
mod shapes;

pub use bodies::{Body, Groups, Kind, Motion, Rotation, Signal, SignalKind};
pub use flow::{Emitter, Sink};
pub use forces::{Force, Spring};
pub use generators::{Arrangement, Distribution, DistributionKind, Generator, Lattice, MixEntry};
pub use joints::{Compliance, Joint, JointKind, Limits, Motor};
pub use materials::{Combine, CombineRule, Material, MaterialPair};
pub use regions::Region;
pub use sensors::{Sensor, SensorKind};
pub use settings::{OnFailure, Output, Scheme, Simulation, Solver, TrajectoryFormat};
pub use shapes::{Convex, Part, Shape, ShapeRef};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A whole scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SceneFile {
    /// What it is called.
    #[serde(default)]
    pub title: String,
    /// What it shows.
    #[serde(default)]
    pub description: String,
    /// How long it runs, in s.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub duration: f64,
    /// Everything random follows from this number. Default 1.
    #[serde(default = "one")]
    pub seed: u64,
    /// More bodies than this are an error. Default 50 million.
    #[serde(default = "many")]
    pub max_bodies: u64,
    /// Names for numbers, switches and texts that can be changed from outside; a text may be an expression of others.
    #[serde(default)]
    pub parameters: BTreeMap<String, Parameter>,
    /// Step, gravity and what happens in trouble.
    #[serde(default)]
    pub simulation: Simulation,
    /// How the contact problem of each step is solved.
    #[serde(default)]
    pub solver: Solver,
    /// What is written and how often.
    #[serde(default)]
    pub output: Output,
    /// Surfaces by name. The name `default` stands for bodies that name none.
    #[serde(default)]
    pub materials: BTreeMap<String, Material>,
    /// What two materials make together, where it does not follow from the rules.
    #[serde(default)]
    pub material_pairs: Vec<MaterialPair>,
    /// How the properties of two materials are combined.
    #[serde(default)]
    pub combine: Combine,
    /// Shapes by name.
    #[serde(default)]
    pub shapes: BTreeMap<String, Shape>,
    /// Bodies, one by one.
    #[serde(default)]
    pub bodies: Vec<Body>,
    /// Joints between bodies.
    #[serde(default)]
    pub joints: Vec<Joint>,
    /// Springs and dampers between bodies.
    #[serde(default)]
    pub springs: Vec<Spring>,
    /// Forces on bodies.
    #[serde(default)]
    pub forces: Vec<Force>,
    /// Bodies in numbers, there from the beginning.
    #[serde(default)]
    pub generators: Vec<Generator>,
    /// Bodies that come while the scene runs.
    #[serde(default)]
    pub emitters: Vec<Emitter>,
    /// Where bodies go.
    #[serde(default)]
    pub sinks: Vec<Sink>,
    /// What is measured.
    #[serde(default)]
    pub sensors: Vec<Sensor>,
}

/// The default of a parameter. A text of the scene that begins with `$` stands for the parameter of that name, and so does
/// a number of a file that is written as a text; the numbers of a scene that is built in Rust are numbers.
///
/// ```
/// use moreau_scene::Scene;
/// use moreau_scene::model::{Parameter, SceneFile};
///
/// let mut file = SceneFile::lasting(1.0);
/// file.parameters.insert("law".into(), Parameter::Text("coulomb".into()));
/// file.solver.law = "$law".into();
/// let scene = Scene::from_model(&file)?;
/// assert_eq!(scene.file().solver.law, "coulomb");
/// let scene = scene.with_parameters(&[("law", "relaxed")])?;
/// assert_eq!(scene.file().solver.law, "relaxed");
/// # Ok::<(), moreau_scene::SceneErrors>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Parameter {
    /// A number.
    Number(f64),
    /// A switch.
    Switch(bool),
    /// A name, or an expression.
    Text(String),
}

impl SceneFile {
    /// An empty scene of a duration in s.
    pub fn lasting(duration: f64) -> Self {
        Self {
            title: String::new(),
            description: String::new(),
            duration,
            seed: one(),
            max_bodies: many(),
            parameters: BTreeMap::new(),
            simulation: Simulation::default(),
            solver: Solver::default(),
            output: Output::default(),
            materials: BTreeMap::new(),
            material_pairs: Vec::new(),
            combine: Combine::default(),
            shapes: BTreeMap::new(),
            bodies: Vec::new(),
            joints: Vec::new(),
            springs: Vec::new(),
            forces: Vec::new(),
            generators: Vec::new(),
            emitters: Vec::new(),
            sinks: Vec::new(),
            sensors: Vec::new(),
        }
    }
}

fn one() -> u64 {
    1
}

fn many() -> u64 {
    50_000_000
}
