//! Convex shapes in a bin: the planes of its inner walls.

use crate::narrow_phase::{ContactPoint, half_space};
use crate::pose::Pose;
use crate::shapes::{OpenBox, Shape};
use glam::DVec3;

/// Marks of the walls in the names of contacts; the names of a shape's corners are smaller.
const WALL: u32 = 1 << 24;

/// Appends the contacts of a shape in the room; false if it is not in the room or may touch the rim.
///
/// The room is convex, so a shape that is in it touches each wall as it would touch a half-space, however deep it is in
/// a wall. Only over the rim of an open bin the walls end.
pub(super) fn contact_points(
    (shape, pose): (&Shape, &Pose),
    (bin, place): (&OpenBox, &Pose),
    envelope: f64,
    points: &mut Vec<ContactPoint>,
) -> bool {
    let half = bin.half_extents;
    let centre = place.local_point(pose.position);
    // Half the extents of the shape along the axes of the room, and its middle.
    let (lower, upper) = match shape {
        Shape::Sphere(s) => (centre - s.radius, centre + s.radius),
        _ => {
            let bounds = shape.bounds(&place.inverse().compose(pose));
            (bounds.lower, bounds.upper)
        }
    };
    let beyond = [
        (lower - envelope).cmple(-half),
        (upper + envelope).cmpge(half),
    ];
    let beside = beyond[0].x || beyond[0].y || beyond[1].x || beyond[1].y;
    // The open side is no wall: a shape that sticks out of it, away from the walls, touches nothing there.
    if !beside && !beyond[0].z && (!bin.lid || !beyond[1].z) {
        return true;
    }
    let in_room = centre.abs().cmplt(half).all();
    if !in_room || (!bin.lid && beyond[1].z && beside) {
        return false;
    }
    for axis in 0..3 {
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            if !beyond[side].test(axis) || (axis == 2 && side == 1 && !bin.lid) {
                continue;
            }
            let mark = WALL * (2 * axis + side + 1) as u32;
            let out = sign * place.rotation.mul_vec3(DVec3::AXES[axis]);
            if let Shape::Sphere(s) = shape {
                let gap = sign * centre[axis] + half[axis] - s.radius;
                points.push(ContactPoint {
                    feature: mark,
                    point: pose.position - (s.radius + 0.5 * gap) * out,
                    normal: -out,
                    gap,
                });
                continue;
            }
            let begin = points.len();
            let on_wall = place.position - half[axis] * out;
            half_space::on_plane((shape, pose), (on_wall, out), envelope, points);
            for point in &mut points[begin..] {
                point.feature += mark;
            }
        }
    }
    true
}
