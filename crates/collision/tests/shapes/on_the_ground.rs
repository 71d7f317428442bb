//! Containers and meshes stand on the ground with their corners and rims, in either order of the pair.

use crate::common;

use common::{box_mesh, containers, touch};
use glam::{DQuat, DVec3};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::*;
use std::sync::Arc;

/// Half the height of a container's outside below its origin, and how many points it stands on.
fn foot(shape: &Shape) -> (f64, usize) {
    match shape {
        Shape::OpenBox(s) => (s.half_extents.z + s.thickness, 4),
        Shape::HollowCylinder(s) if s.bottom => (s.half_height + s.thickness, 6),
        Shape::HollowCylinder(s) => (s.half_height, 6),
        Shape::Frustum(s) => (s.half_height, 6),
        Shape::TriangleMesh(s) => (s.vertices[0].abs().z, 8),
        _ => panic!("not a container"),
    }
}

#[test]
fn standing() {
    let ground = Shape::HalfSpace(HalfSpace);
    let tilt = Pose::new(DVec3::new(1.0, 2.0, 3.0), DQuat::from_rotation_x(0.3));
    let mut shapes = containers(1.0);
    shapes.push(Shape::TriangleMesh(Arc::new(box_mesh(
        DVec3::new(0.3, 0.5, 0.9),
        2,
    ))));
    for shape in &shapes {
        let (height, count) = foot(shape);
        let pose = tilt.compose(&Pose::at(DVec3::new(0.5, 0.2, height - 0.001)));
        let down = touch((shape, &pose), (&ground, &tilt), 0.01);
        let up = touch((&ground, &tilt), (shape, &pose), 0.01);
        assert_eq!(down.len(), count, "{shape:?} {down:?}");
        assert_eq!(up.len(), count, "{shape:?} {up:?}");
        let out = tilt.direction(DVec3::Z);
        for (p, q) in down.iter().zip(&up) {
            assert!((p.gap + 0.001).abs() < 1e-12, "{shape:?} {p:?}");
            assert!((p.normal + out).length() < 1e-12 && (q.normal - out).length() < 1e-12);
            assert!(out.dot(p.point - tilt.position).abs() < 0.001);
        }
    }
}

#[test]
fn above_it() {
    let ground = Shape::HalfSpace(HalfSpace);
    for shape in &containers(1.0) {
        let pose = Pose::at(DVec3::new(0.0, 0.0, foot(shape).0 + 0.1));
        assert!(touch((shape, &pose), (&ground, &Pose::IDENTITY), 0.01).is_empty());
    }
}
