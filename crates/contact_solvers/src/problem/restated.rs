//! The same problem stated otherwise: as a matrix, symmetric, with another operator or free velocity, without cohesion.

use super::ContactProblem;
use super::error::{ProblemError, check_finite, check_length};
use crate::delassus::Delassus;
use moreau_algebra::block_sparse::BlockSparse;
use moreau_algebra::operator::LinearOperator;
use moreau_algebra::sparse::SparseMatrix;
use std::sync::Arc;

impl ContactProblem {
    /// N + E as a sparse matrix.
    pub fn to_sparse(&self) -> SparseMatrix {
        let matrix = self.delassus.to_sparse();
        if self.compliance.is_empty() {
            return matrix;
        }
        let diagonal = self
            .compliance
            .iter()
            .enumerate()
            .map(|(row, &e)| (row, row, e));
        let triplets: Vec<_> = matrix.triplets().chain(diagonal).collect();
        SparseMatrix::from_triplets(self.dimension(), self.dimension(), &triplets)
    }

    /// |N − Nᵀ| / |N|. Zero by construction for a matrix-free operator.
    pub fn asymmetry(&self) -> f64 {
        match &*self.delassus {
            Delassus::MatrixFree(_) => 0.0,
            other => other.to_sparse().asymmetry(),
        }
    }

    /// The same problem with N replaced by (N + Nᵀ)/2, assembled.
    pub fn symmetrized(&self) -> Self {
        let symmetric = self.delassus.to_sparse().symmetrized();
        let delassus = Delassus::Assembled(BlockSparse::from_sparse(&symmetric, &self.offsets()));
        Self {
            delassus: Arc::new(delassus),
            diagonal: Arc::default(),
            ..self.clone()
        }
    }

    /// The same problem with another operator of the same dimension.
    pub(crate) fn with_operator(&self, delassus: Delassus) -> Self {
        debug_assert_eq!(delassus.dimension(), self.dimension());
        Self {
            delassus: Arc::new(delassus),
            diagonal: Arc::default(),
            ..self.clone()
        }
    }

    /// The same problem with another free velocity.
    pub fn with_free_velocity(&self, free_velocity: Vec<f64>) -> Result<Self, ProblemError> {
        check_length(
            "free velocity",
            free_velocity.len(),
            self.dimension(),
            "the problem's rows",
        )?;
        check_finite("free velocity", &free_velocity)?;
        Ok(Self {
            free_velocity: Arc::new(free_velocity),
            ..self.clone()
        })
    }

    /// The equivalent problem in x = γ + c e_N, whose cones have their apex at the origin: u is
    /// the same when r is replaced by r − (N + E) c e_N. Without cohesion, a copy.
    pub fn without_cohesion(&self) -> Self {
        if self.cohesion.iter().all(|&c| c == 0.0) {
            return Self {
                cohesion: Arc::default(),
                ..self.clone()
            };
        }
        let shift = self.cohesion_shift();
        let mut state = vec![0.0; self.state_length()];
        let mut product = vec![0.0; self.dimension()];
        self.product(&shift, &mut state, &mut product);
        let free_velocity: Vec<f64> = self
            .free_velocity
            .iter()
            .zip(&product)
            .map(|(r, p)| r - p)
            .collect();
        Self {
            free_velocity: Arc::new(free_velocity),
            cohesion: Arc::default(),
            ..self.clone()
        }
    }

    /// Adds `factor` c e_N to impulses.
    pub fn add_cohesion(&self, factor: f64, impulses: &mut [f64]) {
        for (block, &c) in self.cohesion.iter().enumerate() {
            impulses[self.first_row(block)] += factor * c;
        }
    }

    /// c e_N as a vector of the length of γ.
    pub fn cohesion_shift(&self) -> Vec<f64> {
        let mut shift = vec![0.0; self.dimension()];
        for (block, &c) in self.cohesion.iter().enumerate() {
            shift[self.first_row(block)] = c;
        }
        shift
    }
}
