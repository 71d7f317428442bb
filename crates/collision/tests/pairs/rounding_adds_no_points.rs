//! Boxes that lie flush, side by side or edge on edge keep the number of their contact points, and the points, when their
//! poses change by rounding.

use crate::common::{Random, cuboid, hull_box, points};
use glam::{DQuat, DVec3};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::Shape;
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

/// A relative change of poses that is no more than rounding.
const ROUNDING: f64 = 1e-15;

/// One of the rotations that map the axes to each other.
fn along_axes(random: &mut Random) -> DQuat {
    let mut quarter = |axis| {
        let turns = (2.0 * random.number()).round();
        DQuat::from_axis_angle(axis, turns * FRAC_PI_2)
    };
    quarter(DVec3::X) * quarter(DVec3::Y) * quarter(DVec3::Z)
}

fn one_of<const N: usize>(random: &mut Random, values: [f64; N]) -> f64 {
    let place = 0.5 * (random.number() + 1.0) * N as f64;
    values[(place as usize).min(N - 1)]
}

/// Where a second box lies on a first one: a gap along one axis; along the others in the middle, flush, shifted, or on the edge.
fn resting_place(random: &mut Random, half_a: DVec3, half_b: DVec3, edge: f64) -> DVec3 {
    let axis = one_of(random, [0.0, 1.0, 2.0]) as usize;
    let mut place = DVec3::ZERO;
    for k in 0..3 {
        let (sum, difference) = (half_a[k] + half_b[k], half_a[k] - half_b[k]);
        place[k] = if k == axis {
            sum + one_of(random, [0.0, -1e-3, 1e-3])
        } else {
            one_of(random, [0.0, difference, sum - edge, 0.3 * sum, sum - 0.1])
        };
        place[k] *= one_of(random, [-1.0, 1.0]);
    }
    place
}

/// `edge` is how far boxes overlap that lie edge on edge.
fn check(shape: impl Fn(DVec3) -> Shape, edge: f64) {
    let mut random = Random(3);
    for case in 0..3000 {
        let scale = one_of(&mut random, [1e-3, 1.0, 1e3]);
        let size = |random: &mut Random| one_of(random, [0.5, 0.5, 1.0, 0.35]);
        let [half_a, half_b] =
            [0, 1].map(|_| DVec3::new(size(&mut random), size(&mut random), size(&mut random)));
        let turned = along_axes(&mut random);
        let place = resting_place(&mut random, half_a, (turned * half_b).abs(), edge);
        let whole = Pose::new(scale * random.vector(), random.rotation());
        let second = whole.compose(&Pose::new(scale * place, turned));
        let [a, b] = [half_a, half_b].map(|half| shape(scale * half));
        let found = points((&a, &whole), (&b, &second), 0.02 * scale);
        assert!(!found.is_empty(), "case {case}");
        for _ in 0..4 {
            let shift = ROUNDING * scale * random.vector();
            let turn = DQuat::from_scaled_axis(ROUNDING * random.vector());
            let moved = Pose::new(
                second.position + shift,
                (turn * second.rotation).normalize(),
            );
            let again = points((&a, &whole), (&b, &moved), 0.02 * scale);
            assert_eq!(
                again.len(),
                found.len(),
                "case {case}: {found:#?} {again:#?}"
            );
            for (now, before) in again.iter().zip(&found) {
                assert_eq!(now.feature, before.feature, "case {case}");
                let way = now.point.distance(before.point) / scale;
                let other = (now.gap - before.gap).abs() / scale;
                let turned = now.normal.distance(before.normal);
                assert!(
                    way < 1e-11 && other < 1e-13 && turned < 1e-11,
                    "case {case}: {now:?} {before:?}"
                );
            }
        }
    }
}

#[test]
fn of_boxes() {
    check(cuboid, 0.0);
}

/// The same corners as hulls, which the general method is for. Where hulls meet exactly edge on edge it leaves to rounding
/// which of the faces gives the normal; they overlap a little here.
#[test]
fn of_hulls() {
    check(|half| Shape::ConvexHull(Arc::new(hull_box(half))), 0.05);
}
