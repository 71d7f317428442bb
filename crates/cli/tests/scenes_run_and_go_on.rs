//! `run`, `resume`, `check`, `schema` and `export`, as their users call them.

mod common;
use common::*;
use std::path::Path;
use tempfile::tempdir;

const SCENE: &str = "
title = \"Boxes and balls\"
duration = 0.2
seed = 4

[parameters]
friction = 0.4

[simulation]
time_step = 4e-3

[output]
every = 0.02
sensors_every = 0.02

[materials.default]
friction = \"$friction\"

[[bodies]]
name = \"ground\"
kind = \"fixed\"
shape = { type = \"half_space\" }

[[bodies]]
name = \"block\"
shape = { type = \"box\", half_extents = [0.1, 0.1, 0.1] }
density = 500
position = [0, 0, 0.11]
velocity = [0.5, 0, 0]

[[emitters]]
region = { type = \"box\", lower = [-0.3, -0.3, 0.4], upper = [0.3, 0.3, 0.5] }
rate = 200
mix = [{ radius = 0.03, density = 1000 }]

[[sensors]]
name = \"load\"
measure = { type = \"force\", body = \"ground\" }
";

fn scene(folder: &Path) -> String {
    let path = folder.join("scene.toml");
    std::fs::write(&path, SCENE).unwrap();
    text(&path).to_string()
}

fn run(arguments: &[&str]) -> serde_json::Value {
    let output = moreau(&[arguments, &["--json"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    json(&output)
}

#[test]
fn an_interrupted_run_goes_on_bit_for_bit_with_any_number_of_threads() {
    let folder = tempdir().unwrap();
    let scene = scene(folder.path());
    let place = |name: &str| text(&folder.path().join(name)).to_string();
    let (whole, parts) = (place("whole"), place("parts"));
    let told = run(&["run", &scene, "--output", &whole, "--threads", "1"]);
    assert_eq!(told["steps"], 50);
    run(&[
        "run",
        &scene,
        "--output",
        &parts,
        "--duration",
        "0.1",
        "--threads",
        "2",
    ]);
    let told = run(&["resume", &parts, "--duration", "0.2", "--threads", "2"]);
    assert_eq!(
        (&told["steps"], &told["part"]["steps"]),
        (&50.into(), &25.into())
    );

    let table = |directory: &str, name: &str| {
        std::fs::read_to_string(Path::new(directory).join(name)).unwrap()
    };
    assert_eq!(table(&whole, "load.csv"), table(&parts, "load.csv"));
    let rows = |directory: &str| {
        let csv = format!("{directory}.csv");
        assert_eq!(code(&moreau(&["export", directory, &csv])), 0);
        std::fs::read_to_string(csv).unwrap()
    };
    assert_eq!(rows(&whole), rows(&parts));
}

#[test]
fn a_run_leaves_a_picture_a_series_and_a_problem() {
    let folder = tempdir().unwrap();
    let scene = scene(folder.path());
    let out = folder.path().join("out");
    run(&[
        "run",
        &scene,
        "--output",
        text(&out),
        "--dump-problem",
        "30",
        "--set",
        "friction=0.2",
    ]);
    for name in [
        "picture.png",
        "trajectory.pvd",
        "steps.csv",
        "load.csv",
        "problem-step-30.hdf5",
    ] {
        assert!(out.join(name).exists(), "{name}");
    }
    let problem = out.join("problem-step-30.hdf5");
    let solved = moreau(&["solve", text(&problem), "--law", "coulomb"]);
    assert_eq!(code(&solved), 0, "{}", stderr(&solved));
}

/// FCLIB has no place for spinning friction. Where all contacts have it, that is said before the first step; where some may, the run goes on
/// without the file.
#[test]
fn a_problem_that_fits_into_no_file_does_not_end_the_run() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    let out = folder.path().join("out");
    let dump = |content: &str| {
        std::fs::write(&path, content).unwrap();
        let arguments = ["run", text(&path), "--output", text(&out), "--dump-problem"];
        moreau(&[&arguments[..], &["40"]].concat())
    };
    let spinning = "rolling_friction = 0.001\nspinning_friction = 0.001\n[[bodies]]";
    let refused = dump(&SCENE.replacen("[[bodies]]", spinning, 1));
    assert_eq!(code(&refused), 1);
    assert!(
        stderr(&refused).contains("spinning friction, for which"),
        "{}",
        stderr(&refused)
    );
    assert!(!out.exists(), "nothing is written");

    let other = "[materials.smooth]\nfriction = 0.3\n[[bodies]]";
    let partly = SCENE.replacen("[[bodies]]", &spinning.replace("[[bodies]]", other), 1);
    let warned = dump(&partly.replace("density = 500", "density = 500\nmaterial = \"smooth\""));
    assert_eq!(code(&warned), 0, "{}", stderr(&warned));
    assert!(
        stderr(&warned).contains("problem-step-40.hdf5 is not written"),
        "{}",
        stderr(&warned)
    );
    assert!(out.join("picture.png").exists() && !out.join("problem-step-40.hdf5").exists());
}

/// With libhdf5, one growing file holds what the series holds, also when the run is interrupted; without, the choice is
/// refused.
#[test]
fn a_run_writes_one_growing_file_where_the_program_can() {
    let folder = tempdir().unwrap();
    let scene = scene(folder.path());
    let place = |name: &str| text(&folder.path().join(name)).to_string();
    let (series, single) = (place("series"), place("single"));
    if !cfg!(feature = "hdf5") {
        let output = moreau(&["run", &scene, "--output", &single, "--format", "vtkhdf"]);
        assert_eq!(code(&output), 1);
        let message = stderr(&output);
        for part in ["built without", "vtp", "--features hdf5"] {
            assert!(message.contains(part), "{part} in {message}");
        }
        assert!(!Path::new(&single).exists(), "nothing is written");
        return;
    }
    run(&["run", &scene, "--output", &series]);
    // A series that was there before is replaced.
    run(&["run", &scene, "--output", &single, "--duration", "0.01"]);
    let begin = ["run", &scene, "--output", &single, "--duration", "0.1"];
    run(&[&begin[..], &["--format", "vtkhdf"]].concat());
    run(&["resume", &single, "--duration", "0.2"]);
    assert!(!Path::new(&single).join("trajectory.pvd").exists());
    let file = Path::new(&single).join("trajectory.vtkhdf");
    let rows = |from: &str, name: &str| {
        let csv = place(name);
        assert_eq!(code(&moreau(&["export", from, &csv])), 0);
        std::fs::read_to_string(csv).unwrap()
    };
    assert_eq!(rows(&series, "series.csv"), rows(text(&file), "single.csv"));
}

#[test]
fn the_scene_can_choose_the_files() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    let place = folder.path().join("out");
    let write = |format: &str| {
        let with = format!("[output]\nformat = \"{format}\"");
        std::fs::write(&path, SCENE.replace("[output]", &with)).unwrap();
        let checked = code(&moreau(&["check", text(&path)]));
        let ran = moreau(&[
            "run",
            text(&path),
            "--output",
            text(&place),
            "--duration",
            "0.01",
        ]);
        assert_eq!(checked, code(&ran), "check says what run says");
        ran
    };
    assert_eq!(code(&write("vtp")), 0);
    assert!(place.join("trajectory.pvd").exists());
    let single = write("vtkhdf");
    assert_eq!(code(&single) == 0, cfg!(feature = "hdf5"));
    let unknown = write("vtkhd");
    assert_eq!(code(&unknown), 1);
    assert!(
        stderr(&unknown).contains("did you mean 'vtkhdf'"),
        "{}",
        stderr(&unknown)
    );
}

#[test]
fn a_mistake_in_a_scene_is_named_with_its_line_and_the_nearest_word() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("wrong.toml");
    std::fs::write(&path, SCENE.replace("density = 500", "densty = 500")).unwrap();
    for command in ["check", "run"] {
        let output = moreau(&[command, text(&path)]);
        assert_eq!(code(&output), 1);
        let message = stderr(&output);
        for part in ["wrong.toml:27:1", "densty", "density"] {
            assert!(message.contains(part), "{part} in {message}");
        }
    }
    assert!(!folder.path().join("results").exists());
}

/// Each is refused with the file, the line, what was found and what would be right, and nothing is written.
#[test]
fn scenes_that_cannot_be_are_refused_before_the_first_step() {
    let folder = tempdir().unwrap();
    let refused = |from: &str, to: &str, words: &[&str]| {
        let path = folder.path().join("wrong.toml");
        let text_of = SCENE.replace(from, to);
        assert_ne!(text_of, SCENE);
        let line = 1 + SCENE[..SCENE.find(from).unwrap()].matches('\n').count();
        std::fs::write(&path, text_of).unwrap();
        let before = entries(folder.path());
        let place = folder.path().join("out");
        for arguments in [
            vec!["check", text(&path)],
            vec!["run", text(&path), "--output", text(&place)],
        ] {
            let output = moreau(&arguments);
            assert_eq!(code(&output), 1, "{to}");
            let message = stderr(&output);
            // What was added is longer than a line: the fault is in one of the next few.
            let here =
                (line..line + 12).any(|line| message.contains(&format!("wrong.toml:{line}:")));
            assert!(here, "line {line} in {message}");
            for word in words {
                assert!(message.contains(word), "'{word}' in {message}");
            }
        }
        assert_eq!(entries(folder.path()), before, "nothing is written");
    };
    refused("density = 500", "density = nan", &["nan", "finite"]);
    refused(
        "position = [0, 0, 0.11]",
        "position = [0, 0, inf]",
        &["inf", "finite"],
    );
    refused("density = 500", "mass = 0", &["mass", "positive"]);
    refused(
        "time_step = 4e-3",
        "time_step = 0",
        &["time_step", "positive"],
    );
    refused(
        "body = \"ground\"",
        "body = \"grond\"",
        &["'grond'", "did you mean 'ground'"],
    );
    let ground = "kind = \"fixed\"\nshape = { type = \"half_space\" }\n";
    let again = format!("{ground}[[bodies]]\nname = \"again\"\n{ground}");
    let words = ["'ground' and 'again' are the same wall", "leave one out"];
    refused(ground, &again, &words);
    let mesh = "shape = { type = \"mesh\", path = \"missing.stl\", convex = \"hull\" }";
    let shape = "shape = { type = \"box\", half_extents = [0.1, 0.1, 0.1] }";
    refused(
        shape,
        mesh,
        &["missing.stl", "relative to the folder of the scene"],
    );
    let joint = "[[joints]]\nbodies = [\"block\", \"blok\"]\nkind = { type = \"spherical\", point = [0, 0, 0] }";
    let words = ["there is no body 'blok'", "did you mean 'block'"];
    refused("[[sensors]]", &format!("{joint}\n[[sensors]]"), &words);
    let grid = "[[generators]]\ntype = \"grid\"\ncounts = [1000, 1000, 1000]\nspacing = [1, 1, 1]\n\
                origin = [0, 0, 9]\nmix = [{ radius = 0.1, density = 1 }]";
    let words = ["1000000000 bodies", "max_bodies"];
    refused("[[sensors]]", &format!("{grid}\n[[sensors]]"), &words);
}

#[test]
fn a_run_that_begins_anew_forgets_the_checkpoints_of_the_one_before() {
    let folder = tempdir().unwrap();
    let scene = scene(folder.path());
    let place = folder.path().join("out");
    let place = text(&place);
    run(&["run", &scene, "--output", place]);
    let checkpoints = folder.path().join("out/checkpoints");
    let old = entries(&checkpoints);
    // Ends with an error of its first step, of which a checkpoint is kept, and with none of the run before.
    let stops = SCENE.replace("[simulation]", "[simulation]\non_failure = \"stop\"");
    std::fs::write(&scene, stops).unwrap();
    let output = moreau(&["run", &scene, "--output", place, "--tolerance", "1e-300"]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    let new = entries(&checkpoints);
    assert_eq!((old.len(), new.len()), (1, 1));
    assert_ne!(old, new);
    let output = moreau(&["resume", text(folder.path())]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("no checkpoints; expected the output folder"));
}

#[test]
fn a_name_that_says_another_form_is_not_exported_to() {
    let folder = tempdir().unwrap();
    let scene = scene(folder.path());
    let place = |name: &str| text(&folder.path().join(name)).to_string();
    let from = place("out");
    run(&["run", &scene, "--output", &from, "--duration", "0.02"]);
    for (to, more) in [
        ("motion.vtkhdf", &[][..]),
        ("motion", &[]),
        ("motion.foo", &[]),
        ("motion.csv", &["--format", "vtp"]),
        ("motion.pvd", &["--format", "csv"]),
    ] {
        let output = moreau(&[&["export", &from, &place(to)], more].concat());
        assert_eq!(code(&output), 1, "{to}");
        assert!(stderr(&output).contains("expected"), "{}", stderr(&output));
        assert!(!folder.path().join(to).exists(), "{to}");
    }
    let output = moreau(&["export", &from, &place("motion"), "--format", "vtp"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(folder.path().join("motion/trajectory.pvd").exists());
    // At its end already.
    let output = moreau(&["resume", &from]);
    assert_eq!(code(&output), 0);
    assert!(
        stderr(&output).contains("at its end, 0.02 s"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn law_and_length_can_be_changed_and_are_checked() {
    let folder = tempdir().unwrap();
    let scene = scene(folder.path());
    let place = folder.path().join("out");
    let place = text(&place);
    let short = ["run", &scene, "--output", place, "--duration", "0.02"];
    let report = run(&[&short[..], &["--solver", "apgd", "--law", "relaxed"]].concat());
    assert_eq!(report["not_converged"], 0);
    for (more, words) in [
        (["--solver", "apgd"], "it knows relaxed"),
        (
            ["--solver", "cg"],
            "come while the scene runs can collide; expected auto",
        ),
        (["--law", "colomb"], "Did you mean 'coulomb'?"),
        (["--duration", "1e-9"], "less than half a step"),
        (["--duration", "1e300"], "steps; expected at most 1e12"),
        (["--dump-problem", "0"], "'0'"),
    ] {
        let output = moreau(&[&["run", &scene, "--output", place][..], &more].concat());
        assert_eq!(code(&output), 1, "{more:?}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}

/// What lies in a folder.
fn entries(folder: &Path) -> Vec<std::ffi::OsString> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names
}

#[test]
fn the_schema_is_json() {
    let output = moreau(&["schema"]);
    assert_eq!(code(&output), 0);
    assert!(json(&output)["properties"]["bodies"].is_object());
}

#[test]
fn a_run_tells_how_many_bodies_sleep() {
    let folder = tempdir().unwrap();
    let block = "
duration = 0.5
[simulation]
time_step = 5e-3
sleep = true
[[bodies]]
kind = \"fixed\"
shape = { type = \"half_space\" }
[[bodies]]
shape = { type = \"box\", half_extents = [0.1, 0.1, 0.1] }
density = 500
position = [0, 0, 0.1]
";
    let path = folder.path().join("block.toml");
    std::fs::write(&path, block).unwrap();
    let place = folder.path().join("out");
    let told = run(&["run", text(&path), "--output", text(&place)]);
    assert_eq!(told["asleep"], 1);
    let output = moreau(&[
        "run",
        text(&path),
        "--output",
        text(&folder.path().join("shown")),
    ]);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("bodies asleep at the end"), "{shown}");
}
