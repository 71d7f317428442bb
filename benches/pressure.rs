//! The default solver on Mazhar's pressure test, beside APGD as published, everything in one run and on one thread.
//!
//! `cargo bench --bench pressure` solves `pressure-1e3kg.hdf5` of the shared problems (4001 bodies, 19 696 contacts, spheres of 1 kg under a
//! slab) to energy errors of 1e-4 and 1e-8, and `pressure-1e6kg.hdf5` to 1e-6, under the relaxed law. APGD runs twice: one pass after the other,
//! row by row, as a plain program does, and with all passes of a step in one, as moreau does. The first tells what a user of plain
//! APGD would gain, the second what the method alone brings. The error is measured in every iteration of APGD, as published, and in every
//! third of the default solver, as in a time step.

use moreau::contact_solvers::law::FrictionLaw;
use moreau::contact_solvers::methods::Auto;
use moreau::contact_solvers::methods::apgd::Apgd;
use moreau::contact_solvers::observer::Silent;
use moreau::contact_solvers::problem::ContactProblem;
use moreau::contact_solvers::residual::Measure;
use moreau::contact_solvers::settings::Settings;
use moreau::contact_solvers::solver::{ContactSolver, solve};
use std::path::Path;

/// As the command line has it.
#[global_allocator]
static MEMORY: moreau::memory::KeptPages = moreau::memory::KeptPages::new();

fn main() {
    let Some(directory) = moreau::io::shared_problems::directory() else {
        println!("no shared problems; set MOREAU_FCLIB_DIR to their folder");
        return;
    };
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global()
        .expect("the first pool");
    let light = problem(&directory.join("problems/pressure-1e3kg.hdf5"));
    println!("slab of 1e3 kg, {} contacts", light.contacts());
    let plain = Apgd {
        row_by_row: true,
        ..Apgd::default()
    };
    let rows = cpu_seconds(&light, "APGD, row by row", &plain, 1, 1e-4);
    let apgd = cpu_seconds(&light, "APGD", &Apgd::default(), 1, 1e-4);
    let auto = cpu_seconds(&light, "auto", &Auto::default(), 3, 1e-4);
    println!(
        "  auto is {:.1} times faster than APGD row by row, {:.1} times faster than APGD",
        rows / auto,
        apgd / auto
    );
    let further = cpu_seconds(&light, "auto", &Auto::default(), 3, 1e-8);
    println!("  1e-8 takes {:.1} times what 1e-4 takes", further / auto);
    let heavy = problem(&directory.join("problems/pressure-1e6kg.hdf5"));
    println!("slab of 1e6 kg, {} contacts", heavy.contacts());
    cpu_seconds(&heavy, "auto", &Auto::default(), 3, 1e-6);
}

fn problem(path: &Path) -> ContactProblem {
    let file = moreau::io::read(path).expect("a shared problem");
    moreau::io::to_contact_problem(&file).expect("a shared problem")
}

/// The smaller CPU time of two solves to an error, which it prints.
fn cpu_seconds(
    problem: &ContactProblem,
    name: &str,
    method: &dyn ContactSolver,
    check_interval: usize,
    tolerance: f64,
) -> f64 {
    let settings = Settings {
        tolerance,
        measure: Measure::Energy,
        check_interval,
        all_measures: false,
        ..Settings::default()
    };
    let mut least = f64::INFINITY;
    for _ in 0..2 {
        let mut impulses = vec![0.0; problem.dimension()];
        let law = FrictionLaw::Relaxed;
        let report = solve(problem, law, method, &settings, &mut impulses, &mut Silent)
            .expect("a problem of contacts alone");
        println!(
            "  {name:<16} {:?} at {:.2e} after {:>5} iterations: {:.3} CPU s",
            report.status,
            report.error(),
            report.iterations,
            report.cpu_seconds
        );
        least = least.min(report.cpu_seconds);
    }
    least
}
