//! Beds of spheres of the sizes for which figures of Chrono Multicore are known, everything in one run.
//!
//! `cargo bench --bench beds [-- --threads N] [--only steps|solves]`
//!
//! 1. 25 000 spheres at rest, steps of 1 ms, μ = 0.3, relaxed law, from zero. Chrono took 1500 iterations of APGD and 38 CPU
//!    seconds for 78 600 contacts until De's max(r_p, r_d, r_c) was 5e-2. That measure has units: with spheres of 10 g and steps of
//!    1 ms it is below 5e-2 after a few iterations here, and says little. So the default solver is asked for the energy error that 1500
//!    iterations of APGD as published leave, and for De's 5e-2 besides.
//! 2. 100 000 spheres at rest: a whole step with 50 iterations of APGD as published, error measured in each, from zero. Chrono took
//!    7.4 s on one thread, 4.2 s on two, and 1.27 GB for 312 000 contacts.
//!
//! Chrono's figures were measured on a machine of the same kind (two shared Zen 3 cores) on another occasion: read the ratios to
//! them as orders of magnitude. Beds here have fewer contacts for each sphere (2.9 instead of 3.1), so times are also given for each
//! contact.

use cpu_time::ProcessTime;
use moreau::contact_solvers::law::FrictionLaw;
use moreau::contact_solvers::methods;
use moreau::contact_solvers::observer::Silent;
use moreau::contact_solvers::problem::ContactProblem;
use moreau::contact_solvers::residual::Measure;
use moreau::contact_solvers::settings::Settings;
use moreau::contact_solvers::solver::solve;
use moreau_bench::scenes::Scene;
use moreau_bench::{bandwidth, memory};
use std::time::Instant;

/// As the command line has it.
#[global_allocator]
static MEMORY: moreau::memory::KeptPages = moreau::memory::KeptPages::new();

/// Steps in which a bed that was laid down comes to rest.
const SETTLING: usize = 20;
const CHRONO_ITERATIONS: usize = 1500;
const CHRONO_CPU_SECONDS: f64 = 38.0;
const CHRONO_CONTACTS: f64 = 78_600.0;

fn main() {
    let threads = std::env::args().skip_while(|a| a != "--threads").nth(1);
    let threads = threads.map_or(1, |n| n.parse().expect("a number of threads"));
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .expect("the first pool");
    let only = std::env::args().skip_while(|a| a != "--only").nth(1);
    if only.as_deref() != Some("solves") {
        step_of_50_iterations();
    }
    // After the steps: the pages of its arrays would be counted with theirs.
    let bandwidth = bandwidth::triad();
    println!(
        "{threads} threads; triad of one: {:.1} GB/s",
        bandwidth / 1e9
    );
    if only.as_deref() != Some("steps") {
        cold_solves();
    }
}

/// The second figure; it comes first, so that the memory of the process is its own.
fn step_of_50_iterations() {
    let before = memory::resident().unwrap_or(0);
    let mut simulation = Scene::Bed1e5.build(1.0);
    let solver = &mut simulation.settings_mut().solver;
    solver.name = "apgd".into();
    solver.law = FrictionLaw::Relaxed;
    solver.max_iterations = Some(50);
    solver.tolerance = 1e-12;
    solver.overlap_tolerance = 1.0;
    solver.warm_start = false;
    solver.islands = false;
    memory::forget_peak();
    println!("\n100 000 spheres, whole steps of 50 iterations of APGD as published");
    for _ in 0..4 {
        let (clock, cpu) = (Instant::now(), ProcessTime::now());
        let report = simulation.step().expect("a step");
        let (clock, cpu) = (clock.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
        let stages = &report.cpu_times;
        println!(
            "{:>8} contacts, {} iterations: {clock:.3} s by the clock, {cpu:.3} CPU s (detection {:.3}, assembly {:.3}, \
             solve {:.3}, integration {:.3}), {:.0} ns a contact",
            report.contacts,
            report.iterations,
            stages.broad_phase + stages.narrow_phase,
            stages.assembly,
            stages.solve,
            stages.integration,
            1e9 * cpu / report.contacts as f64,
        );
    }
    let peak = memory::peak().unwrap_or(0).saturating_sub(before);
    println!("peak of memory: {:.3} GB", peak as f64 / 1e9);
}

/// The first figure.
fn cold_solves() {
    let mut simulation = Scene::Bed1e5.build(0.25);
    for _ in 0..SETTLING {
        simulation.step().expect("a step");
    }
    let problem = simulation.last_problem().expect("contacts").clone();
    println!(
        "\n25 000 spheres, {} contacts, from zero",
        problem.contacts()
    );
    let chrono = CHRONO_CPU_SECONDS / CHRONO_CONTACTS * problem.contacts() as f64;
    println!("1500 iterations of APGD as published, and auto to the same error:");
    let fixed = |tolerance: f64, measure: Measure| Settings {
        tolerance,
        measure,
        check_interval: 5,
        all_measures: false,
        ..Settings::default()
    };
    let long = Settings {
        max_iterations: Some(CHRONO_ITERATIONS),
        ..fixed(0.0, Measure::Energy)
    };
    let (published, error) = cold_solve(&problem, "apgd", &long);
    let (ours, _) = cold_solve(&problem, "auto", &fixed(error, Measure::Energy));
    beside(published, ours, chrono);
    println!("De's measure to 5e-2:");
    let de = fixed(5e-2, Measure::De);
    let (published, _) = cold_solve(&problem, "apgd", &de);
    let (ours, _) = cold_solve(&problem, "auto", &de);
    beside(published, ours, chrono);
}

fn beside(published: f64, ours: f64, chrono: f64) {
    println!(
        "  APGD as published over auto: {:.1}; Chrono's {CHRONO_CPU_SECONDS} CPU s, for as many contacts, over auto: {:.0}, over \
         APGD as published: {:.1}",
        published / ours,
        chrono / ours,
        chrono / published
    );
}

/// CPU seconds of a solve, the smaller of two, and the error.
fn cold_solve(problem: &ContactProblem, name: &str, settings: &Settings) -> (f64, f64) {
    let method = methods::by_name(name).expect("a method");
    let mut least = f64::INFINITY;
    let mut error = f64::NAN;
    for _ in 0..2 {
        let mut impulses = vec![0.0; problem.dimension()];
        let start = ProcessTime::now();
        let law = FrictionLaw::Relaxed;
        let report = solve(problem, law, &*method, settings, &mut impulses, &mut Silent);
        let report = report.expect("a valid problem");
        let seconds = start.elapsed().as_secs_f64();
        least = least.min(seconds);
        error = report.error();
        println!(
            "  {name:<5} {}: {} iterations, {} {error:.2e}, {seconds:.3} CPU s",
            report.status, report.iterations, settings.measure
        );
    }
    (least, error)
}
