//! Which method finds the contacts of which pair of shapes.

use super::nearest::nearest;
use super::support::{Core, Pair, Solid};
use super::{
    ContactPoint, capsule, compound, cuboid, ellipsoid, half_space, mesh, patch, sphere, walls,
};
use crate::pose::Pose;
use crate::shapes::Shape;

/// How a shape takes part in a pair. In every pair the lesser kind comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// A sphere.
    Sphere,
    /// Any other bounded convex shape.
    Convex,
    /// A half-space.
    HalfSpace,
    /// A container.
    Wall,
    /// A triangle mesh or a height field.
    Mesh,
    /// Several shapes.
    Compound,
}

fn kind(shape: &Shape) -> Kind {
    match shape {
        Shape::Sphere(_) => Kind::Sphere,
        Shape::Ellipsoid(_)
        | Shape::Cuboid(_)
        | Shape::Capsule(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::ConvexHull(_) => Kind::Convex,
        Shape::HalfSpace(_) => Kind::HalfSpace,
        Shape::HollowCylinder(_) | Shape::OpenBox(_) | Shape::Frustum(_) => Kind::Wall,
        Shape::TriangleMesh(_) | Shape::HeightField(_) => Kind::Mesh,
        Shape::Compound(_) => Kind::Compound,
    }
}

/// Appends the contact points of two posed shapes whose gap is at most `envelope`.
pub(super) fn contact_points(
    first: (&Shape, &Pose),
    second: (&Shape, &Pose),
    envelope: f64,
    points: &mut Vec<ContactPoint>,
) {
    if kind(first.0) <= kind(second.0) {
        ordered(first, second, envelope, points);
        return;
    }
    let begin = points.len();
    ordered(second, first, envelope, points);
    for point in &mut points[begin..] {
        point.normal = -point.normal;
    }
}

/// The same of a pair in the order of kinds.
fn ordered(
    first: (&Shape, &Pose),
    second: (&Shape, &Pose),
    envelope: f64,
    points: &mut Vec<ContactPoint>,
) {
    match (kind(first.0), kind(second.0)) {
        (_, Kind::Compound) => compound::contact_points(first, second, envelope, points),
        (Kind::HalfSpace, Kind::Wall | Kind::Mesh) => {
            let begin = points.len();
            half_space::contact_points(second, first.1, envelope, points);
            for point in &mut points[begin..] {
                point.normal = -point.normal;
            }
        }
        (Kind::Wall, Kind::Wall | Kind::Mesh) => {
            walls::of_pieces(first, second, envelope, points);
        }
        (_, Kind::Mesh) => mesh::contact_points(first, second, envelope, points),
        (_, Kind::Wall) => walls::contact_points(first, second, envelope, points),
        (Kind::Sphere | Kind::Convex, Kind::HalfSpace) => {
            half_space::contact_points(first, second.1, envelope, points);
        }
        (Kind::Sphere | Kind::Convex, Kind::Sphere | Kind::Convex) => {
            convex(first, second, envelope, points);
        }
        // Two half-spaces meet everywhere or nowhere.
        _ => {}
    }
}

/// Two bounded convex shapes.
fn convex(
    first: (&Shape, &Pose),
    second: (&Shape, &Pose),
    envelope: f64,
    points: &mut Vec<ContactPoint>,
) {
    let ((a, pose_a), (b, pose_b)) = (first, second);
    match (a, b) {
        (Shape::Sphere(a), Shape::Sphere(b)) => {
            points.extend(sphere::spheres(
                pose_a.position,
                a.radius,
                pose_b.position,
                b.radius,
                envelope,
            ));
            return;
        }
        (Shape::Sphere(a), _) => {
            if let Some(point) = sphere::contact((a, pose_a), second, envelope) {
                points.extend(point);
                return;
            }
        }
        (Shape::Ellipsoid(a), Shape::Ellipsoid(b)) => {
            points.extend(ellipsoid::ellipsoids((a, pose_a), (b, pose_b), envelope));
            return;
        }
        (Shape::Capsule(a), Shape::Capsule(b)) => {
            capsule::capsules((a, pose_a), (b, pose_b), envelope, points);
            return;
        }
        _ => {}
    }
    let (Some(solid_a), Some(solid_b)) = (Solid::of(a), Solid::of(b)) else {
        return;
    };
    let pair = Pair::new(solid_a, pose_a, solid_b, pose_b);
    if let (Core::Box(half_a), Core::Box(half_b)) = (pair.first.core, pair.second.core) {
        cuboid::boxes(&pair, (half_a, half_b), pose_a, envelope, points);
    } else if let Some(nearest) = nearest(&pair, envelope) {
        patch::patch(&pair, pose_a, &nearest, envelope, points);
    }
}
