//! One-contact problems with known answers, under every law and by every method that knows the law.

use moreau_algebra::sparse::SparseMatrix;
use moreau_contact_solvers::cones::Cone;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::observer::Silent;
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::residual::Evaluation;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::solve;
use moreau_contact_solvers::status::Status;

/// Solves with every method for the law and hands each answer (name, γ, u) to `claim`.
fn with_every_method(
    problem: &ContactProblem,
    law: FrictionLaw,
    claim: impl Fn(&str, &[f64], &[f64]),
) {
    let settings = Settings {
        tolerance: 1e-12,
        ..Settings::default()
    };
    let mut count = 0;
    for method in methods::all() {
        if !method.laws().contains(&law) || method.refuses(problem).is_some() {
            continue;
        }
        let mut impulses = vec![0.0; problem.dimension()];
        let report = solve(
            problem,
            law,
            method.as_ref(),
            &settings,
            &mut impulses,
            &mut Silent,
        )
        .unwrap();
        assert_eq!(
            report.status,
            Status::Converged,
            "{}: {:?}",
            method.name(),
            report.errors
        );
        let evaluation = Evaluation::new(problem, law, &impulses);
        claim(method.name(), &impulses, evaluation.velocity());
        count += 1;
    }
    assert!(count > 0);
}

fn close(name: &str, found: &[f64], expected: &[f64]) {
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 1e-9, "{name}: {found:?}, not {expected:?}");
    }
}

fn unit_mass(cone: Cone, free: Vec<f64>) -> ContactProblem {
    let n = cone.dimension();
    let identity: Vec<_> = (0..n).map(|k| (k, k, 1.0)).collect();
    ContactProblem::assembled(
        vec![cone],
        &SparseMatrix::from_triplets(n, n, &identity),
        free,
    )
    .unwrap()
}

#[test]
fn a_sliding_block_keeps_contact_under_coulomb_and_opens_under_the_relaxation() {
    // Falls at 1, slides at 2, μ = 0.3, unit mass.
    let problem = unit_mass(Cone::Friction { friction: 0.3 }, vec![-1.0, 2.0, 0.0]);
    with_every_method(&problem, FrictionLaw::Coulomb, |name, impulse, velocity| {
        close(name, impulse, &[1.0, -0.3, 0.0]);
        close(name, velocity, &[0.0, 1.7, 0.0]);
    });
    // Relaxed: u_N = μ|u_T|; with γ = (n, −μn, 0): n − 1 = μ(2 − μn).
    let n = 1.6 / 1.09;
    with_every_method(&problem, FrictionLaw::Relaxed, |name, impulse, velocity| {
        close(name, impulse, &[n, -0.3 * n, 0.0]);
        close(name, velocity, &[0.3 * (2.0 - 0.3 * n), 2.0 - 0.3 * n, 0.0]);
    });
}

#[test]
fn the_box_law_bounds_each_direction_by_itself() {
    // Slides along the diagonal: both components reach μ n, so the friction is √2 μ n.
    let problem = unit_mass(Cone::Friction { friction: 0.3 }, vec![-1.0, 2.0, 2.0]);
    with_every_method(&problem, FrictionLaw::Box, |name, impulse, velocity| {
        close(name, impulse, &[1.0, -0.3, -0.3]);
        close(name, velocity, &[0.0, 1.7, 1.7]);
    });
}

#[test]
fn a_slow_block_sticks_and_a_rising_one_is_left_alone() {
    for law in FrictionLaw::ALL {
        let slow = unit_mass(Cone::Friction { friction: 0.5 }, vec![-1.0, 0.3, -0.2]);
        with_every_method(&slow, law, |name, impulse, velocity| {
            close(name, impulse, &[1.0, -0.3, 0.2]);
            close(name, velocity, &[0.0; 3]);
        });
    }
    for law in [FrictionLaw::Coulomb, FrictionLaw::Box] {
        let rising = unit_mass(Cone::Friction { friction: 0.5 }, vec![0.1, 3.0, 0.0]);
        with_every_method(&rising, law, |name, impulse, _| {
            close(name, impulse, &[0.0; 3])
        });
    }
}

#[test]
fn cohesion_holds_a_body_up_to_its_strength() {
    // Pulled away at 1: a cohesion of 2 holds it, one of 0.4 slows it by 0.4.
    for law in FrictionLaw::ALL {
        let pulled = unit_mass(Cone::Friction { friction: 0.3 }, vec![1.0, 0.0, 0.0]);
        let strong = pulled.clone().with_cohesion(vec![2.0]).unwrap();
        with_every_method(&strong, law, |name, impulse, velocity| {
            close(name, impulse, &[-1.0, 0.0, 0.0]);
            close(name, velocity, &[0.0; 3]);
        });
        let weak = pulled.with_cohesion(vec![0.4]).unwrap();
        with_every_method(&weak, law, |name, impulse, velocity| {
            close(name, impulse, &[-0.4, 0.0, 0.0]);
            close(name, velocity, &[0.6, 0.0, 0.0]);
        });
    }
}

#[test]
fn compliance_lets_a_contact_give_way() {
    // (1 + E) γ = 1 at u = 0.
    for law in FrictionLaw::ALL {
        let problem = unit_mass(Cone::Unilateral, vec![-1.0])
            .with_compliance(vec![0.25])
            .unwrap();
        with_every_method(&problem, law, |name, impulse, _| {
            close(name, impulse, &[0.8])
        });
    }
}

#[test]
fn joints_and_motors_are_blocks_like_contacts() {
    for law in FrictionLaw::ALL {
        // One unit mass: x held by a joint, y driven by a motor of limited impulse, z on the floor.
        let cones = vec![
            Cone::Bilateral { rows: 1 },
            Cone::Box {
                lower: -0.5,
                upper: 0.5,
            },
            Cone::Unilateral,
        ];
        let identity: Vec<_> = (0..3).map(|k| (k, k, 1.0)).collect();
        let w = SparseMatrix::from_triplets(3, 3, &identity);
        let problem = ContactProblem::assembled(cones, &w, vec![0.7, -2.0, -3.0]).unwrap();
        with_every_method(&problem, law, |name, impulse, velocity| {
            close(name, impulse, &[-0.7, 0.5, 3.0]);
            close(name, velocity, &[0.0, -1.5, 0.0]);
        });
    }
}

#[test]
fn rolling_friction_resists_rolling_up_to_its_bound() {
    // N = 1; sliding sticks (0.1 < 0.5), rolling at 0.8 is slowed by the bound 0.2.
    let cone = Cone::Rolling {
        friction: 0.5,
        rolling: 0.2,
    };
    let problem = unit_mass(cone, vec![-1.0, 0.1, 0.0, 0.8, 0.0]);
    with_every_method(&problem, FrictionLaw::Coulomb, |name, impulse, velocity| {
        close(name, impulse, &[1.0, -0.1, 0.0, -0.2, 0.0]);
        close(name, velocity, &[0.0, 0.0, 0.0, 0.6, 0.0]);
    });
    let cone = Cone::RollingSpinning {
        friction: 0.5,
        rolling: 0.2,
        spinning: 0.1,
    };
    let problem = unit_mass(cone, vec![-1.0, 0.1, 0.0, 0.8, 0.0, 0.05]);
    with_every_method(&problem, FrictionLaw::Coulomb, |name, impulse, velocity| {
        close(name, impulse, &[1.0, -0.1, 0.0, -0.2, 0.0, -0.05]);
        close(name, velocity, &[0.0, 0.0, 0.0, 0.6, 0.0, 0.0]);
    });
}
