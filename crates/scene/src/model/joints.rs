//! Joints.

use super::Signal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A joint between two bodies, or a body and the world. Points and axes are those at the beginning, in the world's
/// coordinates.
///
/// ```
/// use moreau_scene::Scene;
/// use moreau_scene::model::{Body, Compliance, Joint, JointKind, Limits, SceneFile, Sensor, SensorKind};
///
/// let mut file = SceneFile::lasting(1.0);
/// file.simulation.time_step = Some(0.01);
/// file.bodies.push(Body {
///     name: Some("bob".into()),
///     mass: Some(2.0),
///     inertia: Some(vec![1.0; 3]),
///     position: [0.0, 0.0, -1.0],
///     ..Body::default()
/// });
/// file.joints.push(Joint {
///     name: Some("hinge".into()),
///     bodies: ["world".into(), "bob".into()],
///     kind: JointKind::Revolute { point: [0.0; 3], axis: [0.0, 1.0, 0.0] },
///     limits: vec![Limits { coordinate: 0, min: Some(-45.0), max: Some(45.0) }],
///     motors: vec![],
///     friction: 0.0,
///     compliance: Compliance::default(),
///     collide: false,
/// });
/// let measure = SensorKind::JointReaction { joint: "hinge".into() };
/// file.sensors.push(Sensor { name: "pull".into(), measure });
/// let mut run = Scene::from_model(&file)?.build()?;
/// for _ in 0..20 {
///     run.step()?;
/// }
/// let (_, row) = run.sensors().next().expect("a row");
/// assert!((row[3] - 2.0 * 9.81).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// A name that sensors find it by.
    #[serde(default)]
    pub name: Option<String>,
    /// The names of two bodies; `world` for space itself.
    pub bodies: [String; 2],
    /// What it keeps and what it leaves free.
    pub kind: JointKind,
    /// Limits of its free coordinates (angles in degrees, displacements in m), in their order.
    #[serde(default)]
    pub limits: Vec<Limits>,
    /// Motors on its free coordinates.
    #[serde(default)]
    pub motors: Vec<Motor>,
    /// Dry friction on its first free coordinate, in N or N m. Default 0.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub friction: f64,
    /// How far it gives way under load. Default: not at all.
    #[serde(default)]
    pub compliance: Compliance,
    /// Whether the two bodies collide all the same. Default false.
    #[serde(default)]
    pub collide: bool,
}

/// How far a joint gives way under load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Compliance {
    /// In m/N. Default 0.
    #[schemars(range(min = 0.0))]
    pub linear: f64,
    /// In degrees/(N m). Default 0.
    #[schemars(range(min = 0.0))]
    pub angular: f64,
    /// Damping over stiffness, in s. Default 0.
    #[schemars(range(min = 0.0))]
    pub damping_time: f64,
}

fn upwards() -> [f64; 3] {
    [0.0, 0.0, 1.0]
}

/// What a joint keeps and what it leaves free.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum JointKind {
    /// Ball and socket.
    /// Free coordinates: the swing of an axis of the second body away from where it began (it can be limited only), and the
    /// twist about the axis.
    Spherical {
        /// Where, in m.
        point: [f64; 3],
        /// The axis of swing and twist. Default: z.
        #[serde(default = "upwards")]
        axis: [f64; 3],
    },
    /// Hinge. Free coordinate: the angle.
    Revolute {
        /// A point of the axis, in m.
        point: [f64; 3],
        /// Direction of the axis.
        axis: [f64; 3],
    },
    /// Slider. Free coordinate: the displacement.
    Translational {
        /// A point of the axis, in m.
        point: [f64; 3],
        /// Direction of the axis.
        axis: [f64; 3],
    },
    /// Rod in a sleeve. Free coordinates: the displacement and the angle.
    Cylindrical {
        /// A point of the axis, in m.
        point: [f64; 3],
        /// Direction of the axis.
        axis: [f64; 3],
    },
    /// Cross of two perpendicular axes. Free coordinates: the angles about them.
    Universal {
        /// Where the axes meet, in m.
        point: [f64; 3],
        /// The first is fixed in the first body, the second in the second.
        axes: [[f64; 3]; 2],
    },
    /// Weld.
    Fixed {
        /// Where its reaction is measured, in m.
        point: [f64; 3],
    },
    /// Rod between two points.
    Distance {
        /// Its ends, in m.
        points: [[f64; 3]; 2],
        /// In m. Default: the distance of the points.
        #[serde(default)]
        #[schemars(extend("exclusiveMinimum" = 0))]
        length: Option<f64>,
    },
    /// Rope between two points: their distance is not more than its length.
    Rope {
        /// Its ends, in m.
        points: [[f64; 3]; 2],
        /// In m. Default: the distance of the points.
        #[serde(default)]
        #[schemars(extend("exclusiveMinimum" = 0))]
        length: Option<f64>,
    },
}

/// The range of a free coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Which free coordinate, from 0. Default 0.
    #[serde(default)]
    pub coordinate: u32,
    /// In degrees or m. Default: none.
    #[serde(default)]
    pub min: Option<f64>,
    /// In degrees or m. Default: none.
    #[serde(default)]
    pub max: Option<f64>,
}

/// A motor on a free coordinate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Motor {
    /// Keeps a speed.
    Speed {
        /// Which free coordinate, from 0. Default 0.
        #[serde(default)]
        coordinate: u32,
        /// In rad/s or m/s.
        target: Signal,
        /// The largest torque in N m or force in N. Default: no limit.
        #[serde(default)]
        #[schemars(range(min = 0.0))]
        strength: Option<f64>,
    },
    /// Keeps a position.
    Position {
        /// Which free coordinate, from 0. Default 0.
        #[serde(default)]
        coordinate: u32,
        /// In degrees or m, from where the joint began.
        target: Signal,
        /// The largest torque in N m or force in N. Default: no limit.
        #[serde(default)]
        #[schemars(range(min = 0.0))]
        strength: Option<f64>,
        /// In rad/s or m/s. Default: no limit.
        #[serde(default)]
        #[schemars(range(min = 0.0))]
        max_speed: Option<f64>,
    },
    /// Gives a torque or force.
    Force {
        /// Which free coordinate, from 0. Default 0.
        #[serde(default)]
        coordinate: u32,
        /// In N m or N.
        target: Signal,
    },
    /// Follows a function of time exactly, whatever force that takes.
    Driven {
        /// Which free coordinate, from 0. Default 0.
        #[serde(default)]
        coordinate: u32,
        /// In degrees or m, from where the joint began.
        target: Signal,
    },
}
