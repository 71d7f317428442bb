use crate::worlds::{ball, cube, ground, in_steps_of, pour, rubbing, walls};
use glam::DVec3;
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::settings::SimulationSettings;
use moreau_dynamics::simulation::Simulation;

/// A cloud of balls and cubes that fly, spin and collide, with friction and without gravity.
fn cloud(settings: SimulationSettings, restitution: f64) -> Simulation {
    let mut simulation = Simulation::new(SimulationSettings {
        gravity: DVec3::ZERO,
        ..settings
    });
    let mut material = rubbing(0.4);
    material.restitution = restitution;
    simulation.materials_mut().set(0, material).unwrap();
    let shapes = [
        simulation.add_shape(ball(0.1)),
        simulation.add_shape(cube(0.08)),
    ];
    for k in 0..27 {
        let place = DVec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9)) - 1.0;
        let turn = DVec3::new(f64::from(k % 5) - 2.0, f64::from(k % 7) - 3.0, 1.0);
        let body = NewBody::rigid(shapes[k as usize % 2], 500.0)
            .at(0.4 * place)
            .moving(-2.0 * place + 0.3 * turn, 2.0 * turn);
        simulation.add_body(body).unwrap();
    }
    simulation
}

/// Contact impulses act on both bodies at one point, so that not even the solver's error can change the sum.
#[test]
fn colliding_bodies_keep_momentum_to_rounding() {
    for restitution in [0.0, 0.7] {
        let mut simulation = cloud(in_steps_of(1e-3), restitution);
        let before = simulation.balance();
        // Momenta of the parts that cancel in the sum.
        let scale: f64 = (0..simulation.bodies().len())
            .map(|body| {
                let speed = simulation.bodies().velocities[body].linear.length();
                simulation.bodies().masses[body] * speed
            })
            .sum();
        let mut contacts = 0;
        while simulation.time() < 0.5 {
            contacts += simulation.step().unwrap().contacts;
        }
        assert!(contacts > 100, "they meet");
        let after = simulation.balance();
        assert!((after.momentum - before.momentum).length() < 1e-13 * scale);
        let turned = (after.angular_momentum - before.angular_momentum).length();
        assert!(turned < 1e-12 * scale, "{turned:.1e} of {scale:.1e}");
    }
}

/// Grains fall into a box. A step of symplectic Euler takes m g² h²/2 from the energy of a falling body and contacts
/// take the rest; without a recovery of overlaps nothing may give.
#[test]
fn inelastic_grains_never_gain_energy() {
    let mut settings = SimulationSettings {
        recovery_speed: Some(0.0),
        ..SimulationSettings::default()
    };
    // The claim is of solved steps: at the default tolerance an answer can be wrong by some 1e-6 of the energy, at 1e-3 by 1e-7.
    settings.solver.tolerance = 1e-5;
    let mut simulation = ground(settings, rubbing(0.4));
    walls(&mut simulation, 0.0575);
    pour(&mut simulation, 0.01, 5, 4);
    let first = simulation.balance().energy();
    let mut energy = first;
    while simulation.time() < 1.0 {
        let report = simulation.step().unwrap();
        let now = report.balance.energy();
        assert!(
            now <= energy + 1e-9 * first,
            "step {}: {energy} J to {now} J",
            report.step
        );
        energy = now;
    }
    assert!(
        energy < 0.95 * first,
        "they have fallen: {energy} of {first} J"
    );
}
