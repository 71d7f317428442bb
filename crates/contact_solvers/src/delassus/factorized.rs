//! W = Hᵀ M⁻¹ H where M couples many freedoms: finite elements, mechanisms in joint coordinates.
//!
//! M is factorised once and the columns Z = M⁻¹H are kept, sparse. Each product is then two sparse
//! products, and a single contact costs its own columns only, which block-by-block methods need.
//! Solving with the factor at every product instead would cost a pass over it each time.

use moreau_algebra::factorization::SparseLu;
use moreau_algebra::sparse::SparseMatrix;

/// Hᵀ and (M⁻¹H)ᵀ by rows: one row for each component of a contact.
#[derive(Clone, Debug)]
pub struct Factorized {
    offsets: Vec<usize>,
    /// Hᵀ: (contact components) x (freedoms).
    h_transposed: SparseMatrix,
    /// (M⁻¹H)ᵀ, of the same size.
    response: SparseMatrix,
    /// M⁻¹H: for products, so that each freedom is summed in a fixed order.
    response_by_freedom: SparseMatrix,
}

impl Factorized {
    /// Factorises `mass` (square, possibly not symmetric) and solves for the columns of `h`
    /// (freedoms x contact components).
    ///
    /// # Errors
    /// When the sizes do not fit or `mass` is singular.
    pub fn new(offsets: Vec<usize>, mass: &SparseMatrix, h: &SparseMatrix) -> Result<Self, String> {
        let freedoms = mass.rows();
        let rows = offsets.last().copied().unwrap_or(0);
        if mass.columns() != freedoms || h.rows() != freedoms || h.columns() != rows {
            return Err(format!(
                "M is {} x {} and H is {} x {}; with {rows} contact components H must be {freedoms} x {rows}",
                freedoms,
                mass.columns(),
                h.rows(),
                h.columns()
            ));
        }
        let h_transposed = h.transposed();
        let mut triplets = Vec::new();
        if rows > 0 {
            let mut lu = SparseLu::analyze_matrix(mass).map_err(|e| format!("M: {e}"))?;
            lu.factorize(mass.storage().2)
                .map_err(|e| format!("M cannot be factorised: {e}"))?;
            let mut column = vec![0.0; freedoms];
            for row in 0..rows {
                column.fill(0.0);
                let (indices, values) = h_transposed.row(row);
                for (&index, &value) in indices.iter().zip(values) {
                    column[index] = value;
                }
                lu.solve_in_place(&mut column);
                triplets.extend(
                    column
                        .iter()
                        .enumerate()
                        .filter(|(_, v)| **v != 0.0)
                        .map(|(k, &v)| (row, k, v)),
                );
            }
        }
        let response = SparseMatrix::from_triplets(rows, freedoms, &triplets);
        let response_by_freedom = response.transposed();
        Ok(Self {
            offsets,
            h_transposed,
            response,
            response_by_freedom,
        })
    }

    /// The number of rows of W.
    pub fn dimension(&self) -> usize {
        self.h_transposed.rows()
    }

    /// The number of freedoms.
    pub fn body_dimension(&self) -> usize {
        self.h_transposed.columns()
    }

    /// Writes M⁻¹ H γ.
    pub fn body_velocities(&self, impulses: &[f64], velocities: &mut [f64]) {
        self.response_by_freedom.multiply(impulses, velocities);
    }

    /// Writes Hᵀ v.
    pub fn contact_velocities(&self, velocities: &[f64], result: &mut [f64]) {
        self.h_transposed.multiply(velocities, result);
    }

    /// Writes (Hᵀ v) of one contact.
    pub fn block_velocity(&self, block: usize, velocities: &[f64], result: &mut [f64]) {
        for (value, row) in result.iter_mut().zip(self.offsets[block]..) {
            let (indices, values) = self.h_transposed.row(row);
            *value = indices
                .iter()
                .zip(values)
                .map(|(&k, v)| v * velocities[k])
                .sum();
        }
    }

    /// Adds M⁻¹ H_i `change` to the velocities.
    pub fn add_block_impulse(&self, block: usize, change: &[f64], velocities: &mut [f64]) {
        for (change, row) in change.iter().zip(self.offsets[block]..) {
            let (indices, values) = self.response.row(row);
            for (&k, value) in indices.iter().zip(values) {
                velocities[k] += value * change;
            }
        }
    }

    /// Writes W_ii, row-major.
    pub fn diagonal_block(&self, block: usize, result: &mut [f64]) {
        let rows = self.offsets[block]..self.offsets[block + 1];
        let size = rows.len();
        for (i, row) in rows.clone().enumerate() {
            for (j, column) in rows.clone().enumerate() {
                result[i * size + j] = self.entry(row, column);
            }
        }
    }

    /// W_kl = H_kᵀ (M⁻¹ H_l): a merge of two sorted rows.
    fn entry(&self, row: usize, column: usize) -> f64 {
        let (h_indices, h_values) = self.h_transposed.row(row);
        let (z_indices, z_values) = self.response.row(column);
        let mut z = 0;
        let mut sum = 0.0;
        for (index, value) in h_indices.iter().zip(h_values) {
            while z < z_indices.len() && z_indices[z] < *index {
                z += 1;
            }
            if z < z_indices.len() && z_indices[z] == *index {
                sum += value * z_values[z];
            }
        }
        sum
    }

    /// W as a sparse matrix.
    pub fn to_sparse(&self) -> SparseMatrix {
        let n = self.dimension();
        let mut triplets = Vec::new();
        for row in 0..n {
            for column in 0..n {
                let value = self.entry(row, column);
                if value != 0.0 {
                    triplets.push((row, column, value));
                }
            }
        }
        SparseMatrix::from_triplets(n, n, &triplets)
    }
}
