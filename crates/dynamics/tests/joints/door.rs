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
    for _ in 0..1000 {
        let arm = simulation.bodies().poses[0].position - DVec3::Z;
        let report = simulation.step().unwrap();
        assert!(report.joint_drift < 1e-8, "{}", report.joint_drift);
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
