//! `moreau study`.

mod common;
use common::*;
use tempfile::tempdir;

#[test]
fn without_a_name_studies_are_listed() {
    let output = moreau(&["study"]);
    assert_eq!(code(&output), 0);
    let text = stdout(&output);
    assert!(text.contains("rolling-ball") && text.contains("Mazhar"));
    // Every line fits into a terminal of usual width.
    let longest = text.lines().map(|line| line.chars().count()).max();
    assert!(longest <= Some(110), "{longest:?} columns");
    let list = json(&moreau(&["study", "--json"]));
    assert_eq!(list[0]["name"], "rolling-ball");
}

#[test]
fn a_misspelt_study_or_scale_is_answered_with_the_nearest() {
    for (arguments, nearest) in [
        (&["study", "roling-ball"][..], "rolling-ball"),
        (&["study", "rolling-ball", "--scale", "smal"], "small"),
    ] {
        let output = moreau(arguments);
        assert_eq!(code(&output), 1);
        let wanted = format!("Did you mean '{nearest}'?");
        assert!(stderr(&output).contains(&wanted), "{}", stderr(&output));
    }
}

#[test]
fn a_study_leaves_page_pictures_data_and_scene() {
    let folder = tempdir().unwrap();
    let output = moreau(&[
        "study",
        "rolling-ball",
        "--scale",
        "tiny",
        "--json",
        "--output",
        text(folder.path()),
    ]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let result = &json(&output)[0];
    assert_eq!(result["scale"], "tiny");
    assert!(result["verdicts"].as_array().unwrap().len() > 2);
    let row = &result["comparisons"][0]["rows"][0];
    let [paper, ours, ratio] = ["paper", "ours", "ratio"].map(|key| row[key].as_f64().unwrap());
    assert_eq!(ratio, ours / paper);
    let page = std::fs::read_to_string(folder.path().join("rolling-ball.md")).unwrap();
    for file in [
        "images/rolling-ball-speed.png",
        "images/rolling-ball-speed.svg",
        "data/rolling-ball-coulomb.csv",
        "data/rolling-ball-numbers.csv",
        "scenes/rolling-ball-ball.toml",
    ] {
        assert!(folder.path().join(file).exists(), "{file}");
    }
    assert!(page.contains("](images/rolling-ball-speed.png)"), "{page}");
    let list = std::fs::read_to_string(folder.path().join("README.md")).unwrap();
    assert!(
        list.contains("](rolling-ball.md)") && list.contains("claims hold"),
        "{list}"
    );
    // The scene is a real one: it runs by itself.
    let scene = folder.path().join("scenes/rolling-ball-ball.toml");
    assert_eq!(code(&moreau(&["check", text(&scene)])), 0);
}

#[test]
fn a_readme_of_somebody_else_is_not_overwritten() {
    let folder = tempdir().unwrap();
    let readme = folder.path().join("README.md");
    std::fs::write(&readme, "# My project\n").unwrap();
    let arguments = [
        "study",
        "rolling-ball",
        "--scale",
        "tiny",
        "--output",
        text(folder.path()),
    ];
    assert_eq!(code(&moreau(&arguments)), 0);
    assert_eq!(std::fs::read_to_string(&readme).unwrap(), "# My project\n");
}
