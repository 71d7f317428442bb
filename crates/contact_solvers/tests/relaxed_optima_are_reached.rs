//! On real problems the relaxed methods reach the optimal objectives that were computed elsewhere.

use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::observer::Silent;
use moreau_contact_solvers::problem::{ContactProblem, SYMMETRY_TOLERANCE};
use moreau_contact_solvers::residual::Measure;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::{ContactSolver, solve};
use moreau_contact_solvers::status::Status;
use moreau_io::shared_problems;

/// Problems with more contacts than this are left to measurements.
const LARGEST: usize = 1000;

/// Name, problem and optimal objective of every symmetric problem.
fn listed() -> Vec<(String, ContactProblem, f64)> {
    let Some(folder) = shared_problems::directory() else {
        println!("no shared problems: nothing is tested");
        return Vec::new();
    };
    let table = std::fs::read_to_string(folder.join("relaxed-optima.csv")).unwrap();
    let mut problems = Vec::new();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let contacts: usize = fields[1].parse().unwrap();
        let asymmetry: f64 = fields[2].parse().unwrap();
        if asymmetry < SYMMETRY_TOLERANCE && contacts <= LARGEST {
            let file = moreau_io::read(folder.join("problems").join(fields[0])).unwrap();
            let problem = moreau_io::to_contact_problem(&file).unwrap();
            problems.push((fields[0].to_string(), problem, fields[3].parse().unwrap()));
        }
    }
    problems
}

/// Solves to an energy error of 1e-9 (the natural one divides by the impulses, which hides errors where
/// they are large) and compares the objective; tells whether the method converged.
fn reaches(
    name: &str,
    problem: &ContactProblem,
    optimum: f64,
    method: &dyn ContactSolver,
    limit: Option<usize>,
) -> bool {
    let settings = Settings {
        tolerance: 1e-9,
        measure: Measure::Energy,
        max_iterations: limit,
        ..Settings::default()
    };
    let mut impulses = vec![0.0; problem.dimension()];
    let law = FrictionLaw::Relaxed;
    let report = solve(problem, law, method, &settings, &mut impulses, &mut Silent).unwrap();
    let objective = report.errors.objective;
    // Objectives of problems at rest are rounding: f = ½γᵀNγ + rᵀγ of numbers near ε.
    let allowed = 1e-8 * optimum.abs() + f64::EPSILON * f64::EPSILON;
    if report.status != Status::Converged {
        println!(
            "{name}: {} ends {} at {:.1e}",
            method.name(),
            report.status,
            report.error()
        );
        return false;
    }
    assert!(
        (objective - optimum).abs() <= allowed,
        "{name}: {} reaches {objective:e}, the optimum is {optimum:e}",
        method.name()
    );
    true
}

#[test]
fn by_the_interior_point_method_on_all_of_them() {
    for (name, problem, optimum) in listed() {
        let method = methods::InteriorPoint::default();
        assert!(reaches(&name, &problem, optimum, &method, None), "{name}");
    }
}

#[test]
fn by_first_order_methods_where_they_converge() {
    let methods: [Box<dyn ContactSolver>; 4] = [
        Box::new(methods::Apgd::default()),
        Box::new(methods::ApgdScaled::default()),
        Box::new(methods::Spg::default()),
        Box::new(methods::AcceleratedGaussSeidel::default()),
    ];
    for method in &methods {
        let mut converged = 0;
        let problems = listed();
        for (name, problem, optimum) in &problems {
            converged += usize::from(reaches(name, problem, *optimum, &**method, Some(3000)));
        }
        println!("{}: {converged} of {}", method.name(), problems.len());
        assert!(
            2 * converged > problems.len() || problems.is_empty(),
            "{}",
            method.name()
        );
    }
}
