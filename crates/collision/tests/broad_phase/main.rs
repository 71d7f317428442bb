//! The claims of the broad phase, one file each.

mod does_not_depend_on_threads;
mod does_not_depend_on_units;
mod finds_what_brute_force_finds;
mod lists_neighbours_together;
mod scenes;
mod visits_what_is_listed;
