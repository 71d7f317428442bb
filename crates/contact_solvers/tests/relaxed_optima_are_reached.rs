//! On real problems the relaxed methods reach the optimal objectives that were computed elsewhere.

use moreau_algebra::reduction::dot;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::observer::Silent;
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::residual::Measure;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::{ContactSolver, solve};
use moreau_contact_solvers::status::Status;
use moreau_io::shared_problems;

/// Problems with more contacts than this are left to measurements.
const LARGEST: usize = 1000;

/// Name, problem and optimal objective of every listed problem. Where W is not symmetric the optimum is that of
/// its symmetric part, which is what `solve` then solves.
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
        if contacts <= LARGEST {
            let file = moreau_io::read(folder.join("problems").join(fields[0])).unwrap();
            let problem = moreau_io::to_contact_problem(&file).unwrap();
            problems.push((fields[0].to_string(), problem, fields[3].parse().unwrap()));
        }
    }
    problems
}

/// Solves to an energy error of 1e-9 (the natural one divides by the impulses, which hides errors where
/// they are large) and compares the objective.
fn reaches(name: &str, problem: &ContactProblem, optimum: f64, method: &dyn ContactSolver) {
    let settings = Settings {
        tolerance: 1e-9,
        measure: Measure::Energy,
        max_iterations: Some(300_000),
        ..Settings::default()
    };
    let mut impulses = vec![0.0; problem.dimension()];
    let law = FrictionLaw::Relaxed;
    let report = solve(problem, law, method, &settings, &mut impulses, &mut Silent).unwrap();
    assert_eq!(
        report.status,
        Status::Converged,
        "{name}: {} {:?}",
        method.name(),
        report.errors
    );
    let objective = report.errors.objective;
    // Objectives of problems at rest are rounding: f = ½γᵀNγ + rᵀγ of numbers near ε.
    let allowed = 1e-8 * optimum.abs() + f64::EPSILON * f64::EPSILON;
    assert!(
        (objective - optimum).abs() <= allowed,
        "{name}: {} reaches {objective:e}, the optimum is {optimum:e}",
        method.name()
    );
}

fn on_all_of_them(method: impl ContactSolver) {
    for (name, problem, optimum) in listed() {
        reaches(&name, &problem, optimum, &method);
    }
}

#[test]
fn by_the_interior_point_method() {
    on_all_of_them(methods::InteriorPoint::default());
}

#[test]
fn by_apgd_as_published() {
    on_all_of_them(methods::Apgd::default());
}

#[test]
fn by_scaled_apgd() {
    on_all_of_them(methods::ApgdScaled::default());
}

#[test]
fn by_spectral_projected_gradients() {
    on_all_of_them(methods::Spg::default());
}

#[test]
fn by_accelerated_gauss_seidel() {
    on_all_of_them(methods::AcceleratedGaussSeidel::default());
}

#[test]
fn by_auto() {
    on_all_of_them(methods::Auto::default());
}

/// Nothing at all and the first answers of a slow method. ‖x‖ stands in for ‖x*‖ in the gap, so that while x is small it may say a little too little.
#[test]
fn none_on_the_way_is_farther_from_the_optimum_than_its_gap_says() {
    let mut judged = [0; 2];
    for (name, problem, optimum) in listed() {
        for iterations in [0, 1, 2, 4, 8, 16, 32, 64, 128, 256] {
            let settings = Settings {
                tolerance: 0.0,
                max_iterations: Some(iterations),
                ..Settings::default()
            };
            let mut x = vec![0.0; problem.dimension()];
            let (law, apgd) = (FrictionLaw::Relaxed, methods::Apgd::default());
            let report = solve(&problem, law, &apgd, &settings, &mut x, &mut Silent).unwrap();
            let (objective, gap) = (report.errors.objective, report.errors.gap.unwrap());
            let linear = dot(&x, problem.free_velocity());
            let terms = (objective - linear).abs() + linear.abs();
            let bound = gap * terms.max(optimum.abs());
            let small = gap < 0.5;
            let allowed = if small { bound } else { 1.5 * bound };
            let rounding = 1e-10 * optimum.abs() + f64::EPSILON * f64::EPSILON;
            assert!(
                objective - optimum <= allowed + rounding,
                "{name}, {iterations} iterations: {objective:e}, optimum {optimum:e}, gap {gap:e}"
            );
            judged[usize::from(small)] += 1;
        }
    }
    let found = shared_problems::directory().is_some();
    assert!(!found || judged.iter().all(|n| *n >= 50), "{judged:?}");
}
