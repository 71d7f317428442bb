//! Springs and forces.

use super::Signal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A spring with a damper between two points.
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
    /// Whether the force is that at the end of each step: then no stiffness is too large for the step, but oscillations
    /// die away faster than they should. Default false.
    #[serde(default)]
    pub implicit: bool,
}

/// A force and a torque on a body, in the world's axes.
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
