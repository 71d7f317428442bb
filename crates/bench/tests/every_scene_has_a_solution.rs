//! The contact problem of every standard scene can be solved: where it could not, no time to an error would mean anything.

use moreau_bench::scenes::Scene;
use moreau_bench::{Plan, Watch, measure};
use moreau_contact_solvers::observer::IterationRecord;
use moreau_contact_solvers::residual::Measure;
use std::ops::ControlFlow;

struct Blind;

impl Watch for Blind {
    fn begin(&mut self, _what: &str) {}

    fn iteration(&mut self, _record: &IterationRecord) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

#[test]
fn every_scene_has_a_solution() {
    // The larger beds are made as the smallest is.
    let larger = [Scene::Bed1e5, Scene::Bed1e6];
    for scene in Scene::ALL
        .into_iter()
        .filter(|scene| !larger.contains(scene))
    {
        let plan = Plan {
            solvers: vec!["auto".into()],
            solvers_named: true,
            errors: vec![1e-6],
            measure: Measure::Energy,
            time_limit: 100.0,
            steps: 1,
            step_iterations: 30,
            step_time_limit: 100.0,
            scale: 0.01,
        };
        let figures = measure(scene, &plan, &mut Blind).expect("a scene that steps");
        let auto = &figures.solvers[1];
        assert_eq!(auto.solver, "auto");
        assert!(auto.solves[0].reached, "{}: {auto:?}", scene.name());
    }
}
