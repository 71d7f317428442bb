//! Scenes of boxes.

use super::grains::{add, empty};
use glam::{DQuat, DVec3};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Cuboid, HalfSpace, Shape};
use moreau_contact_solvers::generate::SplitMix64;
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::simulation::Simulation;

/// In kg/m³.
const DENSITY: f64 = 2000.0;

fn on_the_ground() -> Simulation {
    let mut simulation = empty();
    let ground = simulation.add_shape(Shape::HalfSpace(HalfSpace));
    add(&mut simulation, NewBody::fixed(ground));
    simulation
}

fn add_box(simulation: &mut Simulation, size: DVec3) -> u32 {
    let shape = Cuboid::new(0.5 * size).expect("a possible box");
    simulation.add_shape(Shape::Cuboid(shape))
}

/// Cubes in layers, every second layer moved so that a cube lies on up to four, each turned a little.
pub(super) fn pile(count: usize) -> Simulation {
    const EDGE: f64 = 0.1;
    const SPACING: f64 = 1.1 * EDGE;
    const MOVED: f64 = 0.3 * EDGE;
    let mut random = SplitMix64::new(4);
    let mut simulation = on_the_ground();
    let shape = add_box(&mut simulation, DVec3::splat(EDGE));
    let across = ((count as f64).cbrt().round() as usize).max(2);
    for index in 0..count {
        let (layer, place) = (index / (across * across), index % (across * across));
        let moved = MOVED * (layer % 2) as f64;
        let position = DVec3::new(
            SPACING * (place % across) as f64 + moved,
            SPACING * (place / across) as f64 + moved,
            EDGE * (layer as f64 + 0.5),
        );
        let turn = DQuat::from_rotation_z(random.between(-0.04, 0.04));
        let body = NewBody::rigid(shape, DENSITY).posed(Pose::new(position, turn));
        add(&mut simulation, body);
    }
    simulation
}

/// Bricks in running bond, with half bricks at the ends of every second course. Joints between heads are open.
pub(super) fn brick_wall(count: usize) -> Simulation {
    const BRICK: DVec3 = DVec3::new(0.2, 0.1, 0.06);
    const JOINT: f64 = 0.01;
    let mut simulation = on_the_ground();
    let whole = add_box(&mut simulation, BRICK);
    let half_length = 0.5 * (BRICK.x - JOINT);
    let half = add_box(&mut simulation, DVec3::new(half_length, BRICK.y, BRICK.z));
    let long = ((count as f64 / 1.6).sqrt().round() as usize).max(2);
    let end = 0.5 * (half_length - BRICK.x);
    let pitch = BRICK.x + JOINT;
    for course in 0..count / long {
        let height = BRICK.z * (course as f64 + 0.5);
        let mut lay = |shape: u32, x: f64| {
            let place = DVec3::new(x, 0.0, height);
            add(&mut simulation, NewBody::rigid(shape, DENSITY).at(place));
        };
        if course % 2 == 0 {
            (0..long).for_each(|k| lay(whole, pitch * k as f64));
        } else {
            lay(half, end);
            (0..long - 1).for_each(|k| lay(whole, pitch * (k as f64 + 0.5)));
            lay(half, pitch * (long - 1) as f64 - end);
        }
    }
    simulation
}
