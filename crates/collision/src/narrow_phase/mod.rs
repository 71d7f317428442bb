//! From pairs of bodies to contacts.

mod compound;
mod mesh;
mod walls;

use crate::colliders::Colliders;
use crate::contact::Contact;
use crate::pose::Pose;
use crate::shapes::Shape;

/// Finds the contacts of pairs; keeps its storage from call to call.
#[derive(Clone, Debug, Default)]
pub struct NarrowPhase {
    contacts: Vec<Contact>,
}

/// A contact point of two shapes before it is known whose shapes they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// See [`Contact::feature`].
    pub feature: u32,
    /// See [`Contact::point`].
    pub point: glam::DVec3,
    /// See [`Contact::normal`].
    pub normal: glam::DVec3,
    /// See [`Contact::gap`].
    pub gap: f64,
}

impl NarrowPhase {
    /// The contacts of all pairs, in the order of the pairs and within a pair in the order of features; the same for
    /// any number of threads.
    pub fn find_contacts(&mut self, colliders: &Colliders, pairs: &[[u32; 2]]) -> &[Contact] {
        self.contacts.clear();
        let mut points = Vec::new();
        for &[a, b] in pairs {
            let (i, j) = (a as usize, b as usize);
            let (Some(first), Some(second)) = (
                colliders.table.get(colliders.shapes[i]),
                colliders.table.get(colliders.shapes[j]),
            ) else {
                continue;
            };
            points.clear();
            contact_points(
                (&first.shape, &first.pose(&colliders.poses[i])),
                (&second.shape, &second.pose(&colliders.poses[j])),
                colliders.envelopes[i] + colliders.envelopes[j],
                &mut points,
            );
            self.contacts.extend(points.iter().map(|p| Contact {
                bodies: [a, b],
                feature: p.feature,
                point: p.point,
                normal: p.normal,
                gap: p.gap,
            }));
        }
        &self.contacts
    }
}

/// Appends the contact points of two posed shapes whose gap is at most `envelope`.
pub fn contact_points(
    first: (&Shape, &Pose),
    second: (&Shape, &Pose),
    envelope: f64,
    points: &mut Vec<ContactPoint>,
) {
    let ((a, pose_a), (b, pose_b)) = (first, second);
    match (a, b) {
        (Shape::Sphere(a), Shape::Sphere(b)) => {
            let line = pose_b.position - pose_a.position;
            let distance = line.length();
            let gap = distance - a.radius - b.radius;
            if gap > envelope {
                return;
            }
            // Concentric spheres have no normal of their own; any one separates them.
            let normal = if distance > 0.0 {
                line / distance
            } else {
                glam::DVec3::Z
            };
            points.push(ContactPoint {
                feature: 0,
                point: pose_a.position + (a.radius + 0.5 * gap) * normal,
                normal,
                gap,
            });
        }
        (Shape::Compound(_), _) | (_, Shape::Compound(_)) => {
            compound::contact_points(first, second, envelope, points);
        }
        (_, Shape::TriangleMesh(_) | Shape::HeightField(_)) => {
            mesh::contact_points(first, second, envelope, points);
        }
        (_, Shape::HollowCylinder(_) | Shape::OpenBox(_) | Shape::Frustum(_)) => {
            walls::contact_points(first, second, envelope, points);
        }
        _ => {}
    }
}
