//! Claim: a write either completes or leaves the folder as it was.

mod common;

use common::{Folder, full_problem, problem_bits};
use moreau_io::{Form, read, write_fclib, write_siconos_dat};

#[test]
fn a_problem_that_is_wrong_does_not_replace_the_file() {
    let folder = Folder::new();
    let path = folder.file("kept.hdf5");
    let mut problem = full_problem();
    write_fclib(&path, &problem).unwrap();
    let before = std::fs::read(&path).unwrap();
    problem.friction[0] = -1.0;
    let message = write_fclib(&path, &problem).unwrap_err().to_string();
    assert!(
        message.contains("mu[0]") && message.contains("negative"),
        "{message}"
    );
    problem = full_problem();
    problem.info.title = "zero \0 inside".into();
    let message = write_fclib(&path, &problem).unwrap_err().to_string();
    assert!(message.contains("info/title"), "{message}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(folder.names(), ["kept.hdf5"]);
}

#[test]
fn a_path_that_cannot_be_written_is_told() {
    let folder = Folder::new();
    let problem = full_problem();
    let absent = folder.file("absent").join("a.hdf5");
    let message = write_fclib(absent, &problem).unwrap_err().to_string();
    assert!(message.contains("cannot write"), "{message}");
    let message = write_fclib(folder.path(), &problem)
        .unwrap_err()
        .to_string();
    assert!(message.contains("folder"), "{message}");
    assert!(folder.names().is_empty());
}

#[test]
fn a_second_write_replaces_the_first_and_nothing_else_remains() {
    let folder = Folder::new();
    let path = folder.file("a.dat");
    let mut problem = full_problem();
    if let Form::Global { bilateral, .. } = &mut problem.form {
        *bilateral = None;
    }
    problem.solution = None;
    problem.guesses.clear();
    write_fclib(&path, &problem).unwrap();
    write_siconos_dat(&path, &problem).unwrap();
    assert!(std::fs::read(&path).unwrap().starts_with(b"3\n1\n"));
    assert!(problem_bits(&read(&path).unwrap()) == problem_bits(&problem));
    assert_eq!(folder.names(), ["a.dat"]);
}
