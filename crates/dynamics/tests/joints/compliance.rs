//! A compliant joint gives way by compliance times force.

use crate::support::{GRAVITY, ball, run, world};
use glam::DVec3;
use moreau_dynamics::forces::WORLD;
use moreau_dynamics::joints::{Compliance, NewJoint};

#[test]
fn a_weld_sags_under_load_and_moment() {
    let (mass, arm) = (2.0, 0.5);
    let soft = Compliance {
        linear: 1e-4,
        angular: 1e-3,
        damping_time: 0.05,
    };
    let mut simulation = world(1e-3, GRAVITY);
    let body = simulation
        .add_body(ball(mass, 0.1, arm * DVec3::X))
        .unwrap() as u32;
    let weld = NewJoint::fixed([WORLD, body], DVec3::ZERO).with_compliance(soft);
    simulation.add_joint(weld).unwrap();
    run(&mut simulation, 2.0);
    let ends = simulation
        .joints()
        .get(0)
        .unwrap()
        .ends(simulation.bodies());
    let sag = -ends.separation().z;
    assert!(
        (sag - soft.linear * mass * GRAVITY).abs() < 1e-3 * sag,
        "{sag}"
    );
    let bend = 2.0 * ends.frames[1].rotation.y;
    let exact = soft.angular * mass * GRAVITY * arm;
    assert!((bend - exact).abs() < 1e-3 * exact, "{bend} {exact}");
}
