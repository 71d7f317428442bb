//! Claims about trajectories, checkpoints and tables, one in each file.

mod checkpoints_continue_bit_for_bit;
mod checkpoints_detect_every_damage;
mod common;
mod exports_agree;
mod pyvista_reads_the_same_numbers;
mod series_lists_only_complete_frames;
mod series_read_back_what_was_written;
mod tables_grow_and_resume;
#[cfg(feature = "hdf5")]
mod vtkhdf_holds_the_same_as_a_series;
