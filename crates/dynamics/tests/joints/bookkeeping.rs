//! Names, removals, pairs that do not collide, and checkpoints.

use crate::support::{GRAVITY, ball, run, world};
use glam::DVec3;
use moreau_dynamics::forces::WORLD;
use moreau_dynamics::joints::{Motor, NewJoint};
use moreau_dynamics::motion::Signal;
use moreau_dynamics::simulation::Simulation;

/// Four bodies in a row, joined to their neighbours and the first to the world.
fn chain() -> Simulation {
    let mut simulation = world(1e-2, GRAVITY);
    let mut before = WORLD;
    for k in 0..4 {
        let x = f64::from(k) * DVec3::X;
        let body = simulation.add_body(ball(1.0, 0.1, x)).unwrap() as u32;
        let joint = NewJoint::revolute([before, body], x, DVec3::new(0.1, 1.0, 0.0));
        let motor = Motor::Speed {
            speed: Signal::Constant(9.0),
            max_force: 20.0,
        };
        simulation
            .add_joint(joint.driven_by(0, motor).named(format!("joint {k}")))
            .unwrap();
        before = body;
    }
    simulation
}

#[test]
fn joined_bodies_do_not_collide_unless_they_are_told_to() {
    let mut simulation = chain();
    assert_eq!(
        simulation.joints().excluded_pairs(),
        [[0, 1], [1, 2], [2, 3]]
    );
    let twice = NewJoint::spherical([2, 1], DVec3::X);
    simulation.add_joint(twice.clone()).unwrap();
    let loose = NewJoint::spherical([3, 0], DVec3::ZERO);
    simulation.add_joint(loose.colliding()).unwrap();
    assert_eq!(
        simulation.joints().excluded_pairs(),
        [[0, 1], [1, 2], [2, 3]]
    );
    simulation.joints_mut().remove(2).unwrap();
    assert_eq!(
        simulation.joints().excluded_pairs(),
        [[0, 1], [1, 2], [2, 3]]
    );
    simulation.joints_mut().remove(3).unwrap();
    assert_eq!(simulation.joints().excluded_pairs(), [[0, 1], [2, 3]]);
    assert!(simulation.joints_mut().remove(17).is_none());
}

#[test]
fn joints_go_with_their_bodies() {
    let mut simulation = chain();
    run(&mut simulation, 0.05);
    let kept = simulation.joints().get(3).unwrap().clone();
    simulation.remove_bodies(&[false, true, false, false]);
    let joints = simulation.joints();
    assert_eq!(joints.len(), 2);
    assert_eq!(joints.find("joint 0"), Some(0));
    assert_eq!(joints.find("joint 2"), None);
    assert_eq!(joints.find("joint 3"), Some(1));
    assert_eq!(joints.get(1).unwrap().bodies(), [1, 2]);
    assert_eq!(joints.get(1).unwrap().reaction(), kept.reaction());
    assert_eq!(joints.excluded_pairs(), [[1, 2]]);
    run(&mut simulation, 0.1);
}

#[test]
fn a_checkpoint_continues_to_the_bit() {
    let mut simulation = chain();
    run(&mut simulation, 1.0);
    let angle = simulation.joints().get(3).unwrap().coordinates()[0];
    assert!(angle > 7.0, "more than a turn: {angle}");
    let bytes = postcard::to_stdvec(&simulation).unwrap();
    let mut copy: Simulation = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(copy.joints(), simulation.joints());
    run(&mut simulation, 1.5);
    run(&mut copy, 1.5);
    assert_eq!(copy.joints(), simulation.joints());
    assert_eq!(copy.bodies(), simulation.bodies());
}
