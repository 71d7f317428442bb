//! Worlds to test in.

use glam::{DMat3, DVec3};
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::motion::Signal;
use moreau_dynamics::settings::{OnFailure, SimulationSettings};
use moreau_dynamics::simulation::Simulation;

/// No shape: nothing collides.
pub const NO_SHAPE: u32 = u32::MAX;

/// Weight of a kilogram.
pub const GRAVITY: f64 = 9.81;

/// An empty world that stops when a step does not converge.
pub fn world(step: f64, gravity: f64) -> Simulation {
    Simulation::new(SimulationSettings {
        time_step: Some(step),
        gravity: DVec3::new(0.0, 0.0, -gravity),
        on_failure: OnFailure::Stop,
        ..Default::default()
    })
}

/// A body of a mass and an isotropic inertia.
pub fn ball(mass: f64, inertia: f64, position: DVec3) -> NewBody {
    NewBody::with_mass(NO_SHAPE, mass)
        .with_inertia(DMat3::from_diagonal(DVec3::splat(inertia)))
        .at(position)
}

/// A homogeneous box of full widths `size`.
pub fn cuboid(mass: f64, size: DVec3, position: DVec3) -> NewBody {
    let s = size * size;
    let inertia = DVec3::new(s.y + s.z, s.x + s.z, s.x + s.y) * (mass / 12.0);
    NewBody::with_mass(NO_SHAPE, mass)
        .with_inertia(DMat3::from_diagonal(inertia))
        .at(position)
}

/// A signal that rises from zero at a constant rate for a hundred seconds.
pub fn ramp(rate: f64) -> Signal {
    Signal::Table {
        times: vec![0.0, 100.0],
        values: vec![0.0, 100.0 * rate],
    }
}

/// Steps until a time.
pub fn run(simulation: &mut Simulation, until: f64) {
    while simulation.time() < until - 1e-9 {
        simulation.step().expect("a step");
    }
}
