use crate::worlds::{GRAVITY, ground, in_steps_of, rubbing};
use glam::{DQuat, DVec3};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Cylinder, HalfSpace, Shape};
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::simulation::Simulation;

const RADIUS: f64 = 0.1;

const HALF_LENGTH: f64 = 0.15;

/// One cylinder on two that touch each other, with friction between cylinders and on the floor. Gives the top one.
///
/// Two smooth walls at the ends keep the motion in a plane. Without them Coulomb's law has more than one answer where floor
/// friction barely suffices: ends that pull against each other along the axis use up friction, and the pile may also give
/// way by turning about the vertical.
fn pile(between: f64, floor: f64) -> (Simulation, usize) {
    let mut simulation = ground(in_steps_of(2e-3), rubbing(between));
    let materials = simulation.materials_mut();
    let on_floor = materials.add(rubbing(floor)).unwrap();
    materials.set_pair(0, on_floor, rubbing(floor)).unwrap();
    let smooth = materials.add(rubbing(0.0)).unwrap();
    materials.set_pair(0, smooth, rubbing(0.0)).unwrap();
    simulation.bodies_mut().materials[0] = on_floor;
    let wall = simulation.add_shape(Shape::HalfSpace(HalfSpace));
    for inwards in [DVec3::Y, -DVec3::Y] {
        let facing = DQuat::from_rotation_arc(DVec3::Z, inwards);
        let pose = Pose::new(-HALF_LENGTH * inwards, facing);
        let wall = NewBody::fixed(wall).posed(pose).of(smooth);
        simulation.add_body(wall).unwrap();
    }
    let shape = Shape::Cylinder(Cylinder::new(HALF_LENGTH, RADIUS).unwrap());
    let shape = simulation.add_shape(shape);
    let mut lying = |x: f64, z: f64| {
        let rotation = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
        let pose = Pose::new(RADIUS * DVec3::new(x, 0.0, z), rotation);
        let body = NewBody::with_mass(shape, 2.0).posed(pose);
        simulation.add_body(body).unwrap()
    };
    lying(-1.0, 1.0);
    lying(1.0, 1.0);
    let top = lying(0.0, 1.0 + f64::sqrt(3.0));
    (simulation, top)
}

/// How far the top one sinks in a fifth of a second.
fn sinks(between: f64, floor: f64) -> f64 {
    let (mut simulation, top) = pile(between, floor);
    let begins = simulation.bodies().poses[top].position.z;
    while simulation.time() < 0.2 {
        assert!(simulation.step().unwrap().converged());
    }
    begins - simulation.bodies().poses[top].position.z
}

/// Both tangential forces on a lower cylinder are equal, since they alone turn it: with N between cylinders, N sin 30° =
/// T (1 + cos 30°), so that T/N = tan 15°. T is 0.134 W, and 1.5 W presses on the floor under each.
#[test]
fn it_stands_above_tan_15_degrees_between_and_0_0893_on_the_floor_and_falls_below_either() {
    let between = f64::to_radians(15.0).tan();
    let floor = 0.5 * between / 1.5;
    assert!((floor - 0.0893).abs() < 1e-4);
    for (more, other) in [(1.01, 0.6), (1.001, 0.3)] {
        let sunk = [sinks(more * between, other), sinks(other, more * floor)];
        assert!(sunk.iter().all(|way| way.abs() < 1e-9), "{sunk:?}");
    }
    assert!(sinks(1.001 * between, 1.001 * floor).abs() < 1e-9);
    // The pile gives way with about a hundredth of g for each percent that is missing.
    let sunk = [sinks(0.99 * between, 0.6), sinks(0.6, 0.99 * floor)];
    assert!(sunk.iter().all(|way| *way > 1e-4), "{sunk:?}");
}

#[test]
fn each_of_the_lower_ones_presses_with_one_and_a_half_weights() {
    let (mut simulation, _) = pile(0.4, 0.4);
    while simulation.time() < 0.1 {
        simulation.step().unwrap();
    }
    for lower in [3, 4] {
        let on_floor = (0..simulation.contacts().len())
            .filter(|index| simulation.contacts()[*index].bodies == [0, lower])
            .map(|index| simulation.contact_force(index).linear.z);
        let pressure: f64 = on_floor.sum();
        let exact = 1.5 * 2.0 * GRAVITY;
        assert!((pressure / exact - 1.0).abs() < 1e-9, "{pressure} N");
    }
}
