//! Shapes, meshes and containers against outside truths.

mod bounds;
mod common;
mod containers;
mod flat_mesh;
mod inside;
mod mesh_box;
mod mesh_files;
mod mesh_refusals;
mod on_the_ground;
mod volume_properties;
