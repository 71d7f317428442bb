//! Products with D, M⁻¹ and N, whole and block by block.

use super::MatrixFree;
use crate::delassus::leaves::Product;
use moreau_algebra::sparse::SparseMatrix;
use rayon::prelude::*;

/// Products with fewer (contact, body) pairs than this run on one thread.
const PARALLEL_FROM: usize = 4096;

/// Numbers that one thread sets to zero.
const NUMBERS_OF_A_PIECE: usize = 32 * 1024;

impl MatrixFree {
    /// Writes M⁻¹ D γ and N γ.
    pub fn product(&self, impulses: &[f64], velocities: &mut [f64], result: &mut [f64]) {
        if let Some(product) = self.by_leaves(impulses) {
            let rows = result.as_chunks_mut().0;
            product.write(velocities.as_chunks_mut().0, Some(rows));
        } else {
            self.body_velocities(impulses, velocities);
            self.contact_velocities(velocities, result);
        }
    }

    /// The product leaf by leaf, if all blocks are contacts that can be had so.
    fn by_leaves<'a>(&'a self, impulses: &'a [f64]) -> Option<Product<'a>> {
        let lean = self.lean.as_ref().filter(|_| self.offsets.len() == 1)?;
        lean.by_leaves(impulses)
    }

    /// Writes M⁻¹ D γ.
    pub fn body_velocities(&self, impulses: &[f64], velocities: &mut [f64]) {
        if let Some(product) = self.by_leaves(impulses) {
            product.write(velocities.as_chunks_mut().0, None);
            return;
        }
        if let Some(lean) = &self.lean {
            let pieces = velocities.par_chunks_mut(NUMBERS_OF_A_PIECE);
            pieces.for_each(|piece| piece.fill(0.0));
            let (momenta, _) = velocities.as_chunks_mut::<6>();
            lean.add_impulses(impulses, momenta);
            for (pair, &body) in self.bodies.iter().enumerate() {
                let contact = self.contact_of[pair] as usize;
                let rows = &impulses[self.offsets[contact]..self.offsets[contact + 1]];
                add_transposed(self.pair_values(pair), rows, &mut momenta[body as usize]);
            }
            lean.divide_by_mass(momenta);
            return;
        }
        let body_velocity = |(body, velocity): (usize, &mut [f64])| {
            let mut impulse = [0.0; 8];
            let mut long = Vec::new();
            let impulse: &mut [f64] = if self.body_size <= 8 {
                &mut impulse[..self.body_size]
            } else {
                long.resize(self.body_size, 0.0);
                &mut long
            };
            for &pair in &self.touching[self.touching_starts[body]..self.touching_starts[body + 1]]
            {
                let contact = self.contact_of[pair as usize] as usize;
                let rows = &impulses[self.offsets[contact]..self.offsets[contact + 1]];
                add_transposed(self.pair_values(pair as usize), rows, impulse);
            }
            if self.inverse_diagonal.is_empty() {
                multiply(&self.inverse_mass(body), impulse, velocity);
            } else {
                let inverse = &self.inverse_diagonal[body * self.body_size..];
                for (v, (m, p)) in velocity.iter_mut().zip(inverse.iter().zip(&*impulse)) {
                    *v = m * p;
                }
            }
        };
        let chunks = velocities.chunks_exact_mut(self.body_size);
        if self.bodies.len() < PARALLEL_FROM {
            chunks.enumerate().for_each(body_velocity);
        } else {
            velocities
                .par_chunks_exact_mut(self.body_size)
                .enumerate()
                .with_min_len(256)
                .for_each(body_velocity);
        }
    }

    /// Writes Dᵀ v.
    pub fn contact_velocities(&self, velocities: &[f64], result: &mut [f64]) {
        if let Some(lean) = &self.lean {
            let first = self.offsets[0];
            lean.velocities(velocities.as_chunks().0, &mut result[..first]);
            for contact in 0..self.offsets.len() - 1 {
                let rows = self.offsets[contact]..self.offsets[contact + 1];
                self.stored_velocity(contact, velocities, &mut result[rows]);
            }
            return;
        }
        let contacts = self.offsets.len() - 1;
        let uniform = contacts > 0 && {
            let size = self.offsets[1];
            self.offsets.windows(2).all(|w| w[1] - w[0] == size)
        };
        if self.bodies.len() < PARALLEL_FROM || !uniform {
            for contact in 0..contacts {
                let rows = self.offsets[contact]..self.offsets[contact + 1];
                self.stored_velocity(contact, velocities, &mut result[rows]);
            }
        } else {
            result
                .par_chunks_exact_mut(self.offsets[1])
                .enumerate()
                .with_min_len(256)
                .for_each(|(contact, rows)| self.stored_velocity(contact, velocities, rows));
        }
    }

    /// Writes (Dᵀ v) of one contact.
    #[inline]
    pub fn block_velocity(&self, contact: usize, velocities: &[f64], result: &mut [f64]) {
        match &self.lean {
            Some(lean) if contact < lean.len() => {
                lean.block_velocity(contact, velocities.as_chunks().0, result);
            }
            _ => self.stored_velocity(contact - self.lean_count(), velocities, result),
        }
    }

    #[inline]
    fn stored_velocity(&self, contact: usize, velocities: &[f64], result: &mut [f64]) {
        let pairs = self.starts[contact]..self.starts[contact + 1];
        if let ([a, b, c], 6) = (&mut *result, self.body_size) {
            let mut sum = [0.0; 3];
            for pair in pairs {
                let start = self.value_starts[pair];
                let j: &[f64; 18] = self.values[start..].first_chunk().expect("3 x 6 numbers");
                let first = 6 * self.bodies[pair] as usize;
                let v: &[f64; 6] = velocities[first..].first_chunk().expect("6 freedoms");
                for row in 0..3 {
                    let r = &j[6 * row..6 * row + 6];
                    sum[row] += (r[0] * v[0] + r[1] * v[1] + r[2] * v[2])
                        + (r[3] * v[3] + r[4] * v[4] + r[5] * v[5]);
                }
            }
            (*a, *b, *c) = (sum[0], sum[1], sum[2]);
            return;
        }
        result.fill(0.0);
        for pair in pairs {
            let first = self.body_size * self.bodies[pair] as usize;
            let velocity = &velocities[first..first + self.body_size];
            let values = self.pair_values(pair);
            for (row, value) in values.chunks_exact(self.body_size).zip(result.iter_mut()) {
                *value += row.iter().zip(velocity).map(|(a, b)| a * b).sum::<f64>();
            }
        }
    }

    /// Adds M⁻¹ D_i `change` to the velocities.
    #[inline]
    pub fn add_block_impulse(&self, contact: usize, change: &[f64], velocities: &mut [f64]) {
        match &self.lean {
            Some(lean) if contact < lean.len() => {
                lean.add_block_impulse(contact, change, velocities.as_chunks_mut().0);
            }
            _ => self.add_stored_impulse(contact - self.lean_count(), change, velocities),
        }
    }

    #[inline]
    fn add_stored_impulse(&self, contact: usize, change: &[f64], velocities: &mut [f64]) {
        for pair in self.starts[contact]..self.starts[contact + 1] {
            let body = self.bodies[pair] as usize;
            let first = self.body_size * body;
            if let (&[a, b, c], 6) = (change, self.body_size) {
                let start = self.value_starts[pair];
                let j: &[f64; 18] = self.values[start..].first_chunk().expect("3 x 6 numbers");
                let mut impulse = [0.0; 6];
                for k in 0..6 {
                    impulse[k] = j[k] * a + j[6 + k] * b + j[12 + k] * c;
                }
                if !self.inverse_diagonal.is_empty() {
                    let m: &[f64; 6] = self.inverse_diagonal[first..]
                        .first_chunk()
                        .expect("6 freedoms");
                    let v: &mut [f64; 6] =
                        velocities[first..].first_chunk_mut().expect("6 freedoms");
                    for k in 0..6 {
                        v[k] += m[k] * impulse[k];
                    }
                    continue;
                }
                let inverse = self.inverse_mass(body);
                let m: &[f64; 36] = inverse.first_chunk().expect("6 x 6 numbers");
                let v: &mut [f64; 6] = velocities[first..].first_chunk_mut().expect("6 freedoms");
                for row in 0..6 {
                    let r = &m[6 * row..6 * row + 6];
                    v[row] += (r[0] * impulse[0] + r[1] * impulse[1] + r[2] * impulse[2])
                        + (r[3] * impulse[3] + r[4] * impulse[4] + r[5] * impulse[5]);
                }
                continue;
            }
            let values = self.pair_values(pair);
            let size = self.body_size;
            for (k, row) in self.inverse_mass(body).chunks_exact(size).enumerate() {
                let mut sum = 0.0;
                for (column, m) in row.iter().enumerate() {
                    for (jacobian_row, change) in values.chunks_exact(size).zip(change) {
                        sum += m * jacobian_row[column] * change;
                    }
                }
                velocities[first + k] += sum;
            }
        }
    }

    /// Writes N_ii = Σ J M⁻¹ Jᵀ over the bodies of contact i, row-major.
    pub fn diagonal_block(&self, contact: usize, result: &mut [f64]) {
        if let Some(lean) = self.lean.as_ref().filter(|lean| contact < lean.len()) {
            lean.diagonal_block(contact, result);
            return;
        }
        result.fill(0.0);
        let mut room = [0.0; 72];
        for (body, values) in self.pairs(contact, &mut room) {
            self.add_coupling(values, body, values, result);
        }
    }

    /// Adds J₁ M⁻¹ J₂ᵀ of one body to the row-major `result`.
    fn add_coupling(&self, left: &[f64], body: usize, right: &[f64], result: &mut [f64]) {
        let size = self.body_size;
        let inverse = self.inverse_mass(body);
        let columns = right.len() / size;
        for (i, left_row) in left.chunks_exact(size).enumerate() {
            for (j, right_row) in right.chunks_exact(size).enumerate() {
                let mut sum = 0.0;
                for (a, row) in left_row.iter().zip(inverse.chunks_exact(size)) {
                    if *a != 0.0 {
                        sum += a * row.iter().zip(right_row).map(|(m, b)| m * b).sum::<f64>();
                    }
                }
                result[i * columns + j] += sum;
            }
        }
    }

    /// N as a sparse matrix.
    pub fn to_sparse(&self) -> SparseMatrix {
        let blocks = self.lean_count() + self.offsets.len() - 1;
        let mut touching = vec![Vec::new(); self.bodies()];
        let mut room = [0.0; 72];
        for contact in 0..blocks {
            for (body, values) in self.pairs(contact, &mut room) {
                touching[body].push((self.rows(contact).start, values.to_vec()));
            }
        }
        let mut triplets = Vec::new();
        let mut block = [0.0; 36];
        for (body, pairs) in touching.iter().enumerate() {
            for (row, left) in pairs {
                for (column, right) in pairs {
                    let (m, n) = (left.len() / self.body_size, right.len() / self.body_size);
                    block[..m * n].fill(0.0);
                    self.add_coupling(left, body, right, &mut block[..m * n]);
                    for (k, &value) in block[..m * n].iter().enumerate() {
                        if value != 0.0 {
                            triplets.push((row + k / n, column + k % n, value));
                        }
                    }
                }
            }
        }
        SparseMatrix::from_triplets(self.dimension(), self.dimension(), &triplets)
    }
}

/// result = A x for a square row-major A.
#[inline]
fn multiply(matrix: &[f64], x: &[f64], result: &mut [f64]) {
    for (row, value) in matrix.chunks_exact(x.len()).zip(result) {
        *value = row.iter().zip(x).map(|(a, b)| a * b).sum();
    }
}

/// result += Aᵀ x for a row-major A.
#[inline]
fn add_transposed(matrix: &[f64], x: &[f64], result: &mut [f64]) {
    for (row, x) in matrix.chunks_exact(result.len()).zip(x) {
        for (value, a) in result.iter_mut().zip(row) {
            *value += a * x;
        }
    }
}
