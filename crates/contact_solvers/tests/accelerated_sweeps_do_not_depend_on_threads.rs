//! Accelerated Gauss-Seidel gives the same bits whatever the number of threads.

use moreau_contact_solvers::generate::SphereBed;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods::AcceleratedGaussSeidel;
use moreau_contact_solvers::observer::Silent;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::solve;

#[test]
fn bits_are_the_same_for_one_two_and_four_threads() {
    for law in [FrictionLaw::Relaxed, FrictionLaw::Coulomb] {
        let results: Vec<Vec<u64>> = [1, 2, 4]
            .into_iter()
            .map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .expect("a pool");
                pool.install(|| {
                    let problem = SphereBed {
                        size: (12, 12, 10),
                        ..SphereBed::default()
                    }
                    .build();
                    assert!(
                        problem.contacts() > 4096,
                        "too small to be worth a second thread"
                    );
                    let settings = Settings {
                        tolerance: 0.0,
                        max_iterations: Some(60),
                        check_interval: 5,
                        ..Settings::default()
                    };
                    let mut impulses = vec![0.0; problem.dimension()];
                    let method = AcceleratedGaussSeidel::default();
                    solve(
                        &problem,
                        law,
                        &method,
                        &settings,
                        &mut impulses,
                        &mut Silent,
                    )
                    .expect("a valid problem");
                    impulses.iter().map(|x| x.to_bits()).collect()
                })
            })
            .collect();
        assert!(results.iter().all(|r| *r == results[0]), "{law}");
    }
}
