//! Two capsules: the distance of their segments.

use super::ContactPoint;
use super::sphere::spheres;
use crate::pose::Pose;
use crate::shapes::Capsule;
use glam::DVec3;

/// Sine of the largest angle at which two capsules touch along a line and have two contact points.
const PARALLEL: f64 = 0.02;

/// Further points are this far from the nearest one along the axes, in units of the smaller radius.
const APART: f64 = 0.5;

/// Appends one contact point, or two of capsules side by side, and the ends of capsules at an angle that are within the
/// envelope.
pub(super) fn capsules(
    (a, pose_a): (&Capsule, &Pose),
    (b, pose_b): (&Capsule, &Pose),
    envelope: f64,
    points: &mut Vec<ContactPoint>,
) {
    let (axis_a, axis_b) = (pose_a.direction(DVec3::Z), pose_b.direction(DVec3::Z));
    let line = pose_b.position - pose_a.position;
    let (ha, hb) = (a.half_length, b.half_length);
    let cosine = axis_a.dot(axis_b);
    let (along_a, along_b) = (line.dot(axis_a), line.dot(axis_b));
    let mut offer = |s: f64, t: f64, feature: u32| {
        let (p, q) = (pose_a.position + s * axis_a, pose_b.position + t * axis_b);
        if p == q {
            // Crossing segments: the common perpendicular still separates the capsules.
            let normal = axis_a.cross(axis_b).try_normalize();
            let normal = normal.unwrap_or_else(|| axis_a.any_orthonormal_vector());
            points.push(ContactPoint {
                feature,
                point: p + 0.5 * (a.radius - b.radius) * normal,
                normal,
                gap: -a.radius - b.radius,
            });
        } else if let Some(point) = spheres(p, a.radius, q, b.radius, envelope) {
            points.push(ContactPoint { feature, ..point });
        }
    };
    if axis_a.cross(axis_b).length_squared() < PARALLEL * PARALLEL {
        // The part of the first segment beside the second one.
        let reach = hb * cosine.abs();
        let (low, high) = ((along_a - reach).max(-ha), (along_a + reach).min(ha));
        if high - low > 1e-4 * a.radius.min(b.radius) {
            for (feature, s) in [(1, low), (2, high)] {
                let t = (s * cosine - along_b).clamp(-hb, hb);
                offer(s, t, feature);
            }
            return;
        }
    }
    // |p + s a − q − t b|² is least at s = (a·line − (a·b)(b·line)) / (1 − (a·b)²), if that is on the segment; then
    // the best t for this s, and if that is beyond an end, the best s for the end.
    let square = 1.0 - cosine * cosine;
    let s = if square > 0.0 {
        ((along_a - cosine * along_b) / square).clamp(-ha, ha)
    } else {
        along_a.clamp(-ha, ha)
    };
    let t = (s * cosine - along_b).clamp(-hb, hb);
    let s = (t * cosine + along_a).clamp(-ha, ha);
    offer(s, t, 0);
    // Capsules that turn against each other may meet at other ends before the step is over.
    let beside_a = |s: f64| (s, (s * cosine - along_b).clamp(-hb, hb));
    let beside_b = |t: f64| ((t * cosine + along_a).clamp(-ha, ha), t);
    let ends = [beside_a(-ha), beside_a(ha), beside_b(-hb), beside_b(hb)];
    let apart = APART * a.radius.min(b.radius);
    for (k, end) in ends.into_iter().enumerate() {
        let is_nearest = (end.0 - s).abs() + (end.1 - t).abs() <= apart;
        if !is_nearest && !ends[..k].contains(&end) {
            offer(end.0, end.1, 3 + k as u32);
        }
    }
}
