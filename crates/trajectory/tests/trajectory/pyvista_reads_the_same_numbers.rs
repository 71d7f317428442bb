//! Claim: PyVista, which is not ours, reads what we write with the same numbers and the right surfaces.
//!
//! The interpreter is `$MOREAU_PYTHON`, else `python3`; without PyVista the test says so and returns.

use crate::common::{BOX, BOX_BODY, CYLINDER, CYLINDER_BODY, advance, stepped};
use moreau_dynamics::simulation::Simulation;
use moreau_trajectory::{Format, TrajectoryOptions, TrajectoryWriter};
use serde_json::Value;
use std::f64::consts::TAU;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// Prints for each time and part the points, all arrays, and the area and volume of each body among the surfaces.
const DUMP: &str = r#"
import json, sys
import pyvista as pv

def frames(path):
    if path.endswith(".pvd"):
        reader = pv.PVDReader(path)
        for time in reader.time_values:
            reader.set_active_time_value(time)
            names = [d.path.rsplit("/", 1)[-1].split("-")[0] for d in reader.active_datasets]
            yield time, list(zip(names, reader.read()))
    else:
        import vtk
        reader = vtk.vtkHDFReader()
        reader.SetFileName(path)
        reader.UpdateInformation()
        pipeline = vtk.vtkStreamingDemandDrivenPipeline
        for time in reader.GetOutputInformation(0).Get(pipeline.TIME_STEPS()):
            reader.UpdateTimeStep(time)
            blocks = pv.wrap(reader.GetOutputDataObject(0))
            yield time, [(name, blocks[name]) for name in blocks.keys()]

def flat(array):
    # As text: not every reader of JSON gives back the last bit of a number.
    return [repr(x) for x in array.ravel().tolist()]

def describe(name, mesh):
    out = {"points": flat(mesh.points), "cells": mesh.n_cells}
    out["arrays"] = {k: flat(mesh.point_data[k]) for k in mesh.point_data.keys()}
    out["cell arrays"] = {k: flat(mesh.cell_data[k]) for k in mesh.cell_data.keys()}
    if name == "surfaces":
        out["bodies"] = {}
        for tag in sorted(set(mesh["tag"].tolist())):
            body = mesh.extract_points(mesh["tag"] == tag).extract_surface(algorithm="dataset_surface").triangulate()
            out["bodies"][tag] = [body.area, body.volume, body.n_open_edges]
    return out

result = [[repr(time), {n: describe(n, m) for n, m in parts}] for time, parts in frames(sys.argv[1])]
json.dump(result, sys.stdout)
"#;

/// Opens a trajectory, reads its last frame, prints how many there are, waits until its input ends, and does it again
/// while the first reader is still there.
const WATCH: &str = r#"
import sys
import vtk
import pyvista as pv

def last(path):
    if path.endswith(".pvd"):
        reader = pv.PVDReader(path)
        times = reader.time_values
        reader.set_active_time_value(times[-1])
        reader.read()
    else:
        reader = vtk.vtkHDFReader()
        reader.SetFileName(path)
        reader.UpdateInformation()
        times = reader.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS())
        reader.UpdateTimeStep(times[-1])
        assert pv.wrap(reader.GetOutputDataObject(0))["bodies"].n_points > 0
    print(len(times), flush=True)
    return reader

first = last(sys.argv[1])
sys.stdin.read()
second = last(sys.argv[1])
"#;

fn python() -> OsString {
    std::env::var_os("MOREAU_PYTHON").unwrap_or_else(|| "python3".into())
}

fn pyvista_is_there() -> bool {
    let outcome = Command::new(python())
        .args(["-c", "import pyvista"])
        .output();
    let there = outcome.is_ok_and(|output| output.status.success());
    if !there {
        eprintln!(
            "skipped: {:?} cannot import pyvista, set MOREAU_PYTHON",
            python()
        );
    }
    there
}

fn dump(path: &Path) -> Value {
    let output = Command::new(python())
        .args(["-c", DUMP])
        .arg(path)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(!errors.contains("ERR|"), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// All numbers below a value, in order.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(values) => values.iter().flat_map(numbers).collect(),
        Value::String(text) => vec![text.parse().unwrap()],
        other => vec![
            other
                .as_f64()
                .unwrap_or_else(|| panic!("{other} is no number")),
        ],
    }
}

fn compare(frame: &Value, simulation: &Simulation) {
    assert_eq!(numbers(&frame[0]), [simulation.time()]);
    let (bodies, state) = (&frame[1]["bodies"], simulation.bodies());
    let flat = |vectors: &mut dyn Iterator<Item = glam::DVec3>| -> Vec<f64> {
        vectors.flat_map(|v| v.to_array()).collect()
    };
    let single =
        |values: Vec<f64>| -> Vec<f64> { values.iter().map(|x| f64::from(*x as f32)).collect() };
    assert_eq!(bodies["cells"].as_u64(), Some(state.len() as u64));
    assert_eq!(
        numbers(&bodies["points"]),
        flat(&mut state.poses.iter().map(|p| p.position))
    );
    let array = |name: &str| numbers(&bodies["arrays"][name]);
    assert_eq!(
        array("velocity"),
        single(flat(&mut state.velocities.iter().map(|v| v.linear)))
    );
    assert_eq!(
        array("angular velocity"),
        single(flat(&mut state.velocities.iter().map(|v| v.angular)))
    );
    let rotations = state
        .poses
        .iter()
        .flat_map(|p| p.rotation.to_array())
        .collect();
    assert_eq!(array("orientation"), single(rotations));
    assert_eq!(
        array("tag"),
        state.tags.iter().map(|tag| *tag as f64).collect::<Vec<_>>()
    );
    assert_eq!(array("kind")[..4], [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(array("shape")[..4], [0.0, 1.0, 2.0, 3.0]);

    let contacts = &frame[1]["contacts"];
    let found = simulation.contacts();
    assert!(!found.is_empty());
    assert_eq!(
        numbers(&contacts["points"]),
        flat(&mut found.iter().map(|c| c.point))
    );
    let forces = &mut (0..found.len()).map(|contact| simulation.contact_force(contact).linear);
    assert_eq!(numbers(&contacts["arrays"]["force"]), single(flat(forces)));
    let gaps = found.iter().map(|c| c.gap).collect();
    assert_eq!(numbers(&contacts["arrays"]["gap"]), single(gaps));
    compare_surfaces(&frame[1]["surfaces"]["bodies"]);
    assert_eq!(
        frame[1]["chains"]["cell arrays"]["force magnitude"]
            .as_array()
            .unwrap()
            .len() as u64,
        frame[1]["chains"]["cells"].as_u64().unwrap()
    );
}

/// The box is exact; the cylinder is a prism of 24 sides within the true one.
fn compare_surfaces(bodies: &Value) {
    let close =
        |found: f64, right: f64| assert!((found / right - 1.0).abs() < 1e-5, "{found} for {right}");
    let measures = |body: usize| numbers(&bodies[&body.to_string()]);
    let edges = 2.0 * BOX;
    let [area, volume, open] = measures(BOX_BODY)[..] else {
        panic!("three measures")
    };
    close(
        area,
        2.0 * (edges.x * edges.y + edges.y * edges.z + edges.z * edges.x),
    );
    close(volume, edges.x * edges.y * edges.z);
    assert_eq!(open, 0.0);
    let (half_height, radius) = CYLINDER;
    let sides = TrajectoryOptions::default().segments as f64;
    let base = 0.5 * sides * radius * radius * (TAU / sides).sin();
    let around = sides * 2.0 * radius * (0.5 * TAU / sides).sin();
    let [area, volume, open] = measures(CYLINDER_BODY)[..] else {
        panic!("three measures")
    };
    close(area, 2.0 * base + around * 2.0 * half_height);
    close(volume, base * 2.0 * half_height);
    assert_eq!(open, 0.0);
}

fn check(format: Format, file: &str) {
    if !pyvista_is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let options = TrajectoryOptions {
        format,
        chains: true,
        ..TrajectoryOptions::default()
    };
    let mut writer = TrajectoryWriter::create(folder.path(), options).unwrap();
    let mut simulation = stepped(24, 260);
    let mut states = Vec::new();
    for _ in 0..2 {
        writer.frame(&simulation).unwrap();
        states.push(simulation.clone());
        advance(&mut simulation, 7);
    }
    // The writer is still there: the run goes on while another program looks.
    let frames = dump(&folder.path().join(file));
    assert_eq!(frames.as_array().unwrap().len(), states.len());
    for (frame, state) in states.iter().enumerate() {
        compare(&frames[frame], state);
        assert_eq!(
            frames[frame][1]["fixed"]["points"]
                .as_array()
                .unwrap()
                .len(),
            3 * (26 + 4)
        );
    }
    // Another program that keeps the file open does not stop the run, and sees the next frame when it opens it again.
    let mut watcher = Command::new(python())
        .args(["-c", WATCH])
        .arg(folder.path().join(file))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(watcher.stdout.take().unwrap()).lines();
    assert_eq!(told.next().unwrap().unwrap(), "2");
    advance(&mut simulation, 1);
    writer.frame(&simulation).unwrap();
    drop(watcher.stdin.take());
    assert_eq!(told.next().unwrap().unwrap(), "3");
    assert!(watcher.wait().unwrap().success());
}

#[test]
fn of_a_series() {
    check(Format::Series, "trajectory.pvd");
}

#[cfg(feature = "hdf5")]
#[test]
fn of_vtkhdf() {
    check(Format::VtkHdf, "trajectory.vtkhdf");
}
