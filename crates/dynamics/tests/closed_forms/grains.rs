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

/// Rigid contacts must carry a tall column in every step: what a solve leaves open at the bottom, under the weight of all
/// layers, would otherwise add up until the lowest grains are pressed into one another.
#[test]
fn a_column_of_sixty_layers_is_not_crushed() {
    let radius = 0.01;
    let mut settings = SimulationSettings::default();
    // As large beds are solved, without the accuracy that small ones get for nothing.
    (settings.solver.small_rows, settings.solver.middle_rows) = (0, 0);
    let mut simulation = ground(settings, rubbing(0.3));
    walls(&mut simulation, 3.5 * radius);
    pour(&mut simulation, radius, 3, 60);
    while simulation.time() < 0.6 {
        simulation.step().unwrap();
    }
    let grains = &simulation.bodies().poses[5..];
    let mut nearest = f64::INFINITY;
    for (k, a) in grains.iter().enumerate() {
        for b in &grains[..k] {
            nearest = nearest.min(a.position.distance(b.position));
        }
    }
    assert!(nearest >= 0.98 * 2.0 * radius, "{nearest}");
    // They have fallen onto one another: a column of loose grains would not be put to the test.
    let top = grains
        .iter()
        .map(|pose| pose.position.z)
        .fold(0.0, f64::max);
    let lowest = grains
        .iter()
        .map(|pose| pose.position.z)
        .fold(top, f64::min);
    assert!(
        top < 60.0 * 2.1 * radius && lowest > 0.98 * radius,
        "{lowest} to {top}"
    );
}
