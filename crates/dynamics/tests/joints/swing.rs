//! Ball joints measure and limit swing and twist.

use crate::support::{GRAVITY, ball, cuboid, world};
use glam::{DQuat, DVec3, dvec3};
use moreau_collision::pose::Pose;
use moreau_dynamics::forces::WORLD;
use moreau_dynamics::joints::{JointKind, Motor, NewJoint};
use moreau_dynamics::motion::Signal;
use std::f64::consts::PI;

#[test]
fn a_pendulum_swings_to_its_cone_and_no_farther() {
    for direction in 0..5 {
        let angle = 1.3 * f64::from(direction);
        let push = 3.0 * dvec3(angle.cos(), angle.sin(), 0.0);
        let mut simulation = world(1e-3, GRAVITY);
        let bob = ball(1.0, 0.01, DVec3::NEG_Z).moving(push, DVec3::NEG_Z.cross(push));
        let bob = simulation.add_body(bob).unwrap() as u32;
        let joint = NewJoint::swinging_from([WORLD, bob], DVec3::ZERO, DVec3::NEG_Z);
        simulation.add_joint(joint.limited(0, 0.0, 0.5)).unwrap();
        let mut largest = 0.0f64;
        for _ in 0..1000 {
            simulation.step().unwrap();
            let place = simulation.bodies().poses[0].position;
            let swing = place.truncate().length().atan2(-place.z);
            largest = largest.max(swing);
        }
        assert!((largest - 0.5).abs() < 1e-6, "{largest} along {push}");
    }
}

/// Lying on the cone, the limit carries the moment of the weight: m g l cos θ.
#[test]
fn a_beam_rests_on_its_cone() {
    let stop = 0.3;
    let mut simulation = world(2e-3, GRAVITY);
    let bob = simulation.add_body(ball(2.0, 0.1, DVec3::X)).unwrap() as u32;
    let joint = NewJoint::swinging_from([WORLD, bob], DVec3::ZERO, DVec3::X);
    simulation.add_joint(joint.limited(0, 0.0, stop)).unwrap();
    for _ in 0..1500 {
        simulation.step().unwrap();
    }
    let joint = simulation.joints().get(0).unwrap();
    assert!((joint.coordinates()[0] - stop).abs() < 1e-9);
    let limit = joint.reaction().limit[0];
    let right = -2.0 * GRAVITY * stop.cos();
    assert!((limit - right).abs() < 1e-6, "{limit} for {right}");
}

/// A torque along the twist meets its limit, also where the joint is swung out; there the twist has a lever.
#[test]
fn a_twisted_body_stops_at_its_limit() {
    for swing in [0.0, 1.0, 2.5] {
        let mut simulation = world(1e-3, 0.0);
        let body = simulation.add_body(ball(1.0, 0.3, DVec3::ZERO)).unwrap() as u32;
        let frames = [
            Pose::IDENTITY,
            Pose::new(DVec3::ZERO, DQuat::from_rotation_y(swing)),
        ];
        let motor = Motor::Force {
            force: Signal::Constant(2.0),
        };
        let joint = NewJoint::in_frames(JointKind::Spherical, [WORLD, body], frames)
            .limited(0, swing, swing)
            .limited(1, -0.2, 0.7)
            .driven_by(1, motor);
        simulation.add_joint(joint).unwrap();
        for _ in 0..3000 {
            simulation.step().unwrap();
        }
        let joint = simulation.joints().get(0).unwrap();
        let [_, twist] = joint.coordinates()[..] else {
            panic!("two coordinates")
        };
        assert!((twist - 0.7).abs() < 1e-6, "{twist}");
        let reaction = joint.reaction();
        assert!((reaction.motor[1] - 2.0).abs() < 1e-9, "{reaction:?}");
        assert!((reaction.limit[1] + 2.0).abs() < 1e-6, "{reaction:?}");
    }
}

/// The rates that the rows promise are those at which the coordinates change: central differences over two steps.
#[test]
fn swing_and_twist_change_at_their_rates() {
    let mut simulation = world(1e-4, 0.0);
    let turning = dvec3(1.5, -2.0, 4.0);
    let body = cuboid(1.0, dvec3(0.2, 0.3, 0.4), DVec3::ZERO).moving(DVec3::ZERO, turning);
    let body = simulation.add_body(body).unwrap() as u32;
    let joint = NewJoint::spherical([WORLD, body], DVec3::ZERO);
    simulation.add_joint(joint).unwrap();
    let mut history = Vec::new();
    for _ in 0..8000 {
        let joint = simulation.joints().get(0).unwrap();
        let coordinates = [joint.coordinates()[0], joint.coordinates()[1]];
        history.push((coordinates, joint.speeds(simulation.bodies())));
        simulation.step().unwrap();
    }
    let mut compared = 0;
    for three in history.windows(3) {
        let [(before, _), (now, rates), (after, _)] = three else {
            continue;
        };
        // At zero the swing has a kink, near π the twist is anything.
        if now[0] > 0.1 && now[0] < PI - 0.3 {
            for coordinate in 0..2 {
                let found = (after[coordinate] - before[coordinate]) / 2e-4;
                let right = rates[coordinate];
                // The velocity belongs to the middle of the step.
                assert!((found - right).abs() < 2e-2, "{found} for {right}");
            }
            compared += 1;
        }
    }
    assert!(compared > 4000, "{compared}");
}

#[test]
fn the_swing_cannot_be_driven() {
    let mut simulation = world(1e-3, 0.0);
    let body = simulation.add_body(ball(1.0, 1.0, DVec3::ZERO)).unwrap() as u32;
    let joint = NewJoint::spherical([WORLD, body], DVec3::ZERO);
    let motor = Motor::Speed {
        speed: Signal::Constant(1.0),
        max_force: 1.0,
    };
    for wrong in [
        joint.clone().driven_by(0, motor.clone()),
        joint.clone().with_friction(0, 1.0),
    ] {
        let error = simulation.add_joint(wrong).unwrap_err().to_string();
        assert!(error.contains("the swing of a spherical joint"), "{error}");
    }
    simulation.add_joint(joint.driven_by(1, motor)).unwrap();
}
