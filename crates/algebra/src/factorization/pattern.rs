//! A fixed sparsity pattern by compressed columns, refilled from values in the caller's order.

use super::{FactorizationError, check_finite, check_length};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};

/// Mark of a caller's entry that is not stored.
const SKIPPED: usize = usize::MAX;

/// Compressed columns of a square matrix, and where each of the caller's entries goes.
pub(super) struct Pattern {
    pub dimension: usize,
    /// Length `dimension + 1`; column j owns the slots `starts[j]..starts[j + 1]`.
    starts: Vec<usize>,
    /// Row of each slot, increasing within a column.
    rows: Vec<usize>,
    /// Value of each slot.
    pub values: Vec<f64>,
    /// Slot of each of the caller's entries, or [`SKIPPED`].
    slots: Vec<usize>,
}

impl Pattern {
    /// Keeps the `entries` (row, column) that `keep` wants; `extra` places are stored as well.
    pub fn new(
        dimension: usize,
        entries: &[(usize, usize)],
        keep: impl Fn(usize, usize) -> bool,
        extra: impl Iterator<Item = (usize, usize)>,
    ) -> Result<Self, FactorizationError> {
        for &(row, column) in entries {
            if row >= dimension || column >= dimension {
                return Err(FactorizationError::OutsideMatrix { row, column });
            }
        }
        let kept = entries
            .iter()
            .copied()
            .filter(|&(row, column)| keep(row, column));
        let mut places: Vec<(usize, usize)> = kept
            .chain(extra)
            .map(|(row, column)| (column, row))
            .collect();
        places.sort_unstable();
        places.dedup();
        let mut starts = vec![0; dimension + 1];
        for &(column, _) in &places {
            starts[column + 1] += 1;
        }
        for column in 0..dimension {
            starts[column + 1] += starts[column];
        }
        let rows: Vec<usize> = places.iter().map(|&(_, row)| row).collect();
        let slot_of = |&(row, column): &(usize, usize)| {
            if !keep(row, column) {
                return SKIPPED;
            }
            let start = starts[column];
            let position = rows[start..starts[column + 1]].binary_search(&row);
            start + position.expect("every kept entry was stored")
        };
        let slots = entries.iter().map(slot_of).collect();
        let values = vec![0.0; rows.len()];
        Ok(Self {
            dimension,
            starts,
            rows,
            values,
            slots,
        })
    }

    /// Puts `values`, one for each of the caller's entries, in their slots; repeated places add.
    pub fn refill(&mut self, values: &[f64]) -> Result<(), FactorizationError> {
        check_length(self.slots.len(), values.len())?;
        self.values.fill(0.0);
        for (&slot, value) in self.slots.iter().zip(values) {
            if slot != SKIPPED {
                self.values[slot] += value;
            }
        }
        check_finite(&self.values)
    }

    /// Rows and values of one column.
    pub fn column(&self, column: usize) -> (&[usize], &[f64]) {
        let range = self.starts[column]..self.starts[column + 1];
        (&self.rows[range.clone()], &self.values[range])
    }

    pub fn symbolic(&self) -> SymbolicSparseColMatRef<'_, usize> {
        let n = self.dimension;
        SymbolicSparseColMatRef::new_checked(n, n, &self.starts, None, &self.rows)
    }

    pub fn matrix(&self) -> SparseColMatRef<'_, usize, f64> {
        SparseColMatRef::new(self.symbolic(), &self.values)
    }
}
