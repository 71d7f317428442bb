use crate::worlds::{ground, pour, rubbing, walls};
use glam::{DQuat, DVec3};
use moreau_collision::shapes::{Capsule, Cuboid, Shape, Sphere};
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::residual::{Evaluation, Measure, MeasureSettings};
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::materials::Material;
use moreau_dynamics::settings::SimulationSettings;
use moreau_dynamics::simulation::Simulation;

/// Poses in units of the grains' radius after 40 steps, of a scene whose lengths are multiplied by `scale` and whose
/// times by √scale, so that gravity acts the same.
fn places(scale: f64) -> Vec<DVec3> {
    let radius = 0.01 * scale;
    let mut simulation = ground(SimulationSettings::default(), rubbing(0.3));
    walls(&mut simulation, 3.45 * radius);
    pour(&mut simulation, radius, 3, 3);
    for _ in 0..40 {
        simulation.step().unwrap();
    }
    let poses = simulation.bodies().poses.iter();
    poses.map(|pose| pose.position / radius).collect()
}

#[test]
fn a_scene_of_another_size_moves_alike() {
    let reference = places(1.0);
    for scale in [1e-3, 1e3] {
        for (body, (a, b)) in reference.iter().zip(places(scale)).enumerate() {
            // Rounding differs with the scale, and impacts amplify it.
            let difference = (*a - b).length();
            assert!(
                difference < 1e-6,
                "scale {scale}, body {body}: {difference:.1e}"
            );
        }
    }
}

/// Three bodies that fall, roll and spin with resistance.
fn rollers(scale: f64) -> Simulation {
    let material = Material {
        friction: 0.4,
        rolling_friction: 0.002 * scale,
        spinning_friction: 0.001 * scale,
        restitution: 0.3,
        ..Material::default()
    };
    let mut simulation = ground(SimulationSettings::default(), material);
    let shapes = [
        Shape::Sphere(Sphere::new(0.1 * scale).unwrap()),
        Shape::Cuboid(Cuboid::new(scale * DVec3::new(0.1, 0.15, 0.2)).unwrap()),
        Shape::Capsule(Capsule::new(0.1 * scale, 0.1 * scale).unwrap()),
    ];
    for (number, shape) in shapes.into_iter().enumerate() {
        let shape = simulation.add_shape(shape);
        let place = scale * DVec3::new(0.5 * number as f64, 0.0, 0.3);
        let velocity = scale.sqrt() * DVec3::new(0.0, 1.0, 0.0);
        let turning = DVec3::new(1.0, 0.0, 2.0) / scale.sqrt();
        let body = NewBody::rigid(shape, 1000.0).at(place);
        simulation.add_body(body.moving(velocity, turning)).unwrap();
    }
    simulation
}

/// Poses in units of `scale`, and iterations.
fn rolling(scale: f64) -> (Vec<(DVec3, DQuat)>, usize) {
    let mut simulation = rollers(scale);
    let mut iterations = 0;
    for _ in 0..120 {
        let report = simulation.step().unwrap();
        assert!(report.converged());
        iterations += report.iterations;
    }
    let poses = simulation.bodies().poses.iter();
    let poses = poses.map(|pose| (pose.position / scale, pose.rotation));
    (poses.collect(), iterations)
}

/// Powers of two change no digit: nothing at all may differ, also not how long it takes.
#[test]
fn what_rolls_with_resistance_moves_alike_to_the_bit() {
    let reference = rolling(1.0);
    for scale in [1.0 / 1024.0, 1024.0] {
        assert_eq!(rolling(scale), reference, "scale {scale}");
    }
    for scale in [1e-3, 1e3] {
        for (a, b) in reference.0.iter().zip(rolling(scale).0) {
            let difference = (a.0 - b.0).length() + (a.1 - b.1).length();
            assert!(difference < 1e-6, "scale {scale}: {difference:.1e}");
        }
    }
}

/// The referee finds no larger error than the step reported: the problem that is handed out and its impulses are in the same units.
#[test]
fn the_last_problem_is_solved_by_the_last_impulses() {
    let mut simulation = rollers(0.1);
    let mut judged = 0;
    for _ in 0..120 {
        let report = simulation.step().unwrap();
        let problem = simulation.last_problem().unwrap();
        if report.contacts == 0 {
            continue;
        }
        let length = simulation.last_unit_of_length();
        assert!((0.005..0.05).contains(&length), "{length}");
        let answer = Evaluation::new(problem, FrictionLaw::Coulomb, &simulation.last_impulses());
        let error = answer.measure(Measure::Energy, &MeasureSettings::default());
        let (told, step) = (report.error, report.step);
        // The step tells the worst of parts that touch nothing else; all together are no worse.
        assert!(told < 1e-7, "step {step}: {told:.1e}");
        assert!(
            error <= 1.001 * told + 1e-12,
            "step {step}: {error:.1e} and {told:.1e}"
        );
        judged += 1;
    }
    assert!(judged > 50, "{judged} steps with contacts");
}
