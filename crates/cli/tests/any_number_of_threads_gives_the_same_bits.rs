//! The answer does not depend on the number of threads, to the last bit.

mod common;
use common::*;
use tempfile::tempdir;

fn same_for_all_threads(file: &str, solver: &str) {
    let mut answers = Vec::new();
    for threads in ["1", "2", "4"] {
        let output = moreau(&[
            "solve",
            file,
            "--solver",
            solver,
            "--law",
            "relaxed",
            "--max-iterations",
            "20",
            "--threads",
            threads,
            "--json",
        ]);
        assert_ne!(code(&output), 1, "{}", stderr(&output));
        let run = json(&output);
        assert_eq!(run["threads"].to_string(), threads);
        let told = ["errors", "error", "objective", "iterations", "status"];
        answers.push(told.map(|key| run[key].to_string()));
    }
    assert_eq!(answers[0], answers[1], "{solver} on {file}");
    assert_eq!(answers[0], answers[2], "{solver} on {file}");
}

#[test]
fn on_a_small_problem() {
    let folder = tempdir().unwrap();
    let path = chain(folder.path(), 40);
    for solver in ["apgd", "accelerated_gauss_seidel", "gauss_seidel", "spg"] {
        same_for_all_threads(text(&path), solver);
    }
}

#[test]
fn on_shared_problems_small_and_large() {
    let Some(folder) = moreau_io::shared_problems::directory() else {
        eprintln!("skipped: no shared problems; set MOREAU_FCLIB_DIR to their folder");
        return;
    };
    for name in ["Spheres-i099-356-679.hdf5", "pressure-1e3kg.hdf5"] {
        let path = folder.join("problems").join(name);
        for solver in ["apgd", "accelerated_gauss_seidel"] {
            same_for_all_threads(text(&path), solver);
        }
    }
}
