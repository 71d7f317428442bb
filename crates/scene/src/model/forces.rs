//! Springs and forces.

use super::Signal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A spring with a damper between two points.
///
/// ```
/// use moreau_scene::Scene;
/// use moreau_scene::model::{Body, SceneFile, Spring};
///
/// let mut file = SceneFile::lasting(2.0);
/// file.simulation.time_step = Some(1e-3);
/// file.bodies.push(Body {
///     name: Some("bob".into()),
///     mass: Some(2.0),
///     inertia: Some(vec![1.0; 3]),
///     ..Body::default()
/// });
/// file.springs.push(Spring {
///     bodies: ["world".into(), "bob".into()],
///     points: [[0.0, 0.0, 1.0], [0.0; 3]],
///     rest_length: None,
///     stiffness: 1000.0,
///     damping: 40.0,
///     implicit: false,
/// });
/// let mut run = Scene::from_model(&file)?.build()?;
/// while !run.is_finished() {
///     run.step()?;
/// }
/// let sag = -run.simulation.bodies().poses[0].position.z;
/// assert!((sag - 2.0 * 9.81 / 1000.0).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spring {
    /// The names of two bodies; `world` for a point fixed in space.
    pub bodies: [String; 2],
    /// Where it is attached at the beginning, in the world's coordinates, in m.
    pub points: [[f64; 3]; 2],
    /// Length without force, in m. Default: the distance of the points at the beginning.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub rest_length: Option<f64>,
    /// In N/m.
    #[schemars(range(min = 0.0))]
    pub stiffness: f64,
    /// In N s/m. Default 0.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub damping: f64,
    /// Whether the force is a mean over the step: then no stiffness is too large for it. Oscillations that take more than six
    /// steps keep their amplitude, faster ones die away. Default false.
    #[serde(default)]
    pub implicit: bool,
}

/// A force and a torque on a body, in the world's axes.
///
/// ```
/// use moreau_scene::Scene;
/// use moreau_scene::model::{Body, Force, SceneFile, Signal, SignalKind};
///
/// let mut file = SceneFile::lasting(1.0);
/// file.simulation.time_step = Some(1e-3);
/// file.simulation.gravity = [0.0; 3];
/// file.bodies.push(Body {
///     name: Some("sled".into()),
///     mass: Some(2.0),
///     inertia: Some(vec![1.0; 3]),
///     ..Body::default()
/// });
/// // From 0 to 8 N in a second: an impulse of 4 N s.
/// let push = SignalKind::Table { times: vec![0.0, 1.0], values: vec![0.0, 8.0] };
/// let still = Signal::Constant(0.0);
/// file.forces.push(Force {
///     body: "sled".into(),
///     force: Some([Signal::Varying(push), still.clone(), still]),
///     torque: None,
///     point: None,
/// });
/// let mut run = Scene::from_model(&file)?.build()?;
/// while !run.is_finished() {
///     run.step()?;
/// }
/// let speed = run.simulation.bodies().velocities[0].linear.x;
/// assert!((speed - 4.0 / 2.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Force {
    /// The name of the body.
    pub body: String,
    /// In N. Default: zero.
    #[serde(default)]
    pub force: Option<[Signal; 3]>,
    /// In N m. Default: zero.
    #[serde(default)]
    pub torque: Option<[Signal; 3]>,
    /// Where the force acts at the beginning, in the world's coordinates; the point moves with the body. Default: the
    /// centre of mass.
    #[serde(default)]
    pub point: Option<[f64; 3]>,
}
