use glam::{DMat3, DVec3};
use moreau_collision::shapes::{Cuboid, Shape};
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::settings::{Scheme, SimulationSettings};
use moreau_dynamics::simulation::Simulation;

fn tumbling(scheme: Scheme, step: f64) -> Simulation {
    let mut simulation = Simulation::new(SimulationSettings {
        time_step: Some(step),
        gravity: DVec3::ZERO,
        scheme,
        ..SimulationSettings::default()
    });
    let brick = Shape::Cuboid(Cuboid::new(DVec3::new(0.1, 0.2, 0.4)).unwrap());
    let shape = simulation.add_shape(brick);
    // Close to the middle axis, about which nothing spins steadily.
    let body = NewBody::rigid(shape, 1000.0).moving(DVec3::X, DVec3::new(0.05, 6.0, 0.02));
    simulation.add_body(body).unwrap();
    simulation
}

#[test]
fn a_tumbling_brick_keeps_momentum_to_rounding_and_energy_to_second_order() {
    for scheme in [Scheme::SymplecticEuler, Scheme::MoreauHalfStep] {
        let change = |step: f64| {
            let mut simulation = tumbling(scheme, step);
            let before = simulation.balance();
            while simulation.time() < 5.0 {
                simulation.step().unwrap();
            }
            let after = simulation.balance();
            let spin = before.angular_momentum.length();
            assert!((after.angular_momentum - before.angular_momentum).length() < 1e-11 * spin);
            assert!((after.momentum - before.momentum).length() < 1e-11 * before.momentum.length());
            ((after.kinetic - before.kinetic) / before.kinetic).abs()
        };
        let (coarse, fine) = (change(4e-3), change(1e-3));
        assert!(fine < 1e-3, "{scheme:?}: {fine:.1e}");
        assert!(
            fine < 0.3 * coarse,
            "{scheme:?}: {coarse:.1e} to {fine:.1e}"
        );
    }
}

#[test]
fn a_brick_has_the_inertia_of_the_book() {
    let simulation = tumbling(Scheme::SymplecticEuler, 1e-3);
    let mass = 1000.0 * 0.2 * 0.4 * 0.8;
    let of = |a: f64, b: f64| mass / 12.0 * (a * a + b * b);
    let exact = DMat3::from_diagonal(DVec3::new(of(0.4, 0.8), of(0.2, 0.8), of(0.2, 0.4)));
    let found = simulation.bodies().inertias[0].to_matrix();
    assert!((simulation.bodies().masses[0] - mass).abs() < 1e-9 * mass);
    assert!((found - exact).abs_diff_eq(DMat3::ZERO, 1e-9 * mass));
}
