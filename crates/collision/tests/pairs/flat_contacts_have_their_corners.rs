//! Bodies that lie flat on each other have the points and the normal that they should, and keep their names.

use crate::common;
use common::{convex_shapes, cuboid, cylinder, ground, hull_box, least_gap, points};
use glam::{DQuat, DVec3};
use moreau_collision::narrow_phase::ContactPoint;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Capsule, Cone, Shape};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::at(DVec3::new(x, y, z))
}

/// That all points have the normal and the gap, and that no two coincide or share a name.
fn all_have(points: &[ContactPoint], normal: DVec3, gap: f64) {
    for (k, p) in points.iter().enumerate() {
        assert!(p.normal.distance(normal) < 1e-12, "{p:?}");
        assert!((p.gap - gap).abs() < 1e-9, "{p:?}");
        for q in &points[..k] {
            assert!(p.point.distance(q.point) > 1e-3, "{p:?} {q:?}");
            assert!(p.feature != q.feature, "{p:?} {q:?}");
        }
    }
}

fn names(points: &[ContactPoint]) -> Vec<u32> {
    points.iter().map(|p| p.feature).collect()
}

#[test]
fn equal_boxes_have_four_corners() {
    let half = DVec3::new(0.5, 0.6, 0.7);
    let hull = Shape::ConvexHull(Arc::new(hull_box(half)));
    for a in [cuboid(half), hull.clone()] {
        for b in [cuboid(half), hull.clone()] {
            for gap in [-0.01, -1e-9, 0.0, 1e-9, 0.01] {
                let found = points((&a, &Pose::IDENTITY), (&b, &at(0.0, 0.0, 1.4 + gap)), 0.1);
                assert_eq!(found.len(), 4, "gap {gap}: {found:?}");
                all_have(&found, DVec3::Z, gap);
                for p in &found {
                    let corner = DVec3::new(0.5, 0.6, 0.7 + 0.5 * gap);
                    assert!(p.point.abs().distance(corner) < 1e-9, "{p:?}");
                }
            }
        }
    }
}

#[test]
fn turned_boxes_have_eight_crossings() {
    let a = cuboid(DVec3::ONE);
    let turned = Pose::new(DVec3::new(0.0, 0.0, 2.0), DQuat::from_rotation_z(0.7));
    let found = points((&a, &Pose::IDENTITY), (&a, &turned), 0.1);
    assert_eq!(found.len(), 8);
    all_have(&found, DVec3::Z, 0.0);
}

#[test]
fn small_box_on_large_keeps_its_corners_and_names() {
    let (large, small) = (cuboid(DVec3::new(5.0, 5.0, 0.5)), cuboid(DVec3::splat(0.3)));
    let mut before = None;
    for k in 0..20 {
        let t = f64::from(k) * 1e-3;
        let rotation =
            DQuat::from_rotation_z(0.3 + t) * DQuat::from_rotation_x(1e-5 * (f64::from(k) - 10.0));
        let pose = Pose::new(DVec3::new(0.1 + t, 0.2, 0.8 - 1e-4), rotation);
        let found = points((&large, &Pose::IDENTITY), (&small, &pose), 0.01);
        assert_eq!(found.len(), 4);
        let now = names(&found);
        assert_eq!(before.get_or_insert(now.clone()), &now);
    }
}

#[test]
fn stacked_cylinders_touch_along_the_axis() {
    let a = cylinder(0.5, 0.4);
    for gap in [-0.01, -1e-10, 0.0, 1e-10, 0.01] {
        let found = points((&a, &Pose::IDENTITY), (&a, &at(0.0, 0.0, 0.8 + gap)), 0.1);
        assert!(found.len() >= 4, "gap {gap}: {found:?}");
        all_have(&found, DVec3::Z, gap);
        let shifted = points((&a, &Pose::IDENTITY), (&a, &at(0.3, 0.0, 0.8 + gap)), 0.1);
        assert!(shifted.len() >= 4, "gap {gap}: {shifted:?}");
        all_have(&shifted, DVec3::Z, gap);
    }
}

#[test]
fn cylinders_side_by_side_have_two_points_and_crossed_one() {
    let a = cylinder(0.5, 0.8);
    for gap in [-0.01, 0.0, 0.01] {
        let found = points((&a, &Pose::IDENTITY), (&a, &at(1.0 + gap, 0.0, 0.3)), 0.1);
        assert_eq!(found.len(), 2, "gap {gap}: {found:?}");
        all_have(&found, DVec3::X, gap);
        let crossed = Pose::new(DVec3::new(1.0 + gap, 0.0, 0.0), DQuat::from_rotation_x(1.0));
        let found = points((&a, &Pose::IDENTITY), (&a, &crossed), 0.1);
        assert_eq!(found.len(), 1, "gap {gap}: {found:?}");
        assert!(found[0].normal.distance(DVec3::X) < 1e-9, "{found:?}");
        assert!((found[0].gap - gap).abs() < 1e-9);
    }
}

#[test]
fn cylinder_on_box_stands_on_four_or_more_and_lies_on_two() {
    let (slab, a) = (cuboid(DVec3::new(3.0, 3.0, 0.5)), cylinder(0.5, 0.8));
    for gap in [-0.01, 0.0, 0.01] {
        let standing = points(
            (&slab, &Pose::IDENTITY),
            (&a, &at(0.2, 0.1, 1.3 + gap)),
            0.1,
        );
        assert!(standing.len() >= 4, "{standing:?}");
        all_have(&standing, DVec3::Z, gap);
        let pose = Pose::new(
            DVec3::new(0.2, 0.1, 1.0 + gap),
            DQuat::from_rotation_x(FRAC_PI_2),
        );
        let lying = points((&slab, &Pose::IDENTITY), (&a, &pose), 0.1);
        assert_eq!(lying.len(), 2, "{lying:?}");
        all_have(&lying, DVec3::Z, gap);
    }
}

#[test]
fn capsules_lie_on_two_points() {
    let capsule = Shape::Capsule(Capsule {
        half_length: 0.8,
        radius: 0.3,
    });
    let slab = cuboid(DVec3::new(3.0, 3.0, 0.5));
    let lying = DQuat::from_rotation_x(FRAC_PI_2);
    for gap in [-0.01, 0.0, 0.01] {
        let pose = Pose::new(DVec3::new(0.2, 0.1, 0.8 + gap), lying);
        let on_box = points((&slab, &Pose::IDENTITY), (&capsule, &pose), 0.1);
        assert_eq!(on_box.len(), 2, "{on_box:?}");
        all_have(&on_box, DVec3::Z, gap);
        let beside = points(
            (&capsule, &Pose::IDENTITY),
            (&capsule, &at(0.6 + gap, 0.0, 0.5)),
            0.1,
        );
        assert_eq!(beside.len(), 2, "{beside:?}");
        all_have(&beside, DVec3::X, gap);
    }
}

#[test]
fn on_the_ground() {
    let g = ground();
    for (shape, height, count) in [
        (cuboid(DVec3::new(0.3, 0.4, 0.5)), 0.5, 4),
        (cylinder(0.5, 0.8), 0.8, 6),
        (
            Shape::Cone(Cone {
                half_height: 0.7,
                radius: 0.4,
            }),
            0.7,
            6,
        ),
        (
            Shape::ConvexHull(Arc::new(hull_box(DVec3::splat(0.2)))),
            0.2,
            4,
        ),
    ] {
        let found = points((&shape, &at(1.0, 2.0, height)), (&g, &Pose::IDENTITY), 0.01);
        assert_eq!(found.len(), count, "{found:?}");
        all_have(&found, -DVec3::Z, 0.0);
    }
    let lying = Pose::new(DVec3::new(0.0, 0.0, 0.5), DQuat::from_rotation_y(FRAC_PI_2));
    let found = points((&cylinder(0.5, 0.8), &lying), (&g, &Pose::IDENTITY), 0.01);
    assert_eq!(found.len(), 2, "{found:?}");
    all_have(&found, -DVec3::Z, 0.0);
}

#[test]
fn the_lowest_point_is_always_there() {
    let g = ground();
    let mut random = common::Random(3);
    for (name, shape) in convex_shapes(1.0) {
        for k in 0..200 {
            let rotation = if k % 2 == 0 {
                random.rotation()
            } else {
                DQuat::from_axis_angle(random.unit(), 0.05 * random.number())
            };
            let pose = Pose::new(DVec3::new(0.0, 0.0, 0.5), rotation);
            let found = points((&shape, &pose), (&g, &Pose::IDENTITY), 10.0);
            let truth = -common::height((&shape, &pose), -DVec3::Z);
            assert!((least_gap(&found) - truth).abs() < 1e-6, "{name}");
        }
    }
}
