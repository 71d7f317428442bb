//! Compounds against anything: part by part.

use super::ContactPoint;
use crate::pose::Pose;
use crate::shapes::Shape;

/// Appends the contact points of two shapes of which at least one is a compound, whose gap is at most `envelope`.
pub(super) fn contact_points(
    first: (&Shape, &Pose),
    second: (&Shape, &Pose),
    envelope: f64,
    points: &mut Vec<ContactPoint>,
) {
    let start = points.len();
    match (first.0, second.0) {
        (Shape::Compound(compound), _) => {
            let near = second.0.bounds(second.1).grown(envelope);
            for (number, (pose, part)) in compound.parts.iter().enumerate() {
                let pose = first.1.compose(pose);
                if part.bounds(&pose).overlaps(&near) {
                    let from = points.len();
                    super::contact_points((part, &pose), second, envelope, points);
                    renumber(&mut points[from..], 2 * number as u32);
                }
            }
        }
        (_, Shape::Compound(compound)) => {
            let near = first.0.bounds(first.1).grown(envelope);
            for (number, (pose, part)) in compound.parts.iter().enumerate() {
                let pose = second.1.compose(pose);
                if part.bounds(&pose).overlaps(&near) {
                    let from = points.len();
                    super::contact_points(first, (part, &pose), envelope, points);
                    renumber(&mut points[from..], 2 * number as u32 + 1);
                }
            }
        }
        _ => {}
    }
    make_unique(&mut points[start..]);
}

/// Mixes the part's number into the features. The multipliers are odd, so that for one part different features stay
/// different.
pub(super) fn renumber(points: &mut [ContactPoint], part: u32) {
    for point in points {
        point.feature = point
            .feature
            .wrapping_mul(0x9E37_79B1)
            .wrapping_add(part.wrapping_add(1).wrapping_mul(0x85EB_CA6B));
    }
}

/// Two parts may rarely arrive at the same number: the later point takes the next free one.
fn make_unique(points: &mut [ContactPoint]) {
    for i in 1..points.len() {
        while points[..i].iter().any(|p| p.feature == points[i].feature) {
            points[i].feature = points[i].feature.wrapping_add(1);
        }
    }
}
