use crate::worlds::{GRAVITY, in_steps_of};
use glam::{DQuat, DVec3};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{
    Cuboid, Cylinder, Frustum, HeightField, HollowCylinder, OpenBox, Shape, TriangleMesh,
};
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::simulation::Simulation;
use std::f64::consts::PI;
use std::sync::Arc;

/// Grounds whose upper side is level, with the height of their origin over it.
fn grounds() -> Vec<(&'static str, Shape, f64)> {
    let slab = Cuboid::new(DVec3::new(1.0, 1.0, 0.1)).unwrap();
    let surface = Shape::Cuboid(slab).surface(&Default::default());
    let mesh = TriangleMesh::new(surface.vertices, surface.triangles).unwrap();
    let field = HeightField::new(5, 5, [0.5; 2], vec![0.0; 25]).unwrap();
    let disc = Cylinder::new(0.1, 1.0).unwrap();
    let bin = OpenBox::new(DVec3::splat(0.8), 0.1, false).unwrap();
    let tub = HollowCylinder::new(0.8, 0.5, 0.1, true, false).unwrap();
    vec![
        ("a slab", Shape::Cuboid(slab), -0.1),
        ("a disc", Shape::Cylinder(disc), -0.1),
        ("a mesh", Shape::TriangleMesh(Arc::new(mesh)), -0.1),
        ("a height field", Shape::HeightField(Arc::new(field)), 0.0),
        ("a bin", Shape::OpenBox(bin), 0.8),
        ("a tub", Shape::HollowCylinder(tub), 0.5),
    ]
}

/// Containers, with the height of their origin when they stand and when they stand on their heads. Those that stand on a
/// round rim touch it in flat pieces; it is level all the same.
fn containers() -> Vec<(&'static str, Shape, [f64; 2])> {
    let bin = OpenBox::new(DVec3::new(0.1, 0.12, 0.15), 0.02, false).unwrap();
    let pot = HollowCylinder::new(0.1, 0.15, 0.02, true, false).unwrap();
    let funnel = Frustum::new(0.08, 0.12, 0.1, 0.02).unwrap();
    vec![
        ("a bin", Shape::OpenBox(bin), [0.17, 0.15]),
        ("a pot", Shape::HollowCylinder(pot), [0.17, 0.15]),
        ("a funnel", Shape::Frustum(funnel), [0.1, 0.1]),
    ]
}

#[test]
fn containers_stand_on_whatever_there_is() {
    for (ground_name, ground, origin) in grounds() {
        for (name, shape, heights) in containers() {
            for (turn, height) in [0.0, PI].into_iter().zip(heights) {
                let mut simulation = Simulation::new(in_steps_of(2e-3));
                let ground = simulation.add_shape(ground.clone());
                let ground = NewBody::fixed(ground).at(origin * DVec3::Z);
                let ground = simulation.add_body(ground).unwrap();
                let shape = simulation.add_shape(shape.clone());
                // Beside the middle, and a little above.
                let start = DVec3::new(0.21, 0.17, height + 2e-3);
                let pose = Pose::new(start, DQuat::from_rotation_x(turn));
                let body = NewBody::with_mass(shape, 3.0).posed(pose);
                let body = simulation.add_body(body).unwrap();
                let begin = simulation.bodies().poses[body].position.z;
                for _ in 0..100 {
                    simulation.step().unwrap();
                }
                let what = format!("{name} turned by {turn:.1} on {ground_name}");
                let sunk = begin - simulation.bodies().poses[body].position.z - 2e-3;
                assert!(sunk.abs() < 1e-6, "{what}: {sunk} m too low");
                let load = -simulation.force_on(ground).linear.z;
                assert!((load - 3.0 * GRAVITY).abs() < 1e-6, "{what}: {load} N");
                assert!(simulation.contacts().len() <= 8, "{what}");
            }
        }
    }
}
