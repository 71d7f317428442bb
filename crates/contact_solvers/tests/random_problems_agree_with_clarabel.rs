//! Every relaxed method that says it has converged agrees with an independent conic solver.

#[path = "common/clarabel_oracle.rs"]
mod clarabel_oracle;

use clarabel_oracle::optimum;
use moreau_algebra::reduction::norm;
use moreau_contact_solvers::generate::{RandomProblem, SphereBed};
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods::{self, InteriorPoint, interior_point::System};
use moreau_contact_solvers::observer::Silent;
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::residual::{Evaluation, Measure};
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::{ContactSolver, solve};
use moreau_contact_solvers::status::Status;

const AGREEMENT: f64 = 1e-7;

/// Solves to an energy error of 1e-10 and compares; tells whether the method converged.
fn agrees(name: &str, problem: &ContactProblem, method: &dyn ContactSolver) -> bool {
    let settings = Settings {
        tolerance: 1e-10,
        measure: Measure::Energy,
        max_iterations: (method.name() != "interior_point").then_some(5000),
        check_interval: 5,
        ..Settings::default()
    };
    let settings = if method.name() == "interior_point" {
        Settings {
            check_interval: 1,
            ..settings
        }
    } else {
        settings
    };
    let mut impulses = vec![0.0; problem.dimension()];
    let law = FrictionLaw::Relaxed;
    let report = solve(problem, law, method, &settings, &mut impulses, &mut Silent).unwrap();
    if report.status != Status::Converged {
        println!(
            "{name}: {} ends {} at {:.1e}",
            method.name(),
            report.status,
            report.error()
        );
        return false;
    }
    let truth = optimum(problem);
    let answer = Evaluation::new(problem, law, &impulses);
    let difference: Vec<f64> = answer
        .velocity()
        .iter()
        .zip(&truth.velocity)
        .map(|(a, b)| a - b)
        .collect();
    let velocity_error = norm(&difference) / norm(problem.free_velocity());
    let objective_error = (report.errors.objective / truth.objective - 1.0).abs();
    let method = method.name();
    assert!(
        velocity_error < AGREEMENT,
        "{name}: {method} velocity {velocity_error:.1e}"
    );
    assert!(
        objective_error < AGREEMENT,
        "{name}: {method} objective {objective_error:.1e}"
    );
    true
}

fn random(bodies: usize, contacts: usize, mass_ratio: f64, seed: u64) -> (String, ContactProblem) {
    let settings = RandomProblem {
        bodies,
        contacts,
        mass_ratio,
        seed,
        ..Default::default()
    };
    let name =
        format!("{bodies} bodies, {contacts} contacts, masses to {mass_ratio:e}, seed {seed}");
    (name, settings.build())
}

/// Regular, rank-deficient, and with masses a million times apart.
fn problems() -> Vec<(String, ContactProblem)> {
    let mut problems = Vec::new();
    for seed in 1..=3 {
        for mass_ratio in [1.0, 1e3, 1e6] {
            problems.push(random(10, 15, mass_ratio, seed));
            problems.push(random(10, 40, mass_ratio, seed));
        }
        problems.push(random(30, 120, 1.0, seed));
    }
    problems
}

#[test]
fn the_interior_point_method_always_converges_to_the_optimum() {
    for (name, problem) in problems() {
        for system in [System::Body, System::Contact] {
            let method = InteriorPoint {
                system,
                ..Default::default()
            };
            assert!(agrees(&format!("{name}, {system:?}"), &problem, &method));
        }
    }
}

#[test]
fn beds_under_a_heavy_slab_are_solved_to_the_optimum() {
    for slab_mass in [None, Some(1e3), Some(1e6)] {
        let problem = SphereBed {
            size: (3, 3, 3),
            slab_mass,
            ..Default::default()
        }
        .build();
        let name = format!("bed with slab {slab_mass:?}");
        assert!(agrees(&name, &problem, &InteriorPoint::default()));
    }
}

#[test]
fn first_order_methods_that_converge_agree() {
    let methods: [Box<dyn ContactSolver>; 4] = [
        Box::new(methods::Apgd::default()),
        Box::new(methods::ApgdScaled::default()),
        Box::new(methods::Spg::default()),
        Box::new(methods::AcceleratedGaussSeidel::default()),
    ];
    for method in &methods {
        let mut converged = 0;
        for (name, problem) in problems() {
            converged += usize::from(agrees(&name, &problem, &**method));
        }
        println!("{} converged on {converged} problems", method.name());
        assert!(
            converged >= 5,
            "{} converged on {converged} only",
            method.name()
        );
    }
}
