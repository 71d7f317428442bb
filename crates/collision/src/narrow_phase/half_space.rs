//! A shape on a half-space: the corners near the plane.

use super::ContactPoint;
use super::faces::COS_FLAT;
use super::feature::{RIM, box_corner_id, rim_corner};
use super::support::rim_point;
use crate::pose::Pose;
use crate::shapes::Shape;
use glam::DVec3;

/// The most points of a hull or a mesh.
const MOST: usize = 8;

/// Collects points of a shape, given in its own frame, that are near the plane.
struct Collector<'a> {
    pose: &'a Pose,
    /// The plane's normal, out of the ground, in the shape's frame.
    up: DVec3,
    /// Height of the shape's origin over the plane.
    height: f64,
    normal: DVec3,
    envelope: f64,
    points: &'a mut Vec<ContactPoint>,
}

impl Collector<'_> {
    fn gap(&self, point: DVec3) -> f64 {
        self.height + self.up.dot(point)
    }

    /// Adds a point, lowered by a radius, unless it is too high.
    fn offer(&mut self, point: DVec3, radius: f64, feature: u32) {
        let gap = self.gap(point) - radius;
        if gap <= self.envelope {
            self.points.push(ContactPoint {
                feature,
                point: self.pose.point(point) + (radius + 0.5 * gap) * self.normal,
                normal: self.normal,
                gap,
            });
        }
    }

    /// Adds corners under their numbers.
    fn corners(&mut self, corners: impl Iterator<Item = DVec3>) {
        for (index, corner) in corners.enumerate() {
            self.offer(corner, 0.0, index as u32);
        }
    }

    /// The rim of a round face: its lowest point, and when the face lies nearly flat also fixed points around it.
    ///
    /// The lowest point of a flat face has no place of its own; it is left out below a tilt of 1e-6, so that a
    /// standing body keeps the same points.
    fn rim(&mut self, radius: f64, z: f64, first_feature: u32) {
        let lowest = rim_point(radius, -self.up).with_z(z);
        let tilted = self.up.x.hypot(self.up.y) > 1e-6;
        if self.up.z.abs() >= COS_FLAT {
            let looks_up = self.up.z * z > 0.0;
            if looks_up {
                return;
            }
            for k in 0..RIM {
                let corner = rim_corner(k, radius, z);
                // Near the lowest point that one stands for both.
                if !tilted || corner.distance(lowest) > 0.05 * radius {
                    self.offer(corner, 0.0, first_feature + k as u32);
                }
            }
        }
        if tilted {
            self.offer(lowest, 0.0, first_feature + RIM as u32);
        }
    }
}

/// Appends the contact points of a bounded shape with a half-space; the normal points into the ground.
pub(super) fn contact_points(
    shape: (&Shape, &Pose),
    ground: &Pose,
    envelope: f64,
    points: &mut Vec<ContactPoint>,
) {
    let plane = (ground.position, ground.direction(DVec3::Z));
    on_plane(shape, plane, envelope, points);
}

/// The same with the half-space below a plane, given by a point and the unit normal out of the ground.
///
/// Containers and meshes touch like their convex hulls: with corners and outer rims.
pub(super) fn on_plane(
    (shape, pose): (&Shape, &Pose),
    (place, out): (DVec3, DVec3),
    envelope: f64,
    points: &mut Vec<ContactPoint>,
) {
    let begin = points.len();
    let mut at = Collector {
        pose,
        up: pose.local_direction(out),
        height: out.dot(pose.position - place),
        normal: -out,
        envelope,
        points,
    };
    match shape {
        Shape::Sphere(s) => at.offer(DVec3::ZERO, s.radius, 0),
        Shape::Capsule(s) => {
            at.offer(DVec3::new(0.0, 0.0, -s.half_length), s.radius, 0);
            at.offer(DVec3::new(0.0, 0.0, s.half_length), s.radius, 1);
        }
        Shape::Cuboid(s) => {
            for corner in 0..8 {
                let sign = |bit: u32| if corner & bit == 0 { -1.0 } else { 1.0 };
                let point = s.half_extents * DVec3::new(sign(1), sign(2), sign(4));
                at.offer(point, 0.0, u32::from(box_corner_id(point)));
            }
        }
        Shape::Ellipsoid(s) => {
            let scaled = s.semi_axes * at.up;
            at.offer(-s.semi_axes * scaled / scaled.length(), 0.0, 0);
        }
        Shape::Cylinder(s) => {
            at.rim(s.radius, -s.half_height, 0);
            at.rim(s.radius, s.half_height, RIM as u32 + 1);
        }
        Shape::Cone(s) => {
            at.rim(s.radius, -s.half_height, 0);
            at.offer(DVec3::new(0.0, 0.0, s.half_height), 0.0, RIM as u32 + 1);
        }
        Shape::ConvexHull(hull) => {
            at.corners(hull.vertices.iter().copied());
            spread(points, begin);
        }
        Shape::OpenBox(s) => {
            let [lower, upper] = s.outside();
            let pick = |low: bool, a: f64, b: f64| if low { a } else { b };
            at.corners((0..8).map(|k| {
                DVec3::new(
                    pick(k & 1 == 0, lower.x, upper.x),
                    pick(k & 2 == 0, lower.y, upper.y),
                    pick(k & 4 == 0, lower.z, upper.z),
                )
            }));
        }
        Shape::HollowCylinder(s) => {
            let ([low, high], radius) = (s.heights(), s.inner_radius + s.thickness);
            at.rim(radius, low, 0);
            at.rim(radius, high, RIM as u32 + 1);
        }
        Shape::Frustum(s) => {
            let [_, lower, upper, _] = s.profile();
            at.rim(lower.x, lower.y, 0);
            at.rim(upper.x, upper.y, RIM as u32 + 1);
        }
        Shape::TriangleMesh(mesh) => {
            at.corners(mesh.vertices.iter().copied());
            spread(points, begin);
        }
        Shape::HeightField(field) => {
            let columns = field.columns;
            let corners = 0..columns * field.rows;
            at.corners(corners.map(|k| field.point(k % columns, k / columns)));
            spread(points, begin);
        }
        _ => {}
    }
}

/// Keeps the deepest of the points from `begin` on and those farthest from the ones kept before.
fn spread(points: &mut Vec<ContactPoint>, begin: usize) {
    let found = &mut points[begin..];
    if found.len() <= MOST {
        return;
    }
    for k in 0..MOST {
        let (mut best, mut value) = (k, f64::NEG_INFINITY);
        for (index, point) in found.iter().enumerate().skip(k) {
            let worth = if k == 0 {
                -point.gap
            } else {
                found[..k].iter().fold(f64::INFINITY, |least, p| {
                    least.min(p.point.distance_squared(point.point))
                })
            };
            // Equal up to rounding: the first.
            if worth > value + 1e-9 * value.abs() {
                (best, value) = (index, worth);
            }
        }
        found.swap(k, best);
    }
    points.truncate(begin + MOST);
    points[begin..].sort_unstable_by_key(|p| p.feature);
}
