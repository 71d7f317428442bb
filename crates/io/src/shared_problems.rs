//! Where the shared collection of real problems lies, for tests and measurements.
//!
//! The collection is not part of the project. It is looked for in `$MOREAU_FCLIB_DIR`, else in
//! `../shared/fclib` seen from the root of the workspace; tests that need it say so and return
//! when it is absent.

use std::path::PathBuf;

/// The folder of the collection, or nothing when it is absent.
pub fn directory() -> Option<PathBuf> {
    let folder = std::env::var_os("MOREAU_FCLIB_DIR").map_or_else(
        || {
            PathBuf::from(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../../shared/fclib"
            ))
        },
        PathBuf::from,
    );
    folder.join("problems").is_dir().then_some(folder)
}

/// All problem files of the collection by name; empty, with a message, when it is absent.
pub fn all() -> Vec<PathBuf> {
    let Some(folder) = directory() else {
        eprintln!("no shared problems: set MOREAU_FCLIB_DIR to their folder");
        return Vec::new();
    };
    let Ok(entries) = std::fs::read_dir(folder.join("problems")) else {
        return Vec::new();
    };
    let mut files: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files
}
