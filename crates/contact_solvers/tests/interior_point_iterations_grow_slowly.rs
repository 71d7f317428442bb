//! An interior point method needs nearly the same number of iterations whatever the size.

use moreau_contact_solvers::generate::SphereBed;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods::InteriorPoint;
use moreau_contact_solvers::observer::Silent;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::solve;
use moreau_contact_solvers::status::Status;

fn iterations(size: (usize, usize, usize)) -> (usize, usize) {
    let problem = SphereBed {
        size,
        ..Default::default()
    }
    .build();
    let mut impulses = vec![0.0; problem.dimension()];
    let (law, method) = (FrictionLaw::Relaxed, InteriorPoint::default());
    let report = solve(
        &problem,
        law,
        &method,
        &Settings::default(),
        &mut impulses,
        &mut Silent,
    )
    .unwrap();
    assert_eq!(report.status, Status::Converged, "{size:?}");
    (problem.contacts(), report.iterations)
}

#[test]
fn from_ten_to_a_thousand_contacts_by_less_than_fifteen() {
    let (few, least) = iterations((2, 1, 2));
    let (_, middle) = iterations((4, 4, 3));
    let (many, most) = iterations((8, 7, 4));
    println!("{few} contacts: {least}, then {middle}, {many} contacts: {most}");
    assert!(few <= 10 && many >= 1000);
    assert!(most < least + 15 && middle < least + 15);
}
