use super::*;
use crate::factorization::DenseLu;

#[test]
fn minres_residuals_decrease_on_an_indefinite_matrix() {
    let n = 60;
    let a = full(n, |i, j| match i.abs_diff(j) {
        0 => {
            if i % 2 == 0 {
                3.0 + i as f64 * 0.1
            } else {
                -2.0
            }
        }
        1 => 0.7,
        _ => 0.0,
    });
    let (b, mut x) = (noise(n, 1), vec![0.0; n]);
    let mut history = vec![norm(&b)];
    let mut observer = |step: Step| {
        assert!((true_residual(&a, step.x, &b) - step.residual).abs() < 1e-9);
        history.push(step.residual);
        ControlFlow::Continue(())
    };
    let mut workspace = MinresWorkspace::new();
    let settings = Settings::default();
    let report = minres_observed(
        &a,
        &Identity(n),
        &b,
        &mut x,
        &settings,
        &mut workspace,
        &mut observer,
    );
    assert_eq!(report.status, Status::Converged);
    assert_eq!(history.len(), report.iterations + 1);
    assert!(
        history.windows(2).all(|w| w[1] <= w[0] * (1.0 + 1e-12)),
        "{history:?}"
    );
}

#[test]
fn gmres_residuals_decrease_over_iterations_and_restarts() {
    let n = 40;
    let a = nonsymmetric(n, 3);
    let b = noise(n, 4);
    let mut workspace = GmresWorkspace::new();
    let mut before = norm(&b);
    for max_iterations in 1..30 {
        let settings = GmresSettings {
            max_iterations,
            restart: 6,
            ..Default::default()
        };
        let mut x = vec![0.0; n];
        let report = gmres(&a, &Identity(n), &b, &mut x, &settings, &mut workspace);
        assert!(report.iterations <= max_iterations);
        assert!(report.residual <= before * (1.0 + 1e-12));
        before = report.residual;
    }
}

#[test]
fn minres_solves_a_singular_consistent_system() {
    // The Laplacian of a cycle: constant vectors are its null space.
    let n = 50;
    let a = full(n, |i, j| match (i + n - j) % n {
        0 => 2.0,
        1 => -1.0,
        k if k == n - 1 => -1.0,
        _ => 0.0,
    });
    let mut b = vec![0.0; n];
    a.apply(&noise(n, 9), &mut b);
    let mut x = vec![0.0; n];
    let mut workspace = MinresWorkspace::new();
    let report = minres(
        &a,
        &Identity(n),
        &b,
        &mut x,
        &Settings::default(),
        &mut workspace,
    );
    assert_eq!(report.status, Status::Converged);
    assert!(norm(&x).is_finite() && report.residual <= 1e-10 * norm(&b));
    // A right-hand side outside the range is not called solved, and x minimises the residual.
    b[0] += 1.0;
    x.fill(0.0);
    let report = minres(
        &a,
        &Identity(n),
        &b,
        &mut x,
        &Settings::default(),
        &mut workspace,
    );
    assert!(
        matches!(report.status, Status::Breakdown | Status::IterationLimit),
        "{report:?}"
    );
    assert!(norm(&x) < 1e6, "{}", norm(&x));
}

#[test]
fn gmres_agrees_with_a_factorisation() {
    for n in [1, 2, 7, 45] {
        let a = nonsymmetric(n, n as u64);
        let b = noise(n, 8);
        let mut exact = b.clone();
        let mut lu = DenseLu::new();
        let dense: Vec<f64> = (0..n * n).map(|k| a.0.get(k / n, k % n)).collect();
        lu.factorize(n, &dense).unwrap();
        lu.solve_in_place(&mut exact);
        let jacobi = Diagonal((0..n).map(|i| 1.0 / a.0.get(i, i)).collect());
        for side in [Side::Left, Side::Right] {
            let settings = GmresSettings {
                absolute_tolerance: 1e-12,
                relative_tolerance: 0.0,
                side,
                ..Default::default()
            };
            let mut x = vec![0.0; n];
            let report = gmres(
                &a,
                &jacobi,
                &b,
                &mut x,
                &settings,
                &mut GmresWorkspace::new(),
            );
            assert_eq!(report.status, Status::Converged);
            let error: Vec<f64> = x.iter().zip(&exact).map(|(x, e)| x - e).collect();
            assert!(norm(&error) < 1e-10 * norm(&exact).max(1.0));
        }
    }
}

#[test]
fn gmres_reports_a_singular_inconsistent_system() {
    let a = Matrix(SparseMatrix::from_triplets(2, 2, &[(0, 1, 1.0)]));
    let mut x = [0.0; 2];
    let settings = GmresSettings::default();
    let report = gmres(
        &a,
        &Identity(2),
        &[1.0, 1.0],
        &mut x,
        &settings,
        &mut GmresWorkspace::new(),
    );
    assert_eq!(report.status, Status::Breakdown);
    assert!(x.iter().all(|x| x.is_finite()));
}
