//! From a scene to a file.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::PlotError;
use crate::paint::{png_bytes, svg_text};
use crate::scene::Scene;

/// The two formats, each with its extension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Format {
    Svg,
    Png,
}

impl Format {
    /// The format that the extension of `path` names.
    pub fn of(path: &Path) -> Result<Self, PlotError> {
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("svg") => Ok(Format::Svg),
            Some("png") => Ok(Format::Png),
            _ => Err(PlotError::Extension {
                path: path.to_path_buf(),
            }),
        }
    }
}

/// Paints the scene and puts it at `path` in one step: a reader sees the old
/// file or the new one, never a part of it.
pub(crate) fn write(path: &Path, format: Format, scene: &Scene) -> Result<(), PlotError> {
    let bytes = match format {
        Format::Svg => svg_text(scene)?.into_bytes(),
        Format::Png => png_bytes(scene)?,
    };
    put(path, &bytes)
}

/// Puts the bytes at `path` in one step.
pub(crate) fn put(path: &Path, bytes: &[u8]) -> Result<(), PlotError> {
    let beside = temporary_name(path);
    let written = create(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    written.map_err(|source| {
        // The temporary file may not even exist; the first error is the one to report.
        let _ = fs::remove_file(&beside);
        PlotError::Write {
            path: path.to_path_buf(),
            source,
        }
    })
}

fn create(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// A hidden name in the same directory that no other writer uses.
fn temporary_name(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}-{count}.tmp", std::process::id()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_decides_the_format() {
        assert_eq!(Format::of(Path::new("a/b.svg")).unwrap(), Format::Svg);
        assert_eq!(Format::of(Path::new("b.PNG")).unwrap(), Format::Png);
        for wrong in ["b.pdf", "b", "svg", "b.svg.gz", ""] {
            let message = Format::of(Path::new(wrong)).unwrap_err().to_string();
            assert!(
                message.contains(".svg") && message.contains(".png"),
                "{message}"
            );
        }
    }

    #[test]
    fn temporary_names_stay_in_the_directory_and_differ() {
        let (a, b) = (
            temporary_name(Path::new("d/x.svg")),
            temporary_name(Path::new("d/x.svg")),
        );
        assert_ne!(a, b);
        assert_eq!(a.parent(), Some(Path::new("d")));
    }
}
