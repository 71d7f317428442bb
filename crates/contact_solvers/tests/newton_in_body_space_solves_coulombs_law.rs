//! Above some size the proximal point method solves its Newton systems by bodies instead of contacts; the
//! answer satisfies Coulomb's law all the same.

use moreau_contact_solvers::generate::RandomProblem;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods::{GaussSeidel, ProximalNewton};
use moreau_contact_solvers::observer::Silent;
use moreau_contact_solvers::residual::Evaluation;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::{ContactSolver, solve};
use moreau_contact_solvers::status::Status;

#[test]
fn and_the_velocities_are_those_of_gauss_seidel() {
    // 7200 rows for 5700 freedoms: rank-deficient, and by bodies the system is smaller.
    let bodies = RandomProblem {
        bodies: 950,
        contacts: 2400,
        seed: 5,
        ..RandomProblem::default()
    };
    let problem = bodies.build();
    assert!(problem.dimension() > 6000, "{} rows", problem.dimension());
    let law = FrictionLaw::Coulomb;
    let settings = Settings {
        tolerance: 1e-9,
        ..Settings::default()
    };
    let mut answers = Vec::new();
    for solver in [
        &ProximalNewton::default() as &dyn ContactSolver,
        &GaussSeidel::default(),
    ] {
        let mut impulses = vec![0.0; problem.dimension()];
        let report = solve(&problem, law, solver, &settings, &mut impulses, &mut Silent).unwrap();
        assert_eq!(
            report.status,
            Status::Converged,
            "{}: {:?}",
            solver.name(),
            report.errors
        );
        answers.push(
            Evaluation::new(&problem, law, &impulses)
                .velocity()
                .to_vec(),
        );
    }
    let size = answers[1].iter().map(|v| v * v).sum::<f64>().sqrt();
    let apart = answers[0]
        .iter()
        .zip(&answers[1])
        .map(|(a, b)| (a - b) * (a - b))
        .sum::<f64>();
    assert!(
        apart.sqrt() < 1e-6 * size,
        "velocities differ by {:e} of {size:e}",
        apart.sqrt()
    );
}
