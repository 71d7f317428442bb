//! A universal joint transmits with the textbook's ratio of speeds.

use crate::support::{ball, ramp, world};
use glam::DVec3;
use moreau_dynamics::forces::WORLD;
use moreau_dynamics::joints::{Motor, NewJoint};

#[test]
fn the_ratio_of_speeds_is_that_of_the_textbook() {
    let (bend, speed): (f64, f64) = (0.5, 3.0);
    let mut simulation = world(1e-3, 0.0);
    let first_axis = DVec3::X;
    let second_axis = DVec3::new(bend.cos(), bend.sin(), 0.0);
    // Both shafts already turn: at angle zero the second is the faster by 1 / cos β.
    let first = ball(1.0, 0.2, -first_axis).moving(DVec3::ZERO, speed * first_axis);
    let first = simulation.add_body(first).unwrap() as u32;
    let second = ball(1.0, 0.2, second_axis);
    let second = second.moving(DVec3::ZERO, speed / bend.cos() * second_axis);
    let second = simulation.add_body(second).unwrap() as u32;
    let drive = Motor::Driven {
        position: ramp(speed),
    };
    for joint in [
        NewJoint::revolute([WORLD, first], -first_axis, first_axis).driven_by(0, drive),
        NewJoint::revolute([WORLD, second], second_axis, second_axis),
        NewJoint::universal([first, second], DVec3::ZERO, [DVec3::Y, DVec3::Z]),
    ] {
        simulation.add_joint(joint).unwrap();
    }
    for _ in 0..2500 {
        let report = simulation.step().unwrap();
        // The velocity is the mean over the step.
        let angle = speed * (report.time - 0.5 * report.step_size);
        let ratio = bend.cos() / (1.0 - (bend.sin() * angle.cos()).powi(2));
        let found = simulation.bodies().velocities[second as usize].angular;
        let exact = speed * ratio * second_axis;
        assert!(
            (found - exact).length() < 1e-4,
            "{found} {exact} at {}",
            report.time
        );
        assert!(report.joint_drift < 1e-7, "{}", report.joint_drift);
        assert!(
            report.joint_angle_drift < 1e-7,
            "{}",
            report.joint_angle_drift
        );
    }
    // The two angles of the cross never exceed the bend of the shafts.
    let angles = simulation.joints().get(2).unwrap().coordinates();
    assert!(
        angles.iter().all(|angle| angle.abs() <= bend + 1e-6),
        "{angles:?}"
    );
}
