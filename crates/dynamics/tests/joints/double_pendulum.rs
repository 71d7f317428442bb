//! A double pendulum keeps its energy and its joints for a long time.

use crate::support::{GRAVITY, ball, world};
use glam::DVec3;
use moreau_dynamics::forces::WORLD;
use moreau_dynamics::joints::NewJoint;

#[test]
fn energy_and_joints_stay_for_twenty_seconds() {
    let mut simulation = world(1e-3, GRAVITY);
    let upper = simulation
        .add_body(ball(1.0, 0.05, DVec3::new(1.0, 0.0, 0.0)))
        .unwrap() as u32;
    let lower = simulation
        .add_body(ball(1.0, 0.05, DVec3::new(2.0, 0.0, 0.0)))
        .unwrap() as u32;
    for joint in [
        NewJoint::revolute([WORLD, upper], DVec3::ZERO, DVec3::Y),
        NewJoint::revolute([upper, lower], DVec3::X, DVec3::Y),
    ] {
        simulation.add_joint(joint).unwrap();
    }
    let before = simulation.balance().energy();
    // The scale of the energy: both masses fall to the bottom.
    let scale = 2.0 * GRAVITY * 2.0;
    let (mut energy, mut drift, mut angle) = (0.0f64, 0.0f64, 0.0f64);
    for _ in 0..20_000 {
        let report = simulation.step().unwrap();
        energy = energy.max((report.balance.energy() - before).abs() / scale);
        drift = drift.max(report.joint_drift);
        angle = angle.max(report.joint_angle_drift);
    }
    println!("energy {energy:.2e} drift {drift:.2e} m, {angle:.2e} rad");
    assert!(energy < 0.02, "{energy}");
    assert!(drift < 1e-6, "{drift}");
    assert!(angle < 1e-9, "{angle}");
}
