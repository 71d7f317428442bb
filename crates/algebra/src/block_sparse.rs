//! Sparse matrices of small dense blocks, by block rows.

use crate::sparse::SparseMatrix;
use rayon::prelude::*;

/// Products with fewer stored numbers than this run on one thread.
const PARALLEL_FROM: usize = 50_000;

/// A square matrix cut into blocks by one list of offsets for rows and columns.
///
/// Block (I, J) has `size(I)` x `size(J)` numbers, row-major, and lies at `value_starts` of its entry.
/// Block columns increase within a block row. Solvers read whole block rows, so a row is contiguous.
#[derive(Clone, Debug)]
pub struct BlockSparse {
    offsets: Vec<usize>,
    /// Block row I owns entries `starts[I]..starts[I + 1]`.
    starts: Vec<usize>,
    /// Block column of each entry.
    columns: Vec<u32>,
    /// Where each entry's numbers begin.
    value_starts: Vec<usize>,
    values: Vec<f64>,
}

impl BlockSparse {
    /// Groups the entries of a square matrix into blocks; `offsets` begins with 0 and ends with the
    /// dimension.
    ///
    /// # Panics
    /// When the offsets do not fit the matrix.
    pub fn from_sparse(matrix: &SparseMatrix, offsets: &[usize]) -> Self {
        let dimension = *offsets.last().expect("offsets begin with 0");
        assert!(matrix.rows() == dimension && matrix.columns() == dimension);
        let blocks = offsets.len() - 1;
        let mut block_of = vec![0u32; dimension];
        for block in 0..blocks {
            block_of[offsets[block]..offsets[block + 1]].fill(block as u32);
        }
        let mut result = Self {
            offsets: offsets.to_vec(),
            starts: vec![0],
            columns: Vec::new(),
            value_starts: Vec::new(),
            values: Vec::new(),
        };
        let mut place = vec![usize::MAX; blocks];
        for block in 0..blocks {
            let rows = offsets[block]..offsets[block + 1];
            let mut columns: Vec<u32> = rows
                .clone()
                .flat_map(|row| matrix.row(row).0.iter().map(|&column| block_of[column]))
                .collect();
            columns.sort_unstable();
            columns.dedup();
            for &column in &columns {
                place[column as usize] = result.values.len();
                result.columns.push(column);
                result.value_starts.push(result.values.len());
                let length = rows.len() * result.size(column as usize);
                result.values.resize(result.values.len() + length, 0.0);
            }
            for row in rows.clone() {
                let (indices, values) = matrix.row(row);
                for (&column, &value) in indices.iter().zip(values) {
                    let target = block_of[column] as usize;
                    let width = result.size(target);
                    let local = (row - rows.start) * width + column - offsets[target];
                    result.values[place[target] + local] = value;
                }
            }
            result.starts.push(result.columns.len());
        }
        result
    }

    /// The dimension of the matrix.
    pub fn dimension(&self) -> usize {
        *self.offsets.last().expect("offsets begin with 0")
    }

    /// The number of block rows.
    pub fn blocks(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of rows of a block row.
    pub fn size(&self, block: usize) -> usize {
        self.offsets[block + 1] - self.offsets[block]
    }

    /// Block columns of a block row with their row-major values.
    pub fn row(&self, block: usize) -> impl Iterator<Item = (usize, &[f64])> + '_ {
        (self.starts[block]..self.starts[block + 1]).map(move |entry| {
            let column = self.columns[entry] as usize;
            let start = self.value_starts[entry];
            (
                column,
                &self.values[start..start + self.size(block) * self.size(column)],
            )
        })
    }

    /// Writes (A x) of one block row into `result`.
    #[inline]
    pub fn row_product(&self, block: usize, x: &[f64], result: &mut [f64]) {
        if result.len() == 3 {
            return self.row_product_3(block, x, result);
        }
        result.fill(0.0);
        for (column, values) in self.row(block) {
            let part = &x[self.offsets[column]..self.offsets[column + 1]];
            for (row, value) in values.chunks_exact(part.len()).zip(result.iter_mut()) {
                *value += row.iter().zip(part).map(|(a, b)| a * b).sum::<f64>();
            }
        }
    }

    /// The common case: three rows, mostly 3 x 3 blocks, summed in registers.
    #[inline]
    fn row_product_3(&self, block: usize, x: &[f64], result: &mut [f64]) {
        let mut sum = [0.0; 3];
        for (column, values) in self.row(block) {
            let part = &x[self.offsets[column]..self.offsets[column + 1]];
            if let (&[a, b, c], Some(v)) = (part, values.first_chunk::<9>()) {
                sum[0] += v[0] * a + v[1] * b + v[2] * c;
                sum[1] += v[3] * a + v[4] * b + v[5] * c;
                sum[2] += v[6] * a + v[7] * b + v[8] * c;
            } else {
                for (row, value) in values.chunks_exact(part.len()).zip(&mut sum) {
                    *value += row.iter().zip(part).map(|(a, b)| a * b).sum::<f64>();
                }
            }
        }
        result.copy_from_slice(&sum);
    }

    /// Writes A x into `result`.
    pub fn multiply(&self, x: &[f64], result: &mut [f64]) {
        if self.values.len() < PARALLEL_FROM {
            for block in 0..self.blocks() {
                let rows = self.offsets[block]..self.offsets[block + 1];
                self.row_product(block, x, &mut result[rows]);
            }
            return;
        }
        // Blocks of one size, the usual case, are handed out by equal pieces of the result.
        let size = self.size(0);
        if self.offsets.windows(2).all(|w| w[1] - w[0] == size) {
            result
                .par_chunks_exact_mut(size)
                .enumerate()
                .with_min_len(256)
                .for_each(|(block, piece)| self.row_product(block, x, piece));
        } else {
            for block in 0..self.blocks() {
                let rows = self.offsets[block]..self.offsets[block + 1];
                self.row_product(block, x, &mut result[rows]);
            }
        }
    }

    /// Copies the diagonal block of a block row, row-major, into `result`; zeros if none is stored.
    pub fn diagonal_block(&self, block: usize, result: &mut [f64]) {
        result.fill(0.0);
        if let Some((_, values)) = self.row(block).find(|&(column, _)| column == block) {
            result.copy_from_slice(values);
        }
    }

    /// The same matrix by rows of numbers; zeros inside blocks are dropped.
    pub fn to_sparse(&self) -> SparseMatrix {
        let mut triplets = Vec::with_capacity(self.values.len());
        for block in 0..self.blocks() {
            for (column, values) in self.row(block) {
                let width = self.size(column);
                for (k, &value) in values.iter().enumerate().filter(|(_, v)| **v != 0.0) {
                    let (row, offset) = (self.offsets[block] + k / width, k % width);
                    triplets.push((row, self.offsets[column] + offset, value));
                }
            }
        }
        SparseMatrix::from_triplets(self.dimension(), self.dimension(), &triplets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_mixed_sizes_multiply_like_the_entries() {
        let offsets = [0, 3, 4, 6, 9];
        let triplets: Vec<(usize, usize, f64)> = (0..9)
            .flat_map(|i| (0..9).map(move |j| (i, j)))
            .filter(|(i, j)| (i * 5 + j * 3) % 4 != 0)
            .map(|(i, j)| (i, j, (i as f64 - 2.5) * (j as f64 + 0.5)))
            .collect();
        let sparse = SparseMatrix::from_triplets(9, 9, &triplets);
        let blocks = BlockSparse::from_sparse(&sparse, &offsets);
        let x: Vec<f64> = (0..9).map(|i| i as f64 * 0.7 - 3.0).collect();
        let (mut a, mut b) = (vec![0.0; 9], vec![0.0; 9]);
        sparse.multiply(&x, &mut a);
        blocks.multiply(&x, &mut b);
        for (a, b) in a.iter().zip(&b) {
            assert!((a - b).abs() < 1e-12 * (1.0 + a.abs()));
        }
        assert_eq!(blocks.to_sparse(), {
            let nonzero: Vec<_> = triplets.into_iter().filter(|t| t.2 != 0.0).collect();
            SparseMatrix::from_triplets(9, 9, &nonzero)
        });
    }
}
