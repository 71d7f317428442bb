//! Convex shapes against surfaces of triangles: meshes and height fields.
//!
//! A triangle alone knows too little: a sphere rolling over a flat floor would be pushed sideways by the edges that it
//! crosses. So each [`Facet`](facets::Facet) comes with its neighbours, an edge or a corner of the mesh is touched only
//! where the surface bends outwards, and only along a normal that lies between those of the triangles around it.

pub(super) mod convex;
pub(super) mod edges;
pub(super) mod facets;
mod facing;
pub(super) mod reduce;
pub(super) mod sphere;

use super::ContactPoint;
use crate::pose::Pose;
use crate::shapes::Shape;
use facets::Facet;
use glam::DVec3;

/// Appends the contact points of a convex shape with a mesh or a height field, whose gap is at most `envelope`.
///
/// A shape that is wholly inside a mesh and farther from its surface than its own size is not found.
pub(super) fn contact_points(
    first: (&Shape, &Pose),
    second: (&Shape, &Pose),
    envelope: f64,
    points: &mut Vec<ContactPoint>,
) {
    let relative = second.1.inverse().compose(first.1);
    let near = first.0.bounds(&relative).grown(envelope);
    let facets = match second.0 {
        Shape::TriangleMesh(mesh) => facets::of_mesh(mesh, &near),
        Shape::HeightField(field) => facets::of_height_field(field, &near),
        _ => return,
    };
    let task = Task {
        shape: first.0,
        pose: relative,
        envelope,
        depth: first.0.size(),
    };
    task.against(&facets, second.1, points);
}

/// A shape that is tested against facets, all in the frame of the facets.
pub(super) struct Task<'a> {
    pub(super) shape: &'a Shape,
    pub(super) pose: Pose,
    pub(super) envelope: f64,
    /// How deep a point may be below a facet and still belong to it.
    pub(super) depth: f64,
}

/// A contact in the frame of the facets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) feature: u32,
    /// On the facets' surface.
    pub(super) foot: DVec3,
    /// Out of the facets' surface: against the contact's normal.
    pub(super) outward: DVec3,
    pub(super) gap: f64,
}

impl Touch {
    /// In the world, given the pose of the facets' frame.
    pub(super) fn in_world(&self, pose: &Pose) -> ContactPoint {
        ContactPoint {
            feature: self.feature,
            point: pose.point(self.foot + 0.5 * self.gap * self.outward),
            normal: -pose.direction(self.outward),
            gap: self.gap,
        }
    }
}

/// Numbers for the features of one facet: the face, its edges and corners, points of the other shape over it, and
/// points of its edges and corners on the other shape.
pub(super) fn feature(facet: &Facet, slot: usize) -> u32 {
    facet.id.wrapping_mul(64).wrapping_add(slot as u32 & 63)
}

impl Task<'_> {
    /// Appends the contacts with facets, whose frame has the given pose in the world.
    pub(super) fn against(&self, facets: &[Facet], pose: &Pose, points: &mut Vec<ContactPoint>) {
        let mut touches = Vec::new();
        if let Shape::Sphere(sphere) = self.shape {
            sphere::touches(
                facets,
                self.pose.position,
                sphere.radius,
                self.envelope,
                &mut touches,
            );
        } else {
            convex::touches(self, facets, &mut touches);
            edges::touches(self, facets, &mut touches);
            reduce::reduce(&mut touches, self.shape.reach());
        }
        points.extend(touches.iter().map(|touch| touch.in_world(pose)));
    }
}
