use super::build;
use moreau_scene::Run;

const TEXT: &str = "
duration = 1
[simulation]
time_step = 0.01
[[bodies]]
kind = \"fixed\"
shape = { type = \"open_box\", half_extents = [0.3, 0.3, 0.3], thickness = 0.1 }
[[emitters]]
region = { type = \"box\", lower = [-0.3, -0.3, 0.4], upper = [0.3, 0.3, 0.8] }
mix = [
  { radius = { type = \"normal\", mean = 0.08, deviation = 0.01 }, density = 1000 },
  { shape = { type = \"box\", half_extents = [0.05, 0.05, 0.06] }, density = 1000 },
]
rate = 60
velocity = [0, 0, -1]
[[generators]]
type = \"layers\"
region = { type = \"box\", lower = [-0.3, -0.3, 0.9], upper = [0.3, 0.3, 1.2] }
mix = [{ radius = { type = \"uniform\", min = 0.02, max = 0.04 }, density = 1000 }]
spacing = 0.09
arrangement = \"random\"
every = 0.07
layers = 4
on_top = true
[[springs]]
bodies = [\"world\", \"bob\"]
points = [[1, 0, 1], [1, 0, 0]]
stiffness = 1e6
implicit = true
[[bodies]]
name = \"bob\"
mass = 1
inertia = [1, 1, 1]
position = [1, 0, 0]
[[sinks]]
region = { type = \"sphere\", centre = [0, 0, -0.3], radius = 0.1 }
[[sensors]]
name = \"flow\"
measure = { type = \"mass_flow\", point = [0, 0, 0.3], normal = [0, 0, -1] }
";

#[test]
fn a_run_goes_on_from_bytes_as_if_nothing_had_been() {
    let mut run = build(TEXT);
    for _ in 0..25 {
        run.step().unwrap();
    }
    let bytes = postcard::to_stdvec(&run).unwrap();
    let mut again: Run = postcard::from_bytes(&bytes).unwrap();
    for _ in 0..25 {
        run.step().unwrap();
        again.step().unwrap();
    }
    assert!(run.simulation.bodies().len() > 10);
    assert_eq!(run.simulation.bodies(), again.simulation.bodies());
    assert_eq!(run.all_sensors(), again.all_sensors());
    assert_eq!(
        postcard::to_stdvec(&run).unwrap(),
        postcard::to_stdvec(&again).unwrap()
    );
}

#[test]
fn two_runs_of_a_scene_are_the_same() {
    let (mut a, mut b) = (build(TEXT), build(TEXT));
    for _ in 0..20 {
        a.step().unwrap();
        b.step().unwrap();
    }
    assert_eq!(a.simulation.bodies(), b.simulation.bodies());
}

/// Two blocks sleep when balls begin to fall beside them and on them; a sink takes away what rolls off the ground.
const SLEEPY: &str = "
duration = 2
[simulation]
time_step = 0.01
sleep = true
sleep_steps = 20
[[bodies]]
name = \"ground\"
kind = \"fixed\"
shape = { type = \"box\", half_extents = [0.6, 0.3, 0.1] }
position = [0, 0, -0.1]
[[generators]]
type = \"grid\"
name = \"block\"
counts = [2, 1, 1]
spacing = [0.6, 1, 1]
origin = [-0.3, 0, 0.1]
mix = [{ shape = { type = \"box\", half_extents = [0.1, 0.1, 0.1] }, density = 1000 }]
[[emitters]]
region = { type = \"box\", lower = [-0.35, -0.05, 0.4], upper = [-0.25, 0.05, 0.5] }
mix = [{ radius = 0.04, density = 1000 }]
rate = 4
from = 0.5
[[sinks]]
region = { type = \"below_plane\", point = [0, 0, -0.5] }
[[sensors]]
name = \"load\"
measure = { type = \"force\", body = \"ground\" }
";

#[test]
fn a_run_with_sleeping_bodies_goes_on_from_bytes_as_if_nothing_had_been() {
    let mut run = build(SLEEPY);
    assert_eq!(run.simulation.settings().sleep_steps, 20);
    for step in 0..200 {
        let bytes = (step % 40 == 30).then(|| postcard::to_stdvec(&run).unwrap());
        let report = run.step().unwrap();
        if step == 45 {
            assert_eq!(report.asleep, 2);
            let (_, row) = run.sensors().next().unwrap();
            let weight = 2.0 * 8.0 * 9.81;
            assert!((row[3] + weight).abs() < 1e-6 * weight, "{row:?}");
        }
        if let Some(bytes) = bytes {
            let mut again: Run = postcard::from_bytes(&bytes).unwrap();
            again.step().unwrap();
            assert_eq!(
                postcard::to_stdvec(&run).unwrap(),
                postcard::to_stdvec(&again).unwrap()
            );
            run = again;
        }
    }
    // The balls fell on the first block; nothing came near the second.
    let asleep = |name: &str| {
        let body = run.simulation.bodies().find(name).unwrap();
        run.simulation.is_asleep(body)
    };
    assert!(asleep("block.1") && !asleep("block.0"));
}
