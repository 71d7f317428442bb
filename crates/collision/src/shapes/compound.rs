//! Several shapes that move as one.

use super::Shape;
use crate::pose::Pose;
use serde::{Deserialize, Serialize};

/// Shapes fixed to one another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compound {
    /// The parts and their poses in the frame of the compound; no part is a compound itself.
    pub parts: Vec<(Pose, Shape)>,
}
