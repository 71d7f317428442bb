//! A trajectory as one growing VTKHDF file.
//!
//! The file is a `MultiBlockDataSet`: a block of type `PolyData` for each part of a frame, each with its own `Steps`.
//! VTK's reader takes the time from a `Steps` group at the root, without which it ignores the requested time (vtk 9.7).
//! Type attributes must be fixed ASCII. A part that did not change since the frame before is stored once: the steps
//! point to the same place.
//!
//! The file is opened for each frame and closed after it, so that a viewer can look at it in between. It is opened
//! without a lock: a viewer that keeps the file open, as VTK's reader does, must not stop a run. A program that dies in
//! the middle of a frame can leave a file that cannot be opened; the series of `.vtp` files cannot be broken like that.

mod column;
mod cut;
mod read;
mod write;

pub(crate) use read::HdfReader;
pub(crate) use write::HdfWriter;

use crate::TrajectoryError;
use hdf5_metno::plist::group_create::LinkCreationOrder;
use hdf5_metno::{File, FileBuilder, Group, IndexType, IterationOrder, Result};
use moreau_files::Fault;
use std::path::Path;

/// VTK's cell groups in the order in which it counts cells, with the corners of ours.
const TOPOLOGIES: [(&str, usize); 4] = [
    ("Vertices", 1),
    ("Lines", 2),
    ("Polygons", 3),
    ("Strips", 1),
];

/// How files are opened to be written.
fn without_lock() -> FileBuilder {
    let mut builder = File::with_options();
    builder.with_fapl(|access| access.file_locking(false));
    builder
}

fn not_ours(path: &Path) -> impl Fn(hdf5_metno::Error) -> TrajectoryError + '_ {
    move |error| {
        let fault = Fault::of_whole(
            format!("HDF5 says: {error}"),
            "a VTKHDF trajectory of this program",
        );
        TrajectoryError::content(path, fault)
    }
}

/// A group that remembers in which order its members were made. VTK asks for that order of blocks and arrays.
fn ordered_group(parent: &Group, name: &str) -> Result<Group> {
    let builder = parent.create_group_builder();
    builder
        .with_create_plist(|plist| plist.link_creation_order(LinkCreationOrder::Indexed))
        .create(name)
}

/// The members of such a group, in that order.
fn ordered_names(group: &Group) -> Result<Vec<String>> {
    group.member_names_by(IndexType::CreationOrder, IterationOrder::Increasing)
}

/// How many frames there are, in every block and for the whole file.
fn set_count(root: &Group, frames: usize) -> Result<()> {
    for block in ordered_names(&root.group("Assembly")?)? {
        let steps = root.group(&block)?.group("Steps")?;
        steps.attr("NSteps")?.write_scalar(&(frames as i64))?;
    }
    root.group("Steps")?
        .attr("NSteps")?
        .write_scalar(&(frames as i64))
}
