//! Mappings: runs of pages that the system gives, moves and takes back.

use std::ptr;

/// Sizes of mappings are multiples of this, which is a multiple of the page on every machine that runs Linux.
pub const UNIT: usize = 64 << 10;

/// Pages that lie together and belong to one mapping of the system, or to a part of one.
///
/// Nothing tells two mappings apart but the discipline of their owner: each address belongs to one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    pub start: usize,
    /// A multiple of [`UNIT`].
    pub size: usize,
}

#[expect(unsafe_code, reason = "pages come from system calls")]
impl Mapping {
    pub const NONE: Self = Self { start: 0, size: 0 };

    /// Fresh pages, all zero.
    pub fn fresh(size: usize) -> Option<Self> {
        // SAFETY: an anonymous private mapping at an address that the system chooses touches nothing that exists.
        let start = unsafe {
            libc::mmap(
                ptr::null_mut(),
                size,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        (start != libc::MAP_FAILED).then_some(Self {
            start: start.expose_provenance(),
            size,
        })
    }

    /// The same pages and fresh ones behind them, perhaps at another address. `None` if the system refuses: nothing has changed then.
    pub fn grown(self, size: usize) -> Option<Self> {
        // SAFETY: the pages belong to `self` alone, which nobody uses after this succeeds.
        let start = unsafe {
            libc::mremap(
                ptr::with_exposed_provenance_mut(self.start),
                self.size,
                size,
                libc::MREMAP_MAYMOVE,
            )
        };
        (start != libc::MAP_FAILED).then_some(Self {
            start: start.expose_provenance(),
            size,
        })
    }

    /// The first part, of this size, and the rest.
    pub fn split(self, size: usize) -> (Self, Self) {
        let first = Self {
            start: self.start,
            size,
        };
        let rest = Self {
            start: self.start + size,
            size: self.size - size,
        };
        (first, rest)
    }

    /// Gives the pages back to the system.
    pub fn release(self) {
        if self.size > 0 {
            // SAFETY: the pages belong to `self` alone. The call can fail only for want of memory for the system's own
            // tables; the pages then stay mapped and are lost, which is safe.
            unsafe { libc::munmap(ptr::with_exposed_provenance_mut(self.start), self.size) };
        }
    }
}
