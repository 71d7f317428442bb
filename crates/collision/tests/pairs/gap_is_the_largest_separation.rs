//! The signed gap of two convex shapes is the largest separation by a plane, over all directions. The reported normal
//! attains the reported gap, so the gap is not too large; a search over all directions finds nothing larger, so it is
//! not too small.

use crate::common;
use common::{Random, convex_shapes, gap_by_search, height, least_gap, points, poses_near};

/// Every pair of kinds in random poses at about the given gap.
fn check(gap: f64, rounds: usize, seed: u64) {
    let mut random = Random(seed);
    let shapes = convex_shapes(1.0);
    let mut failures = Vec::new();
    for (name_a, a) in &shapes {
        for (name_b, b) in &shapes {
            for _ in 0..rounds {
                let (pose_a, pose_b) = poses_near(a, b, gap, &mut random);
                let (first, second) = ((a, &pose_a), (b, &pose_b));
                let searched = gap_by_search(first, second);
                let found = points(first, second, 1.0);
                let least = least_gap(&found);
                if least.is_nan() || least < searched - 1e-6 {
                    failures.push(format!(
                        "{name_a}, {name_b}: gap {least}, but {searched} is possible"
                    ));
                }
                for point in found.iter().filter(|p| p.gap == least) {
                    assert!((point.normal.length() - 1.0).abs() < 1e-12);
                    let attained = -height(second, -point.normal) - height(first, point.normal);
                    if (attained - least).abs() > 1e-6 {
                        failures.push(format!(
                            "{name_a}, {name_b}: gap {least}, attained {attained}"
                        ));
                    }
                }
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn separate() {
    check(0.1, 40, 1);
}

#[test]
fn nearly_touching() {
    check(-0.002, 60, 2);
}

#[test]
fn slightly_overlapping() {
    check(-0.03, 150, 3);
}
