//! One heavy slab on many copies of a problem in which it lies on one bed.
//!
//! Copies stand side by side, each with its own walls. A quarter of them are mirrored in x, a quarter in y, a quarter in both. The slab
//! is as heavy as all of theirs together, cannot turn and does not touch the walls. The whole is then its own mirror image, and so is
//! its motion, which is unique: the slab goes straight up, and all copies move alike. Whatever the number of copies, each
//! carries the same load in the same way: the answer for four of them is the answer for a hundred.

use moreau_contact_solvers::cones::Cone;
use moreau_contact_solvers::delassus::{Delassus, JacobianBlock, MatrixFree, PairRoom};
use moreau_contact_solvers::problem::{ContactProblem, offsets_of};

/// The operator of a problem whose bodies are known.
pub fn operator_of(problem: &ContactProblem) -> &MatrixFree {
    let Delassus::MatrixFree(operator) = problem.delassus() else {
        panic!("the bodies are not known");
    };
    operator
}

/// The heaviest body.
fn slab_of(problem: &ContactProblem) -> usize {
    let operator = operator_of(problem);
    (0..operator.bodies())
        .min_by(|&a, &b| operator.inverse_mass(a)[0].total_cmp(&operator.inverse_mass(b)[0]))
        .expect("there are bodies")
}

/// Four times `fours` copies under one slab, the last body. z is up.
pub fn tiles(problem: &ContactProblem, fours: usize) -> ContactProblem {
    let (operator, slab) = (operator_of(problem), slab_of(problem));
    let copies = 4 * fours;
    let light = operator.bodies() - 1;
    let (mut masses, mut blocks) = (Vec::new(), Vec::new());
    let (mut cones, mut free_velocity): (Vec<Cone>, Vec<f64>) = (Vec::new(), Vec::new());
    for copy in 0..copies {
        let sign = |bit: usize| if copy & bit == 0 { 1.0 } else { -1.0 };
        let mirror = [sign(1), sign(2), 1.0];
        // A mirror turns rotations round, and the second tangent with them so that frames stay right-handed.
        let handed: f64 = mirror.iter().product();
        for contact in 0..problem.blocks() {
            let mut room: PairRoom = [0.0; 72];
            let pairs: Vec<_> = operator.pairs(contact, &mut room).collect();
            if pairs.iter().all(|&(body, _)| body == slab) {
                continue;
            }
            for (body, values) in pairs {
                let mut values = values.to_vec();
                for (row, values) in values.chunks_exact_mut(6).enumerate() {
                    let tangent = if row == 2 { handed } else { 1.0 };
                    let turns = if body == slab { 0.0 } else { handed };
                    for k in 0..3 {
                        values[k] *= tangent * mirror[k];
                        values[3 + k] *= tangent * turns * mirror[k];
                    }
                }
                let body = match body {
                    _ if body == slab => copies * light,
                    _ => copy * light + body - usize::from(body > slab),
                };
                blocks.push(JacobianBlock {
                    contact: cones.len(),
                    body,
                    values,
                });
            }
            cones.push(problem.cones()[contact]);
            let free = &problem.free_velocity()[problem.rows(contact)];
            free_velocity.extend([free[0], free[1], handed * free[2]]);
        }
        let others = (0..operator.bodies()).filter(|&body| body != slab);
        masses.extend(others.flat_map(|body| operator.inverse_mass(body).to_vec()));
    }
    let mut of_slab = vec![0.0; 36];
    for k in 0..3 {
        of_slab[7 * k] = operator.inverse_mass(slab)[7 * k] / copies as f64;
    }
    masses.extend(of_slab);
    let whole = MatrixFree::new(offsets_of(&cones), 6, masses, blocks).unwrap();
    ContactProblem::new(cones, Delassus::MatrixFree(whole), free_velocity).unwrap()
}
