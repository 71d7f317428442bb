//! A pendulum swings with the period of the elliptic integral and pulls at its hinge as energy says.

use crate::support::{GRAVITY, ball, world};
use glam::DVec3;
use moreau_dynamics::forces::WORLD;
use moreau_dynamics::joints::NewJoint;
use moreau_dynamics::settings::Scheme;
use moreau_dynamics::simulation::Simulation;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_3};

const MASS: f64 = 2.0;
const LENGTH: f64 = 1.5;

fn pendulum(step: f64, inertia: f64) -> Simulation {
    let mut simulation = world(step, GRAVITY);
    let place = LENGTH * DVec3::new(-FRAC_PI_3.sin(), 0.0, -FRAC_PI_3.cos());
    let bob = simulation.add_body(ball(MASS, inertia, place)).unwrap() as u32;
    simulation
        .add_joint(NewJoint::revolute([WORLD, bob], DVec3::ZERO, DVec3::Y))
        .unwrap();
    simulation
}

/// K(k) by the arithmetic-geometric mean.
fn elliptic(k: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    FRAC_PI_2 / a
}

/// Times of the first two passages through the bottom in the same direction.
fn passages(mut simulation: Simulation) -> [f64; 2] {
    let mut found = Vec::new();
    let mut x = simulation.bodies().poses[0].position.x;
    while found.len() < 2 {
        let h = simulation.step().unwrap().step_size;
        let next = simulation.bodies().poses[0].position.x;
        if x < 0.0 && next >= 0.0 {
            found.push(simulation.time() - h * next / (next - x));
        }
        x = next;
    }
    [found[0], found[1]]
}

#[test]
fn the_period_is_that_of_the_elliptic_integral() {
    let inertia = 0.3;
    let length = (inertia + MASS * LENGTH * LENGTH) / (MASS * LENGTH);
    let period = 4.0 * elliptic((0.5 * FRAC_PI_3).sin()) * (length / GRAVITY).sqrt();
    let errors = |h: f64| {
        let [first, second] = passages(pendulum(h, inertia));
        [first - 0.25 * period, second - first - period].map(f64::abs)
    };
    let (coarse, fine) = (errors(8e-3), errors(4e-3));
    // The first passage carries the half step by which velocities lead: first order. The period does not: second order.
    assert!(fine[0] < 4e-3, "{coarse:?} {fine:?}");
    assert!(
        (1.7..2.3).contains(&(coarse[0] / fine[0])),
        "{coarse:?} {fine:?}"
    );
    assert!(fine[1] < 1e-5 * period, "{coarse:?} {fine:?}");
    assert!(coarse[1] / fine[1] > 3.0, "{coarse:?} {fine:?}");
}

#[test]
fn moreaus_scheme_swings_with_the_same_period() {
    let inertia = 0.3;
    let length = (inertia + MASS * LENGTH * LENGTH) / (MASS * LENGTH);
    let period = 4.0 * elliptic((0.5 * FRAC_PI_3).sin()) * (length / GRAVITY).sqrt();
    let errors = |h: f64| {
        let mut simulation = pendulum(h, inertia);
        simulation.settings_mut().scheme = Scheme::MoreauHalfStep;
        let [first, second] = passages(simulation);
        [first - 0.25 * period, second - first - period].map(f64::abs)
    };
    let (coarse, fine) = (errors(8e-3), errors(4e-3));
    for k in [0, 1] {
        assert!(fine[k] < 1e-5 * period, "{coarse:?} {fine:?}");
        assert!(coarse[k] / fine[k] > 3.0, "{coarse:?} {fine:?}");
    }
}

#[test]
fn the_hinge_holds_the_weight_and_the_centripetal_force() {
    // A bob of the inertia I about its centre, and L = length: m g (1 + 2 (1 − cos θ₀) m L²/(I + m L²)) at the bottom,
    // which is m g (3 − 2 cos θ₀) for a point.
    let inertia = 1e-3;
    let mut simulation = pendulum(1e-3, inertia);
    let mut largest = 0.0f64;
    for _ in 0..1000 {
        simulation.step().unwrap();
        largest = largest.max(simulation.joints().reaction(0).unwrap().force.z);
    }
    let share = MASS * LENGTH * LENGTH / (inertia + MASS * LENGTH * LENGTH);
    let exact = MASS * GRAVITY * (1.0 + 2.0 * (1.0 - FRAC_PI_3.cos()) * share);
    assert!((largest / exact - 1.0).abs() < 1e-4, "{largest} {exact}");
}
