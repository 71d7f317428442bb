//! Claim: a wrong FCLIB file is refused with what is wrong, where, and what would be right.

mod common;

use common::{Folder, full_problem};
use hdf5_pure::FileBuilder;
use moreau_io::{Form, ProblemFile, read, write_fclib};
use std::collections::BTreeMap;

enum Data {
    Integers(Vec<i32>),
    Reals(Vec<f64>),
}

use Data::{Integers, Reals};

/// Datasets by group and name, all in one problem group.
type Parts = BTreeMap<(&'static str, &'static str), Data>;

/// Two contacts in the plane.
fn local() -> Parts {
    Parts::from([
        (("", "spacedim"), Integers(vec![2])),
        (("vectors", "mu"), Reals(vec![0.5, 0.25])),
        (("vectors", "q"), Reals(vec![1.0, 2.0, 3.0, 4.0])),
        (("W", "m"), Integers(vec![4])),
        (("W", "n"), Integers(vec![4])),
        (("W", "nz"), Integers(vec![-2])),
        (("W", "p"), Integers(vec![0, 1, 2, 2, 3])),
        (("W", "i"), Integers(vec![0, 3, 1])),
        (("W", "x"), Reals(vec![1.0, 2.0, 3.0])),
    ])
}

/// Two contacts in the plane, three degrees of freedom.
fn global() -> Parts {
    let mut parts = Parts::from([
        (("", "spacedim"), Integers(vec![2])),
        (("vectors", "mu"), Reals(vec![0.5, 0.25])),
        (("vectors", "f"), Reals(vec![1.0; 3])),
        (("vectors", "w"), Reals(vec![0.0; 4])),
    ]);
    for (name, columns) in [("M", 3), ("H", 4)] {
        parts.insert((name, "m"), Integers(vec![3]));
        parts.insert((name, "n"), Integers(vec![columns]));
        parts.insert((name, "nz"), Integers(vec![2]));
        parts.insert((name, "p"), Integers(vec![0, 2]));
        parts.insert((name, "i"), Integers(vec![1, 1]));
        parts.insert((name, "x"), Reals(vec![1.0, 2.0]));
    }
    parts
}

fn outcome(kind: &str, parts: &Parts) -> Result<ProblemFile, String> {
    let mut file = FileBuilder::new();
    let mut group = file.create_group(kind);
    for name in ["", "vectors", "W", "M", "H", "V"] {
        let inside: Vec<_> = parts.iter().filter(|(key, _)| key.0 == name).collect();
        if inside.is_empty() {
            continue;
        }
        let mut part = group.create_group(name);
        for ((_, dataset), data) in inside {
            let holder = if name.is_empty() {
                &mut group
            } else {
                &mut part
            };
            match data {
                Integers(values) => holder.create_dataset(dataset).with_i32_data(values),
                Reals(values) => holder.create_dataset(dataset).with_f64_data(values),
            };
        }
        if !name.is_empty() {
            group.add_group(part.finish());
        }
    }
    file.add_group(group.finish());
    let folder = Folder::new();
    let path = folder.file("bad.hdf5");
    std::fs::write(&path, file.finish().unwrap()).unwrap();
    read(&path).map_err(|error| error.to_string())
}

/// One dataset replaced: the message must hold all these words, and the name of the file.
fn refused(
    kind: &str,
    mut parts: Parts,
    key: (&'static str, &'static str),
    data: Data,
    words: &[&str],
) {
    parts.insert(key, data);
    let message = match outcome(kind, &parts) {
        Ok(problem) => panic!("{key:?}: read as {problem:?}"),
        Err(message) => message,
    };
    for word in words.iter().chain(&["bad.hdf5", "expected"]) {
        assert!(message.contains(word), "no '{word}' in: {message}");
    }
}

fn refused_local(key: (&'static str, &'static str), data: Data, words: &[&str]) {
    refused("fclib_local", local(), key, data, words);
}

fn refused_global(key: (&'static str, &'static str), data: Data, words: &[&str]) {
    refused("fclib_global", global(), key, data, words);
}

#[test]
fn the_files_that_the_cases_start_from_are_right() {
    // Rows by compressed rows, the same lines as compressed columns, and triplets.
    let get = |parts: &Parts| match outcome("fclib_local", parts).unwrap().form {
        Form::Local { w, .. } => w,
        Form::Global { .. } => panic!("global"),
    };
    let mut parts = local();
    let rows = get(&parts);
    assert_eq!((rows.get(1, 3), rows.get(3, 1)), (2.0, 3.0));
    parts.insert(("W", "nz"), Integers(vec![-1]));
    assert_eq!(get(&parts), rows.transposed());
    parts.insert(("W", "nz"), Integers(vec![3]));
    parts.insert(("W", "i"), Integers(vec![0, 1, 3]));
    parts.insert(("W", "p"), Integers(vec![0, 3, 1]));
    assert_eq!(get(&parts), rows);
    assert!(outcome("fclib_global", &global()).is_ok());
}

#[test]
fn numbers_that_are_not_finite_and_negative_friction() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let q = Reals(vec![1.0, bad, 0.0, 0.0]);
        refused_local(("vectors", "q"), q, &["q[1]", "finite"]);
        let x = Reals(vec![1.0, bad, 0.0]);
        refused_local(("W", "x"), x, &["W[1, 3]", "finite"]);
        let mu = Reals(vec![0.5, bad]);
        refused_local(("vectors", "mu"), mu, &["mu[1]", "finite"]);
    }
    let mu = Reals(vec![0.5, -0.1]);
    refused_local(
        ("vectors", "mu"),
        mu,
        &["mu[1]", "negative", "zero or more"],
    );
}

#[test]
fn sizes_that_do_not_agree() {
    let words = &["fclib_local/vectors/q", "length 3", "length 4"];
    refused_local(("vectors", "q"), Reals(vec![0.0; 3]), words);
    let words = &["fclib_local/W", "3 columns", "4 rows and 4 columns"];
    refused_local(("W", "n"), Integers(vec![3]), words);
    let words = &["fclib_global/H", "2 rows", "3 rows and 4 columns"];
    refused_global(("H", "m"), Integers(vec![2]), words);
    let words = &["fclib_global/M", "3 rows", "5 rows and 5 columns"];
    refused_global(("vectors", "f"), Reals(vec![0.0; 5]), words);
    let words = &["spacedim", "4 components", "2 (plane)"];
    refused_local(("", "spacedim"), Integers(vec![4]), words);
    let words = &["spacedim", "5 components", "2 or 3"];
    refused_local(("", "spacedim"), Integers(vec![5]), words);
    refused_local(
        ("", "spacedim"),
        Integers(vec![2, 2]),
        &["2 values", "one integer"],
    );
}

#[test]
fn rolling_in_the_plane_and_local_equality_constraints_are_not_supported() {
    let words = &["spacedim", "rolling in the plane", "5"];
    let three = Integers(vec![3]);
    refused(
        "fclib_global_rolling",
        global(),
        ("", "spacedim"),
        three,
        words,
    );
    let words = &["equality constraints", "not supported", "global"];
    refused_local(("V", "m"), Integers(vec![1]), words);
}

#[test]
fn wrong_indices_and_pointers() {
    let words = &["fclib_local/W/i", "index 4", "out of range", "below 4"];
    refused_local(("W", "i"), Integers(vec![0, 4, 1]), words);
    let words = &["fclib_local/W/i", "index -1", "out of range"];
    refused_local(("W", "i"), Integers(vec![0, -1, 1]), words);
    let words = &["fclib_global/H/p", "index 4", "below 4"];
    refused_global(("H", "p"), Integers(vec![0, 4]), words);
    let words = &["fclib_global/H/i", "index 3", "below 3"];
    refused_global(("H", "i"), Integers(vec![3, 0]), words);
    let words = &["fclib_local/W/p", "never decrease"];
    refused_local(("W", "p"), Integers(vec![0, 2, 1, 2, 3]), words);
    refused_local(("W", "p"), Integers(vec![1, 1, 2, 2, 3]), words);
    refused_local(("W", "p"), Integers(vec![0, 1, 2, 2, 4]), words);
    let words = &["fclib_local/W/p", "2 pointers", "5"];
    refused_local(("W", "p"), Integers(vec![0, 1]), words);
    let words = &["fclib_local/W/nz", "-3", "-2 (rows)"];
    refused_local(("W", "nz"), Integers(vec![-3]), words);
}

#[test]
fn wrong_types_and_missing_parts() {
    let words = &["fclib_local/W/i", "f64", "integers"];
    refused_local(("W", "i"), Reals(vec![0.0, 1.0, 3.0]), words);
    let words = &["fclib_local/vectors/q", "i32", "real numbers"];
    refused_local(("vectors", "q"), Integers(vec![0; 4]), words);
    for key in local().keys() {
        let mut parts = local();
        parts.remove(key);
        let message = outcome("fclib_local", &parts).unwrap_err();
        assert!(message.contains(key.1), "{key:?}: {message}");
    }
    let message = outcome("something", &local()).unwrap_err();
    assert!(message.contains("exactly one of fclib_local"), "{message}");
}

#[test]
fn headers_that_announce_billions_take_no_memory() {
    let billion = || Integers(vec![1_000_000_000]);
    let words = &["fclib_local/W", "1000000000 rows", "4 rows"];
    refused_local(("W", "m"), billion(), words);
    let words = &[
        "fclib_global/H/nz",
        "1000000000 entries announced",
        "2 stored",
    ];
    refused_global(("H", "nz"), billion(), words);

    // A dataset whose shape says far more than the bytes of the file.
    let folder = Folder::new();
    let path = folder.file("billion.hdf5");
    let mut file = FileBuilder::new();
    let mut group = file.create_group("fclib_local");
    group.create_dataset("spacedim").with_i32_data(&[3]);
    let mut vectors = group.create_group("vectors");
    // A constant compresses to next to nothing.
    vectors
        .create_dataset("mu")
        .with_f64_data(&vec![0.5; 4_000_000])
        .with_chunks(&[4096])
        .with_deflate(9);
    group.add_group(vectors.finish());
    file.add_group(group.finish());
    std::fs::write(&path, file.finish().unwrap()).unwrap();
    assert!(std::fs::metadata(&path).unwrap().len() < 1_000_000);
    let message = read(&path).unwrap_err().to_string();
    for word in ["vectors/mu", "4000000", "more than the file holds"] {
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn a_file_of_another_kind_and_a_truncated_file() {
    let folder = Folder::new();
    let path = folder.file("bad.hdf5");
    write_fclib(&path, &full_problem()).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let message = read(&path).unwrap_err().to_string();
    assert!(message.contains("intact FCLIB file"), "{message}");
    std::fs::write(&path, FileBuilder::new().finish().unwrap()).unwrap();
    let message = read(&path).unwrap_err().to_string();
    assert!(message.contains("0 problem groups"), "{message}");
}
