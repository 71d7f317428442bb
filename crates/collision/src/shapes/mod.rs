//! The shapes of bodies, one file each. Axes of revolution are the shape's own z axis.

mod capsule;
mod compound;
mod cone;
mod convex_hull;
mod cuboid;
mod cylinder;
mod ellipsoid;
mod frustum;
mod half_space;
mod height_field;
mod hollow_cylinder;
mod open_box;
mod sphere;
mod table;
mod triangle_mesh;
mod volume;

pub use capsule::Capsule;
pub use compound::Compound;
pub use cone::Cone;
pub use convex_hull::ConvexHull;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use frustum::Frustum;
pub use half_space::HalfSpace;
pub use height_field::HeightField;
pub use hollow_cylinder::HollowCylinder;
pub use open_box::OpenBox;
pub use sphere::Sphere;
pub use table::{ShapeEntry, ShapeTable};
pub use triangle_mesh::TriangleMesh;
pub use volume::VolumeProperties;

use crate::bounds::Bounds;
use crate::pose::Pose;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use thiserror::Error;

/// Why something is not a shape.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{what} {found}; {right}")]
pub struct ShapeError {
    /// Which number or part.
    pub what: String,
    /// What was found.
    pub found: String,
    /// What would be right.
    pub right: String,
}

/// A shape. Small ones are held in place, large ones shared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    /// All points within a radius.
    Sphere(Sphere),
    /// See [`Ellipsoid`].
    Ellipsoid(Ellipsoid),
    /// See [`Cuboid`].
    Cuboid(Cuboid),
    /// See [`Capsule`].
    Capsule(Capsule),
    /// See [`Cylinder`].
    Cylinder(Cylinder),
    /// See [`Cone`].
    Cone(Cone),
    /// See [`ConvexHull`].
    ConvexHull(Arc<ConvexHull>),
    /// See [`HalfSpace`].
    HalfSpace(HalfSpace),
    /// See [`TriangleMesh`].
    TriangleMesh(Arc<TriangleMesh>),
    /// See [`HeightField`].
    HeightField(Arc<HeightField>),
    /// See [`HollowCylinder`].
    HollowCylinder(HollowCylinder),
    /// See [`OpenBox`].
    OpenBox(OpenBox),
    /// See [`Frustum`].
    Frustum(Frustum),
    /// See [`Compound`].
    Compound(Arc<Compound>),
}

impl Shape {
    /// The smallest box along the world's axes around the shape in a pose.
    pub fn bounds(&self, pose: &Pose) -> Bounds {
        match self {
            Shape::Sphere(sphere) => sphere.bounds(pose),
            _ => Bounds::EVERYWHERE,
        }
    }

    /// Volume, centre and inertia at unit density; `None` for shapes without an inside (half-spaces, containers,
    /// open meshes).
    pub fn volume_properties(&self) -> Option<VolumeProperties> {
        match self {
            Shape::Sphere(sphere) => Some(sphere.volume_properties()),
            _ => None,
        }
    }

    /// A length that says how large the shape is, for tolerances and default steps: the smallest half-width.
    /// Infinite for half-spaces and other walls without thickness.
    pub fn size(&self) -> f64 {
        match self {
            Shape::Sphere(sphere) => sphere.radius,
            _ => f64::INFINITY,
        }
    }

    /// The largest distance of a point of the shape from the shape's origin; infinite for half-spaces.
    pub fn reach(&self) -> f64 {
        match self {
            Shape::Sphere(sphere) => sphere.radius,
            _ => f64::INFINITY,
        }
    }
}
