//! Swapping a pair turns the normal round and changes nothing else; moving or scaling the whole moves and scales the
//! contacts.

use crate::common;
use common::{Random, convex_shapes, ground, points, poses_near};
use glam::DVec3;
use moreau_collision::narrow_phase::ContactPoint;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::Shape;

/// Each point of one list has a partner in the other, after a change of coordinates.
fn same(found: &[ContactPoint], expected: &[ContactPoint], scale: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for e in expected {
        let partner = found.iter().any(|f| {
            f.point.distance(e.point) < 1e-5 * scale
                && f.normal.distance(e.normal) < 1e-9
                && (f.gap - e.gap).abs() < 1e-9 * scale
        });
        assert!(partner, "{what}: {e:?} in {found:?}");
    }
}

fn cases(mut check: impl FnMut(&str, usize, usize, Pose, Pose)) {
    let mut random = Random(11);
    let mut shapes = convex_shapes(1.0);
    for gap in [0.1, -0.03] {
        for i in 0..shapes.len() {
            for j in 0..shapes.len() {
                for _ in 0..3 {
                    let (pose_a, pose_b) = poses_near(&shapes[i].1, &shapes[j].1, gap, &mut random);
                    let name = format!("{}, {} at {gap}", shapes[i].0, shapes[j].0);
                    check(&name, i, j, pose_a, pose_b);
                }
            }
        }
    }
    shapes.push(("ground", ground()));
    for i in 0..shapes.len() - 1 {
        let pose = Pose::new(DVec3::new(0.2, 0.1, 0.5), random.rotation());
        check(
            shapes[i].0,
            i,
            shapes.len() - 1,
            pose,
            Pose::new(DVec3::ZERO, random.rotation()),
        );
    }
}

fn all(scale: f64) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = convex_shapes(scale).into_iter().map(|(_, s)| s).collect();
    shapes.push(ground());
    shapes
}

#[test]
fn order() {
    let shapes = all(1.0);
    cases(|name, i, j, pose_a, pose_b| {
        let found = points((&shapes[i], &pose_a), (&shapes[j], &pose_b), 0.5);
        let mut swapped = points((&shapes[j], &pose_b), (&shapes[i], &pose_a), 0.5);
        for point in &mut swapped {
            point.normal = -point.normal;
        }
        same(&swapped, &found, 1.0, name);
    });
}

#[test]
fn place() {
    let shapes = all(1.0);
    let motion = Pose::new(DVec3::new(3.0, -5.0, 2.0), Random(5).rotation());
    cases(|name, i, j, pose_a, pose_b| {
        let found = points((&shapes[i], &pose_a), (&shapes[j], &pose_b), 0.5);
        let moved = points(
            (&shapes[i], &motion.compose(&pose_a)),
            (&shapes[j], &motion.compose(&pose_b)),
            0.5,
        );
        let expected: Vec<ContactPoint> = found
            .iter()
            .map(|p| ContactPoint {
                point: motion.point(p.point),
                normal: motion.direction(p.normal),
                ..*p
            })
            .collect();
        same(&moved, &expected, 1.0, name);
    });
}

#[test]
fn scale() {
    let shapes = all(1.0);
    for scale in [1e3, 1e-3] {
        let scaled_shapes = all(scale);
        cases(|name, i, j, pose_a, pose_b| {
            let found = points((&shapes[i], &pose_a), (&shapes[j], &pose_b), 0.5);
            let scaled = |pose: &Pose| Pose::new(scale * pose.position, pose.rotation);
            let large = points(
                (&scaled_shapes[i], &scaled(&pose_a)),
                (&scaled_shapes[j], &scaled(&pose_b)),
                0.5 * scale,
            );
            let expected: Vec<ContactPoint> = found
                .iter()
                .map(|p| ContactPoint {
                    point: scale * p.point,
                    gap: scale * p.gap,
                    ..*p
                })
                .collect();
            same(&large, &expected, scale, name);
        });
    }
}
