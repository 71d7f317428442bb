//! What the solvers' inner loops cost, beside the memory bandwidth of the machine in the same run.
//!
//! `cargo bench --bench kernels` prints, for beds of spheres, nanoseconds per contact for the product Nγ, one
//! Gauss-Seidel sweep, one iteration of accelerated Gauss-Seidel and one of APGD as published, with the
//! bytes that each must move at least and the share of the bandwidth bound that it reaches.
//! `cargo bench --bench kernels -- --save FILE.csv` also writes the table as CSV.
//!
//! Each figure is the smallest of several repetitions of thread CPU time: on a shared machine that is the one
//! least disturbed. Compare figures within one run only.

use cpu_time::ThreadTime;
use moreau::contact_solvers::generate::SphereBed;
use moreau::contact_solvers::law::FrictionLaw;
use moreau::contact_solvers::methods;
use moreau::contact_solvers::observer::Silent;
use moreau::contact_solvers::problem::ContactProblem;
use moreau::contact_solvers::residual::Measure;
use moreau::contact_solvers::settings::Settings;
use moreau::contact_solvers::solver::{ContactSolver, solve};
use moreau::contact_solvers::sweep::{BlockRule, Direction, sweep};
use std::fmt::Write;
use std::hint::black_box;

/// As the command line has it.
#[global_allocator]
static MEMORY: moreau::memory::KeptPages = moreau::memory::KeptPages::new();

/// Bytes of one contact of balls: normal, two levers and two indices.
const CONTACT_BYTES: f64 = 48.0;

/// Bytes of one contact of balls in groups of four: normal, two levers, metric, free velocity, two indices.
const GROUPED_BYTES: f64 = 80.0;

fn main() {
    let save = std::env::args().skip_while(|a| a != "--save").nth(1);
    // One thread: the figures are per core, and all work stays on the thread that is timed.
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread()
        .build_global()
        .expect("the first pool");
    let bandwidth = triad_bandwidth();
    println!(
        "memory bandwidth (triad, one thread): {:.1} GB/s\n",
        bandwidth / 1e9
    );
    println!(
        "{:>9} {:>9}  {:<26} {:>12} {:>10} {:>8}",
        "spheres", "contacts", "kernel", "ns/contact", "bound ns", "share"
    );
    let mut csv = String::from("spheres,contacts,kernel,ns_per_contact,bound_ns,bandwidth_gb_s\n");
    for size in [(10, 10, 10), (22, 22, 20), (46, 46, 46)] {
        let bed = SphereBed {
            size,
            ..SphereBed::default()
        }
        .build();
        let spheres = size.0 * size.1 * size.2;
        for (kernel, seconds, bytes) in kernels(&bed) {
            let contacts = bed.contacts() as f64;
            let (ns, bound) = (seconds / contacts * 1e9, bytes / bandwidth * 1e9);
            println!(
                "{spheres:>9} {contacts:>9}  {kernel:<26} {ns:>12.1} {bound:>10.1} {:>7.0}%",
                100.0 * bound / ns
            );
            writeln!(
                csv,
                "{spheres},{contacts},{kernel},{ns:.2},{bound:.2},{:.2}",
                bandwidth / 1e9
            )
            .expect("writing to a string");
        }
    }
    if let Some(path) = save {
        match std::fs::write(&path, csv) {
            Ok(()) => println!("\nsaved to {path}"),
            Err(error) => eprintln!("error: {path}: {error}"),
        }
    }
}

/// (name, CPU seconds, bytes per contact that must be moved) of each kernel.
fn kernels(problem: &ContactProblem) -> Vec<(&'static str, f64, f64)> {
    let n = problem.dimension();
    let mut impulses: Vec<f64> = (0..n)
        .map(|k| if k % 3 == 0 { 1e-3 } else { 1e-5 })
        .collect();
    let mut state = vec![0.0; problem.state_length()];
    let mut result = vec![0.0; n];
    // Dγ reads each pair and γ, Dᵀv reads each pair again and writes u.
    let product_bytes = 2.0 * (CONTACT_BYTES + 24.0);
    // A sweep reads each pair once (it is in cache for the update), reads and writes γ, reads r.
    let sweep_bytes = CONTACT_BYTES + 3.0 * 24.0;
    let product = smallest(|| problem.product(black_box(&impulses), &mut state, &mut result));
    let mut one_sweep = |law: FrictionLaw| {
        let rule = BlockRule::default_for(law);
        smallest(|| {
            sweep(
                problem,
                law,
                rule,
                Direction::Forward,
                &mut impulses,
                &mut state,
            )
        })
    };
    let relaxed = one_sweep(FrictionLaw::Relaxed);
    let coulomb = one_sweep(FrictionLaw::Coulomb);
    // One pass reads a group and two impulses and writes one; the other reads a group, an impulse and a weight.
    let apgd_bytes = 2.0 * GROUPED_BYTES + 4.0 * 24.0 + 4.0;
    let apgd_fifth_bytes = GROUPED_BYTES + 3.0 * 24.0 + (GROUPED_BYTES + 28.0) / 5.0;
    let relaxed_law = FrictionLaw::Relaxed;
    let apgd = iteration(problem, relaxed_law, 1, &methods::Apgd::default());
    let apgd_fifth = iteration(problem, relaxed_law, 5, &methods::Apgd::default());
    let scaled = iteration(problem, relaxed_law, 1, &methods::ApgdScaled::default());
    // As in a time step: measured after every fifth iteration.
    let ags = methods::AcceleratedGaussSeidel::default();
    let accelerated = iteration(problem, relaxed_law, 5, &ags);
    let accelerated_coulomb = iteration(problem, FrictionLaw::Coulomb, 5, &ags);
    // Two sweeps read a group, the first two impulses and the second three; both write one. A fifth of a pass measures.
    let ags_bytes = 2.0 * GROUPED_BYTES + 7.0 * 24.0 + (GROUPED_BYTES + 28.0) / 5.0;
    vec![
        ("product", product, product_bytes),
        ("sweep (relaxed)", relaxed, sweep_bytes),
        ("sweep (Coulomb)", coulomb, sweep_bytes),
        ("APGD iteration", apgd, apgd_bytes),
        ("APGD judged every fifth", apgd_fifth, apgd_fifth_bytes),
        ("scaled APGD iteration", scaled, product_bytes + 10.0 * 24.0),
        ("AGS iteration (relaxed)", accelerated, ags_bytes),
        ("AGS iteration (Coulomb)", accelerated_coulomb, ags_bytes),
    ]
}

/// CPU seconds of one iteration: the difference of a long and a short run.
fn iteration(
    problem: &ContactProblem,
    law: FrictionLaw,
    check_interval: usize,
    solver: &dyn ContactSolver,
) -> f64 {
    let run = |iterations: usize| {
        smallest(|| {
            let settings = Settings {
                tolerance: 0.0,
                max_iterations: Some(iterations),
                measure: Measure::Energy,
                check_interval,
                all_measures: false,
                ..Settings::default()
            };
            let mut impulses = vec![0.0; problem.dimension()];
            solve(problem, law, solver, &settings, &mut impulses, &mut Silent)
                .expect("a valid problem");
        })
    };
    (run(25) - run(5)) / 20.0
}

/// The smallest CPU time of five repetitions.
fn smallest(mut work: impl FnMut()) -> f64 {
    (0..5)
        .map(|_| {
            let start = ThreadTime::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

/// Bytes per second of a = b + s c on vectors far larger than the caches.
fn triad_bandwidth() -> f64 {
    let n = 16 * 1024 * 1024;
    let (b, c) = (vec![1.0f64; n], vec![2.0f64; n]);
    let mut a = vec![0.0f64; n];
    let seconds = smallest(|| {
        for ((a, b), c) in a.iter_mut().zip(&b).zip(&c) {
            *a = b + 3.0 * c;
        }
        black_box(&mut a);
    });
    24.0 * n as f64 / seconds
}
