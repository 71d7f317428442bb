//! What the methods have in common; `single` tests what is particular to one.

mod single;

use super::*;
use crate::sparse::SparseMatrix;
use std::ops::ControlFlow;

struct Matrix(SparseMatrix);

impl LinearOperator for Matrix {
    fn dimension(&self) -> usize {
        self.0.rows()
    }

    fn apply(&self, x: &[f64], result: &mut [f64]) {
        self.0.multiply(x, result);
    }
}

/// Reproducible numbers in [-1, 1).
fn noise(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    (0..n)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_041);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        })
        .collect()
}

fn full(n: usize, entry: impl Fn(usize, usize) -> f64) -> Matrix {
    let entries: Vec<_> = (0..n * n)
        .map(|k| (k / n, k % n, entry(k / n, k % n)))
        .collect();
    Matrix(SparseMatrix::from_triplets(n, n, &entries))
}

/// Gᵀ G + shift I with G of noise.
fn gram(n: usize, shift: f64, seed: u64) -> Matrix {
    let g = noise(n * n, seed);
    full(n, |i, j| {
        (0..n).map(|k| g[k * n + i] * g[k * n + j]).sum::<f64>() + if i == j { shift } else { 0.0 }
    })
}

fn nonsymmetric(n: usize, seed: u64) -> Matrix {
    let g = noise(n * n, seed);
    full(n, |i, j| {
        g[i * n + j] + if i == j { n as f64 / 2.0 } else { 0.0 }
    })
}

fn true_residual(a: &dyn LinearOperator, x: &[f64], b: &[f64]) -> f64 {
    compute_residual(a, b, x, &mut vec![0.0; b.len()])
}

/// Every method with the same arguments, for what they have in common.
fn solve_with_all(
    a: &dyn LinearOperator,
    m: &dyn LinearOperator,
    b: &[f64],
    guess: &[f64],
    settings: &Settings,
) -> Vec<(Report, Vec<f64>)> {
    let (mut x, mut y) = (guess.to_vec(), guess.to_vec());
    let mut results = vec![
        (cg(a, m, b, &mut x, settings, &mut CgWorkspace::new()), x),
        (
            minres(a, m, b, &mut y, settings, &mut MinresWorkspace::new()),
            y,
        ),
    ];
    for side in [Side::Left, Side::Right] {
        let settings = GmresSettings {
            absolute_tolerance: settings.absolute_tolerance,
            relative_tolerance: settings.relative_tolerance,
            max_iterations: settings.max_iterations,
            side,
            ..Default::default()
        };
        let mut x = guess.to_vec();
        results.push((
            gmres(a, m, b, &mut x, &settings, &mut GmresWorkspace::new()),
            x,
        ));
    }
    results
}

#[test]
fn small_positive_definite_systems_end_in_as_many_steps_as_unknowns() {
    for n in [1, 2, 3, 5, 8] {
        let a = gram(n, 1.0, n as u64);
        let b = noise(n, 77);
        for (report, x) in solve_with_all(&a, &Identity(n), &b, &noise(n, 5), &Settings::default())
        {
            assert_eq!(report.status, Status::Converged);
            assert!(report.iterations <= n, "{n} {report:?}");
            assert!(true_residual(&a, &x, &b) <= 1e-10 * norm(&b));
            assert_eq!(report.residual, true_residual(&a, &x, &b));
        }
    }
}

#[test]
fn a_preconditioner_saves_iterations_on_a_badly_scaled_matrix() {
    let n = 100;
    let scales: Vec<f64> = (0..n)
        .map(|i| 10f64.powf(4.0 * i as f64 / n as f64))
        .collect();
    let a = full(n, |i, j| match i.abs_diff(j) {
        0 => scales[i],
        1 => 0.2 * scales[i.min(j)],
        _ => 0.0,
    });
    let jacobi = Diagonal(scales.iter().map(|s| 1.0 / s).collect());
    let b = noise(n, 6);
    let settings = Settings {
        relative_tolerance: 1e-8,
        ..Default::default()
    };
    let plain = solve_with_all(&a, &Identity(n), &b, &vec![0.0; n], &settings);
    let preconditioned = solve_with_all(&a, &jacobi, &b, &vec![0.0; n], &settings);
    for ((plain, _), (preconditioned, x)) in plain.iter().zip(&preconditioned) {
        assert_eq!(preconditioned.status, Status::Converged);
        assert!(
            3 * preconditioned.iterations < plain.iterations,
            "{plain:?} {preconditioned:?}"
        );
        assert!(true_residual(&a, x, &b) < 1e-3 * norm(&b));
    }
}

#[test]
fn undefined_numbers_are_a_numerical_failure() {
    let nan = Diagonal(vec![1.0, f64::NAN, 1.0]);
    let b = [1.0, 2.0, 3.0];
    for (a, m) in [
        (
            &nan as &dyn LinearOperator,
            &Identity(3) as &dyn LinearOperator,
        ),
        (&Identity(3), &nan),
    ] {
        for (report, x) in solve_with_all(a, m, &b, &[0.0; 3], &Settings::default()) {
            assert_eq!(report.status, Status::NumericalFailure);
            assert_eq!(x, [0.0; 3]);
        }
    }
    for (report, _) in solve_with_all(
        &Identity(3),
        &Identity(3),
        &[f64::NAN; 3],
        &[0.0; 3],
        &Settings::default(),
    ) {
        assert_eq!(report.status, Status::NumericalFailure);
    }
}

#[test]
fn a_zero_right_hand_side_is_solved_without_a_product() {
    for n in [0, 4] {
        for (report, x) in solve_with_all(
            &Identity(n),
            &Identity(n),
            &vec![0.0; n],
            &noise(n, 2),
            &Settings::default(),
        ) {
            assert_eq!(
                report,
                Report {
                    status: Status::Converged,
                    iterations: 0,
                    products: 0,
                    residual: 0.0
                }
            );
            assert_eq!(x, vec![0.0; n]);
        }
    }
}

#[test]
fn indefinite_matrices_break_conjugate_gradients_down() {
    let (a, b) = (Diagonal(vec![1.0, -1.0]), [1.0, 2.0]);
    let mut x = [0.0; 2];
    let (settings, mut workspace) = (Settings::default(), CgWorkspace::new());
    assert_eq!(
        cg(&a, &Identity(2), &b, &mut x, &settings, &mut workspace).status,
        Status::Breakdown
    );
    assert_eq!(
        cg(&Identity(2), &a, &b, &mut x, &settings, &mut workspace).status,
        Status::Breakdown
    );
    let report = minres(
        &Identity(2),
        &a,
        &b,
        &mut x,
        &settings,
        &mut MinresWorkspace::new(),
    );
    assert_eq!(report.status, Status::Breakdown);
}

#[test]
fn an_observer_stops_the_iterations() {
    let n = 30;
    let (a, b) = (gram(n, 0.1, 1), noise(n, 2));
    let mut observer = |step: Step| {
        if step.iteration == 3 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let settings = Settings::default();
    let mut x = vec![0.0; n];
    let report = cg_observed(
        &a,
        &Identity(n),
        &b,
        &mut x,
        &settings,
        &mut CgWorkspace::new(),
        &mut observer,
    );
    assert_eq!((report.status, report.iterations), (Status::Stopped, 3));
    let mut workspace = MinresWorkspace::new();
    let report = minres_observed(
        &a,
        &Identity(n),
        &b,
        &mut x,
        &settings,
        &mut workspace,
        &mut observer,
    );
    assert_eq!((report.status, report.iterations), (Status::Stopped, 3));
}
