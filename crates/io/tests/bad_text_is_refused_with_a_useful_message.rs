//! Claim: a wrong text file is refused with what is wrong, where, and what would be right.

mod common;

use common::Folder;
use moreau_io::read;
use std::time::{Duration, Instant};

/// The message about a text must hold all these words, and the name of the file.
fn refused(text: &str, words: &[&str]) {
    let folder = Folder::new();
    let path = folder.file("bad.dat");
    std::fs::write(&path, text).unwrap();
    let start = Instant::now();
    let message = match read(&path) {
        Ok(problem) => panic!("{text:?} was read as {problem:?}"),
        Err(error) => error.to_string(),
    };
    assert!(start.elapsed() < Duration::from_secs(1));
    for word in words.iter().chain(&["bad.dat", "expected"]) {
        assert!(message.contains(word), "no '{word}' in: {message}");
    }
}

const W: &str = "0 2 2 2 2 1 0 0 1";

#[test]
fn missing_files_and_folders() {
    let folder = Folder::new();
    let message = read(folder.file("absent.dat")).unwrap_err().to_string();
    assert!(message.contains("absent.dat") && message.contains("cannot read"));
    let message = read(folder.path()).unwrap_err().to_string();
    assert!(message.contains("cannot read"), "{message}");
}

#[test]
fn empty_and_truncated_files() {
    refused("", &["empty", "FCLIB"]);
    refused(" \n", &["line 2", "ends before", "components per contact"]);
    refused(&format!("2 1\n{W}\n1"), &["line 2", "q", "2 announced"]);
    refused(
        &format!("2 1\n{W}\n1 2       \n"),
        &["line 4", "ends before mu"],
    );
}

#[test]
fn numbers_that_are_not_finite_or_not_numbers() {
    for word in ["nan", "NaN", "inf", "-inf", "1e999", "1.5abc", "1,5", "--1"] {
        let text = format!("2 1\n{W}\n1\n{word}\n0.5");
        refused(
            &text,
            &["line 4", &format!("'{word}'"), "q", "finite number"],
        );
        let text = format!("2 1\n0 2 2 2 2 1 0\n{word} 1\n1 2 0.5");
        refused(&text, &["line 3", &format!("'{word}'"), "finite number"]);
        let text = format!("2 1\n{W}\n1 2\n{word}");
        refused(&text, &["line 4", "mu", "finite number"]);
    }
}

#[test]
fn negative_friction() {
    refused(
        &format!("2 1\n{W}\n1 2\n-0.5"),
        &["line 4", "mu", "negative", "-0.5", "zero or more"],
    );
}

#[test]
fn integers_that_are_not() {
    refused("2.5 1", &["line 1", "'2.5'", "integer"]);
    refused("2 1x", &["'1x'", "number of contacts", "integer"]);
    refused("2 -1", &["-1", "number of contacts", "positive"]);
    refused("99999999999999999999 1", &["integer"]);
    refused(
        "4 0 0 0 0 0 0",
        &["4 components per contact", "5 (rolling)"],
    );
    refused("2 1 9 2 2 2 2 1 0 0 1 1 2 0.5", &["storage 9", "0 (dense)"]);
}

#[test]
fn sizes_that_do_not_agree() {
    refused(
        "2 1 0 2 3 2 3 1 0 0 1 1 1 1 1 1 1",
        &["2 rows and 3 columns", "2 rows and 2 columns"],
    );
    refused("2 1 0 2 2 3 3 1 0 0 1 1 2 0.5", &["3 rows", "2 rows"]);
    let one = "0 1 1 1 1 1";
    refused(&format!("2 1 {one} 1.5 2 0.5"), &["1 rows", "H"]);
    // M has 3 rows, H has 2.
    let mass = "0 3 3 3 3 1 0 0 0 1 0 0 0 1";
    refused(
        &format!("2 1 {mass} {W} 1 1 1 1 1 0.5 1 1"),
        &["H", "2 rows and 2 columns", "3 rows and 2 columns"],
    );
}

#[test]
fn wrong_block_matrices() {
    let end = "1 0 0 1  1 2 0.5 1 1 1";
    let bad = |start: &str, words: &[&str]| refused(&format!("2 1 1 2 2 {start} {end}"), words);
    bad(
        "1 1 1  3  2  2 1  0 1  0  0",
        &["row sizes", "3", "up to 2"],
    );
    bad(
        "1 1 1  1  2  2 1  0 1  0  0",
        &["row sizes", "size of the matrix"],
    );
    bad(
        "1 1 1  2  2  2 1  1 0  0  0",
        &["block row pointer", "never decrease"],
    );
    bad(
        "1 1 1  2  2  2 1  0 0  0  0",
        &["pointers", "number of blocks"],
    );
    bad(
        "1 1 1  2  2  2 1  0 1  7  0",
        &["block column", "7", "below 1"],
    );
    bad("1 1 1  2  2  2 1  0 1  0  4", &["block number 4", "0"]);
    bad(
        "1 1 1  2  2  9 1  0 1  0  0",
        &["9 block row pointers", "at most 2"],
    );
}

#[test]
fn wrong_sparse_matrices() {
    let end = "1 2 0.5";
    let triplet =
        |entry: &str| format!("2 1 2 2 2 1\nb\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n{entry}\n{end}");
    refused(
        &triplet("2 0 : 1"),
        &["line 4", "row", "2", "out of range", "below 2"],
    );
    refused(&triplet("0 -1 : 1"), &["line 4", "column", "-1"]);
    refused(&triplet("0 0.5 : 1"), &["line 4", "'0.5'", "integer"]);
    refused(&triplet("0 0 ; 1"), &["line 4", "';'", "':'"]);
    refused(&triplet("0 0 : nan"), &["line 4", "'nan'", "finite"]);
    let sizes = |line: &str| format!("2 1 2 2 2 1\nb\n{line}\n0 0 : 1\n{end}");
    refused(
        &sizes("triplet: 2-by-3, nzmax: 1 nnz: 1"),
        &["line 3", "3 columns", "2 columns"],
    );
    refused(
        &sizes("triplet: 2 by 2"),
        &["line 3", "sizes of a sparse matrix", "-by-"],
    );
    refused(
        &sizes("2-by-2, nzmax: 1 nnz: 1"),
        &["line 3", "origin 1", "'triplet:'"],
    );
    refused(
        "2 1 2 2 2 7\nb\n2-by-2, nzmax: 1 nnz: 1\n 1 2 3 4 5",
        &["origin 7", "(columns)"],
    );
    let column =
        |text: &str| format!("2 1 2 2 2 2\nb\n2-by-2, nzmax: 2 nnz: 2, 1-norm: 1\n{text}\n{end}");
    refused(
        &column("col 0 : locations 0 to 0\n5 : 1\ncol 1 : locations 1 to 1\n1 : 1"),
        &["line 5", "5", "out of range"],
    );
    refused(
        &column("col 0 : locations 1 to 0\ncol 1 : locations 0 to 1\n0 : 1\n1 : 1"),
        &["line 4", "col 0", "from location 0"],
    );
    refused(
        &column("col 0 : locations 0 to 0\n0 : 1\ncol 1 : locations 1 to 0\n   "),
        &["1 entries", "2, as announced"],
    );
}

#[test]
fn a_header_that_announces_billions_takes_no_memory() {
    let billion = "1000000000";
    let beyond = "9223372036854775807";
    for size in [billion, beyond] {
        refused(
            &format!("3 {size} {W}"),
            &["number of contacts", "more than the file holds"],
        );
        refused(
            &format!("3 1 0 {size} {size} {size} {size} 1"),
            &["rows", "more than"],
        );
        refused(
            &format!("2 1 1 2 2 {size} 1 1 2 2 2 1"),
            &["blocks", "more than"],
        );
        refused(
            &format!("2 1 1 2 2 1 {size} 1 2 2 2 1"),
            &["block rows", "more than"],
        );
        let sparse = format!("2 1 2 2 2 1\nb\ntriplet: 2-by-2, nzmax: 1 nnz: {size}\n0 0 : 1\n");
        refused(&sparse, &["entries", "more than"]);
    }
}
