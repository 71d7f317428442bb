//! A box made of triangles touches as the box itself does.

use crate::common;

use common::{Random, box_mesh, touch};
use glam::DVec3;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::*;
use std::sync::Arc;

/// Distance of a point from a box, and the direction away from it.
fn outside(p: DVec3, half: DVec3) -> f64 {
    let q = p.abs() - half;
    q.max(DVec3::ZERO).length() + q.max_element().min(0.0)
}

#[test]
fn a_sphere_finds_the_distance_of_the_box() {
    let mut random = Random(7);
    let half = DVec3::new(0.5, 0.7, 0.9);
    let mesh = Shape::TriangleMesh(Arc::new(box_mesh(half, 3)));
    let sphere = Shape::Sphere(Sphere::new(0.3).unwrap());
    for _ in 0..500 {
        let place = random.vector(1.4);
        let gap = outside(place, half) - 0.3;
        let points = touch((&sphere, &Pose::at(place)), (&mesh, &Pose::IDENTITY), 0.2);
        // A centre deeper than radius and envelope together is not found.
        if !(-0.8..=0.2).contains(&gap) {
            assert!(points.is_empty());
        } else {
            assert_eq!(points.len(), 1, "{points:?}");
            assert!(
                (points[0].gap - gap).abs() < 1e-12,
                "{place} {points:?} {gap}"
            );
        }
    }
}

#[test]
fn convex_shapes_on_a_ridge_find_the_separating_distance() {
    // Shapes near the box, apart from it: the smallest gap is the distance of the two convex shapes, which alternating
    // projections of fine surfaces bound from above.
    let mut random = Random(8);
    let half = DVec3::new(0.5, 0.7, 0.9);
    let mesh = Shape::TriangleMesh(Arc::new(box_mesh(half, 2)));
    let mut found = 0;
    for shape in common::solids(0.5).into_iter().skip(1).take(6) {
        let surface = shape.surface(&SurfaceDetail {
            segments: 48,
            extent: 1.0,
        });
        for _ in 0..60 {
            let pose = Pose::new(random.vector(1.3), random.rotation());
            let vertices = surface
                .vertices
                .iter()
                .map(|&v| outside(pose.point(v), half));
            let upper = vertices.fold(f64::INFINITY, f64::min);
            if !(0.01..0.1).contains(&upper) {
                continue;
            }
            let points = touch((&shape, &pose), (&mesh, &Pose::IDENTITY), 0.2);
            let gap = points.iter().map(|p| p.gap).fold(f64::INFINITY, f64::min);
            // The vertices are only some of the surface's points: the distance is smaller, never larger.
            assert!(
                gap <= upper + 1e-3,
                "{} {gap} {upper} {points:?}",
                shape.name()
            );
            found += 1;
        }
    }
    assert!(found > 40, "{found}");
}

#[test]
fn a_compound_of_two_boxes_touches_with_both() {
    let block = Shape::Cuboid(Cuboid::new(DVec3::splat(0.2)).unwrap());
    let parts = [-1.0, 1.0].map(|x| (Pose::at(0.5 * x * DVec3::X), block.clone()));
    let compound = Shape::Compound(Arc::new(Compound::new(parts.to_vec()).unwrap()));
    let floor = Shape::TriangleMesh(Arc::new(box_mesh(DVec3::new(2.0, 2.0, 0.5), 4)));
    let pose = Pose::at(DVec3::new(0.0, 0.0, 0.7));
    let points = touch((&compound, &pose), (&floor, &Pose::IDENTITY), 1e-3);
    assert_eq!(points.len(), 8);
    assert!(points.iter().all(|p| p.gap.abs() < 1e-12));
}
