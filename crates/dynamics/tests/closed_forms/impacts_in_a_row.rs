use crate::worlds::{GRAVITY, ball, bouncy, ground, in_steps_of};
use glam::DVec3;
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::settings::{Scheme, SimulationSettings};
use moreau_dynamics::simulation::Simulation;

const RADIUS: f64 = 0.1;

fn weightless(scheme: Scheme) -> SimulationSettings {
    SimulationSettings {
        gravity: DVec3::ZERO,
        scheme,
        restitution_threshold: Some(1e-6),
        ..in_steps_of(1e-3)
    }
}

/// Speeds along x of a row of balls with gaps between them, 0.1 s after the first was sent off with 1 m/s.
fn row(settings: SimulationSettings, restitution: f64, gaps: &[f64]) -> Vec<f64> {
    let mut simulation = Simulation::new(settings);
    let material = bouncy(restitution);
    simulation.materials_mut().set(0, material).unwrap();
    let shape = simulation.add_shape(ball(RADIUS));
    let first = NewBody::rigid(shape, 1000.0).moving(DVec3::X, DVec3::ZERO);
    simulation.add_body(first).unwrap();
    let mut place = DVec3::ZERO;
    for gap in gaps {
        place.x += 2.0 * RADIUS + gap;
        let body = NewBody::rigid(shape, 1000.0).at(place);
        simulation.add_body(body).unwrap();
    }
    while simulation.time() < 0.1 {
        assert!(simulation.step().unwrap().converged());
    }
    let velocities = simulation.bodies().velocities.iter();
    velocities.map(|velocity| velocity.linear.x).collect()
}

/// Whenever within the step two balls meet, they part with e times the speed. The solver's 1e-12 is all that may be lost.
#[test]
fn two_balls_part_as_newton_says_whenever_they_meet_in_a_step() {
    for scheme in [Scheme::SymplecticEuler, Scheme::MoreauHalfStep] {
        for phase in 0..40 {
            for restitution in [1.0, 0.5] {
                let gap = 0.02 + 1e-3 * f64::from(phase) / 40.0;
                let found = row(weightless(scheme), restitution, &[gap]);
                let exact = [0.5 * (1.0 - restitution), 0.5 * (1.0 + restitution)];
                let error = (found[0] - exact[0]).abs() + (found[1] - exact[1]).abs();
                assert!(error < 1e-10, "{scheme:?}, phase {phase}: {found:?}");
            }
        }
    }
}

/// Five equal elastic balls: the last leaves with all the speed, whether the others are far apart, a hair apart (all impacts
/// in one step) or touch.
#[test]
fn the_last_ball_of_a_cradle_takes_all_the_speed() {
    for scheme in [Scheme::SymplecticEuler, Scheme::MoreauHalfStep] {
        for gap in [0.0, 1e-6, 1e-4, 3.3e-4, 1.2e-3] {
            let found = row(weightless(scheme), 1.0, &[0.02, gap, gap, gap]);
            assert!(
                (found[4] - 1.0).abs() < 1e-9,
                "{scheme:?}, gap {gap}: {found:?}"
            );
            assert!(found[..4].iter().all(|speed| speed.abs() < 1e-9));
        }
    }
}

#[test]
fn a_row_that_bounces_less_passes_on_half_of_one_plus_e_each_time() {
    for gap in [0.0, 1e-5, 1e-4] {
        let found = row(
            weightless(Scheme::SymplecticEuler),
            0.6,
            &[0.02, gap, gap, gap],
        );
        let exact = f64::powi(0.8, 4);
        assert!((found[4] - exact).abs() < 1e-9, "gap {gap}: {found:?}");
    }
}

/// Impacts between a heavy ball, a light one and the ground do not end; the heavy one must come up again all the same.
#[test]
fn a_heavy_ball_bounces_off_a_light_one_on_the_ground() {
    let mut simulation = ground(in_steps_of(1e-3), bouncy(0.5));
    let shape = simulation.add_shape(ball(RADIUS));
    let light = NewBody::with_mass(shape, 0.001).at(RADIUS * DVec3::Z);
    simulation.add_body(light).unwrap();
    let heavy = NewBody::with_mass(shape, 10.0)
        .at(3.02 * RADIUS * DVec3::Z)
        .moving(-2.0 * DVec3::Z, DVec3::ZERO);
    let heavy = simulation.add_body(heavy).unwrap();
    let mut energy = simulation.balance().energy();
    let mut fastest = 0.0f64;
    while simulation.time() < 0.05 {
        let report = simulation.step().unwrap();
        assert!(report.converged());
        let now = report.balance.energy();
        // A ball bounces when it would meet within the step: v h too high at most, with e of its weight's work.
        assert!(now < energy + 10.0 * GRAVITY * 2.0 * 1e-3);
        energy = now;
        fastest = fastest.max(simulation.bodies().velocities[heavy].linear.z);
    }
    assert!((fastest - 1.0).abs() < 0.05, "{fastest} m/s");
}

/// A fast ball hits one at rest, which moves in the same step far beyond where contacts were looked for. What stands there,
/// a third ball or a wall, stops both: nobody enters anybody, and the momentum goes where it can.
#[test]
fn a_ball_that_was_at_rest_does_not_fly_into_what_nobody_looked_for() {
    for fixed in [false, true] {
        let settings = SimulationSettings {
            gravity: DVec3::ZERO,
            ..in_steps_of(0.05)
        };
        let mut simulation = Simulation::new(settings);
        simulation.materials_mut().set(0, bouncy(0.0)).unwrap();
        let shape = simulation.add_shape(ball(RADIUS));
        let fast = NewBody::rigid(shape, 1000.0).moving(4.0 * DVec3::X, DVec3::ZERO);
        simulation.add_body(fast).unwrap();
        // It is touched after a quarter of the step, and has 5 cm to go to the third.
        let second = 2.0 * RADIUS + 0.05;
        simulation
            .add_body(NewBody::rigid(shape, 1000.0).at(second * DVec3::X))
            .unwrap();
        let third = second + 2.0 * RADIUS + 0.05;
        let body = if fixed {
            NewBody::fixed(shape)
        } else {
            NewBody::rigid(shape, 1000.0)
        };
        simulation.add_body(body.at(third * DVec3::X)).unwrap();
        for _ in 0..3 {
            assert!(simulation.step().unwrap().converged());
            let x: Vec<f64> = simulation
                .bodies()
                .poses
                .iter()
                .map(|p| p.position.x)
                .collect();
            for pair in x.windows(2) {
                let gap = pair[1] - pair[0] - 2.0 * RADIUS;
                assert!(gap > -1e-9 * RADIUS, "fixed: {fixed}, gap {gap}");
            }
        }
        let end: Vec<f64> = simulation
            .bodies()
            .velocities
            .iter()
            .map(|v| v.linear.x)
            .collect();
        let common = if fixed { 0.0 } else { 4.0 / 3.0 };
        for speed in end {
            assert!((speed - common).abs() < 1e-9, "fixed: {fixed}, {speed} m/s");
        }
    }
}

/// Two rows at once. In one a ball is sent against a wall that it was not expected to reach; it bounces and comes to rest while the contacts
/// of the other row, which is longer, are still being looked for. Those searches must not forget the wall, nor a search for the wall the
/// contacts of the other row.
#[test]
fn contacts_of_one_row_are_not_lost_while_those_of_another_are_looked_for() {
    let mut simulation = Simulation::new(weightless(Scheme::SymplecticEuler));
    let materials = simulation.materials_mut();
    materials.set(0, bouncy(1.0)).unwrap();
    let soft = materials.add(bouncy(0.2)).unwrap();
    materials.set_pair(0, soft, bouncy(0.2)).unwrap();
    let shape = simulation.add_shape(ball(RADIUS));
    // In a step of 1 ms the first ball of a row would go half of its diameter.
    let fast = NewBody::rigid(shape, 1000.0).moving(100.0 * DVec3::X, DVec3::ZERO);
    let at_rest = NewBody::rigid(shape, 1000.0);
    let wall = NewBody::fixed(shape).of(soft);
    let short = [(0.0, &fast), (0.01, &at_rest), (0.04, &wall)];
    let long = [
        (0.0, &fast),
        (0.04, &at_rest),
        (0.04, &at_rest),
        (0.04, &at_rest),
    ];
    for (y, row) in [(0.0, &short[..]), (5.0, &long[..])] {
        let mut place = y * DVec3::Y;
        for (gap, body) in row {
            place.x += gap;
            simulation.add_body((*body).clone().at(place)).unwrap();
            place.x += 2.0 * RADIUS;
        }
    }
    assert!(simulation.step().unwrap().converged());
    let bodies = simulation.bodies();
    let found: Vec<f64> = bodies.velocities.iter().map(|v| v.linear.x).collect();
    // The ball gives what the wall has left it back to the first one.
    let exact = [-20.0, 0.0, 0.0, 0.0, 0.0, 0.0, 100.0];
    for (found, exact) in found.iter().zip(exact) {
        assert!((found - exact).abs() < 1e-8, "{found} m/s, not {exact}");
    }
}

/// Each search finds the next of a row of balls, all of which a fast one reaches in the same step. Where there are too many of them, two are
/// inside one another at the end, and that is told.
#[test]
fn a_step_that_misses_a_contact_is_not_called_converged() {
    for (balls, all_found) in [(6, true), (16, false)] {
        let mut simulation = Simulation::new(weightless(Scheme::SymplecticEuler));
        simulation.materials_mut().set(0, bouncy(1.0)).unwrap();
        let shape = simulation.add_shape(ball(RADIUS));
        for k in 0..balls {
            let place = f64::from(k) * (2.0 * RADIUS + 0.04) * DVec3::X;
            let speed = if k == 0 { 100.0 } else { 0.0 };
            let body = NewBody::rigid(shape, 1000.0)
                .at(place)
                .moving(speed * DVec3::X, DVec3::ZERO);
            simulation.add_body(body).unwrap();
        }
        let report = simulation.step().unwrap();
        assert_eq!(report.converged(), all_found, "{balls} balls: {report:?}");
        let places = &simulation.bodies().poses;
        let gap = |k: usize| places[k + 1].position.x - places[k].position.x - 2.0 * RADIUS;
        let apart = (0..places.len() - 1).all(|k| gap(k) > -1e-9);
        assert_eq!(apart, all_found, "{balls} balls");
    }
}
