//! Bodies, one by one.

use super::ShapeRef;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A body.
///
/// ```
/// use moreau_scene::Scene;
/// use moreau_scene::model::{Body, Kind, SceneFile, Shape, ShapeRef};
///
/// let mut file = SceneFile::lasting(1.0);
/// file.shapes.insert("ball".into(), Shape::Sphere { radius: 0.1 });
/// let ball = Some(ShapeRef::Name("ball".into()));
/// file.bodies.push(Body { shape: ball.clone(), density: Some(1000.0), ..Body::default() });
/// let position = [0.0, 0.0, -1.0];
/// file.bodies.push(Body { shape: ball, kind: Kind::Fixed, position, ..Body::default() });
/// let run = Scene::from_model(&file)?.build()?;
/// assert_eq!(run.simulation.bodies().len(), 2);
/// # Ok::<(), moreau_scene::SceneErrors>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// A name that joints, forces and sensors find it by.
    #[serde(default)]
    pub name: Option<String>,
    /// Its shape. A rigid body without one needs mass and inertia, and touches nothing.
    #[serde(default)]
    pub shape: Option<ShapeRef>,
    /// What makes it move. Default: rigid.
    #[serde(default)]
    pub kind: Kind,
    /// In kg/m³; rigid bodies have this, a mass, or a material with a density.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub density: Option<f64>,
    /// In kg.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub mass: Option<f64>,
    /// About the centre of mass in the body's axes, in kg m²: xx, yy, zz, and optionally xy, xz, yz. It needs a mass.
    #[serde(default)]
    #[schemars(length(min = 3, max = 6))]
    pub inertia: Option<Vec<f64>>,
    /// The name of its material. Default: `default`.
    #[serde(default)]
    pub material: Option<String>,
    /// Where the origin of its shape is, in m.
    #[serde(default)]
    pub position: [f64; 3],
    /// How it is turned.
    #[serde(default)]
    pub rotation: Option<Rotation>,
    /// Of the centre of mass at the beginning, in m/s.
    #[serde(default)]
    pub velocity: [f64; 3],
    /// At the beginning, in rad/s, in the world's axes.
    #[serde(default)]
    pub angular_velocity: [f64; 3],
    /// How a driven body moves.
    #[serde(default)]
    pub motion: Option<Motion>,
    /// Whom it collides with. Default: everybody.
    #[serde(default)]
    pub groups: Option<Groups>,
    /// Whether a fixed body may have most of its volume inside another fixed one: a post let into its floor. Default: no,
    /// since walls that overlap so are more often a mistake.
    #[serde(default)]
    pub embedded: bool,
}

/// What makes a body move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Forces and impulses.
    #[default]
    Rigid,
    /// Nothing.
    Fixed,
    /// A function of time.
    Driven,
}

/// A rotation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum Rotation {
    /// About an axis.
    AxisAngle {
        /// Of any length but zero.
        axis: [f64; 3],
        /// In degrees.
        angle: f64,
    },
    /// About x, then y, then z, all fixed in the world.
    Euler {
        /// In degrees.
        euler: [f64; 3],
    },
    /// A quaternion; it is normalised.
    Quaternion {
        /// x, y, z, w.
        quaternion: [f64; 4],
    },
}

/// How a driven body moves.
///
/// ```
/// use moreau_scene::Scene;
/// use moreau_scene::model::{Body, Kind, Motion, SceneFile, Signal, SignalKind};
///
/// let mut file = SceneFile::lasting(1.0);
/// file.simulation.time_step = Some(0.01);
/// let still = || Signal::Constant(0.0);
/// let shake = Signal::Varying(SignalKind::Sine { amplitude: 0.1, frequency: 1.25, phase: 0.0, offset: 0.0 });
/// let motion = Motion::Pose { displacement: Some([shake, still(), still()]), axis: None, angle: None };
/// file.bodies.push(Body { kind: Kind::Driven, motion: Some(motion), ..Body::default() });
/// let ramp = Signal::Varying(SignalKind::Table { times: vec![0.0, 1.0], values: vec![0.0, 2.0] });
/// let motion = Motion::Velocity { linear: Some([ramp, still(), still()]), angular: None };
/// file.bodies.push(Body { kind: Kind::Driven, motion: Some(motion), ..Body::default() });
/// let mut run = Scene::from_model(&file)?.build()?;
/// while !run.is_finished() {
///     run.step()?;
/// }
/// let places = &run.simulation.bodies().poses;
/// assert!((places[0].position.x - 0.1).abs() < 1e-12, "sin(2.5 π) = 1");
/// assert!((places[1].position.x - 1.0).abs() < 1e-12, "∫ 2 t = 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Motion {
    /// By its velocities.
    Velocity {
        /// Along x, y and z, in m/s. Default: zero.
        #[serde(default)]
        linear: Option<[Signal; 3]>,
        /// About x, y and z, in rad/s. Default: zero.
        #[serde(default)]
        angular: Option<[Signal; 3]>,
    },
    /// By its pose: a displacement from `position`, and a turn about an axis through its centre of mass from `rotation`, both
    /// from the beginning on.
    Pose {
        /// Along x, y and z, in m. Default: zero.
        #[serde(default)]
        displacement: Option<[Signal; 3]>,
        /// In the world's axes. Default: z.
        #[serde(default)]
        axis: Option<[f64; 3]>,
        /// In degrees. Default: zero.
        #[serde(default)]
        angle: Option<Signal>,
    },
}

/// A number as a function of time: a number, or a table with a `type`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Signal {
    /// The same at all times.
    Constant(f64),
    /// Any other function.
    Varying(SignalKind),
}

/// A function of time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum SignalKind {
    /// Linear between points, constant before the first and after the last.
    Table {
        /// Rising times in s.
        times: Vec<f64>,
        /// The value at each of them.
        values: Vec<f64>,
    },
    /// offset + amplitude sin(2π frequency t + phase).
    Sine {
        /// Largest deviation from the offset.
        amplitude: f64,
        /// In Hz.
        frequency: f64,
        /// In degrees. Default 0.
        #[serde(default)]
        phase: f64,
        /// The mean. Default 0.
        #[serde(default)]
        offset: f64,
    },
    /// A sine whose frequency rises linearly and then stays.
    Sweep {
        /// Largest deviation from zero.
        amplitude: f64,
        /// First frequency in Hz.
        from: f64,
        /// Last frequency in Hz.
        to: f64,
        /// Seconds in which the frequency rises.
        #[schemars(extend("exclusiveMinimum" = 0))]
        duration: f64,
    },
}

/// Whom a body collides with: two bodies are tested when each belongs to a group that the other collides with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Groups {
    /// Groups that it belongs to, from 0 to 15.
    pub member: Vec<u16>,
    /// Groups that it collides with, from 0 to 15.
    pub collides: Vec<u16>,
}
