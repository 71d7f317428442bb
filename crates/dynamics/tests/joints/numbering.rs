//! The order in which bodies and joints are added does not matter.

use crate::support::{GRAVITY, cuboid, run, world};
use glam::DVec3;
use moreau_dynamics::forces::WORLD;
use moreau_dynamics::joints::NewJoint;

const LINKS: usize = 5;

/// Places of the links of a chain that swings for a while.
fn swing(backwards: bool) -> Vec<DVec3> {
    let mut simulation = world(2e-3, GRAVITY);
    let order = |k: usize| if backwards { LINKS - 1 - k } else { k };
    let mut body_of = [WORLD; LINKS];
    for k in 0..LINKS {
        let link = order(k);
        let place = DVec3::X * (link as f64 + 0.5);
        let part = cuboid(1.0 + link as f64, DVec3::new(1.0, 0.2, 0.1), place);
        body_of[link] = simulation.add_body(part).unwrap() as u32;
    }
    for k in 0..LINKS {
        let link = order(k);
        let before = if link == 0 { WORLD } else { body_of[link - 1] };
        let point = DVec3::X * link as f64;
        let joint = if link % 2 == 0 {
            NewJoint::universal([before, body_of[link]], point, [DVec3::Y, DVec3::Z])
        } else {
            NewJoint::revolute([before, body_of[link]], point, DVec3::new(0.0, 1.0, 0.3))
        };
        simulation.add_joint(joint).unwrap();
    }
    run(&mut simulation, 0.6);
    let place = |body: u32| simulation.bodies().poses[body as usize].position;
    body_of.map(place).to_vec()
}

#[test]
fn a_chain_swings_the_same_in_both_orders() {
    for (a, b) in swing(false).iter().zip(swing(true)) {
        assert!((*a - b).length() < 1e-8, "{a} {b}");
    }
}
