//! Boxes along the axes of the world.

use glam::DVec3;

/// All points between two corners. Empty if a lower coordinate is above the upper one; unbounded
/// where a coordinate is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The corner with the smallest coordinates.
    pub lower: DVec3,
    /// The corner with the largest coordinates.
    pub upper: DVec3,
}

impl Bounds {
    /// No point at all; the neutral element of [`Bounds::union`].
    pub const EMPTY: Bounds = Bounds {
        lower: DVec3::INFINITY,
        upper: DVec3::NEG_INFINITY,
    };

    /// Every point.
    pub const EVERYWHERE: Bounds = Bounds {
        lower: DVec3::NEG_INFINITY,
        upper: DVec3::INFINITY,
    };

    /// The smallest box around both.
    pub fn union(&self, other: &Bounds) -> Bounds {
        Bounds {
            lower: self.lower.min(other.lower),
            upper: self.upper.max(other.upper),
        }
    }

    /// The box with every face moved outwards by `margin`.
    pub fn grown(&self, margin: f64) -> Bounds {
        Bounds {
            lower: self.lower - margin,
            upper: self.upper + margin,
        }
    }

    /// Whether the boxes share a point.
    #[inline]
    pub fn overlaps(&self, other: &Bounds) -> bool {
        self.lower.cmple(other.upper).all() && other.lower.cmple(self.upper).all()
    }

    /// Whether the point is inside or on the surface.
    pub fn contains(&self, point: DVec3) -> bool {
        self.lower.cmple(point).all() && point.cmple(self.upper).all()
    }

    /// The middle.
    pub fn centre(&self) -> DVec3 {
        0.5 * (self.lower + self.upper)
    }

    /// The lengths of the edges.
    pub fn extent(&self) -> DVec3 {
        self.upper - self.lower
    }
}
