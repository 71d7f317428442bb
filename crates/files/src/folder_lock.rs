//! A folder that one process writes into at a time.

use crate::error::{Fault, FileError};
use std::fs::{File, TryLockError};
use std::path::Path;

/// The file by which a folder is held. It stays when the folder is let go: whoever opened it in between must find the same one.
const NAME: &str = ".lock";

/// Holds a folder until it is dropped, or until the process ends, however it does.
///
/// ```
/// use moreau_files::FolderLock;
///
/// let folder = std::env::temp_dir().join(format!("moreau-lock-{}", std::process::id()));
/// let held = FolderLock::take(&folder)?;
/// assert!(FolderLock::take(&folder).is_err_and(|error| error.to_string().contains("another run")));
/// drop(held);
/// assert!(FolderLock::take(&folder).is_ok());
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), moreau_files::FileError>(())
/// ```
#[derive(Debug)]
pub struct FolderLock {
    /// The system lets go of the lock when this is closed.
    _file: File,
}

impl FolderLock {
    /// Holds a folder, which is made if there is none.
    ///
    /// # Errors
    /// When the folder cannot be written into, or somebody holds it. Where the system has no locks, nobody ever does.
    pub fn take(folder: &Path) -> Result<Self, FileError> {
        std::fs::create_dir_all(folder)
            .map_err(|error| FileError::system(folder, "create the folder", error))?;
        let path = folder.join(NAME);
        let file = File::options()
            .create(true)
            .write(true)
            .truncate(false)
            .open(&path)
            .map_err(|error| FileError::system(&path, "write", error))?;
        match file.try_lock() {
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => {
                let fault = Fault::of_whole(
                    "another run is writing into this folder",
                    "a folder of its own for each (--output), or that run to end first",
                );
                Err(FileError::content(folder, fault))
            }
        }
    }
}
