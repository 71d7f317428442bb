//! Accelerated Gauss-Seidel, APGD, and proximal steps and the interior point under a heavy slab give the same bits whatever the number of threads.

use moreau_contact_solvers::generate::SphereBed;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods::{
    AcceleratedGaussSeidel, Apgd, HeavyOnLight, InteriorPoint, ProximalMasses,
};
use moreau_contact_solvers::observer::Silent;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::{ContactSolver, solve};

/// Impulses and error of some iterations with so many threads.
fn bits(
    threads: usize,
    size: (usize, usize, usize),
    method: &dyn ContactSolver,
    law: FrictionLaw,
    iterations: usize,
    slab_mass: Option<f64>,
) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("a pool").install(|| {
        let bed = SphereBed {
            size,
            slab_mass,
            ..SphereBed::default()
        };
        let problem = bed.build();
        assert!(
            problem.contacts() > 4096,
            "too small to be worth a second thread"
        );
        let settings = Settings {
            tolerance: 0.0,
            max_iterations: Some(iterations),
            check_interval: 5,
            ..Settings::default()
        };
        let mut impulses = vec![0.0; problem.dimension()];
        let report = solve(&problem, law, method, &settings, &mut impulses, &mut Silent);
        impulses.push(report.expect("a valid problem").error());
        impulses.iter().map(|x| x.to_bits()).collect()
    })
}

#[test]
fn bits_are_the_same_for_one_two_and_four_threads() {
    let method = AcceleratedGaussSeidel::default();
    for law in [FrictionLaw::Relaxed, FrictionLaw::Coulomb] {
        let of = |threads| bits(threads, (12, 12, 10), &method, law, 60, None);
        let one = of(1);
        assert!(of(2) == one && of(4) == one, "{law}");
    }
}

#[test]
fn bits_are_the_same_where_bodies_are_in_layers() {
    // 44 000 contacts of 8000 bodies: both more than one thread takes.
    let sweeps: &dyn ContactSolver = &AcceleratedGaussSeidel::default();
    for (method, law) in [
        (sweeps, FrictionLaw::Coulomb),
        (&Apgd::default(), FrictionLaw::Relaxed),
    ] {
        let of = |threads| bits(threads, (20, 20, 20), method, law, 10, None);
        assert!(of(3) == of(1), "{}", method.name());
    }
}

#[test]
fn bits_are_the_same_for_factors_of_both_precisions() {
    for single_precision in [true, false] {
        let method = InteriorPoint {
            single_precision,
            ..HeavyOnLight::default().interior_point
        };
        let of = |threads| {
            let law = FrictionLaw::Relaxed;
            bits(threads, (12, 12, 10), &method, law, 4, Some(1e6))
        };
        let one = of(1);
        assert!(of(2) == one && of(4) == one, "{single_precision}");
    }
}

#[test]
fn bits_are_the_same_under_a_heavy_slab() {
    // Sweeps give way to steps as soon as an iteration does not halve the error.
    let method = ProximalMasses {
        patience: 1,
        steps: 3,
        ..ProximalMasses::default()
    };
    let law = FrictionLaw::Relaxed;
    let of = |threads| bits(threads, (12, 12, 10), &method, law, 20, Some(1e6));
    assert!(of(3) == of(1));
}
