//! VTK's files of points, lines and triangles.

mod blocks;
mod collection;
mod poly_data;
mod vtp_read;
mod vtp_write;
mod xml;

pub(crate) use collection::{Collection, Entry};
pub use poly_data::{Array, PolyData, Values};
pub(crate) use vtp_read::read_vtp;
pub(crate) use vtp_write::{Packed, write_vtp};
