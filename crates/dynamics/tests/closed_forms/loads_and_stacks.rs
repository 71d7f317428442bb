use crate::worlds::{GRAVITY, ball, cube, ground, rubbing};
use glam::DVec3;
use moreau_dynamics::bodies::NewBody;
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

/// A plate of 10 kg with 25 balls of 1 kg on it, pulled along the diagonal with 150 N: a friction pyramid would not let
/// it move at all.
#[test]
fn a_plate_slides_under_its_balls_as_the_cone_says() {
    let mut simulation = ground(SimulationSettings::default(), rubbing(0.8));
    let ground_material = simulation.materials_mut().add(rubbing(0.4)).unwrap();
    simulation
        .materials_mut()
        .set_pair(0, ground_material, rubbing(0.4))
        .unwrap();
    simulation.bodies_mut().materials[0] = ground_material;
    let radius = 0.1;
    let shape = simulation.add_shape(ball(radius));
    let mut balls = Vec::new();
    for i in 0..5 {
        for j in 0..5 {
            let place = DVec3::new(f64::from(i) - 2.0, f64::from(j) - 2.0, 0.0) * 0.4;
            let body = NewBody::with_mass(shape, 1.0).at(place + (0.2 + radius) * DVec3::Z);
            balls.push(simulation.add_body(body).unwrap());
        }
    }
    let plate = moreau_collision::shapes::Cuboid::new(DVec3::new(1.2, 1.2, 0.1)).unwrap();
    let shape = simulation.add_shape(moreau_collision::shapes::Shape::Cuboid(plate));
    let plate = NewBody::with_mass(shape, 10.0).at(DVec3::new(0.0, 0.0, 0.1));
    let plate = simulation.add_body(plate).unwrap();
    let share = 150.0 / f64::sqrt(2.0);
    use moreau_dynamics::motion::Signal;
    simulation
        .forces_mut()
        .applied
        .push(moreau_dynamics::forces::AppliedForce {
            body: plate as u32,
            force: [
                Signal::Constant(share),
                Signal::Constant(share),
                Signal::ZERO,
            ],
            torque: [Signal::ZERO, Signal::ZERO, Signal::ZERO],
            // At the height of the ground, so that the plate does not tip.
            point: DVec3::new(0.0, 0.0, -0.1),
        });
    while simulation.time() < 0.2 {
        assert!(simulation.step().unwrap().converged());
    }
    let speed = |body: usize| simulation.bodies().velocities[body].linear.length();
    // (F − μ (M + n m) g) / (M + 2 n m / 7)
    let exact = (150.0 - 0.4 * 35.0 * GRAVITY) / (10.0 + 50.0 / 7.0);
    let found = speed(plate) / simulation.time();
    assert!(
        (found - exact).abs() < 0.01 * exact,
        "{found} against {exact}"
    );
    for body in balls {
        let found = speed(body) / simulation.time();
        assert!(
            (found - 2.0 / 7.0 * exact).abs() < 0.02 * exact,
            "a ball: {found}"
        );
    }
}
