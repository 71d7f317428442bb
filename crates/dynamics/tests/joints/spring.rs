//! Springs and dampers that are taken over the whole step follow their closed forms to second order, and never gain energy,
//! however stiff they are.

use crate::support::{NO_SHAPE, ball, cuboid, world};
use glam::{DVec3, dvec3};
use moreau_collision::pose::Pose;
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::forces::{Spring, WORLD};
use moreau_dynamics::joints::NewJoint;
use moreau_dynamics::motion::{DrivenMotion, Signal};
use moreau_dynamics::settings::Scheme;
use moreau_dynamics::simulation::Simulation;
use std::f64::consts::TAU;

const MASS: f64 = 2.0;
const PULLED: f64 = 0.1;

/// A mass of 2 kg on a spring along x, pulled out by 0.1 m, with a speed; (ω h)² and h d/m are given.
fn oscillator(step: f64, [spring, damper]: [f64; 2], rest_length: f64, speed: f64) -> Simulation {
    let strength = [spring * MASS / (step * step), damper * MASS / step];
    let mut simulation = world(step, 0.0);
    let place = (rest_length + PULLED) * DVec3::X;
    let body = ball(MASS, 0.1, place).moving(speed * DVec3::X, DVec3::ZERO);
    let body = simulation.add_body(body).unwrap() as u32;
    let points = [DVec3::ZERO, place];
    let spring = NewJoint::spring([WORLD, body], points, rest_length, strength);
    simulation.add_joint(spring).unwrap();
    simulation
}

/// The trapezoidal mean turns the phase by ψ in a step, tan(ψ/2) = ω h/2, and keeps the amplitude. The speed belongs to half a
/// step earlier, so that x is symmetric about there.
#[test]
fn an_oscillation_is_that_of_the_method() {
    for (ratio, steps) in [(1e-4, 400), (0.04, 400), (1.0, 100)] {
        for rest_length in [0.0, 0.5] {
            let mut simulation = oscillator(1e-2, [ratio, 0.0], rest_length, 0.0);
            let phase = 2.0 * (0.5 * f64::sqrt(ratio)).atan();
            for n in 1..=steps {
                simulation.step().unwrap();
                let found = simulation.bodies().poses[0].position.x - rest_length;
                let right = PULLED * ((f64::from(n) + 0.5) * phase).cos() / (0.5 * phase).cos();
                assert!(
                    (found - right).abs() < 1e-8 * PULLED,
                    "{ratio}, step {n}: {found} for {right}"
                );
            }
        }
    }
}

/// Half the step, a quarter of the error: x(t) = e^(−δ t) (cos ν t + (δ/ν) sin ν t) x₀ with δ = d/2m and ν² = ω² − δ², with a
/// damper and without one. The Euler scheme takes the speed of half a step before the beginning, Moreau's that of the
/// beginning.
#[test]
fn errors_fall_with_the_square_of_the_step() {
    let omega: f64 = 10.0;
    for scheme in [Scheme::SymplecticEuler, Scheme::MoreauHalfStep] {
        for damping in [0.0, 3.0] {
            let (delta, nu) = (
                0.5 * damping,
                (omega.powi(2) - 0.25 * damping * damping).sqrt(),
            );
            let place = |t: f64| {
                PULLED * (-delta * t).exp() * ((nu * t).cos() + delta / nu * (nu * t).sin())
            };
            let speed = |t: f64| -PULLED * (-delta * t).exp() * omega.powi(2) / nu * (nu * t).sin();
            let error = |step: f64| {
                let begin = match scheme {
                    Scheme::SymplecticEuler => speed(-0.5 * step),
                    Scheme::MoreauHalfStep => speed(0.0),
                };
                let strength = [(omega * step).powi(2), damping * step];
                let mut simulation = oscillator(step, strength, 0.5, begin);
                simulation.settings_mut().scheme = scheme;
                let mut largest = 0.0f64;
                for _ in 0..(2.0 / step).round() as usize {
                    simulation.step().unwrap();
                    let found = simulation.bodies().poses[0].position.x - 0.5;
                    largest = largest.max((found - place(simulation.time())).abs());
                }
                largest / PULLED
            };
            let errors = [error(4e-3), error(2e-3), error(1e-3)];
            let what = format!("{scheme:?}, {damping}: {errors:?}");
            // The phase of two seconds is wrong by ω³ h² t/12 for the mean and a little more with a damper.
            assert!(
                errors[2] < 3.0 * omega.powi(3) * 1e-6 * 2.0 / 12.0,
                "{what}"
            );
            for pair in errors.windows(2) {
                assert!((3.9..4.1).contains(&(pair[0] / pair[1])), "{what}");
            }
        }
    }
}

/// A mass on spring and damper follows a base that moves as y = a sin Ωt: x − l = a Im(H e^(iΩt)) with
/// H = (k + i d Ω)/(k − m Ω² + i d Ω), once it has begun so. The base is what has another velocity in every step here.
#[test]
fn a_base_that_moves_is_followed_to_second_order() {
    let (stiffness, damping, frequency, amplitude, length) = (200.0, 15.0, 1.5, 0.05, 0.5);
    let turn = TAU * frequency;
    let (spring, damper) = (stiffness - MASS * turn * turn, damping * turn);
    let size = spring * spring + damper * damper;
    let real = (stiffness * spring + damper * damper) / size;
    let imaginary = -damper * MASS * turn * turn / size;
    let place = |t: f64| amplitude * (real * (turn * t).sin() + imaginary * (turn * t).cos());
    let speed =
        |t: f64| amplitude * turn * (real * (turn * t).cos() - imaginary * (turn * t).sin());
    for scheme in [Scheme::SymplecticEuler, Scheme::MoreauHalfStep] {
        let error = |step: f64| {
            let mut simulation = world(step, 0.0);
            simulation.settings_mut().scheme = scheme;
            let sine = Signal::Sine {
                amplitude,
                frequency,
                phase: 0.0,
                offset: 0.0,
            };
            let motion = DrivenMotion::Pose {
                displacement: [sine, Signal::ZERO, Signal::ZERO],
                axis: DVec3::Z,
                angle: Signal::ZERO,
                start: Pose::IDENTITY,
            };
            let base = NewBody::driven(NO_SHAPE, motion);
            let base = simulation.add_body(base).unwrap() as u32;
            let begin = match scheme {
                Scheme::SymplecticEuler => speed(-0.5 * step),
                Scheme::MoreauHalfStep => speed(0.0),
            };
            let body = ball(MASS, 0.1, (length + place(0.0)) * DVec3::X);
            let body = body.moving(begin * DVec3::X, DVec3::ZERO);
            let body = simulation.add_body(body).unwrap() as u32;
            let points = [DVec3::ZERO, simulation.bodies().poses[1].position];
            let strength = [stiffness, damping];
            let joint = NewJoint::spring([base, body], points, length, strength);
            simulation.add_joint(joint).unwrap();
            let mut largest = 0.0f64;
            for _ in 0..(2.0 / step).round() as usize {
                simulation.step().unwrap();
                let found = simulation.bodies().poses[1].position.x - length;
                largest = largest.max((found - place(simulation.time())).abs());
            }
            largest / amplitude
        };
        let errors = [error(4e-3), error(2e-3), error(1e-3)];
        for pair in errors.windows(2) {
            let ratio = pair[0] / pair[1];
            assert!((3.7..4.3).contains(&ratio), "{scheme:?}: {errors:?}");
        }
    }
}

/// 300 periods of 31 steps each: the amplitude is what it was.
#[test]
fn an_oscillation_that_the_step_resolves_does_not_die() {
    let mut simulation = oscillator(1e-2, [0.04, 0.0], 0.5, 0.0);
    let mut amplitude = |periods: usize| {
        let mut most = 0.0f64;
        for _ in 0..(periods as f64 * 31.5) as usize {
            simulation.step().unwrap();
            most = most.max((simulation.bodies().poses[0].position.x - 0.5).abs());
        }
        most
    };
    let (first, _, last) = (amplitude(10), amplitude(280), amplitude(10));
    assert!((last / first - 1.0).abs() < 1e-3, "{first} {last}");
    assert!((first / PULLED - 1.0).abs() < 0.01, "{first}");
}

/// Springs far too stiff for the step come to rest, and faster with a damper.
#[test]
fn what_the_step_does_not_resolve_comes_to_rest() {
    for ratio in [10.0, 1e2, 1e4, 1e8] {
        for damper in [0.0, 0.1 * f64::sqrt(ratio), ratio] {
            let mut simulation = oscillator(1e-2, [ratio, damper], 0.5, 0.0);
            let mut most = 0.0f64;
            for step in 0..100 {
                simulation.step().unwrap();
                let place = (simulation.bodies().poses[0].position.x - 0.5).abs();
                most = if step < 50 { 0.0 } else { most.max(place) };
                assert!(place <= PULLED, "{ratio}, {damper}, step {step}: {place}");
            }
            assert!(most < 1e-6 * PULLED, "{ratio}, {damper}: {most}");
        }
    }
}

/// v = v₀ e^(−d t/m), to rounding, for any step.
#[test]
fn a_damper_alone_brakes() {
    for (damping, step) in [(0.3, 1e-2), (300.0, 1e-2), (3e4, 1e-2)] {
        let mut simulation = world(step, 0.0);
        let body = ball(MASS, 0.1, DVec3::X).moving(3.0 * DVec3::X, DVec3::ZERO);
        let body = simulation.add_body(body).unwrap() as u32;
        let damper = NewJoint::spring([WORLD, body], [DVec3::ZERO, DVec3::X], 1.0, [0.0, damping]);
        simulation.add_joint(damper).unwrap();
        for _ in 1..=5 {
            simulation.step().unwrap();
            let right = 3.0 * (-damping * simulation.time() / MASS).exp();
            let found = simulation.bodies().velocities[0].linear.x;
            assert!((found - right).abs() < 1e-9, "{found} for {right}");
        }
    }
}

/// Along a line the equations are linear, and the proof holds to the accuracy of the solver: the energy of the method, which
/// is the true one up to terms of second order, never grows.
#[test]
fn energy_never_grows() {
    for ratio in [1e-2, 1.0, 1e2, 1e4, 1e6] {
        for damping in [0.0, 5.0] {
            let (step, length) = (1e-2, 0.9);
            let stiffness = ratio / (step * step);
            let mut simulation = world(step, 0.0);
            let bodies: Vec<u32> = (0..4)
                .map(|k| {
                    let k = f64::from(k);
                    let place = (k + 0.2 * (3.0 * k).sin()) * DVec3::X;
                    let speed = (5.0 * k).cos() * DVec3::X;
                    let body = ball(1.0 + k, 0.1, place).moving(speed, DVec3::ZERO);
                    simulation.add_body(body).unwrap() as u32
                })
                .collect();
            for pair in bodies.windows(2) {
                let places = &simulation.bodies().poses;
                let points = [0, 1].map(|end| places[pair[end] as usize].position);
                let strength = [stiffness, damping];
                let spring = NewJoint::spring([pair[0], pair[1]], points, length, strength);
                simulation.add_joint(spring).unwrap();
            }
            let energy = |simulation: &Simulation| {
                let bodies = simulation.bodies();
                let stored = (0..3).map(|k| {
                    let inverse_mass = 1.0 / (1.0 + k as f64) + 1.0 / (2.0 + k as f64);
                    let s = 1.0 - (1.0 / (ratio * inverse_mass)).min(1.0);
                    let c = step * damping * inverse_mass;
                    let theta = if c == 0.0 {
                        0.5
                    } else {
                        1.0 / (1.0 - (-c).exp()) - 1.0 / c
                    };
                    let [a, b] = [k, k + 1].map(|body| bodies.poses[body].position.x);
                    let [u, v] = [k, k + 1].map(|body| bodies.velocities[body].linear.x);
                    let middle = b - a - 0.5 * step * (v - u) - length;
                    let added = 0.25 * s * stiffness * step * step + (theta - 0.5) * damping * step;
                    0.5 * stiffness * middle * middle + 0.5 * added * (v - u) * (v - u)
                });
                simulation.balance().kinetic + stored.sum::<f64>()
            };
            let before = simulation.balance();
            let mut last = energy(&simulation);
            for step in 0..500 {
                simulation.step().unwrap();
                let now = energy(&simulation);
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
/// them in its own energy, but nothing of it reaches the motion. The kinetic energy is that of half a step earlier, by which a
/// spring that the step resolves can have changed it by up to a share of the order (ω h)².
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
        let resolved = if ratio > 1.0 { 0.0 } else { 0.25 * ratio };
        assert!(
            (0.9..=1.0 + resolved).contains(&share),
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
