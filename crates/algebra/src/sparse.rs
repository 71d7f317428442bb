//! Sparse matrices by compressed rows.

use rayon::prelude::*;

/// Products with fewer stored entries than this run on one thread.
const PARALLEL_FROM: usize = 50_000;

/// A sparse matrix by compressed rows: within a row the columns increase and no pair repeats.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseMatrix {
    rows: usize,
    columns: usize,
    /// Length `rows + 1`; row i owns entries `starts[i]..starts[i + 1]`.
    starts: Vec<usize>,
    /// Column of each entry.
    indices: Vec<usize>,
    /// Value of each entry.
    values: Vec<f64>,
}

impl SparseMatrix {
    /// Builds a matrix from `(row, column, value)` entries in any order; repeated pairs are added.
    ///
    /// # Panics
    /// When an entry lies outside `rows` x `columns`: callers check what comes from outside.
    pub fn from_triplets(rows: usize, columns: usize, triplets: &[(usize, usize, f64)]) -> Self {
        let mut starts = vec![0usize; rows + 1];
        for &(row, column, _) in triplets {
            assert!(
                row < rows && column < columns,
                "entry ({row}, {column}) outside"
            );
            starts[row + 1] += 1;
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut order = vec![0usize; triplets.len()];
        for (position, &(row, _, _)) in triplets.iter().enumerate() {
            order[next[row]] = position;
            next[row] += 1;
        }
        let mut matrix = Self {
            rows,
            columns,
            starts: Vec::with_capacity(rows + 1),
            indices: Vec::with_capacity(triplets.len()),
            values: Vec::with_capacity(triplets.len()),
        };
        matrix.starts.push(0);
        for row in 0..rows {
            let entries = &mut order[starts[row]..starts[row + 1]];
            // A stable sort keeps repeated pairs in the order given, so their sum is reproducible.
            entries.sort_by_key(|&position| triplets[position].1);
            let first = matrix.indices.len();
            for &mut position in entries {
                let (_, column, value) = triplets[position];
                if matrix.indices.len() > first && matrix.indices.last() == Some(&column) {
                    *matrix.values.last_mut().unwrap() += value;
                } else {
                    matrix.indices.push(column);
                    matrix.values.push(value);
                }
            }
            matrix.starts.push(matrix.indices.len());
        }
        matrix
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of stored entries.
    pub fn stored(&self) -> usize {
        self.values.len()
    }

    /// Columns and values of one row.
    pub fn row(&self, row: usize) -> (&[usize], &[f64]) {
        let range = self.starts[row]..self.starts[row + 1];
        (&self.indices[range.clone()], &self.values[range])
    }

    /// Row starts, column indices and values: the storage itself.
    pub fn storage(&self) -> (&[usize], &[usize], &[f64]) {
        (&self.starts, &self.indices, &self.values)
    }

    /// All entries as `(row, column, value)`, by rows.
    pub fn triplets(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.rows).flat_map(move |row| {
            let (columns, values) = self.row(row);
            columns
                .iter()
                .zip(values)
                .map(move |(&column, &value)| (row, column, value))
        })
    }

    /// The stored value at a place, or zero.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        let (columns, values) = self.row(row);
        columns.binary_search(&column).map_or(0.0, |k| values[k])
    }

    /// Writes A x into `result`.
    pub fn multiply(&self, x: &[f64], result: &mut [f64]) {
        debug_assert_eq!(x.len(), self.columns);
        let row_product = |row: usize| {
            let (columns, values) = self.row(row);
            columns
                .iter()
                .zip(values)
                .map(|(&column, &value)| value * x[column])
                .sum::<f64>()
        };
        if self.stored() < PARALLEL_FROM {
            for (row, value) in result.iter_mut().enumerate() {
                *value = row_product(row);
            }
        } else {
            result
                .par_iter_mut()
                .enumerate()
                .with_min_len(512)
                .for_each(|(row, value)| {
                    *value = row_product(row);
                });
        }
    }

    /// The transposed matrix.
    pub fn transposed(&self) -> Self {
        let mut starts = vec![0usize; self.columns + 1];
        for &column in &self.indices {
            starts[column + 1] += 1;
        }
        for column in 0..self.columns {
            starts[column + 1] += starts[column];
        }
        let mut next = starts.clone();
        let mut indices = vec![0; self.stored()];
        let mut values = vec![0.0; self.stored()];
        for (row, column, value) in self.triplets() {
            indices[next[column]] = row;
            values[next[column]] = value;
            next[column] += 1;
        }
        Self {
            rows: self.columns,
            columns: self.rows,
            starts,
            indices,
            values,
        }
    }

    /// |A − Aᵀ| / |A| in the Frobenius norm; zero for an empty matrix.
    ///
    /// # Panics
    /// When the matrix is not square.
    pub fn asymmetry(&self) -> f64 {
        assert_eq!(self.rows, self.columns);
        let norm: f64 = self.values.iter().map(|v| v * v).sum::<f64>().sqrt();
        if norm == 0.0 {
            return 0.0;
        }
        let transposed = self.transposed();
        let mut difference = 0.0;
        for (row, column, value) in self.triplets() {
            difference += (value - transposed.get(row, column)).powi(2);
        }
        // Entries stored only in the transposed matrix were not seen above.
        for (row, column, value) in transposed.triplets() {
            if self.row(row).0.binary_search(&column).is_err() {
                difference += value * value;
            }
        }
        difference.sqrt() / norm
    }

    /// (A + Aᵀ) / 2.
    pub fn symmetrized(&self) -> Self {
        let halves: Vec<_> = self
            .triplets()
            .flat_map(|(row, column, value)| {
                [(row, column, 0.5 * value), (column, row, 0.5 * value)]
            })
            .collect();
        Self::from_triplets(self.rows, self.columns, &halves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> SparseMatrix {
        SparseMatrix::from_triplets(3, 3, &[(2, 0, 4.0), (0, 1, 1.0), (0, 1, 2.0), (1, 1, 5.0)])
    }

    #[test]
    fn repeated_entries_are_added() {
        assert_eq!(example().get(0, 1), 3.0);
        assert_eq!(example().stored(), 3);
    }

    #[test]
    fn product_and_transposed_product_agree_with_the_entries() {
        let a = example();
        let (x, y) = ([1.0, 2.0, 3.0], [-1.0, 0.5, 2.0]);
        let (mut ax, mut aty) = ([0.0; 3], [0.0; 3]);
        a.multiply(&x, &mut ax);
        a.transposed().multiply(&y, &mut aty);
        assert_eq!(ax, [6.0, 10.0, 4.0]);
        let left: f64 = ax.iter().zip(&y).map(|(a, b)| a * b).sum();
        let right: f64 = aty.iter().zip(&x).map(|(a, b)| a * b).sum();
        assert_eq!(left, right);
    }

    #[test]
    fn symmetrising_removes_the_asymmetry() {
        assert!(example().asymmetry() > 0.5);
        assert_eq!(example().symmetrized().asymmetry(), 0.0);
    }
}
