use super::samples;
use moreau_scene::Scene;

/// Overlaps of a few percent at the start are allowed; more would be a mistake in the sample.
#[test]
fn every_sample_makes_a_few_steps() {
    for path in samples() {
        let scene = Scene::read(&path).unwrap_or_else(|e| panic!("{e}"));
        let mut run = scene.build().unwrap_or_else(|e| panic!("{e}"));
        assert!(run.warnings.is_empty(), "{path:?}: {:?}", run.warnings);
        let steps = if run.simulation.bodies().len() > 500 {
            2
        } else {
            5
        };
        for _ in 0..steps {
            let report = run.step().unwrap_or_else(|e| panic!("{path:?}: {e}"));
            assert!(report.converged(), "{path:?}: {:?}", report.status);
            assert!(report.balance.kinetic.is_finite());
        }
        for (sensor, row) in run.sensors() {
            assert_eq!(row.len(), sensor.columns().len(), "{}", sensor.name());
        }
    }
}

#[test]
fn a_ball_that_slides_rolls_at_five_sevenths() {
    let path = samples()
        .into_iter()
        .find(|p| p.ends_with("sliding_ball.toml"));
    let mut run = Scene::read(path.unwrap()).unwrap().build().unwrap();
    while !run.is_finished() {
        run.step().unwrap();
    }
    assert_eq!(run.simulation.steps(), 1000);
    let (_, row) = run.sensors().next().unwrap();
    assert!((row[1] - 2.0 * 5.0 / 7.0).abs() < 0.01, "{row:?}");
    // Rolling about y: v = ω r.
    assert!((row[1] - 0.1 * row[5]).abs() < 1e-6, "{row:?}");
}
