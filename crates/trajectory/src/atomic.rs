//! Writing a file so that it is either complete or absent.

use crate::error::TrajectoryError;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Distinguishes the temporary files of threads of one process.
static COUNTER: AtomicU64 = AtomicU64::new(0);

/// A file in the making: it gets its name when [`AtomicFile::commit`] is called, and vanishes when it is dropped
/// before.
pub(crate) struct AtomicFile {
    file: BufWriter<File>,
    temporary: PathBuf,
    path: PathBuf,
    committed: bool,
}

impl AtomicFile {
    pub(crate) fn create(path: &Path) -> Result<Self, TrajectoryError> {
        let temporary = temporary_beside(path)?;
        let mut options = OpenOptions::new();
        let file = options
            .write(true)
            .create_new(true)
            .open(&temporary)
            .map_err(|error| TrajectoryError::system(&temporary, "write", error))?;
        Ok(Self {
            file: BufWriter::with_capacity(1 << 16, file),
            temporary,
            path: path.to_path_buf(),
            committed: false,
        })
    }

    /// Stores the content, gives the file its name, stores the name.
    pub(crate) fn commit(mut self) -> Result<(), TrajectoryError> {
        let failed = |error| TrajectoryError::system(&self.path, "write", error);
        self.file.flush().map_err(failed)?;
        self.file.get_ref().sync_all().map_err(failed)?;
        std::fs::rename(&self.temporary, &self.path).map_err(|error| {
            TrajectoryError::system(&self.path, "put the written file in place", error)
        })?;
        self.committed = true;
        // The new name survives a power cut only once the folder is stored too. Not every system lets a folder be
        // opened, and the file itself is complete already.
        if let Some(folder) = self.temporary.parent() {
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.committed {
            // What is left of a failed attempt is worth nothing, and its error has been told.
            let _ = std::fs::remove_file(&self.temporary);
        }
    }
}

/// Writes `bytes` to `path`: a reader sees the old file or the new one, never a part.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), TrajectoryError> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes)
        .map_err(|error| TrajectoryError::system(path, "write", error))?;
    file.commit()
}

fn temporary_beside(path: &Path) -> Result<PathBuf, TrajectoryError> {
    let Some(name) = path.file_name().filter(|_| !path.is_dir()) else {
        let source = std::io::Error::new(
            std::io::ErrorKind::IsADirectory,
            "the path names a folder, a file is expected",
        );
        return Err(TrajectoryError::system(path, "write", source));
    };
    let mut temporary = OsString::from(".");
    temporary.push(name);
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    temporary.push(format!(".{}-{number}.tmp", std::process::id()));
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    Ok(folder.unwrap_or(Path::new(".")).join(temporary))
}
