use crate::worlds::{GRAVITY, ball, bouncy, ground, in_steps_of};
use glam::DVec3;
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::settings::{Scheme, SimulationSettings};
use moreau_dynamics::simulation::Simulation;

/// Heights of the first peaks of a ball dropped from 1 m above the ground.
fn peaks(scheme: Scheme, step: f64, restitution: f64) -> Vec<f64> {
    let settings = SimulationSettings {
        time_step: Some(step),
        scheme,
        ..SimulationSettings::default()
    };
    let mut simulation = ground(settings, bouncy(restitution));
    let shape = simulation.add_shape(ball(0.1));
    let body = NewBody::rigid(shape, 1000.0).at(DVec3::new(0.0, 0.0, 1.1));
    let body = simulation.add_body(body).unwrap();
    let mut peaks = Vec::new();
    let mut rising = false;
    while peaks.len() < 3 && simulation.time() < 5.0 {
        simulation.step().unwrap();
        let speed = simulation.bodies().velocities[body].linear.z;
        if rising && speed <= 0.0 {
            peaks.push(simulation.bodies().poses[body].position.z - 0.1);
        }
        rising = speed > 0.0;
    }
    peaks
}

#[test]
fn each_bounce_reaches_the_square_of_the_restitution() {
    for scheme in [Scheme::SymplecticEuler, Scheme::MoreauHalfStep] {
        for (index, height) in peaks(scheme, 1e-3, 0.7).into_iter().enumerate() {
            let exact = 0.7f64.powi(2 * (index as i32 + 1));
            assert!(
                (height - exact).abs() < 0.02,
                "{scheme:?}, bounce {index}: {height} against {exact}"
            );
        }
    }
}

#[test]
fn finer_steps_bounce_more_exactly() {
    let error = |step: f64| (peaks(Scheme::SymplecticEuler, step, 0.7)[0] - 0.49).abs();
    assert!(error(2.5e-4) < 0.5 * error(2e-3));
}

#[test]
fn a_chain_of_balls_passes_the_speed_on() {
    let settings = SimulationSettings {
        time_step: Some(1e-4),
        gravity: DVec3::ZERO,
        restitution_threshold: Some(1e-6),
        ..SimulationSettings::default()
    };
    let restitution = 0.6;
    let mut simulation = Simulation::new(settings);
    simulation
        .materials_mut()
        .set(0, bouncy(restitution))
        .unwrap();
    let shape = simulation.add_shape(ball(0.1));
    let mut last = 0;
    for k in 0..5 {
        let speed = if k == 0 { DVec3::X } else { DVec3::ZERO };
        let body = NewBody::rigid(shape, 1000.0)
            .at(DVec3::new(0.21 * f64::from(k), 0.0, 0.0))
            .moving(speed, DVec3::ZERO);
        last = simulation.add_body(body).unwrap();
    }
    while simulation.time() < 0.12 {
        simulation.step().unwrap();
    }
    let speed = simulation.bodies().velocities[last].linear.x;
    let exact = (0.5 * (1.0 + restitution)).powi(4);
    assert!((speed - exact).abs() < 1e-9, "{speed} against {exact}");
}

/// A ball that is dropped comes to rest at √(2 h₀/g) (1 + e)/(1 − e), after infinitely many bounces. The engine leaves out those
/// slower than 2 g h, which last 4 h/(1 − e), and meets each of the others up to a step early: v h above the ground, from where the
/// fall takes h/e longer at e v.
#[test]
fn a_bouncing_ball_rests_at_the_end_of_zenos_series() {
    let step = 2e-4;
    for scheme in [Scheme::SymplecticEuler, Scheme::MoreauHalfStep] {
        for restitution in [0.3, 0.6, 0.8f64] {
            let settings = SimulationSettings {
                scheme,
                ..in_steps_of(step)
            };
            let mut simulation = ground(settings, bouncy(restitution));
            let shape = simulation.add_shape(ball(0.1));
            let body = NewBody::rigid(shape, 1000.0).at(DVec3::new(0.0, 0.0, 0.4));
            let body = simulation.add_body(body).unwrap();
            let exact = f64::sqrt(2.0 * 0.3 / GRAVITY) * (1.0 + restitution) / (1.0 - restitution);
            let mut rests = 0.0;
            while simulation.time() < 1.1 * exact {
                simulation.step().unwrap();
                if simulation.bodies().velocities[body].linear.z.abs() > 1e-9 {
                    rests = simulation.time();
                }
            }
            let slowest = 2.0 * GRAVITY * step;
            let bounces = (slowest / f64::sqrt(2.0 * GRAVITY * 0.3)).ln() / restitution.ln();
            let steps = 4.0 / (1.0 - restitution) + bounces.ceil() / restitution;
            assert!(
                (rests - exact).abs() < steps * step,
                "{scheme:?}, e = {restitution}: {rests} s instead of {exact} s"
            );
        }
    }
}
