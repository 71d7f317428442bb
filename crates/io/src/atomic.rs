//! Writing a file so that it is either complete or absent.

use crate::error::IoError;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Distinguishes the temporary files of threads of one process.
static COUNTER: AtomicU64 = AtomicU64::new(0);

/// Writes `bytes` to `path`: a reader sees the old file or the new one, never a part.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), IoError> {
    let temporary = temporary_beside(path)?;
    let outcome = fill(&temporary, bytes).and_then(|()| {
        std::fs::rename(&temporary, path)
            .map_err(|error| IoError::system(path, "put the written file in place", error))
    });
    if outcome.is_err() {
        // What is left of the failed attempt is worth nothing; the first error is the one to tell.
        let _ = std::fs::remove_file(&temporary);
        return outcome;
    }
    // The new name survives a power cut only once the folder is stored too. Not every system lets
    // a folder be opened, and the file itself is complete already.
    if let Some(folder) = temporary.parent() {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

fn temporary_beside(path: &Path) -> Result<PathBuf, IoError> {
    let Some(name) = path.file_name().filter(|_| !path.is_dir()) else {
        let source = std::io::Error::new(
            std::io::ErrorKind::IsADirectory,
            "the path names a folder, a file is expected",
        );
        return Err(IoError::system(path, "write", source));
    };
    let mut temporary = std::ffi::OsString::from(".");
    temporary.push(name);
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    temporary.push(format!(".{}-{number}.tmp", std::process::id()));
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    Ok(folder.unwrap_or(Path::new(".")).join(temporary))
}

fn fill(temporary: &Path, bytes: &[u8]) -> Result<(), IoError> {
    let failed = |error| IoError::system(temporary, "write", error);
    let mut options = OpenOptions::new();
    let mut file = options
        .write(true)
        .create_new(true)
        .open(temporary)
        .map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.sync_all().map_err(failed)
}
