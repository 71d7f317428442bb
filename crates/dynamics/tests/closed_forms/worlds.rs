//! Small worlds that several claims share.

use glam::{DQuat, DVec3};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Cuboid, HalfSpace, Shape, Sphere};
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::materials::Material;
use moreau_dynamics::settings::SimulationSettings;
use moreau_dynamics::simulation::Simulation;

pub const GRAVITY: f64 = 9.81;

/// A half-space below z = 0 and one material for everything.
pub fn ground(settings: SimulationSettings, material: Material) -> Simulation {
    let mut simulation = Simulation::new(settings);
    simulation.materials_mut().set(0, material).unwrap();
    let plane = simulation.add_shape(Shape::HalfSpace(HalfSpace));
    simulation.add_body(NewBody::fixed(plane)).unwrap();
    simulation
}

/// The same with gravity turned as if the ground were tilted by `angle`, so that +x points down the slope.
pub fn incline(angle: f64, friction: f64) -> Simulation {
    let settings = SimulationSettings {
        gravity: GRAVITY * DVec3::new(angle.sin(), 0.0, -angle.cos()),
        ..SimulationSettings::default()
    };
    ground(settings, rubbing(friction))
}

/// Everything by default but the step.
pub fn in_steps_of(step: f64) -> SimulationSettings {
    SimulationSettings {
        time_step: Some(step),
        ..SimulationSettings::default()
    }
}

pub fn rubbing(friction: f64) -> Material {
    Material {
        friction,
        ..Material::default()
    }
}

/// Without friction.
pub fn bouncy(restitution: f64) -> Material {
    Material {
        friction: 0.0,
        restitution,
        ..Material::default()
    }
}

pub fn cube(half: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(DVec3::splat(half)).unwrap())
}

pub fn ball(radius: f64) -> Shape {
    Shape::Sphere(Sphere::new(radius).unwrap())
}

/// Steps until `time`; every step must converge.
pub fn run_until(simulation: &mut Simulation, time: f64) {
    while simulation.time() < time - 1e-9 * time {
        let report = simulation.step().unwrap();
        assert!(
            report.converged(),
            "step {}: {} {:.1e} {:?}",
            report.step,
            report.status,
            report.error,
            report.notes
        );
    }
}

/// Four walls around the origin at a distance, made of half-spaces.
pub fn walls(simulation: &mut Simulation, distance: f64) {
    let plane = simulation.add_shape(Shape::HalfSpace(HalfSpace));
    for inwards in [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y] {
        let pose = Pose::new(
            -distance * inwards,
            DQuat::from_rotation_arc(DVec3::Z, inwards),
        );
        simulation
            .add_body(NewBody::fixed(plane).posed(pose))
            .unwrap();
    }
}

/// Balls on a jittered grid, `count` along each axis of the ground and `layers` high.
pub fn pour(simulation: &mut Simulation, radius: f64, count: usize, layers: usize) {
    pour_sizes(simulation, &[radius], count, layers);
}

/// The same with several radii, the largest last, that follow one another.
pub fn pour_sizes(simulation: &mut Simulation, radii: &[f64], count: usize, layers: usize) {
    let shapes: Vec<u32> = radii
        .iter()
        .map(|radius| simulation.add_shape(ball(*radius)))
        .collect();
    let largest = radii[radii.len() - 1];
    let mut seed = 1u64;
    let mut jitter = || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    let middle = 0.5 * (count as f64 - 1.0);
    for k in 0..layers {
        for j in 0..count {
            for i in 0..count {
                let place = 2.25 * DVec3::new(i as f64 - middle, j as f64 - middle, k as f64);
                let place = place + DVec3::new(jitter(), jitter(), 1.2 + jitter()) * 0.1 + DVec3::Z;
                let shape = shapes[(i + 2 * j + k * k) % shapes.len()];
                let body = NewBody::rigid(shape, 2500.0).at(largest * place);
                simulation.add_body(body).unwrap();
            }
        }
    }
}
