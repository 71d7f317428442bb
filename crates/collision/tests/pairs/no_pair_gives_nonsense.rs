//! Whatever the poses, also with coinciding centres, parallel axes and flush faces: numbers are finite, normals have
//! length one, no two points of a pair coincide or share a name.

use crate::common;
use common::{convex_shapes, ground, points};
use glam::{DQuat, DVec3};
use moreau_collision::pose::Pose;
use proptest::prelude::*;
use std::f64::consts::FRAC_PI_4;

/// Coordinates that often coincide.
fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        Just(1e-17),
        prop::sample::select(vec![0.4, 0.5, 0.7, 0.9, 1.0, 1.1, 1.2, 1.4]),
        -1.5..1.5,
    ]
}

/// Rotations that are often by multiples of an eighth turn.
fn rotation() -> impl Strategy<Value = DQuat> {
    let eighths = (0..8, 0..8, 0..8).prop_map(|(x, y, z)| {
        DQuat::from_rotation_z(FRAC_PI_4 * f64::from(z))
            * DQuat::from_rotation_y(FRAC_PI_4 * f64::from(y))
            * DQuat::from_rotation_x(FRAC_PI_4 * f64::from(x))
    });
    let any = (-1.0..1.0, -1.0..1.0, -1.0..1.0, 0.1..1.0)
        .prop_map(|(x, y, z, w): (f64, f64, f64, f64)| DQuat::from_xyzw(x, y, z, w).normalize());
    prop_oneof![Just(DQuat::IDENTITY), eighths, any]
}

fn pose() -> impl Strategy<Value = Pose> {
    (coordinate(), coordinate(), coordinate(), rotation())
        .prop_map(|(x, y, z, rotation)| Pose::new(DVec3::new(x, y, z), rotation))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn finite_and_distinct(a in pose(), b in pose(), scale in prop::sample::select(vec![1e-3, 1.0, 1e3])) {
        let mut shapes = convex_shapes(scale);
        shapes.push(("ground", ground()));
        let scaled = |pose: &Pose| Pose::new(scale * pose.position, pose.rotation);
        let (a, b) = (scaled(&a), scaled(&b));
        for (name_a, first) in &shapes {
            for (name_b, second) in &shapes {
                let found = points((first, &a), (second, &b), 0.2 * scale);
                for (k, p) in found.iter().enumerate() {
                    prop_assert!(p.point.is_finite() && p.gap.is_finite(), "{name_a}, {name_b}: {p:?}");
                    prop_assert!((p.normal.length() - 1.0).abs() < 1e-9, "{name_a}, {name_b}: {p:?}");
                    prop_assert!(p.gap <= 0.2 * scale * (1.0 + 1e-12));
                    for q in &found[..k] {
                        prop_assert!(p.point.distance(q.point) > 1e-6 * scale, "{name_a}, {name_b}: {p:?} {q:?}");
                        prop_assert!(p.feature != q.feature, "{name_a}, {name_b}: {p:?} {q:?}");
                    }
                }
                // Shapes whose centres coincide overlap.
                if a.position == b.position && *name_a != "ground" && *name_b != "ground" {
                    prop_assert!(!found.is_empty() && found.iter().any(|p| p.gap < 0.0), "{name_a}, {name_b}");
                }
            }
        }
    }
}
