//! Bodies that come and go while the scene runs.

use super::{MixEntry, Region};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Puts rigid bodies into a region, where there is room, while the scene runs.
///
/// ```
/// use moreau_scene::Scene;
/// use moreau_scene::model::{Distribution, Emitter, MixEntry, Region, SceneFile, Sink};
///
/// let ball = MixEntry {
///     radius: Some(Distribution::Constant(0.1)),
///     density: Some(1000.0),
///     ..MixEntry::default()
/// };
/// let mut file = SceneFile::lasting(0.5);
/// file.simulation.time_step = Some(0.01);
/// file.emitters.push(Emitter {
///     name: None,
///     region: Region::Box { lower: [-1.0, -1.0, 0.0], upper: [1.0, 1.0, 1.0] },
///     mix: vec![ball],
///     rate: Some(20.0),
///     mass_rate: None,
///     from: 0.0,
///     until: None,
///     velocity: [0.0; 3],
///     max_count: None,
///     max_mass: None,
/// });
/// let region = Region::BelowPlane { point: [0.0, 0.0, -0.5], normal: [0.0, 0.0, 1.0] };
/// file.sinks.push(Sink { name: None, region });
/// let mut run = Scene::from_model(&file)?.build()?;
/// while !run.is_finished() {
///     run.step()?;
/// }
/// assert_eq!(run.flow().emitted, 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Emitter {
    /// A name for messages.
    #[serde(default)]
    pub name: Option<String>,
    /// Where: a box, a cylinder or a sphere.
    pub region: Region,
    /// What.
    #[schemars(length(min = 1))]
    pub mix: Vec<MixEntry>,
    /// Bodies per second. Either this or `mass_rate`.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub rate: Option<f64>,
    /// In kg/s.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub mass_rate: Option<f64>,
    /// First moment, in s. Default 0.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub from: f64,
    /// Last moment, in s. Default: the end.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub until: Option<f64>,
    /// First velocity in m/s.
    #[serde(default)]
    pub velocity: [f64; 3],
    /// It stops after so many bodies.
    #[serde(default)]
    pub max_count: Option<u64>,
    /// It stops after so much mass, in kg.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub max_mass: Option<f64>,
}

/// Takes away rigid bodies without joints whose centre enters a region.
///
/// ```
/// use moreau_scene::Scene;
/// use moreau_scene::model::{Body, Region, SceneFile, Sink};
///
/// let mut file = SceneFile::lasting(1.0);
/// file.simulation.time_step = Some(0.01);
/// file.bodies.push(Body { mass: Some(2.0), inertia: Some(vec![1.0; 3]), ..Body::default() });
/// let region = Region::BelowPlane { point: [0.0, 0.0, -1.0], normal: [0.0, 0.0, 1.0] };
/// file.sinks.push(Sink { name: None, region });
/// let mut run = Scene::from_model(&file)?.build()?;
/// while run.flow().removed == 0 {
///     run.step()?;
/// }
/// // It falls 1 m in √(2 m / g).
/// assert!((run.simulation.time() - (2.0f64 / 9.81).sqrt()).abs() < 0.01);
/// assert_eq!(run.flow().removed_mass, 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sink {
    /// A name for messages.
    #[serde(default)]
    pub name: Option<String>,
    /// Where.
    pub region: Region,
}
