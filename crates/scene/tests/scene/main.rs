//! What scene files promise, a file for each claim.

mod checkpoints_resume_bit_for_bit;
mod emitters_and_sinks_keep_count;
mod fixed_bodies_may_overlap_at_corners;
mod generators_do_what_they_say;
mod joints_hold_and_are_measured;
mod layers_come_one_after_the_other;
mod messages_point_at_the_place;
mod models_are_scenes;
mod nonsense_is_refused_before_the_first_step;
mod parameters_change_a_scene;
mod samples_build_and_run;
mod samples_meet_the_schema;
mod sensors_measure;
mod text_of_any_kind_never_panics;
mod things_said_twice_are_refused;

use moreau_scene::{Run, Scene, SceneErrors};

/// The errors of a text, when it is read or when it is built.
fn errors(text: &str) -> SceneErrors {
    match Scene::parse(text, "scene.toml") {
        Err(errors) => errors,
        Ok(scene) => match scene.build() {
            Err(errors) => errors,
            Ok(_) => panic!("no error in {text}"),
        },
    }
}

fn build(text: &str) -> Run {
    let scene = Scene::parse(text, "scene.toml").unwrap_or_else(|e| panic!("{e}"));
    scene.build().unwrap_or_else(|e| panic!("{e}"))
}

/// The directory of the sample scenes.
fn samples() -> Vec<std::path::PathBuf> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    let mut paths: Vec<_> = std::fs::read_dir(directory)
        .expect("scenes/ is there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect();
    paths.sort();
    assert!(paths.len() >= 12);
    paths
}
