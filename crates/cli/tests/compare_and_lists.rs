//! `moreau compare`, `moreau solvers`, and the help.

mod common;
use common::*;
use tempfile::tempdir;

#[test]
fn compare_writes_exactly_the_files_asked_for() {
    let folder = tempdir().unwrap();
    let problems = folder.path().join("problems");
    std::fs::create_dir(&problems).unwrap();
    chain(&problems, 4);
    chain(&problems, 8);
    let (plot, csv) = (
        folder.path().join("profile.svg"),
        folder.path().join("runs.csv"),
    );
    let output = moreau(&[
        "compare",
        text(&problems),
        "--solvers",
        "gauss_seidel,apgd",
        "--plot",
        text(&plot),
        "--csv",
        text(&csv),
    ]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).contains("Summary") && stdout(&output).contains("2 of 2"));
    assert!(
        std::fs::read_to_string(&plot)
            .unwrap()
            .contains("share of problems")
    );
    let lines = std::fs::read_to_string(&csv).unwrap();
    assert_eq!(lines.lines().count(), 5);
    let columns: Vec<_> = lines.lines().map(|line| line.split(',').count()).collect();
    assert!(columns.iter().all(|count| *count == columns[0]), "{lines}");
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(names.len(), 3, "{names:?}");
}

#[test]
fn one_file_gives_convergence_curves() {
    let folder = tempdir().unwrap();
    let path = chain(folder.path(), 6);
    for option in ["--plot", "--convergence"] {
        let picture = folder.path().join(format!("curves{option}.svg"));
        let output = moreau(&[
            "compare",
            text(&path),
            "--solvers",
            "apgd",
            option,
            text(&picture),
        ]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(
            std::fs::read_to_string(&picture)
                .unwrap()
                .contains("seconds")
        );
    }
}

#[test]
fn solvers_that_do_not_know_the_law_are_skipped_and_named() {
    let folder = tempdir().unwrap();
    let path = chain(folder.path(), 3);
    let arguments = [
        "compare",
        text(&path),
        "--law",
        "coulomb",
        "--solvers",
        "apgd,gauss_seidel",
    ];
    let output = moreau(&arguments);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(
        stdout(&output).contains("skipped: apgd"),
        "{}",
        stdout(&output)
    );
    let all = json(&moreau(&[&arguments[..], &["--json"]].concat()));
    assert_eq!(all["skipped"][0]["solver"], "apgd");
    assert_eq!(all["runs"].as_array().unwrap().len(), 1);
    assert_eq!(all["summary"][0]["solved"], 1);
}

#[test]
fn a_run_that_does_not_converge_makes_code_2() {
    let folder = tempdir().unwrap();
    let path = chain(folder.path(), 20);
    let output = moreau(&[
        "compare",
        text(&path),
        "--solvers",
        "jacobi",
        "--max-iterations",
        "2",
    ]);
    assert_eq!(code(&output), 2);
}

#[test]
fn solvers_are_listed_for_people_and_programs() {
    let list = json(&moreau(&["solvers", "--json"]));
    let said = stdout(&moreau(&["solvers"]));
    let list = list.as_array().unwrap();
    assert!(list.len() >= 7);
    for solver in list {
        assert!(said.contains(solver["name"].as_str().unwrap()));
        assert!(solver["summary"].as_str().unwrap().len() > 20);
        assert!(!solver["laws"].as_array().unwrap().is_empty());
    }
}

#[test]
fn help_teaches_and_is_no_error() {
    let output = moreau::<&str>(&[]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("moreau demo"));
    for command in ["solve", "compare"] {
        let output = moreau(&[command, "--help"]);
        assert_eq!(code(&output), 0);
        assert!(stdout(&output).contains("Examples:") && stdout(&output).contains("default"));
    }
    assert_eq!(code(&moreau(&["--version"])), 0);
    assert_eq!(code(&moreau(&["solv"])), 1);
}
