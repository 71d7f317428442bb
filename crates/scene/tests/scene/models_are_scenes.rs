use super::samples;
use moreau_scene::Scene;

/// What a file says, built in Rust, is the same scene: both make the same bodies, joints and settings.
#[test]
fn every_sample_goes_through_its_model() {
    for path in samples() {
        let scene = Scene::read(&path).unwrap();
        let again = Scene::from_model(scene.file()).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        assert_eq!(again.file(), scene.file(), "{path:?}");
        // The other sample names a file beside it.
        if !path.ends_with("particles.toml") {
            let (run, right) = (again.build().unwrap(), scene.build().unwrap());
            assert_eq!(run.simulation.bodies(), right.simulation.bodies());
            assert_eq!(run.simulation.joints(), right.simulation.joints());
            assert_eq!(run.simulation.settings(), right.simulation.settings());
        }
    }
}

/// A mistake is shown in the file that the scene would have been.
#[test]
fn mistakes_in_models_are_told_with_their_line() {
    use moreau_scene::model::{Body, SceneFile};
    let mut file = SceneFile::lasting(1.0);
    file.bodies.push(Body {
        density: Some(-1.0),
        ..Body::default()
    });
    let message = Scene::from_model(&file).unwrap_err().to_string();
    assert!(message.contains("density"), "{message}");
    assert!(message.contains("density = -1.0"), "{message}");
}
