//! Products by leaves are those of Jacobian blocks, for any number of threads.

use super::*;
use crate::delassus::ball_contacts;
use crate::delassus::geometry::Geometry;
use crate::delassus::inertias::Inertias;
use crate::delassus::lean::LeanContacts;
use crate::delassus::rigid::BodyInertia;

/// Two leaves and a half.
const BODIES: usize = 2 * LEAF + LEAF / 2;

#[test]
fn a_product_by_leaves_is_that_of_jacobian_blocks_with_any_number_of_threads() {
    let bed = Bed::new();
    let leaves = Leaves::new(&bed.balls, BODIES, |c| c.bodies).expect("contacts in order");
    assert!(leaves.visitors.get(1).len() > 1000 && leaves.visitors.get(2).len() > 1000);
    let product = Product {
        leaves: &leaves,
        contacts: &bed.balls,
        balls: &bed.masses,
        impulses: &bed.impulses,
    };
    let [expected_velocities, expected] = bed.by_blocks();
    let mut first = None;
    for threads in 1..=3 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().expect("a pool");
        let mut velocities = vec![[7.0; 6]; BODIES];
        let mut without = velocities.clone();
        let mut result = vec![[7.0; 3]; bed.balls.len()];
        pool.install(|| {
            product.write(&mut velocities, Some(&mut result));
            product.write(&mut without, None);
        });
        assert_eq!(without, velocities);
        let found = [velocities.as_flattened(), result.as_flattened()].concat();
        for (a, b) in found
            .iter()
            .zip(expected_velocities.iter().chain(&expected))
        {
            assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{a} and {b}");
        }
        let bits: Vec<u64> = found.iter().map(|value| value.to_bits()).collect();
        assert!(
            *first.get_or_insert_with(|| bits.clone()) == bits,
            "{threads} threads"
        );
    }
}

#[test]
fn leaves_change_no_sum() {
    let bed = Bed::new();
    let leaves = Leaves::new(&bed.balls, BODIES, |c| c.bodies).expect("contacts in order");
    let product = Product {
        leaves: &leaves,
        contacts: &bed.balls,
        balls: &bed.masses,
        impulses: &bed.impulses,
    };
    let mut found = (vec![[0.0; 6]; BODIES], vec![[0.0; 3]; bed.balls.len()]);
    product.write(&mut found.0, Some(&mut found.1));
    let mut expected = (vec![[0.0; 6]; BODIES], vec![[0.0; 3]; bed.balls.len()]);
    ball_contacts::add_impulses(&bed.balls, &bed.impulses, &mut expected.0);
    for (six, [push, turn]) in expected.0.iter_mut().zip(&bed.masses) {
        six[..3].iter_mut().for_each(|p| *p *= push);
        six[3..].iter_mut().for_each(|p| *p *= turn);
    }
    ball_contacts::velocities(&bed.balls, &expected.0, &mut expected.1);
    assert!(found == expected);
}

#[test]
fn the_stack_of_a_thread_holds_a_large_bed() {
    // 300 leaves: nine levels, each of which would have the room of a leaf if it were not given back.
    let (bodies, ball) = (300 * LEAF, [1.0, 2.0]);
    let contact = |k: usize| contact(0, [k * LEAF, k * LEAF + LEAF]);
    let contacts: Vec<RigidContact> = (0..299).map(contact).collect();
    let contacts: Vec<BallContact> = contacts.iter().filter_map(BallContact::of).collect();
    let product = Product {
        leaves: &Leaves::new(&contacts, bodies, |c| c.bodies).expect("contacts in order"),
        contacts: &contacts,
        balls: &vec![ball; bodies],
        impulses: &vec![[1.0, 0.0, 0.0]; contacts.len()],
    };
    let mut velocities = vec![[0.0; 6]; bodies];
    let mut result = vec![[0.0; 3]; contacts.len()];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
    let pool = pool.build().expect("a pool");
    pool.install(|| product.write(&mut velocities, Some(&mut result)));
    // A chain under one normal impulse: its ends give way, all others are pushed from both sides.
    for (index, [n, ..]) in result.into_iter().enumerate() {
        let expected = if index == 0 || index == 298 { 1.0 } else { 0.0 };
        assert!((n - expected).abs() < 1e-12, "contact {index}: {n}");
    }
}

#[test]
fn contacts_that_are_not_in_the_order_of_bodies_have_no_leaves() {
    let Bed { mut balls, .. } = Bed::new();
    let last = balls.len() - 1;
    balls.swap(0, last);
    assert!(Leaves::new(&balls, BODIES, |c| c.bodies).is_none());
}

#[test]
fn contacts_of_two_walls_have_no_leaves() {
    assert!(Leaves::new(&[BallContact::NOBODY], BODIES, |c| c.bodies).is_none());
    assert!(Leaves::new(&[], 0, |c: &BallContact| c.bodies).is_some());
}

#[test]
fn momenta_of_bodies_that_are_no_balls_are_those_of_jacobian_blocks_with_any_number_of_threads() {
    let bed = Bed::new();
    let offsets: Vec<usize> = (0..=bed.contacts.len()).map(|k| 3 * k).collect();
    let body = BodyInertia {
        inverse_mass: 1.0,
        inverse_inertia: [1.0, 2.0, 3.0, 0.1, 0.0, 0.0],
    };
    let inertias = Inertias::new(vec![body; BODIES]);
    let contacts = LeanContacts::new(&offsets, Geometry::Any(bed.contacts.clone()), inertias);
    let mut expected = vec![[0.0; 6]; BODIES];
    bed.for_blocks(|contact, body, row, j| {
        for m in 0..6 {
            expected[body][m] += j[m] * bed.impulses[contact][row];
        }
    });
    let mut first = None;
    for threads in 1..=3 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let mut found = vec![[0.0; 6]; BODIES];
        (pool.build().expect("a pool"))
            .install(|| contacts.add_impulses(bed.impulses.as_flattened(), &mut found));
        for (a, b) in found.as_flattened().iter().zip(expected.as_flattened()) {
            assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{a} and {b}");
        }
        assert!(
            *first.get_or_insert_with(|| found.clone()) == found,
            "{threads} threads"
        );
    }
}

struct Bed {
    contacts: Vec<RigidContact>,
    balls: Vec<BallContact>,
    masses: Vec<Ball>,
    impulses: Vec<[f64; 3]>,
}

impl Bed {
    /// Contacts within leaves, between neighbouring ones and between those at the ends, and walls, on either side.
    fn new() -> Self {
        let mut contacts: Vec<RigidContact> = Vec::new();
        for body in 0..BODIES {
            for (k, way) in [1, 37, LEAF - 100, 2 * LEAF + 3].into_iter().enumerate() {
                if k > 1 && body % 3 > 0 || body + way >= BODIES {
                    continue;
                }
                contacts.push(contact(contacts.len(), [body, body + way]));
            }
            if body.is_multiple_of(5) {
                contacts.push(contact(
                    contacts.len(),
                    [body, RigidContact::FIXED as usize],
                ));
            }
        }
        let ball = |contact| BallContact::of(contact).expect("straight arms");
        Self {
            balls: contacts.iter().map(ball).collect(),
            masses: (0..BODIES)
                .map(|k| [1.0 + (k % 3) as f64, 0.5 + (k % 4) as f64])
                .collect(),
            impulses: (0..contacts.len())
                .map(|k| std::array::from_fn(|j| ((5 * k + 3 * j) % 7) as f64 / 3.0 - 0.9))
                .collect(),
            contacts,
        }
    }

    /// M⁻¹Dγ and Nγ, one Jacobian block after another.
    fn by_blocks(&self) -> [Vec<f64>; 2] {
        let mut velocities = vec![[0.0; 6]; BODIES];
        self.for_blocks(|contact, body, row, j| {
            for m in 0..6 {
                let inverse = self.masses[body][m / 3];
                velocities[body][m] += inverse * j[m] * self.impulses[contact][row];
            }
        });
        let mut result = vec![[0.0; 3]; self.contacts.len()];
        self.for_blocks(|contact, body, row, j| {
            for m in 0..6 {
                result[contact][row] += j[m] * velocities[body][m];
            }
        });
        [
            velocities.as_flattened().to_vec(),
            result.as_flattened().to_vec(),
        ]
    }

    fn for_blocks(&self, mut work: impl FnMut(usize, usize, usize, &[f64; 6])) {
        for (index, contact) in self.contacts.iter().enumerate() {
            for side in 0..2 {
                let body = contact.bodies[side] as usize;
                let block = contact.jacobian(side);
                let rows = block.as_chunks::<6>().0.iter().take(3).enumerate();
                if body < BODIES {
                    rows.for_each(|(row, j)| work(index, body, row, j));
                }
            }
        }
    }
}

fn contact(k: usize, bodies: [usize; 2]) -> RigidContact {
    let v = [
        1.0 + (k % 11) as f64,
        2.0 - (k % 5) as f64,
        1.5 - (k % 4) as f64,
    ];
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    let normal = v.map(|x| x / length);
    let [a, b] = bodies.map(|body| body as u32);
    RigidContact {
        bodies: if k.is_multiple_of(2) { [a, b] } else { [b, a] },
        normal,
        arms: [normal.map(|n| 0.3 * n), normal.map(|n| -0.7 * n)],
    }
}
