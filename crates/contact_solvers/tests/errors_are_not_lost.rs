//! An answer that is none must not look like one: where no impulses solve a problem they grow without end, and sometimes to what
//! is not a number. The error has to say so at any size.

use moreau_algebra::sparse::SparseMatrix;
use moreau_contact_solvers::approach::ApproachLimits;
use moreau_contact_solvers::cones::Cone;
use moreau_contact_solvers::generate::SphereBed;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::monitor::Monitor;
use moreau_contact_solvers::observer::Silent;
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::residual::{Evaluation, Measure, MeasureSettings};
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::solve;
use moreau_contact_solvers::status::Status;
use std::ops::ControlFlow;

/// A rod that wants to push a unit mass through the floor at speed 1: one row holds v = −1, another v ≥ 0.
fn rod_and_floor() -> ContactProblem {
    let cones = vec![Cone::Bilateral { rows: 1 }, Cone::Unilateral];
    let entries = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(row, column)| (row, column, 1.0));
    let w = SparseMatrix::from_triplets(2, 2, &entries);
    ContactProblem::assembled(cones, &w, vec![1.0, 0.0]).unwrap()
}

#[test]
fn the_energy_error_of_what_cannot_be_solved_does_not_fall_with_the_size_of_impulses() {
    let problem = rod_and_floor();
    for size in [1.0, 1e8, 1e16, 1e20, 1e200] {
        for law in FrictionLaw::ALL {
            // The sum of both impulses is what moves the mass: by half it fails both rows alike.
            let impulses = [-size, size];
            let evaluation = Evaluation::new(&problem, law, &impulses);
            let error = evaluation.measure(Measure::Energy, &MeasureSettings::default());
            assert!(error >= 0.7, "{law} {size:e}: {error:e}");
        }
    }
}

#[test]
fn no_method_says_that_it_has_solved_it() {
    let problem = rod_and_floor();
    let settings = Settings {
        measure: Measure::Energy,
        tolerance: 1e-3,
        max_iterations: Some(3000),
        ..Settings::default()
    };
    let mut answers = 0;
    for law in [FrictionLaw::Relaxed, FrictionLaw::Coulomb] {
        for method in methods::all() {
            if !method.laws().contains(&law) {
                continue;
            }
            let mut impulses = vec![0.0; 2];
            let solved = solve(
                &problem,
                law,
                &*method,
                &settings,
                &mut impulses,
                &mut Silent,
            );
            // A method may refuse rows that it does not know.
            let Ok(report) = solved else { continue };
            answers += 1;
            assert_ne!(report.status, Status::Converged, "{law} {}", method.name());
            assert!(impulses.iter().all(|x| x.is_finite()), "{}", method.name());
        }
    }
    assert!(answers >= 12, "only {answers} answers");
}

#[test]
fn what_is_not_a_number_has_an_error_that_is_none() {
    let bed = SphereBed::default().build();
    let mut impulses = vec![1.0; bed.dimension()];
    impulses[7] = f64::NAN;
    for law in [FrictionLaw::Relaxed, FrictionLaw::Coulomb] {
        let evaluation = Evaluation::new(&bed, law, &impulses);
        for measure in [Measure::Natural, Measure::Energy, Measure::De, Measure::Max] {
            let error = evaluation.measure(measure, &MeasureSettings::default());
            assert!(error.is_nan(), "{law} {measure:?}: {error}");
        }
    }
}

/// A limit of approach is a second thing to be judged by; it must not stand in for an error that is not a number.
#[test]
fn what_is_not_a_number_is_no_answer_where_approach_is_limited() {
    let bed = SphereBed::default().build();
    let settings = Settings {
        measure: Measure::Energy,
        tolerance: 1e-3,
        approach_limits: ApproachLimits::of(bed.blocks(), |_| 1.0),
        ..Settings::default()
    };
    let nothing = vec![f64::NAN; bed.dimension()];
    let mut silent = Silent;
    let mut monitor = Monitor::new(&bed, FrictionLaw::Coulomb, &settings, 10, &mut silent);
    let judged = monitor.start(&nothing, &nothing);
    assert_eq!(judged, ControlFlow::Break(Status::NumericalFailure));
    assert_eq!(monitor.best_error(), f64::INFINITY);
}
