//! An allocator that keeps the pages of large arrays from one time step to the next.
//!
//! A time step of a million spheres asks for some fifty arrays of 10 to 240 MB and gives them back. An allocator that returns them
//! to the system gets fresh pages for the next ones, and the system clears each page and enters it in a table first: 420 000 times a
//! step, an eighth of its time. One that keeps them in a heap ends with holes between them, and with twice the memory. Here a large
//! array is a mapping of its own. When it is given back its pages are kept, and the next array of about its size gets them, without its
//! tail or with some fresh pages behind. What is kept and what is in use never exceed together the most that was in use at once.
//!
//! A program chooses it for itself:
//!
//! ```
//! #[global_allocator]
//! static MEMORY: moreau_memory::KeptPages = moreau_memory::KeptPages::new();
//!
//! let array = vec![1.0; 1_000_000];
//! let there = array.as_ptr();
//! drop(array);
//! let next = vec![2.0; 990_000];
//! assert_eq!(next[0], 2.0);
//! # #[cfg(target_os = "linux")]
//! assert_eq!(next.as_ptr(), there);
//! ```
//!
//! On other systems than Linux everything goes to the allocator of the system.

#[cfg(target_os = "linux")]
mod kept_pages;
#[cfg(target_os = "linux")]
mod mapping;

#[cfg(target_os = "linux")]
pub use kept_pages::KeptPages;

#[cfg(not(target_os = "linux"))]
mod kept_pages {
    use std::alloc::{GlobalAlloc, Layout, System};

    /// The allocator of the system.
    #[derive(Default)]
    pub struct KeptPages;

    impl KeptPages {
        /// Nothing is kept.
        pub const fn new() -> Self {
            Self
        }
    }

    // SAFETY: every call is passed on to the allocator of the system.
    #[expect(unsafe_code, reason = "the trait of allocators is unsafe")]
    unsafe impl GlobalAlloc for KeptPages {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            unsafe { System.alloc(layout) }
        }

        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            unsafe { System.alloc_zeroed(layout) }
        }

        unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            unsafe { System.realloc(start, layout, size) }
        }

        unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
            unsafe { System.dealloc(start, layout) }
        }
    }
}
#[cfg(not(target_os = "linux"))]
pub use kept_pages::KeptPages;
