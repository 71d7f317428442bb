//! Shapes. Axes of revolution are the shape's own z axis.

use super::Rotation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A shape, by the name that it has under `shapes` or written out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ShapeRef {
    /// A name.
    Name(String),
    /// The shape itself.
    Inline(Box<Shape>),
}

/// A shape. Lengths in m.
///
/// ```
/// use moreau_scene::Scene;
/// use moreau_scene::model::{Body, Kind, Part, SceneFile, Shape, ShapeRef};
///
/// let mut file = SceneFile::lasting(1.0);
/// file.simulation.time_step = Some(0.01);
/// let shapes = [
///     ("sphere", Shape::Sphere { radius: 0.1 }),
///     ("ellipsoid", Shape::Ellipsoid { semi_axes: [0.1, 0.2, 0.3] }),
///     ("box", Shape::Box { half_extents: [0.1, 0.2, 0.3] }),
///     ("capsule", Shape::Capsule { half_length: 0.1, radius: 0.1 }),
///     ("cylinder", Shape::Cylinder { half_height: 0.1, radius: 0.1 }),
///     ("cone", Shape::Cone { half_height: 0.1, radius: 0.1 }),
///     ("hull", Shape::ConvexHull { points: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] }),
///     ("ground", Shape::HalfSpace),
///     ("hill", Shape::HeightField { columns: 2, spacing: [1.0, 1.0], heights: vec![0.0, 0.0, 0.0, 0.5] }),
///     ("drum", Shape::HollowCylinder { inner_radius: 1.0, half_height: 0.5, thickness: 0.1, bottom: true, top: true }),
///     ("bin", Shape::OpenBox { half_extents: [1.0, 1.0, 1.0], thickness: 0.1, lid: false }),
///     ("funnel", Shape::Frustum { lower_radius: 0.1, upper_radius: 1.0, half_height: 0.5, thickness: 0.1 }),
/// ];
/// let dumbbell = [-0.5, 0.5].map(|x| Part {
///     shape: ShapeRef::Name("sphere".into()),
///     position: [x, 0.0, 0.0],
///     rotation: None,
/// });
/// let dumbbell = Shape::Compound { parts: dumbbell.to_vec() };
/// let shapes = shapes.into_iter().chain([("dumbbell", dumbbell)]);
/// for (number, (name, shape)) in shapes.enumerate() {
///     file.shapes.insert(name.into(), shape);
///     let shape = Some(ShapeRef::Name(name.into()));
///     let position = [10.0 * number as f64, 0.0, 10.0];
///     file.bodies.push(Body { shape, kind: Kind::Fixed, position, ..Body::default() });
/// }
/// // What is in the ground cannot be meant.
/// file.bodies[7].position = [0.0, 0.0, -10.0];
/// let run = Scene::from_model(&file)?.build()?;
/// assert_eq!(run.simulation.bodies().len(), 13);
/// # Ok::<(), moreau_scene::SceneErrors>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Shape {
    /// All points within a radius.
    Sphere {
        /// Radius.
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
    },
    /// x²/a² + y²/b² + z²/c² ≤ 1.
    Ellipsoid {
        /// a, b and c.
        semi_axes: [f64; 3],
    },
    /// A box centred at the origin.
    Box {
        /// Half the lengths of its edges.
        half_extents: [f64; 3],
    },
    /// All points within a radius of a segment along z.
    Capsule {
        /// Half the length of the segment.
        #[schemars(extend("exclusiveMinimum" = 0))]
        half_length: f64,
        /// Radius.
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
    },
    /// A solid cylinder about z.
    Cylinder {
        /// Half the height.
        #[schemars(extend("exclusiveMinimum" = 0))]
        half_height: f64,
        /// Radius.
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
    },
    /// A solid cone about z, its tip upwards.
    Cone {
        /// Half the height.
        #[schemars(extend("exclusiveMinimum" = 0))]
        half_height: f64,
        /// Radius of the base.
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
    },
    /// The convex hull of points.
    ConvexHull {
        /// At least four, not all in a plane.
        #[schemars(length(min = 4))]
        points: Vec<[f64; 3]>,
    },
    /// All points with z ≤ 0.
    HalfSpace,
    /// A closed surface of triangles from an STL or OBJ file.
    Mesh {
        /// Relative to the scene file.
        path: String,
        /// Lengths in the file are multiplied by this. Default 1.
        #[serde(default = "one")]
        #[schemars(extend("exclusiveMinimum" = 0))]
        scale: f64,
        /// What stands for the mesh where it must be made of convex pieces: a rigid body that is not convex itself.
        #[serde(default)]
        convex: Option<Convex>,
    },
    /// Ground on a regular grid of heights, centred at the origin.
    HeightField {
        /// Grid points along x.
        columns: u32,
        /// Distance of the grid points along x and y.
        spacing: [f64; 2],
        /// Heights, row by row along x.
        heights: Vec<f64>,
    },
    /// A tube about z.
    HollowCylinder {
        /// Of the inner surface.
        #[schemars(extend("exclusiveMinimum" = 0))]
        inner_radius: f64,
        /// Half the height of the room inside.
        #[schemars(extend("exclusiveMinimum" = 0))]
        half_height: f64,
        /// Of the wall and the discs.
        #[schemars(extend("exclusiveMinimum" = 0))]
        thickness: f64,
        /// Whether a disc closes the lower end. Default false.
        #[serde(default)]
        bottom: bool,
        /// Whether a disc closes the upper end. Default false.
        #[serde(default)]
        top: bool,
    },
    /// A room in the form of a box with walls around it, open at the top.
    OpenBox {
        /// Half the lengths of the room's edges.
        half_extents: [f64; 3],
        /// Of the walls.
        #[schemars(extend("exclusiveMinimum" = 0))]
        thickness: f64,
        /// Whether a lid closes the top. Default false.
        #[serde(default)]
        lid: bool,
    },
    /// A conical wall about z, open at both ends: a funnel.
    Frustum {
        /// Of the inner surface at the lower end.
        #[schemars(range(min = 0.0))]
        lower_radius: f64,
        /// Of the inner surface at the upper end.
        #[schemars(range(min = 0.0))]
        upper_radius: f64,
        /// Half the height.
        #[schemars(extend("exclusiveMinimum" = 0))]
        half_height: f64,
        /// Of the wall.
        #[schemars(extend("exclusiveMinimum" = 0))]
        thickness: f64,
    },
    /// Several shapes that move as one. Where parts overlap, their common volume weighs once for each: give the body a mass and
    /// an inertia then.
    Compound {
        /// At least one; none a compound itself.
        #[schemars(length(min = 1))]
        parts: Vec<Part>,
    },
}

/// A part of a compound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Its shape.
    pub shape: ShapeRef,
    /// Where its origin is, in m. Default: at that of the compound.
    #[serde(default)]
    pub position: [f64; 3],
    /// How it is turned. Default: not at all.
    #[serde(default)]
    pub rotation: Option<Rotation>,
}

/// What stands for a mesh where convex pieces are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Convex {
    /// Convex pieces that together approximate it.
    Decompose,
    /// Its convex hull: hollows are filled.
    Hull,
}

fn one() -> f64 {
    1.0
}
