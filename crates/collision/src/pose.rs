//! Where a body is: a position and a rotation.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// A rigid motion x ↦ R x + p. Lengths in metres; the rotation is a unit quaternion.
///
/// ```
/// use glam::{DQuat, DVec3};
/// use moreau_collision::pose::Pose;
///
/// let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
/// let pose = Pose::new(DVec3::new(0.0, 0.0, 5.0), quarter);
/// let there = pose.point(DVec3::X);
/// assert!((there - DVec3::new(0.0, 1.0, 5.0)).length() < 1e-15);
/// assert!((pose.local_point(there) - DVec3::X).length() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// p.
    pub position: DVec3,
    /// R.
    pub rotation: DQuat,
}

impl Pose {
    /// No motion at all.
    pub const IDENTITY: Pose = Pose {
        position: DVec3::ZERO,
        rotation: DQuat::IDENTITY,
    };

    /// A position without rotation.
    pub fn at(position: DVec3) -> Self {
        Self {
            position,
            rotation: DQuat::IDENTITY,
        }
    }

    /// A position and a rotation.
    pub fn new(position: DVec3, rotation: DQuat) -> Self {
        Self { position, rotation }
    }

    /// R x + p: from the body's own coordinates to the world's.
    #[inline]
    pub fn point(&self, local: DVec3) -> DVec3 {
        self.rotation * local + self.position
    }

    /// Rᵀ (x − p): from the world's coordinates to the body's own.
    #[inline]
    pub fn local_point(&self, world: DVec3) -> DVec3 {
        self.rotation.conjugate() * (world - self.position)
    }

    /// R d.
    #[inline]
    pub fn direction(&self, local: DVec3) -> DVec3 {
        self.rotation * local
    }

    /// Rᵀ d.
    #[inline]
    pub fn local_direction(&self, world: DVec3) -> DVec3 {
        self.rotation.conjugate() * world
    }

    /// The pose `inner`, given in the coordinates of this one, in the world's coordinates.
    ///
    /// ```
    /// use glam::DVec3;
    /// use moreau_collision::pose::Pose;
    /// let outer = Pose::at(DVec3::X);
    /// assert_eq!(outer.compose(&Pose::at(DVec3::Y)).position, DVec3::new(1.0, 1.0, 0.0));
    /// ```
    pub fn compose(&self, inner: &Pose) -> Pose {
        Pose {
            position: self.point(inner.position),
            rotation: (self.rotation * inner.rotation).normalize(),
        }
    }

    /// The motion that undoes this one.
    pub fn inverse(&self) -> Pose {
        let rotation = self.rotation.conjugate();
        Pose {
            position: -(rotation * self.position),
            rotation,
        }
    }
}
