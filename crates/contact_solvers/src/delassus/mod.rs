//! The Delassus operator N = Dᵀ M⁻¹ D: from impulses at contacts to the velocities they cause there.
//!
//! Three representations stand behind one type, because problems come in three forms:
//!
//! | form | holds | comes from |
//! |---|---|---|
//! | [`MatrixFree`] | D by (contact, body) blocks or by normals and arms, M⁻¹ by bodies | rigid bodies |
//! | assembled | W by blocks, symmetric or not | files of local problems |
//! | [`Factorized`] | Hᵀ and M⁻¹H, M factorised once | finite elements, coupled M |
//!
//! A solver asks for whole products, or walks from block to block: it then keeps a *state*, which
//! carries the effect of the impulses so far. The state is the vector of body velocities M⁻¹Dγ
//! where there are bodies, and γ itself where only W is known. Either way the velocity at a block
//! costs one block row, and so does changing its impulse.

mod ball_contacts;
mod body_matrix;
mod factorized;
mod geometry;
mod inertias;
mod leaf_work;
pub(crate) mod lean;
mod leaves;
mod matrix_free;
mod rigid;
mod rigid_arithmetic;

pub use body_matrix::{BodyMatrix, Precision};
pub use factorized::Factorized;
pub use matrix_free::{InverseMass, JacobianBlock, MatrixFree, PairRoom};
pub use rigid::{BodyInertia, RigidContact, contact_frame};

use moreau_algebra::block_sparse::BlockSparse;
use moreau_algebra::operator::LinearOperator;
use moreau_algebra::sparse::SparseMatrix;

/// N in one of its three representations.
#[derive(Clone, Debug)]
pub enum Delassus {
    /// D and M⁻¹ by small blocks.
    MatrixFree(MatrixFree),
    /// W itself.
    Assembled(BlockSparse),
    /// Hᵀ and M⁻¹H.
    Factorized(Factorized),
}

impl Delassus {
    /// Length of the state that block-by-block methods carry.
    pub fn state_length(&self) -> usize {
        match self {
            Delassus::MatrixFree(n) => n.body_dimension(),
            Delassus::Assembled(n) => n.dimension(),
            Delassus::Factorized(n) => n.body_dimension(),
        }
    }

    /// Writes the state that belongs to `impulses`.
    pub fn state_of(&self, impulses: &[f64], state: &mut [f64]) {
        match self {
            Delassus::MatrixFree(n) => n.body_velocities(impulses, state),
            Delassus::Assembled(_) => state.copy_from_slice(impulses),
            Delassus::Factorized(n) => n.body_velocities(impulses, state),
        }
    }

    /// Writes (N γ) of every block, given the state of γ.
    pub fn velocities_of_state(&self, state: &[f64], result: &mut [f64]) {
        match self {
            Delassus::MatrixFree(n) => n.contact_velocities(state, result),
            Delassus::Assembled(n) => n.multiply(state, result),
            Delassus::Factorized(n) => n.contact_velocities(state, result),
        }
    }

    /// Writes the state that belongs to `impulses`, and (N γ) of every block.
    pub fn product(&self, impulses: &[f64], state: &mut [f64], result: &mut [f64]) {
        if let Delassus::MatrixFree(n) = self {
            n.product(impulses, state, result);
        } else {
            self.state_of(impulses, state);
            self.velocities_of_state(state, result);
        }
    }

    /// Writes (N γ) of one block, given the state of γ.
    #[inline]
    pub fn block_velocity(&self, block: usize, state: &[f64], result: &mut [f64]) {
        match self {
            Delassus::MatrixFree(n) => n.block_velocity(block, state, result),
            Delassus::Assembled(n) => n.row_product(block, state, result),
            Delassus::Factorized(n) => n.block_velocity(block, state, result),
        }
    }

    /// Changes the state as adding `change` to the impulse of one block does.
    #[inline]
    pub fn add_block_impulse(&self, block: usize, first: usize, change: &[f64], state: &mut [f64]) {
        match self {
            Delassus::MatrixFree(n) => n.add_block_impulse(block, change, state),
            Delassus::Assembled(_) => {
                for (value, change) in state[first..].iter_mut().zip(change) {
                    *value += change;
                }
            }
            Delassus::Factorized(n) => n.add_block_impulse(block, change, state),
        }
    }

    /// Writes N_ii, row-major.
    pub fn diagonal_block(&self, block: usize, result: &mut [f64]) {
        match self {
            Delassus::MatrixFree(n) => n.diagonal_block(block, result),
            Delassus::Assembled(n) => n.diagonal_block(block, result),
            Delassus::Factorized(n) => n.diagonal_block(block, result),
        }
    }

    /// N as a sparse matrix.
    pub fn to_sparse(&self) -> SparseMatrix {
        match self {
            Delassus::MatrixFree(n) => n.to_sparse(),
            Delassus::Assembled(n) => n.to_sparse(),
            Delassus::Factorized(n) => n.to_sparse(),
        }
    }
}

impl LinearOperator for Delassus {
    fn dimension(&self) -> usize {
        match self {
            Delassus::MatrixFree(n) => n.dimension(),
            Delassus::Assembled(n) => n.dimension(),
            Delassus::Factorized(n) => n.dimension(),
        }
    }

    /// Allocates the state; solvers that multiply often keep one and use
    /// [`Delassus::product`].
    fn apply(&self, x: &[f64], result: &mut [f64]) {
        let mut state = vec![0.0; self.state_length()];
        self.product(x, &mut state, result);
    }
}
