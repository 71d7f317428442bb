//! The shapes of a simulation; bodies refer to them by index, so that a million equal spheres share one.

use super::Shape;
use crate::pose::Pose;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A shape and where its origin lies in the frame of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShapeEntry {
    /// The shape.
    pub shape: Shape,
    /// The shape's origin, seen from the body's centre of mass, in the body's axes (which are the shape's).
    pub offset: DVec3,
}

impl ShapeEntry {
    /// Pose of the shape's frame, given that of the body.
    #[inline]
    pub fn pose(&self, body: &Pose) -> Pose {
        if self.offset == DVec3::ZERO {
            *body
        } else {
            Pose {
                position: body.point(self.offset),
                rotation: body.rotation,
            }
        }
    }
}

/// All shapes of a simulation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShapeTable {
    entries: Vec<ShapeEntry>,
}

impl ShapeTable {
    /// The index of a body without a shape.
    pub const NONE: u32 = u32::MAX;

    /// Adds a shape whose origin is its centre of mass, or that has no mass.
    pub fn add(&mut self, shape: Shape) -> u32 {
        self.add_with_offset(shape, DVec3::ZERO)
    }

    /// Adds a shape whose origin lies at `offset` from the centre of mass.
    pub fn add_with_offset(&mut self, shape: Shape, offset: DVec3) -> u32 {
        self.entries.push(ShapeEntry { shape, offset });
        (self.entries.len() - 1) as u32
    }

    /// One entry; `None` for [`ShapeTable::NONE`].
    #[inline]
    pub fn get(&self, index: u32) -> Option<&ShapeEntry> {
        self.entries.get(index as usize)
    }

    /// The number of shapes.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All entries in order.
    pub fn entries(&self) -> &[ShapeEntry] {
        &self.entries
    }
}
