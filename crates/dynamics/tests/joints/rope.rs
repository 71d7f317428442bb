//! A rope is slack or taut, a strut the other way round.

use crate::support::{GRAVITY, ball, world};
use glam::DVec3;
use moreau_dynamics::forces::WORLD;
use moreau_dynamics::joints::NewJoint;

#[test]
fn a_ball_on_a_rope_flies_freely_until_the_rope_is_taut() {
    let (h, length) = (1e-3, 1.0);
    let mut simulation = world(h, GRAVITY);
    let start = DVec3::new(0.5, 0.0, 0.0);
    let throw = DVec3::new(0.0, 0.0, 2.0);
    let ball = simulation
        .add_body(ball(1.0, 0.01, start).moving(throw, DVec3::ZERO))
        .unwrap() as u32;
    let rope = NewJoint::rope([WORLD, ball], [DVec3::ZERO, start], 0.0, length);
    simulation.add_joint(rope).unwrap();
    let (mut slack, mut taut, mut longest) = (0, 0, 0.0f64);
    for step in 1..=2000 {
        simulation.step().unwrap();
        let place = simulation.bodies().poses[0].position;
        longest = longest.max(place.length());
        if simulation.joints().reaction(0).unwrap().limit[0] == 0.0 {
            slack += 1;
        } else {
            taut += 1;
        }
        if taut == 0 {
            // Symplectic Euler: n steps of fall are g h² n (n + 1)/2.
            let n = f64::from(step);
            let fall = 0.5 * GRAVITY * h * h * n * (n + 1.0);
            let exact = start + throw * (h * n) - DVec3::new(0.0, 0.0, fall);
            assert!((place - exact).length() < 1e-12, "{step}");
        }
    }
    assert!(slack > 300 && taut > 300, "{slack} {taut}");
    assert!(longest < length * (1.0 + 1e-4), "{longest}");
}

#[test]
fn a_slack_rope_whose_ends_begin_in_one_place_holds_nothing() {
    let (h, length) = (2e-3, 0.5);
    let mut simulation = world(h, GRAVITY);
    let ball = simulation.add_body(ball(1.0, 0.01, DVec3::ZERO)).unwrap() as u32;
    let rope = NewJoint::rope([WORLD, ball], [DVec3::ZERO; 2], 0.0, length);
    simulation.add_joint(rope).unwrap();
    for step in 1..=150 {
        simulation.step().unwrap();
        let n = f64::from(step);
        let fall = 0.5 * GRAVITY * h * h * n * (n + 1.0);
        let height = simulation.bodies().poses[0].position.z;
        assert!((height + fall).abs() < 1e-12, "step {step}: {height}");
    }
    for _ in 0..1000 {
        simulation.step().unwrap();
    }
    let height = simulation.bodies().poses[0].position.z;
    assert!((height + length).abs() < 1e-9, "{height}");
}

#[test]
fn a_strut_keeps_apart_what_falls_on_it() {
    let mut simulation = world(1e-3, GRAVITY);
    let ball = simulation.add_body(ball(1.0, 0.01, DVec3::Z)).unwrap() as u32;
    let points = [DVec3::ZERO, DVec3::Z];
    let strut = NewJoint::rope([WORLD, ball], points, 0.8, f64::INFINITY);
    simulation.add_joint(strut).unwrap();
    for _ in 0..500 {
        simulation.step().unwrap();
    }
    assert!((simulation.bodies().poses[0].position.z - 0.8).abs() < 1e-9);
    let force = simulation.joints().reaction(0).unwrap().force;
    assert!((force - GRAVITY * DVec3::Z).length() < 1e-6, "{force}");
}

#[test]
fn a_rod_keeps_its_length() {
    let mut simulation = world(1e-3, GRAVITY);
    let ball = simulation.add_body(ball(1.0, 0.01, DVec3::X)).unwrap() as u32;
    let rod = NewJoint::distance([ball, WORLD], [DVec3::X, DVec3::ZERO], 1.0);
    simulation.add_joint(rod).unwrap();
    for _ in 0..2000 {
        let report = simulation.step().unwrap();
        assert!(report.joint_drift < 1e-6, "{}", report.joint_drift);
    }
}
