//! The shapes of bodies, one file each. Axes of revolution are the shape's own z axis.

mod capsule;
mod compound;
mod cone;
mod convex_hull;
mod cuboid;
mod cylinder;
mod decompose;
mod ellipsoid;
mod frustum;
mod half_space;
mod height_field;
mod hollow_cylinder;
mod inside;
mod mesh_edges;
mod open_box;
mod sphere;
mod surface;
mod table;
mod triangle_mesh;
mod triangle_tree;
mod volume;

pub use capsule::Capsule;
pub use compound::Compound;
pub use cone::Cone;
pub use convex_hull::ConvexHull;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use decompose::decompose;
pub use ellipsoid::Ellipsoid;
pub use frustum::Frustum;
pub use half_space::HalfSpace;
pub use height_field::HeightField;
pub use hollow_cylinder::HollowCylinder;
pub(crate) use mesh_edges::{Bend, MeshEdges, bend};
pub use open_box::OpenBox;
pub use sphere::Sphere;
pub use surface::{Surface, SurfaceDetail};
pub use table::{ShapeEntry, ShapeTable};
pub use triangle_mesh::TriangleMesh;
pub use volume::VolumeProperties;

use crate::bounds::Bounds;
use crate::pose::Pose;
use glam::DVec3;
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
///
/// ```
/// use glam::DVec3;
/// use moreau_collision::pose::Pose;
/// use moreau_collision::shapes::{Cuboid, Shape};
///
/// let brick = Shape::Cuboid(Cuboid::new(DVec3::new(0.1, 0.05, 0.03))?);
/// let solid = brick.volume_properties().expect("a box has a volume");
/// assert!((solid.volume - 0.2 * 0.1 * 0.06).abs() < 1e-15);
/// assert_eq!(brick.bounds(&Pose::at(DVec3::Z)).upper, DVec3::new(0.1, 0.05, 1.03));
/// assert!(Cuboid::new(DVec3::new(0.1, -0.05, 0.03)).is_err());
/// # Ok::<(), moreau_collision::shapes::ShapeError>(())
/// ```
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
            Shape::Sphere(shape) => shape.bounds(pose),
            Shape::Ellipsoid(shape) => shape.bounds(pose),
            Shape::Cuboid(shape) => shape.bounds(pose),
            Shape::Capsule(shape) => shape.bounds(pose),
            Shape::Cylinder(shape) => shape.bounds(pose),
            Shape::Cone(shape) => shape.bounds(pose),
            Shape::ConvexHull(shape) => shape.bounds(pose),
            Shape::HalfSpace(shape) => shape.bounds(pose),
            Shape::TriangleMesh(shape) => shape.bounds(pose),
            Shape::HeightField(shape) => shape.bounds(pose),
            Shape::HollowCylinder(shape) => shape.bounds(pose),
            Shape::OpenBox(shape) => shape.bounds(pose),
            Shape::Frustum(shape) => shape.bounds(pose),
            Shape::Compound(shape) => shape.bounds(pose),
        }
    }

    /// Volume, centre and inertia at unit density; for containers those of their walls. `None` for half-spaces and
    /// height fields, and for compounds with such a part.
    pub fn volume_properties(&self) -> Option<VolumeProperties> {
        match self {
            Shape::Sphere(shape) => Some(shape.volume_properties()),
            Shape::Ellipsoid(shape) => Some(shape.volume_properties()),
            Shape::Cuboid(shape) => Some(shape.volume_properties()),
            Shape::Capsule(shape) => Some(shape.volume_properties()),
            Shape::Cylinder(shape) => Some(shape.volume_properties()),
            Shape::Cone(shape) => Some(shape.volume_properties()),
            Shape::ConvexHull(shape) => shape.volume_properties(),
            Shape::TriangleMesh(shape) => shape.volume_properties(),
            Shape::HollowCylinder(shape) => shape.volume_properties(),
            Shape::OpenBox(shape) => shape.volume_properties(),
            Shape::Frustum(shape) => shape.volume_properties(),
            Shape::Compound(shape) => shape.volume_properties(),
            Shape::HalfSpace(_) | Shape::HeightField(_) => None,
        }
    }

    /// A length that says how large the shape is, for tolerances and default steps: the smallest half-width, half the
    /// thickness of the walls for containers, half a cell for height fields, that of the smallest part for compounds (slivers of a
    /// decomposed mesh apart). Infinite for half-spaces.
    pub fn size(&self) -> f64 {
        match self {
            Shape::Sphere(shape) => shape.radius,
            Shape::Ellipsoid(shape) => shape.semi_axes.min_element(),
            Shape::Cuboid(shape) => shape.half_extents.min_element(),
            Shape::Capsule(shape) => shape.radius,
            Shape::Cylinder(shape) => shape.radius.min(shape.half_height),
            Shape::Cone(shape) => shape.inscribed_radius(),
            Shape::ConvexHull(shape) => shape.size(),
            Shape::HalfSpace(_) => f64::INFINITY,
            Shape::TriangleMesh(shape) => shape.size(),
            Shape::HeightField(shape) => 0.5 * shape.spacing[0].min(shape.spacing[1]),
            Shape::HollowCylinder(shape) => 0.5 * shape.thickness,
            Shape::OpenBox(shape) => 0.5 * shape.thickness,
            Shape::Frustum(shape) => 0.5 * shape.thickness,
            Shape::Compound(shape) => shape.size(),
        }
    }

    /// The largest distance of a point of the shape from the shape's origin; infinite for half-spaces. For compounds
    /// an upper bound: the reach of a part and the distance of its origin.
    pub fn reach(&self) -> f64 {
        let farthest = |points: &[DVec3]| points.iter().map(|p| p.length()).fold(0.0, f64::max);
        match self {
            Shape::Sphere(shape) => shape.radius,
            Shape::Ellipsoid(shape) => shape.semi_axes.max_element(),
            Shape::Cuboid(shape) => shape.half_extents.length(),
            Shape::Capsule(shape) => shape.half_length + shape.radius,
            Shape::Cylinder(shape) => shape.radius.hypot(shape.half_height),
            Shape::Cone(shape) => shape.radius.hypot(shape.half_height),
            Shape::ConvexHull(shape) => farthest(&shape.vertices),
            Shape::HalfSpace(_) => f64::INFINITY,
            Shape::TriangleMesh(shape) => farthest(&shape.vertices),
            Shape::HeightField(_) => farthest(&self.surface(&SurfaceDetail::default()).vertices),
            Shape::HollowCylinder(shape) => {
                let [low, high] = shape.heights();
                (shape.inner_radius + shape.thickness).hypot(high.max(-low))
            }
            Shape::OpenBox(shape) => {
                let [lower, upper] = shape.outside();
                lower.abs().max(upper.abs()).length()
            }
            Shape::Frustum(shape) => {
                let corners = shape.profile();
                corners.iter().map(|p| p.length()).fold(0.0, f64::max)
            }
            Shape::Compound(shape) => {
                let reaches = shape.parts.iter();
                let reaches = reaches.map(|(pose, part)| pose.position.length() + part.reach());
                reaches.fold(0.0, f64::max)
            }
        }
    }

    /// Whether every segment between two of its points lies inside.
    pub fn is_convex(&self) -> bool {
        match self {
            Shape::Sphere(_)
            | Shape::Ellipsoid(_)
            | Shape::Cuboid(_)
            | Shape::Capsule(_)
            | Shape::Cylinder(_)
            | Shape::Cone(_)
            | Shape::ConvexHull(_)
            | Shape::HalfSpace(_) => true,
            Shape::TriangleMesh(shape) => shape.is_convex(),
            Shape::HeightField(_)
            | Shape::HollowCylinder(_)
            | Shape::OpenBox(_)
            | Shape::Frustum(_) => false,
            Shape::Compound(shape) => match shape.parts.as_slice() {
                [(_, part)] => part.is_convex(),
                _ => false,
            },
        }
    }

    /// What the shape is called, in messages.
    pub fn name(&self) -> &'static str {
        match self {
            Shape::Sphere(_) => "sphere",
            Shape::Ellipsoid(_) => "ellipsoid",
            Shape::Cuboid(_) => "box",
            Shape::Capsule(_) => "capsule",
            Shape::Cylinder(_) => "cylinder",
            Shape::Cone(_) => "cone",
            Shape::ConvexHull(_) => "convex hull",
            Shape::HalfSpace(_) => "half-space",
            Shape::TriangleMesh(_) => "triangle mesh",
            Shape::HeightField(_) => "height field",
            Shape::HollowCylinder(_) => "hollow cylinder",
            Shape::OpenBox(_) => "open box",
            Shape::Frustum(_) => "frustum",
            Shape::Compound(_) => "compound",
        }
    }
}
