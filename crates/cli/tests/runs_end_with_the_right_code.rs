//! The exit code and the summary of a run tell how all of it went, however it ended.

mod common;
use common::*;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// A press squeezes a ball into the ground for a while, which no impulse can prevent: steps fail. Then it lifts, and all converge.
const PRESS: &str = "
duration = 0.6
[simulation]
time_step = 1e-2
[[bodies]]
name = 'ground'
kind = 'fixed'
shape = { type = 'half_space' }
[[bodies]]
name = 'press'
kind = 'driven'
shape = { type = 'box', half_extents = [1, 1, 0.1] }
position = [0, 0, 0.31]
motion = { type = 'velocity', linear = [0, 0, { type = 'table', times = [0.1, 0.11], values = [-0.2, 2] }] }
[[bodies]]
name = 'ball'
shape = { type = 'sphere', radius = 0.1 }
density = 1000
position = [0, 0, 0.1]
";

/// A ball that falls freely.
const BALL: &str = "
duration = 1e6
[output]
every = 1e-2
[simulation]
time_step = 1e-3
[[bodies]]
shape = { type = 'sphere', radius = 0.1 }
mass = 2
position = [0, 0, 3]
";

fn scene(folder: &Path, content: &str) -> String {
    let path = folder.join("scene.toml");
    std::fs::write(&path, content).unwrap();
    text(&path).to_string()
}

/// The rows of `steps.csv` without the time that each step took.
fn steps(directory: &str) -> Vec<Vec<String>> {
    let table = std::fs::read_to_string(Path::new(directory).join("steps.csv")).unwrap();
    let columns = |line: &str| -> Vec<String> { line.split(',').map(String::from).collect() };
    let mut rows: Vec<_> = table.lines().skip(1).map(columns).collect();
    rows.iter_mut().for_each(|row| drop(row.remove(16)));
    rows
}

#[test]
fn a_resumed_run_counts_the_steps_before() {
    let folder = tempdir().unwrap();
    let scene = scene(folder.path(), PRESS);
    let place = |name: &str| text(&folder.path().join(name)).to_string();
    let (whole, parts) = (place("whole"), place("parts"));
    let run = |arguments: &[&str]| {
        let output = moreau(&[arguments, &["--json"]].concat());
        (code(&output), json(&output))
    };
    let (ended, uninterrupted) = run(&["run", &scene, "--output", &whole]);
    assert_eq!(ended, 2);
    assert!(uninterrupted["not_converged"].as_u64().unwrap() > 0);
    let first = ["run", &scene, "--output", &parts, "--duration", "0.3"];
    let (_, first) = run(&first);
    let (ended, resumed) = run(&["resume", &parts, "--duration", "0.6"]);
    assert_eq!(ended, 2, "the steps that failed came before");
    for (key, value) in uninterrupted.as_object().unwrap() {
        if !["seconds", "output", "part"].contains(&key.as_str()) {
            assert_eq!(&resumed[key], value, "{key}");
        }
    }
    let part = &resumed["part"];
    assert_eq!(
        (part["steps"].as_u64(), part["from"].as_f64()),
        (Some(30), first["time"].as_f64())
    );
    let seconds = |value: &serde_json::Value| value.as_f64().unwrap();
    let sum = seconds(&first["seconds"]["total"]) + seconds(&part["seconds"]);
    assert!((seconds(&resumed["seconds"]["total"]) - sum).abs() <= 1e-9 * sum);
    assert_eq!(steps(&whole), steps(&parts));

    // Nothing is left to do, and what was done did not become better by that.
    let output = moreau(&["resume", &parts]);
    assert_eq!(code(&output), 2);
    let (_, again) = run(&["resume", &parts]);
    assert_eq!(again["energy"], uninterrupted["energy"]);
    let shown = stdout(&output);
    assert!(shown.contains("of the whole run"), "{shown}");
}

#[test]
fn a_run_that_stops_at_a_failed_step_tells_so() {
    let folder = tempdir().unwrap();
    let stops = PRESS.replace("[simulation]", "[simulation]\non_failure = 'stop'");
    let scene = scene(folder.path(), &stops);
    let out = text(&folder.path().join("out")).to_string();
    let output = moreau(&["run", &scene, "--output", &out, "--json"]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    assert!(
        stderr(&output).contains("did not converge"),
        "{}",
        stderr(&output)
    );
    let told = json(&output);
    assert_eq!(
        (&told["finished"], &told["not_converged"]),
        (&false.into(), &1.into())
    );
    let rows = steps(&out);
    assert_eq!(told["steps"].as_u64(), Some(rows.len() as u64));
    let (last, others) = rows.split_last().unwrap();
    assert_eq!(last[6], "0", "the last row is that of the step that failed");
    assert!(others.iter().all(|row| row[6] == "1"));
    let step = format!("step {} did not converge", rows.len());
    assert!(told["stopped"].as_str().unwrap().contains(&step), "{told}");

    // Going on makes the step again: the same rows, the same end.
    let output = moreau(&["resume", &out, "--json"]);
    assert_eq!(code(&output), 2);
    assert_eq!(steps(&out), rows);
    assert_eq!(json(&output)["steps"], told["steps"]);
}

#[test]
fn a_run_without_a_step_tells_the_energy_of_its_state() {
    let folder = tempdir().unwrap();
    let scene = scene(folder.path(), BALL);
    let out = text(&folder.path().join("out")).to_string();
    let output = moreau(&["run", &scene, "--output", &out, "--duration", "0", "--json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let energy = json(&output)["energy"].as_f64().unwrap();
    assert!(
        (energy - 2.0 * 9.81 * 3.0).abs() < 1e-9,
        "m g z, not {energy}"
    );
}

#[test]
fn a_folder_has_one_run_at_a_time() {
    let folder = tempdir().unwrap();
    let scene = scene(folder.path(), BALL);
    let out = folder.path().join("out");
    let run = ["run", &scene, "--output", text(&out), "--duration", "0.05"];
    assert_eq!(code(&moreau(&run)), 0);
    let rows = || std::fs::read(out.join("steps.csv")).unwrap();
    let before = rows();
    let held = moreau_files::FolderLock::take(&out).unwrap();
    for arguments in [&run[..], &["resume", text(&out), "--duration", "0.1"]] {
        let refused = moreau(arguments);
        assert_eq!(code(&refused), 1);
        assert!(
            stderr(&refused).contains("another run is writing into this folder"),
            "{}",
            stderr(&refused)
        );
    }
    assert!(rows() == before);
    drop(held);
    assert_eq!(code(&moreau(&run)), 0);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_has_a_code_of_its_own() {
    let folder = tempdir().unwrap();
    let scene = scene(folder.path(), BALL);
    let out = folder.path().join("out");
    let mut child = Command::new(env!("CARGO_BIN_EXE_moreau"))
        .args(["run", &scene, "--output", text(&out), "--threads", "1"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Rows are there when the run has begun.
    let began = Instant::now();
    let rows = || std::fs::read_to_string(out.join("steps.csv")).map_or(0, |t| t.lines().count());
    while rows() < 2 && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let resumed = moreau(&["resume", text(&out), "--duration", "0"]);
    assert_eq!(code(&resumed), 0, "{}", stderr(&resumed));
}
