//! A sphere against another convex shape: the signed distance of its centre.

use super::ContactPoint;
use crate::pose::Pose;
use crate::shapes::{Shape, Sphere};
use glam::{DVec2, DVec3};

/// Two spheres, as centres and radii. Small enough to be put where the pairs are walked through.
#[inline]
pub(super) fn spheres(a: DVec3, ra: f64, b: DVec3, rb: f64, envelope: f64) -> Option<ContactPoint> {
    let line = b - a;
    let squared = line.length_squared();
    let reach = ra + rb + envelope;
    if squared > reach * reach || reach < 0.0 {
        return None;
    }
    let distance = squared.sqrt();
    // Concentric spheres have no normal of their own; any one separates them.
    let normal = if distance > 0.0 {
        line / distance
    } else {
        DVec3::Z
    };
    let gap = distance - ra - rb;
    Some(ContactPoint {
        feature: 0,
        point: a + (ra + 0.5 * gap) * normal,
        normal,
        gap,
    })
}

/// The contact of a sphere with a shape whose distance from a point is known in closed form; the normal points from
/// the sphere into the shape. `None` for other shapes (the outer option) and beyond the envelope (the inner).
pub(super) fn contact(
    (sphere, at): (&Sphere, &Pose),
    (shape, pose): (&Shape, &Pose),
    envelope: f64,
) -> Option<Option<ContactPoint>> {
    let centre = pose.local_point(at.position);
    let (outward, distance) = match shape {
        Shape::HalfSpace(_) => (DVec3::Z, centre.z),
        Shape::Cuboid(s) => from_box(centre, s.half_extents),
        Shape::Capsule(s) => {
            let foot = DVec3::new(0.0, 0.0, centre.z.clamp(-s.half_length, s.half_length));
            let line = centre - foot;
            let distance = line.length();
            let outward = if distance > 0.0 {
                line / distance
            } else {
                DVec3::X
            };
            (outward, distance - s.radius)
        }
        Shape::Cylinder(s) => revolved(centre, |p| from_rectangle(p, s.radius, s.half_height)),
        Shape::Cone(s) => revolved(centre, |p| from_triangle(p, s.radius, s.half_height)),
        Shape::Ellipsoid(s) => super::ellipsoid::from_ellipsoid(centre, s.semi_axes),
        _ => return None,
    };
    let gap = distance - sphere.radius;
    if gap > envelope {
        return Some(None);
    }
    let normal = -pose.direction(outward);
    Some(Some(ContactPoint {
        feature: 0,
        point: at.position + (sphere.radius + 0.5 * gap) * normal,
        normal,
        gap,
    }))
}

/// Outward normal and signed distance of a point from a box; inside, of the nearest face.
fn from_box(point: DVec3, half: DVec3) -> (DVec3, f64) {
    let line = point - point.clamp(-half, half);
    let distance = line.length();
    if distance > 0.0 {
        return (line / distance, distance);
    }
    let below = point.abs() - half;
    let mut axis = 2;
    for other in [1, 0] {
        if below[other] > below[axis] {
            axis = other;
        }
    }
    let mut outward = DVec3::ZERO;
    outward[axis] = 1f64.copysign(point[axis]);
    (outward, below[axis])
}

/// The problem in the half-plane of the axis and the point, coordinates (ρ, z), turned back into space.
fn revolved(point: DVec3, flat: impl Fn(DVec2) -> (DVec2, f64)) -> (DVec3, f64) {
    let across = DVec2::new(point.x, point.y);
    let rho = across.length();
    // On the axis all directions across it are as good.
    let radial = if rho > 0.0 { across / rho } else { DVec2::X };
    let (outward, distance) = flat(DVec2::new(rho, point.z));
    ((outward.x * radial).extend(outward.y), distance)
}

/// Distance from the rectangle ρ ≤ r, |z| ≤ h: half the section of a cylinder.
fn from_rectangle(point: DVec2, radius: f64, half: f64) -> (DVec2, f64) {
    let line = point - DVec2::new(point.x.min(radius), point.y.clamp(-half, half));
    let distance = line.length();
    if distance > 0.0 {
        return (line / distance, distance);
    }
    let (side, cap) = (point.x - radius, point.y.abs() - half);
    if cap >= side {
        (DVec2::new(0.0, 1f64.copysign(point.y)), cap)
    } else {
        (DVec2::X, side)
    }
}

/// Distance from the triangle of apex (0, h) and base ρ ≤ r at z = −h: half the section of a cone.
fn from_triangle(point: DVec2, radius: f64, half: f64) -> (DVec2, f64) {
    let (apex, rim) = (DVec2::new(0.0, half), DVec2::new(radius, -half));
    let side = DVec2::new(2.0 * half, radius).normalize();
    let (over_side, over_base) = (side.dot(point - apex), -half - point.y);
    if over_side <= 0.0 && over_base <= 0.0 {
        return if over_base >= over_side {
            (-DVec2::Y, over_base)
        } else {
            (side, over_side)
        };
    }
    let edge = rim - apex;
    let t = ((point - apex).dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
    let on_side = apex + t * edge;
    let on_base = DVec2::new(point.x.min(radius), -half);
    // The nearer of the two surfaces that face the point.
    let by_base = over_base > 0.0
        && (over_side <= 0.0 || point.distance_squared(on_base) <= point.distance_squared(on_side));
    let line = point - if by_base { on_base } else { on_side };
    let distance = line.length();
    match line.try_normalize() {
        Some(outward) => (outward, distance),
        None => (side, 0.0),
    }
}
