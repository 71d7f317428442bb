use crate::worlds::{GRAVITY, ball, ground, in_steps_of, rubbing, run_until};
use glam::{DMat3, DQuat, DVec3};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Cylinder, Shape};
use moreau_contact_solvers::law::FrictionLaw;
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::materials::Material;
use moreau_dynamics::settings::SimulationSettings;
use moreau_dynamics::simulation::Simulation;

/// Mazhar 2015, §2.3: a ball of radius 1 is set sliding at 2 m/s with μ = 0.2.
fn sliding_ball(law: FrictionLaw) -> (Simulation, usize) {
    let mut settings = SimulationSettings {
        time_step: Some(0.0025),
        ..SimulationSettings::default()
    };
    settings.solver.law = law;
    let mut simulation = ground(settings, rubbing(0.2));
    let shape = simulation.add_shape(ball(1.0));
    let body = NewBody::rigid(shape, 1000.0)
        .at(DVec3::Z)
        .moving(DVec3::new(2.0, 0.0, 0.0), DVec3::ZERO);
    let body = simulation.add_body(body).unwrap();
    (simulation, body)
}

#[test]
fn sliding_turns_into_rolling_at_two_sevenths_of_v_over_mu_g() {
    let (mut simulation, body) = sliding_ball(FrictionLaw::Coulomb);
    let exact = 2.0 * 2.0 / (7.0 * 0.2 * GRAVITY);
    let mut rolls_at = None;
    while simulation.time() < 1.0 {
        simulation.step().unwrap();
        let velocity = simulation.bodies().velocities[body];
        let slip = velocity.linear.x - velocity.angular.y;
        if slip.abs() < 1e-9 && rolls_at.is_none() {
            rolls_at = Some(simulation.time());
        }
        let height = simulation.bodies().poses[body].position.z;
        assert!(
            (height - 1.0).abs() < 1e-9,
            "Coulomb's law opens no gap: {height}"
        );
    }
    let rolls_at = rolls_at.expect("it rolls in the end");
    assert!(
        (rolls_at - exact).abs() <= 0.0025,
        "{rolls_at} against {exact}"
    );
    let speed = simulation.bodies().velocities[body].linear.x;
    assert!(
        (speed - 10.0 / 7.0).abs() < 1e-9,
        "5/7 of the first speed: {speed}"
    );
}

/// A body of moment of inertia k m R² rolls in the end with 1/(1 + k) of its first speed v₀, from t = v₀ k/((1 + k) μ g) on, and
/// has come (v₀² − v²)/(2 μ g) by then: 12 v₀²/(49 μ g) for a ball.
#[test]
fn balls_cylinders_shells_and_hoops_keep_their_share_of_the_speed() {
    let (radius, mass, friction, speed, step) = (0.5, 3.0, 0.2, 2.0, 1e-3);
    let round = ball(radius);
    let long = || Shape::Cylinder(Cylinder::new(0.4, radius).unwrap());
    let of_shell = DMat3::from_diagonal(DVec3::splat(2.0 / 3.0)) * (mass * radius * radius);
    let of_hoop = DMat3::from_diagonal(DVec3::new(0.6, 0.6, 1.0)) * (mass * radius * radius);
    for (name, shape, inertia, share) in [
        ("ball", round.clone(), None, 5.0 / 7.0),
        ("cylinder", long(), None, 2.0 / 3.0),
        ("shell", round, Some(of_shell), 3.0 / 5.0),
        ("hoop", long(), Some(of_hoop), 1.0 / 2.0),
    ] {
        let mut simulation = ground(in_steps_of(step), rubbing(friction));
        let shape = simulation.add_shape(shape);
        let lying = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
        let mut body = NewBody::with_mass(shape, mass)
            .posed(Pose::new(radius * DVec3::Z, lying))
            .moving(speed * DVec3::X, DVec3::ZERO);
        if let Some(inertia) = inertia {
            body = body.with_inertia(inertia);
        }
        let body = simulation.add_body(body).unwrap();
        let mut rolls = None;
        while simulation.time() < 1.0 {
            assert!(simulation.step().unwrap().converged());
            let velocity = simulation.bodies().velocities[body];
            let slip = velocity.linear.x - radius * velocity.angular.y;
            if rolls.is_none() && slip.abs() < 1e-9 {
                rolls = Some((
                    simulation.time(),
                    simulation.bodies().poses[body].position.x,
                ));
            }
        }
        let found = simulation.bodies().velocities[body].linear.x / speed;
        assert!((found - share).abs() < 1e-9, "{name}: {found}, not {share}");
        let (time, way) = rolls.expect("it rolls");
        let pull = friction * GRAVITY;
        let exact_time = speed * (1.0 - share) / pull;
        let exact_way = speed * speed * (1.0 - share * share) / (2.0 * pull);
        assert!((time - exact_time).abs() <= step, "{name}: {time} s");
        assert!((way - exact_way).abs() <= speed * step, "{name}: {way} m");
    }
}

#[test]
fn the_relaxed_law_opens_a_gap_while_the_ball_slides() {
    let (mut simulation, body) = sliding_ball(FrictionLaw::Relaxed);
    run_until(&mut simulation, 0.1);
    let velocity = simulation.bodies().velocities[body];
    let slip = velocity.linear.x - velocity.angular.y;
    let gap = simulation.bodies().poses[body].position.z - 1.0;
    let exact = 0.0025 * 0.2 * slip;
    assert!(
        (gap - exact).abs() < 0.05 * exact,
        "{gap:.3e} against h μ v = {exact:.3e}"
    );
}

#[test]
fn rolling_friction_slows_a_ball_by_five_sevenths_of_rho_g_over_r() {
    let radius = 0.5;
    let material = Material {
        friction: 0.8,
        rolling_friction: 0.01,
        ..Material::default()
    };
    let settings = SimulationSettings {
        time_step: Some(0.002),
        ..SimulationSettings::default()
    };
    let mut simulation = ground(settings, material);
    let shape = simulation.add_shape(ball(radius));
    let body = NewBody::rigid(shape, 1000.0)
        .at(DVec3::new(0.0, 0.0, radius))
        .moving(DVec3::X, DVec3::new(0.0, 1.0 / radius, 0.0));
    let body = simulation.add_body(body).unwrap();
    run_until(&mut simulation, 1.0);
    let slowed = (1.0 - simulation.bodies().velocities[body].linear.x) / simulation.time();
    let exact = 5.0 / 7.0 * 0.01 * GRAVITY / radius;
    assert!(
        (slowed - exact).abs() < 1e-6 * exact,
        "{slowed} against {exact}"
    );
}

#[test]
fn spinning_friction_slows_a_spin_by_five_halves_of_sigma_g_over_r_squared() {
    let radius = 0.5;
    let material = Material {
        friction: 0.5,
        rolling_friction: 0.01,
        spinning_friction: 0.02,
        ..Material::default()
    };
    let settings = SimulationSettings {
        time_step: Some(0.002),
        ..SimulationSettings::default()
    };
    let mut simulation = ground(settings, material);
    let shape = simulation.add_shape(ball(radius));
    let body = NewBody::rigid(shape, 1000.0)
        .at(DVec3::new(0.0, 0.0, radius))
        .moving(DVec3::ZERO, DVec3::new(0.0, 0.0, 5.0));
    let body = simulation.add_body(body).unwrap();
    run_until(&mut simulation, 1.0);
    let slowed = (5.0 - simulation.bodies().velocities[body].angular.z) / simulation.time();
    let exact = 2.5 * 0.02 * GRAVITY / (radius * radius);
    assert!(
        (slowed - exact).abs() < 1e-6 * exact,
        "{slowed} against {exact}"
    );
}
