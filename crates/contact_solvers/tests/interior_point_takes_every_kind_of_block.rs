//! Discs, bounds, joints and compliance, in contact space and in body space, cold and warm: the referee
//! confirms every answer, and N being regular here, all of them are the same impulses.

use moreau_contact_solvers::cones::Cone;
use moreau_contact_solvers::delassus::{Delassus, JacobianBlock, MatrixFree};
use moreau_contact_solvers::generate::SplitMix64;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods::InteriorPoint;
use moreau_contact_solvers::methods::interior_point::System;
use moreau_contact_solvers::observer::Silent;
use moreau_contact_solvers::problem::{ContactProblem, offsets_of};
use moreau_contact_solvers::residual::Measure;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::solve;
use moreau_contact_solvers::status::Status;

const INFINITY: f64 = f64::INFINITY;

/// One block of each kind between random bodies.
fn problem(seed: u64) -> ContactProblem {
    let cones = vec![
        Cone::Friction { friction: 0.4 },
        Cone::Friction { friction: 0.0 },
        Cone::PlanarFriction { friction: 0.7 },
        Cone::Unilateral,
        Cone::Bilateral { rows: 3 },
        Cone::Bilateral { rows: 5 },
        Cone::Box {
            lower: -0.1,
            upper: 0.2,
        },
        Cone::Box {
            lower: -INFINITY,
            upper: 0.1,
        },
        Cone::Box {
            lower: -INFINITY,
            upper: INFINITY,
        },
        Cone::Box {
            lower: 0.05,
            upper: 0.05,
        },
        Cone::Rolling {
            friction: 0.5,
            rolling: 0.1,
        },
        Cone::Rolling {
            friction: 0.5,
            rolling: 0.0,
        },
        Cone::RollingSpinning {
            friction: 0.5,
            rolling: 0.2,
            spinning: 0.1,
        },
    ];
    let mut random = SplitMix64::new(seed);
    let (bodies, size) = (8, 6);
    let mut inverse_mass = vec![0.0; bodies * size * size];
    for row in 0..bodies * size {
        let (body, k) = (row / size, row % size);
        inverse_mass[body * size * size + k * size + k] = random.between(0.5, 2.0);
    }
    let mut blocks = Vec::new();
    for (contact, cone) in cones.iter().enumerate() {
        let first = random.below(bodies);
        let second = (first + 1 + random.below(bodies - 1)) % bodies;
        for body in [first, second] {
            let values = (0..cone.dimension() * size)
                .map(|_| random.between(-1.0, 1.0))
                .collect();
            blocks.push(JacobianBlock {
                contact,
                body,
                values,
            });
        }
    }
    let offsets = offsets_of(&cones);
    let free = (0..offsets[cones.len()])
        .map(|_| random.between(-1.0, 0.5))
        .collect();
    let delassus = MatrixFree::new(offsets, size, inverse_mass, blocks).unwrap();
    ContactProblem::new(cones, Delassus::MatrixFree(delassus), free).unwrap()
}

fn solution(problem: &ContactProblem, system: System, start: &[f64]) -> Vec<f64> {
    let method = InteriorPoint {
        system,
        ..Default::default()
    };
    let settings = Settings {
        tolerance: 1e-10,
        measure: Measure::Energy,
        ..Settings::default()
    };
    let mut impulses = start.to_vec();
    let law = FrictionLaw::Relaxed;
    let report = solve(problem, law, &method, &settings, &mut impulses, &mut Silent).unwrap();
    assert_eq!(
        report.status,
        Status::Converged,
        "{system:?} {:.1e}",
        report.error()
    );
    assert!(report.iterations < 40, "{system:?} {}", report.iterations);
    for (block, cone) in problem.cones().iter().enumerate() {
        // Projecting a projected point moves it by rounding.
        assert!(
            cone.distance(&impulses[problem.rows(block)]) < 1e-15,
            "{cone:?}"
        );
    }
    impulses
}

#[test]
fn and_gives_the_same_answer_in_both_systems_and_from_any_start() {
    for seed in 1..=10 {
        let stiff = problem(seed);
        let mut random = SplitMix64::new(seed);
        let compliance: Vec<f64> = (0..stiff.dimension())
            .map(|_| random.between(0.0, 0.1))
            .collect();
        // One value for each disc and for each block.
        let mut even = compliance.clone();
        for block in 0..stiff.blocks() {
            let rows = stiff.rows(block);
            let value = even[rows.start];
            even[rows].fill(value);
        }
        for problem in [
            stiff.clone(),
            stiff.clone().with_compliance(even).unwrap(),
            stiff.clone().with_compliance(compliance).unwrap(),
        ] {
            let start = vec![0.0; problem.dimension()];
            let contact = solution(&problem, System::Contact, &start);
            let body = solution(&problem, System::Body, &start);
            let near: Vec<f64> = contact
                .iter()
                .map(|x| x + random.between(-0.1, 0.1))
                .collect();
            let warm = solution(&problem, System::Auto, &near);
            for row in 0..contact.len() {
                assert!(
                    (contact[row] - body[row]).abs() < 1e-6,
                    "seed {seed}, row {row}"
                );
                assert!(
                    (contact[row] - warm[row]).abs() < 1e-6,
                    "seed {seed}, row {row}"
                );
            }
        }
    }
}
