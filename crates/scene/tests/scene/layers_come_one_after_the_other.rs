use super::{build, errors};
use glam::DVec3;

const BIN: &str = "
duration = 1
[simulation]
time_step = 0.01
[[bodies]]
name = \"floor\"
kind = \"fixed\"
shape = { type = \"half_space\" }
[[generators]]
type = \"layers\"
name = \"ball\"
region = { type = \"box\", lower = [-0.5, -0.3, 1], upper = [0.5, 0.3, 1.5] }
mix = [{ radius = 0.1, density = 1000 }]
spacing = 0.2
every = 0.2
layers = 3
from = 0.1
";

/// Five by three balls of radius 0.1 fill the box of 1 m by 0.6 m exactly.
#[test]
fn a_layer_is_a_grid_at_the_bottom_of_the_region_at_its_time() {
    let mut run = build(BIN);
    assert_eq!(run.simulation.bodies().len(), 1);
    for step in 1..=100 {
        let before = run.simulation.bodies().len();
        let time = run.simulation.time();
        run.step().unwrap();
        let bodies = run.simulation.bodies();
        let layers = ((time - 0.1) / 0.2 + 1.0 + 1e-9).floor().clamp(0.0, 3.0) as usize;
        assert_eq!(bodies.len(), 1 + 15 * layers, "step {step}");
        if bodies.len() == before {
            continue;
        }
        // They have fallen for one step.
        let fallen = 9.81 * 0.01 * 0.01;
        let new = &bodies.poses[before..];
        let right: Vec<DVec3> = (0..15)
            .map(|k| {
                let place = DVec3::new(f64::from(k % 5) - 2.0, f64::from(k / 5) - 1.0, 0.0);
                0.2 * place + DVec3::new(0.0, 0.0, 1.1 - fallen)
            })
            .collect();
        for (pose, right) in new.iter().zip(right) {
            assert!((pose.position - right).length() < 1e-9, "{}", pose.position);
        }
    }
    assert_eq!(run.flow().emitted, 45);
    let mass = 45.0 * 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    assert!((run.flow().emitted_mass / mass - 1.0).abs() < 1e-12);
    assert_eq!(run.simulation.bodies().find("ball.44"), Some(45));
}

/// With nothing that falls the second layer lies on the first, a tenth of a radius above it.
#[test]
fn a_layer_on_top_lies_above_what_is_there() {
    let still = BIN.replace("time_step = 0.01", "time_step = 0.01\ngravity = [0, 0, 0]");
    let mut run = build(&still.replace("layers = 3", "layers = 3\non_top = true"));
    while !run.is_finished() {
        run.step().unwrap();
    }
    let bodies = run.simulation.bodies();
    assert_eq!(bodies.len(), 46);
    for (k, pose) in bodies.poses[1..].iter().enumerate() {
        let right = 1.1 + (k / 15) as f64 * (0.2 + 0.01);
        assert!((pose.position.z - right).abs() < 1e-9, "{}", pose.position);
    }
    // At the same height there is no room, and the bodies wait.
    let mut run = build(&still);
    while !run.is_finished() {
        run.step().unwrap();
    }
    assert_eq!(run.simulation.bodies().len(), 16);
}

#[test]
fn random_places_keep_their_distance_and_differ_from_layer_to_layer() {
    let text = BIN
        .replace("spacing = 0.2", "spacing = 0.25\narrangement = \"random\"")
        .replace("[-0.5, -0.3, 1]", "[-2, -2, 1]")
        .replace("[0.5, 0.3, 1.5]", "[2, 2, 1.5]");
    let mut run = build(&text);
    let mut layers = Vec::new();
    while !run.is_finished() {
        let before = run.simulation.bodies().len();
        run.step().unwrap();
        let new: Vec<DVec3> = run.simulation.bodies().poses[before..]
            .iter()
            .map(|pose| pose.position)
            .collect();
        if !new.is_empty() {
            layers.push(new);
        }
    }
    assert_eq!(layers.len(), 3);
    for layer in &layers {
        // Discs of half the spacing, put down at random until there is no room, cover 0.547 of a plane; here a little is
        // left free.
        let share = layer.len() as f64 * std::f64::consts::PI * 0.125f64.powi(2) / 3.8f64.powi(2);
        assert!((0.45..0.6).contains(&share), "{share}");
        for (k, a) in layer.iter().enumerate() {
            assert!(a.truncate().abs().max_element() <= 1.9);
            for b in &layer[k + 1..] {
                assert!(a.distance(*b) > 0.25 - 1e-9);
            }
        }
    }
    assert_ne!(layers[0][0].truncate(), layers[1][0].truncate());
}

#[test]
fn layers_that_cannot_be_are_refused() {
    let refused = |from: &str, to: &str, words: &str| {
        let message = errors(&BIN.replace(from, to)).to_string();
        assert!(message.contains(words), "'{words}' in {message}");
        assert!(message.contains("scene.toml:"), "{message}");
    };
    refused("radius = 0.1", "radius = 0.4", "do not fit into the region");
    refused(
        "[-0.5, -0.3, 1]",
        "[-0.5, -0.3, -0.5]",
        "15 of 15 places of a layer are in 'floor'",
    );
    refused("layers = 3", "layers = 1000000000", "max_bodies");
    refused("spacing = 0.2", "spacing = 1e-9", "max_bodies");
    refused("every = 0.2", "every = 0", "every");
}
