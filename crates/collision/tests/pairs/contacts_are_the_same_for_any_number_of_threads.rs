//! One, two and four threads find the same contacts in the same order, and so does a second call.

use crate::common;
use common::{Random, convex_shapes};
use moreau_collision::colliders::{Colliders, Groups, Mobility};
use moreau_collision::contact::Contact;
use moreau_collision::narrow_phase::NarrowPhase;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::ShapeTable;
use rayon::ThreadPoolBuilder;

#[test]
fn one_two_and_four() {
    let mut random = Random(9);
    let mut table = ShapeTable::default();
    for (_, shape) in convex_shapes(1.0) {
        table.add(shape);
    }
    let bodies = 160;
    let poses: Vec<Pose> = (0..bodies)
        .map(|_| Pose::new(4.0 * random.vector(), random.rotation()))
        .collect();
    let shapes: Vec<u32> = (0..bodies).map(|k| (k % table.len()) as u32).collect();
    let colliders = Colliders {
        poses: &poses,
        shapes: &shapes,
        table: &table,
        envelopes: &vec![0.05; bodies],
        mobility: &vec![Mobility::Free; bodies],
        groups: &vec![Groups::default(); bodies],
        excluded: &[],
    };
    let mut pairs = Vec::new();
    for a in 0..bodies as u32 {
        for b in a + 1..bodies as u32 {
            pairs.push([a, b]);
        }
    }
    let mut expected: Option<Vec<Contact>> = None;
    for threads in [1, 2, 4] {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a pool");
        let mut narrow_phase = NarrowPhase::default();
        for _ in 0..2 {
            let found = pool.install(|| narrow_phase.find_contacts(&colliders, &pairs).to_vec());
            assert!(!found.is_empty());
            assert_eq!(&found, expected.get_or_insert(found.clone()));
            // Handed on in pieces they are the same.
            let pieces: Vec<_> = pairs.chunks(700).map(<[_]>::to_vec).collect();
            let mut visited = Vec::new();
            pool.install(|| {
                narrow_phase.visit_contacts(&colliders, &pieces, |some| {
                    visited.extend_from_slice(some);
                });
            });
            assert_eq!(visited, found);
            // Some are chosen; the others know how many were before them, also behind those that there are already.
            let takes = |contact: &Contact| contact.bodies[0] % 3 != 1;
            let mut chosen = vec![found[0]; 2];
            let mut left_out = Vec::new();
            pool.install(|| {
                let aside = |before: usize, contact: &Contact| left_out.push((before, *contact));
                narrow_phase.choose_contacts(&colliders, &pieces, takes, &mut chosen, aside);
            });
            let (mut expected_chosen, mut expected_left_out) = (vec![found[0]; 2], Vec::new());
            for contact in &found {
                match takes(contact) {
                    true => expected_chosen.push(*contact),
                    false => expected_left_out.push((expected_chosen.len(), *contact)),
                }
            }
            assert!(chosen.len() > 2 && !left_out.is_empty());
            assert_eq!(chosen, expected_chosen);
            assert_eq!(left_out, expected_left_out);
        }
    }
}
