//! What the tests of the command line share.
#![allow(dead_code)] // each test file uses its part

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs `moreau` with these arguments.
pub fn moreau<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_moreau"))
        .args(arguments)
        .output()
        .expect("the program starts")
}

/// The exit code.
pub fn code(output: &Output) -> i32 {
    output.status.code().expect("the program was not killed")
}

/// What it said on stderr.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What it said on stdout.
pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Its stdout as JSON.
pub fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!(
            "{error} in '{}', stderr '{}'",
            stdout(output),
            stderr(output)
        )
    })
}

/// Writes a chain of blocks under a falling load as a .dat file: coupled, with sticking and sliding.
pub fn chain(folder: &Path, contacts: usize) -> PathBuf {
    let rows = 3 * contacts;
    let mut text = format!("3 {contacts}\n0 {rows} {rows}\n{rows} {rows}\n");
    for column in 0..rows {
        for row in 0..rows {
            let value = match (row / 3).abs_diff(column / 3) {
                0 if row == column => 2.0,
                1 if row % 3 == column % 3 => -0.9,
                _ => 0.0,
            };
            text.push_str(&format!("{value} "));
        }
        text.push('\n');
    }
    for contact in 0..contacts {
        text.push_str(&format!("-1 {} 0.25\n", 0.1 * contact as f64));
    }
    text.push_str(&"0.5 ".repeat(contacts));
    let path = folder.join(format!("chain-{contacts}.dat"));
    std::fs::write(&path, text).expect("the folder can be written");
    path
}

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("a path of plain characters")
}
