//! Arrays copied, filled and added by all threads. New pages are cleared by whoever touches them first, which takes longer than the copy itself.

use rayon::prelude::*;

/// Entries at least that are worth a thread of their own: of 8 bytes 128 kB.
const ENTRIES_FOR_A_THREAD: usize = 16 * 1024;

/// A copy.
///
/// ```
/// assert_eq!(moreau_algebra::copies::copy_of(&[1, 2, 3]), [1, 2, 3]);
/// ```
pub fn copy_of<T: Copy + Send + Sync>(array: &[T]) -> Vec<T> {
    let entries = array.par_iter().copied();
    entries.with_min_len(ENTRIES_FOR_A_THREAD).collect()
}

/// So many equal values.
///
/// ```
/// assert_eq!(moreau_algebra::copies::filled(3, 7), [7, 7, 7]);
/// ```
pub fn filled<T: Copy + Send + Sync>(length: usize, value: T) -> Vec<T> {
    let entries = (0..length).into_par_iter().map(|_| value);
    entries.with_min_len(ENTRIES_FOR_A_THREAD).collect()
}

/// Copies one array over another of the same length.
///
/// ```
/// let mut room = [0; 3];
/// moreau_algebra::copies::copy_over(&mut room, &[1, 2, 3]);
/// assert_eq!(room, [1, 2, 3]);
/// ```
///
/// # Panics
/// When the lengths differ.
pub fn copy_over<T: Copy + Send + Sync>(room: &mut [T], array: &[T]) {
    assert_eq!(room.len(), array.len(), "as many entries");
    (room.par_chunks_mut(ENTRIES_FOR_A_THREAD))
        .zip(array.par_chunks(ENTRIES_FOR_A_THREAD))
        .for_each(|(room, part)| room.copy_from_slice(part));
}

/// Adds the numbers of one array to those of another of the same length.
///
/// ```
/// let mut sums = [1.0, 2.0];
/// moreau_algebra::copies::add_over(&mut sums, &[0.5, 1.0]);
/// assert_eq!(sums, [1.5, 3.0]);
/// ```
///
/// # Panics
/// When the lengths differ.
pub fn add_over(sums: &mut [f64], terms: &[f64]) {
    assert_eq!(sums.len(), terms.len(), "as many entries");
    (sums.par_chunks_mut(ENTRIES_FOR_A_THREAD))
        .zip(terms.par_chunks(ENTRIES_FOR_A_THREAD))
        .for_each(|(sums, terms)| {
            for (sum, term) in sums.iter_mut().zip(terms) {
                *sum += term;
            }
        });
}
