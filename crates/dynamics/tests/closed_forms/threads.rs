use crate::worlds::{cube, ground, pour, rubbing, walls};
use glam::DVec3;
use moreau_collision::shapes::{Ellipsoid, Shape};
use moreau_dynamics::bodies::{Bodies, NewBody};
use moreau_dynamics::settings::SimulationSettings;
use moreau_dynamics::simulation::Simulation;

fn grains() -> Simulation {
    let mut simulation = ground(SimulationSettings::default(), rubbing(0.3));
    walls(&mut simulation, 0.0575);
    pour(&mut simulation, 0.01, 5, 4);
    simulation
}

fn ellipsoids() -> Simulation {
    let mut simulation = ground(SimulationSettings::default(), rubbing(0.4));
    walls(&mut simulation, 0.5);
    let shape = Ellipsoid::new(DVec3::new(0.1, 0.07, 0.05)).unwrap();
    let shape = simulation.add_shape(Shape::Ellipsoid(shape));
    for k in 0..12 {
        let place = DVec3::new(0.21 * f64::from(k % 3), 0.2 * f64::from(k / 3 % 3), 0.2);
        let place = place + DVec3::new(-0.2, -0.2, 0.13 * f64::from(k / 9));
        let body = NewBody::rigid(shape, 1000.0)
            .at(place)
            .moving(DVec3::ZERO, DVec3::new(1.0, 0.3 * f64::from(k), 0.0));
        simulation.add_body(body).unwrap();
    }
    simulation
}

fn boxes() -> Simulation {
    let mut simulation = ground(SimulationSettings::default(), rubbing(0.5));
    let shape = simulation.add_shape(cube(0.1));
    for k in 0..12 {
        let lean = 0.02 * f64::from(k % 3);
        let place = DVec3::new(lean, 0.25 * f64::from(k / 4), 0.1 + 0.21 * f64::from(k % 4));
        simulation
            .add_body(NewBody::rigid(shape, 700.0).at(place))
            .unwrap();
    }
    simulation
}

fn after(mut simulation: Simulation, threads: usize) -> Bodies {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    pool.install(|| {
        for _ in 0..1000 {
            simulation.step().unwrap();
        }
    });
    simulation.bodies().clone()
}

fn same_for_any_number_of_threads(scene: fn() -> Simulation) {
    let one = after(scene(), 1);
    for threads in [2, 4] {
        assert_eq!(one, after(scene(), threads), "{threads} threads");
    }
}

#[test]
fn grains_move_alike_with_any_number_of_threads() {
    same_for_any_number_of_threads(grains);
}

#[test]
fn ellipsoids_move_alike_with_any_number_of_threads() {
    same_for_any_number_of_threads(ellipsoids);
}

#[test]
fn boxes_move_alike_with_any_number_of_threads() {
    same_for_any_number_of_threads(boxes);
}
