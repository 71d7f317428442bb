//! Two boxes welded together move as one body.

use crate::support::{cuboid, run, world};
use glam::DVec3;
use moreau_dynamics::joints::NewJoint;
use moreau_dynamics::simulation::Simulation;

const SIZE: DVec3 = DVec3::new(1.0, 0.6, 0.4);
const LINEAR: DVec3 = DVec3::new(0.3, -0.2, 0.1);
const ANGULAR: DVec3 = DVec3::new(1.0, 2.0, 0.5);

/// One long box, or its halves with a weld between them.
fn flight(step: f64, halves: bool) -> Simulation {
    let mut simulation = world(step, 0.0);
    if halves {
        let half = SIZE * DVec3::new(0.5, 1.0, 1.0);
        let ends = [-0.25, 0.25].map(|x| {
            let place = x * DVec3::X;
            let part = cuboid(1.0, half, place).moving(LINEAR + ANGULAR.cross(place), ANGULAR);
            simulation.add_body(part).unwrap() as u32
        });
        simulation
            .add_joint(NewJoint::fixed(ends, DVec3::ZERO))
            .unwrap();
    } else {
        let whole = cuboid(2.0, SIZE, DVec3::ZERO).moving(LINEAR, ANGULAR);
        simulation.add_body(whole).unwrap();
    }
    simulation
}

#[test]
fn the_motion_is_that_of_the_compound() {
    let distance = |step: f64| {
        let (mut whole, mut halves) = (flight(step, false), flight(step, true));
        let before = halves.balance();
        run(&mut whole, 1.0);
        run(&mut halves, 1.0);
        let after = halves.balance();
        assert!((after.momentum - before.momentum).length() < 1e-12);
        assert!((after.angular_momentum - before.angular_momentum).length() < 1e-12);
        let exact = whole.balance().angular_momentum;
        assert!((after.angular_momentum - exact).length() < 1e-9);
        let drift = halves.joints().drift(halves.bodies(), 1.0);
        assert!(drift.position < 1e-6 && drift.angle < 1e-6, "{drift:?}");
        let turn = whole.bodies().poses[0].rotation.conjugate() * halves.bodies().poses[0].rotation;
        turn.xyz().length() * 2.0
    };
    let (coarse, fine) = (distance(4e-3), distance(2e-3));
    println!("welded against whole: {coarse:.2e} rad, {fine:.2e} rad");
    assert!(coarse < 2e-2, "{coarse}");
    assert!(coarse / fine > 1.7, "{coarse} {fine}");
}
