use crate::worlds::{ground, in_steps_of, rubbing};
use glam::{DQuat, DVec3};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Capsule, Cuboid, HalfSpace, Shape};
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::forces::{AppliedForce, WORLD};
use moreau_dynamics::joints::NewJoint;
use moreau_dynamics::motion::Signal;
use moreau_dynamics::simulation::Simulation;

const RADIUS: f64 = 0.004;
const HALF_LENGTH: f64 = 0.02;

/// A capsule of 45 g between a wall at x = 0 and a finger that slides along x and presses with `force`; `axis` is where
/// the capsule points. Gives capsule and finger.
fn grip(force: f64, axis: DVec3) -> (Simulation, [usize; 2]) {
    let mut simulation = ground(in_steps_of(2e-3), rubbing(0.7));
    let wall = simulation.add_shape(Shape::HalfSpace(HalfSpace));
    let facing = DQuat::from_rotation_arc(DVec3::Z, DVec3::X);
    simulation
        .add_body(NewBody::fixed(wall).posed(Pose::new(DVec3::ZERO, facing)))
        .unwrap();
    let shape = Capsule::new(HALF_LENGTH, RADIUS).unwrap();
    let shape = simulation.add_shape(Shape::Capsule(shape));
    let reach = RADIUS + HALF_LENGTH * axis.x.abs();
    let pose = Pose::new(
        DVec3::new(reach, 0.0, 0.5),
        DQuat::from_rotation_arc(DVec3::Z, axis),
    );
    let capsule = NewBody::with_mass(shape, 0.045).posed(pose);
    let capsule = simulation.add_body(capsule).unwrap();
    let shape = Cuboid::new(DVec3::new(0.005, 0.03, 0.03)).unwrap();
    let shape = simulation.add_shape(Shape::Cuboid(shape));
    let place = DVec3::new(2.0 * reach + 0.005, 0.0, 0.5);
    let finger = NewBody::with_mass(shape, 0.1).at(place);
    let finger = simulation.add_body(finger).unwrap();
    simulation
        .add_joint(NewJoint::translational(
            [WORLD, finger as u32],
            place,
            DVec3::X,
        ))
        .unwrap();
    simulation.forces_mut().applied.push(AppliedForce {
        body: finger as u32,
        force: [Signal::Constant(-force), Signal::ZERO, Signal::ZERO],
        torque: [Signal::ZERO, Signal::ZERO, Signal::ZERO],
        point: DVec3::ZERO,
    });
    (simulation, [capsule, finger])
}

/// The largest speed of a point of the capsule in two seconds, after the first tenth.
fn creep(force: f64, axis: DVec3) -> f64 {
    let (mut simulation, [capsule, _]) = grip(force, axis);
    let mut fastest = 0.0f64;
    while simulation.time() < 2.0 {
        assert!(simulation.step().unwrap().converged());
        let velocity = simulation.bodies().velocities[capsule];
        let speed = velocity.linear.length() + HALF_LENGTH * velocity.angular.length();
        if simulation.time() > 0.1 {
            fastest = fastest.max(speed);
        }
    }
    fastest
}

#[test]
fn a_pinched_capsule_does_not_creep() {
    for force in [12.0, 30.0, 60.0] {
        // Across the fingers, and between its two ends.
        for axis in [DVec3::Y, DVec3::X] {
            let speed = creep(force, axis);
            assert!(speed < 1e-9, "{force} N, along {axis}: {speed:.1e} m/s");
        }
    }
}

/// Two contacts hold 2 μ F: the capsule falls when that is less than its weight, 0.44 N.
#[test]
fn a_capsule_slips_out_of_a_weak_grip() {
    assert!(creep(0.32, DVec3::Y) < 1e-9);
    assert!(creep(0.31, DVec3::Y) > 1e-2);
}
