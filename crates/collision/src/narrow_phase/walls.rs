//! Convex shapes against containers: tubes, bins and funnels.
//!
//! A shape whose origin is in the room is kept in the room, however deep it is in a wall; from outside a wall is
//! touched down to half its thickness. Most shapes in a container touch nothing: they are dismissed by their boxes.

mod revolved;
mod sphere_revolved;

use super::ContactPoint;
use super::mesh::facets::{Facet, of_surface};
use super::mesh::{Task, Touch};
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
    let task = Task {
        shape: first.0,
        pose: second.1.inverse().compose(first.1),
        envelope,
        depth: f64::INFINITY,
    };
    match second.0 {
        Shape::OpenBox(bin) => open_box(task, bin, second, points),
        Shape::HollowCylinder(_) | Shape::Frustum(_) => revolved_wall(task, second, points),
        _ => {}
    }
}

fn open_box(task: Task, bin: &OpenBox, container: (&Shape, &Pose), points: &mut Vec<ContactPoint>) {
    let near = task.shape.bounds(&task.pose).grown(task.envelope);
    let half = bin.half_extents;
    // The open side is no wall: what is above the rim is not in the room.
    if near.lower.cmpgt(-half).all() && near.upper.cmplt(half).all() {
        return;
    }
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

fn revolved_wall(task: Task, container: (&Shape, &Pose), points: &mut Vec<ContactPoint>) {
    let Some(room) = revolved::Room::of(container.0) else {
        return;
    };
    let mut touches: Vec<Touch> = Vec::new();
    if let Shape::Sphere(sphere) = task.shape {
        let centre = task.pose.position;
        sphere_revolved::touches(&room, centre, sphere.radius, task.envelope, &mut touches);
    } else {
        room.touches(&task, &mut touches);
        if room.needs_outside(&task) {
            outside(&task, &room, container, points);
        }
    }
    points.extend(touches.iter().map(|touch| touch.in_world(container.1)));
}

/// Rims and outer sides, for shapes other than spheres: as flat facets, 64 around, whose corners are on the true
/// surface.
fn outside(
    task: &Task,
    room: &revolved::Room,
    container: (&Shape, &Pose),
    points: &mut Vec<ContactPoint>,
) {
    let near = task.shape.bounds(&task.pose).grown(task.envelope);
    let detail = SurfaceDetail {
        segments: 64,
        extent: 1.0,
    };
    let mut facets = of_surface(&container.0.surface(&detail), &near);
    facets.retain(|facet| !room.is_inner(facet));
    let outer = Task {
        shape: task.shape,
        pose: task.pose,
        envelope: task.envelope,
        depth: 0.5 * room.thickness,
    };
    outer.against(&facets, container.1, points);
}
