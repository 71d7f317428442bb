//! `auto` under Coulomb's law at 1e-8 on the shared problems, beside the best that Siconos 4.4.0 did on each.
//!
//! `cargo bench --bench coulomb [-- --save FILE.csv] [--large]` reads `siconos-4.4.0.csv` beside the problems (CPU
//! seconds on a loaded machine of the same kind; 0 means below a clock of 1 to 3 ms) and prints a table, the totals,
//! the medians and the problems where `auto` was slower. `--large` adds the two problems of 19 696 contacts, which
//! take minutes. The times compare two programs on two occasions: read them as orders of magnitude.

use moreau::contact_solvers::law::FrictionLaw;
use moreau::contact_solvers::methods;
use moreau::contact_solvers::observer::Silent;
use moreau::contact_solvers::settings::Settings;
use moreau::contact_solvers::solver::solve;
use std::collections::HashMap;
use std::fmt::Write;

/// As the command line has it.
#[global_allocator]
static MEMORY: moreau::memory::KeptPages = moreau::memory::KeptPages::new();

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let large = arguments.iter().any(|a| a == "--large");
    let save = arguments.iter().skip_while(|a| *a != "--save").nth(1);
    let Some(directory) = moreau::io::shared_problems::directory() else {
        println!("no shared problems; set MOREAU_FCLIB_DIR to their folder");
        return;
    };
    // One thread, as the recorded figures.
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global()
        .expect("the first pool");
    let siconos = best_of_siconos(&directory.join("siconos-4.4.0.csv"));
    println!(
        "{:<46} {:>8} {:<16} {:>9} {:>11} {:>12}",
        "problem", "contacts", "status", "error", "CPU s", "Siconos s"
    );
    let mut csv =
        String::from("problem,contacts,status,natural_error,cpu_seconds,siconos_seconds\n");
    let (mut ours, mut theirs, mut slower) = (Vec::new(), Vec::new(), Vec::new());
    let (mut solved, mut count) = (0, 0);
    for path in moreau::io::shared_problems::all() {
        let name = path
            .file_name()
            .expect("a file")
            .to_string_lossy()
            .to_string();
        if name.starts_with("pressure") && !large {
            continue;
        }
        let file = moreau::io::read(&path).expect("a shared problem");
        let problem = moreau::io::to_contact_problem(&file).expect("a shared problem");
        // The smaller of two runs: the first one also pays for cold caches.
        let runs = if name.starts_with("pressure") { 1 } else { 2 };
        let report = (0..runs)
            .map(|_| {
                let mut impulses = vec![0.0; problem.dimension()];
                let (auto, settings) = (methods::Auto::default(), Settings::default());
                solve(
                    &problem,
                    FrictionLaw::Coulomb,
                    &auto,
                    &settings,
                    &mut impulses,
                    &mut Silent,
                )
                .expect("auto takes every problem")
            })
            .min_by(|a, b| a.cpu_seconds.total_cmp(&b.cpu_seconds))
            .expect("at least one run");
        let reference = siconos.get(&name);
        let shown = reference.map_or("-".into(), |s| format!("{s:.4}"));
        println!(
            "{name:<46} {:>8} {:<16} {:>9.1e} {:>11.5} {shown:>12}",
            problem.blocks(),
            report.status.name(),
            report.errors.natural,
            report.cpu_seconds,
        );
        writeln!(
            csv,
            "{name},{},{},{:e},{},{}",
            problem.blocks(),
            report.status,
            report.errors.natural,
            report.cpu_seconds,
            reference.map_or(String::new(), f64::to_string)
        )
        .expect("writing to a string");
        count += 1;
        solved += usize::from(report.status.name() == "converged");
        if let Some(&seconds) = reference {
            ours.push(report.cpu_seconds);
            theirs.push(seconds);
            if report.cpu_seconds > seconds.max(CLOCK) {
                slower.push(name);
            }
        }
    }
    println!("\nsolved {solved} of {count}");
    println!(
        "on the {} problems that Siconos solved too: total {:.3} s against {:.3} s, median {:.5} s against {:.5} s",
        ours.len(),
        ours.iter().sum::<f64>(),
        theirs.iter().sum::<f64>(),
        median(&mut ours),
        median(&mut theirs)
    );
    println!(
        "slower than the best of Siconos (times below its clock of 1 ms count as 1 ms): {slower:?}"
    );
    if let Some(path) = save {
        match std::fs::write(path, csv) {
            Ok(()) => println!("saved to {path}"),
            Err(error) => eprintln!("error: {path}: {error}"),
        }
    }
}

/// What the recorded clock can tell.
const CLOCK: f64 = 0.001;

/// The smallest CPU time of a verified solution at 1e-8, by problem.
fn best_of_siconos(path: &std::path::Path) -> HashMap<String, f64> {
    let mut best = HashMap::new();
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("{} cannot be read; no reference", path.display());
        return best;
    };
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [problem, _, _, "1e-8", _, _, seconds, _, "yes"] = fields[..] else {
            continue;
        };
        if let Ok(seconds) = seconds.parse::<f64>() {
            let entry = best.entry(problem.to_string()).or_insert(seconds);
            *entry = f64::min(*entry, seconds);
        }
    }
    best
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
