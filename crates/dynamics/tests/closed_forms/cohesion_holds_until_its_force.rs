use crate::worlds::{GRAVITY, ball, in_steps_of};
use glam::{DQuat, DVec3};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{HalfSpace, Shape};
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::forces::AppliedForce;
use moreau_dynamics::materials::Material;
use moreau_dynamics::motion::Signal;
use moreau_dynamics::settings::SimulationSettings;
use moreau_dynamics::simulation::Simulation;

/// How far a ball falls from a ceiling that pulls with `share` of its weight.
fn falls(share: f64) -> f64 {
    let mut simulation = Simulation::new(SimulationSettings::default());
    let ceiling = simulation.add_shape(Shape::HalfSpace(HalfSpace));
    let down = Pose::new(DVec3::ZERO, DQuat::from_rotation_x(std::f64::consts::PI));
    simulation
        .add_body(NewBody::fixed(ceiling).posed(down))
        .unwrap();
    let shape = simulation.add_shape(ball(0.1));
    let body = NewBody::with_mass(shape, 2.0).at(DVec3::new(0.0, 0.0, -0.1));
    let body = simulation.add_body(body).unwrap();
    let material = Material {
        cohesion: share * 2.0 * GRAVITY,
        ..Material::default()
    };
    simulation.materials_mut().set(0, material).unwrap();
    for _ in 0..100 {
        simulation.step().unwrap();
    }
    -0.1 - simulation.bodies().poses[body].position.z
}

#[test]
fn a_ball_hangs_from_a_ceiling_that_pulls_with_its_weight() {
    assert!(falls(1.001).abs() < 1e-9);
    assert!(falls(10.0).abs() < 1e-9);
    assert!(falls(0.999) > 1e-3);
    assert!(falls(0.0) > 1.0);
}

/// How far two balls are apart after being pulled apart with `share` of the force that holds them.
fn pulled_apart(share: f64) -> f64 {
    let mut simulation = Simulation::new(SimulationSettings {
        gravity: DVec3::ZERO,
        ..in_steps_of(1e-3)
    });
    let cohesion = 3.0;
    let material = Material {
        cohesion,
        ..Material::default()
    };
    simulation.materials_mut().set(0, material).unwrap();
    let shape = simulation.add_shape(ball(0.1));
    for side in [-1.0, 1.0] {
        let body = NewBody::with_mass(shape, 2.0).at(DVec3::new(0.1 * side, 0.0, 0.0));
        let body = simulation.add_body(body).unwrap();
        simulation.forces_mut().applied.push(AppliedForce {
            body: body as u32,
            force: [
                Signal::Constant(side * share * cohesion),
                Signal::ZERO,
                Signal::ZERO,
            ],
            torque: [Signal::ZERO, Signal::ZERO, Signal::ZERO],
            point: DVec3::ZERO,
        });
    }
    for _ in 0..200 {
        simulation.step().unwrap();
    }
    let poses = &simulation.bodies().poses;
    (poses[1].position - poses[0].position).length() - 0.2
}

#[test]
fn two_balls_part_at_a_pull_of_their_cohesion() {
    assert!(pulled_apart(0.5).abs() < 1e-9);
    assert!(pulled_apart(0.999).abs() < 1e-9);
    assert!(pulled_apart(1.001) > 1e-5);
    assert!(pulled_apart(1.5) > 1e-2);
}

/// How far two balls of 2 kg that begin 3 mm apart have come nearer after twenty steps of 1 ms, when cohesion acts up to a gap.
fn drawn_nearer(range: f64) -> f64 {
    let mut simulation = Simulation::new(SimulationSettings {
        gravity: DVec3::ZERO,
        cohesion_range: range / 0.1,
        ..in_steps_of(1e-3)
    });
    let material = Material {
        cohesion: 3.0,
        ..Material::default()
    };
    simulation.materials_mut().set(0, material).unwrap();
    let shape = simulation.add_shape(ball(0.1));
    for side in [-1.0, 1.0] {
        let place = DVec3::new(0.1015 * side, 0.0, 0.0);
        let body = NewBody::with_mass(shape, 2.0).at(place);
        simulation.add_body(body).unwrap();
    }
    for _ in 0..20 {
        simulation.step().unwrap();
    }
    let poses = &simulation.bodies().poses;
    0.203 - (poses[1].position - poses[0].position).length()
}

#[test]
fn two_balls_draw_each_other_within_the_range_of_cohesion_and_not_beyond() {
    // Each is pulled with 3 N: h² a n (n + 1) / 2 with a = 3 m/s² between the two.
    let expected = 1e-6 * 3.0 * 20.0 * 21.0 / 2.0;
    assert!((drawn_nearer(5e-3) - expected).abs() < 1e-9);
    assert_eq!(drawn_nearer(2e-3), 0.0);
}
