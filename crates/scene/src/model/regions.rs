//! Pieces of space.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A piece of space. Lengths in m.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Region {
    /// A box along the world's axes.
    Box {
        /// The corner with the smallest coordinates.
        lower: [f64; 3],
        /// The corner with the largest.
        upper: [f64; 3],
    },
    /// A cylinder.
    Cylinder {
        /// Its middle.
        centre: [f64; 3],
        /// Of any length but zero. Default: z.
        #[serde(default = "up")]
        axis: [f64; 3],
        /// Radius.
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
        /// Half the height.
        #[schemars(extend("exclusiveMinimum" = 0))]
        half_height: f64,
    },
    /// A ball.
    Sphere {
        /// Its middle.
        centre: [f64; 3],
        /// Radius.
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
    },
    /// Everything on the far side of a plane.
    BelowPlane {
        /// A point of the plane.
        point: [f64; 3],
        /// Away from the region. Default: z, so that the region is below.
        #[serde(default = "up")]
        normal: [f64; 3],
    },
    /// Everywhere.
    Everywhere,
}

pub(super) fn up() -> [f64; 3] {
    [0.0, 0.0, 1.0]
}
