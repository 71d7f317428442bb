//! Claim: what is written reads back with the same bits, and a damaged file gives an error that names it.

use crate::common::{BOX_BODY, stepped};
use moreau_trajectory::{
    Fields, PolyData, TrajectoryOptions, TrajectoryReader, TrajectoryWriter, Values,
};
use std::path::Path;

fn write(folder: &Path, options: TrajectoryOptions) -> moreau_dynamics::simulation::Simulation {
    let simulation = stepped(24, 260);
    assert!(!simulation.contacts().is_empty());
    let mut writer = TrajectoryWriter::create(folder, options).unwrap();
    writer.frame(&simulation).unwrap();
    simulation
}

fn doubles(values: &Values) -> &[f64] {
    match values {
        Values::F64(values) => values,
        other => panic!("{other:?}"),
    }
}

fn singles<'a>(data: &'a PolyData, name: &str) -> &'a [f32] {
    match &data.on_points(name).unwrap().values {
        Values::F32(values) => values,
        other => panic!("{other:?}"),
    }
}

#[test]
fn bodies_and_contacts_read_back() {
    let folder = tempfile::tempdir().unwrap();
    for compression in [0, 3, 9] {
        let options = TrajectoryOptions {
            compression,
            chains: true,
            ..TrajectoryOptions::default()
        };
        let simulation = write(folder.path(), options);
        let reader = TrajectoryReader::open(folder.path()).unwrap();
        assert_eq!(reader.times(), [simulation.time()]);
        let bodies = reader.read(0, "bodies").unwrap();
        let poses = &simulation.bodies().poses;
        let positions: Vec<f64> = poses.iter().flat_map(|p| p.position.to_array()).collect();
        assert_eq!(doubles(&bodies.points), positions);
        let rotation = poses[BOX_BODY].rotation.to_array().map(|x| x as f32);
        assert_eq!(
            singles(&bodies, "orientation")[4 * BOX_BODY..4 * BOX_BODY + 4],
            rotation
        );
        let contacts = reader.read(0, "contacts").unwrap();
        assert_eq!(contacts.point_count(), simulation.contacts().len());
        let force = simulation.contact_force(0).linear.as_vec3().to_array();
        assert_eq!(singles(&contacts, "force")[..3], force);
        let pushing = singles(&contacts, "force magnitude")
            .iter()
            .filter(|f| **f > 0.0)
            .count();
        assert!(pushing > 0);
        assert_eq!(reader.read(0, "chains").unwrap().lines.len(), pushing);
        // All forces pass through the ground or between two spheres: the sums count each contact twice.
        let sum = |values: &[f32]| values.iter().map(|x| f64::from(*x)).sum::<f64>();
        let on_bodies = sum(singles(&bodies, "contact force magnitude"));
        let in_contacts = sum(singles(&contacts, "force magnitude"));
        assert!((on_bodies - 2.0 * in_contacts).abs() < 1e-5 * on_bodies);
    }
}

#[test]
fn fields_and_parts_can_be_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let options = TrajectoryOptions {
        surfaces: false,
        contacts: false,
        fields: Fields {
            size: false,
            shape: false,
            material: false,
            kind: false,
            velocity: true,
            angular_velocity: false,
            orientation: false,
            contact_force: false,
        },
        ..TrajectoryOptions::default()
    };
    write(folder.path(), options);
    let reader = TrajectoryReader::open(folder.path()).unwrap();
    assert_eq!(reader.parts(0), ["bodies"]);
    let bodies = reader.read(0, "bodies").unwrap();
    let names: Vec<&str> = bodies
        .point_data
        .iter()
        .map(|array| array.name.as_str())
        .collect();
    assert_eq!(names, ["tag", "velocity"]);
    let message = reader.read(0, "contacts").unwrap_err().to_string();
    assert!(message.contains("no part 'contacts'"), "{message}");
}

#[test]
fn many_spheres_are_left_out_of_the_surfaces() {
    let folder = tempfile::tempdir().unwrap();
    let options = TrajectoryOptions {
        most_spheres: 24,
        ..TrajectoryOptions::default()
    };
    write(folder.path(), options);
    let reader = TrajectoryReader::open(folder.path()).unwrap();
    let surfaces = reader.read(0, "surfaces").unwrap();
    let Values::I64(tags) = &surfaces.on_points("tag").unwrap().values else {
        panic!("tags are integers");
    };
    assert!(tags.iter().all(|tag| *tag == 1 || *tag == 2));
}

#[test]
fn every_cut_and_many_changes_give_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), TrajectoryOptions::default());
    let reader = TrajectoryReader::open(folder.path()).unwrap();
    let path = folder.path().join("contacts-000000.vtp");
    let good = std::fs::read(&path).unwrap();
    let first = reader.read(0, "contacts").unwrap();
    for length in (0..good.len()).step_by(29).chain([good.len() - 1]) {
        std::fs::write(&path, &good[..length]).unwrap();
        let message = reader.read(0, "contacts").unwrap_err().to_string();
        assert!(
            message.contains("contacts-000000.vtp") && message.contains("expected"),
            "{message}"
        );
    }
    for place in (0..good.len()).step_by(13) {
        let mut bad = good.clone();
        bad[place] ^= 0x11;
        std::fs::write(&path, &bad).unwrap();
        // Spaces between tags and names of arrays may change without harm; numbers may not.
        if let Ok(second) = reader.read(0, "contacts") {
            assert_eq!(second.points, first.points, "byte {place}");
            let values = |data: &PolyData| {
                data.point_data
                    .iter()
                    .map(|a| a.values.clone())
                    .collect::<Vec<_>>()
            };
            assert_eq!(values(&second), values(&first), "byte {place}");
        }
    }
}

#[test]
fn a_collection_that_points_elsewhere_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\">\n<Collection>\n<DataSet timestep=\"0\" part=\"0\" name=\"bodies\" file=\"../x.vtp\"/>\n</Collection></VTKFile>";
    std::fs::write(folder.path().join("trajectory.pvd"), text).unwrap();
    let message = TrajectoryReader::open(folder.path())
        .unwrap_err()
        .to_string();
    assert!(message.contains("same folder"), "{message}");
}

#[test]
fn impossible_options_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let options = TrajectoryOptions {
        compression: 10,
        ..TrajectoryOptions::default()
    };
    let message = TrajectoryWriter::create(folder.path(), options)
        .unwrap_err()
        .to_string();
    assert!(message.contains("compression is 10"), "{message}");
}
