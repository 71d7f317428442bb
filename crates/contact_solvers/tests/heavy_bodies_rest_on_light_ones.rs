//! A slab a million times heavier than the spheres below it is carried, and by the right force.

mod common;

use common::tiles::{operator_of, tiles};
use moreau_contact_solvers::generate::SphereBed;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods::{Auto, HeavyOnLight, InteriorPoint, ProximalMasses};
use moreau_contact_solvers::observer::Silent;
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::residual::Measure;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::{ContactSolver, solve};
use moreau_contact_solvers::status::Status;

/// Notes of the solve, and the velocity that it gives the slab, the last body.
fn slab_velocity(
    problem: &ContactProblem,
    solver: &dyn ContactSolver,
    tolerance: f64,
) -> (Vec<String>, [f64; 6]) {
    let settings = Settings {
        tolerance,
        measure: Measure::Energy,
        ..Settings::default()
    };
    let mut impulses = vec![0.0; problem.dimension()];
    let law = FrictionLaw::Relaxed;
    let report = solve(problem, law, solver, &settings, &mut impulses, &mut Silent).unwrap();
    let name = solver.name();
    assert_eq!(
        report.status,
        Status::Converged,
        "{name}: {:?}",
        report.notes
    );
    let operator = operator_of(problem);
    let mut velocity = vec![0.0; operator.body_dimension()];
    operator.body_velocities(&impulses, &mut velocity);
    (report.notes, *velocity.last_chunk().unwrap())
}

#[test]
fn both_chains_find_the_force_that_a_tighter_interior_point_finds() {
    let chains: [&dyn ContactSolver; 2] = [&HeavyOnLight::default(), &ProximalMasses::default()];
    for (size, slab_mass) in [((8, 8, 6), 1e6), ((6, 6, 10), 1e5)] {
        let problem = SphereBed {
            size,
            slab_mass: Some(slab_mass),
            ..SphereBed::default()
        }
        .build();
        let (_, right) = slab_velocity(&problem, &InteriorPoint::default(), 1e-9);
        assert!(right[2] > 0.0, "the slab is pushed up: {right:?}");
        for chain in chains {
            let (_, found) = slab_velocity(&problem, chain, 1e-6);
            assert!(
                (found[2] - right[2]).abs() < 1e-3 * right[2],
                "{}: {found:?} is not {right:?}",
                chain.name()
            );
        }
    }
}

#[test]
fn auto_chooses_the_chain_and_says_so() {
    let problem = SphereBed {
        size: (8, 8, 5),
        slab_mass: Some(1e6),
        ..SphereBed::default()
    }
    .build();
    // Where the matrix is too large to be factorised, there is another one.
    for (factorize_up_to, chain) in [(200_000, "heavy_on_light"), (1000, "proximal_masses")] {
        let auto = Auto { factorize_up_to };
        let (notes, _) = slab_velocity(&problem, &auto, 1e-6);
        let chosen = format!("auto: {chain}");
        assert!(
            notes.iter().any(|note| note.starts_with(&chosen)),
            "{notes:?}"
        );
    }
}

#[test]
fn every_copy_of_a_bed_carries_its_share_of_a_slab() {
    let bed = SphereBed {
        size: (5, 5, 8),
        slab_mass: Some(1e6),
        ..SphereBed::default()
    };
    let single = bed.build();
    // One way by factorisations on four copies, another without any on twelve.
    let (_, right) = slab_velocity(&tiles(&single, 1), &InteriorPoint::default(), 1e-9);
    let (_, found) = slab_velocity(&tiles(&single, 3), &ProximalMasses::default(), 1e-6);
    assert!(right[2] > 0.0, "the slab is pushed up: {right:?}");
    for k in 0..6 {
        assert!(
            (found[k] - right[k]).abs() < 1e-3 * right[2],
            "{found:?} is not {right:?}"
        );
    }
    assert!(
        right[0].abs() + right[1].abs() < 1e-6 * right[2],
        "{right:?}"
    );
}
