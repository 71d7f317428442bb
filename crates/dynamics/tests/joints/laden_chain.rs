//! Joints hold to a share of their bodies' size whatever else is in the problem, also where the error of the solve is coarse.

use crate::support::GRAVITY;
use glam::DVec3;
use moreau_collision::shapes::{Cuboid, Shape, Sphere};
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::forces::WORLD;
use moreau_dynamics::joints::NewJoint;
use moreau_dynamics::materials::Material;
use moreau_dynamics::settings::{SimulationSettings, SolverSettings};
use moreau_dynamics::simulation::Simulation;

const PLANKS: u32 = 8;
/// Half the edges of a plank.
const PLANK: DVec3 = DVec3::new(0.05, 0.2, 0.01);
const RADIUS: f64 = 0.02;

/// A chain of planks, hinged to each other and at one end to the world, with balls on top that cling to each other and to the
/// planks with twenty times their weight. It begins level, and swings down.
fn chain(solver: SolverSettings) -> Simulation {
    let mut simulation = Simulation::new(SimulationSettings {
        solver,
        ..Default::default()
    });
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3);
    let sticky = Material {
        cohesion: 20.0 * mass * GRAVITY,
        ..Material::default()
    };
    simulation.materials_mut().set(0, sticky).unwrap();
    let plank = simulation.add_shape(Shape::Cuboid(Cuboid::new(PLANK).unwrap()));
    let ball = simulation.add_shape(Shape::Sphere(Sphere::new(RADIUS).unwrap()));
    let width = 2.0 * PLANK.x;
    let planks: Vec<u32> = (0..PLANKS)
        .map(|k| {
            let place = (0.5 + f64::from(k)) * width * DVec3::X;
            let body = NewBody::rigid(plank, 800.0).at(place);
            simulation.add_body(body).unwrap() as u32
        })
        .collect();
    for k in 0..PLANKS as usize {
        let end = |k: usize| planks.get(k).copied().unwrap_or(WORLD);
        let bodies = [end(k.wrapping_sub(1)), end(k)];
        let hinge = NewJoint::revolute(bodies, k as f64 * width * DVec3::X, DVec3::Y);
        simulation.add_joint(hinge).unwrap();
    }
    for k in 0..200 {
        let [x, y, z] = [k % 20, k / 20 % 5, k / 100].map(f64::from);
        let place = DVec3::new(0.5 + x, y - 2.0, 0.5 + z) * 2.0 * RADIUS;
        let body = NewBody::rigid(ball, 2500.0).at(place + PLANK.z * DVec3::Z);
        simulation.add_body(body).unwrap();
    }
    simulation
}

/// A plank of 0.1 m x 0.4 m x 0.02 m has a radius of gyration of 0.098 m by the trace of its inertia, of which a solve leaves
/// at most 8e-4. What a step adds by taking turns for straight lines is of the order (ω h)² of the arm and less here.
#[test]
fn hinges_under_clinging_grains_stay_closed() {
    let size = 2.0 * PLANK;
    let gyration = (2.0 * size.length_squared() / 36.0).sqrt();
    let solver = SolverSettings::default();
    let allowed = solver.overlap_tolerance * gyration;
    // As it is, and as scenes of more than 9000 rows are solved.
    for middle_rows in [solver.middle_rows, 0] {
        let mut simulation = chain(SolverSettings {
            middle_rows,
            ..solver.clone()
        });
        let mut most = 0.0f64;
        for _ in 0..60 {
            let report = simulation.step().unwrap();
            assert!(report.converged(), "{}", report.status);
            most = most.max(report.joint_drift);
        }
        let sag = simulation.bodies().poses[PLANKS as usize / 2].position.z;
        assert!(sag < -0.01, "it moves: {sag}");
        assert!(most <= 1.5 * allowed, "{middle_rows}: {most} of {allowed}");
    }
}
