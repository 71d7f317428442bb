//! Motors: speed, position, force, and a driven coordinate.

use crate::support::{ball, run, world};
use glam::DVec3;
use moreau_contact_solvers::cones::Cone;
use moreau_dynamics::forces::WORLD;
use moreau_dynamics::joints::{Motor, NewJoint};
use moreau_dynamics::motion::Signal;
use moreau_dynamics::simulation::Simulation;

const INERTIA: f64 = 2.0;

fn wheel(motor: Motor) -> Simulation {
    let mut simulation = world(1e-2, 0.0);
    let body = simulation
        .add_body(ball(5.0, INERTIA, DVec3::ZERO))
        .unwrap() as u32;
    let hinge = NewJoint::revolute([WORLD, body], DVec3::ZERO, DVec3::Z);
    simulation.add_joint(hinge.driven_by(0, motor)).unwrap();
    simulation
}

fn spin(simulation: &Simulation) -> f64 {
    simulation.bodies().velocities[0].angular.z
}

#[test]
fn a_speed_motor_accelerates_with_its_torque_and_holds_its_speed() {
    let torque = 3.0;
    let mut simulation = wheel(Motor::Speed {
        speed: Signal::Constant(5.0),
        max_force: torque,
    });
    for _ in 0..300 {
        let time = simulation.step().unwrap().time;
        let exact = (torque / INERTIA * time).min(5.0);
        assert!((spin(&simulation) - exact).abs() < 1e-9, "{time}");
        let motor = simulation.joints().reaction(0).unwrap().motor[0];
        if time < 3.3 {
            assert!((motor - torque).abs() < 1e-9, "{motor}");
        }
    }
    run(&mut simulation, 4.0);
    assert!((spin(&simulation) - 5.0).abs() < 1e-9);
    assert!(simulation.joints().reaction(0).unwrap().motor[0].abs() < 1e-8);
}

#[test]
fn a_position_motor_arrives_after_several_turns_and_stays() {
    let mut simulation = wheel(Motor::Position {
        target: Signal::Constant(20.0),
        max_force: f64::INFINITY,
        max_speed: Some(10.0),
    });
    run(&mut simulation, 1.0);
    assert!((spin(&simulation) - 10.0).abs() < 1e-9);
    run(&mut simulation, 3.0);
    let angle = simulation.joints().get(0).unwrap().coordinates()[0];
    assert!((angle - 20.0).abs() < 1e-9, "{angle}");
    assert!(spin(&simulation).abs() < 1e-9);
}

/// A motor of any force and a limit on one coordinate: the limit wins, and no step asks for what cannot be.
#[test]
fn a_motor_stops_at_the_limit_of_its_joint() {
    let (stop, speed) = (0.35, 1.0);
    let motors = [
        Motor::Position {
            target: Signal::Constant(0.7),
            max_force: f64::INFINITY,
            max_speed: Some(speed),
        },
        Motor::Speed {
            speed: Signal::Constant(speed),
            max_force: f64::INFINITY,
        },
        Motor::Speed {
            speed: Signal::Constant(speed),
            max_force: 1e3,
        },
    ];
    for motor in motors {
        let mut simulation = world(1e-2, 0.0);
        let body = ball(5.0, INERTIA, DVec3::ZERO);
        let body = simulation.add_body(body).unwrap() as u32;
        let hinge = NewJoint::revolute([WORLD, body], DVec3::ZERO, DVec3::Z);
        let hinge = hinge.limited(0, -1.0, stop).driven_by(0, motor.clone());
        simulation.add_joint(hinge).unwrap();
        for _ in 0..100 {
            let report = simulation.step().unwrap();
            assert!(report.converged(), "{motor:?} at {}", report.time);
            let angle = simulation.joints().get(0).unwrap().coordinates()[0];
            let exact = (speed * report.time).min(stop);
            assert!((angle - exact).abs() < 1e-9, "{motor:?}: {angle}");
        }
    }
}

/// What a limit is exceeded by is drift like that of any other constraint.
#[test]
fn drift_tells_of_limits() {
    let mut simulation = world(1e-2, 0.0);
    let body = ball(5.0, INERTIA, DVec3::ZERO);
    let body = simulation.add_body(body).unwrap() as u32;
    let hinge = NewJoint::revolute([WORLD, body], DVec3::ZERO, DVec3::Z);
    simulation.add_joint(hinge.limited(0, 0.2, 1.0)).unwrap();
    let drift = simulation.joints().drift(simulation.bodies(), 0.0);
    assert_eq!((drift.position, drift.angle), (0.0, 0.2));
}

#[test]
fn a_force_motor_gives_its_torque() {
    let mut simulation = wheel(Motor::Force {
        force: Signal::Constant(0.5),
    });
    run(&mut simulation, 2.0);
    assert!((spin(&simulation) - 0.5 / INERTIA * 2.0).abs() < 1e-9);
}

#[test]
fn a_driven_coordinate_is_where_its_signal_is() {
    let signal = Signal::Sine {
        amplitude: 2.0,
        frequency: 0.5,
        phase: 0.0,
        offset: 0.0,
    };
    let mut simulation = wheel(Motor::Driven {
        position: signal.clone(),
    });
    for _ in 0..200 {
        let report = simulation.step().unwrap();
        let angle = simulation.joints().get(0).unwrap().coordinates()[0];
        assert!((angle - signal.at(report.time)).abs() < 1e-9);
        assert!(report.joint_angle_drift < 1e-9);
    }
}

#[test]
fn a_motor_without_bound_is_a_constraint_and_takes_its_speed_at_once() {
    let mut simulation = wheel(Motor::Speed {
        speed: Signal::Constant(5.0),
        max_force: f64::INFINITY,
    });
    simulation.step().unwrap();
    assert!((spin(&simulation) - 5.0).abs() < 1e-9);
    // I ω / h, whatever it is.
    let motor = simulation.joints().reaction(0).unwrap().motor[0];
    assert!((motor - INERTIA * 5.0 / 1e-2).abs() < 1e-6, "{motor}");
    let cones = simulation.last_problem().unwrap().cones();
    let constraint = |cone: &Cone| matches!(cone, Cone::Bilateral { .. });
    assert!(cones.len() == 2 && cones.iter().all(constraint));
}
