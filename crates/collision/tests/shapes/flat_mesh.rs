//! On a flat floor of many triangles a sphere touches once, whatever lies below it.

use crate::common;

use common::{Random, box_mesh, touch};
use glam::{DQuat, DVec3};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::*;
use std::sync::Arc;

#[test]
fn a_sphere_on_a_flat_floor_touches_once() {
    let mut random = Random(2);
    for scale in [1e-3, 1.0, 1e3] {
        let mesh = Shape::TriangleMesh(Arc::new(box_mesh(scale * DVec3::new(2.0, 2.0, 0.5), 16)));
        let field = HeightField::new(17, 17, [0.25 * scale; 2], vec![0.5 * scale; 289]).unwrap();
        let field = Shape::HeightField(Arc::new(field));
        let sphere = Shape::Sphere(Sphere::new(0.6 * scale).unwrap());
        for k in 0..300 {
            let mut place = random.vector(1.2);
            // Exactly over an edge, a diagonal, a corner.
            match k % 4 {
                1 => place.x = 0.25,
                2 => place.y = place.x,
                3 => (place.x, place.y) = (0.5, -0.75),
                _ => {}
            }
            place.z = 1.1 + 0.02 * random.between(-1.0, 1.0);
            for floor in [&mesh, &field] {
                let pose = Pose::at(scale * place);
                let points = touch((&sphere, &pose), (floor, &Pose::IDENTITY), 0.05 * scale);
                assert_eq!(points.len(), 1, "{place} {points:?}");
                assert!(
                    (points[0].normal + DVec3::Z).length() < 1e-12,
                    "{place} {points:?}"
                );
                assert!((points[0].gap / scale - (place.z - 1.1)).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn a_sphere_in_a_valley_touches_twice() {
    // z = |x| on a grid.
    let heights = (0..9 * 9).map(|k| ((k % 9) as f64 - 4.0).abs()).collect();
    let field = Shape::HeightField(Arc::new(
        HeightField::new(9, 9, [1.0, 1.0], heights).unwrap(),
    ));
    let sphere = Shape::Sphere(Sphere::new(1.0).unwrap());
    for y in [0.0, 0.3, 0.5, 1.7] {
        let pose = Pose::at(DVec3::new(0.0, y, 2.0_f64.sqrt()));
        let points = touch((&sphere, &pose), (&field, &Pose::IDENTITY), 1e-3);
        assert_eq!(points.len(), 2, "{points:?}");
        for p in points {
            assert!(p.gap.abs() < 1e-12 && (p.normal.z + 0.5_f64.sqrt()).abs() < 1e-12);
        }
    }
}

#[test]
fn a_box_on_a_flat_floor_rests_on_its_corners() {
    let mut random = Random(3);
    let mesh = Shape::TriangleMesh(Arc::new(box_mesh(DVec3::new(2.0, 2.0, 0.5), 8)));
    let block = Shape::Cuboid(Cuboid::new(DVec3::new(0.4, 0.3, 0.2)).unwrap());
    for _ in 0..100 {
        let place = random.vector(1.0).with_z(0.7 - 1e-4);
        let turn = DQuat::from_rotation_z(random.between(0.0, 6.0));
        let points = touch(
            (&block, &Pose::new(place, turn)),
            (&mesh, &Pose::IDENTITY),
            1e-3,
        );
        assert_eq!(points.len(), 4, "{points:?}");
        let mean = points.iter().map(|p| p.point).sum::<DVec3>() / 4.0;
        assert!((mean - place).truncate().length() < 1e-9, "{points:?}");
        for p in &points {
            assert!((p.normal + DVec3::Z).length() < 1e-9 && (p.gap + 1e-4).abs() < 1e-9);
        }
    }
}
