//! Memory of the process as the operating system counts it. Only Linux tells; elsewhere there is no figure.
//!
//! Counted is what the process has made: heap, stacks, mappings of its own. The program's code and its libraries are files, which
//! come into memory page by page as they are first used, there is one copy for all processes, and the system drops them when it
//! needs the room: 3 MB in the first steps of any scene, which would be 300 bytes for each of ten thousand bodies.

/// Bytes that are in memory now.
pub fn resident() -> Option<usize> {
    status("RssAnon:")
}

/// The most bytes that were in memory since [`forget_peak`], or since the process began. The system keeps the peak with the
/// files only, so code that was first used after the peak makes this too small by its size.
pub fn peak() -> Option<usize> {
    let files = status("RssFile:")? + status("RssShmem:")?;
    Some(status("VmHWM:")?.saturating_sub(files))
}

/// Lets [`peak`] begin anew. Where that is not allowed, peaks of the past go on counting.
pub fn forget_peak() {
    // See proc(5): 5 resets the peak resident set size. Without the right to it the figure is an upper bound.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

fn status(key: &str) -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: usize = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(1024 * kilobytes)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_allocated_is_counted_and_can_be_forgotten() {
        let (before, size) = (resident().unwrap(), 64 << 20);
        let block = vec![1u8; size];
        std::hint::black_box(&block);
        assert!(peak().unwrap() >= before + size * 9 / 10);
        drop(block);
        forget_peak();
        assert!(peak().unwrap() < before + size * 9 / 10);
    }
}
