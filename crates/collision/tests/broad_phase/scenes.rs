//! Random scenes of spheres for the tests of the broad phase.

use glam::DVec3;
use moreau_collision::colliders::{Colliders, Groups, Mobility};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{HalfSpace, Shape, ShapeTable, Sphere};
use proptest::prelude::*;

/// What [`Colliders`] borrows.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub poses: Vec<Pose>,
    pub shapes: Vec<u32>,
    pub table: ShapeTable,
    pub envelopes: Vec<f64>,
    pub mobility: Vec<Mobility>,
    pub groups: Vec<Groups>,
    pub excluded: Vec<[u32; 2]>,
}

impl Scene {
    /// A body that moves and may touch every other; `None` for one without a shape.
    pub fn add(&mut self, centre: DVec3, shape: Option<Shape>, envelope: f64) {
        self.poses.push(Pose::at(centre));
        let index = shape.map_or(ShapeTable::NONE, |shape| self.table.add(shape));
        self.shapes.push(index);
        self.envelopes.push(envelope);
        self.mobility.push(Mobility::Free);
        self.groups.push(Groups::default());
    }

    /// A scene of spheres, each a centre and a radius.
    pub fn of_spheres(spheres: &[(DVec3, f64)]) -> Self {
        let mut scene = Self::default();
        for &(centre, radius) in spheres {
            scene.add(
                centre,
                Some(Shape::Sphere(Sphere { radius })),
                0.01 * radius,
            );
        }
        scene
    }

    pub fn colliders(&self) -> Colliders<'_> {
        Colliders {
            poses: &self.poses,
            shapes: &self.shapes,
            table: &self.table,
            envelopes: &self.envelopes,
            mobility: &self.mobility,
            groups: &self.groups,
            excluded: &self.excluded,
        }
    }
}

/// A point of the unit cube.
pub fn point() -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(0.0..1.0f64).prop_map(DVec3::from_array)
}

/// Spheres in the unit cube, radii equal or up to `ratio` apart.
pub fn spheres(
    count: std::ops::Range<usize>,
    ratio: f64,
) -> impl Strategy<Value = Vec<(DVec3, f64)>> {
    let radius = (0.0..1.0f64).prop_map(move |x| 0.15 * ratio.powf(-x));
    prop::collection::vec((point(), radius), count)
}

/// Spheres of every kind: equal, of many sizes, crowded in clusters far apart, on a plane, on a coarse lattice, in one
/// point.
pub fn any_spheres(count: usize) -> impl Strategy<Value = Vec<(DVec3, f64)>> {
    let map = |f: fn(&mut (DVec3, f64))| {
        spheres(0..count, 1.0).prop_map(move |mut spheres| {
            spheres.iter_mut().for_each(f);
            spheres
        })
    };
    prop_oneof![
        spheres(0..count, 1.0),
        spheres(0..count, 1000.0),
        map(|(centre, radius)| {
            let cluster = (4.0 * *centre).floor();
            *centre = 1e6 * cluster + 0.1 * *centre;
            *radius *= 0.02;
        }),
        map(|(centre, _)| centre.z = 0.5),
        map(|(centre, radius)| {
            *centre = (5.0 * *centre).round() * 0.25;
            *radius = 0.125;
        }),
        map(|(centre, _)| *centre = DVec3::splat(0.3)),
    ]
}

/// A scene of spheres with now and then a half-space, a body without a shape, one whose position is not a number, one
/// that does not move, one with its own groups, and pairs that are excluded.
pub fn any_scene(count: usize) -> impl Strategy<Value = Scene> {
    let marks = prop::collection::vec((0..40u8, any::<u16>(), any::<u16>()), count);
    (any_spheres(count), marks).prop_map(|(spheres, marks)| {
        let mut scene = Scene::default();
        for (&(centre, radius), &(mark, member, collides)) in spheres.iter().zip(&marks) {
            let sphere = Some(Shape::Sphere(Sphere { radius }));
            let envelope = 0.01 * radius;
            match mark {
                0 => scene.add(centre, Some(Shape::HalfSpace(HalfSpace)), envelope),
                1 => scene.add(centre, None, envelope),
                2 => scene.add(DVec3::new(centre.x, f64::NAN, 0.0), sphere, envelope),
                3 => scene.add(DVec3::new(f64::INFINITY, 0.0, 0.0), sphere, envelope),
                _ => scene.add(centre, sphere, envelope),
            }
            let body = scene.poses.len() - 1;
            scene.mobility[body] = match mark {
                0..=6 => Mobility::Still,
                7..=8 => Mobility::Driven,
                9..=12 => Mobility::Asleep,
                _ => Mobility::Free,
            };
            if mark > 30 {
                scene.groups[body] = Groups { member, collides };
            }
            if mark % 8 == 4 && body > 0 {
                scene
                    .excluded
                    .push([u32::from(member) % body as u32, body as u32]);
            }
        }
        scene.excluded.sort_unstable();
        scene.excluded.dedup();
        scene
    })
}
