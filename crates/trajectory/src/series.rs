//! A trajectory as a folder of `.vtp` files and one `.pvd` that lists them.

use crate::TrajectoryError;
use crate::vtk::{Collection, Entry, Packed, PolyData, read_vtp, write_vtp};
use crate::writer::{FrameInfo, Part};
use moreau_files::Fault;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The file that lists all frames.
pub(crate) const COLLECTION: &str = "trajectory.pvd";

/// Writes frames one after the other.
#[derive(Debug)]
pub(crate) struct SeriesWriter {
    directory: PathBuf,
    collection: Collection,
    /// Number of the next frame.
    next: u64,
    compression: u32,
    /// For each part.
    packed: BTreeMap<&'static str, Packed>,
}

impl SeriesWriter {
    /// Begins a series; one that is there already is replaced.
    pub(crate) fn create(directory: &Path, compression: u32) -> Result<Self, TrajectoryError> {
        std::fs::create_dir_all(directory)
            .map_err(|error| TrajectoryError::system(directory, "make the folder", error))?;
        let path = directory.join(COLLECTION);
        let old = if path.exists() {
            Collection::read(&path)?
        } else {
            Collection::default()
        };
        let writer = Self {
            directory: directory.to_path_buf(),
            collection: Collection::default(),
            next: 0,
            compression,
            packed: BTreeMap::new(),
        };
        writer.collection.write(&path)?;
        writer.remove_files_of(&old.entries);
        Ok(writer)
    }

    /// Removes the series in a folder, if there is one.
    #[cfg(feature = "hdf5")]
    pub(crate) fn discard(directory: &Path) -> Result<(), TrajectoryError> {
        let path = directory.join(COLLECTION);
        if path.exists() {
            Self::create(directory, 0)?;
        }
        crate::writer::discard(&path)
    }

    /// Continues a series after a time; frames later than that are dropped.
    pub(crate) fn resume(
        directory: &Path,
        time: f64,
        compression: u32,
    ) -> Result<Self, TrajectoryError> {
        let path = directory.join(COLLECTION);
        let mut collection = Collection::read(&path)?;
        let keep = collection
            .entries
            .partition_point(|entry| entry.time <= time);
        let dropped = collection.entries.split_off(keep);
        let next = match collection
            .entries
            .iter()
            .map(|entry| frame_number(&entry.file))
            .max()
        {
            None => 0,
            Some(Some(last)) => last + 1,
            Some(None) => {
                let fault =
                    Fault::of_whole("a file without a number", "names like bodies-000012.vtp");
                return Err(TrajectoryError::content(&path, fault));
            }
        };
        let writer = Self {
            directory: directory.to_path_buf(),
            collection,
            next,
            compression,
            packed: BTreeMap::new(),
        };
        writer.collection.write(&path)?;
        writer.remove_files_of(&dropped);
        Ok(writer)
    }

    /// Removes files that the collection no longer lists. A file that cannot be removed does no harm: nothing points
    /// to it, and a later frame of its number replaces it.
    fn remove_files_of(&self, dropped: &[Entry]) {
        let kept: BTreeSet<&str> = self
            .collection
            .entries
            .iter()
            .map(|e| e.file.as_str())
            .collect();
        let gone: BTreeSet<&str> = dropped.iter().map(|e| e.file.as_str()).collect();
        for file in gone
            .difference(&kept)
            .filter(|file| frame_number(file).is_some())
        {
            let _ = std::fs::remove_file(self.directory.join(file));
        }
    }

    pub(crate) fn last_time(&self) -> Option<f64> {
        self.collection.entries.last().map(|entry| entry.time)
    }

    pub(crate) fn append(
        &mut self,
        time: f64,
        parts: Vec<Part>,
    ) -> Result<FrameInfo, TrajectoryError> {
        let mut info = FrameInfo {
            number: self.next,
            time,
            files: Vec::new(),
            bytes: 0,
        };
        let mut entries = Vec::new();
        for (index, part) in parts.into_iter().enumerate() {
            let file = match part.data {
                Some(data) => {
                    let file = format!("{}-{:06}.vtp", part.name, self.next);
                    let path = self.directory.join(&file);
                    let packed = self.packed.entry(part.name).or_default();
                    info.bytes += write_vtp(&path, &data, time, self.compression, packed)?;
                    info.files.push(path);
                    file
                }
                None => match self.last_file(part.name) {
                    Some(file) => file.to_string(),
                    None => continue,
                },
            };
            entries.push(Entry {
                time,
                part: index,
                name: part.name.to_string(),
                file,
            });
        }
        // The collection is written last: it never lists a file that is not complete.
        let before = self.collection.entries.len();
        self.collection.entries.extend(entries);
        if let Err(error) = self.collection.write(&self.directory.join(COLLECTION)) {
            self.collection.entries.truncate(before);
            return Err(error);
        }
        self.next += 1;
        Ok(info)
    }

    fn last_file(&self, name: &str) -> Option<&str> {
        let mut entries = self.collection.entries.iter().rev();
        entries
            .find(|entry| entry.name == name)
            .map(|entry| entry.file.as_str())
    }
}

/// 12 of `bodies-000012.vtp`.
fn frame_number(file: &str) -> Option<u64> {
    let (_, number) = file.strip_suffix(".vtp")?.rsplit_once('-')?;
    number.parse().ok()
}

/// Reads a series.
#[derive(Debug)]
pub(crate) struct SeriesReader {
    directory: PathBuf,
    /// Time and (part, file) of each frame.
    frames: Vec<(f64, Vec<(String, String)>)>,
}

impl SeriesReader {
    /// Opens a `.pvd` file.
    pub(crate) fn open(path: &Path) -> Result<Self, TrajectoryError> {
        let mut frames: Vec<(f64, Vec<(String, String)>)> = Vec::new();
        for entry in Collection::read(path)?.entries {
            if frames.last().is_none_or(|(time, _)| *time != entry.time) {
                frames.push((entry.time, Vec::new()));
            }
            let (_, parts) = frames.last_mut().expect("just pushed");
            parts.push((entry.name, entry.file));
        }
        Ok(Self {
            directory: path.parent().unwrap_or(Path::new("")).to_path_buf(),
            frames,
        })
    }

    pub(crate) fn times(&self) -> Vec<f64> {
        self.frames.iter().map(|(time, _)| *time).collect()
    }

    pub(crate) fn parts(&self, frame: usize) -> Vec<String> {
        self.frames[frame]
            .1
            .iter()
            .map(|(name, _)| name.clone())
            .collect()
    }

    fn file(&self, frame: usize, part: &str) -> Option<&str> {
        let mut parts = self.frames[frame].1.iter();
        parts
            .find(|(name, _)| name == part)
            .map(|(_, file)| file.as_str())
    }

    /// Whether a part is the same file as in the frame before.
    pub(crate) fn unchanged(&self, frame: usize, part: &str) -> bool {
        frame > 0 && self.file(frame, part) == self.file(frame - 1, part)
    }

    pub(crate) fn read(&self, frame: usize, part: &str) -> Result<PolyData, TrajectoryError> {
        let Some(file) = self.file(frame, part) else {
            let fault = Fault::of_whole(
                format!("no part '{part}' in frame {frame}"),
                self.parts(frame).join(", "),
            );
            return Err(TrajectoryError::content(
                &self.directory.join(COLLECTION),
                fault,
            ));
        };
        read_vtp(&self.directory.join(file)).map(|(data, _)| data)
    }
}
