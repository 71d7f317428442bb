//! Distances of separate pairs agree with those of another library.

use crate::common;
use common::{Random, convex_shapes, least_gap, points, poses_near};
use glam::DQuat;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::Shape;
use parry3d_f64::math::{Pose3, Rot3};
use parry3d_f64::query;
use parry3d_f64::shape as other;

/// The other library's axes of revolution are along y: a turn about x leads from there to z.
fn theirs(shape: &Shape) -> Option<(other::SharedShape, bool)> {
    Some(match shape {
        Shape::Sphere(s) => (other::SharedShape::ball(s.radius), false),
        Shape::Cuboid(s) => {
            let h = s.half_extents;
            (other::SharedShape::cuboid(h.x, h.y, h.z), false)
        }
        Shape::Capsule(s) => (
            other::SharedShape::capsule_z(s.half_length, s.radius),
            false,
        ),
        Shape::Cylinder(s) => (other::SharedShape::cylinder(s.half_height, s.radius), true),
        Shape::Cone(s) => (other::SharedShape::cone(s.half_height, s.radius), true),
        _ => return None,
    })
}

/// Through plain numbers, because the library may use another version of the vectors.
fn their_pose(pose: &Pose, turned: bool) -> Pose3 {
    let turn = if turned {
        DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2)
    } else {
        DQuat::IDENTITY
    };
    let rotation = Rot3::from_array((pose.rotation * turn).to_array());
    Pose3::from_parts(pose.position.to_array().into(), rotation)
}

#[test]
fn distances_agree() {
    let mut random = Random(7);
    let shapes = convex_shapes(1.0);
    for (name_a, a) in &shapes {
        for (name_b, b) in &shapes {
            let (Some((their_a, turn_a)), Some((their_b, turn_b))) = (theirs(a), theirs(b)) else {
                continue;
            };
            for _ in 0..20 {
                let (pose_a, pose_b) = poses_near(a, b, 0.1, &mut random);
                let gap = least_gap(&points((a, &pose_a), (b, &pose_b), 2.0));
                let distance = query::distance(
                    &their_pose(&pose_a, turn_a),
                    their_a.as_ref(),
                    &their_pose(&pose_b, turn_b),
                    their_b.as_ref(),
                );
                let distance = distance.expect("the library knows these pairs").distance;
                // Theirs is that of two points of the shapes, hence never too small; the iteration on round rims stops
                // a little early.
                assert!(
                    gap <= distance + 1e-7 && gap >= distance - 1e-5,
                    "{name_a}, {name_b}: {gap} and {distance}"
                );
            }
        }
    }
}
