//! Shapes in and around containers touch where a finely sampled surface says.

use crate::common;

use common::{Random, containers, touch};
use glam::{DQuat, DVec3};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::*;
use std::f64::consts::PI;

/// The distance of a point from a triangle, by brute force over its edges and its inside.
fn distance(p: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let n = (b - a).cross(c - a).normalize();
    let inside = [(a, b), (b, c), (c, a)]
        .iter()
        .all(|&(u, v)| n.cross(v - u).dot(p - u) >= 0.0);
    if inside {
        return n.dot(p - a).abs();
    }
    let edge = |u: DVec3, v: DVec3| {
        let t = ((p - u).dot(v - u) / (v - u).length_squared()).clamp(0.0, 1.0);
        (u + t * (v - u) - p).length()
    };
    edge(a, b).min(edge(b, c)).min(edge(c, a))
}

#[test]
fn the_deepest_contact_of_a_sphere_is_the_distance_to_the_walls() {
    let mut random = Random(4);
    let radius = 0.15;
    let sphere = Shape::Sphere(Sphere::new(radius).unwrap());
    for container in containers(1.0) {
        let surface = container.surface(&SurfaceDetail {
            segments: 256,
            extent: 1.0,
        });
        let corners = |t: &[u32; 3]| t.map(|i| surface.vertices[i as usize]);
        let mut found = 0;
        for _ in 0..150 {
            let centre = random.vector(1.8);
            let brute = surface
                .triangles
                .iter()
                .map(|t| distance(centre, corners(t)));
            let brute = brute.fold(f64::INFINITY, f64::min);
            let points = touch(
                (&sphere, &Pose::at(centre)),
                (&container, &Pose::IDENTITY),
                0.1,
            );
            let gap = points.iter().map(|p| p.gap).fold(f64::INFINITY, f64::min);
            // A facet of a 256-gon is 1e-4 away from the circle.
            if brute > 0.25 + 1e-3 {
                assert!(points.is_empty(), "{container:?} {centre} {points:?}");
            } else if brute < 0.25 - 1e-3 {
                let inside = gap < -radius;
                let expected = if inside { -brute } else { brute } - radius;
                assert!(
                    (gap - expected).abs() < 1e-3,
                    "{container:?} {centre} {gap} {expected}"
                );
                found += 1;
            }
            for p in &points {
                // Out of the sphere along the normal lies the wall.
                let on_sphere = centre + radius * p.normal;
                assert!((on_sphere + 0.5 * p.gap * p.normal - p.point).length() < 1e-9);
                assert!((p.normal.length() - 1.0).abs() < 1e-12);
            }
        }
        assert!(found > 20, "{container:?} {found}");
    }
}

#[test]
fn a_sphere_in_the_corner_of_floor_and_wall_touches_both() {
    let sphere = Shape::Sphere(Sphere::new(0.2).unwrap());
    let drum = Shape::HollowCylinder(HollowCylinder::new(1.0, 1.0, 0.1, true, false).unwrap());
    let bin = Shape::OpenBox(OpenBox::new(DVec3::ONE, 0.1, false).unwrap());
    for (container, count) in [(drum, 2), (bin, 2)] {
        let pose = Pose::at(DVec3::new(0.801, 0.0, -0.801));
        let points = touch((&sphere, &pose), (&container, &Pose::IDENTITY), 0.01);
        assert_eq!(points.len(), count, "{points:?}");
        assert!(points.iter().all(|p| (p.gap + 0.001).abs() < 1e-12));
        let normals = points.iter().map(|p| p.normal).sum::<DVec3>();
        assert!((normals - DVec3::new(1.0, 0.0, -1.0)).length() < 1e-9);
    }
}

#[test]
fn a_box_in_a_bin_or_a_drum_rests_on_four_corners() {
    let block = Shape::Cuboid(Cuboid::new(DVec3::new(0.3, 0.2, 0.1)).unwrap());
    let drum = Shape::HollowCylinder(HollowCylinder::new(1.0, 1.0, 0.1, true, false).unwrap());
    let bin = Shape::OpenBox(OpenBox::new(DVec3::ONE, 0.1, false).unwrap());
    for container in [drum, bin] {
        for angle in [0.0, 0.4, 1.0] {
            let pose = Pose::new(DVec3::new(0.1, 0.2, -0.9005), DQuat::from_rotation_z(angle));
            let points = touch((&block, &pose), (&container, &Pose::IDENTITY), 0.01);
            assert_eq!(points.len(), 4, "{points:?}");
            assert!(points.iter().all(|p| (p.gap + 0.0005).abs() < 1e-9));
            assert!(points.iter().all(|p| (p.normal + DVec3::Z).length() < 1e-9));
        }
    }
}

#[test]
fn round_shapes_touch_the_curved_wall_where_they_are_deepest() {
    // A drum lying on its side: the shapes rest at its bottom, the world's −z.
    let drum = Shape::HollowCylinder(HollowCylinder::new(1.0, 2.0, 0.1, true, true).unwrap());
    let lying = Pose::new(DVec3::ZERO, DQuat::from_rotation_x(0.5 * PI));
    let shapes = [
        (
            Shape::Ellipsoid(Ellipsoid::new(DVec3::new(0.2, 0.4, 0.3)).unwrap()),
            0.3,
            1,
        ),
        (Shape::Capsule(Capsule::new(0.3, 0.2).unwrap()), 0.2, 2),
        (Shape::Cylinder(Cylinder::new(0.3, 0.2).unwrap()), 0.2, 2),
    ];
    for (k, (shape, half_width, count)) in shapes.into_iter().enumerate() {
        let turn = if k == 0 {
            DQuat::IDENTITY
        } else {
            lying.rotation
        };
        let pose = Pose::new(DVec3::new(0.0, 0.1, half_width - 1.0005), turn);
        let points = touch((&shape, &pose), (&drum, &lying), 0.01);
        assert_eq!(points.len(), count, "{points:?}");
        for p in points {
            assert!((p.gap + 0.0005).abs() < 1e-9, "{p:?}");
            assert!((p.normal + DVec3::Z).length() < 1e-5, "{p:?}");
        }
    }
}

#[test]
fn lengths_scale() {
    let mut random = Random(6);
    for _ in 0..40 {
        let (place, turn) = (random.vector(1.2), random.rotation());
        let touches = |s: f64| -> Vec<_> {
            let mut all = Vec::new();
            for container in containers(s) {
                for shape in common::solids(0.4 * s).into_iter().take(7) {
                    let pose = Pose::new(s * place, turn);
                    let points = touch((&shape, &pose), (&container, &Pose::IDENTITY), 0.05 * s);
                    all.extend(points.into_iter().map(|p| (shape.name(), p)));
                }
            }
            all
        };
        let one = touches(1.0);
        for s in [1e-3, 1e3] {
            let other = touches(s);
            assert_eq!(one.len(), other.len());
            // Which of two neighbouring facets owns a point on their common edge is left to rounding, and with it the
            // order; the points themselves are the same.
            for (name, a) in &one {
                let same = other.iter().any(|(_, b)| {
                    (a.gap - b.gap / s).abs() < 1e-5
                        && (a.point - b.point / s).length() < 1e-3
                        && (a.normal - b.normal).length() < 1e-4
                });
                assert!(same, "{name} {a:?}");
            }
        }
    }
}

/// What is in the cone of a funnel's inner side is not in its wall, also where it passes the lower rim. The rim is taken as a
/// polygon of 64 corners, which reaches 4e-4 into the room.
#[test]
fn what_slides_out_of_a_funnel_is_not_deep_in_its_rim() {
    let mut random = Random(11);
    let (lower, upper, half_height) = (0.3, 1.0, 0.5);
    let funnel = Shape::Frustum(Frustum::new(lower, upper, half_height, 0.1).unwrap());
    let slope = (upper - lower) / (2.0 * half_height);
    let in_wall = |p: DVec3| {
        let radius = 0.5 * (lower + upper) + slope * p.z;
        (p.truncate().length() - radius) / slope.hypot(1.0)
    };
    let half = DVec3::new(0.08, 0.1, 0.12);
    let cuboid = Shape::Cuboid(Cuboid::new(half).unwrap());
    let capsule = Shape::Capsule(Capsule::new(0.1, 0.06).unwrap());
    let mut touched = 0;
    for _ in 0..20_000 {
        let centre = DVec3::new(random.between(0.0, 0.4), 0.0, random.between(-0.6, -0.3));
        let pose = Pose::new(centre, random.rotation());
        let corners = (0..8).map(|k| {
            let sign = |bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
            in_wall(pose.point(half * DVec3::new(sign(0), sign(1), sign(2))))
        });
        let ends = [-0.1, 0.1].map(|z| in_wall(pose.point(z * DVec3::Z)) + 0.06);
        for (shape, deepest) in [
            (&cuboid, corners.fold(f64::NEG_INFINITY, f64::max)),
            (&capsule, ends[0].max(ends[1])),
        ] {
            if !(-0.01..0.0).contains(&deepest) {
                continue;
            }
            for found in touch((shape, &pose), (&funnel, &Pose::IDENTITY), 0.02) {
                assert!(found.gap > -1e-3, "{shape:?} at {pose:?}: {found:?}");
                touched += 1;
            }
        }
    }
    assert!(touched > 100, "{touched}");
}
