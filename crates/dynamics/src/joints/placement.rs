//! Where a joint is: from points and axes of the world to a frame on each body.

use super::error::{JointError, JointPart};
use super::parts::pose_of;
use crate::bodies::Bodies;
use glam::{DMat3, DQuat, DVec3};
use moreau_collision::pose::Pose;

/// How far from a right angle the two axes of a universal joint may be given, as a cosine: room for rounding only.
const RIGHT_ANGLE: f64 = 1e-6;

/// Where a joint is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Placement {
    /// A frame on each body, in the body's own frame.
    Frames([Pose; 2]),
    /// Points and axes in the world, at the poses of the bodies when the joint is added.
    World { points: [DVec3; 2], axes: Axes },
}

/// The axes that matter.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Axes {
    None,
    Z(DVec3),
    XY([DVec3; 2]),
}

/// The frames in the bodies' own frames.
pub(super) fn frames_of(
    placement: &Placement,
    ends: [u32; 2],
    bodies: &Bodies,
) -> Result<[Pose; 2], JointError> {
    let not_finite = || {
        JointError::new(
            JointPart::Kind,
            "the place of the joint",
            "holds NaN or infinity".into(),
            "every number must be finite",
        )
    };
    match placement {
        Placement::Frames(frames) => {
            let good = |frame: &Pose| {
                let size = frame.rotation.length_squared();
                frame.position.is_finite() && size.is_finite() && size > 0.0
            };
            if !frames.iter().all(good) {
                return Err(not_finite());
            }
            Ok(frames.map(|frame| Pose::new(frame.position, frame.rotation.normalize())))
        }
        Placement::World { points, axes } => {
            if !points.iter().all(|point| point.is_finite()) {
                return Err(not_finite());
            }
            let rotation = rotation_of(axes)?;
            Ok([0, 1].map(|end| {
                let frame = Pose::new(points[end], rotation);
                pose_of(bodies, ends[end]).inverse().compose(&frame)
            }))
        }
    }
}

/// Axes of the joint as those of a frame.
fn rotation_of(axes: &Axes) -> Result<DQuat, JointError> {
    let unit = |axis: DVec3| {
        axis.try_normalize().ok_or_else(|| {
            let right = "it must be a finite vector that is not zero";
            JointError::new(
                JointPart::Kind,
                "the axis of the joint",
                format!("is {axis}"),
                right,
            )
        })
    };
    let columns = match *axes {
        Axes::None => return Ok(DQuat::IDENTITY),
        Axes::Z(axis) => {
            let z = unit(axis)?;
            let (x, y) = z.any_orthonormal_pair();
            DMat3::from_cols(x, y, z)
        }
        Axes::XY([first, second]) => {
            let (x, second) = (unit(first)?, unit(second)?);
            if x.dot(second).abs() > RIGHT_ANGLE {
                return Err(JointError::new(
                    JointPart::Kind,
                    "the axes of the universal joint",
                    format!("are {first} and {second}"),
                    "they must be perpendicular",
                ));
            }
            let z = unit(x.cross(second))?;
            DMat3::from_cols(x, z.cross(x), z)
        }
    };
    Ok(DQuat::from_mat3(&columns).normalize())
}
