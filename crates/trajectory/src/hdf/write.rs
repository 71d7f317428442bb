//! Appending frames.

use super::{
    TOPOLOGIES, column, cut, not_ours, ordered_group, ordered_names, set_count, without_lock,
};
use crate::TrajectoryError;
use crate::vtk::{Array, PolyData, Values};
use crate::writer::{FrameInfo, Part};
use hdf5_metno::types::FixedAscii;
use hdf5_metno::{Group, Location, Result};
use moreau_files::Fault;
use std::path::{Path, PathBuf};

/// Writes frames one after the other.
#[derive(Debug)]
pub(crate) struct HdfWriter {
    path: PathBuf,
    frames: u64,
    last_time: Option<f64>,
    compression: u32,
}

impl HdfWriter {
    /// Begins a file; one that is there already is replaced.
    pub(crate) fn create(
        path: &Path,
        compression: u32,
    ) -> std::result::Result<Self, TrajectoryError> {
        begin(path).map_err(unwritable(path))?;
        Ok(Self {
            path: path.to_path_buf(),
            frames: 0,
            last_time: None,
            compression,
        })
    }

    /// Continues a file after a time; frames later than that are dropped.
    pub(crate) fn resume(
        path: &Path,
        time: f64,
        compression: u32,
    ) -> std::result::Result<Self, TrajectoryError> {
        let (frames, last_time) = cut::after(path, time).map_err(not_ours(path))?;
        Ok(Self {
            path: path.to_path_buf(),
            frames,
            last_time,
            compression,
        })
    }

    pub(crate) fn last_time(&self) -> Option<f64> {
        self.last_time
    }

    pub(crate) fn append(
        &mut self,
        time: f64,
        parts: Vec<Part>,
    ) -> std::result::Result<FrameInfo, TrajectoryError> {
        for data in parts.iter().filter_map(|part| part.data.as_ref()) {
            data.check()
                .map_err(|fault| TrajectoryError::content(&self.path, fault))?;
        }
        let bytes = self.add(time, parts).map_err(unwritable(&self.path))?;
        let info = FrameInfo {
            number: self.frames,
            time,
            files: vec![self.path.clone()],
            bytes,
        };
        self.frames += 1;
        self.last_time = Some(time);
        Ok(info)
    }

    fn add(&self, time: f64, parts: Vec<Part>) -> Result<u64> {
        let before = std::fs::metadata(&self.path).map_or(0, |file| file.len());
        let file = without_lock().open_rw(&self.path)?;
        let root = file.group("VTKHDF")?;
        let known = ordered_names(&root.group("Assembly")?)?.len();
        if self.frames > 0 && known != parts.len() {
            let found = format!(
                "a frame of {} parts in a file of frames of {known}",
                parts.len()
            );
            return Err(found.into());
        }
        for part in parts {
            let block = match (self.frames, &part.data) {
                (0, Some(data)) => create_block(&root, part.name, data, self.compression)?,
                _ => root.group(part.name)?,
            };
            append_block(&block, time, part.data)?;
        }
        column::append(&root.dataset("Steps/Values")?, &Values::F64(vec![time]))?;
        // The data are stored before the count says that they are there.
        file.flush()?;
        set_count(&root, self.frames as usize + 1)?;
        file.flush()?;
        file.close()?;
        let after = std::fs::metadata(&self.path).map_or(before, |file| file.len());
        Ok(after.saturating_sub(before))
    }
}

fn unwritable(path: &Path) -> impl Fn(hdf5_metno::Error) -> TrajectoryError + '_ {
    move |error| {
        let fault = Fault::of_whole(
            format!("the frame cannot be written, HDF5 says: {error}"),
            "room on the disk, and a file of the same fields",
        );
        TrajectoryError::content(path, fault)
    }
}

fn begin(path: &Path) -> Result<()> {
    let file = without_lock().create(path)?;
    let root = ordered_group(&file, "VTKHDF")?;
    describe::<17>(&root, b"MultiBlockDataSet")?;
    let steps = root.create_group("Steps")?;
    column::create(&steps, "Values", &Values::F64(Vec::new()), 1, 0)?;
    steps
        .new_attr::<i64>()
        .create("NSteps")?
        .write_scalar(&0_i64)?;
    ordered_group(&root, "Assembly")?;
    file.close()
}

fn describe<const N: usize>(group: &Location, name: &[u8; N]) -> Result<()> {
    let name = FixedAscii::<N>::from_ascii(name)
        .map_err(|error| hdf5_metno::Error::from(error.to_string()))?;
    group
        .new_attr::<FixedAscii<N>>()
        .create("Type")?
        .write_scalar(&name)?;
    let version = group.new_attr::<i64>().shape(2).create("Version")?;
    version.write_raw(&[2_i64, 2])
}

fn create_block(root: &Group, name: &str, data: &PolyData, level: u32) -> Result<Group> {
    let block = ordered_group(root, name)?;
    describe::<8>(&block, b"PolyData")?;
    column::create_counts(&block, "NumberOfPoints", 1)?;
    column::create(&block, "Points", &data.points, 3, level)?;
    for (topology, _) in TOPOLOGIES {
        let cells = block.create_group(topology)?;
        column::create_counts(&cells, "NumberOfCells", 1)?;
        column::create_counts(&cells, "NumberOfConnectivityIds", 1)?;
        let like = Values::I64(vec![0; data.cell_count()]);
        column::create(&cells, "Offsets", &like, 1, level)?;
        column::create(&cells, "Connectivity", &like, 1, level)?;
    }
    let steps = block.create_group("Steps")?;
    steps
        .new_attr::<i64>()
        .create("NSteps")?
        .write_scalar(&0_i64)?;
    column::create(&steps, "Values", &Values::F64(Vec::new()), 1, 0)?;
    for name in ["PartOffsets", "NumberOfParts", "PointOffsets"] {
        column::create_counts(&steps, name, 1)?;
    }
    for name in ["CellOffsets", "ConnectivityIdOffsets"] {
        column::create_counts(&steps, name, 4)?;
    }
    for (section, arrays) in [
        ("PointData", &data.point_data),
        ("CellData", &data.cell_data),
    ] {
        let group = ordered_group(&block, section)?;
        let offsets = ordered_group(&steps, &format!("{section}Offsets"))?;
        for array in arrays {
            if array.name.contains('/') {
                return Err(format!(
                    "an array named '{}', which HDF5 takes for a folder",
                    array.name
                )
                .into());
            }
            column::create(&group, &array.name, &array.values, array.components, level)?;
            column::create_counts(&offsets, &array.name, 1)?;
        }
    }
    root.group("Assembly")?
        .link_soft(&format!("/VTKHDF/{name}"), name)?;
    Ok(block)
}

fn append_block(block: &Group, time: f64, data: Option<PolyData>) -> Result<()> {
    let steps = block.group("Steps")?;
    let grow = |group: &Group, name: &str, row: &[i64]| {
        column::append(&group.dataset(name)?, &Values::I64(row.to_vec()))
    };
    let parts = block.dataset("NumberOfPoints")?.shape()[0];
    let Some(data) = data else {
        return repeat_step(&steps, time);
    };
    let sizes = |name: &str| -> Result<Vec<i64>> {
        TOPOLOGIES
            .iter()
            .map(|(topology, _)| Ok(block.group(topology)?.dataset(name)?.shape()[0] as i64))
            .collect()
    };
    let points = block.dataset("Points")?.shape()[0] as i64;
    // Every part has one offset more than cells.
    let cells: Vec<i64> = sizes("Offsets")?
        .iter()
        .map(|size| size - parts as i64)
        .collect();
    column::append(&steps.dataset("Values")?, &Values::F64(vec![time]))?;
    grow(&steps, "PartOffsets", &[parts as i64])?;
    grow(&steps, "NumberOfParts", &[1])?;
    grow(&steps, "PointOffsets", &[points])?;
    grow(&steps, "CellOffsets", &cells)?;
    grow(&steps, "ConnectivityIdOffsets", &sizes("Connectivity")?)?;
    let all_cells = cells.iter().sum();
    append_arrays(block, "PointData", &data.point_data, points)?;
    append_arrays(block, "CellData", &data.cell_data, all_cells)?;
    grow(block, "NumberOfPoints", &[data.point_count() as i64])?;
    column::append(&block.dataset("Points")?, &data.points)?;
    let corners = [
        &data.vertices[..],
        data.lines.as_flattened(),
        data.triangles.as_flattened(),
        &[],
    ];
    for ((topology, size), corners) in TOPOLOGIES.into_iter().zip(corners) {
        let group = block.group(topology)?;
        let count = corners.len() / size;
        grow(&group, "NumberOfCells", &[count as i64])?;
        grow(&group, "NumberOfConnectivityIds", &[corners.len() as i64])?;
        let ends: Vec<i64> = (0..=count).map(|cell| (cell * size) as i64).collect();
        grow(&group, "Offsets", &ends)?;
        let corners: Vec<i64> = corners.iter().map(|corner| i64::from(*corner)).collect();
        grow(&group, "Connectivity", &corners)?;
    }
    Ok(())
}

fn append_arrays(block: &Group, section: &str, arrays: &[Array], offset: i64) -> Result<()> {
    let group = block.group(section)?;
    let offsets = block.group(&format!("Steps/{section}Offsets"))?;
    let known = ordered_names(&group)?;
    if known.len() != arrays.len() {
        return Err(format!(
            "{section} has the arrays {}; a frame has {}",
            known.join(", "),
            arrays.len()
        )
        .into());
    }
    for array in arrays {
        let dataset = group.dataset(&array.name)?;
        if column::components(&dataset) != array.components {
            return Err(format!("'{}' had another number of components", array.name).into());
        }
        column::append(&dataset, &array.values)?;
        column::append(&offsets.dataset(&array.name)?, &Values::I64(vec![offset]))?;
    }
    Ok(())
}

/// A step that shows the same as the one before.
fn repeat_step(steps: &Group, time: f64) -> Result<()> {
    let mut rows: Vec<hdf5_metno::Dataset> = Vec::new();
    for name in [
        "PartOffsets",
        "NumberOfParts",
        "PointOffsets",
        "CellOffsets",
        "ConnectivityIdOffsets",
    ] {
        rows.push(steps.dataset(name)?);
    }
    for section in ["PointDataOffsets", "CellDataOffsets"] {
        rows.extend(steps.group(section)?.datasets()?);
    }
    for dataset in rows {
        let last = dataset.shape()[0];
        let first = last.checked_sub(1).ok_or("a first frame without content")?;
        let row = column::read(&dataset, first, 1)?;
        column::append(&dataset, &row)?;
    }
    column::append(&steps.dataset("Values")?, &Values::F64(vec![time]))
}
