//! Limits stop a coordinate where they are.

use crate::support::{GRAVITY, ball, run, world};
use glam::DVec3;
use moreau_dynamics::forces::WORLD;
use moreau_dynamics::joints::{Motor, NewJoint};
use moreau_dynamics::motion::Signal;
use std::f64::consts::TAU;

#[test]
fn a_pendulum_rests_on_its_stop() {
    let mut simulation = world(2e-3, GRAVITY);
    let bob = simulation.add_body(ball(1.0, 0.1, DVec3::X)).unwrap() as u32;
    // About +y the bob falls to positive angles; the bottom is at a quarter turn.
    let stop = 1.2;
    let hinge = NewJoint::revolute([WORLD, bob], DVec3::ZERO, DVec3::Y).limited(0, -1.0, stop);
    simulation.add_joint(hinge).unwrap();
    let mut largest = f64::NEG_INFINITY;
    for _ in 0..1000 {
        simulation.step().unwrap();
        largest = largest.max(simulation.joints().get(0).unwrap().coordinates()[0]);
    }
    assert!(largest < stop + 1e-9, "{largest}");
    let angle = simulation.joints().get(0).unwrap().coordinates()[0];
    assert!((angle - stop).abs() < 1e-9, "{angle}");
    let limit = simulation.joints().reaction(0).unwrap().limit[0];
    assert!((limit + GRAVITY * stop.cos()).abs() < 1e-6, "{limit}");
}

#[test]
fn a_limit_can_be_several_turns_away() {
    let mut simulation = world(1e-2, 0.0);
    let wheel = simulation.add_body(ball(1.0, 1.0, DVec3::ZERO)).unwrap() as u32;
    let motor = Motor::Speed {
        speed: Signal::Constant(-30.0),
        max_force: 100.0,
    };
    let hinge = NewJoint::revolute([WORLD, wheel], DVec3::ZERO, DVec3::Z)
        .limited(0, -3.25 * TAU, f64::INFINITY)
        .driven_by(0, motor);
    simulation.add_joint(hinge).unwrap();
    run(&mut simulation, 2.0);
    let joint = simulation.joints().get(0).unwrap();
    assert!((joint.coordinates()[0] + 3.25 * TAU).abs() < 1e-9);
    let reaction = joint.reaction();
    assert!((reaction.limit[0] - 100.0).abs() < 1e-6, "{reaction:?}");
    assert!((reaction.motor[0] + 100.0).abs() < 1e-6, "{reaction:?}");
}

#[test]
fn a_cylindrical_joint_limits_both_coordinates() {
    let mut simulation = world(1e-3, GRAVITY);
    let spin = DVec3::new(0.0, 0.0, 3.0);
    let rod = ball(1.0, 1.0, DVec3::ZERO).moving(DVec3::ZERO, spin);
    let rod = simulation.add_body(rod).unwrap() as u32;
    let sleeve = NewJoint::cylindrical([WORLD, rod], DVec3::ZERO, DVec3::Z)
        .limited(0, -0.5, 0.5)
        .limited(1, -1.0, 1.0);
    simulation.add_joint(sleeve).unwrap();
    run(&mut simulation, 1.0);
    let coordinates = simulation.joints().get(0).unwrap().coordinates();
    assert!((coordinates[0] + 0.5).abs() < 1e-9, "{coordinates:?}");
    assert!((coordinates[1] - 1.0).abs() < 1e-9, "{coordinates:?}");
}
