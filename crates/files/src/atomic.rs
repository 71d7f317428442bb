//! Writing a file so that it is either complete or absent.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Distinguishes the temporary files of threads of one process.
static COUNTER: AtomicU64 = AtomicU64::new(0);

/// A file in the making: it gets its name when [`AtomicFile::commit`] is called, and vanishes when it is dropped
/// before.
///
/// ```
/// use std::io::Write;
///
/// let path = std::env::temp_dir().join(format!("atomic_file_{}.txt", std::process::id()));
/// let mut file = moreau_files::AtomicFile::create(&path)?;
/// file.write_all(b"one line\n")?;
/// assert!(!path.exists(), "not before it is complete");
/// file.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"one line\n");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    file: BufWriter<File>,
    temporary: PathBuf,
    path: PathBuf,
    committed: bool,
}

impl AtomicFile {
    /// Opens a hidden file beside `path`.
    pub fn create(path: &Path) -> std::io::Result<Self> {
        let temporary = temporary_beside(path)?;
        let mut options = OpenOptions::new();
        let file = options.write(true).create_new(true).open(&temporary)?;
        Ok(Self {
            file: BufWriter::with_capacity(1 << 16, file),
            temporary,
            path: path.to_path_buf(),
            committed: false,
        })
    }

    /// Stores the content, gives the file its name, stores the name.
    pub fn commit(mut self) -> std::io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        std::fs::rename(&self.temporary, &self.path)?;
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
pub fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes)?;
    file.commit()
}

/// Whether [`write()`] can begin at all, to be asked before a long computation. Nothing stays behind.
pub fn check_writable(path: &Path) -> std::io::Result<()> {
    AtomicFile::create(path).map(drop)
}

/// Removes the hidden files of a folder whose writing never ended because the program was killed. One program at a time may
/// write to the folder.
///
/// ```
/// let folder = std::env::temp_dir().join(format!("leftovers_{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// let (half, other) = (folder.join(".steps.csv.123-4.tmp"), folder.join(".mine.tmp"));
/// std::fs::write(&half, "time,st")?;
/// std::fs::write(&other, "")?;
/// moreau_files::remove_leftovers(&folder);
/// assert!(!half.exists() && other.exists());
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn remove_leftovers(folder: &Path) {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_leftover = |name: &str| {
        let inside = name
            .strip_prefix('.')
            .and_then(|rest| rest.strip_suffix(".tmp"));
        let numbers = inside.and_then(|inside| inside.rsplit_once('.'));
        let numbers = numbers.and_then(|(_, numbers)| numbers.split_once('-'));
        numbers.is_some_and(|(process, count)| digits(process) && digits(count))
    };
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(is_leftover) {
            // One that cannot be removed takes room but does no harm.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn temporary_beside(path: &Path) -> std::io::Result<PathBuf> {
    let Some(name) = path.file_name().filter(|_| !path.is_dir()) else {
        return Err(std::io::Error::new(
            ErrorKind::IsADirectory,
            "the path names a folder, a file is expected",
        ));
    };
    let mut temporary = OsString::from(".");
    temporary.push(name);
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    temporary.push(format!(".{}-{number}.tmp", std::process::id()));
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    Ok(folder.unwrap_or(Path::new(".")).join(temporary))
}
