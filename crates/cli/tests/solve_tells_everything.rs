//! `moreau solve`: exit codes, the keys of its JSON, and the files it writes.

mod common;
use common::*;
use serde_json::Value;
use tempfile::tempdir;

fn keys(value: &Value) -> Vec<&str> {
    let object = value.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}

fn sorted(mut names: Vec<&str>) -> Vec<&str> {
    names.sort_unstable();
    names
}

#[test]
fn json_has_the_promised_keys_and_types() {
    let folder = tempdir().unwrap();
    let path = chain(folder.path(), 6);
    let output = moreau(&["solve", text(&path), "--law", "relaxed", "--json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    let run = json(&output);
    let promised = [
        "contacts",
        "cpu_seconds",
        "error",
        "errors",
        "iterations",
        "law",
        "measure",
        "notes",
        "objective",
        "problem",
        "products",
        "seconds",
        "solver",
        "status",
        "threads",
        "tolerance",
    ];
    assert_eq!(sorted(keys(&run)), promised);
    let errors = &run["errors"];
    let measures = [
        "de",
        "energy",
        "gap",
        "koziara",
        "max",
        "max_contact",
        "mazhar",
        "natural",
        "silcowitz",
        "tasora",
    ];
    assert_eq!(sorted(keys(errors)), measures);
    assert_eq!(
        sorted(keys(&errors["de"])),
        ["complementarity", "dual", "primal"]
    );
    for name in ["problem", "law", "solver", "status", "measure"] {
        assert!(run[name].is_string(), "{name}");
    }
    for name in ["contacts", "iterations", "products", "threads"] {
        assert!(run[name].is_u64(), "{name}");
    }
    for name in ["seconds", "cpu_seconds", "error", "objective", "tolerance"] {
        assert!(run[name].is_number(), "{name}");
    }
    for name in measures.iter().filter(|name| **name != "de") {
        assert!(errors[name].is_number(), "{name}");
    }
    assert_eq!(run["status"], "converged");
    assert_eq!(run["contacts"], 6);
    assert!(run["error"].as_f64().unwrap() <= 1e-8);
}

#[test]
fn the_gap_is_null_where_there_is_none() {
    let folder = tempdir().unwrap();
    let path = chain(folder.path(), 3);
    let run = json(&moreau(&[
        "solve",
        text(&path),
        "--law",
        "coulomb",
        "--json",
    ]));
    assert_eq!(run["law"], "coulomb");
    assert!(run["errors"]["gap"].is_null());
}

#[test]
fn not_converging_is_code_2_and_said_so() {
    let folder = tempdir().unwrap();
    let path = chain(folder.path(), 20);
    let arguments = [
        "solve",
        text(&path),
        "--solver",
        "jacobi",
        "--max-iterations",
        "2",
    ];
    let output = moreau(&arguments);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    assert!(stdout(&output).contains("iteration_limit"));
    let output = moreau(&[&arguments[..], &["--json"]].concat());
    assert_eq!(code(&output), 2);
    assert_eq!(json(&output)["status"], "iteration_limit");
}

#[test]
fn the_error_can_be_measured_now_and_then() {
    let folder = tempdir().unwrap();
    let path = chain(folder.path(), 20);
    let solve = ["solve", text(&path), "--solver", "gauss_seidel", "--json"];
    let each = json(&moreau(&solve));
    let seventh = json(&moreau(&[&solve[..], &["--check-every", "7"]].concat()));
    let iterations = |run: &serde_json::Value| run["iterations"].as_u64().unwrap();
    assert_eq!(seventh["status"], "converged");
    assert_eq!(
        iterations(&seventh),
        iterations(&each).next_multiple_of(7),
        "it ends where it is next measured"
    );
}

#[test]
fn people_see_the_law_every_measure_and_the_worst_contact() {
    let folder = tempdir().unwrap();
    let path = chain(folder.path(), 4);
    let output = moreau(&["solve", text(&path), "--solver", "gauss_seidel"]);
    assert_eq!(code(&output), 0);
    let said = stdout(&output);
    for part in [
        "4 contacts in space",
        "assembled",
        "coulomb law",
        "converged",
        "natural",
        "energy",
        "mazhar",
        "tasora",
        "silcowitz",
        "koziara",
        "de",
        "gap",
        "max",
        "objective",
        "worst",
    ] {
        assert!(said.contains(part), "'{part}' is not in:\n{said}");
    }
}

#[test]
fn the_history_is_csv_and_its_best_error_is_the_answers() {
    let folder = tempdir().unwrap();
    let path = chain(folder.path(), 12);
    let history = folder.path().join("history.csv");
    let plot = folder.path().join("errors.svg");
    let output = moreau(&[
        "solve",
        text(&path),
        "--solver",
        "apgd",
        "--json",
        "--history",
        text(&history),
        "--plot",
        text(&plot),
    ]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let csv = std::fs::read_to_string(&history).unwrap();
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("iteration,products,seconds,error,objective,step")
    );
    let rows: Vec<Vec<f64>> = lines
        .map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect())
        .collect();
    assert!(rows.len() > 2 && rows.iter().all(|row| row.len() == 6));
    assert!(rows.windows(2).all(|pair| pair[0][0] < pair[1][0]));
    let run = json(&output);
    // The referee computes the velocities anew, so rounding differs.
    let (best, told) = (rows.last().unwrap()[3], run["error"].as_f64().unwrap());
    assert!((best - told).abs() <= 1e-12, "{best} and {told}");
    assert_eq!(
        rows.last().unwrap()[0] as u64,
        run["iterations"].as_u64().unwrap()
    );
    assert!(std::fs::read_to_string(&plot).unwrap().contains("apgd"));
}

#[test]
fn a_written_solution_is_a_problem_file_that_solves_to_the_same() {
    let folder = tempdir().unwrap();
    let path = chain(folder.path(), 5);
    let solved = folder.path().join("solved.hdf5");
    let options = ["--json", "--solver", "gauss_seidel"];
    let first = moreau(
        &[
            &["solve", text(&path), "--write-solution", text(&solved)],
            &options[..],
        ]
        .concat(),
    );
    assert_eq!(code(&first), 0, "{}", stderr(&first));
    let second = moreau(&[&["solve", text(&solved)], &options[..]].concat());
    assert_eq!(code(&second), 0, "{}", stderr(&second));
    let (first, second) = (json(&first), json(&second));
    for key in ["errors", "objective", "iterations", "contacts", "law"] {
        assert_eq!(first[key], second[key], "{key}");
    }
    let file = moreau_io::read(&solved).unwrap();
    let solution = file.solution.expect("a solution");
    assert_eq!(solution.impulses.len(), 15);
    assert_eq!(solution.velocities.len(), 15);
    assert!(solution.impulses[0] > 0.0);
}

#[test]
fn no_contacts_are_solved_at_once() {
    use moreau_algebra::sparse::SparseMatrix;
    let folder = tempdir().unwrap();
    let path = folder.path().join("nothing.hdf5");
    let nothing = moreau_io::ProblemFile {
        dimension: 3,
        friction: Vec::new(),
        rolling_friction: Vec::new(),
        form: moreau_io::Form::Local {
            w: SparseMatrix::from_triplets(0, 0, &[]),
            q: Vec::new(),
        },
        info: moreau_io::Info::default(),
        solution: None,
        guesses: Vec::new(),
    };
    moreau_io::write_fclib(&path, &nothing).unwrap();
    for arguments in [
        &["solve", text(&path), "--json"][..],
        &["solve", text(&path)],
    ] {
        let output = moreau(arguments);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
    }
    let run = json(&moreau(&["solve", text(&path), "--json"]));
    assert_eq!(run["status"], "converged");
    assert_eq!(run["contacts"], 0);
    assert!(run["errors"]["max_contact"].is_null());
}
