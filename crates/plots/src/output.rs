//! From a scene to a file.

use std::path::Path;

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
    moreau_files::write(path, bytes).map_err(|source| PlotError::Write {
        path: path.to_path_buf(),
        source,
    })
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
}
