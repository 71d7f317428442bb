use crate::worlds::{ground, pour, rubbing, walls};
use glam::DVec3;
use moreau_dynamics::settings::SimulationSettings;

/// Poses in units of the grains' radius after 40 steps, of a scene whose lengths are multiplied by `scale` and whose
/// times by √scale, so that gravity acts the same.
fn places(scale: f64) -> Vec<DVec3> {
    let radius = 0.01 * scale;
    let mut simulation = ground(SimulationSettings::default(), rubbing(0.3));
    walls(&mut simulation, 3.45 * radius);
    pour(&mut simulation, radius, 3, 3);
    for _ in 0..40 {
        simulation.step().unwrap();
    }
    let poses = simulation.bodies().poses.iter();
    poses.map(|pose| pose.position / radius).collect()
}

#[test]
fn a_scene_of_another_size_moves_alike() {
    let reference = places(1.0);
    for scale in [1e-3, 1e3] {
        for (body, (a, b)) in reference.iter().zip(places(scale)).enumerate() {
            // Rounding differs with the scale, and impacts amplify it.
            let difference = (*a - b).length();
            assert!(
                difference < 1e-6,
                "scale {scale}, body {body}: {difference:.1e}"
            );
        }
    }
}
