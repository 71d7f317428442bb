//! Dropping frames, to go on from an earlier one.

use super::{TOPOLOGIES, column, ordered_names, set_count, without_lock};
use hdf5_metno::{Group, Result};
use std::path::Path;

/// Drops the frames after a time; gives how many are left and the time of the last.
pub(super) fn after(path: &Path, time: f64) -> Result<(u64, Option<f64>)> {
    let file = without_lock().open_rw(path)?;
    let root = file.group("VTKHDF")?;
    let values = root.dataset("Steps/Values")?;
    let frames: i64 = root.group("Steps")?.attr("NSteps")?.read_scalar()?;
    let frames = usize::try_from(frames).unwrap_or(0).min(values.shape()[0]);
    let times = column::read_typed::<f64>(&values, 0, frames)?;
    let keep = times.partition_point(|t| *t <= time);
    set_count(&root, keep)?;
    column::resize(&values, keep)?;
    for name in ordered_names(&root.group("Assembly")?)? {
        cut_block(&root.group(&name)?, keep)?;
    }
    if keep == 0 {
        // Without a frame the next one begins the blocks anew.
        for name in ordered_names(&root.group("Assembly")?)? {
            root.group("Assembly")?.unlink(&name)?;
            root.unlink(&name)?;
        }
    }
    file.close()?;
    Ok((keep as u64, times[..keep].last().copied()))
}

fn cut_block(block: &Group, keep: usize) -> Result<()> {
    let steps = block.group("Steps")?;
    let parts = match keep.checked_sub(1) {
        Some(last) => column::number(&steps.dataset("PartOffsets")?, last, 0)? + 1,
        None => 0,
    };
    let mut datasets = steps.datasets()?;
    for section in ["PointDataOffsets", "CellDataOffsets"] {
        datasets.extend(steps.group(section)?.datasets()?);
    }
    for dataset in datasets {
        column::resize(&dataset, keep)?;
    }
    let cut_counts = |group: &Group, name: &str| -> Result<usize> {
        let dataset = group.dataset(name)?;
        column::resize(&dataset, parts)?;
        let counts = column::read_typed::<i64>(&dataset, 0, parts)?;
        Ok(counts.iter().sum::<i64>().try_into().unwrap_or(0))
    };
    let points = cut_counts(block, "NumberOfPoints")?;
    column::resize(&block.dataset("Points")?, points)?;
    let mut all_cells = 0;
    for (topology, _) in TOPOLOGIES {
        let group = block.group(topology)?;
        let cells = cut_counts(&group, "NumberOfCells")?;
        let corners = cut_counts(&group, "NumberOfConnectivityIds")?;
        column::resize(&group.dataset("Offsets")?, cells + parts)?;
        column::resize(&group.dataset("Connectivity")?, corners)?;
        all_cells += cells;
    }
    for (section, rows) in [("PointData", points), ("CellData", all_cells)] {
        for dataset in block.group(section)?.datasets()? {
            column::resize(&dataset, rows)?;
        }
    }
    Ok(())
}
