//! Joints inside a system leave its momentum alone.

use crate::support::{cuboid, run, world};
use glam::DVec3;
use moreau_dynamics::joints::{Motor, NewJoint};
use moreau_dynamics::motion::Signal;

#[test]
fn a_floating_chain_keeps_both_momenta_to_rounding() {
    let mut simulation = world(5e-3, 0.0);
    let size = DVec3::new(0.8, 0.3, 0.2);
    let bodies = [0.0, 1.0, 2.0].map(|x| {
        let spin = DVec3::new(0.5 * x, 1.0 - x, 0.7);
        let part = cuboid(1.0 + x, size, x * DVec3::X).moving(DVec3::new(0.1, x, -x), spin);
        simulation.add_body(part).unwrap() as u32
    });
    let motor = Motor::Speed {
        speed: Signal::Constant(2.0),
        max_force: 1.0,
    };
    for joint in [
        NewJoint::spherical([bodies[0], bodies[1]], 0.5 * DVec3::X),
        NewJoint::revolute([bodies[2], bodies[1]], 1.5 * DVec3::X, DVec3::Y).driven_by(0, motor),
    ] {
        simulation.add_joint(joint).unwrap();
    }
    let before = simulation.balance();
    run(&mut simulation, 2.0);
    let after = simulation.balance();
    let linear = (after.momentum - before.momentum).length();
    let angular = (after.angular_momentum - before.angular_momentum).length();
    println!("momentum {linear:.1e}, angular momentum {angular:.1e}");
    assert!(linear < 1e-12 && angular < 1e-12, "{linear} {angular}");
}
