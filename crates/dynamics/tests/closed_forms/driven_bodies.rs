use crate::worlds::in_steps_of;
use glam::{DQuat, DVec3};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Cuboid, Shape, Sphere};
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::motion::{DrivenMotion, Signal};
use moreau_dynamics::simulation::Simulation;
use std::f64::consts::{FRAC_PI_2, TAU};

/// A table that begins 0.2 m above the place that it is given and turned by a quarter: a ball just above it is not hit by it.
#[test]
fn a_pose_that_begins_elsewhere_is_there_before_the_first_step() {
    let mut simulation = Simulation::new(in_steps_of(0.001));
    let lift = Signal::Sine {
        amplitude: 0.2,
        frequency: 0.25,
        phase: FRAC_PI_2,
        offset: 0.0,
    };
    let motion = DrivenMotion::Pose {
        displacement: [Signal::ZERO, Signal::ZERO, lift],
        axis: DVec3::Z,
        angle: Signal::Constant(FRAC_PI_2),
        start: Pose::IDENTITY,
    };
    let half = DVec3::new(2.0, 0.5, 0.05);
    let table = simulation.add_shape(Shape::Cuboid(Cuboid::new(half).unwrap()));
    let table = simulation.add_body(NewBody::driven(table, motion)).unwrap();
    let ball = simulation.add_shape(Shape::Sphere(Sphere::new(0.1).unwrap()));
    // Above the end of the table, where it is only after the turn.
    let above = DVec3::new(0.0, 1.5, 0.2 + 0.05 + 0.1);
    let ball = simulation
        .add_body(NewBody::rigid(ball, 1000.0).at(above))
        .unwrap();
    let pose = simulation.bodies().poses[table];
    assert!((pose.position - 0.2 * DVec3::Z).length() < 1e-15);
    assert!(pose.rotation.dot(DQuat::from_rotation_z(FRAC_PI_2)).abs() > 1.0 - 1e-15);
    for _ in 0..200 {
        simulation.step().unwrap();
    }
    // The table falls away slower than a stone: the ball stays on it.
    let height = 0.2 * (TAU * 0.25 * simulation.time()).cos() + 0.15;
    let place = simulation.bodies().poses[ball].position;
    assert!((place.z - height).abs() < 1e-6, "{} {height}", place.z);
}
