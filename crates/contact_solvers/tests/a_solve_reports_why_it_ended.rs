//! Status, best iterate, warm start, observer and limits behave the same for every method.

use moreau_contact_solvers::generate::SphereBed;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::observer::{IterationRecord, Observer, Silent};
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::report::SolveReport;
use moreau_contact_solvers::residual::{Evaluation, Measure};
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::{ContactSolver, solve};
use moreau_contact_solvers::status::Status;
use std::ops::ControlFlow;

fn bed() -> ContactProblem {
    SphereBed {
        size: (3, 3, 3),
        ..SphereBed::default()
    }
    .build()
}

/// The methods that can take the bed, each under its natural law.
fn solvers(problem: &ContactProblem) -> Vec<Box<dyn ContactSolver>> {
    methods::all()
        .into_iter()
        .filter(|m| m.refuses(problem).is_none())
        .collect()
}

/// A cold solve under the method's natural law.
fn attempt(
    problem: &ContactProblem,
    method: &dyn ContactSolver,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> (SolveReport, Vec<f64>) {
    let mut impulses = vec![0.0; problem.dimension()];
    let law = method.laws()[0];
    let report = solve(problem, law, method, settings, &mut impulses, observer).unwrap();
    (report, impulses)
}

#[test]
fn an_iteration_limit_is_reported_and_the_best_iterate_comes_back() {
    let problem = bed();
    let settings = Settings {
        tolerance: 0.0,
        max_iterations: Some(3),
        ..Settings::default()
    };
    for method in solvers(&problem) {
        let (report, impulses) = attempt(&problem, method.as_ref(), &settings, &mut Silent);
        let name = method.name();
        assert_eq!(report.status, Status::IterationLimit, "{name}");
        let best = report
            .history
            .records()
            .map(|r| r.error)
            .fold(f64::INFINITY, f64::min);
        let referee = Evaluation::new(&problem, report.law, &impulses).natural();
        assert_eq!(report.errors.natural, referee, "{name}");
        assert!(
            (referee - best).abs() <= 1e-9 * best.max(1e-9),
            "{name}: {referee} {best}"
        );
    }
}

#[test]
fn a_time_limit_of_zero_ends_at_once() {
    let problem = bed();
    let settings = Settings {
        tolerance: 0.0,
        time_limit: Some(0.0),
        ..Settings::default()
    };
    for method in solvers(&problem) {
        let (report, _) = attempt(&problem, method.as_ref(), &settings, &mut Silent);
        assert_eq!(report.status, Status::TimeLimit, "{}", method.name());
        assert!(
            report.iterations <= 1,
            "{}: {}",
            method.name(),
            report.iterations
        );
    }
}

struct StopAfter(usize);

impl Observer for StopAfter {
    fn iteration(&mut self, record: &IterationRecord) -> ControlFlow<()> {
        if record.iteration >= self.0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

#[test]
fn an_observer_can_stop_a_solve() {
    let problem = bed();
    let settings = Settings {
        tolerance: 0.0,
        ..Settings::default()
    };
    for method in solvers(&problem) {
        let (report, _) = attempt(&problem, method.as_ref(), &settings, &mut StopAfter(2));
        assert_eq!(report.status, Status::Stopped, "{}", method.name());
    }
}

#[test]
fn a_warm_start_at_the_solution_needs_no_iteration() {
    let problem = bed();
    for law in [FrictionLaw::Relaxed, FrictionLaw::Coulomb, FrictionLaw::Box] {
        let tight = Settings {
            tolerance: 1e-11,
            ..Settings::default()
        };
        let mut solution = vec![0.0; problem.dimension()];
        let auto = methods::Auto::default();
        let report = solve(&problem, law, &auto, &tight, &mut solution, &mut Silent).unwrap();
        assert_eq!(
            report.status,
            Status::Converged,
            "{law}: {:?}",
            report.notes
        );
        for method in solvers(&problem)
            .into_iter()
            .filter(|m| m.laws().contains(&law))
        {
            let mut impulses = solution.clone();
            let settings = Settings::default();
            let report = solve(
                &problem,
                law,
                method.as_ref(),
                &settings,
                &mut impulses,
                &mut Silent,
            )
            .unwrap();
            assert_eq!(report.status, Status::Converged, "{}", method.name());
            assert!(
                report.iterations <= 1,
                "{}: {} iterations",
                method.name(),
                report.iterations
            );
        }
    }
}

#[test]
fn every_measure_can_decide() {
    let problem = bed();
    for measure in Measure::ALL {
        let settings = Settings {
            tolerance: 1e-7,
            measure,
            ..Settings::default()
        };
        let mut impulses = vec![0.0; problem.dimension()];
        let method = methods::AcceleratedGaussSeidel::default();
        let report = solve(
            &problem,
            FrictionLaw::Relaxed,
            &method,
            &settings,
            &mut impulses,
            &mut Silent,
        )
        .unwrap();
        assert_eq!(report.status, Status::Converged, "{measure}");
        assert!(report.error() <= 1e-7, "{measure}: {}", report.error());
    }
}

#[test]
fn requests_that_make_no_sense_are_refused_before_the_first_iteration() {
    let problem = bed();
    let mut impulses = vec![0.0; problem.dimension()];
    let apgd = methods::Apgd::default();
    let ask = |law, settings: &Settings, impulses: &mut [f64]| {
        solve(&problem, law, &apgd, settings, impulses, &mut Silent)
            .unwrap_err()
            .to_string()
    };
    let plain = Settings::default();
    let law = ask(FrictionLaw::Coulomb, &plain, &mut impulses);
    assert!(
        law.contains("apgd") && law.contains("relaxed") && law.contains("gauss_seidel"),
        "{law}"
    );
    let short = ask(FrictionLaw::Relaxed, &plain, &mut impulses[1..]);
    assert!(short.contains("length"), "{short}");
    let tolerance = Settings {
        tolerance: f64::NAN,
        ..Settings::default()
    };
    assert!(ask(FrictionLaw::Relaxed, &tolerance, &mut impulses).contains("tolerance"));
    impulses[4] = f64::INFINITY;
    assert!(ask(FrictionLaw::Relaxed, &plain, &mut impulses).contains("row 4"));
}

#[test]
fn every_method_gives_the_same_bits_for_any_number_of_threads() {
    // The first is large enough for products and reductions to be split among threads, the second for
    // products only: methods that factorise would take too long on the first.
    let large = SphereBed {
        size: (20, 20, 12),
        ..SphereBed::default()
    }
    .build();
    let medium = SphereBed {
        size: (9, 9, 8),
        ..SphereBed::default()
    }
    .build();
    let factorising = [
        "auto",
        "proximal_newton",
        "interior_point",
        "quasi_newton",
        "de_saxce",
    ];
    for method in solvers(&large) {
        let (problem, iterations) = if factorising.contains(&method.name()) {
            (&medium, 3)
        } else {
            (&large, 6)
        };
        let settings = Settings {
            tolerance: 0.0,
            max_iterations: Some(iterations),
            ..Settings::default()
        };
        let answers: Vec<Vec<u64>> = [1, 2, 4]
            .into_iter()
            .map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .unwrap();
                let run = || attempt(problem, method.as_ref(), &settings, &mut Silent).1;
                pool.install(run).iter().map(|v| v.to_bits()).collect()
            })
            .collect();
        assert!(
            answers[0] == answers[1] && answers[0] == answers[2],
            "{}",
            method.name()
        );
    }
}

/// Errors are sums over contacts, in which a heavy body that nothing carries is hard to see.
#[test]
fn an_answer_with_a_large_duality_gap_is_told_of_it() {
    let problem = bed();
    let told = |tolerance: f64| {
        let settings = Settings {
            measure: Measure::Energy,
            tolerance,
            ..Settings::default()
        };
        let (report, impulses) =
            attempt(&problem, &methods::Apgd::default(), &settings, &mut Silent);
        assert_eq!(report.status, Status::Converged);
        let told = report
            .notes
            .iter()
            .any(|note| note.contains("duality gap is 100 %"));
        (told, impulses.iter().all(|x| *x == 0.0))
    };
    assert_eq!(told(10.0), (true, true));
    assert_eq!(told(1e-8), (false, false));
}

#[test]
fn zero_impulses_are_not_the_answer_by_the_duality_gap() {
    let problem = bed();
    let best = {
        let settings = Settings::default();
        let (report, _) = attempt(
            &problem,
            &methods::InteriorPoint::default(),
            &settings,
            &mut Silent,
        );
        report.errors.objective
    };
    let settings = Settings {
        measure: Measure::Gap,
        tolerance: 1e-3,
        ..Settings::default()
    };
    for method in solvers(&problem) {
        if !method.laws().contains(&FrictionLaw::Relaxed) {
            continue;
        }
        let mut impulses = vec![0.0; problem.dimension()];
        let law = FrictionLaw::Relaxed;
        let report = solve(
            &problem,
            law,
            method.as_ref(),
            &settings,
            &mut impulses,
            &mut Silent,
        );
        let report = report.unwrap();
        let reached = report.errors.objective;
        assert!(report.iterations > 0, "{}", method.name());
        if report.status == Status::Converged {
            // The gap is relative to ½ xᵀNx + |rᵀx|, which is 3 |f| at the optimum.
            assert!(
                reached - best <= 1e-3 * 3.0 * best.abs(),
                "{}: {reached:e}",
                method.name()
            );
        }
    }
}
