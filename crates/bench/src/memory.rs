//! Memory of the process as the operating system counts it. Only Linux tells; elsewhere there is no figure.

/// Bytes that are in memory now.
pub fn resident() -> Option<usize> {
    status("VmRSS:")
}

/// The most bytes that were in memory since [`forget_peak`], or since the process began.
pub fn peak() -> Option<usize> {
    status("VmHWM:")
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
