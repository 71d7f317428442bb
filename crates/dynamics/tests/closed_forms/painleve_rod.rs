use crate::worlds::{ground, in_steps_of, rubbing};
use glam::{DMat3, DQuat, DVec3};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Capsule, Shape};
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::simulation::Simulation;

const RADIUS: f64 = 1e-4;

/// A thin rod of 2 m and 1 kg that leans at tan θ = 2 and whose lower end slides forward at 1 m/s, like chalk that is pushed.
fn rod(friction: f64, step: f64) -> (Simulation, usize) {
    let settings = moreau_dynamics::settings::SimulationSettings {
        // Pushing overlaps apart would add energy.
        recovery_speed: Some(0.0),
        ..in_steps_of(step)
    };
    let mut simulation = ground(settings, rubbing(friction));
    let shape = simulation.add_shape(Shape::Capsule(Capsule::new(1.0, RADIUS).unwrap()));
    let along = DVec3::new(1.0, 0.0, 2.0).normalize();
    let inertia = DMat3::from_diagonal(DVec3::new(1.0 / 3.0, 1.0 / 3.0, 1e-6));
    let pose = Pose::new(
        along + RADIUS * DVec3::Z,
        DQuat::from_rotation_arc(DVec3::Z, along),
    );
    let body = NewBody::with_mass(shape, 1.0)
        .with_inertia(inertia)
        .posed(pose)
        .moving(-DVec3::X, DVec3::ZERO);
    let body = simulation.add_body(body).unwrap();
    (simulation, body)
}

fn slip(simulation: &Simulation, body: usize) -> f64 {
    let arm = simulation.bodies().poses[body].direction(-DVec3::Z) - RADIUS * DVec3::Z;
    simulation.bodies().velocities[body].at(arm).x
}

/// A normal force f and the friction μ f of the slip lift the end with (1 + 3 cos θ (cos θ − μ sin θ)) f/m, which is negative for
/// μ > 4/3 at tan θ = 2: then no finite force keeps the end out of the ground, and it jams at once, however short the step.
/// Just below, the force is 1/0.04 weights, and takes 1e-3 of the slip in a step of 1e-6 s.
#[test]
fn the_rod_jams_beyond_four_thirds_and_not_before() {
    for (friction, jams) in [(0.5, false), (1.3, false), (1.36, true), (2.0, true)] {
        let (mut simulation, body) = rod(friction, 1e-6);
        assert!(simulation.step().unwrap().converged());
        let slip = slip(&simulation, body);
        if jams {
            assert!(slip.abs() < 1e-6, "friction {friction}: {slip} m/s");
        } else {
            assert!((slip + 1.0).abs() < 2e-3, "friction {friction}: {slip} m/s");
        }
    }
}

#[test]
fn the_rod_stays_finite_and_gains_no_energy() {
    for friction in [1.2, 1.36, 2.0, 10.0] {
        let (mut simulation, body) = rod(friction, 1e-3);
        let first = simulation.balance().energy();
        let mut energy = first;
        while simulation.time() < 1.5 {
            let report = simulation.step().unwrap();
            assert!(report.converged(), "friction {friction}");
            let now = report.balance.energy();
            assert!(
                now <= energy + 1e-9 * first,
                "friction {friction}, {} s: {energy} J to {now} J",
                simulation.time()
            );
            energy = now;
        }
        assert!(simulation.bodies().poses[body].position.is_finite());
    }
}
