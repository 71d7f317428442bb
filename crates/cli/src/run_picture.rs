//! The picture of a run.
use crate::failure::Failure;
use moreau_scene::Run;
use std::path::Path;
/// Draws the bodies as they are.
pub fn draw(_run: &Run, _path: &Path) -> Result<(), Failure> {
    Ok(())
}
