//! The `.pvd` file: which file shows what at which time.

use super::xml::{escape, next_tag};
use crate::TrajectoryError;
use moreau_files::Fault;
use std::fmt::Write;
use std::path::Path;

/// One file at one time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) time: f64,
    /// Which of the files of a frame.
    pub(crate) part: usize,
    /// What it shows.
    pub(crate) name: String,
    /// The file, in the same folder.
    pub(crate) file: String,
}

/// All of them, in the order of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Collection {
    pub(crate) entries: Vec<Entry>,
}

impl Collection {
    pub(crate) fn write(&self, path: &Path) -> Result<(), TrajectoryError> {
        let mut text = String::from(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  <Collection>\n",
        );
        for entry in &self.entries {
            let _ = writeln!(
                text,
                "    <DataSet timestep=\"{}\" group=\"\" part=\"{}\" name=\"{}\" file=\"{}\"/>",
                entry.time,
                entry.part,
                escape(&entry.name),
                escape(&entry.file),
            );
        }
        text.push_str("  </Collection>\n</VTKFile>\n");
        moreau_files::write(path, text.as_bytes())
            .map_err(|error| TrajectoryError::system(path, "write", error))
    }

    pub(crate) fn read(path: &Path) -> Result<Self, TrajectoryError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| TrajectoryError::system(path, "read", error))?;
        Self::parse(&text).map_err(|fault| TrajectoryError::content(path, fault))
    }

    fn parse(text: &str) -> Result<Self, Fault> {
        let mut collection = Self::default();
        let mut at = 0;
        let mut next = |expected: &str| {
            let tag = next_tag(text, at)?
                .ok_or_else(|| Fault::of_whole("the file ends early", format!("<{expected}>")))?;
            at = tag.end;
            Ok(tag)
        };
        for expected in ["?xml", "VTKFile", "Collection"] {
            let tag = next(expected)?;
            if tag.name != expected {
                return Err(Fault::of_whole(
                    format!("<{}>", tag.name),
                    format!("<{expected}>"),
                ));
            }
            if expected == "VTKFile" {
                tag.require("type", "Collection")?;
            }
        }
        loop {
            let tag = next("/Collection")?;
            match tag.name.as_str() {
                "DataSet" => {}
                "/Collection" => return Ok(collection),
                other => return Err(Fault::of_whole(format!("<{other}>"), "<DataSet>")),
            }
            let entry = Entry {
                time: tag.number("timestep")?,
                part: tag.number("part")?,
                name: tag.get("name")?.to_string(),
                file: tag.get("file")?.to_string(),
            };
            // A collection that points elsewhere is not ours, and following it could read or remove any file.
            if entry.file.contains(['/', '\\']) || entry.file.starts_with('.') {
                let found = format!("file=\"{}\"", entry.file);
                return Err(Fault::of_whole(
                    found,
                    "the name of a file in the same folder",
                ));
            }
            let earlier = collection.entries.last().map(|entry| entry.time);
            if !entry.time.is_finite() || earlier.is_some_and(|earlier| entry.time < earlier) {
                let found = format!("timestep=\"{}\"", entry.time);
                return Err(Fault::of_whole(found, "times that do not go back"));
            }
            collection.entries.push(entry);
        }
    }
}
