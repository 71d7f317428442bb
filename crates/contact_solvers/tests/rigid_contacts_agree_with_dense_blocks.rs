//! Contacts given by normals and arms behave exactly as the Jacobian blocks that they stand for.

use moreau_contact_solvers::cones::Cone;
use moreau_contact_solvers::delassus::{
    BodyInertia, Delassus, JacobianBlock, MatrixFree, RigidContact, contact_frame,
};
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::problem::{ContactProblem, offsets_of};
use moreau_contact_solvers::sweep::{BlockRule, Direction, sweep};

struct Noise(u64);

impl Noise {
    /// In (−1, 1).
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / (1u64 << 30) as f64 - 1.0
    }

    fn vector(&mut self) -> [f64; 3] {
        [self.next(), self.next(), self.next()]
    }
}

fn cross(x: [f64; 3], y: [f64; 3]) -> [f64; 3] {
    [
        x[1] * y[2] - x[2] * y[1],
        x[2] * y[0] - x[0] * y[2],
        x[0] * y[1] - x[1] * y[0],
    ]
}

const BODIES: usize = 7;

/// The same problem twice: by normals and arms, and by blocks. `contacts` are cones of contacts.
fn both(contacts: &[Cone], joints: bool, balls: bool) -> [ContactProblem; 2] {
    let mut noise = Noise(contacts.len() as u64 + 7);
    let inertias: Vec<BodyInertia> = (0..BODIES)
        .map(|_| {
            let e = if balls { [0.0; 3] } else { noise.vector() };
            BodyInertia {
                inverse_mass: 1.5 + noise.next(),
                inverse_inertia: [4.0 + e[0], 4.0 + e[1], 4.0 + e[2], e[1], 0.5 * e[0], e[2]],
            }
        })
        .collect();
    let mut cones = contacts.to_vec();
    let (mut lean, mut blocks, mut joint_blocks) = (Vec::new(), Vec::new(), Vec::new());
    for (index, cone) in contacts.iter().enumerate() {
        let direction = noise.vector();
        let length = direction.iter().map(|v| v * v).sum::<f64>().sqrt();
        let normal = direction.map(|v| v / length);
        let mut bodies = [(index % BODIES) as u32, ((index * 3 + 1) % BODIES) as u32];
        if index % 4 == 0 || bodies[0] == bodies[1] {
            bodies[index / 4 % 2] = RigidContact::FIXED;
        }
        let contact = RigidContact {
            bodies,
            normal,
            arms: [noise.vector(), noise.vector()],
        };
        let [n, t1, t2] = contact_frame(normal);
        for side in (0..2).filter(|&side| bodies[side] != RigidContact::FIXED) {
            let sign = if side == 0 { -1.0 } else { 1.0 };
            let mut values = Vec::new();
            for row in [n, t1, t2] {
                values.extend(row.map(|v| sign * v));
                values.extend(cross(contact.arms[side], row).map(|v| sign * v));
            }
            for row in [t1, t2, n] {
                values.extend([0.0; 3]);
                values.extend(row.map(|v| sign * v));
            }
            values.truncate(6 * cone.dimension());
            blocks.push(JacobianBlock {
                contact: index,
                body: bodies[side] as usize,
                values,
            });
        }
        lean.push(contact);
    }
    if joints {
        for (rows, body) in [(3, 0), (5, 2)] {
            for body in [body, body + 1] {
                joint_blocks.push(JacobianBlock {
                    contact: cones.len(),
                    body,
                    values: (0..6 * rows).map(|_| noise.next()).collect(),
                });
            }
            cones.push(Cone::Bilateral { rows });
        }
    }
    blocks.extend(joint_blocks.iter().cloned());
    let mass = inertias.iter().flat_map(BodyInertia::matrix).collect();
    let dense = MatrixFree::new(offsets_of(&cones), 6, mass, blocks).unwrap();
    let rigid = MatrixFree::rigid(offsets_of(&cones), inertias, lean, joint_blocks).unwrap();
    let free: Vec<f64> = (0..rigid.dimension()).map(|_| noise.next()).collect();
    [rigid, dense].map(|operator| {
        ContactProblem::new(cones.clone(), Delassus::MatrixFree(operator), free.clone()).unwrap()
    })
}

fn cases() -> Vec<[ContactProblem; 2]> {
    let friction = Cone::Friction { friction: 0.4 };
    let rolling = Cone::Rolling {
        friction: 0.4,
        rolling: 0.1,
    };
    let spinning = Cone::RollingSpinning {
        friction: 0.4,
        rolling: 0.1,
        spinning: 0.05,
    };
    let mixed: Vec<Cone> = [friction, Cone::Unilateral, rolling, spinning].repeat(4);
    let mut cases = Vec::new();
    for contacts in [
        vec![friction; 20],
        vec![Cone::Unilateral; 20],
        vec![rolling; 10],
        vec![spinning; 10],
        mixed,
        vec![],
    ] {
        for (joints, balls) in [(false, true), (true, true), (false, false), (true, false)] {
            cases.push(both(&contacts, joints, balls));
        }
    }
    cases
}

fn assert_near(a: &[f64], b: &[f64], what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    for (k, (x, y)) in a.iter().zip(b).enumerate() {
        assert!((x - y).abs() <= 1e-11, "{what} [{k}]: {x} and {y}");
    }
}

#[test]
fn products_and_matrices_are_the_same() {
    for [rigid, dense] in cases() {
        let mut noise = Noise(3);
        let x: Vec<f64> = (0..rigid.dimension()).map(|_| noise.next()).collect();
        let result = [&rigid, &dense].map(|p| {
            let (mut state, mut u) = (vec![0.0; p.state_length()], vec![0.0; x.len()]);
            p.velocity(&x, &mut state, &mut u);
            let mut rows = vec![0.0; x.len()];
            for block in 0..p.blocks() {
                p.block_velocity(block, &state, &x, &mut rows[p.rows(block)]);
            }
            assert_near(&rows, &u, "block by block");
            (state, u)
        });
        assert_near(&result[0].0, &result[1].0, "state");
        assert_near(&result[0].1, &result[1].1, "velocity");
        for block in 0..rigid.blocks() {
            let diagonals = [&rigid, &dense].map(|p| p.diagonal().block(block).to_vec());
            assert_near(&diagonals[0], &diagonals[1], "diagonal block");
        }
        let n = [&rigid, &dense].map(|p| p.to_sparse());
        for row in 0..x.len() {
            let mut unit = vec![0.0; x.len()];
            unit[row] = 1.0;
            let columns = n.each_ref().map(|n| {
                let mut column = vec![0.0; x.len()];
                n.triplets().for_each(|(i, j, v)| column[i] += v * unit[j]);
                column
            });
            assert_near(&columns[0], &columns[1], "N");
        }
    }
}

#[test]
fn sweeps_are_the_same() {
    let rules = [
        (
            FrictionLaw::Relaxed,
            BlockRule::default_for(FrictionLaw::Relaxed),
        ),
        (
            FrictionLaw::Coulomb,
            BlockRule::default_for(FrictionLaw::Relaxed),
        ),
        (FrictionLaw::Coulomb, BlockRule::Exact),
        (FrictionLaw::Box, BlockRule::default_for(FrictionLaw::Box)),
    ];
    for [rigid, dense] in cases() {
        for (law, rule) in rules {
            let results = [&rigid, &dense].map(|p| {
                let mut x = vec![0.0; p.dimension()];
                let mut state = vec![0.0; p.state_length()];
                for direction in [Direction::Forward, Direction::Backward, Direction::Forward] {
                    sweep(p, law, rule, direction, &mut x, &mut state);
                }
                (x, state)
            });
            assert_near(&results[0].0, &results[1].0, &format!("{law} {rule:?}"));
            assert_near(
                &results[0].1,
                &results[1].1,
                &format!("{law} {rule:?} state"),
            );
        }
    }
}

#[test]
fn frames_are_orthonormal_and_right_handed() {
    let mut noise = Noise(1);
    let axes = [
        [0.0, 0.0, -1.0],
        [0.0, 1.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0],
    ];
    let random = (0..100).map(|_| {
        let v = noise.vector();
        let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        v.map(|x| x / length)
    });
    for normal in axes.into_iter().chain(random) {
        let [n, t1, t2] = contact_frame(normal);
        assert_eq!(n, normal);
        assert_near(&cross(n, t1), &t2, "n x t1");
        assert_near(&cross(t1, t2), &n, "t1 x t2");
    }
}

#[test]
fn impossible_contacts_are_refused() {
    let body = BodyInertia {
        inverse_mass: 1.0,
        inverse_inertia: [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
    };
    let contact = |bodies| RigidContact {
        bodies,
        normal: [0.0, 0.0, 1.0],
        arms: [[0.0; 3]; 2],
    };
    let fixed = RigidContact::FIXED;
    for (offsets, bodies, part) in [
        (vec![0, 3], [0, 5], "body 5"),
        (vec![0, 2], [0, fixed], "2 rows"),
        (vec![0, 3], [fixed, fixed], "both sides"),
        (vec![0], [0, fixed], "do not fit"),
    ] {
        let error = MatrixFree::rigid(offsets, vec![body], vec![contact(bodies)], vec![]);
        assert!(error.as_ref().is_err_and(|e| e.contains(part)), "{error:?}");
    }
}
