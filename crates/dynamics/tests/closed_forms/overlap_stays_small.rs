use crate::worlds::{bouncy, in_steps_of};
use glam::{DQuat, DVec3};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Capsule, HollowCylinder, Shape, Sphere};
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::motion::{DrivenMotion, Signal};
use moreau_dynamics::settings::{OnFailure, SimulationSettings};
use moreau_dynamics::simulation::Simulation;

/// A ball of 0.1 m slides at 2 m/s around the inside of a fixed tube of 0.5 m. Gives how deep it was in the wall at worst, as
/// a share of its radius, and the most parts that a step was made of.
fn deepest_of_a_ball_in_a_tube(settings: SimulationSettings) -> (f64, u32) {
    let mut simulation = Simulation::new(settings);
    let smooth = bouncy(0.0);
    simulation.materials_mut().set(0, smooth).unwrap();
    let tube = HollowCylinder::new(0.5, 1.0, 0.4, false, false).unwrap();
    let tube = simulation.add_shape(Shape::HollowCylinder(tube));
    simulation.add_body(NewBody::fixed(tube)).unwrap();
    let ball = simulation.add_shape(Shape::Sphere(Sphere::new(0.1).unwrap()));
    let ball = NewBody::rigid(ball, 1000.0)
        .at(0.4 * DVec3::X)
        .moving(2.0 * DVec3::Y, DVec3::ZERO);
    let ball = simulation.add_body(ball).unwrap();
    let (mut deepest, mut parts) = (0.0f64, 0);
    while simulation.time() < 0.2 {
        parts = parts.max(simulation.step().unwrap().parts);
        let place = simulation.bodies().poses[ball].position;
        deepest = deepest.max((place.length() - 0.4) / 0.1);
    }
    (deepest, parts)
}

/// A step takes the wall for its tangent, from which the wall departs by (v h)² / (2 · 0.4 m): 0.8 mm or 0.8 % of the ball in
/// 12.5 ms. The limit is about what the ball does, not about what the step thought.
#[test]
fn a_limit_on_the_overlap_holds_where_walls_curve() {
    let coarse = SimulationSettings {
        gravity: DVec3::ZERO,
        ..in_steps_of(0.0125)
    };
    let limit = 1e-3;
    let refined = SimulationSettings {
        on_failure: OnFailure::Refine,
        penetration_limit: Some(limit),
        ..coarse.clone()
    };
    let (without, parts) = deepest_of_a_ball_in_a_tube(coarse);
    assert!(
        (without / 7.8e-3 - 1.0).abs() < 0.05 && parts == 1,
        "{without} in {parts}"
    );
    let (with, parts) = deepest_of_a_ball_in_a_tube(refined);
    assert!(with <= limit && parts > 1, "{with} in {parts}");
}

/// Two rods touch at one end and turn so that the other ends meet. A step sees that end although it is not the nearest; what
/// it leaves is the arc's departure from its tangent, ½ (ω h)² L of each.
#[test]
fn rods_that_turn_against_each_other_meet_at_the_other_end() {
    let (half, radius, spin, step) = (0.3, 0.05, 40.0, 4e-3);
    let settings = SimulationSettings {
        gravity: DVec3::ZERO,
        ..in_steps_of(step)
    };
    let mut simulation = Simulation::new(settings);
    simulation.materials_mut().set(0, bouncy(0.0)).unwrap();
    let rod = simulation.add_shape(Shape::Capsule(Capsule::new(half, radius).unwrap()));
    for side in [-1.0, 1.0] {
        // The lower ends are together, the upper ones apart.
        let (tilt, place) = (side * 0.15, side * (radius + half * 0.15f64.sin()));
        let pose = Pose::new(place * DVec3::X, DQuat::from_rotation_y(tilt));
        let turning = DVec3::new(0.0, -side * spin, 0.0);
        let rod = NewBody::rigid(rod, 1000.0).posed(pose);
        simulation
            .add_body(rod.moving(DVec3::ZERO, turning))
            .unwrap();
    }
    let mut deepest = 0.0f64;
    for _ in 0..10 {
        simulation.step().unwrap();
        let ends = [0, 1].map(|body| {
            let pose = &simulation.bodies().poses[body];
            [-half, half].map(|z| pose.point(z * DVec3::Z))
        });
        // In a plane and not crossing, the shortest way begins at an end.
        let way = |point: DVec3, [a, b]: [DVec3; 2]| {
            let share = (point - a).dot(b - a) / (b - a).length_squared();
            (point - a.lerp(b, share.clamp(0.0, 1.0))).length()
        };
        let ways = (0..2).flat_map(|body| ends[body].map(|end| way(end, ends[1 - body])));
        let apart = ways.fold(f64::INFINITY, f64::min) - 2.0 * radius;
        deepest = deepest.max(-apart);
    }
    let arcs = (spin * step).powi(2) * half;
    assert!(deepest < arcs, "{deepest} m, arcs {arcs} m");
}

/// The wall of a tube that swings about a point of its axis is fast far from there, and meets what is in its way in time.
#[test]
fn a_tube_that_swings_pushes_and_does_not_pass_into_a_ball() {
    let settings = SimulationSettings {
        gravity: DVec3::ZERO,
        ..in_steps_of(0.01)
    };
    let mut simulation = Simulation::new(settings);
    let tube = HollowCylinder::new(0.05, 1.0, 0.02, false, false).unwrap();
    let tube = simulation.add_shape(Shape::HollowCylinder(tube));
    let turning = [0.0, 2.0, 0.0].map(Signal::Constant);
    let motion = DrivenMotion::Velocity {
        linear: [0.0; 3].map(Signal::Constant),
        angular: turning,
    };
    simulation.add_body(NewBody::driven(tube, motion)).unwrap();
    let ball = simulation.add_shape(Shape::Sphere(Sphere::new(0.05).unwrap()));
    let place = DVec3::new(0.13, 0.0, 0.9);
    let ball = simulation
        .add_body(NewBody::rigid(ball, 1000.0).at(place))
        .unwrap();
    let mut deepest = 0.0f64;
    for _ in 0..20 {
        deepest = deepest.max(simulation.step().unwrap().penetration);
    }
    // Along its arc the wall gains ½ (ω h)² · 0.9 m on its tangent, 0.18 mm a step; in a step it moves by 18 mm.
    assert!(deepest < 4e-4, "{deepest} m");
    let swept = DQuat::from_rotation_y(0.4).inverse() * simulation.bodies().poses[ball].position;
    assert!(swept.x > 0.12 - 4e-4, "before the wall: {swept}");
}
