//! Measuring all lengths in another unit leaves the list as it is.

use crate::scenes;
use moreau_collision::broad_phase::BroadPhase;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn scaling_all_lengths_leaves_the_list_unchanged(
        spheres in prop_oneof![scenes::spheres(0..400, 1.0), scenes::spheres(0..400, 1000.0)],
    ) {
        let lists = [1.0, 1000.0, 1.0 / 1024.0].map(|scale| {
            let scaled: Vec<_> = spheres.iter().map(|&(c, r)| (scale * c, scale * r)).collect();
            let scene = scenes::Scene::of_spheres(&scaled);
            let mut broad_phase = BroadPhase::default();
            let pairs = broad_phase.find_pairs(&scene.colliders()).to_vec();
            (pairs, broad_phase.order().to_vec())
        });
        prop_assert_eq!(&lists[0], &lists[1]);
        prop_assert_eq!(&lists[0], &lists[2]);
    }
}
