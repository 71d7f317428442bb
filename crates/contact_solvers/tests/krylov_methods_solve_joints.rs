//! Conjugate gradients and minimum residuals on joints, against a dense solve.

mod common;

use common::{Noise, norm};
use moreau_algebra::sparse::SparseMatrix;
use moreau_contact_solvers::approach::ApproachLimits;
use moreau_contact_solvers::cones::Cone;
use moreau_contact_solvers::delassus::{Delassus, JacobianBlock, MatrixFree};
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods::krylov::Preconditioner;
use moreau_contact_solvers::methods::{Cg, Minres};
use moreau_contact_solvers::observer::Silent;
use moreau_contact_solvers::problem::{ContactProblem, offsets_of};
use moreau_contact_solvers::residual::Evaluation;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::{ContactSolver, SolveError, solve};
use moreau_contact_solvers::status::Status;

const PRECONDITIONERS: [Preconditioner; 3] = [
    Preconditioner::Identity,
    Preconditioner::Diagonal,
    Preconditioner::BlockAverage,
];

fn methods(preconditioner: Preconditioner) -> [Box<dyn ContactSolver>; 2] {
    [
        Box::new(Cg { preconditioner }),
        Box::new(Minres { preconditioner }),
    ]
}

/// A = B Bᵀ with B of n rows and `rank` columns, by rows.
fn gram(n: usize, rank: usize, noise: &mut Noise) -> Vec<f64> {
    let b = noise.vector(n * rank);
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            a[i * n + j] = (0..rank).map(|k| b[i * rank + k] * b[j * rank + k]).sum();
        }
    }
    a
}

fn joints(a: &[f64], n: usize, rows: usize, free: Vec<f64>) -> ContactProblem {
    let triplets: Vec<_> = (0..n * n).map(|k| (k / n, k % n, a[k])).collect();
    let w = SparseMatrix::from_triplets(n, n, &triplets);
    let cones = vec![Cone::Bilateral { rows }; n / rows];
    ContactProblem::assembled(cones, &w, free).expect("a problem")
}

/// Gaussian elimination with partial pivoting, the outside truth.
fn dense_solve(a: &[f64], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let (mut a, mut x) = (a.to_vec(), b.to_vec());
    for k in 0..n {
        let pivot = (k..n)
            .max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs()))
            .expect("rows are left");
        for j in 0..n {
            a.swap(k * n + j, pivot * n + j);
        }
        x.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            for j in k..n {
                a[i * n + j] -= factor * a[k * n + j];
            }
            x[i] -= factor * x[k];
        }
    }
    for i in (0..n).rev() {
        x[i] = (x[i] - (i + 1..n).map(|j| a[i * n + j] * x[j]).sum::<f64>()) / a[i * n + i];
    }
    x
}

fn run(
    problem: &ContactProblem,
    law: FrictionLaw,
    method: &dyn ContactSolver,
) -> (Status, Vec<f64>) {
    let settings = Settings {
        tolerance: 1e-10,
        max_iterations: Some(2000),
        ..Settings::default()
    };
    let mut impulses = vec![0.0; problem.dimension()];
    let report = solve(problem, law, method, &settings, &mut impulses, &mut Silent)
        .expect("joints can be solved");
    (report.status, impulses)
}

#[test]
fn definite_joints_have_the_impulses_of_a_dense_solve_under_every_law() {
    for seed in 0..6 {
        let mut noise = Noise(seed);
        let n = 24;
        let mut a = gram(n, n, &mut noise);
        (0..n).for_each(|k| a[k * n + k] += 0.5);
        let free = noise.vector(n);
        let rhs: Vec<f64> = free.iter().map(|r| -r).collect();
        let exact = dense_solve(&a, &rhs);
        let problem = joints(&a, n, 1 + seed as usize % 3, free);
        for method in PRECONDITIONERS.into_iter().flat_map(methods) {
            for law in FrictionLaw::ALL {
                let (status, impulses) = run(&problem, law, &*method);
                assert_eq!(status, Status::Converged, "{} {law}", method.name());
                // The smallest eigenvalue is at least ½: an error of u is at most doubled.
                let scale = norm(problem.free_velocity()).max(norm(&exact)).max(1.0);
                for (value, exact) in impulses.iter().zip(&exact) {
                    assert!((value - exact).abs() <= 2e-10 * scale, "{}", method.name());
                }
            }
        }
    }
}

#[test]
fn redundant_joints_that_agree_are_brought_to_rest() {
    for seed in 0..6 {
        let mut noise = Noise(100 + seed);
        let (n, rank) = (30, 11);
        let a = gram(n, rank, &mut noise);
        // r in the range of A: the joints do not contradict each other.
        let y = noise.vector(n);
        let free: Vec<f64> = (0..n)
            .map(|i| (0..n).map(|j| a[i * n + j] * y[j]).sum())
            .collect();
        let problem = joints(&a, n, 3, free);
        for method in PRECONDITIONERS.into_iter().flat_map(methods) {
            let (status, impulses) = run(&problem, FrictionLaw::Relaxed, &*method);
            assert_eq!(status, Status::Converged, "{} {seed}", method.name());
            let evaluation = Evaluation::new(&problem, FrictionLaw::Relaxed, &impulses);
            let scale = norm(problem.free_velocity()).max(norm(&impulses));
            assert!(norm(evaluation.velocity()) <= 1e-10 * scale);
        }
    }
}

/// Unit bodies in a row, each tied to the next in all six freedoms and the first to the ground. Under a unit
/// downward velocity the joint k carries the momentum of all bodies behind it.
fn chain(bodies: usize) -> ContactProblem {
    let cones = vec![Cone::Bilateral { rows: 6 }; bodies];
    let mut inverse_mass = vec![0.0; 36 * bodies];
    let mut blocks = Vec::new();
    let signed = |sign: f64| {
        let mut values = vec![0.0; 36];
        (0..6).for_each(|k| values[7 * k] = sign);
        values
    };
    for body in 0..bodies {
        (0..6).for_each(|k| inverse_mass[36 * body + 7 * k] = 1.0);
        blocks.push(JacobianBlock {
            contact: body,
            body,
            values: signed(1.0),
        });
        if body > 0 {
            blocks.push(JacobianBlock {
                contact: body,
                body: body - 1,
                values: signed(-1.0),
            });
        }
    }
    let operator =
        MatrixFree::new(offsets_of(&cones), 6, inverse_mass, blocks).expect("an operator");
    let mut free = vec![0.0; 6 * bodies];
    free[2] = -1.0; // all bodies fall alike: only the joint with the ground sees it
    ContactProblem::new(cones, Delassus::MatrixFree(operator), free).expect("a problem")
}

#[test]
fn a_hanging_chain_carries_the_weight_below_each_joint() {
    let bodies = 40;
    let problem = chain(bodies);
    for method in PRECONDITIONERS.into_iter().flat_map(methods) {
        let (status, impulses) = run(&problem, FrictionLaw::Coulomb, &*method);
        assert_eq!(status, Status::Converged, "{}", method.name());
        for joint in 0..bodies {
            let weight = (bodies - joint) as f64;
            assert!(
                (impulses[6 * joint + 2] - weight).abs() < 1e-5,
                "{}",
                method.name()
            );
        }
    }
}

#[test]
fn contacts_and_bounded_rows_are_refused_with_a_way_out() {
    let w = SparseMatrix::from_triplets(2, 2, &[(0, 0, 1.0), (1, 1, 1.0)]);
    let bounded = Cone::Box {
        lower: 0.0,
        upper: 1.0,
    };
    for (cone, word) in [(Cone::Unilateral, "contact"), (bounded, "bounded row")] {
        let cones = vec![Cone::Bilateral { rows: 1 }, cone];
        let problem = ContactProblem::assembled(cones, &w, vec![1.0, 1.0]).expect("a problem");
        for method in methods(Preconditioner::Diagonal) {
            let mut impulses = vec![0.0; 2];
            let settings = Settings::default();
            let refusal = solve(
                &problem,
                FrictionLaw::Relaxed,
                &*method,
                &settings,
                &mut impulses,
                &mut Silent,
            )
            .expect_err("not a linear problem");
            let SolveError::Problem { reason, .. } = refusal else {
                panic!("{refusal}")
            };
            assert!(
                reason.contains("block 1") && reason.contains(word),
                "{reason}"
            );
            assert!(reason.contains("gauss_seidel"), "{reason}");
        }
    }
}

#[test]
fn joints_that_contradict_each_other_are_no_success() {
    // Two joints on one freedom that want different velocities.
    let a = [1.0, 1.0, 1.0, 1.0];
    let problem = joints(&a, 2, 1, vec![1.0, -1.0]);
    for method in methods(Preconditioner::Diagonal) {
        let (status, _) = run(&problem, FrictionLaw::Coulomb, &*method);
        assert_ne!(status, Status::Converged, "{}", method.name());
    }
}

#[test]
fn an_unsymmetric_matrix_is_symmetrised_under_every_law_and_said_so() {
    let problem = joints(&[2.0, 0.1, 0.0, 2.0], 2, 1, vec![1.0, 1.0]);
    for law in FrictionLaw::ALL {
        let mut impulses = vec![0.0; 2];
        let report = solve(
            &problem,
            law,
            &Cg::default(),
            &Settings::default(),
            &mut impulses,
            &mut Silent,
        )
        .expect("joints can be solved");
        assert!(
            report
                .notes
                .iter()
                .any(|note| note.contains("not symmetric")),
            "{law}"
        );
        // (W + Wᵀ)/2 = [2, 0.05; 0.05, 2]: both impulses are −1/2.05.
        assert!(
            impulses.iter().all(|x| (x + 1.0 / 2.05).abs() < 1e-7),
            "{impulses:?}"
        );
    }
}

/// A demand on every row decides beside a loose error, and costs a linear method no more than its iterations.
#[test]
fn rows_of_joints_are_held_to_their_limits() {
    let (n, rows) = (24, 3);
    let mut noise = Noise(5);
    let a = gram(n, 2 * n, &mut noise);
    let problem = joints(&a, n, rows, noise.vector(n));
    let fastest = |impulses: &[f64]| {
        let evaluation = Evaluation::new(&problem, FrictionLaw::Relaxed, impulses);
        let rows = evaluation.velocity().iter();
        rows.fold(0.0, |most: f64, u| most.max(u.abs()))
    };
    let sweeps = moreau_contact_solvers::methods::by_name("gauss_seidel").unwrap();
    for method in methods(Preconditioner::Diagonal)
        .into_iter()
        .chain([sweeps])
    {
        let run = |limit: f64| {
            let settings = Settings {
                tolerance: 0.3,
                approach_limits: ApproachLimits::of(problem.blocks(), |_| limit),
                ..Settings::default()
            };
            let mut impulses = vec![0.0; n];
            let law = FrictionLaw::Relaxed;
            let report = solve(
                &problem,
                law,
                &*method,
                &settings,
                &mut impulses,
                &mut Silent,
            );
            (report.unwrap(), fastest(&impulses))
        };
        let (_, loose) = run(f64::INFINITY);
        let limit = 1e-4 * loose;
        let (report, found) = run(limit);
        let name = method.name();
        assert_eq!(report.status, Status::Converged, "{name}");
        assert!(loose > 0.0 && found <= limit, "{name}: {found} of {limit}");
        assert!(
            (report.approach * limit - found).abs() < 1e-6 * limit,
            "{name}"
        );
        assert!(
            name == "gauss_seidel" || report.iterations <= 2 * n,
            "{name}"
        );
    }
}
