//! Joints and contacts together: a cart with four driven wheels rolls at the speed of its wheels.

use crate::support::{GRAVITY, cuboid, run, world};
use glam::DVec3;
use moreau_collision::shapes::{Shape, Sphere};
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::joints::{Motor, NewJoint};
use moreau_dynamics::materials::Material;
use moreau_dynamics::motion::Signal;

#[test]
fn wheels_drive_a_cart() {
    let (radius, spin) = (0.2, 5.0);
    let mut simulation = world(2e-3, GRAVITY);
    let rough = simulation
        .materials_mut()
        .add(Material {
            friction: 0.8,
            ..Default::default()
        })
        .unwrap();
    // As good as flat: the largest sphere in reach.
    let earth = 1e4;
    let ground = simulation.add_shape(Shape::Sphere(Sphere::new(earth).unwrap()));
    simulation
        .add_body(NewBody::fixed(ground).at(-earth * DVec3::Z).of(rough))
        .unwrap();
    let wheel = simulation.add_shape(Shape::Sphere(Sphere::new(radius).unwrap()));
    let body = cuboid(20.0, DVec3::new(1.0, 0.5, 0.2), DVec3::Z * radius);
    let body = simulation.add_body(body).unwrap() as u32;
    for (x, y) in [(0.5, 0.4), (0.5, -0.4), (-0.5, 0.4), (-0.5, -0.4)] {
        let hub = DVec3::new(x, y, radius);
        let part = NewBody::with_mass(wheel, 2.0).at(hub).of(rough);
        let part = simulation.add_body(part).unwrap() as u32;
        let motor = Motor::Speed {
            speed: Signal::Constant(spin),
            max_force: 2.0,
        };
        let axle = NewJoint::revolute([body, part], hub, DVec3::Y).driven_by(0, motor);
        simulation.add_joint(axle).unwrap();
    }
    run(&mut simulation, 1.5);
    let velocity = simulation.bodies().velocities[body as usize];
    assert!(
        (velocity.linear - spin * radius * DVec3::X).length() < 1e-3,
        "{velocity:?}"
    );
    // The wheels carry the cart: on their second bodies, the wheels, the axles push down.
    let load: f64 = (0..4)
        .map(|axle| simulation.joints().reaction(axle).unwrap().force.z)
        .sum();
    assert!((load + 20.0 * GRAVITY).abs() < 1e-2, "{load}");
}
