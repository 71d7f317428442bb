//! Bad input: exit code 1, nothing on stdout, and a message that begins with `error:`.

mod common;
use common::*;
use tempfile::tempdir;

fn refused(arguments: &[&str], expected: &[&str]) {
    let output = moreau(arguments);
    let message = stderr(&output);
    assert_eq!(code(&output), 1, "{arguments:?}: {message}");
    assert!(message.starts_with("error:"), "{arguments:?}: {message}");
    assert_eq!(stdout(&output), "", "{arguments:?}");
    for part in expected {
        assert!(message.contains(part), "'{part}' is not in: {message}");
    }
}

#[test]
fn files_that_are_no_problems() {
    let folder = tempdir().unwrap();
    let file = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_string()
    };
    let whole = std::fs::read(chain(folder.path(), 3)).unwrap();
    let missing = folder.path().join("missing.hdf5");
    refused(&["solve", text(&missing)], &["missing.hdf5", "cannot read"]);
    refused(&["solve", &file("empty.dat", b"")], &["empty.dat", "empty"]);
    refused(&["solve", text(folder.path())], &["folder"]);
    refused(
        &["solve", &file("garbage.dat", b"\x00\xff not numbers")],
        &["garbage.dat"],
    );
    refused(
        &["solve", &file("cut.dat", &whole[..whole.len() / 2])],
        &["cut.dat"],
    );
    let signature = b"\x89HDF\r\n\x1a\n and nothing more";
    refused(&["solve", &file("cut.hdf5", signature)], &["cut.hdf5"]);
    let negative = b"2 1  0 2 2  2 2  1 0 0 1  -1 0.5  -0.3";
    refused(
        &["solve", &file("negative.dat", negative), "--json"],
        &["negative.dat", "mu", "-0.3", "zero or more"],
    );
    let empty = folder.path().join("no problems");
    std::fs::create_dir(&empty).unwrap();
    refused(&["compare", text(&empty)], &["no problem file"]);
}

#[test]
fn misspelt_names_bring_the_right_one() {
    let folder = tempdir().unwrap();
    let path = chain(folder.path(), 2);
    let file = text(&path);
    refused(
        &["solve", file, "--solver", "gaus_seidel"],
        &["gaus_seidel", "Did you mean 'gauss_seidel'?"],
    );
    refused(
        &["solve", file, "--law", "coulom"],
        &["Did you mean 'coulomb'?"],
    );
    refused(
        &["solve", file, "--measure", "naturl"],
        &["Did you mean 'natural'?"],
    );
    refused(
        &["compare", file, "--solvers", "apgd,jacoby"],
        &["Did you mean 'jacobi'?"],
    );
    refused(&["solve", file, "--solver", "xyzzy"], &["the solvers are"]);
}

#[test]
fn numbers_that_make_no_sense() {
    let folder = tempdir().unwrap();
    let path = chain(folder.path(), 2);
    let file = text(&path);
    for (option, value) in [
        ("--tolerance", "NaN"),
        ("--tolerance", "-1e-3"),
        ("--tolerance", "inf"),
        ("--tolerance", "small"),
        ("--threads", "0"),
        ("--threads", "1000000"),
        ("--threads", "-2"),
        ("--time-limit", "-1"),
        ("--max-iterations", "0"),
        ("--check-every", "0"),
    ] {
        refused(&["solve", file, option, value], &[option, "it must be"]);
    }
}

#[test]
fn what_does_not_fit_together() {
    let folder = tempdir().unwrap();
    let path = chain(folder.path(), 2);
    let file = text(&path);
    refused(
        &["solve", file, "--solver", "apgd", "--law", "coulomb"],
        &["apgd", "coulomb", "gauss_seidel"],
    );
    refused(
        &[
            "solve",
            file,
            "--solver",
            "gauss_seidel",
            "--law",
            "coulomb",
            "--measure",
            "gap",
        ],
        &["gap", "relaxed"],
    );
    refused(
        &["compare", file, "--solvers", "apgd", "--law", "box"],
        &["none of them solves the box law", "gauss_seidel"],
    );
    refused(
        &[
            "compare",
            file,
            file,
            "--convergence",
            text(&folder.path().join("x.svg")),
        ],
        &["--convergence", "one file"],
    );
}

#[test]
fn outputs_that_cannot_be_written_are_refused_before_the_solve() {
    let folder = tempdir().unwrap();
    let path = chain(folder.path(), 2);
    let file = text(&path);
    let nowhere = folder.path().join("no/such/folder/x.svg");
    let dat = folder.path().join("solved.dat");
    let pdf = folder.path().join("x.pdf");
    for option in ["--plot", "--history", "--write-solution"] {
        refused(
            &["solve", file, option, text(&nowhere)],
            &["x.svg", "cannot write"],
        );
        refused(&["solve", file, option, text(folder.path())], &[]);
    }
    refused(&["solve", file, "--plot", text(&pdf)], &[".svg or .png"]);
    refused(
        &["compare", file, "--plot", text(&nowhere)],
        &["cannot write"],
    );
    refused(
        &["solve", file, "--write-solution", text(&dat)],
        &["solved.dat", "no place for a solution", ".hdf5"],
    );
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "only the problem is there: {left:?}");
}
