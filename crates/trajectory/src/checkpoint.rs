//! The last few states of a run, so that it can go on after a crash.

use crate::TrajectoryError;
use crate::checkpoint_file::{self, Description, Whole};
use moreau_files::Fault;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// How many checkpoints are kept unless told otherwise.
const KEEP: usize = 3;

/// A folder of checkpoints.
///
/// A checkpoint is written beside the others and gets its name when it is complete and stored; only then is the oldest
/// one removed. The newest is the one of the highest number in its name, so that a run which went back in time does not
/// mistake an abandoned future for its own past. One run at a time writes to a folder.
///
/// ```
/// # fn main() -> Result<(), moreau_trajectory::TrajectoryError> {
/// use moreau_trajectory::CheckpointStore;
/// let folder = tempfile::tempdir().unwrap();
/// let store = CheckpointStore::new(folder.path(), 3).of_kind("numbers", 1);
/// store.write(&vec![1.0, 2.0], 7, 0.25)?;
/// let loaded = store.read_latest::<Vec<f64>>()?;
/// assert_eq!((loaded.state, loaded.step), (vec![1.0, 2.0], 7));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckpointStore {
    directory: PathBuf,
    keep: usize,
    kind: String,
    version: u32,
}

/// A state read from a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded<T> {
    /// The state.
    pub state: T,
    /// The step at which it was written.
    pub step: u64,
    /// The time at which it was written, in s.
    pub time: f64,
    /// The version of the program that wrote it.
    pub program_version: String,
    /// The file.
    pub path: PathBuf,
    /// Newer checkpoints that could not be used, and why.
    pub warnings: Vec<String>,
}

impl CheckpointStore {
    /// Checkpoints in a folder, of which the last `keep` (at least 1) are kept. The state is of the kind `state`,
    /// version 1, unless [`CheckpointStore::of_kind`] says otherwise.
    pub fn new(directory: impl Into<PathBuf>, keep: usize) -> Self {
        Self {
            directory: directory.into(),
            keep: keep.max(1),
            kind: "state".into(),
            version: 1,
        }
    }

    /// The same with the last three kept.
    pub fn in_directory(directory: impl Into<PathBuf>) -> Self {
        Self::new(directory, KEEP)
    }

    /// Says what the state is and in which version; checkpoints of others are refused with a message that tells both.
    pub fn of_kind(mut self, kind: impl Into<String>, version: u32) -> Self {
        self.kind = kind.into();
        self.version = version;
        self
    }

    /// Writes a state and removes the oldest checkpoints beyond those to keep.
    ///
    /// # Errors
    /// When the folder or the file cannot be written; the checkpoints before stay as they are.
    pub fn write<T: Serialize + ?Sized>(
        &self,
        state: &T,
        step: u64,
        time: f64,
    ) -> Result<PathBuf, TrajectoryError> {
        std::fs::create_dir_all(&self.directory)
            .map_err(|error| TrajectoryError::system(&self.directory, "make the folder", error))?;
        moreau_files::remove_leftovers(&self.directory);
        let old = self.files()?;
        let number = old.last().map_or(0, |(number, _)| number + 1);
        let path = self
            .directory
            .join(format!("checkpoint-{number:06}-step-{step}.moreau"));
        let description = Description {
            kind: self.kind.clone(),
            kind_version: self.version,
            program_version: env!("CARGO_PKG_VERSION").into(),
            step,
            time,
        };
        checkpoint_file::write(&path, &description, state)?;
        let beyond = (old.len() + 1).saturating_sub(self.keep);
        for (_, path) in &old[..beyond] {
            // One that cannot be removed takes room but does no harm.
            let _ = std::fs::remove_file(path);
        }
        Ok(path)
    }

    /// Removes all checkpoints in the folder, for a run that begins anew.
    ///
    /// # Errors
    /// When one cannot be removed.
    pub fn clear(&self) -> Result<(), TrajectoryError> {
        if !self.directory.exists() {
            return Ok(());
        }
        moreau_files::remove_leftovers(&self.directory);
        for (_, path) in self.files()? {
            std::fs::remove_file(&path)
                .map_err(|error| TrajectoryError::system(&path, "remove", error))?;
        }
        Ok(())
    }

    /// The newest state that is whole. Damaged checkpoints are passed over and told of in the warnings.
    ///
    /// # Errors
    /// When there is no checkpoint, none is whole, or the newest whole one is of another kind or version.
    pub fn read_latest<T: DeserializeOwned>(&self) -> Result<Loaded<T>, TrajectoryError> {
        let mut warnings = Vec::new();
        for (_, path) in self.files()?.into_iter().rev() {
            match checkpoint_file::open(&path) {
                // A whole one of another version is not passed over: going on from an older one would hide a mistake.
                Ok(whole) => {
                    let loaded = self.load(whole, &path)?;
                    return Ok(Loaded { warnings, ..loaded });
                }
                Err(error) => warnings.push(format!("passed over: {error}")),
            }
        }
        let fault = if warnings.is_empty() {
            Fault::of_whole(
                "no checkpoint in the folder",
                "a file like checkpoint-000012-step-4800.moreau",
            )
        } else {
            Fault::of_whole(
                format!(
                    "no usable checkpoint in the folder ({})",
                    warnings.join("; ")
                ),
                "at least one that is whole",
            )
        };
        Err(TrajectoryError::content(&self.directory, fault))
    }

    /// The state in one file.
    ///
    /// # Errors
    /// When the file is damaged, or its state is of another kind or version.
    pub fn read<T: DeserializeOwned>(
        &self,
        path: impl AsRef<Path>,
    ) -> Result<Loaded<T>, TrajectoryError> {
        let path = path.as_ref();
        self.load(checkpoint_file::open(path)?, path)
    }

    fn load<T: DeserializeOwned>(
        &self,
        whole: Whole,
        path: &Path,
    ) -> Result<Loaded<T>, TrajectoryError> {
        let (description, state) = whole.state(path, &self.kind, self.version)?;
        Ok(Loaded {
            state,
            step: description.step,
            time: description.time,
            program_version: description.program_version,
            path: path.to_path_buf(),
            warnings: Vec::new(),
        })
    }

    /// All checkpoints with their numbers, the oldest first.
    fn files(&self) -> Result<Vec<(u64, PathBuf)>, TrajectoryError> {
        let failed = |error| TrajectoryError::system(&self.directory, "list the folder", error);
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&self.directory).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            if let Some(number) = name.to_str().and_then(number) {
                files.push((number, entry.path()));
            }
        }
        files.sort();
        Ok(files)
    }
}

/// 12 of `checkpoint-000012-step-4800.moreau`.
fn number(name: &str) -> Option<u64> {
    let inside = name.strip_prefix("checkpoint-")?.strip_suffix(".moreau")?;
    let (number, step) = inside.split_once("-step-")?;
    step.parse::<u64>().ok()?;
    number.parse().ok()
}
