//! The bodies, as parallel arrays.
//!
//! Per body: pose 56 bytes, velocity 48, mass 8, inertia 48, shape 4, material 4, kind 1, groups 4, tag 8: about 180
//! bytes. The inverse of the inertia is recomputed where it is needed: twenty operations against 48 bytes of memory.

use crate::motion::DrivenMotion;
pub use crate::new_body::{BodyError, NewBody};
use glam::{DMat3, DVec3};
use moreau_collision::colliders::Groups;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Shape, ShapeTable};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, TryReserveError};

/// Velocity of the centre of mass and angular velocity, in the world's axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Velocity {
    /// In m/s.
    pub linear: DVec3,
    /// In rad/s.
    pub angular: DVec3,
}

impl Velocity {
    /// No motion.
    pub const ZERO: Velocity = Velocity {
        linear: DVec3::ZERO,
        angular: DVec3::ZERO,
    };

    /// Velocity of a point at `arm` from the centre of mass.
    #[inline]
    pub fn at(&self, arm: DVec3) -> DVec3 {
        self.linear + self.angular.cross(arm)
    }
}

/// What makes a body move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BodyKind {
    /// Forces and impulses.
    Rigid,
    /// Nothing: it stays where it is.
    Fixed,
    /// A function of time.
    Driven,
}

/// A symmetric 3 x 3 matrix: xx, yy, zz, xy, xz, yz.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Symmetric(pub [f64; 6]);

impl Symmetric {
    /// From the upper triangle of a matrix.
    pub fn from_matrix(m: &DMat3) -> Self {
        Self([
            m.x_axis.x, m.y_axis.y, m.z_axis.z, m.y_axis.x, m.z_axis.x, m.z_axis.y,
        ])
    }

    /// As a full matrix.
    pub fn to_matrix(self) -> DMat3 {
        let [xx, yy, zz, xy, xz, yz] = self.0;
        DMat3::from_cols(
            DVec3::new(xx, xy, xz),
            DVec3::new(xy, yy, yz),
            DVec3::new(xz, yz, zz),
        )
    }

    /// A multiple of the identity, as spheres and cubes have.
    #[inline]
    pub fn is_isotropic(&self) -> bool {
        let [xx, yy, zz, xy, xz, yz] = self.0;
        xx == yy && yy == zz && xy == 0.0 && xz == 0.0 && yz == 0.0
    }
}

/// What a body takes in a step, its contacts with others left out.
const STEP_BYTES: usize = 600;

/// All bodies. The arrays are parallel and hold one entry for each body; a body is its index.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bodies {
    /// Pose of the centre of mass; the axes are those of the shape.
    pub poses: Vec<Pose>,
    /// Velocities.
    pub velocities: Vec<Velocity>,
    /// Masses in kg; 0 where the kind is not rigid.
    pub masses: Vec<f64>,
    /// Inertia about the centre of mass in the body's own axes, in kg m².
    pub inertias: Vec<Symmetric>,
    /// Index into the shape table.
    pub shapes: Vec<u32>,
    /// Index into the materials.
    pub materials: Vec<u32>,
    /// What makes it move.
    pub kinds: Vec<BodyKind>,
    /// Whom it collides with.
    pub groups: Vec<Groups>,
    /// A number that stays with a body for life, while its index changes when others are removed.
    pub tags: Vec<u64>,
    /// Motions of the driven bodies.
    pub motions: BTreeMap<u32, DrivenMotion>,
    /// Bodies that have a name.
    pub names: BTreeMap<String, u32>,
    next_tag: u64,
}

impl Bodies {
    /// The number of bodies.
    pub fn len(&self) -> usize {
        self.poses.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.poses.is_empty()
    }

    /// The body of a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.get(name).map(|body| *body as usize)
    }

    /// Whether forces and impulses move it.
    #[inline]
    pub fn is_rigid(&self, body: usize) -> bool {
        self.kinds[body] == BodyKind::Rigid
    }

    /// R I⁻¹ Rᵀ: the inverse of the inertia in the world's axes; zero for fixed and driven bodies.
    #[inline]
    pub fn world_inverse_inertia(&self, body: usize) -> Symmetric {
        if !self.is_rigid(body) {
            return Symmetric([0.0; 6]);
        }
        let inertia = &self.inertias[body];
        if inertia.is_isotropic() {
            let inverse = 1.0 / inertia.0[0];
            return Symmetric([inverse, inverse, inverse, 0.0, 0.0, 0.0]);
        }
        let rotation = DMat3::from_quat(self.poses[body].rotation);
        Symmetric::from_matrix(&(rotation * inertia.to_matrix().inverse() * rotation.transpose()))
    }

    /// R I Rᵀ ω: the angular momentum about the centre of mass.
    pub fn angular_momentum(&self, body: usize) -> DVec3 {
        let pose = &self.poses[body];
        let local = pose.local_direction(self.velocities[body].angular);
        pose.direction(self.inertias[body].to_matrix() * local)
    }

    pub(crate) fn add(
        &mut self,
        new: NewBody,
        shapes: &ShapeTable,
        time: f64,
    ) -> Result<usize, BodyError> {
        if self.len() >= u32::MAX as usize - 1 {
            return Err(BodyError {
                what: "the number of bodies".into(),
                found: format!("is {}", self.len()),
                right: "there is room for no more".into(),
            });
        }
        let finite = new.pose.position.is_finite()
            && new.pose.rotation.is_finite()
            && new.velocity.linear.is_finite()
            && new.velocity.angular.is_finite();
        if !finite {
            return Err(BodyError {
                what: "pose or velocity".into(),
                found: "holds NaN or infinity".into(),
                right: "every number must be finite".into(),
            });
        }
        let (mass, inertia) = new.mass_properties(shapes)?;
        let rotation = new.pose.rotation.normalize();
        let offset = shapes.get(new.shape).map_or(DVec3::ZERO, |e| e.offset);
        let pose = Pose {
            position: new.pose.position - rotation * offset,
            rotation,
        };
        let body = self.len();
        let mut there = pose;
        if let Some(mut motion) = new.motion {
            if let DrivenMotion::Pose { start, axis, .. } = &mut motion {
                *start = pose;
                *axis = axis.try_normalize().unwrap_or(DVec3::Z);
            }
            // Were it put where it is without displacement, it would jump in its first step, through whatever is there.
            there = motion.pose(time).unwrap_or(pose);
            self.motions.insert(body as u32, motion);
        }
        if let Some(name) = new.name {
            if self.names.contains_key(&name) {
                return Err(BodyError {
                    what: format!("the name '{name}'"),
                    found: "is taken".into(),
                    right: "every name must be used once".into(),
                });
            }
            self.names.insert(name, body as u32);
        }
        self.poses.push(there);
        self.velocities.push(new.velocity);
        self.masses.push(mass);
        self.inertias.push(inertia);
        self.shapes.push(new.shape);
        self.materials.push(new.material);
        self.kinds.push(new.kind);
        self.groups.push(new.groups);
        self.tags.push(self.next_tag);
        self.next_tag += 1;
        Ok(body)
    }

    /// Makes room for more bodies.
    pub(crate) fn reserve(&mut self, more: usize) -> Result<(), TryReserveError> {
        // Systems that promise more memory than they have refuse a single piece that is larger than all they have: asked for
        // as a whole, what the steps will take is refused here and not in the middle of a run.
        Vec::<u8>::new().try_reserve_exact(more.saturating_mul(STEP_BYTES))?;
        self.poses.try_reserve_exact(more)?;
        self.velocities.try_reserve_exact(more)?;
        self.masses.try_reserve_exact(more)?;
        self.inertias.try_reserve_exact(more)?;
        self.shapes.try_reserve_exact(more)?;
        self.materials.try_reserve_exact(more)?;
        self.kinds.try_reserve_exact(more)?;
        self.groups.try_reserve_exact(more)?;
        self.tags.try_reserve_exact(more)
    }

    /// Removes the bodies that are marked; the others keep their order. Gives the new index of each old body, or
    /// `u32::MAX`.
    pub(crate) fn remove(&mut self, gone: &[bool]) -> Vec<u32> {
        let mut next = 0;
        let new_index: Vec<u32> = gone
            .iter()
            .map(|gone| {
                if *gone {
                    return u32::MAX;
                }
                next += 1;
                next - 1
            })
            .collect();
        keep(&mut self.poses, gone);
        keep(&mut self.velocities, gone);
        keep(&mut self.masses, gone);
        keep(&mut self.inertias, gone);
        keep(&mut self.shapes, gone);
        keep(&mut self.materials, gone);
        keep(&mut self.kinds, gone);
        keep(&mut self.groups, gone);
        keep(&mut self.tags, gone);
        let motions = std::mem::take(&mut self.motions);
        self.motions = motions
            .into_iter()
            .map(|(body, motion)| (new_index[body as usize], motion))
            .filter(|(body, _)| *body != u32::MAX)
            .collect();
        self.names.retain(|_, body| {
            *body = new_index[*body as usize];
            *body != u32::MAX
        });
        new_index
    }
}

/// Removes the values that are marked.
pub(crate) fn keep<T>(values: &mut Vec<T>, gone: &[bool]) {
    let mut index = 0;
    values.retain(|_| {
        index += 1;
        !gone[index - 1]
    });
}

/// Where a shape's origin must lie, seen from the centre of mass, for a body of that shape to have its frame at its
/// centre of mass.
pub(crate) fn centre_offset(shape: &Shape) -> DVec3 {
    shape
        .volume_properties()
        .map_or(DVec3::ZERO, |volume| -volume.centre)
}
