//! A slider-crank, a closed loop with more rows than freedoms, moves as its geometry says.

use crate::support::{GRAVITY, ball, ramp, world};
use glam::DVec3;
use moreau_dynamics::forces::WORLD;
use moreau_dynamics::joints::{Motor, NewJoint};

#[test]
fn the_slider_follows_the_driven_crank() {
    let (crank_length, rod_length, speed) = (0.5, 1.5, 6.0);
    let mut simulation = world(1e-3, GRAVITY);
    let x = DVec3::X;
    let crank = simulation
        .add_body(ball(1.0, 0.1, 0.5 * crank_length * x))
        .unwrap() as u32;
    let middle = (crank_length + 0.5 * rod_length) * x;
    let rod = simulation.add_body(ball(2.0, 0.3, middle)).unwrap() as u32;
    let end = (crank_length + rod_length) * x;
    let slider = simulation.add_body(ball(1.5, 0.2, end)).unwrap() as u32;
    let drive = Motor::Driven {
        position: ramp(speed),
    };
    for joint in [
        NewJoint::revolute([WORLD, crank], DVec3::ZERO, DVec3::NEG_Y).driven_by(0, drive),
        NewJoint::revolute([crank, rod], crank_length * x, DVec3::NEG_Y),
        NewJoint::revolute([rod, slider], end, DVec3::NEG_Y),
        NewJoint::translational([WORLD, slider], end, x),
    ] {
        simulation.add_joint(joint).unwrap();
    }
    let mut worst = 0.0f64;
    for step in 0..3000 {
        let report = simulation.step().unwrap();
        let angle = speed * report.time;
        let height: f64 = crank_length * angle.sin();
        let exact = crank_length * angle.cos() + (rod_length.powi(2) - height.powi(2)).sqrt();
        if step < 5 {
            // The crank starts with a jerk, whose curvature the first steps cannot foresee.
            continue;
        }
        worst = worst.max((simulation.bodies().poses[slider as usize].position.x - exact).abs());
    }
    println!("slider off by {worst:.2e}");
    assert!(worst < 2e-6, "{worst}");
    let angle = simulation.joints().get(0).unwrap().coordinates()[0];
    assert!((angle - 18.0).abs() < 1e-6, "turns are counted: {angle}");
}
