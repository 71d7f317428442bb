//! The exact solution of one contact under Coulomb's law, judged by its natural map.

use moreau_contact_solvers::cones::Cone;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::one_contact::solve_coulomb;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// What the contact does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Motion {
    TakeOff,
    Stick,
    Slide,
}

#[derive(Clone, Debug)]
struct Contact {
    cone: Cone,
    w: Vec<f64>,
    q: Vec<f64>,
}

/// W = B Bᵀ + 0.05 I, with an antisymmetric part of size `skew`.
fn contact(planar: bool, skew: f64) -> impl Strategy<Value = Contact> {
    let d = if planar { 2 } else { 3 };
    let entries = prop::collection::vec(-1.0..1.0_f64, d * d);
    let unit = prop_oneof![Just(1e-3), Just(1.0), Just(1e3)];
    let free = prop::collection::vec(-2.0..2.0_f64, d);
    let friction = prop_oneof![1 => Just(0.0), 6 => 0.001..6.0_f64];
    (entries.clone(), entries, free, friction, unit).prop_map(
        move |(b, s, mut q, friction, unit)| {
            q[0] -= 0.7;
            let mut w = vec![0.0; d * d];
            for i in 0..d {
                for j in 0..d {
                    let gram: f64 = (0..d).map(|k| b[i * d + k] * b[j * d + k]).sum();
                    let diagonal = if i == j { 0.05 } else { 0.0 };
                    w[i * d + j] = unit * (gram + diagonal + skew * (s[i * d + j] - s[j * d + i]));
                }
            }
            let cone = if planar {
                Cone::PlanarFriction { friction }
            } else {
                Cone::Friction { friction }
            };
            Contact { cone, w, q }
        },
    )
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// The error of the natural map in units of velocity, relative to q, and what the contact does.
fn judge(contact: &Contact) -> (f64, Motion) {
    let d = contact.q.len();
    let mut r = vec![0.0; d];
    solve_coulomb(&contact.cone, &contact.w, &contact.q, &mut r);
    let u: Vec<f64> = (0..d)
        .map(|i| contact.q[i] + (0..d).map(|j| contact.w[i * d + j] * r[j]).sum::<f64>())
        .collect();
    // ρ = d/tr W makes impulse and velocity comparable; the law holds for one ρ if it holds for all.
    let rho = d as f64 / (0..d).map(|k| contact.w[k * d + k]).sum::<f64>();
    let mut map = vec![0.0; d];
    FrictionLaw::Coulomb.natural_map(&contact.cone, rho, &r, &u, &mut map);
    let scale = norm(&contact.q).max(norm(&u)).max(norm(&r) / rho);
    let motion = if norm(&r) == 0.0 {
        Motion::TakeOff
    } else if norm(&u) <= 1e-10 * norm(&contact.q) {
        Motion::Stick
    } else {
        Motion::Slide
    };
    (norm(&map) / rho / scale, motion)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6000))]

    #[test]
    fn in_space_with_a_symmetric_matrix(contact in contact(false, 0.0)) {
        prop_assert!(judge(&contact).0 < 1e-12, "{:?}", judge(&contact));
    }

    #[test]
    fn in_space_with_a_slightly_unsymmetric_matrix(contact in contact(false, 1e-3)) {
        prop_assert!(judge(&contact).0 < 1e-12, "{:?}", judge(&contact));
    }

    #[test]
    fn in_the_plane(contact in contact(true, 1e-3)) {
        prop_assert!(judge(&contact).0 < 1e-12, "{:?}", judge(&contact));
    }
}

#[test]
fn the_trials_include_take_off_stick_and_slide() {
    let mut runner = TestRunner::deterministic();
    for planar in [false, true] {
        let mut counts = [0; 3];
        for _ in 0..500 {
            let tree = contact(planar, 0.0)
                .new_tree(&mut runner)
                .expect("a contact");
            counts[judge(&tree.current()).1 as usize] += 1;
        }
        assert!(
            counts.iter().all(|&count| count >= 25),
            "planar {planar}: {counts:?}"
        );
    }
}
