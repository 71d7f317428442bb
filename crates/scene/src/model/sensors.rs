//! What is measured.

use super::Region;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A measurement; its rows go into a CSV file of its name.
///
/// ```
/// use moreau_scene::Scene;
/// use moreau_scene::model::{Body, SceneFile, Sensor, SensorKind};
///
/// let mut file = SceneFile::lasting(1.0);
/// file.simulation.time_step = Some(0.01);
/// let inertia = Some(vec![1.0; 3]);
/// let speed = [0.0, 0.0, 3.0];
/// file.bodies.push(Body { mass: Some(2.0), inertia, velocity: speed, ..Body::default() });
/// file.sensors.push(Sensor { name: "energy".into(), measure: SensorKind::Energy });
/// let run = Scene::from_model(&file)?.build()?;
/// let (sensor, row) = run.sensors().next().expect("a row for the beginning");
/// assert_eq!(sensor.name(), "energy");
/// assert_eq!(row[..2], [0.0, 9.0]);
/// # Ok::<(), moreau_scene::SceneErrors>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sensor {
    /// Its name, and that of its file.
    pub name: String,
    /// What it measures.
    pub measure: SensorKind,
}

/// What a sensor measures.
///
/// ```
/// use moreau_scene::Scene;
/// use moreau_scene::model::{Body, Kind, Region, SceneFile, Sensor, SensorKind, Shape, ShapeRef};
///
/// let mut file = SceneFile::lasting(1.0);
/// file.simulation.time_step = Some(0.01);
/// let shape = |shape| Some(ShapeRef::Inline(Box::new(shape)));
/// let table = Shape::Box { half_extents: [1.0, 1.0, 0.5] };
/// let name = Some("table".to_string());
/// let position = [0.0, 0.0, -0.5];
/// file.bodies.push(Body { name, shape: shape(table), kind: Kind::Fixed, position, ..Body::default() });
/// let ball = |x: f64| Body {
///     shape: shape(Shape::Sphere { radius: 0.1 }),
///     mass: Some(2.0),
///     position: [x, 0.0, 0.1],
///     ..Body::default()
/// };
/// // One rests on the table, one falls beside it.
/// file.bodies.extend([ball(0.0), ball(2.0)]);
/// let mut sensor = |name: &str, measure| file.sensors.push(Sensor { name: name.into(), measure });
/// let (point, normal) = ([0.0, 0.0, -2.0], [0.0, 0.0, -1.0]);
/// sensor("load", SensorKind::Force { body: "table".into() });
/// sensor("below", SensorKind::Count { region: Region::BelowPlane { point, normal: [0.0, 0.0, 1.0] } });
/// sensor("flow", SensorKind::MassFlow { point, normal, radius: None });
/// let mut run = Scene::from_model(&file)?.build()?;
/// while !run.is_finished() {
///     run.step()?;
/// }
/// let rows: Vec<Vec<f64>> = run.sensors().map(|(_, row)| row.to_vec()).collect();
/// assert!((rows[0][3] + 2.0 * 9.81).abs() < 1e-6, "the weight of a ball, downwards");
/// assert_eq!(rows[1][1..3], [1.0, 2.0], "one ball of 2 kg");
/// assert_eq!(rows[2][1], 2.0, "2 kg went through the plane");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum SensorKind {
    /// Number and mass of the rigid bodies whose centre is in a region.
    Count {
        /// Where.
        region: Region,
    },
    /// The contact force and torque on a body, mean over the last step.
    Force {
        /// The name of the body.
        body: String,
    },
    /// Mass that went through a plane: in all, and per second since the last row.
    MassFlow {
        /// A point of the plane.
        point: [f64; 3],
        /// The direction that counts as positive.
        normal: [f64; 3],
        /// Only bodies this near to the point count, in m. Default: all.
        #[serde(default)]
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: Option<f64>,
    },
    /// Kinetic and potential energy of all rigid bodies.
    Energy,
    /// The slope of the free surface of the bodies in a region, in degrees.
    ///
    /// ```
    /// use moreau_scene::Scene;
    /// use moreau_scene::model::{Body, Region, SceneFile, Sensor, SensorKind, Shape, ShapeRef};
    ///
    /// // A cone of balls, as steep as 30 degrees.
    /// let mut file = SceneFile::lasting(1.0);
    /// let (radius, slope) = (0.01, 30f64.to_radians().tan());
    /// for x in -40..=40 {
    ///     for y in -40..=40 {
    ///         let place = [0.025 * f64::from(x), 0.025 * f64::from(y)];
    ///         let height = slope * (1.0 - place[0].hypot(place[1]));
    ///         if height > 0.0 {
    ///             let shape = Some(ShapeRef::Inline(Box::new(Shape::Sphere { radius })));
    ///             let position = [place[0], place[1], height];
    ///             file.bodies.push(Body { shape, density: Some(1000.0), position, ..Body::default() });
    ///         }
    ///     }
    /// }
    /// let measure = SensorKind::AngleOfRepose {
    ///     region: Region::Everywhere,
    ///     centre: Some([0.0; 3]),
    ///     direction: None,
    ///     bins: 12,
    /// };
    /// file.sensors.push(Sensor { name: "slope".into(), measure });
    /// let run = Scene::from_model(&file)?.build()?;
    /// let (_, row) = run.sensors().next().expect("a row for the beginning");
    /// assert!((row[1] - 30.0).abs() < 1.0, "{row:?}");
    /// # Ok::<(), moreau_scene::SceneErrors>(())
    /// ```
    AngleOfRepose {
        /// Which bodies.
        region: Region,
        /// The heap slopes away from the vertical through this point. Default: through the mean of the bodies.
        #[serde(default)]
        centre: Option<[f64; 3]>,
        /// The surface slopes along this horizontal direction instead, as in a drum.
        #[serde(default)]
        direction: Option<[f64; 3]>,
        /// Into how many pieces the surface is cut. Default 12.
        #[serde(default = "twelve")]
        #[schemars(range(min = 3, max = 10000))]
        bins: u32,
    },
    /// Position of the centre of mass and rotation of a body.
    Pose {
        /// The name of the body.
        body: String,
    },
    /// Velocity and angular velocity of a body.
    Velocity {
        /// The name of the body.
        body: String,
    },
    /// Force and torque of a joint on its second body, mean over the last step.
    JointReaction {
        /// The name of the joint.
        joint: String,
    },
}

fn twelve() -> u32 {
    12
}
