//! Springs that are taken at the end of the step follow their closed form and never gain energy, however stiff they are.

use crate::support::{ball, cuboid, world};
use glam::{DVec3, dvec3};
use moreau_dynamics::forces::{Spring, WORLD};
use moreau_dynamics::joints::NewJoint;
use moreau_dynamics::simulation::Simulation;

/// A mass of 2 kg on a spring along x, pulled out by 0.1 m; k h²/m is given.
fn oscillator(step: f64, ratio: f64, rest_length: f64) -> Simulation {
    let (mass, pulled) = (2.0, 0.1);
    let stiffness = ratio * mass / (step * step);
    let mut simulation = world(step, 0.0);
    let place = (rest_length + pulled) * DVec3::X;
    let body = simulation.add_body(ball(mass, 0.1, place)).unwrap() as u32;
    let points = [DVec3::ZERO, place];
    let spring = NewJoint::spring([WORLD, body], points, rest_length, [stiffness, 0.0]);
    simulation.add_joint(spring).unwrap();
    simulation
}

/// The implicit Euler method multiplies x + i v/ω by 1/(1 + i ω h): the amplitude falls by √(1 + ω² h²) in a step, and the
/// phase grows by atan(ω h).
#[test]
fn an_oscillation_is_that_of_the_method() {
    for (ratio, steps) in [(1e-4, 400), (0.04, 200), (1.0, 20), (1e4, 3)] {
        for rest_length in [0.0, 0.5] {
            let mut simulation = oscillator(1e-2, ratio, rest_length);
            let (decay, phase) = ((1.0 + ratio).sqrt(), f64::sqrt(ratio).atan());
            for n in 1..=steps {
                simulation.step().unwrap();
                let found = simulation.bodies().poses[0].position.x - rest_length;
                let right = 0.1 * decay.powi(-n) * (f64::from(n) * phase).cos();
                assert!(
                    (found - right).abs() < 1e-8 * 0.1,
                    "{ratio}, step {n}: {found} for {right}"
                );
            }
        }
    }
}

/// x = x₀ cos ωt. The error is of first order in the step: half the step, half the error.
#[test]
fn small_steps_give_the_oscillation_of_the_spring() {
    let omega = 10.0;
    let error = |step: f64| {
        let mut simulation = oscillator(step, (omega * step).powi(2), 0.5);
        let steps = (1.0 / step).round() as usize;
        for _ in 0..steps {
            simulation.step().unwrap();
        }
        let found = simulation.bodies().poses[0].position.x - 0.5;
        (found - 0.1 * f64::cos(omega * simulation.time())).abs()
    };
    let errors = [error(1e-3), error(5e-4), error(2.5e-4)];
    assert!(errors[2] < 2e-3 * 0.1 * omega, "{errors:?}");
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((1.9..2.1).contains(&ratio), "{errors:?}");
    }
}

/// v⁺ = v / (1 + h d/m).
#[test]
fn a_damper_alone_brakes() {
    let (mass, damping, step) = (2.0, 300.0, 1e-2);
    let mut simulation = world(step, 0.0);
    let body = ball(mass, 0.1, DVec3::X).moving(3.0 * DVec3::X, DVec3::ZERO);
    let body = simulation.add_body(body).unwrap() as u32;
    let damper = NewJoint::spring([WORLD, body], [DVec3::ZERO, DVec3::X], 1.0, [0.0, damping]);
    simulation.add_joint(damper).unwrap();
    for n in 1..=5 {
        simulation.step().unwrap();
        let right = 3.0 / (1.0 + step * damping / mass).powi(n);
        let found = simulation.bodies().velocities[0].linear.x;
        assert!((found - right).abs() < 1e-9, "{found} for {right}");
    }
}

/// Along a line the equations are linear, and the proof holds to the accuracy of the solver.
#[test]
fn energy_never_grows() {
    for ratio in [1e-2, 1.0, 1e2, 1e4, 1e6] {
        let (step, mass) = (1e-2, 1.0);
        let stiffness = ratio * mass / (step * step);
        let mut simulation = world(step, 0.0);
        let bodies: Vec<u32> = (0..4)
            .map(|k| {
                let k = f64::from(k);
                let place = (k + 0.2 * (3.0 * k).sin()) * DVec3::X;
                let speed = (5.0 * k).cos() * DVec3::X;
                let body = ball(mass * (1.0 + k), 0.1, place).moving(speed, DVec3::ZERO);
                simulation.add_body(body).unwrap() as u32
            })
            .collect();
        for pair in bodies.windows(2) {
            let points = [0, 1].map(|end| simulation.bodies().poses[pair[end] as usize].position);
            let spring = NewJoint::spring([pair[0], pair[1]], points, 0.9, [stiffness, 0.0]);
            simulation.add_joint(spring).unwrap();
        }
        let before = simulation.balance();
        let mut last = before.energy();
        for step in 0..500 {
            simulation.step().unwrap();
            let now = simulation.balance().energy();
            assert!(
                now <= last * (1.0 + 1e-9),
                "{ratio}, step {step}: {last} to {now} J"
            );
            last = now;
        }
        let after = simulation.balance();
        assert!((after.momentum - before.momentum).length() < 1e-9);
    }
}

/// Two boxes that tumble, joined at their corners by a spring that is relaxed at first.
fn tumbling(ratio: f64, implicit: bool) -> Simulation {
    let (step, mass) = (1e-2, 1.0);
    let stiffness = ratio * mass / (step * step);
    let mut simulation = world(step, 0.0);
    let size = dvec3(0.4, 0.3, 0.2);
    let first = cuboid(mass, size, DVec3::ZERO).moving(dvec3(0.3, -0.1, 0.2), dvec3(1.0, 2.0, 0.5));
    let second = cuboid(2.0 * mass, size, dvec3(1.0, 0.2, 0.1));
    let second = second.moving(dvec3(-0.4, 0.6, 0.0), dvec3(0.0, -1.0, 3.0));
    let bodies = [first, second].map(|body| simulation.add_body(body).unwrap() as u32);
    let points = [0.5 * size, dvec3(0.8, 0.05, 0.0)];
    let rest_length = points[0].distance(points[1]);
    if implicit {
        let spring = NewJoint::spring(bodies, points, rest_length, [stiffness, 0.0]);
        simulation.add_joint(spring).unwrap();
    } else {
        let poses = &simulation.bodies().poses;
        let points = [0, 1].map(|end| poses[end].local_point(points[end]));
        simulation.forces_mut().springs.push(Spring {
            bodies,
            points,
            rest_length,
            stiffness,
            damping: 0.0,
        });
    }
    simulation
}

/// Where the line of the spring turns, the elongation is right up to terms of the order h³. A very stiff spring makes much of
/// them in its own energy, but nothing of it reaches the motion.
#[test]
fn a_turning_spring_gives_no_energy_to_the_motion_and_keeps_both_momenta() {
    for ratio in [1e-2, 1.0, 1e2, 1e4, 1e6] {
        let mut simulation = tumbling(ratio, true);
        let before = simulation.balance();
        let mut most = 0.0f64;
        for _ in 0..2000 {
            simulation.step().unwrap();
            most = most.max(simulation.balance().kinetic);
        }
        let share = most / before.energy();
        assert!(
            (0.9..=1.0).contains(&share),
            "{ratio}: {share} of the energy"
        );
        let after = simulation.balance();
        assert!((after.momentum - before.momentum).length() < 1e-9);
        let turned = after.angular_momentum - before.angular_momentum;
        assert!(turned.length() < 1e-8, "{ratio}: {turned}");
    }
}

/// What the implicit spring is for: the explicit one does not survive this.
#[test]
fn an_explicit_spring_of_this_stiffness_explodes() {
    let mut simulation = tumbling(1e2, false);
    let before = simulation.balance().energy();
    for _ in 0..20 {
        simulation.step().unwrap();
    }
    assert!(simulation.balance().energy() > 1e6 * before);
}
