//! `moreau bench`: figures of small scenes, and what became slower since an earlier run.

mod common;
use common::*;
use serde_json::{Value, json};
use tempfile::tempdir;

/// A run that takes a second or two.
const SMALL: [&str; 11] = [
    "bench",
    "--quick",
    "--scenes",
    "brick_wall",
    "--solvers",
    "apgd,gauss_seidel",
    "--errors",
    "1e-1,1e-2",
    "--time-limit",
    "5",
    "--steps=1",
];

fn bench(more: &[&str]) -> std::process::Output {
    moreau(&[&SMALL, more].concat())
}

#[test]
fn the_figures_are_complete_and_what_became_slower_is_named() {
    let folder = tempdir().unwrap();
    let (saved, plot) = (
        folder.path().join("run.json"),
        folder.path().join("errors.svg"),
    );
    let output = bench(&["--save", text(&saved), "--plot", text(&plot)]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    for word in ["broad phase", "solve", "gauss_seidel", "to 1e-2", "GB/s"] {
        assert!(
            stdout(&output).contains(word),
            "{word}: {}",
            stdout(&output)
        );
    }
    assert!(
        std::fs::read_to_string(&plot)
            .unwrap()
            .contains("CPU seconds")
    );

    let mut run: Value = serde_json::from_str(&std::fs::read_to_string(&saved).unwrap()).unwrap();
    let scene = &mut run["scenes"][0];
    assert_eq!(scene["name"], "brick_wall");
    assert!(scene["contacts"].as_u64().unwrap() > 100);
    assert!(scene["bandwidth"].as_f64().unwrap() > 1e8);
    assert!(scene["steps"]["stages"]["solve"].as_f64().unwrap() > 0.0);
    let apgd = scene["solvers"][0].clone();
    assert_eq!(apgd["solver"], "apgd");
    assert_eq!(apgd["solves"][1]["ratio_to_apgd"], 1.0);
    let iterations = apgd["solves"][1]["iterations"].as_u64().unwrap();
    assert!(iterations > 5);

    // An earlier run that took a third of the iterations here, and three times as many there.
    scene["solvers"][0]["solves"][1]["iterations"] = json!(iterations / 3);
    let other = scene["solvers"][1]["solves"][1]["iterations"].as_u64();
    scene["solvers"][1]["solves"][1]["iterations"] = json!(3 * other.unwrap());
    let doctored = folder.path().join("doctored.json");
    std::fs::write(&doctored, run.to_string()).unwrap();
    let output = bench(&["--json", "--compare", text(&doctored), "--threshold", "2"]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    let comparison = json(&output)["comparison"].clone();
    let named = |list: &str, figure: &str| {
        let changes = comparison[list].as_array().unwrap();
        changes.iter().any(|change| change["figure"] == figure)
    };
    assert!(
        named("slower", "iterations of apgd to 1e-2"),
        "{comparison}"
    );
    assert!(named("faster", "iterations of gauss_seidel to 1e-2"));
    // Iterations are the same in every run, so those that nobody touched have not changed.
    assert!(!named("slower", "iterations of apgd to 1e-1"));
    assert!(!named("faster", "iterations of apgd to 1e-1"));

    let output = bench(&["--compare", text(&doctored), "--threshold", "2"]);
    assert!(
        stdout(&output).contains("Became slower"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn bad_input_is_refused_with_the_nearest_word_before_anything_is_measured() {
    let folder = tempdir().unwrap();
    let no_run = folder.path().join("no_run.json");
    std::fs::write(&no_run, "{\"scenes\": 3}").unwrap();
    for (arguments, words) in [
        (
            vec!["--scenes", "brick_wal"],
            vec!["Did you mean 'brick_wall'?"],
        ),
        (vec!["--scenes", "bed-1e4"], vec!["Did you mean 'bed_1e4'?"]),
        (vec!["--solvers", "agpd"], vec!["Did you mean 'apgd'?"]),
        (vec!["--errors", "-1"], vec!["positive"]),
        (vec!["--threshold", "1"], vec!["above 1"]),
        (vec!["--measure", "enrgy"], vec!["Did you mean 'energy'?"]),
        (vec!["--plot", "figure.pdf"], vec![".svg", ".png"]),
        (
            vec!["--compare", text(&no_run)],
            vec!["no_run.json", "moreau bench --save"],
        ),
        (vec!["--compare", "nowhere.json"], vec!["nowhere.json"]),
    ] {
        let output = moreau(&[&["bench"], arguments.as_slice()].concat());
        assert_eq!(code(&output), 1, "{arguments:?}");
        for word in words {
            assert!(stderr(&output).contains(word), "{}", stderr(&output));
        }
    }
}

#[test]
fn runs_of_other_sizes_are_not_compared() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("large.json");
    let large = json!({ "threads": 1, "measure": "energy", "scale": 1.0, "scenes": [] });
    std::fs::write(&path, large.to_string()).unwrap();
    let output = bench(&["--compare", text(&path)]);
    assert_eq!(code(&output), 1);
    assert!(
        stderr(&output).contains("share of bodies"),
        "{}",
        stderr(&output)
    );
}
