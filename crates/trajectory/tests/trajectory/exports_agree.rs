//! Claim: the exported table holds every body of every frame with the numbers of the simulation.

use crate::common::{advance, stepped};
use moreau_trajectory::{Format, TrajectoryOptions, TrajectoryReader, TrajectoryWriter, export};

#[test]
fn a_table_has_a_row_for_each_body_and_frame() {
    let folder = tempfile::tempdir().unwrap();
    let series = folder.path().join("series");
    let mut simulation = stepped(8, 260);
    let mut writer = TrajectoryWriter::create(&series, TrajectoryOptions::default()).unwrap();
    writer.frame(&simulation).unwrap();
    advance(&mut simulation, 5);
    writer.frame(&simulation).unwrap();
    let table = folder.path().join("bodies.csv");
    let exported = export(&series, &table, Format::Csv).unwrap();
    let bodies = simulation.bodies();
    assert_eq!((exported.frames, exported.rows), (2, 2 * bodies.len()));
    let text = std::fs::read_to_string(&table).unwrap();
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| columns.iter().position(|c| *c == name).unwrap();
    for body in 0..bodies.len() {
        let line = lines.clone().nth(bodies.len() + body).unwrap();
        let cells: Vec<&str> = line.split(',').collect();
        let number = |name: &str| cells[column(name)].parse::<f64>().unwrap();
        assert_eq!(number("frame"), 1.0);
        assert_eq!(number("time"), simulation.time());
        assert_eq!(number("tag"), bodies.tags[body] as f64);
        let position = bodies.poses[body].position;
        assert_eq!([number("x"), number("y"), number("z")], position.to_array());
        assert_eq!(
            number("velocity z") as f32,
            bodies.velocities[body].linear.z as f32
        );
        assert_eq!(
            number("orientation w") as f32,
            bodies.poses[body].rotation.w as f32
        );
    }
}

#[test]
fn a_series_exported_to_a_series_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let [from, to] = ["a", "b"].map(|name| folder.path().join(name));
    let mut simulation = stepped(8, 260);
    let mut writer = TrajectoryWriter::create(&from, TrajectoryOptions::default()).unwrap();
    for _ in 0..3 {
        writer.frame(&simulation).unwrap();
        advance(&mut simulation, 5);
    }
    export(&from, &to, Format::Series).unwrap();
    let [first, second] = [&from, &to].map(|path| TrajectoryReader::open(path).unwrap());
    assert_eq!(first.times(), second.times());
    for frame in 0..3 {
        assert_eq!(first.parts(frame), second.parts(frame));
        for part in first.parts(frame) {
            assert_eq!(
                first.read(frame, &part).unwrap(),
                second.read(frame, &part).unwrap()
            );
        }
    }
    assert!(!to.join("fixed-000001.vtp").exists());
    let message = export(&from, &from, Format::Series)
        .unwrap_err()
        .to_string();
    assert!(message.contains("another folder"), "{message}");
}

#[test]
fn what_is_no_trajectory_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["x.txt", "missing", "x.pvd"] {
        let from = folder.path().join(name);
        let message = export(&from, folder.path().join("to"), Format::Csv)
            .unwrap_err()
            .to_string();
        assert!(message.contains(name), "{message}");
    }
}

#[cfg(not(feature = "hdf5"))]
#[test]
fn without_hdf5_the_message_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let options = TrajectoryOptions {
        format: Format::VtkHdf,
        ..TrajectoryOptions::default()
    };
    let message = TrajectoryWriter::create(folder.path(), options)
        .unwrap_err()
        .to_string();
    assert!(message.contains("--features hdf5"), "{message}");
}
