//! Convex shapes against containers: tubes, bins and funnels.
//!
//! A shape whose origin is in the room is kept in the room, however deep it is in a wall; from outside a wall is
//! touched down to half its thickness. Most shapes in a container touch nothing: they are dismissed by their boxes. What is
//! larger than the container meets its pieces ([`pieces`]), and so do meshes and other containers.

mod open_box;
mod pieces;
mod revolved;
mod round_facets;
mod sphere_revolved;

pub(super) use pieces::contact_points as of_pieces;

use super::ContactPoint;
use super::mesh::Task;
use super::mesh::facets::{Facet, of_surface};
use crate::pose::Pose;
use crate::shapes::{OpenBox, Shape, SurfaceDetail};
use glam::DVec3;

/// Appends the contact points of a convex shape with a container, whose gap is at most `envelope`.
pub(super) fn contact_points(
    first: (&Shape, &Pose),
    second: (&Shape, &Pose),
    envelope: f64,
    points: &mut Vec<ContactPoint>,
) {
    if first.0.reach() > second.0.reach() {
        pieces::contact_points(first, second, envelope, points);
        return;
    }
    if let Shape::OpenBox(bin) = second.0
        && open_box::contact_points(first, (bin, second.1), envelope, points)
    {
        return;
    }
    let task = Task {
        shape: first.0,
        pose: second.1.inverse().compose(first.1),
        envelope,
        depth: f64::INFINITY,
    };
    match second.0 {
        Shape::OpenBox(bin) => bin_surface(task, bin, second, points),
        Shape::HollowCylinder(_) | Shape::Frustum(_) => revolved_wall(task, first, second, points),
        _ => {}
    }
}

/// Shapes at the rim or outside of a bin: the surface as facets.
fn bin_surface(
    task: Task,
    bin: &OpenBox,
    container: (&Shape, &Pose),
    points: &mut Vec<ContactPoint>,
) {
    let near = task.shape.bounds(&task.pose).grown(task.envelope);
    let half = bin.half_extents;
    let in_room = task.pose.position.abs().cmplt(half).all();
    let mut facets = of_surface(&container.0.surface(&SurfaceDetail::default()), &near);
    if in_room {
        facets.retain(|facet| faces_room(facet) || (!bin.lid && facet.normal.z > 0.5));
    }
    let depth = if in_room {
        f64::INFINITY
    } else {
        0.5 * bin.thickness
    };
    Task { depth, ..task }.against(&facets, container.1, points);
}

/// Whether a facet looks towards the room, whose middle is the origin.
fn faces_room(facet: &Facet) -> bool {
    facet.height(DVec3::ZERO) > 0.0
}

fn revolved_wall(
    task: Task,
    first: (&Shape, &Pose),
    container: (&Shape, &Pose),
    points: &mut Vec<ContactPoint>,
) {
    let Some(room) = revolved::Room::of(container.0) else {
        return;
    };
    if let Shape::Sphere(sphere) = task.shape {
        let centre = task.pose.position;
        sphere_revolved::touches(&room, centre, sphere.radius, task.envelope, |touch| {
            points.push(touch.in_world(container.1));
        });
        return;
    }
    let bounds = task.shape.bounds(&task.pose).grown(task.envelope);
    room.ends(&task, first, container.1, points);
    room.wall(&task, &bounds, |touch| {
        points.push(touch.in_world(container.1));
    });
    if room.needs_outside(&task, &bounds) {
        outside(&task, &room, container.1, points);
    }
}

/// Rims and outer sides, for shapes other than spheres: as flat facets, 64 around, whose corners are on the true
/// surface.
fn outside(task: &Task, room: &revolved::Room, place: &Pose, points: &mut Vec<ContactPoint>) {
    let near = task.shape.bounds(&task.pose).grown(task.envelope);
    let mut facets = round_facets::near(room.profile(), &near);
    // What is in the room gets out only over the rims.
    let in_room = room.contains(task.pose.position);
    let level = |facet: &Facet| facet.normal.z.abs() > 1.0 - 1e-9;
    facets.retain(|facet| !room.is_inner(facet) && (!in_room || level(facet)));
    let outer = Task {
        shape: task.shape,
        pose: task.pose,
        envelope: task.envelope,
        depth: 0.5 * room.thickness,
    };
    let begin = points.len();
    outer.against(&facets, place, points);
    let mut kept = begin;
    for k in begin..points.len() {
        if !room.belongs_to_inner_side(&points[k], place) {
            points[kept] = points[k];
            kept += 1;
        }
    }
    points.truncate(kept);
}
