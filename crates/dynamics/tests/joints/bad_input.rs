//! What makes no sense is refused with what was found and what would be right.

use crate::support::{NO_SHAPE, ball, ramp, world};
use glam::{DQuat, DVec3};
use moreau_collision::pose::Pose;
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::forces::{AppliedForce, Spring, WORLD};
use moreau_dynamics::joints::{Compliance, Control, JointKind, Motor, NewJoint};
use moreau_dynamics::motion::Signal;

#[test]
fn impossible_joints_are_refused() {
    let mut simulation = world(1e-3, 0.0);
    simulation.add_body(ball(1.0, 1.0, DVec3::ZERO)).unwrap();
    simulation.add_body(NewBody::fixed(NO_SHAPE)).unwrap();
    let hinge = |bodies: [u32; 2]| NewJoint::revolute(bodies, DVec3::ZERO, DVec3::Z);
    let motor = |speed: Signal, max_force: f64| Motor::Speed { speed, max_force };
    let empty = Signal::Table {
        times: vec![],
        values: vec![],
    };
    let broken = Pose::new(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    let soft = Compliance {
        linear: -1.0,
        ..Default::default()
    };
    let driven = Motor::Driven {
        position: ramp(1.0),
    };
    let cases = [
        (hinge([0, 7]), "body 7 does not exist; there are 2 bodies"),
        (hinge([0, 0]), "both ends of the joint are body 0"),
        (hinge([1, WORLD]), "no rigid body at either end"),
        (hinge([WORLD, WORLD]), "no rigid body at either end"),
        (
            NewJoint::revolute([0, 1], DVec3::ZERO, DVec3::ZERO),
            "the axis of the joint is",
        ),
        (
            NewJoint::revolute([0, 1], DVec3::ZERO, DVec3::NAN),
            "the axis of the joint is",
        ),
        (
            NewJoint::spherical([0, 1], DVec3::NAN),
            "holds NaN or infinity",
        ),
        (
            NewJoint::universal([0, 1], DVec3::ZERO, [DVec3::X, DVec3::ONE]),
            "they must be perpendicular",
        ),
        (
            NewJoint::in_frames(JointKind::Fixed, [0, 1], [Pose::IDENTITY, broken]),
            "holds NaN or infinity",
        ),
        (
            NewJoint::distance([0, 1], [DVec3::ZERO; 2], 0.0),
            "the length is 0",
        ),
        (hinge([0, 1]).limited(0, 2.0, 1.0), "the limits are 2 and 1"),
        (
            hinge([0, 1]).limited(0, f64::NAN, 1.0),
            "the limits are NaN and 1",
        ),
        (
            hinge([0, 1]).limited(1, 0.0, 1.0),
            "free coordinate 1 does not exist; the joint has 1, counted from 0",
        ),
        (hinge([0, 1]).with_friction(9, 1.0), "free coordinate 9"),
        (hinge([0, 1]).with_friction(0, -1.0), "the friction is -1"),
        (
            hinge([0, 1]).driven_by(0, motor(Signal::ZERO, -2.0)),
            "the largest force of the motor is -2",
        ),
        (
            hinge([0, 1]).driven_by(0, motor(empty, 1.0)),
            "a table needs as many times",
        ),
        (
            hinge([0, 1]).limited(0, 0.0, 1.0).driven_by(0, driven),
            "a coordinate that is driven exactly has limits too",
        ),
        (
            hinge([0, 1]).with_compliance(soft),
            "the linear compliance is -1",
        ),
    ];
    for (joint, words) in cases {
        let error = simulation.add_joint(joint).unwrap_err().to_string();
        assert!(error.contains(words), "'{error}' lacks '{words}'");
    }
    assert!(simulation.joints().is_empty());
    simulation.add_joint(hinge([0, 1]).named("hinge")).unwrap();
    let error = simulation
        .add_joint(hinge([0, 1]).named("hinge"))
        .unwrap_err();
    assert!(error.to_string().contains("the name 'hinge' is taken"));
    let joints = simulation.joints_mut();
    let error = joints.set_control(3, 0, Control::default()).unwrap_err();
    assert!(error.to_string().contains("joint 3 does not exist"));
    let error = joints.set_control(0, 1, Control::default()).unwrap_err();
    assert!(error.to_string().contains("free coordinate 1"));
}

#[test]
fn springs_and_forces_on_nobody_are_refused() {
    let mut simulation = world(1e-3, 0.0);
    simulation.add_body(ball(1.0, 1.0, DVec3::ZERO)).unwrap();
    let still = [Signal::ZERO, Signal::ZERO, Signal::ZERO];
    simulation.forces_mut().applied.push(AppliedForce {
        body: 3,
        force: still.clone(),
        torque: still,
        point: DVec3::ZERO,
    });
    let refused = simulation.step().unwrap_err().to_string();
    assert_eq!(
        refused,
        "a force acts on body 3; there are 1, counted from 0"
    );
    simulation.forces_mut().applied.clear();
    simulation.forces_mut().springs.push(Spring {
        bodies: [WORLD, 1],
        points: [DVec3::ZERO; 2],
        rest_length: 0.0,
        stiffness: 1.0,
        damping: 0.0,
    });
    let refused = simulation.step().unwrap_err().to_string();
    assert!(refused.contains("a spring acts on body 1"), "{refused}");
}
