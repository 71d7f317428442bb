use super::build;
use moreau_scene::run::Sensor;

const TEXT: &str = "
duration = 1
[simulation]
time_step = 0.01
[output]
sensors_every = 0.1
[[bodies]]
name = \"ground\"
kind = \"fixed\"
shape = { type = \"half_space\" }
[[bodies]]
name = \"ball\"
shape = { type = \"sphere\", radius = 0.5 }
mass = 2
position = [0, 0, 0.5]
[[bodies]]
name = \"stone\"
shape = { type = \"sphere\", radius = 0.5 }
mass = 3
position = [5, 0, 9.5]
[[sensors]]
name = \"ground\"
measure = { type = \"force\", body = \"ground\" }
[[sensors]]
name = \"flow\"
measure = { type = \"mass_flow\", point = [0, 0, 9], normal = [0, 0, -1] }
[[sensors]]
name = \"count\"
measure = { type = \"count\", region = { type = \"box\", lower = [-1, -1, -1], upper = [1, 1, 1] } }
[[sensors]]
name = \"stone\"
measure = { type = \"velocity\", body = \"stone\" }
[[sensors]]
name = \"energy\"
measure = { type = \"energy\" }
";

#[test]
fn forces_flows_counts_and_speeds() {
    let mut run = build(TEXT);
    assert_eq!(run.sensors().count(), 5, "rows at the beginning");
    let mut rows = 0;
    while !run.is_finished() {
        run.step().unwrap();
        rows += run.sensors().count();
    }
    assert_eq!(rows, 50);
    let row = |name: &str| -> Vec<f64> {
        let found = run.sensors().find(|(sensor, _)| sensor.name() == name);
        found.unwrap().1.to_vec()
    };
    assert!((row("ground")[3] + 2.0 * 9.81).abs() < 1e-6);
    assert_eq!(row("flow")[1], 3.0);
    assert_eq!(row("flow")[2], 0.0);
    assert_eq!(row("count")[1..], [1.0, 2.0]);
    assert!((row("stone")[3] + 9.81).abs() < 1e-9);
    assert!(row("energy")[3] > 0.0);
    let sensor = &run.all_sensors()[1];
    assert_eq!(sensor.csv_header(), "time [s],mass [kg],rate [kg/s]");
    assert_eq!(Sensor::csv_row(&[0.5, 3.0]), "0.5,3");
}
