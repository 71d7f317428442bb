//! Reading frames back.

use super::{TOPOLOGIES, column, not_ours, ordered_names};
use crate::TrajectoryError;
use crate::vtk::{Array, PolyData, Values};
use hdf5_metno::{File, Group, Result};
use std::path::{Path, PathBuf};

/// Reads frames.
#[derive(Debug)]
pub(crate) struct HdfReader {
    path: PathBuf,
    root: Group,
    times: Vec<f64>,
    parts: Vec<String>,
}

impl HdfReader {
    pub(crate) fn open(path: &Path) -> std::result::Result<Self, TrajectoryError> {
        std::fs::File::open(path).map_err(|error| TrajectoryError::system(path, "read", error))?;
        Self::open_hdf5(path).map_err(not_ours(path))
    }

    fn open_hdf5(path: &Path) -> Result<Self> {
        let root = File::open(path)?.group("VTKHDF")?;
        let frames: i64 = root.group("Steps")?.attr("NSteps")?.read_scalar()?;
        let frames = usize::try_from(frames).map_err(|_| format!("NSteps is {frames}"))?;
        let times = column::read_typed(&root.dataset("Steps/Values")?, 0, frames)?;
        let parts = ordered_names(&root.group("Assembly")?)?;
        Ok(Self {
            path: path.to_path_buf(),
            root,
            times,
            parts,
        })
    }

    pub(crate) fn times(&self) -> Vec<f64> {
        self.times.clone()
    }

    pub(crate) fn parts(&self) -> Vec<String> {
        self.parts.clone()
    }

    /// Whether a part is stored once for a frame and the one before.
    pub(crate) fn unchanged(
        &self,
        frame: usize,
        part: &str,
    ) -> std::result::Result<bool, TrajectoryError> {
        let places = || -> Result<bool> {
            let offsets = self.root.group(part)?.dataset("Steps/PartOffsets")?;
            let here = column::number(&offsets, frame, 0)?;
            Ok(frame > 0 && column::number(&offsets, frame - 1, 0)? == here)
        };
        places().map_err(not_ours(&self.path))
    }

    pub(crate) fn read(
        &self,
        frame: usize,
        part: &str,
    ) -> std::result::Result<PolyData, TrajectoryError> {
        let data = self.read_block(frame, part).map_err(not_ours(&self.path))?;
        data.check()
            .map_err(|fault| TrajectoryError::content(&self.path, fault.within(part)))?;
        Ok(data)
    }

    fn read_block(&self, frame: usize, name: &str) -> Result<PolyData> {
        let block = self.root.group(name)?;
        let steps = block.group("Steps")?;
        let part = column::number(&steps.dataset("PartOffsets")?, frame, 0)?;
        let points = column::number(&block.dataset("NumberOfPoints")?, part, 0)?;
        let first = column::number(&steps.dataset("PointOffsets")?, frame, 0)?;
        let mut corners = Vec::new();
        let mut all_cells = 0_usize;
        for (index, (topology, size)) in TOPOLOGIES.into_iter().enumerate() {
            let group = block.group(topology)?;
            let cells = column::number(&group.dataset("NumberOfCells")?, part, 0)?;
            let ids = column::number(&group.dataset("NumberOfConnectivityIds")?, part, 0)?;
            if cells.checked_mul(size) != Some(ids) || (topology == "Strips" && cells > 0) {
                return Err(format!("{name}/{topology} holds cells of other sizes").into());
            }
            let start = column::number(&steps.dataset("ConnectivityIdOffsets")?, frame, index)?;
            corners.push(narrow(column::read_typed(
                &group.dataset("Connectivity")?,
                start,
                ids,
            )?)?);
            all_cells = all_cells.saturating_add(cells);
        }
        let [vertices, lines, triangles] = [&corners[0], &corners[1], &corners[2]];
        Ok(PolyData {
            points: column::read(&block.dataset("Points")?, first, points)?,
            vertices: vertices.clone(),
            lines: lines.as_chunks().0.to_vec(),
            triangles: triangles.as_chunks().0.to_vec(),
            point_data: arrays(&block, "PointData", frame, points)?,
            cell_data: arrays(&block, "CellData", frame, all_cells)?,
        })
    }
}

fn arrays(block: &Group, section: &str, frame: usize, rows: usize) -> Result<Vec<Array>> {
    let group = block.group(section)?;
    let offsets = block.group(&format!("Steps/{section}Offsets"))?;
    let mut arrays = Vec::new();
    for name in ordered_names(&group)? {
        let first = column::number(&offsets.dataset(&name)?, frame, 0)?;
        let dataset = group.dataset(&name)?;
        let values: Values = column::read(&dataset, first, rows)?;
        arrays.push(Array::new(name, column::components(&dataset), values));
    }
    Ok(arrays)
}

fn narrow(corners: Vec<i64>) -> Result<Vec<i32>> {
    corners
        .into_iter()
        .map(|corner| i32::try_from(corner).map_err(|_| format!("a cell at point {corner}").into()))
        .collect()
}
