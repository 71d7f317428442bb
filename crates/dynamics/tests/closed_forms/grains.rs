use crate::worlds::{GRAVITY, ground, pour, rubbing, walls};
use moreau_dynamics::settings::SimulationSettings;

#[test]
fn settled_grains_press_on_the_floor_with_their_weight_and_hardly_overlap() {
    let radius = 0.01;
    let mut simulation = ground(SimulationSettings::default(), rubbing(0.3));
    walls(&mut simulation, 5.75 * radius);
    pour(&mut simulation, radius, 5, 8);
    let mut deepest = 0.0f64;
    while simulation.time() < 1.0 {
        let report = simulation.step().unwrap();
        assert!(report.converged(), "{:?}", report.notes);
        deepest = deepest.max(report.relative_penetration);
        // In N s, against the momentum of the fall.
        assert!(report.momentum_defect.length() < 1e-12);
    }
    assert!(deepest < 1e-3, "{deepest:.1e}");
    let weight: f64 = simulation.bodies().masses.iter().sum::<f64>() * GRAVITY;
    let floor = -simulation.force_on(0).linear.z;
    let at_walls: f64 = (1..5).map(|wall| -simulation.force_on(wall).linear.z).sum();
    let error = (floor + at_walls - weight).abs() / weight;
    assert!(error < 2e-2, "{floor} + {at_walls} against {weight}");
}
