use super::build;

const RAIN: &str = "
duration = 1
[simulation]
time_step = 0.01
[[emitters]]
region = { type = \"box\", lower = [-1, -1, 4], upper = [1, 1, 5] }
mix = [{ radius = { type = \"uniform\", min = 0.05, max = 0.1 }, density = 1000 }]
rate = 100
from = 0.1
max_count = 30
[[sinks]]
region = { type = \"below_plane\", point = [0, 0, 3] }
";

#[test]
fn what_came_is_there_or_gone() {
    let mut run = build(RAIN);
    while !run.is_finished() {
        run.step().unwrap();
        let flow = run.flow();
        let there = run.simulation.bodies().len() as u64;
        assert_eq!(flow.emitted, there + flow.removed);
        let time = run.simulation.time() - 0.01;
        let due = (100.0 * (time - 0.1) + 1.0 + 1e-9).clamp(0.0, 30.0);
        assert!((flow.emitted as f64 - due).abs() <= 1.0, "{time}: {flow:?}");
    }
    assert_eq!(run.simulation.steps(), 100);
    assert_eq!(run.flow().emitted, 30);
    assert!(run.flow().removed > 10);
    assert!(run.flow().removed_mass > 0.0);
}

#[test]
fn a_full_region_takes_no_more() {
    let text = RAIN
        .replace("rate = 100", "rate = 1e12")
        .replace("max_count = 30", "max_mass = 1e9")
        .replace("upper = [1, 1, 5]", "upper = [-0.7, -0.7, 4.3]");
    let mut run = build(&text);
    for _ in 0..15 {
        run.step().unwrap();
    }
    let count = run.simulation.bodies().len();
    assert!((1..30).contains(&count), "{count}");
    for contact in run.simulation.contacts() {
        assert!(contact.gap > -1e-3, "{}", contact.gap);
    }
}

#[test]
fn a_rate_of_mass_and_its_end() {
    let text = RAIN
        .replace("rate = 100", "mass_rate = 20")
        .replace("max_count = 30", "max_mass = 10");
    let mut run = build(&text);
    while !run.is_finished() {
        run.step().unwrap();
    }
    let mass = run.flow().emitted_mass;
    assert!((5.5..=10.0).contains(&mass), "{mass}");
}

#[test]
fn too_many_are_an_error() {
    let mut run = build(&format!("max_bodies = 10{RAIN}"));
    let last = (0..100).map(|_| run.step()).find(Result::is_err);
    assert!(
        last.unwrap()
            .unwrap_err()
            .to_string()
            .contains("max_bodies = 10")
    );
}

#[test]
fn forces_of_the_others_stay_when_a_body_goes() {
    let mut run = build(
        "
duration = 1
[simulation]
time_step = 0.01
[[bodies]]
kind = \"fixed\"
shape = { type = \"box\", half_extents = [1, 1, 0.1] }
position = [0, 0, -0.1]
[[bodies]]
shape = { type = \"sphere\", radius = 0.1 }
density = 1000
position = [3, 0, 0]
[[bodies]]
shape = { type = \"box\", half_extents = [0.1, 0.1, 0.1] }
mass = 2
position = [0, 0, 0.1]
[[sinks]]
region = { type = \"below_plane\", point = [0, 0, -1] }
",
    );
    while run.flow().removed == 0 {
        run.step().unwrap();
    }
    assert_eq!(run.simulation.bodies().len(), 2);
    let load = run.simulation.force_on(1).linear.z;
    assert!((load - 2.0 * 9.81).abs() < 1e-6, "{load} N");
    assert_eq!(run.simulation.force_on(0).linear.z, -load);
}
