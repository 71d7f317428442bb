//! The fixed point of De Saxcé's shift: closed forms, and agreement with Gauss-Seidel on recorded problems.

mod common;

use common::{Noise, norm, recorded};
use moreau_algebra::sparse::SparseMatrix;
use moreau_contact_solvers::cones::Cone;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods::{Apgd, DeSaxce, GaussSeidel, Jacobi};
use moreau_contact_solvers::observer::Silent;
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::residual::Evaluation;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::{ContactSolver, solve};
use moreau_contact_solvers::status::Status;

fn run(
    problem: &ContactProblem,
    law: FrictionLaw,
    method: &dyn ContactSolver,
    tolerance: f64,
) -> (Status, Vec<f64>, Vec<f64>) {
    let settings = Settings {
        tolerance,
        ..Settings::default()
    };
    let mut impulses = vec![0.0; problem.dimension()];
    let report = solve(problem, law, method, &settings, &mut impulses, &mut Silent)
        .expect("the problem can be solved");
    let velocity = Evaluation::new(problem, law, &impulses).velocity().to_vec();
    (report.status, impulses, velocity)
}

/// A unit block that falls at 1 and slides at (3, 4): r_N = 1, r_T = −μ (0.6, 0.8).
#[test]
fn a_sliding_block_keeps_contact_which_the_relaxed_law_does_not() {
    let mu = 0.4;
    let w = SparseMatrix::from_triplets(3, 3, &[(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0)]);
    let cones = vec![Cone::Friction { friction: mu }];
    let problem = ContactProblem::assembled(cones, &w, vec![-1.0, 3.0, 4.0]).expect("a problem");
    let method = DeSaxce::default();
    let (status, r, u) = run(&problem, FrictionLaw::Coulomb, &method, 1e-12);
    assert_eq!(status, Status::Converged);
    for (value, exact) in r.iter().zip([1.0, -0.6 * mu, -0.8 * mu]) {
        assert!((value - exact).abs() < 1e-10, "{r:?}");
    }
    assert!(u[0].abs() < 1e-10, "{u:?}");
    // The relaxed law opens the contact by μ|u_T|.
    let (_, _, u) = run(
        &problem,
        FrictionLaw::Relaxed,
        &GaussSeidel::default(),
        1e-12,
    );
    assert!(
        (u[0] - mu * u[1].hypot(u[2])).abs() < 1e-10 && u[0] > 0.1,
        "{u:?}"
    );
}

/// Two answers γ, δ of natural-map error e satisfy (γ − δ)ᵀW(γ − δ) ≲ e, because the law is monotone (Coulomb's up to
/// the shift): velocities are as close as √e, on the scale that e is relative to.
#[test]
fn the_velocities_are_those_of_gauss_seidel_on_recorded_problems() {
    for name in [
        "Box_Stacks-i0122-82-5.hdf5",
        "Confeti-ex03-Fc3D-SBM.dat",
        "FC2D_SliderCrankLagrangian00000.dat",
        "GFC3D_Example1.dat",
        "LMGC_100_PR_PerioBox-i00361-60-03000.hdf5",
        "RFC3D_cube_1.dat",
        "Rover4144.dat",
        "rockfall_14_25792.dat",
    ] {
        let Some(problem) = recorded(name) else {
            return;
        };
        let law = FrictionLaw::Coulomb;
        let (status, r, u) = run(&problem, law, &DeSaxce::default(), 1e-12);
        assert_eq!(status, Status::Converged, "{name}");
        let (status, _, v) = run(&problem, law, &GaussSeidel::default(), 1e-12);
        assert_eq!(status, Status::Converged, "{name}");
        let difference: Vec<f64> = u.iter().zip(&v).map(|(a, b)| a - b).collect();
        let scale = norm(problem.free_velocity()).max(norm(&r)).max(norm(&u));
        let relative = norm(&difference) / scale;
        assert!(relative < 1e-6, "{name}: {relative:e}");
    }
}

/// These W are unsymmetric by 1e-5 and more; the stored problem is solved far below that.
#[test]
fn an_unsymmetric_matrix_is_solved_as_it_is_stored() {
    for name in [
        "Capsules-i100-1090.dat",
        "OneObject-i1028-138.hdf5.dat",
        "Rover4622.dat",
    ] {
        let Some(problem) = recorded(name) else {
            return;
        };
        assert!(problem.asymmetry() > 1e-6, "{name}");
        let (status, r, _) = run(&problem, FrictionLaw::Coulomb, &DeSaxce::default(), 1e-8);
        assert_eq!(status, Status::Converged, "{name}");
        let error = Evaluation::new(&problem, FrictionLaw::Coulomb, &r).natural();
        assert!(error <= 1e-8, "{name}: {error:e}");
    }
}

#[test]
fn any_relaxed_method_serves_inside() {
    let mut noise = Noise(7);
    let n = 12;
    let b = noise.vector(n * n);
    let mut triplets = Vec::new();
    for i in 0..n {
        for j in 0..n {
            let value: f64 = (0..n).map(|k| b[i * n + k] * b[j * n + k]).sum();
            triplets.push((i, j, value + f64::from(u8::from(i == j))));
        }
    }
    let w = SparseMatrix::from_triplets(n, n, &triplets);
    let free: Vec<f64> = noise.vector(n).iter().map(|v| v - 0.5).collect();
    let cones = vec![Cone::Friction { friction: 0.6 }; n / 3];
    let problem = ContactProblem::assembled(cones, &w, free).expect("a problem");
    let inner: [Box<dyn ContactSolver + Send + Sync>; 3] = [
        Box::new(Apgd::default()),
        Box::new(Jacobi::default()),
        Box::new(GaussSeidel::default()),
    ];
    for inner in inner {
        let name = inner.name();
        let mut method = DeSaxce {
            inner,
            ..DeSaxce::default()
        };
        for extrapolate in [true, false] {
            method.extrapolate = extrapolate;
            let (status, _, _) = run(&problem, FrictionLaw::Coulomb, &method, 1e-8);
            assert_eq!(status, Status::Converged, "{name}");
        }
    }
}
