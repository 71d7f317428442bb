//! Neighbours in space are neighbours in the list of pairs and in the order of bodies.

use crate::scenes;
use glam::DVec3;
use moreau_collision::broad_phase::BroadPhase;

/// Spheres on a lattice of 20³, numbered along rows, and one of them 10⁹ diameters away if `straggler`.
fn lattice(straggler: bool) -> scenes::Scene {
    let mut spheres: Vec<_> = (0..8000)
        .map(|i| {
            let cell = [i % 20, i / 20 % 20, i / 400].map(f64::from);
            (DVec3::from_array(cell), 0.5)
        })
        .collect();
    if straggler {
        spheres[0].0 = DVec3::splat(-1e9);
    }
    scenes::Scene::of_spheres(&spheres)
}

#[test]
fn steps_along_the_order_and_the_list_are_short_even_with_a_straggler() {
    for straggler in [false, true] {
        let scene = lattice(straggler);
        let mut broad_phase = BroadPhase::default();
        let place = |body: u32| scene.poses[body as usize].position;
        let pairs = broad_phase.find_pairs(&scene.colliders()).to_vec();
        let mean = |steps: Vec<f64>| {
            let near: Vec<_> = steps.into_iter().filter(|&step| step < 1e6).collect();
            near.iter().sum::<f64>() / near.len() as f64
        };
        let bodies = broad_phase.order().windows(2);
        let along_order = mean(bodies.map(|w| place(w[0]).distance(place(w[1]))).collect());
        let list = pairs.windows(2);
        let along_list = mean(
            list.map(|w| place(w[0][0]).distance(place(w[1][0])))
                .collect(),
        );
        // Two bodies at random are 13 diameters apart.
        assert!(along_order < 2.5, "{along_order}");
        assert!(along_list < 2.5, "{along_list}");
    }
}
