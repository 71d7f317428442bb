//! The allocator.

use crate::mapping::{Mapping, UNIT};
use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Smaller arrays go to the allocator of the system, which keeps their pages itself.
const LARGE: usize = 1 << 17;

/// Mappings that are kept at most; a step of a million spheres gives back about fifty.
const MOST: usize = 128;

/// Alignments beyond this are the system's affair.
const ALIGNED: usize = 4096;

/// An allocator that keeps the pages of large arrays; see the [crate](crate).
pub struct KeptPages {
    pages: Mutex<Pages>,
}

/// What is in use and what is kept.
struct Pages {
    kept: [Mapping; MOST],
    count: usize,
    bytes_kept: usize,
    bytes_used: usize,
    most_used: usize,
}

impl KeptPages {
    /// With nothing kept yet.
    pub const fn new() -> Self {
        Self {
            pages: Mutex::new(Pages {
                kept: [Mapping::NONE; MOST],
                count: 0,
                bytes_kept: 0,
                bytes_used: 0,
                most_used: 0,
            }),
        }
    }

    /// Bytes of large arrays that are in use, and bytes that are kept for the next ones.
    pub fn bytes(&self) -> (usize, usize) {
        let pages = self.pages();
        (pages.bytes_used, pages.bytes_kept)
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        // Nothing panics while the lock is held.
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for KeptPages {
    fn default() -> Self {
        Self::new()
    }
}

impl Pages {
    /// A mapping for an array, and how many bytes of it may hold what others have left there.
    fn take(&mut self, size: usize) -> Option<(Mapping, usize)> {
        let (mapping, used_before) = match self.nearest(size) {
            Some(k) => {
                let kept = self.remove(k);
                if kept.size >= size {
                    let (mapping, rest) = kept.split(size);
                    self.keep(rest);
                    (mapping, size)
                } else {
                    self.make_room(size);
                    match kept.grown(size) {
                        Some(mapping) => (mapping, kept.size),
                        None => {
                            kept.release();
                            (Mapping::fresh(size)?, 0)
                        }
                    }
                }
            }
            None => {
                self.make_room(size);
                (Mapping::fresh(size)?, 0)
            }
        };
        self.use_more(size);
        Some((mapping, used_before))
    }

    fn give_back(&mut self, mapping: Mapping) {
        self.bytes_used -= mapping.size;
        self.keep(mapping);
    }

    /// An array that gets longer or shorter where it is or elsewhere, with what it holds.
    fn resize(&mut self, mapping: Mapping, size: usize) -> Option<Mapping> {
        if size <= mapping.size {
            let (mapping, rest) = mapping.split(size);
            self.give_back(rest);
            return Some(mapping);
        }
        let more = size - mapping.size;
        self.make_room(more);
        let grown = mapping.grown(size)?;
        self.use_more(more);
        Some(grown)
    }

    fn use_more(&mut self, size: usize) {
        self.bytes_used += size;
        self.most_used = self.most_used.max(self.bytes_used);
    }

    /// The kept mapping that suits a size: the smallest that is large enough, else the largest that is not; none of twice the
    /// size or half of it.
    fn nearest(&self, size: usize) -> Option<usize> {
        let kept = &self.kept[..self.count];
        let fits = |k: &usize| (size..2 * size).contains(&kept[*k].size);
        let grows = |k: &usize| (size / 2..size).contains(&kept[*k].size);
        let all = 0..kept.len();
        let smallest = all.clone().filter(fits).min_by_key(|k| kept[*k].size);
        smallest.or_else(|| all.filter(grows).max_by_key(|k| kept[*k].size))
    }

    fn smallest(&self) -> Option<usize> {
        (0..self.count).min_by_key(|k| self.kept[*k].size)
    }

    fn remove(&mut self, k: usize) -> Mapping {
        let mapping = self.kept[k];
        self.count -= 1;
        self.kept[k] = self.kept[self.count];
        self.bytes_kept -= mapping.size;
        mapping
    }

    fn keep(&mut self, mapping: Mapping) {
        if mapping.size < LARGE {
            mapping.release();
            return;
        }
        if self.count == MOST {
            // Large mappings are worth more: they have more pages.
            match self.smallest() {
                Some(k) if self.kept[k].size < mapping.size => self.remove(k).release(),
                _ => {
                    mapping.release();
                    return;
                }
            }
        }
        self.kept[self.count] = mapping;
        self.count += 1;
        self.bytes_kept += mapping.size;
    }

    /// Gives kept mappings back to the system, the smallest first, until so many bytes more in use make no more of all
    /// than was once in use.
    fn make_room(&mut self, more: usize) {
        let most = self.most_used.max(self.bytes_used + more);
        while self.bytes_used + self.bytes_kept + more > most {
            match self.smallest() {
                Some(k) => self.remove(k).release(),
                None => break,
            }
        }
    }
}

fn is_large(layout: Layout) -> bool {
    layout.size() >= LARGE && layout.align() <= ALIGNED
}

/// The size of the mapping of an array; what no mapping can have stays as it is, and the system refuses it.
fn mapped(size: usize) -> usize {
    size.checked_next_multiple_of(UNIT).unwrap_or(size)
}

fn mapping_of(start: *mut u8, layout: Layout) -> Mapping {
    Mapping {
        start: start.expose_provenance(),
        size: mapped(layout.size()),
    }
}

fn pointer(mapping: Mapping) -> *mut u8 {
    ptr::with_exposed_provenance_mut(mapping.start)
}

// SAFETY: a large array gets a mapping that starts at a page, is at least as long, and belongs to no other array until it is given
// back with the same layout, which tells its size; all others are the system's.
#[expect(unsafe_code, reason = "the trait of allocators is unsafe")]
unsafe impl GlobalAlloc for KeptPages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !is_large(layout) {
            return unsafe { System.alloc(layout) };
        }
        let taken = self.pages().take(mapped(layout.size()));
        taken.map_or(ptr::null_mut(), |(mapping, _)| pointer(mapping))
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !is_large(layout) {
            return unsafe { System.alloc_zeroed(layout) };
        }
        let taken = self.pages().take(mapped(layout.size()));
        taken.map_or(ptr::null_mut(), |(mapping, used_before)| {
            let start = pointer(mapping);
            // SAFETY: the mapping is as long and belongs to this array.
            unsafe { start.write_bytes(0, used_before) };
            start
        })
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller guarantees that the size does not overflow with this alignment.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (is_large(layout), is_large(wanted)) {
            (false, false) => unsafe { System.realloc(start, layout, size) },
            (true, true) => {
                let resized = self.pages().resize(mapping_of(start, layout), mapped(size));
                resized.map_or(ptr::null_mut(), pointer)
            }
            _ => unsafe {
                // SAFETY: both arrays hold at least the smaller of the sizes, and they are different ones.
                let moved = self.alloc(wanted);
                if !moved.is_null() {
                    moved.copy_from_nonoverlapping(start, size.min(layout.size()));
                    self.dealloc(start, layout);
                }
                moved
            },
        }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        match is_large(layout) {
            true => self.pages().give_back(mapping_of(start, layout)),
            false => unsafe { System.dealloc(start, layout) },
        }
    }
}
