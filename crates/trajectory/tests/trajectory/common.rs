//! A small scene: spheres on a large fixed one, a box and a cylinder that fly, and a far half-space.

use glam::{DQuat, DVec3};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Cuboid, Cylinder, HalfSpace, Shape, Sphere};
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::settings::SimulationSettings;
use moreau_dynamics::simulation::Simulation;

/// Half the edges of the box.
pub const BOX: DVec3 = DVec3::new(0.2, 0.3, 0.4);
/// Half the height of the cylinder, and its radius.
pub const CYLINDER: (f64, f64) = (0.5, 0.25);
/// Indices of the box and the cylinder.
pub const BOX_BODY: usize = 1;
pub const CYLINDER_BODY: usize = 2;

/// The scene with a number of spheres.
pub fn scene(spheres: usize) -> Simulation {
    let mut simulation = Simulation::new(SimulationSettings {
        time_step: Some(1e-3),
        ..SimulationSettings::default()
    });
    let ground = simulation.add_shape(Shape::Sphere(Sphere::new(10.0).unwrap()));
    let cuboid = simulation.add_shape(Shape::Cuboid(Cuboid::new(BOX).unwrap()));
    let (half_height, radius) = CYLINDER;
    let cylinder = Cylinder::new(half_height, radius).unwrap();
    let cylinder = simulation.add_shape(Shape::Cylinder(cylinder));
    let half_space = simulation.add_shape(Shape::HalfSpace(HalfSpace));
    let ball = simulation.add_shape(Shape::Sphere(Sphere::new(0.1).unwrap()));
    let mut add = |body: NewBody| simulation.add_body(body).unwrap();
    add(NewBody::fixed(ground)
        .at(DVec3::new(0.0, 0.0, -10.0))
        .named("ground"));
    let turned = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 0.7);
    let spin = DVec3::new(0.5, -1.0, 2.0);
    let flying = |shape, position| {
        NewBody::rigid(shape, 1000.0)
            .posed(Pose::new(position, turned))
            .moving(DVec3::new(0.1, 0.2, 3.0), spin)
    };
    add(flying(cuboid, DVec3::new(3.0, 0.0, 5.0)));
    add(flying(cylinder, DVec3::new(-3.0, 0.0, 5.0)));
    add(NewBody::fixed(half_space).at(DVec3::new(0.0, 0.0, -50.0)));
    for index in 0..spheres {
        let (column, row) = ((index % 8) as f64, (index / 8) as f64);
        let position = DVec3::new(0.21 * column - 0.7, 0.21 * row - 0.7, 0.3 + 0.001 * column);
        add(NewBody::rigid(ball, 2500.0).at(position));
    }
    simulation
}

/// The scene after some steps.
pub fn stepped(spheres: usize, steps: usize) -> Simulation {
    let mut simulation = scene(spheres);
    advance(&mut simulation, steps);
    simulation
}

/// Makes steps.
pub fn advance(simulation: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        simulation.step().unwrap();
    }
}
