//! Pairs that are handed on in pieces are those of the exact list in its order; what comes beside them is apart by no more than
//! single precision can tell, and has no contact.

use crate::scenes;
use moreau_collision::broad_phase::BroadPhase;
use moreau_collision::colliders::Colliders;
use moreau_collision::narrow_phase::NarrowPhase;
use proptest::prelude::*;

/// How far apart two boxes are along the axis where they are furthest.
fn distance(colliders: &Colliders, [a, b]: [u32; 2]) -> f64 {
    let (a, b) = (colliders.bounds(a as usize), colliders.bounds(b as usize));
    (a.lower - b.upper)
        .max(b.lower - a.upper)
        .max_element()
        .max(0.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn in_its_order_and_with_the_same_contacts(scene in scenes::any_scene(300)) {
        let colliders = scene.colliders();
        let mut broad_phase = BroadPhase::default();
        let listed = broad_phase.find_pairs(&colliders).to_vec();
        let mut narrow_phase = NarrowPhase::default();
        let contacts = narrow_phase.find_contacts(&colliders, &listed).to_vec();

        let mut pairs = Vec::new();
        let mut visited = Vec::new();
        broad_phase.visit_pairs(&colliders, |pieces| {
            pairs.extend(pieces.iter().flatten().copied());
            narrow_phase.visit_contacts(&colliders, pieces, |some| visited.extend_from_slice(some));
        });
        prop_assert_eq!(visited, contacts);

        let places = scene.poses.iter().map(|pose| pose.position.abs().max_element());
        let extent = places.filter(|x| x.is_finite()).fold(1.0, f64::max);
        let mut rest = listed.iter().peekable();
        for pair in pairs {
            if rest.next_if(|next| **next == pair).is_none() {
                let apart = distance(&colliders, pair);
                prop_assert!(apart <= 16.0 * f64::from(f32::EPSILON) * extent, "{:?}: {}", pair, apart);
            }
        }
        prop_assert_eq!(rest.next(), None);
    }
}
