//! The projected quasi-Newton method on problems recorded by other programs, judged by the natural map.

mod common;

use common::recorded;
use moreau_contact_solvers::cones::Cone;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods::{GaussSeidel, QuasiNewton};
use moreau_contact_solvers::observer::Silent;
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::residual::Evaluation;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::solve;
use moreau_contact_solvers::status::Status;

/// Solved by Newton's method alone, at 1e-8.
const NEWTON_ALONE: [&str; 20] = [
    "Box_Stacks-i0122-82-5.hdf5",
    "Capsules-i97-269.hdf5",
    "Chute-ndof-768-nc-4-3.hdf5",
    "Confeti-ex03-Fc3D-SBM.dat",
    "FC2D_SliderCrankLagrangian00000.dat",
    "FC3D_Example1.dat",
    "FrictionContactProblem00031.dat",
    "GFC3D_Example0.dat",
    "GFC3D_Example1.dat",
    "GFC3D_TwoRods1.dat",
    "LMGC_100_PR_PerioBox-i00361-60-03000.hdf5",
    "NESpheres_30_1.dat",
    "OneObject-i100000-316.hdf5.dat",
    "OneObject-i1028-138.hdf5.dat",
    "RFC3D_cube_1.dat",
    "Rover1039.dat",
    "Rover4622.dat",
    "Rover9770.dat",
    "Spheres-i099-356-679.hdf5",
    "fc2d_granularflowonwall_00667_00000.dat",
];

/// Solved with the help of Gauss-Seidel, and said so.
const WITH_FALLBACK: [&str; 2] = [
    "FrictionContactProblem00071.dat",
    "gfc2d_granularflowonwall_00230_00206.dat",
];

fn run(
    problem: &ContactProblem,
    law: FrictionLaw,
    method: &QuasiNewton,
) -> (Status, Vec<f64>, Vec<String>, usize) {
    let mut impulses = vec![0.0; problem.dimension()];
    let settings = Settings::default();
    let report = solve(problem, law, method, &settings, &mut impulses, &mut Silent)
        .expect("the problem can be solved");
    (report.status, impulses, report.notes, report.iterations)
}

#[test]
fn newton_alone_solves_coulombs_law_on_recorded_problems() {
    for name in NEWTON_ALONE {
        let Some(problem) = recorded(name) else {
            return;
        };
        let (status, impulses, notes, _) =
            run(&problem, FrictionLaw::Coulomb, &QuasiNewton::default());
        assert_eq!(status, Status::Converged, "{name}: {notes:?}");
        let error = Evaluation::new(&problem, FrictionLaw::Coulomb, &impulses).natural();
        assert!(error <= 1e-8, "{name}: {error:e}");
        assert!(
            notes.iter().any(|n| n.contains("no fallback")),
            "{name}: {notes:?}"
        );
    }
}

#[test]
fn the_fallback_finishes_what_newton_leaves_and_is_counted() {
    for name in WITH_FALLBACK {
        let Some(problem) = recorded(name) else {
            return;
        };
        let (status, impulses, notes, iterations) =
            run(&problem, FrictionLaw::Coulomb, &QuasiNewton::default());
        assert_eq!(status, Status::Converged, "{name}: {notes:?}");
        let error = Evaluation::new(&problem, FrictionLaw::Coulomb, &impulses).natural();
        assert!(error <= 1e-8, "{name}: {error:e}");
        let note = notes
            .iter()
            .find(|n| n.contains("1 fallback"))
            .expect("a count");
        // "… after N iterations with P products …; 1 fallback: G iterations of Gauss-Seidel"
        let numbers: Vec<usize> = note.split(' ').filter_map(|w| w.parse().ok()).collect();
        let [newton, _, _, sweeps] = numbers[..] else {
            panic!("four numbers in {note:?}")
        };
        assert_eq!(newton + sweeps, iterations, "{note:?}");
    }
}

#[test]
fn the_relaxed_law_gives_the_velocities_of_gauss_seidel() {
    for name in [
        "FC3D_Example1.dat",
        "GFC3D_Example1.dat",
        "NESpheres_30_1.dat",
    ] {
        let Some(problem) = recorded(name) else {
            return;
        };
        let law = FrictionLaw::Relaxed;
        let (status, impulses, _, _) = run(&problem, law, &QuasiNewton::default());
        assert_eq!(status, Status::Converged, "{name}");
        let mut other = vec![0.0; problem.dimension()];
        let settings = Settings::default();
        solve(
            &problem,
            law,
            &GaussSeidel::default(),
            &settings,
            &mut other,
            &mut Silent,
        )
        .expect("the problem can be solved");
        let ours = Evaluation::new(&problem, law, &impulses);
        let theirs = Evaluation::new(&problem, law, &other);
        let scale = common::norm(problem.free_velocity());
        for (a, b) in ours.velocity().iter().zip(theirs.velocity()) {
            assert!((a - b).abs() <= 1e-6 * scale, "{name}: {a} against {b}");
        }
    }
}

/// A unit cube that slides: γ = (1, −μ, 0) stops the fall and brakes, whatever the units of W.
#[test]
fn with_scaling_units_do_not_matter() {
    let mut iterations = Vec::new();
    for unit in [1e-4, 1.0, 1e4] {
        let w: Vec<_> = (0..3).map(|k| (k, k, unit)).collect();
        let w = moreau_algebra::sparse::SparseMatrix::from_triplets(3, 3, &w);
        let cones = vec![Cone::Friction { friction: 0.3 }];
        let free = vec![-unit, 2.0 * unit, 0.0];
        let problem = ContactProblem::assembled(cones, &w, free).expect("a problem");
        let (status, impulses, _, count) =
            run(&problem, FrictionLaw::Coulomb, &QuasiNewton::default());
        assert_eq!(status, Status::Converged, "W = {unit:e}");
        for (value, exact) in impulses.iter().zip([1.0, -0.3, 0.0]) {
            // The natural map divides by the larger of impulse and velocity: 1e-8 of 1e4 is 1e-4 in u.
            let allowed = 1e-7 * (1.0 / unit).max(1.0);
            assert!(
                (value - exact).abs() < allowed,
                "W = {unit:e}: {value} for {exact}"
            );
        }
        iterations.push(count);
    }
    let (least, most) = (iterations.iter().min(), iterations.iter().max());
    assert!(most.unwrap() - least.unwrap() <= 4, "{iterations:?}");
}

#[test]
fn joints_bounded_rows_and_frictionless_contacts_are_solved_together() {
    // A diagonal W makes each block a problem of its own with a solution by hand.
    let w: Vec<_> = (0..8).map(|k| (k, k, 2.0)).collect();
    let w = moreau_algebra::sparse::SparseMatrix::from_triplets(8, 8, &w);
    let cones = vec![
        Cone::Unilateral,
        Cone::Unilateral,
        Cone::Bilateral { rows: 2 },
        Cone::Box {
            lower: -0.5,
            upper: 0.5,
        },
        Cone::Box {
            lower: -0.5,
            upper: 0.5,
        },
        Cone::PlanarFriction { friction: 0.5 },
    ];
    let free = vec![-1.0, 1.0, 3.0, -2.0, 4.0, 0.4, -2.0, 4.0];
    let exact = [0.5, 0.0, -1.5, 1.0, -0.5, -0.2, 1.0, -0.5];
    let problem = ContactProblem::assembled(cones, &w, free).expect("a problem");
    let (status, impulses, notes, _) = run(&problem, FrictionLaw::Coulomb, &QuasiNewton::default());
    assert_eq!(status, Status::Converged, "{notes:?}");
    for (value, exact) in impulses.iter().zip(exact) {
        assert!((value - exact).abs() < 1e-7, "{impulses:?}");
    }
}
