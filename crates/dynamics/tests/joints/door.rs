//! A door on two hinges has ten rows on six freedoms; the sum of the reactions is unique and right.

use crate::support::{GRAVITY, cuboid, world};
use glam::DVec3;
use moreau_dynamics::forces::WORLD;
use moreau_dynamics::joints::NewJoint;

#[test]
fn two_hinges_hold_a_swinging_door() {
    let (mass, speed) = (20.0, 2.0);
    let mut simulation = world(1e-3, GRAVITY);
    let centre = DVec3::new(0.5, 0.0, 1.0);
    let spin = DVec3::new(0.0, 0.0, speed);
    let door = cuboid(mass, DVec3::new(1.0, 0.05, 2.0), centre).moving(spin.cross(centre), spin);
    let door = simulation.add_body(door).unwrap() as u32;
    for height in [0.2, 1.8] {
        let point = DVec3::new(0.0, 0.0, height);
        simulation
            .add_joint(NewJoint::revolute([WORLD, door], point, DVec3::Z))
            .unwrap();
    }
    for step in 0..1000 {
        let arm = simulation.bodies().poses[0].position - DVec3::Z;
        let report = simulation.step().unwrap();
        assert!(report.joint_drift < 1e-8, "{}", report.joint_drift);
        if step == 0 {
            // Velocities belong to the middle of steps: the first one bends the path for half a step only.
            continue;
        }
        let mut force = DVec3::ZERO;
        let mut torque = DVec3::ZERO;
        for (joint, height) in [(0, 0.2), (1, 1.8)] {
            let reaction = simulation.joints().reaction(joint).unwrap();
            force += reaction.force;
            torque += reaction.torque + DVec3::new(0.0, 0.0, height).cross(reaction.force);
        }
        // Weight and centripetal force; about the foot of the hinges they hold the moments of both.
        let wanted = mass * (GRAVITY * DVec3::Z - speed * speed * arm);
        let close = 1e-3 * mass * GRAVITY;
        assert!((force - wanted).length() < close, "{force} {wanted}");
        let moment = simulation.bodies().poses[0].position.cross(wanted);
        let across = DVec3::new(1.0, 1.0, 0.0);
        assert!(
            ((torque - moment) * across).length() < 2.0 * close,
            "{torque} {moment}"
        );
    }
    let turned = simulation.joints().get(0).unwrap().coordinates()[0];
    assert!((turned - speed).abs() < 1e-6, "{turned}");
}

#[test]
fn two_hinges_of_a_tumbling_door_do_not_strain_each_other() {
    let mut simulation = world(1e-3, 0.0);
    let spin = DVec3::new(2.0, 1.0, 0.5);
    let frame = cuboid(50.0, DVec3::new(0.2, 1.0, 2.0), DVec3::ZERO).moving(DVec3::ZERO, spin);
    let frame = simulation.add_body(frame).unwrap() as u32;
    let place = DVec3::new(0.6, 0.5, 0.0);
    let door = cuboid(20.0, DVec3::new(1.0, 0.05, 2.0), place).moving(spin.cross(place), spin);
    let door = simulation.add_body(door).unwrap() as u32;
    for height in [-0.8, 0.8] {
        let point = DVec3::new(0.1, 0.5, height);
        simulation
            .add_joint(NewJoint::revolute([frame, door], point, DVec3::Z))
            .unwrap();
    }
    let mut largest = 0.0f64;
    for _ in 0..1000 {
        let report = simulation.step().unwrap();
        assert!(report.joint_drift < 1e-7, "{}", report.joint_drift);
        // Forces of the motion are of the order m ω² r, here 60 N; two hinges could strain each other without bound.
        for joint in [0, 1] {
            let force = simulation.joints().reaction(joint).unwrap().force.length();
            largest = largest.max(force);
            assert!(force < 200.0, "{force}");
        }
    }
    println!("largest force of a hinge: {largest:.1} N");
}
