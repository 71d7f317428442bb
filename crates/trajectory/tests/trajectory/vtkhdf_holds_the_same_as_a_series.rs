//! Claim: a VTKHDF file holds the same as a series, in both directions, and can be cut and continued.

use crate::common::{advance, scene};
use moreau_trajectory::{Format, TrajectoryOptions, TrajectoryReader, TrajectoryWriter, export};
use std::path::Path;

fn options(format: Format) -> TrajectoryOptions {
    TrajectoryOptions {
        format,
        chains: true,
        ..TrajectoryOptions::default()
    }
}

/// HDF5 lists parts and arrays by name, a series in the order of writing.
fn assert_same(first: &Path, second: &Path) {
    let [first, second] = [first, second].map(|path| TrajectoryReader::open(path).unwrap());
    assert_eq!(first.times(), second.times());
    for frame in 0..first.times().len() {
        let [mut names, mut others] = [first.parts(frame), second.parts(frame)];
        names.sort();
        others.sort();
        assert_eq!(names, others);
        for part in names {
            let mut data = [&first, &second].map(|reader| reader.read(frame, &part).unwrap());
            for data in &mut data {
                data.point_data.sort_by(|a, b| a.name.cmp(&b.name));
                data.cell_data.sort_by(|a, b| a.name.cmp(&b.name));
            }
            assert_eq!(data[0], data[1], "frame {frame}, {part}");
        }
    }
}

#[test]
fn both_forms_hold_the_same_and_turn_into_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut simulation = scene(24);
    let mut series = TrajectoryWriter::create(path("series"), options(Format::Series)).unwrap();
    let mut hdf = TrajectoryWriter::create(path("hdf"), options(Format::VtkHdf)).unwrap();
    for _ in 0..4 {
        series.frame(&simulation).unwrap();
        hdf.frame(&simulation).unwrap();
        advance(&mut simulation, 90);
    }
    assert_same(&path("series"), &path("hdf"));
    export(path("series"), path("hdf 2"), Format::VtkHdf).unwrap();
    assert_same(&path("series"), &path("hdf 2"));
    export(
        path("hdf").join("trajectory.vtkhdf"),
        path("series 2"),
        Format::Series,
    )
    .unwrap();
    assert_same(&path("series"), &path("series 2"));
    assert!(
        !path("series 2").join("fixed-000001.vtp").exists(),
        "walls are written once"
    );
    let exported = export(path("hdf"), path("bodies.csv"), Format::Csv).unwrap();
    assert_eq!(exported.rows, 4 * simulation.bodies().len());
}

#[test]
fn a_file_is_cut_and_continued() {
    for keep in [0, 2] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mut simulation = scene(24);
        let mut whole = TrajectoryWriter::create(path("whole"), options(Format::VtkHdf)).unwrap();
        let mut cut = TrajectoryWriter::create(path("cut"), options(Format::VtkHdf)).unwrap();
        let mut saved = simulation.clone();
        for frame in 0..4 {
            if frame == keep {
                saved = simulation.clone();
            }
            whole.frame(&simulation).unwrap();
            cut.frame(&simulation).unwrap();
            advance(&mut simulation, 90);
        }
        let before = saved.time() - 1e-4;
        let mut cut =
            TrajectoryWriter::resume(path("cut"), before, options(Format::VtkHdf)).unwrap();
        for _ in keep..4 {
            cut.frame(&saved).unwrap();
            advance(&mut saved, 90);
        }
        assert_same(&path("whole"), &path("cut"));
    }
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trajectory.vtkhdf");
    let open = || TrajectoryReader::open(&path).unwrap_err().to_string();
    assert!(open().contains("cannot read"));
    std::fs::write(&path, "no HDF5").unwrap();
    assert!(open().contains("trajectory.vtkhdf"));
    let resumed = TrajectoryWriter::resume(folder.path(), 0.0, options(Format::VtkHdf));
    assert!(
        resumed
            .unwrap_err()
            .to_string()
            .contains("trajectory.vtkhdf")
    );
}
