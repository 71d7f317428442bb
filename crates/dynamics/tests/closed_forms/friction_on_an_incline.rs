use crate::worlds::{GRAVITY, cube, incline, run_until};
use glam::DVec3;
use moreau_dynamics::bodies::NewBody;

fn slide(angle: f64, friction: f64, time: f64) -> (f64, f64) {
    let mut simulation = incline(angle, friction);
    let shape = simulation.add_shape(cube(0.5));
    let body = NewBody::rigid(shape, 1000.0).at(DVec3::new(0.0, 0.0, 0.5));
    let body = simulation.add_body(body).unwrap();
    run_until(&mut simulation, time);
    (
        simulation.bodies().velocities[body].linear.x,
        simulation.time(),
    )
}

#[test]
fn a_box_slides_with_gravity_less_friction() {
    for (angle, friction) in [(0.5, 0.3), (0.7, 0.1), (0.3, 0.25)] {
        let (speed, time) = slide(angle, friction, 1.0);
        let exact = GRAVITY * (f64::sin(angle) - friction * f64::cos(angle));
        let error = (speed / time - exact) / exact;
        assert!(
            error.abs() < 1e-6,
            "angle {angle}, friction {friction}: {error:.1e}"
        );
    }
}

#[test]
fn a_box_sticks_without_creeping() {
    for (angle, friction) in [(0.29, 0.3), (0.5, 0.6), (0.1, 0.5)] {
        assert!(f64::tan(angle) < friction);
        let (speed, _) = slide(angle, friction, 2.0);
        assert!(
            speed.abs() < 1e-12,
            "angle {angle}, friction {friction}: {speed:.1e} m/s"
        );
    }
}
