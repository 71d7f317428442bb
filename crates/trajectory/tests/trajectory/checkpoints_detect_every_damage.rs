//! Claim: a checkpoint with any byte changed or any part cut off is not used; the one before it is, and that is said.

use moreau_trajectory::CheckpointStore;
use serde::{Deserialize, Serialize};
use std::path::Path;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    numbers: Vec<f64>,
    names: Vec<String>,
}

fn state(seed: u64) -> State {
    State {
        numbers: (0..6).map(|k| (seed + k) as f64 / 7.0).collect(),
        names: vec!["box".into(), format!("ball {seed}")],
    }
}

fn store(folder: &Path) -> CheckpointStore {
    CheckpointStore::new(folder, 3).of_kind("test", 2)
}

#[test]
fn every_changed_byte_is_detected() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    let path = store.write(&state(1), 1, 0.1).unwrap();
    let good = std::fs::read(&path).unwrap();
    for place in 0..good.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut bad = good.clone();
            bad[place] ^= change;
            std::fs::write(&path, &bad).unwrap();
            assert!(
                store.read::<State>(&path).is_err(),
                "byte {place} xor {change}"
            );
        }
    }
    std::fs::write(&path, &good).unwrap();
    assert_eq!(store.read::<State>(&path).unwrap().state, state(1));
}

#[test]
fn every_cut_and_every_addition_is_detected() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    let path = store.write(&state(1), 1, 0.1).unwrap();
    let good = std::fs::read(&path).unwrap();
    for length in 0..good.len() {
        std::fs::write(&path, &good[..length]).unwrap();
        assert!(store.read::<State>(&path).is_err(), "{length} bytes");
    }
    let mut longer = good.clone();
    longer.push(0);
    std::fs::write(&path, &longer).unwrap();
    assert!(store.read::<State>(&path).is_err());
}

#[test]
fn the_one_before_a_damaged_one_is_used_and_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    store.write(&state(1), 10, 0.1).unwrap();
    store.write(&state(2), 20, 0.2).unwrap();
    let newest = store.write(&state(3), 30, 0.3).unwrap();
    let mut bytes = std::fs::read(&newest).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&newest, bytes).unwrap();
    let loaded = store.read_latest::<State>().unwrap();
    assert_eq!(
        (loaded.state, loaded.step, loaded.time),
        (state(2), 20, 0.2)
    );
    assert_eq!(loaded.warnings.len(), 1);
    assert!(loaded.warnings[0].contains(newest.file_name().unwrap().to_str().unwrap()));
    // What is written next is the newest, though its step is lower than that of the damaged one.
    store.write(&state(4), 25, 0.25).unwrap();
    assert_eq!(store.read_latest::<State>().unwrap().state, state(4));
}

#[test]
fn a_crash_before_the_new_name_leaves_the_old_one_usable() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    let path = store.write(&state(1), 10, 0.1).unwrap();
    let half = std::fs::read(&path).unwrap();
    let leftover = folder
        .path()
        .join(".checkpoint-000001-step-20.moreau.123-0.tmp");
    std::fs::write(&leftover, &half[..half.len() / 2]).unwrap();
    let loaded = store.read_latest::<State>().unwrap();
    assert_eq!(loaded.state, state(1));
    assert!(loaded.warnings.is_empty());
    store.write(&state(2), 20, 0.2).unwrap();
    assert!(!leftover.exists(), "leftovers pile up");
}

#[test]
fn a_failed_write_leaves_nothing_behind() {
    struct Unwritable;
    impl Serialize for Unwritable {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("no"))
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    store.write(&state(1), 10, 0.1).unwrap();
    store.write(&Unwritable, 20, 0.2).unwrap_err();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(store.read_latest::<State>().unwrap().state, state(1));
}

#[test]
fn only_the_last_ones_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    for step in 0..7 {
        store.write(&state(step), step, step as f64).unwrap();
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
    assert_eq!(store.read_latest::<State>().unwrap().step, 6);
}

#[test]
fn another_kind_or_version_is_named() {
    let folder = tempfile::tempdir().unwrap();
    store(folder.path()).write(&state(1), 10, 0.1).unwrap();
    let newer = CheckpointStore::new(folder.path(), 3).of_kind("test", 3);
    let message = newer.read_latest::<State>().unwrap_err().to_string();
    assert!(
        message.contains("'test' version 2") && message.contains("'test' version 3"),
        "{message}"
    );
    let other = CheckpointStore::new(folder.path(), 3).of_kind("other", 2);
    let message = other.read_latest::<State>().unwrap_err().to_string();
    assert!(message.contains("'other' version 2"), "{message}");
}

#[test]
fn an_empty_or_missing_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let message = store(folder.path())
        .read_latest::<State>()
        .unwrap_err()
        .to_string();
    assert!(message.contains("no checkpoint"), "{message}");
    let message = store(&folder.path().join("none"))
        .read_latest::<State>()
        .unwrap_err()
        .to_string();
    assert!(message.contains("none"), "{message}");
}
