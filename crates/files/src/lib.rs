//! Files that are either complete or absent, and what can be wrong with a file, said so that one can repair it.

mod atomic;
mod error;
mod folder_lock;

pub use atomic::{AtomicFile, check_writable, remove_leftovers, write};
pub use error::{Fault, FileError};
pub use folder_lock::FolderLock;
