//! Shapes, and where they touch. Nothing here knows a mass or a velocity.
//!
//! A body is a [`Pose`](pose::Pose) and an index into a [`ShapeTable`](shapes::ShapeTable). The [`broad_phase`] finds
//! pairs of bodies whose boxes overlap, the [`narrow_phase`] finds the [`Contact`](contact::Contact)s of each pair.

pub mod bounds;
pub mod broad_phase;
pub mod colliders;
pub mod contact;
pub mod mesh_file;
pub mod morton;
pub mod narrow_phase;
pub mod pose;
pub mod shapes;
