//! Claim: no damage to a file makes the reader panic or hang.
//!
//! Whatever still reads must be a valid problem: damage to a value cannot be seen.

mod common;

use common::{Folder, full_problem};
use moreau_algebra::sparse::SparseMatrix;
use moreau_io::{Form, ProblemFile, read, shared_problems, write_fclib, write_siconos_dat};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A small generator with a fixed start: the same damages in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

fn own_files(folder: &Folder) -> Vec<PathBuf> {
    let mut problem = full_problem();
    let global = folder.file("own-global.hdf5");
    write_fclib(&global, &problem).unwrap();
    let w = SparseMatrix::from_triplets(3, 3, &[(0, 0, 1.0), (0, 2, -2.0), (2, 2, 0.5)]);
    problem = ProblemFile {
        form: Form::Local {
            w,
            q: vec![-1.0, 0.0, 0.5],
        },
        solution: None,
        guesses: Vec::new(),
        ..problem
    };
    let local = folder.file("own-local.hdf5");
    write_fclib(&local, &problem).unwrap();
    let text = folder.file("own-local.dat");
    write_siconos_dat(&text, &problem).unwrap();
    vec![global, local, text]
}

fn shared_files(names: &[&str]) -> Vec<PathBuf> {
    let files = shared_problems::all().into_iter();
    files
        .filter(|path| names.iter().any(|name| path.ends_with(name)))
        .collect()
}

fn damage(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    match random.below(4) {
        0 => bytes.truncate(random.below(bytes.len())),
        1 => {
            for _ in 0..1 + random.below(8) {
                let place = random.below(bytes.len());
                bytes[place] ^= 1 << random.below(8);
            }
        }
        2 => {
            let place = random.below(bytes.len());
            let end = (place + 1 + random.below(16)).min(bytes.len());
            let value = [0, 0xff, b' ', b'9', random.below(256) as u8][random.below(5)];
            bytes[place..end].fill(value);
        }
        _ => replace_token(&mut bytes, random),
    }
    bytes
}

/// Replaces a token of a text; in a binary file, bytes that happen to stand between blanks.
fn replace_token(bytes: &mut Vec<u8>, random: &mut Random) {
    let words = [
        "",
        "-1",
        "0",
        "1",
        "2",
        "7",
        "999999999999",
        "18446744073709551615",
        "nan",
        "-inf",
        "1e999",
        "1.5",
        "x",
        "3.0abc",
        ":",
        "triplet:",
        "-",
    ];
    let place = random.below(bytes.len());
    let blank = |byte: &u8| byte.is_ascii_whitespace();
    let before = bytes[..place].iter().rposition(blank);
    let start = before.map_or(0, |position| position + 1);
    let after = bytes[place..].iter().position(blank);
    let end = after.map_or(bytes.len(), |position| place + position);
    let word = words[random.below(words.len())];
    bytes.splice(start.min(end)..end, word.bytes());
}

fn attack(files: &[PathBuf], folder: &Folder, attempts: usize) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let path = folder.file("damaged");
    let (mut refused, mut slowest) = (0, Duration::ZERO);
    for file in files {
        let bytes = std::fs::read(file).unwrap();
        for _ in 0..attempts {
            std::fs::write(&path, damage(&bytes, &mut random)).unwrap();
            let start = Instant::now();
            match read(&path) {
                Ok(problem) => problem.validate().unwrap(),
                Err(error) => {
                    refused += 1;
                    assert!(error.to_string().len() < 2000, "{error}");
                }
            }
            slowest = slowest.max(start.elapsed());
        }
    }
    assert!(refused > 0);
    assert!(slowest < Duration::from_secs(5), "{slowest:?}");
}

#[test]
fn thousands_of_damaged_fclib_files() {
    let folder = Folder::new();
    let mut files = own_files(&folder);
    files.pop();
    files.extend(shared_files(&[
        "LMGC_GFC3D-i00001-1-00000.hdf5",
        "Chute-ndof-768-nc-4-3.hdf5",
    ]));
    attack(&files, &folder, 1000);
}

#[test]
fn thousands_of_damaged_text_files() {
    let folder = Folder::new();
    let mut files = own_files(&folder).split_off(2);
    files.extend(shared_files(&[
        "FrictionContact3D_1c.dat",
        "GFC3D_Example1.dat",
        "rfc3d_sphere_from_grfc3d.dat",
        "FC3D_Example1_SBM.dat",
    ]));
    attack(&files, &folder, 1000);
}

#[test]
fn every_truncation_of_a_small_file_is_refused_or_valid() {
    let folder = Folder::new();
    let path = folder.file("short");
    for file in own_files(&folder) {
        let bytes = std::fs::read(file).unwrap();
        for length in 0..bytes.len() {
            std::fs::write(&path, &bytes[..length]).unwrap();
            if let Ok(problem) = read(&path) {
                problem.validate().unwrap();
            }
        }
    }
}
