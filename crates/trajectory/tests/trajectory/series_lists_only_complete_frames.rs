//! Claim: at any moment the collection lists files that are all there and whole, and resuming drops later frames.

use crate::common::{advance, scene};
use moreau_trajectory::{TrajectoryOptions, TrajectoryReader, TrajectoryWriter};
use std::collections::BTreeSet;
use std::path::Path;

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

fn read_everything(folder: &Path) -> Vec<f64> {
    let reader = TrajectoryReader::open(folder).unwrap();
    for frame in 0..reader.times().len() {
        for part in reader.parts(frame) {
            reader.read(frame, &part).unwrap();
        }
    }
    reader.times().to_vec()
}

#[test]
fn every_frame_can_be_read_at_once_and_walls_are_written_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut simulation = scene(4);
    let mut writer = TrajectoryWriter::create(folder.path(), TrajectoryOptions::default()).unwrap();
    assert!(read_everything(folder.path()).is_empty());
    for frame in 0..4 {
        let info = writer.frame(&simulation).unwrap();
        assert_eq!(info.number, frame);
        assert_eq!(info.files.len(), if frame == 0 { 4 } else { 3 });
        assert_eq!(read_everything(folder.path()).len() as u64, frame + 1);
        advance(&mut simulation, 2);
    }
    let files = names(folder.path());
    assert!(files.contains("bodies-000003.vtp"));
    assert_eq!(
        files
            .iter()
            .filter(|name| name.starts_with("fixed"))
            .count(),
        1
    );
    assert_eq!(
        files.iter().filter(|name| name.ends_with(".tmp")).count(),
        0
    );
    // A wall that moves after all is written again.
    simulation.bodies_mut().poses[0].position.x += 1.0;
    assert_eq!(writer.frame(&simulation).unwrap().files.len(), 4);
}

#[test]
fn a_frame_that_fails_is_not_listed() {
    let folder = tempfile::tempdir().unwrap();
    let mut simulation = scene(4);
    let mut writer = TrajectoryWriter::create(folder.path(), TrajectoryOptions::default()).unwrap();
    writer.frame(&simulation).unwrap();
    let again = writer.frame(&simulation).unwrap_err().to_string();
    assert!(again.contains("later time"), "{again}");
    advance(&mut simulation, 1);
    // A folder where the last file of the next frame should go: the frame cannot be completed.
    let block = folder.path().join("contacts-000001.vtp");
    std::fs::create_dir(&block).unwrap();
    writer.frame(&simulation).unwrap_err();
    assert_eq!(read_everything(folder.path()).len(), 1);
    std::fs::remove_dir(&block).unwrap();
    assert_eq!(writer.frame(&simulation).unwrap().number, 1);
    assert_eq!(read_everything(folder.path()).len(), 2);
}

#[test]
fn resuming_drops_later_frames_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut simulation = scene(4);
    let options = TrajectoryOptions::default();
    let mut writer = TrajectoryWriter::create(folder.path(), options.clone()).unwrap();
    let mut saved = None;
    for frame in 0..6 {
        writer.frame(&simulation).unwrap();
        if frame == 2 {
            saved = Some(simulation.clone());
        }
        advance(&mut simulation, 3);
    }
    let before = names(folder.path());
    let mut simulation = saved.unwrap();
    let mut writer =
        TrajectoryWriter::resume(folder.path(), simulation.time(), options.clone()).unwrap();
    assert_eq!(writer.last_time(), Some(simulation.time()));
    assert_eq!(read_everything(folder.path()).len(), 3);
    assert!(!names(folder.path()).contains("bodies-000003.vtp"));
    for _ in 0..3 {
        advance(&mut simulation, 3);
        writer.frame(&simulation).unwrap();
    }
    assert_eq!(read_everything(folder.path()).len(), 6);
    assert_eq!(names(folder.path()), before, "walls are not written again");
    // Unless one of them has moved.
    let mut writer = TrajectoryWriter::resume(folder.path(), simulation.time(), options).unwrap();
    simulation.bodies_mut().poses[0].position.x += 1.0;
    advance(&mut simulation, 1);
    let info = writer.frame(&simulation).unwrap();
    assert!(info.files.contains(&folder.path().join("fixed-000006.vtp")));
    // A new trajectory in the same folder replaces the old one.
    TrajectoryWriter::create(folder.path(), TrajectoryOptions::default()).unwrap();
    assert_eq!(names(folder.path()).len(), 1);
}

#[test]
fn there_is_nothing_to_resume_in_an_empty_folder() {
    let folder = tempfile::tempdir().unwrap();
    let error = TrajectoryWriter::resume(folder.path(), 0.0, TrajectoryOptions::default());
    assert!(error.unwrap_err().to_string().contains("trajectory.pvd"));
}
