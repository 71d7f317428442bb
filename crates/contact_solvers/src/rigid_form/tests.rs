//! The form against the blocks that it was recognised in.

use super::*;
use crate::delassus::JacobianBlock;
use crate::generate::{RandomProblem, SphereBed, SplitMix64};

/// A rotation by a random angle about a random axis.
fn random_rotation(random: &mut SplitMix64) -> Matrix {
    let axis: [f64; 3] = std::array::from_fn(|_| random.between(-1.0, 1.0));
    let length = dot(axis, axis).sqrt();
    let a = axis.map(|v| v / length);
    let (sin, cos) = random.between(0.0, 6.0).sin_cos();
    std::array::from_fn(|k| {
        let unit = IDENTITY[k];
        let (across, along) = (cross(a, unit), dot(a, unit));
        std::array::from_fn(|l| cos * unit[l] + sin * across[l] + (1.0 - cos) * along * a[l])
    })
}

/// The same problem by blocks: rotations in the frames of the bodies, tangents turned.
fn stored(problem: &ContactProblem) -> (ContactProblem, Vec<JacobianBlock>, Vec<f64>) {
    let Delassus::MatrixFree(operator) = problem.delassus() else {
        unreachable!("generated problems are matrix-free");
    };
    let mut random = SplitMix64::new(3);
    let frames: Vec<Matrix> = (0..operator.bodies())
        .map(|_| random_rotation(&mut random))
        .collect();
    let (mut blocks, mut free) = (Vec::new(), problem.free_velocity().to_vec());
    let mut room: PairRoom = [0.0; 72];
    for contact in 0..problem.blocks() {
        let (sin, cos) = random.between(0.0, 6.0).sin_cos();
        let turn = |x: &mut [f64]| {
            for k in 0..x.len() / 3 {
                let (t, s) = (x[x.len() / 3 + k], x[2 * (x.len() / 3) + k]);
                x[x.len() / 3 + k] = cos * t + sin * s;
                x[2 * (x.len() / 3) + k] = cos * s - sin * t;
            }
        };
        turn(&mut free[problem.rows(contact)]);
        for (body, values) in operator.pairs(contact, &mut room) {
            let mut values = values.to_vec();
            turn(&mut values);
            for row in values.as_chunks_mut::<6>().0 {
                let world = [row[3], row[4], row[5]];
                for (l, value) in row[3..].iter_mut().enumerate() {
                    *value = (0..3).map(|k| world[k] * frames[body][k][l]).sum();
                }
            }
            blocks.push(JacobianBlock {
                contact,
                body,
                values,
            });
        }
    }
    // Generated bodies have the inertia of balls, which looks the same in every frame.
    let masses: Vec<f64> = (0..operator.bodies())
        .flat_map(|body| operator.inverse_mass(body).to_vec())
        .collect();
    (pose(problem, &blocks, &masses, &free), blocks, masses)
}

fn pose(
    problem: &ContactProblem,
    blocks: &[JacobianBlock],
    masses: &[f64],
    free: &[f64],
) -> ContactProblem {
    let cones = problem.cones().iter().copied().collect::<Vec<_>>();
    let operator =
        MatrixFree::new(offsets_of(&cones), 6, masses.to_vec(), blocks.to_vec()).unwrap();
    ContactProblem::new(cones, Delassus::MatrixFree(operator), free.to_vec()).unwrap()
}

#[test]
fn the_form_has_the_same_operator() {
    let bed = SphereBed {
        slab_mass: Some(1e3),
        ..SphereBed::default()
    };
    for original in [bed.build(), RandomProblem::default().build()] {
        let (problem, _, _) = stored(&original);
        let form = RigidForm::of(&problem).expect("rigid bodies");
        let mut random = SplitMix64::new(9);
        let x: Vec<f64> = (0..problem.dimension())
            .map(|_| random.between(-1.0, 1.0))
            .collect();
        let velocity = |problem: &ContactProblem, x: &[f64]| {
            let mut state = vec![0.0; problem.state_length()];
            let mut u = vec![0.0; x.len()];
            problem.velocity(x, &mut state, &mut u);
            u
        };
        let expected = velocity(&problem, &x);
        let mut turned = x.clone();
        form.enter(&mut turned);
        let mut found = velocity(&form.problem, &turned);
        form.leave(&mut found);
        for (a, b) in expected.iter().zip(&found) {
            assert!((a - b).abs() < 1e-11, "{a} is not {b}");
        }
        form.leave(&mut turned);
        assert!(x.iter().zip(&turned).all(|(a, b)| (a - b).abs() < 1e-14));
    }
}

#[test]
fn what_is_not_rigid_is_not_recognised() {
    let (problem, blocks, masses) = stored(&SphereBed::default().build());
    for place in [0, 4, 10] {
        let mut blocks = blocks.clone();
        blocks[40].values[place] += 1e-6;
        let changed = pose(&problem, &blocks, &masses, problem.free_velocity());
        assert!(RigidForm::of(&changed).is_none(), "number {place}");
    }
    let mut masses = masses;
    masses[3] += 0.1;
    masses[18] += 0.1;
    let coupled = pose(&problem, &blocks, &masses, problem.free_velocity());
    assert!(RigidForm::of(&coupled).is_none());
}
