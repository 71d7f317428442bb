//! The kinds of joints.

use super::parts::{Ends, Row};
use super::{cylindrical, distance, fixed, revolute, spherical, spring, translational, universal};
use serde::{Deserialize, Serialize};

/// What a joint keeps and what it leaves free.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum JointKind {
    /// Ball and socket: 3 rows. Coordinate 0: the swing, the angle between the z axes of the two frames; 1: the twist about
    /// them. The swing has no direction at zero, so that it can be limited but neither driven nor braked.
    Spherical,
    /// Hinge about z: 5 rows. Coordinate 0: the angle.
    Revolute,
    /// Slider along z: 5 rows. Coordinate 0: the displacement.
    Translational,
    /// Rod in a sleeve along z: 4 rows. Coordinate 0: the displacement, 1: the angle.
    Cylindrical,
    /// Cross: the x axis of the first frame is perpendicular to the y axis of the second, 4 rows. Coordinate 0: the angle
    /// about the former, 1: about the latter.
    Universal,
    /// Weld: 6 rows.
    Fixed,
    /// Two points at a distance: 1 row. Without a length none, and coordinate 0 is the distance.
    Distance {
        /// In m; positive.
        length: Option<f64>,
    },
    /// Spring with a damper between two points, taken over the whole step: 1 row, or 3 without a rest length.
    Spring {
        /// Length without force, in m.
        rest_length: f64,
        /// In N/m.
        stiffness: f64,
        /// In N s/m.
        damping: f64,
    },
}

impl JointKind {
    /// The number of rows that are always there.
    pub fn rows(&self) -> usize {
        match self {
            JointKind::Spherical => 3,
            JointKind::Revolute | JointKind::Translational => 5,
            JointKind::Cylindrical | JointKind::Universal => 4,
            JointKind::Fixed => 6,
            JointKind::Distance { length } => usize::from(length.is_some()),
            JointKind::Spring { rest_length, .. } => spring::rows(*rest_length),
        }
    }

    /// The number of free coordinates that can be limited, driven and read.
    pub fn coordinates(&self) -> usize {
        match self {
            JointKind::Fixed | JointKind::Spring { .. } => 0,
            JointKind::Revolute | JointKind::Translational => 1,
            JointKind::Spherical | JointKind::Cylindrical | JointKind::Universal => 2,
            JointKind::Distance { length } => usize::from(length.is_none()),
        }
    }

    /// Whether a free coordinate keeps a direction everywhere, so that it can be driven and braked.
    pub(super) fn can_be_driven(&self, coordinate: usize) -> bool {
        !matches!((self, coordinate), (JointKind::Spherical, 0))
    }

    /// Whether a free coordinate is a size: a distance, or the angle between two axes. A smallest value of zero asks nothing of it, and
    /// where it is zero it has no direction that could be held.
    pub(super) fn is_size(&self, coordinate: usize) -> bool {
        let distance = matches!(self, JointKind::Distance { .. });
        distance || matches!((self, coordinate), (JointKind::Spherical, 0))
    }

    /// Measures the constraints.
    pub(super) fn constraint_rows(&self, ends: &Ends, rows: &mut Vec<Row>) {
        rows.clear();
        match self {
            JointKind::Spherical => spherical::constraints(ends, rows),
            JointKind::Revolute => revolute::constraints(ends, rows),
            JointKind::Translational => translational::constraints(ends, rows),
            JointKind::Cylindrical => cylindrical::constraints(ends, rows),
            JointKind::Universal => universal::constraints(ends, rows),
            JointKind::Fixed => fixed::constraints(ends, rows),
            JointKind::Distance { length: Some(l) } => distance::constraints(ends, *l, rows),
            JointKind::Distance { length: None } => {}
            JointKind::Spring { rest_length, .. } => spring::constraints(ends, *rest_length, rows),
        }
    }

    /// Measures the free coordinates; angles in (−π, π].
    pub(super) fn coordinate_rows(&self, ends: &Ends, rows: &mut Vec<Row>) {
        rows.clear();
        match self {
            JointKind::Revolute => revolute::coordinates(ends, rows),
            JointKind::Translational => translational::coordinates(ends, rows),
            JointKind::Cylindrical => cylindrical::coordinates(ends, rows),
            JointKind::Universal => universal::coordinates(ends, rows),
            JointKind::Distance { length: None } => distance::coordinates(ends, rows),
            JointKind::Spherical => spherical::coordinates(ends, rows),
            JointKind::Fixed | JointKind::Distance { .. } | JointKind::Spring { .. } => {}
        }
    }
}
