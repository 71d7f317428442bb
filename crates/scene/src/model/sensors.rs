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
