use crate::worlds::{GRAVITY, ball, cube, ground, rubbing, run_until};
use glam::DVec3;
use moreau_collision::shapes::{Cuboid, Shape};
use moreau_contact_solvers::law::FrictionLaw;
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::forces::AppliedForce;
use moreau_dynamics::motion::Signal;
use moreau_dynamics::settings::SimulationSettings;

#[test]
fn a_thousand_kilograms_rest_on_one() {
    let mut simulation = ground(SimulationSettings::default(), rubbing(0.5));
    let shape = simulation.add_shape(cube(0.5));
    let light = NewBody::with_mass(shape, 1.0).at(DVec3::new(0.0, 0.0, 0.5));
    let heavy = NewBody::with_mass(shape, 1000.0).at(DVec3::new(0.0, 0.0, 1.5));
    let light = simulation.add_body(light).unwrap();
    let heavy = simulation.add_body(heavy).unwrap();
    while simulation.time() < 5.0 {
        let report = simulation.step().unwrap();
        assert!(report.converged());
        assert!(report.relative_penetration < 1e-6);
    }
    let poses = &simulation.bodies().poses;
    assert!((poses[light].position - DVec3::new(0.0, 0.0, 0.5)).length() < 1e-9);
    assert!((poses[heavy].position - DVec3::new(0.0, 0.0, 1.5)).length() < 1e-9);
    let floor = -simulation.force_on(0).linear.z;
    assert!((floor - 1001.0 * GRAVITY).abs() < 1e-6 * floor, "{floor}");
}

#[test]
fn twenty_boxes_stand_for_ten_seconds() {
    let mut simulation = ground(SimulationSettings::default(), rubbing(0.5));
    let shape = simulation.add_shape(cube(0.5));
    let place = |k: usize| DVec3::new(0.0, 0.0, 0.5 + k as f64);
    let boxes: Vec<_> = (0..20)
        .map(|k| {
            let body = NewBody::rigid(shape, 1000.0).at(place(k));
            simulation.add_body(body).unwrap()
        })
        .collect();
    while simulation.time() < 10.0 {
        let report = simulation.step().unwrap();
        assert!(report.converged());
        assert!(report.relative_penetration < 1e-6);
    }
    for (k, body) in boxes.into_iter().enumerate() {
        let drift = (simulation.bodies().poses[body].position - place(k)).length();
        assert!(drift < 1e-9, "box {k} drifted {drift:.1e} m");
    }
}

/// A plate of 10 kg with 25 balls of 1 kg on it, pulled along the diagonal with 150 N. Gives the speeds after 0.2 s, over the
/// time: of the plate, then of the balls.
fn pulled_plate(law: FrictionLaw) -> Vec<f64> {
    let mut settings = SimulationSettings::default();
    settings.solver.law = law;
    let mut simulation = ground(settings, rubbing(0.8));
    let ground_material = simulation.materials_mut().add(rubbing(0.4)).unwrap();
    simulation
        .materials_mut()
        .set_pair(0, ground_material, rubbing(0.4))
        .unwrap();
    simulation.bodies_mut().materials[0] = ground_material;
    let plate = Cuboid::new(DVec3::new(1.2, 1.2, 0.1)).unwrap();
    let shape = simulation.add_shape(Shape::Cuboid(plate));
    let plate = NewBody::with_mass(shape, 10.0).at(DVec3::new(0.0, 0.0, 0.1));
    let plate = simulation.add_body(plate).unwrap();
    let radius = 0.1;
    let shape = simulation.add_shape(ball(radius));
    for i in 0..5 {
        for j in 0..5 {
            let place = DVec3::new(f64::from(i) - 2.0, f64::from(j) - 2.0, 0.0) * 0.4;
            let body = NewBody::with_mass(shape, 1.0).at(place + (0.2 + radius) * DVec3::Z);
            simulation.add_body(body).unwrap();
        }
    }
    let share = Signal::Constant(150.0 / f64::sqrt(2.0));
    simulation.forces_mut().applied.push(AppliedForce {
        body: plate as u32,
        force: [share.clone(), share, Signal::ZERO],
        torque: [Signal::ZERO, Signal::ZERO, Signal::ZERO],
        // At the height of the ground, so that the plate does not tip.
        point: DVec3::new(0.0, 0.0, -0.1),
    });
    run_until(&mut simulation, 0.2);
    let velocities = &simulation.bodies().velocities[plate..];
    let time = simulation.time();
    velocities
        .iter()
        .map(|v| v.linear.length() / time)
        .collect()
}

#[test]
fn a_plate_slides_under_its_balls_as_the_cone_says() {
    let found = pulled_plate(FrictionLaw::Coulomb);
    // (F − μ (M + n m) g) / (M + 2 n m / 7)
    let exact = (150.0 - 0.4 * 35.0 * GRAVITY) / (10.0 + 50.0 / 7.0);
    assert!(
        (found[0] - exact).abs() < 0.01 * exact,
        "{} against {exact}",
        found[0]
    );
    for ball in &found[1..] {
        assert!(
            (ball - 2.0 / 7.0 * exact).abs() < 0.02 * exact,
            "a ball: {ball}"
        );
    }
}

/// Along the diagonal a pyramid of friction is √2 times as strong as the cone: 150/√2 N along each axis is less than μ (M + n m) g.
#[test]
fn a_pyramid_of_friction_holds_the_plate() {
    let found = pulled_plate(FrictionLaw::Box);
    assert!(found.iter().all(|speed| *speed < 1e-9), "{found:?}");
}
