//! The list and the order of bodies are the same for any number of threads.

use crate::scenes;
use moreau_collision::broad_phase::BroadPhase;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

#[test]
fn pools_of_one_two_and_four_threads_give_the_same_list() {
    let mut runner = TestRunner::deterministic();
    for ratio in [1.0, 1000.0] {
        let strategy = scenes::spheres(5000..6000, ratio).prop_map(|mut spheres| {
            spheres.iter_mut().for_each(|(_, radius)| *radius *= 0.3);
            scenes::Scene::of_spheres(&spheres)
        });
        let scene = strategy.new_tree(&mut runner).unwrap().current();
        let lists = [1, 2, 4].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(|| {
                let mut broad_phase = BroadPhase::default();
                let pairs = broad_phase.find_pairs(&scene.colliders()).to_vec();
                (pairs, broad_phase.order().to_vec())
            })
        });
        assert!(lists[0].0.len() > 1000);
        assert!(lists[0] == lists[1] && lists[0] == lists[2]);
    }
}
