//! Parts without a common body are solved as if the others were not there.
//!
//! Towers of balls stand side by side on the floor. The impulse under a ball is the weight of all balls from it to the top, so
//! every answer is known.

use moreau_contact_solvers::cones::Cone;
use moreau_contact_solvers::delassus::{
    BodyInertia, Delassus, JacobianBlock, MatrixFree, RigidContact,
};
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::observer::Silent;
use moreau_contact_solvers::problem::{ContactProblem, offsets_of};
use moreau_contact_solvers::residual::Measure;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::solve;
use moreau_contact_solvers::status::Status;

/// Heights of the towers and the masses of their balls: the second weighs next to nothing.
const TOWERS: [(usize, f64); 5] = [(12, 1.0), (13, 1e-4), (7, 2.0), (1, 1.0), (14, 0.5)];

/// A problem, and the normal impulses that solve it. Balls and contacts of the towers alternate; the two lowest balls of the first
/// tower of twelve are joined sideways by a joint behind all contacts.
fn towers(chosen: &[usize]) -> (ContactProblem, Vec<f64>) {
    let (mut inertias, mut contacts, mut truth) = (Vec::new(), Vec::new(), Vec::new());
    let mut balls = vec![Vec::new(); chosen.len()];
    for level in 0..14 {
        for (place, &tower) in chosen.iter().enumerate() {
            let (height, mass) = TOWERS[tower];
            if level < height {
                let below = balls[place].last().copied().unwrap_or(RigidContact::FIXED);
                let ball = inertias.len() as u32;
                balls[place].push(ball);
                inertias.push(BodyInertia {
                    inverse_mass: 1.0 / mass,
                    inverse_inertia: [2.5 / mass, 2.5 / mass, 2.5 / mass, 0.0, 0.0, 0.0],
                });
                contacts.push(RigidContact {
                    bodies: [below, ball],
                    normal: [0.0, 0.0, 1.0],
                    arms: [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]],
                });
                truth.push((height - level) as f64 * mass);
            }
        }
    }
    let mut cones = vec![Cone::Friction { friction: 0.3 }; contacts.len()];
    // Every ball falls with speed 1: only the lowest approaches anything.
    let mut free: Vec<f64> = contacts
        .iter()
        .flat_map(|contact| match contact.bodies[0] {
            RigidContact::FIXED => [-1.0, 0.0, 0.0],
            _ => [0.0; 3],
        })
        .collect();
    let mut joints = Vec::new();
    if let Some(first) = chosen.iter().position(|&tower| tower == 0) {
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            joints.push(JacobianBlock {
                contact: cones.len(),
                body: balls[first][side] as usize,
                values: vec![sign, 0.0, 0.0, 0.0, 0.0, 0.0],
            });
        }
        cones.push(Cone::Bilateral { rows: 1 });
        free.push(0.0);
    }
    let operator = MatrixFree::rigid(offsets_of(&cones), inertias, contacts, joints);
    let operator = Delassus::MatrixFree(operator.expect("contacts that fit"));
    (
        ContactProblem::new(cones, operator, free).expect("a problem"),
        truth,
    )
}

fn solved(problem: &ContactProblem, tolerance: f64, islands: bool) -> Vec<f64> {
    let settings = Settings {
        tolerance,
        islands,
        measure: Measure::Energy,
        ..Settings::default()
    };
    let mut impulses = vec![0.0; problem.dimension()];
    let method = methods::AcceleratedGaussSeidel::default();
    let law = FrictionLaw::Coulomb;
    let report =
        solve(problem, law, &method, &settings, &mut impulses, &mut Silent).expect("a solve");
    assert_eq!(report.status, Status::Converged, "{:?}", report.notes);
    assert!(report.error() <= tolerance);
    let noted = report.notes.iter().any(|note| note.contains("islands"));
    assert_eq!(noted, islands, "{:?}", report.notes);
    impulses
}

#[test]
fn every_tower_carries_its_own_weight() {
    let (problem, truth) = towers(&[0, 1, 2, 3, 4]);
    let impulses = solved(&problem, 1e-10, true);
    for (rows, weight) in impulses.chunks_exact(3).zip(&truth) {
        assert!(
            (rows[0] - weight).abs() < 1e-8 * weight,
            "{rows:?}, {weight}"
        );
    }
}

#[test]
fn an_island_has_the_bits_that_it_has_alone() {
    let all = [0, 1, 2, 3, 4];
    let (problem, truth) = towers(&all);
    let together = solved(&problem, 1e-3, true);
    for tower in all {
        let (alone, _) = towers(&[tower]);
        let expected = solved(&alone, 1e-3, false);
        let mass = TOWERS[tower].1;
        let mut rows = Vec::new();
        let mut contact = 0;
        for level in 0..14 {
            for other in all.into_iter().filter(|&other| level < TOWERS[other].0) {
                if other == tower {
                    rows.extend_from_slice(&together[3 * contact..3 * contact + 3]);
                    assert_eq!(truth[contact], (TOWERS[tower].0 - level) as f64 * mass);
                }
                contact += 1;
            }
        }
        assert_eq!(rows, expected[..rows.len()], "tower {tower}");
    }
}

#[test]
fn a_light_tower_does_not_hide_behind_heavy_ones() {
    // Beside twenty heavy balls, which the first sweep solves.
    let chosen: Vec<usize> = [1].into_iter().chain([3; 20]).collect();
    let (problem, truth) = towers(&chosen);
    let error_of_light = |impulses: &[f64]| {
        let contacts = impulses.chunks_exact(3).zip(&truth);
        // Its balls alone weigh so little.
        let light = contacts.filter(|(_, weight)| **weight < 1e-2);
        light.fold(0.0, |worst: f64, (rows, weight)| {
            worst.max((rows[0] - weight).abs() / weight)
        })
    };
    let apart = error_of_light(&solved(&problem, 1e-2, true));
    let together = error_of_light(&solved(&problem, 1e-2, false));
    assert!(apart < 0.05, "{apart}");
    assert!(together > 0.05, "{together}: it would not hide anyway");
}

#[test]
fn of_many_small_islands_the_largest_are_solved_apart() {
    // Thirty copies of each tower: 150 islands, and none has as much as half of all contacts.
    let chosen: Vec<usize> = (0..150).map(|k| k % TOWERS.len()).collect();
    let (problem, truth) = towers(&chosen);
    let impulses = solved(&problem, 1e-10, true);
    for (rows, weight) in impulses.chunks_exact(3).zip(&truth) {
        assert!(
            (rows[0] - weight).abs() < 1e-6 * weight,
            "{rows:?}, {weight}"
        );
    }
}
