//! Scenes of spheres and ellipsoids.

use crate::packing::{Room, lay_down};
use glam::{DQuat, DVec2, DVec3};
use moreau_collision::narrow_phase::contact_points;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{
    Compound, Cuboid, Cylinder, Ellipsoid, HollowCylinder, OpenBox, Shape, Sphere,
};
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::materials::Material;
use moreau_dynamics::motion::{DrivenMotion, Signal};
use moreau_dynamics::settings::SimulationSettings;
use moreau_dynamics::simulation::Simulation;
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

/// Radius of the mean grain in m.
const RADIUS: f64 = 0.01;
/// Radii of a bed, as shares of the mean: unequal, so that nothing crystallises.
const RADII: [f64; 8] = [0.9, 0.93, 0.96, 0.99, 1.01, 1.04, 1.07, 1.1];
const LARGEST: f64 = RADII[RADII.len() - 1] * RADIUS;
/// In kg/m³.
const DENSITY: f64 = 2500.0;
/// Share of space that laid down spheres fill.
const FILLED: f64 = 0.57;
/// Thickness of walls in m.
const WALL: f64 = 0.02;
const FRICTION: f64 = 0.3;
/// Length of an ellipsoid along the axis of the drum, as a share of its other axes.
const FLATNESS: f64 = 0.6;
/// Turns of drum and blades, in rad/s.
const TURNING: f64 = 1.5;

/// Step of the scenes of grains in s.
const STEP: f64 = 1e-3;

/// An empty world of grains.
fn of_grains() -> Simulation {
    let mut simulation = empty();
    simulation.settings_mut().time_step = Some(STEP);
    simulation
}

/// An empty world with the friction of these scenes.
pub(super) fn empty() -> Simulation {
    let mut simulation = Simulation::new(SimulationSettings::default());
    let material = Material {
        friction: FRICTION,
        ..Material::default()
    };
    let materials = simulation.materials_mut();
    materials.set(0, material).expect("a possible material");
    simulation
}

/// Adds a body of a scene, all of which are possible.
pub(super) fn add(simulation: &mut Simulation, body: NewBody) {
    simulation.add_body(body).expect("a possible body");
}

/// A motion about the origin of the shape.
fn turning(axis: DVec3) -> DrivenMotion {
    DrivenMotion::Velocity {
        linear: [Signal::ZERO; 3],
        angular: (TURNING * axis).to_array().map(Signal::Constant),
    }
}

/// Adds a bin that stands on z = 0.
fn add_bin(simulation: &mut Simulation, half: DVec2, height: f64) {
    let bin = OpenBox::new(half.extend(0.5 * height), WALL, false).expect("a possible bin");
    let bin = simulation.add_shape(Shape::OpenBox(bin));
    let middle = DVec3::new(0.0, 0.0, 0.5 * height);
    add(simulation, NewBody::fixed(bin).at(middle));
}

/// The volume that `count` grains take, laid down.
fn room_for(count: usize) -> f64 {
    4.0 / 3.0 * PI * RADIUS.powi(3) * count as f64 / FILLED
}

/// A cube full of spheres.
pub(super) fn bed(count: usize) -> Simulation {
    let half = DVec2::splat((0.5 * room_for(count).cbrt()).max(2.0 * LARGEST));
    let mut simulation = of_grains();
    add_bin(&mut simulation, half, 4.0 * half.x + 4.0 * LARGEST);
    let shapes = RADII.map(|share| {
        let sphere = Sphere::new(share * RADIUS).expect("a possible sphere");
        simulation.add_shape(Shape::Sphere(sphere))
    });
    let class = |index: usize| index % RADII.len();
    let room = Room::Bin { half };
    let laid = lay_down(room, count, LARGEST, 1, |index| {
        RADII[class(index)] * RADIUS
    });
    for (index, sphere) in laid.iter().enumerate() {
        let body = NewBody::rigid(shapes[class(index)], DENSITY);
        add(&mut simulation, body.at(sphere.centre));
    }
    simulation
}

/// Ten layers of spheres, each in the hollow between four others, and a slab on the last.
///
/// No sphere touches a wall at first. With layers that touch opposite walls in turns no solver, interior points included, came to an error of 1e-2, however
/// few the spheres: probably because under the relaxed law what is lifted along a wall has to leave it, and the layers cannot leave both.
pub(super) fn pressure(count: usize) -> Simulation {
    let mut simulation = of_grains();
    let across = ((count as f64 / 10.0).sqrt().round() as usize).max(3);
    let layers = (count / (across * across)).max(2);
    let half = (across as f64 + 0.5) * RADIUS;
    let top = RADIUS * (2.0 + 2.0_f64.sqrt() * (layers - 1) as f64);
    add_bin(
        &mut simulation,
        DVec2::splat(half + 0.1 * RADIUS),
        top + 4.0 * WALL,
    );
    let sphere = Sphere::new(RADIUS).expect("a possible sphere");
    let sphere = simulation.add_shape(Shape::Sphere(sphere));
    for layer in 0..layers {
        let moved = -half + RADIUS * (1 + layer % 2) as f64;
        let height = RADIUS * (1.0 + 2.0_f64.sqrt() * layer as f64);
        for (j, i) in (0..across).flat_map(|j| (0..across).map(move |i| (j, i))) {
            let place = DVec2::new(i as f64, j as f64) * 2.0 * RADIUS + moved;
            add(
                &mut simulation,
                NewBody::rigid(sphere, DENSITY).at(place.extend(height)),
            );
        }
    }
    let slab = DVec3::new(half - 0.1 * RADIUS, half - 0.1 * RADIUS, WALL);
    let slab_shape = Shape::Cuboid(Cuboid::new(slab).expect("a possible box"));
    let slab_shape = simulation.add_shape(slab_shape);
    let place = DVec3::new(0.0, 0.0, top + WALL);
    add(
        &mut simulation,
        NewBody::with_mass(slab_shape, 1000.0).at(place),
    );
    simulation
}

/// Spheres laid into a drum and then pressed flat along its axis, which keeps every contact: ellipsoids.
pub(super) fn drum(count: usize) -> Simulation {
    // A length of one radius, filled to two fifths.
    let radius = (room_for(count) / (0.4 * PI)).cbrt().max(4.0 * RADIUS);
    let half_length = 0.5 * radius;
    let mut simulation = of_grains();
    let walls = HollowCylinder::new(radius, FLATNESS * half_length, WALL, true, true);
    let walls = simulation.add_shape(Shape::HollowCylinder(walls.expect("a possible drum")));
    let lying = Pose::new(DVec3::ZERO, DQuat::from_rotation_x(FRAC_PI_2));
    add(
        &mut simulation,
        NewBody::driven(walls, turning(DVec3::Y)).posed(lying),
    );
    let axes = RADIUS * DVec3::new(1.0, FLATNESS, 1.0);
    let grain = Ellipsoid::new(axes).expect("a possible ellipsoid");
    let grain = simulation.add_shape(Shape::Ellipsoid(grain));
    let room = Room::Drum {
        radius,
        half_length,
    };
    for sphere in lay_down(room, count, RADIUS, 2, |_| RADIUS) {
        let mut place = sphere.centre;
        place.y *= FLATNESS;
        add(&mut simulation, NewBody::rigid(grain, DENSITY).at(place));
    }
    simulation
}

/// Spheres in a vessel, without those that the blades would be in.
pub(super) fn mixer(count: usize) -> Simulation {
    // As high as it is wide at the radius.
    let radius = (room_for(count) / PI).cbrt().max(4.0 * RADIUS);
    let mut simulation = of_grains();
    let vessel = HollowCylinder::new(radius, radius, WALL, true, false);
    let vessel = simulation.add_shape(Shape::HollowCylinder(vessel.expect("a possible vessel")));
    add(
        &mut simulation,
        NewBody::fixed(vessel).at(DVec3::new(0.0, 0.0, radius)),
    );

    let blades = Shape::Compound(Arc::new(blades(radius)));
    let shape = simulation.add_shape(blades.clone());
    add(&mut simulation, NewBody::driven(shape, turning(DVec3::Z)));
    let ball = Shape::Sphere(Sphere::new(RADIUS).expect("a possible sphere"));
    let grain = simulation.add_shape(ball.clone());
    let mut points = Vec::new();
    for sphere in lay_down(Room::Vessel { radius }, count, RADIUS, 3, |_| RADIUS) {
        let place = Pose::at(sphere.centre);
        points.clear();
        contact_points(
            (&ball, &place),
            (&blades, &Pose::IDENTITY),
            0.0,
            &mut points,
        );
        if points.is_empty() {
            let body = NewBody::rigid(grain, DENSITY).at(sphere.centre);
            add(&mut simulation, body);
        }
    }
    simulation
}

/// A shaft with two tilted blades, in a vessel of this radius that stands on z = 0.
fn blades(radius: f64) -> Compound {
    let shaft = Cylinder::new(0.1 * radius, 0.9 * radius).expect("a possible cylinder");
    let blade = DVec3::new(0.35, 0.04, 0.15) * radius;
    let blade = Shape::Cuboid(Cuboid::new(blade).expect("a possible box"));
    let at = |side: f64| Pose {
        position: DVec3::new(side * 0.45, 0.0, 0.25) * radius,
        rotation: DQuat::from_rotation_x(side * 0.5),
    };
    Compound::new(vec![
        (
            Pose::at(DVec3::new(0.0, 0.0, radius)),
            Shape::Cylinder(shaft),
        ),
        (at(1.0), blade.clone()),
        (at(-1.0), blade),
    ])
    .expect("three possible parts")
}
