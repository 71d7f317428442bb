//! A slider on an incline.

use crate::support::{GRAVITY, ball, run, world};
use glam::DVec3;
use moreau_dynamics::forces::WORLD;
use moreau_dynamics::joints::NewJoint;

#[test]
fn it_slides_with_g_sin_less_friction() {
    let (angle, mass): (f64, f64) = (0.4, 3.0);
    let weight = mass * GRAVITY * angle.sin();
    for friction in [0.0, 0.25 * weight, 2.0 * weight] {
        let mut simulation = world(1e-2, GRAVITY);
        let body = simulation.add_body(ball(mass, 0.5, DVec3::ZERO)).unwrap() as u32;
        let down = DVec3::new(angle.cos(), 0.0, -angle.sin());
        let slider = NewJoint::translational([WORLD, body], DVec3::ZERO, down);
        simulation
            .add_joint(slider.with_friction(0, friction))
            .unwrap();
        run(&mut simulation, 1.0);
        let exact = (weight - friction).max(0.0) / mass;
        let velocity = simulation.bodies().velocities[0];
        assert!(
            (velocity.linear - exact * down).length() < 1e-8,
            "{velocity:?}"
        );
        assert!(velocity.angular.length() < 1e-9);
        let speed = simulation
            .joints()
            .get(0)
            .unwrap()
            .speeds(simulation.bodies())[0];
        assert!((speed - exact).abs() < 1e-8);
        let reaction = simulation.joints().reaction(0).unwrap();
        assert!((reaction.friction[0] + friction.min(weight)).abs() < 1e-6);
        let across = reaction.force - reaction.force.dot(down) * down;
        assert!((across.length() - mass * GRAVITY * angle.cos()).abs() < 1e-6);
    }
}
