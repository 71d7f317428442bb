//! The half-space.

use crate::bounds::Bounds;
use crate::pose::Pose;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// All points with z ≤ 0: the ground below the plane z = 0 of the body's frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HalfSpace;

impl HalfSpace {
    /// Bounded on one side when the plane's normal is exactly along an axis of the world, unbounded otherwise.
    pub fn bounds(&self, pose: &Pose) -> Bounds {
        let normal = pose.direction(DVec3::Z);
        let mut bounds = Bounds::EVERYWHERE;
        for axis in 0..3 {
            if normal[axis] == 1.0 {
                bounds.upper[axis] = pose.position[axis];
            } else if normal[axis] == -1.0 {
                bounds.lower[axis] = pose.position[axis];
            }
        }
        bounds
    }
}
