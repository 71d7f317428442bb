//! A loose error beside a strict demand on every contact: the demand decides.

use moreau_contact_solvers::approach::ApproachLimits;
use moreau_contact_solvers::generate::SphereBed;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::observer::Silent;
use moreau_contact_solvers::residual::Measure;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::solve;
use moreau_contact_solvers::status::Status;

/// The fastest approach, from the problem's own operator.
fn fastest(problem: &moreau_contact_solvers::problem::ContactProblem, impulses: &[f64]) -> f64 {
    let mut velocity = vec![0.0; problem.dimension()];
    let mut state = vec![0.0; problem.state_length()];
    problem.velocity(impulses, &mut state, &mut velocity);
    let normals = (0..problem.blocks()).map(|block| problem.first_row(block));
    normals.fold(0.0, |fastest: f64, row| fastest.max(-velocity[row]))
}

#[test]
fn every_contact_keeps_its_limit_however_loose_the_tolerance() {
    let problem = SphereBed::default().build();
    let loose = Settings {
        tolerance: 0.5,
        measure: Measure::Energy,
        ..Settings::default()
    };
    for (name, law) in [
        ("accelerated_gauss_seidel", FrictionLaw::Coulomb),
        ("accelerated_gauss_seidel", FrictionLaw::Relaxed),
        ("gauss_seidel", FrictionLaw::Coulomb),
        ("apgd", FrictionLaw::Relaxed),
        ("auto", FrictionLaw::Coulomb),
    ] {
        let method = methods::by_name(name).unwrap();
        let run = |settings: &Settings| {
            let mut impulses = vec![0.0; problem.dimension()];
            let report = solve(
                &problem,
                law,
                &*method,
                settings,
                &mut impulses,
                &mut Silent,
            )
            .unwrap();
            (report, fastest(&problem, &impulses))
        };
        let (_, without) = run(&loose);
        let limit = 1e-2 * without;
        assert!(limit > 0.0, "{name}: a loose answer leaves something");
        let strict = Settings {
            approach_limits: ApproachLimits::of(problem.blocks(), |_| limit),
            ..loose.clone()
        };
        let (report, with) = run(&strict);
        assert_eq!(report.status, Status::Converged, "{name}");
        assert!(with <= limit, "{name}: {with:.1e} of {limit:.1e}");
        assert!((report.approach - with / limit).abs() < 1e-6, "{name}");

        let hasty = Settings {
            max_iterations: Some(1),
            ..strict
        };
        let (report, with) = run(&hasty);
        assert_eq!(report.status == Status::Converged, with <= limit, "{name}");
    }
}
