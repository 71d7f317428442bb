//! Claim: a simulation restored from a checkpoint goes on with the same bits, with one thread and with two.

use crate::common::{advance, stepped};
use moreau_dynamics::simulation::Simulation;
use moreau_trajectory::CheckpointStore;

fn bits(simulation: &Simulation) -> Vec<u8> {
    postcard::to_stdvec(simulation).unwrap()
}

#[test]
fn fifty_steps_after_a_checkpoint_are_the_same() {
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let folder = tempfile::tempdir().unwrap();
            let store = CheckpointStore::new(folder.path(), 3).of_kind("simulation", 1);
            // Long enough for the spheres to have landed, so that warm starts matter.
            let mut first = stepped(24, 260);
            assert!(!first.contacts().is_empty(), "nothing touches");
            store.write(&first, first.steps(), first.time()).unwrap();
            let loaded = store.read_latest::<Simulation>().unwrap();
            assert_eq!((loaded.step, loaded.time), (first.steps(), first.time()));
            assert!(loaded.warnings.is_empty());
            let mut second = loaded.state;
            advance(&mut first, 50);
            advance(&mut second, 50);
            assert!(!first.contacts().is_empty(), "nothing touches");
            assert_eq!(bits(&first), bits(&second), "{threads} threads");
        });
    }
}
