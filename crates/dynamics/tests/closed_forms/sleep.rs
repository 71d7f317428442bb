//! Bodies that sleep move as they would have without.

use crate::worlds::{GRAVITY, ball, cube, ground, in_steps_of, rubbing, run_until};
use glam::{DMat3, DVec3};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Cuboid, HalfSpace, Shape};
use moreau_dynamics::bodies::{NewBody, Velocity};
use moreau_dynamics::forces::{AppliedForce, Spring, WORLD};
use moreau_dynamics::joints::{Motor, NewJoint};
use moreau_dynamics::motion::{DrivenMotion, Signal};
use moreau_dynamics::settings::{OnFailure, Scheme, SimulationSettings};
use moreau_dynamics::simulation::Simulation;

const STEP: f64 = 5e-3;
const SIDE: f64 = 0.2;
const BOXES: usize = 6;
const BOX_MASS: f64 = 5.6;
/// When the ball reaches the tower.
const HIT: f64 = 1.0;

fn settings(sleep: bool) -> SimulationSettings {
    SimulationSettings {
        sleep,
        ..in_steps_of(STEP)
    }
}

fn constant(vector: DVec3) -> [Signal; 3] {
    vector.to_array().map(Signal::Constant)
}

/// Boxes on the ground, one on the other, from body 1 on. Each is a little narrower than the one below: where edges lie on edges,
/// rounding decides how many points there are, and with it which of many answers of Coulomb's law the solver finds.
fn tower(settings: SimulationSettings) -> Simulation {
    let mut simulation = ground(settings, rubbing(0.5));
    for k in 0..BOXES {
        let width = 0.5 * SIDE * (1.0 - 0.02 * k as f64);
        let half = DVec3::new(width, width, 0.5 * SIDE);
        let shape = simulation.add_shape(Shape::Cuboid(Cuboid::new(half).unwrap()));
        let place = DVec3::new(0.0, 0.0, SIDE * (0.5 + k as f64));
        let body = NewBody::with_mass(shape, BOX_MASS).at(place);
        simulation.add_body(body).unwrap();
    }
    simulation
}

/// A ball that flies level for [`HIT`] seconds and then meets the third box of the tower: thrown upwards so that it comes back to
/// its height.
fn throw_at_tower(simulation: &mut Simulation) -> usize {
    let shape = simulation.add_shape(ball(0.1));
    let speed = DVec3::new(-8.0, 0.0, 0.5 * GRAVITY * HIT);
    let place = DVec3::new(0.1 + 0.5 * SIDE + 8.0 * HIT, 0.02, 2.4 * SIDE);
    let body = NewBody::with_mass(shape, 3.0)
        .at(place)
        .moving(speed, DVec3::ZERO);
    simulation.add_body(body).unwrap()
}

fn one_box(settings: SimulationSettings) -> Simulation {
    let mut simulation = ground(settings, rubbing(0.5));
    let shape = simulation.add_shape(cube(0.5 * SIDE));
    let body = NewBody::with_mass(shape, BOX_MASS).at(DVec3::new(0.0, 0.0, 0.5 * SIDE));
    simulation.add_body(body).unwrap();
    simulation
}

#[test]
fn a_tower_that_slept_falls_under_a_ball_as_one_that_did_not() {
    let thrown = |sleep: bool, small_tolerance: f64| {
        let mut settings = settings(sleep);
        settings.solver.small_tolerance = small_tolerance;
        let mut simulation = tower(settings);
        throw_at_tower(&mut simulation);
        simulation
    };
    let mut sleeping = thrown(true, 1e-12);
    let mut waking = thrown(false, 1e-12);
    run_until(&mut sleeping, HIT - 0.1);
    run_until(&mut waking, HIT - 0.1);
    assert!((1..=BOXES).all(|body| sleeping.is_asleep(body)));
    assert!(!sleeping.is_asleep(BOXES + 1), "the ball flies");
    // The ground still carries the tower, and is told so.
    let load = -sleeping.force_on(0).linear.z;
    let weight = BOXES as f64 * BOX_MASS * GRAVITY;
    assert!((load - weight).abs() < 1e-9 * weight, "{load} N");
    assert_eq!(sleeping.contacts().len(), 4 * BOXES);

    let still = sleeping.bodies().poses[1..=BOXES].to_vec();
    let mut woke = 0.0;
    while sleeping.time() < HIT + 0.3 - 1e-9 {
        let before = sleeping.balance().energy();
        let report = sleeping.step().unwrap();
        waking.step().unwrap();
        assert!(report.converged());
        // Nothing here can push: inelastic impacts, friction, gravity. What remains is the rounding of 150 J, and gravity over a
        // step, which symplectic Euler takes half a step late: m (g h)²/2 for what falls.
        let falls = 0.5 * (weight / GRAVITY + 3.0) * (GRAVITY * STEP).powi(2);
        assert!(report.balance.energy() <= before + falls, "{}", report.time);
        if report.asleep > 0 {
            assert_eq!(report.asleep, BOXES, "they wake as one");
            assert_eq!(report.contacts, 0, "nothing to solve");
            assert_eq!(sleeping.bodies().poses[1..=BOXES], still);
            woke = report.time;
        }
        // Later on, what falls hits what stands.
        if report.time < HIT + 0.05 {
            let apart = distance(&sleeping, &waking);
            let bound = if report.asleep > 0 { 1e-12 } else { 1e-5 };
            assert!(apart < bound * SIDE, "{} s: {apart:.1e} m", report.time);
        }
    }
    assert!((woke - HIT).abs() < 3.0 * STEP, "woke at {woke}");
    let moved = sleeping.bodies().poses[3].position.x - still[2].position.x;
    assert!(moved < -0.05, "the ball does push: {moved}");
    // Towers that fall enlarge small differences: those of another tolerance of the solve tell by how much.
    let mut otherwise = thrown(false, 1e-11);
    run_until(&mut otherwise, HIT + 0.3);
    let (slept, solved) = (distance(&sleeping, &waking), distance(&otherwise, &waking));
    assert!(
        slept <= 10.0 * solved,
        "{slept:.1e} m; by the tolerance {solved:.1e} m"
    );
}

/// The largest distance of a body from itself in another run.
fn distance(a: &Simulation, b: &Simulation) -> f64 {
    let pairs = a.bodies().poses.iter().zip(&b.bodies().poses);
    pairs.fold(0.0, |farthest, (a, b)| {
        a.position.distance(b.position).max(farthest)
    })
}

#[test]
fn a_run_goes_on_bit_for_bit_from_a_state_in_which_bodies_sleep() {
    for on_failure in [OnFailure::Continue, OnFailure::Refine] {
        let mut simulation = tower(SimulationSettings {
            on_failure,
            ..settings(true)
        });
        throw_at_tower(&mut simulation);
        run_until(&mut simulation, HIT - 0.1);
        assert!(simulation.is_asleep(1));
        let bytes = postcard::to_stdvec(&simulation).unwrap();
        let mut again: Simulation = postcard::from_bytes(&bytes).unwrap();
        for _ in 0..60 {
            simulation.step().unwrap();
            again.step().unwrap();
        }
        assert!(!simulation.is_asleep(1));
        assert_eq!(simulation.bodies(), again.bodies());
        assert_eq!(simulation.last_impulses(), again.last_impulses());
    }
}

#[test]
fn bodies_sleep_alike_with_any_number_of_threads() {
    let after = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let mut simulation = tower(settings(true));
            throw_at_tower(&mut simulation);
            run_until(&mut simulation, HIT + 0.2);
            simulation.bodies().clone()
        })
    };
    let one = after(1);
    for threads in [2, 4] {
        assert_eq!(one, after(threads), "{threads} threads");
    }
}

#[test]
fn a_block_that_slept_slides_off_when_its_pull_exceeds_friction() {
    // A force that rises from zero at 1 s by 10 N/s overcomes μ m g at t₁; from there x = ∫∫ (F − μ m g)/m = 10 (t − t₁)³/(6 m).
    for scheme in [Scheme::SymplecticEuler, Scheme::MoreauHalfStep] {
        let mut simulation = one_box(SimulationSettings {
            scheme,
            ..settings(true)
        });
        let rising = Signal::Table {
            times: vec![1.0, 101.0],
            values: vec![0.0, 1000.0],
        };
        simulation.forces_mut().applied.push(AppliedForce {
            body: 1,
            force: [rising, Signal::ZERO, Signal::ZERO],
            torque: constant(DVec3::ZERO),
            point: DVec3::new(0.0, 0.0, -0.5 * SIDE),
        });
        run_until(&mut simulation, 0.9);
        assert!(simulation.is_asleep(1));
        let slides = 1.0 + 0.5 * BOX_MASS * GRAVITY / 10.0;
        run_until(&mut simulation, slides + 1.0);
        let way = simulation.bodies().poses[1].position.x;
        let exact = 10.0 / (6.0 * BOX_MASS);
        assert!((way - exact).abs() < 0.02 * exact, "{way} m, not {exact}");
    }
}

#[test]
fn what_sleeps_falls_when_what_carries_it_is_taken_away() {
    let mut simulation = tower(settings(true));
    run_until(&mut simulation, 0.5);
    assert!((1..=BOXES).all(|body| simulation.is_asleep(body)));
    let mut gone = vec![false; BOXES + 1];
    gone[1] = true;
    simulation.remove_bodies(&gone);
    let before = simulation.bodies().poses[1].position.z;
    let fall = 0.1;
    run_until(&mut simulation, 0.5 + fall);
    let fallen = before - simulation.bodies().poses[1].position.z;
    let exact = 0.5 * GRAVITY * fall * (fall + STEP);
    assert!((fallen - exact).abs() < 1e-9, "{fallen} m, not {exact}");
}

#[test]
fn only_what_moves_wakes() {
    // A plate under the box that stands still for a second and then carries it away at 0.3 m/s.
    let belt = |late: bool| {
        let mut simulation = Simulation::new(settings(true));
        let plane = simulation.add_shape(Shape::HalfSpace(HalfSpace));
        let shape = simulation.add_shape(cube(0.5 * SIDE));
        let starts = if late { 1.0 } else { 0.0 };
        let way = Signal::Table {
            times: vec![starts, starts + 100.0],
            values: vec![0.0, 30.0],
        };
        let motion = DrivenMotion::Pose {
            displacement: [way, Signal::ZERO, Signal::ZERO],
            axis: DVec3::Z,
            angle: Signal::ZERO,
            start: Pose::IDENTITY,
        };
        simulation.add_body(NewBody::driven(plane, motion)).unwrap();
        let body = NewBody::with_mass(shape, BOX_MASS).at(DVec3::new(0.0, 0.0, 0.5 * SIDE));
        simulation.add_body(body).unwrap();
        simulation
    };
    let mut simulation = belt(true);
    run_until(&mut simulation, 0.9);
    assert!(simulation.is_asleep(1));
    run_until(&mut simulation, 2.0);
    assert!(!simulation.is_asleep(1));
    let speed = simulation.bodies().velocities[1].linear.x;
    assert!((speed - 0.3).abs() < 1e-9, "{speed} m/s");
    // On a belt that creeps slower than bodies at rest may, nobody rests either.
    let mut simulation = belt(false);
    simulation.settings_mut().sleep_speed = 1e9;
    run_until(&mut simulation, 1.0);
    assert!(!simulation.is_asleep(1));
}

#[test]
fn a_motor_wakes_what_it_turns() {
    let mut simulation = Simulation::new(settings(true));
    let wheel = NewBody::with_mass(u32::MAX, 1.0).with_inertia(0.5 * DMat3::IDENTITY);
    let wheel = simulation.add_body(wheel).unwrap();
    let speed = Signal::Table {
        times: vec![1.0, 2.0],
        values: vec![0.0, 3.0],
    };
    let motor = Motor::Speed {
        speed,
        max_force: f64::INFINITY,
    };
    let axle = NewJoint::revolute([WORLD, wheel as u32], DVec3::ZERO, DVec3::Z);
    let axle = simulation.add_joint(axle.driven_by(0, motor)).unwrap();
    run_until(&mut simulation, 0.9);
    assert!(simulation.is_asleep(wheel));
    let carried = simulation.joints().reaction(axle).unwrap().force.z;
    assert!((carried - GRAVITY).abs() < 1e-6, "{carried} N");
    run_until(&mut simulation, 3.0);
    assert!(!simulation.is_asleep(wheel));
    let speed = simulation.bodies().velocities[wheel].angular.z;
    assert!((speed - 3.0).abs() < 1e-6, "{speed} rad/s");
}

#[test]
fn changes_from_outside_wake() {
    let push: [fn(&mut Simulation); 5] = [
        |simulation| simulation.settings_mut().gravity = GRAVITY * DVec3::new(0.6, 0.0, -0.8),
        |simulation| simulation.bodies_mut().velocities[1].linear.x = 1.0,
        |simulation| simulation.materials_mut().set(0, rubbing(0.0)).unwrap(),
        |simulation| {
            simulation.forces_mut().springs.push(Spring {
                bodies: [WORLD, 1],
                points: [DVec3::X, DVec3::ZERO],
                rest_length: 0.1,
                stiffness: 100.0,
                damping: 0.0,
            });
        },
        |simulation| {
            let rope = NewJoint::distance([WORLD, 1], [DVec3::X, DVec3::ZERO], 0.5);
            simulation.add_joint(rope).unwrap();
        },
    ];
    for (k, push) in push.into_iter().enumerate() {
        let mut simulation = one_box(SimulationSettings {
            // Without friction the box would slide: it is held by a slope that friction just bears.
            gravity: if k == 2 {
                GRAVITY * DVec3::new(0.4, 0.0, -(1.0f64 - 0.16).sqrt())
            } else {
                -GRAVITY * DVec3::Z
            },
            ..settings(true)
        });
        run_until(&mut simulation, 0.6);
        assert!(simulation.is_asleep(1), "case {k}");
        push(&mut simulation);
        simulation.step().unwrap();
        assert!(!simulation.is_asleep(1), "case {k}");
        let moves = simulation.bodies().velocities[1];
        assert!(moves.linear.x > 1e-3, "case {k}: {moves:?}");
    }
}

#[test]
fn a_scene_of_any_size_falls_asleep_at_the_same_step() {
    let asleep_after = |length: f64| {
        let mut simulation = ground(
            SimulationSettings {
                sleep: true,
                ..SimulationSettings::default()
            },
            rubbing(0.5),
        );
        let shape = simulation.add_shape(cube(0.5 * length));
        for k in 0..3 {
            let place = length * DVec3::new(0.05 * f64::from(k), 0.0, 0.6 + 1.1 * f64::from(k));
            let body = NewBody::rigid(shape, 1000.0).at(place);
            simulation.add_body(body).unwrap();
        }
        let mut steps = 0;
        while simulation.step().unwrap().asleep < 3 {
            steps += 1;
            assert!(steps < 1000, "{length} m: nobody sleeps");
        }
        assert!(
            simulation
                .bodies()
                .velocities
                .iter()
                .all(|v| *v == Velocity::ZERO)
        );
        steps
    };
    let one = asleep_after(1.0);
    assert!(one >= 49);
    // Powers of four scale √(length / g) without rounding.
    for length in [1.0 / 4096.0, 4096.0] {
        assert_eq!(one, asleep_after(length), "{length} m");
    }
}
