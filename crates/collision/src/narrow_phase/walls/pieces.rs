//! Containers as convex pieces, where they meet what cannot be in their room: other containers, meshes, and shapes that are
//! larger than they are.
//!
//! The walls of a bin are boxes and its pieces are exact. A round wall is cut into flat ones whose corners are on the true
//! surface; the discs that close a tube stay round.

use crate::bounds::Bounds;
use crate::narrow_phase::mesh::Touch;
use crate::narrow_phase::mesh::reduce::reduce;
use crate::narrow_phase::{self, ContactPoint, compound};
use crate::pose::Pose;
use crate::shapes::{ConvexHull, Cuboid, Cylinder, OpenBox, Shape};
use glam::{DVec2, DVec3};
use std::borrow::Cow;
use std::f64::consts::TAU;
use std::sync::Arc;

/// Flat pieces of a round wall.
const AROUND: u32 = 64;

/// A piece and its number.
struct Piece<'a> {
    number: u32,
    shape: Cow<'a, Shape>,
    /// In the world.
    pose: Pose,
}

/// Appends the contact points of a container with a mesh, a height field or another container, or of a large convex shape
/// with a container, whose gap is at most `envelope`.
pub(in crate::narrow_phase) fn contact_points(
    first: (&Shape, &Pose),
    second: (&Shape, &Pose),
    envelope: f64,
    points: &mut Vec<ContactPoint>,
) {
    let start = points.len();
    let near = second.0.bounds(second.1).grown(envelope);
    for a in near_pieces(first, &near) {
        let near = a.shape.bounds(&a.pose).grown(envelope);
        for b in near_pieces(second, &near) {
            let from = points.len();
            let [a_posed, b_posed] = [(&*a.shape, &a.pose), (&*b.shape, &b.pose)];
            narrow_phase::contact_points(a_posed, b_posed, envelope, points);
            compound::renumber(&mut points[from..], a.number.wrapping_mul(4096) ^ b.number);
        }
    }
    // Along a rim every piece has points of its own; few of them hold a body as well.
    let touch = |point: ContactPoint| Touch {
        feature: point.feature,
        foot: point.point + 0.5 * point.gap * point.normal,
        outward: -point.normal,
        gap: point.gap,
    };
    let mut touches: Vec<Touch> = points.drain(start..).map(touch).collect();
    reduce(&mut touches, first.0.reach());
    let world = Pose::IDENTITY;
    points.extend(touches.iter().map(|touch| touch.in_world(&world)));
}

/// The pieces of a container that reach into a box; anything else is one piece.
fn near_pieces<'a>((shape, pose): (&'a Shape, &Pose), near: &Bounds) -> Vec<Piece<'a>> {
    let piece = |number: u32, shape: Shape, place: DVec3| Piece {
        number,
        pose: Pose::new(pose.point(place), pose.rotation),
        shape: Cow::Owned(shape),
    };
    let mut pieces = match shape {
        Shape::OpenBox(bin) => {
            let walls = walls_of(bin).into_iter().zip(0..);
            walls
                .map(|((place, half), number)| {
                    let wall = Cuboid { half_extents: half };
                    piece(number, Shape::Cuboid(wall), place)
                })
                .collect()
        }
        Shape::HollowCylinder(tube) => {
            let (r, t, h) = (tube.inner_radius, tube.thickness, tube.half_height);
            let wall = [(r, -h), (r + t, -h), (r + t, h), (r, h)].map(|(x, y)| DVec2::new(x, y));
            let mut pieces = round_wall(wall, pose, near);
            let disc = || {
                Shape::Cylinder(Cylinder {
                    radius: r + t,
                    half_height: 0.5 * t,
                })
            };
            for (closed, sign) in [(tube.bottom, -1.0), (tube.top, 1.0)] {
                if closed {
                    let number = AROUND + pieces.len() as u32;
                    pieces.push(piece(number, disc(), sign * (h + 0.5 * t) * DVec3::Z));
                }
            }
            pieces
        }
        Shape::Frustum(funnel) => round_wall(funnel.profile(), pose, near),
        other => {
            return vec![Piece {
                number: 0,
                shape: Cow::Borrowed(other),
                pose: *pose,
            }];
        }
    };
    pieces.retain(|piece| piece.shape.bounds(&piece.pose).overlaps(near));
    pieces
}

/// Middles and half extents of the walls of a bin.
fn walls_of(bin: &OpenBox) -> Vec<(DVec3, DVec3)> {
    let (room, t) = (bin.half_extents, bin.thickness);
    let middle = room + 0.5 * t;
    let level = DVec3::new(room.x + t, room.y + t, 0.5 * t);
    let along_y = DVec3::new(0.5 * t, room.y + t, room.z);
    let along_x = DVec3::new(room.x, 0.5 * t, room.z);
    let mut walls = vec![
        (-middle.z * DVec3::Z, level),
        (-middle.x * DVec3::X, along_y),
        (middle.x * DVec3::X, along_y),
        (-middle.y * DVec3::Y, along_x),
        (middle.y * DVec3::Y, along_x),
    ];
    if bin.lid {
        walls.push((middle.z * DVec3::Z, level));
    }
    walls
}

/// The pieces of a wall of revolution that reach into a box, from its cut by a half-plane through the axis.
fn round_wall<'a>(profile: [DVec2; 4], pose: &Pose, near: &Bounds) -> Vec<Piece<'a>> {
    let corner = |number: u32, cut: DVec2| {
        let (sin, cos) = (TAU * f64::from(number % AROUND) / f64::from(AROUND)).sin_cos();
        DVec3::new(cut.x * cos, cut.x * sin, cut.y)
    };
    let made = (0..AROUND).filter_map(|number| {
        let corners: Vec<DVec3> = [number, number + 1]
            .into_iter()
            .flat_map(|end| profile.map(|cut| corner(end, cut)))
            .collect();
        let places = corners.iter().map(|corner| pose.point(*corner));
        let (lower, upper) = places.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, u), p| {
            (l.min(p), u.max(p))
        });
        if !(Bounds { lower, upper }).overlaps(near) {
            return None;
        }
        let hull = ConvexHull::from_points(&corners).ok()?;
        Some(Piece {
            number,
            shape: Cow::Owned(Shape::ConvexHull(Arc::new(hull))),
            pose: *pose,
        })
    });
    made.collect()
}
