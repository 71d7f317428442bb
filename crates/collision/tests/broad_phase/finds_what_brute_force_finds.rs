//! The fast search finds the pairs that testing every body against every other finds, each once.

use crate::scenes;
use glam::DVec3;
use moreau_collision::bounds::Bounds;
use moreau_collision::broad_phase::{
    BroadPhase, find_overlaps_by_brute_force, find_pairs_by_brute_force,
};
use proptest::prelude::*;

/// In rising order; nothing is removed, so that a pair found twice is seen.
fn sorted(pairs: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let mut pairs = pairs.to_vec();
    pairs.sort_unstable();
    pairs
}

/// A coordinate of a box, at times not a usual number.
fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        40 => -1.0..1.0f64,
        8 => (-2..2i32).prop_map(f64::from),
        1 => Just(f64::INFINITY),
        1 => Just(f64::NEG_INFINITY),
        1 => Just(f64::NAN),
        1 => Just(f64::MAX),
        1 => Just(f64::MIN_POSITIVE),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn for_spheres_of_every_kind(scene in scenes::any_scene(300)) {
        let colliders = scene.colliders();
        let mut broad_phase = BroadPhase::default();
        prop_assert_eq!(
            sorted(broad_phase.find_pairs(&colliders)),
            find_pairs_by_brute_force(&colliders)
        );
        let mut order = broad_phase.order().to_vec();
        order.sort_unstable();
        prop_assert!(order.iter().copied().eq(0..colliders.len() as u32));
    }

    #[test]
    fn for_boxes_with_any_numbers(
        corners in prop::collection::vec(prop::array::uniform6(coordinate()), 0..200),
        shrink in 0.0..1.0f64,
    ) {
        let bounds: Vec<_> = corners
            .iter()
            .map(|&[a, b, c, d, e, f]| {
                let lower = DVec3::new(a, b, c);
                Bounds { lower, upper: lower + shrink * DVec3::new(d, e, f).abs() }
            })
            .collect();
        let may_touch = |a: u32, b: u32| !(a + b).is_multiple_of(7);
        let mut broad_phase = BroadPhase::default();
        prop_assert_eq!(
            sorted(broad_phase.find_overlaps(&bounds, may_touch)),
            find_overlaps_by_brute_force(&bounds, may_touch)
        );
    }

    #[test]
    fn with_storage_left_from_another_scene(
        first in scenes::any_scene(200),
        second in scenes::any_scene(100),
    ) {
        let mut broad_phase = BroadPhase::default();
        broad_phase.find_pairs(&first.colliders());
        let mut fresh = BroadPhase::default();
        prop_assert_eq!(
            broad_phase.find_pairs(&second.colliders()),
            fresh.find_pairs(&second.colliders())
        );
    }
}

#[test]
fn for_enough_bodies_to_fill_several_levels_and_chunks() {
    // The lattice touches exactly, with coordinates that all have the same Morton cells twice over.
    let bounds: Vec<_> = (0..5000u32)
        .map(|i| {
            let lower = DVec3::new(
                f64::from(i % 16),
                f64::from(i / 16 % 16),
                f64::from(i / 512),
            );
            let edge = if i % 1000 == 0 { 7.5 } else { 1.0 };
            Bounds {
                lower,
                upper: lower + edge,
            }
        })
        .collect();
    let pairs = BroadPhase::default()
        .find_overlaps(&bounds, |_, _| true)
        .to_vec();
    assert!(pairs.len() > 100_000);
    assert_eq!(
        sorted(&pairs),
        find_overlaps_by_brute_force(&bounds, |_, _| true)
    );
}
