//! The contact problem: what is asked. It does not change during a solve.
//!
//! Find impulses γ such that, with u = (N + E) γ + r,
//!
//! ```text
//!   γ_i + c_i e_N ∈ K_i   and the friction law holds between γ_i + c_i e_N and u_i,  for every block i.
//! ```
//!
//! K_i is the block's [`Cone`]; N the [`Delassus`] operator; r the free velocity at the contacts, gap
//! term included; E a compliance per row (Tasora 2013, Eq. 4, with the sign that makes E ≥ 0); c_i a
//! cohesive impulse (Mazhar 2015, §2.4): the cone shifted along the normal, so that a contact may
//! pull with up to c_i.

mod diagonal;
mod error;
mod restated;

use crate::cones::{Cone, Cones};
use crate::delassus::Delassus;
use crate::rows::Rows;
pub(crate) use diagonal::BLOCKS_FOR_A_THREAD;
use diagonal::Diagonal;
pub use diagonal::DiagonalBlocks;
pub use error::ProblemError;
use error::{check_finite, check_length, check_not_negative};
use moreau_algebra::block_sparse::BlockSparse;
use moreau_algebra::copies::add_over;
use moreau_algebra::operator::LinearOperator;
use moreau_algebra::sparse::SparseMatrix;
use std::sync::Arc;

/// Asymmetry of N above which a convex method cannot take N γ + r for a gradient.
pub const SYMMETRY_TOLERANCE: f64 = 1e-10;

/// A contact problem. Copies share everything, so that they cost nothing.
#[derive(Clone, Debug)]
pub struct ContactProblem {
    cones: Arc<Cones>,
    rows: Arc<Rows>,
    delassus: Arc<Delassus>,
    free_velocity: Arc<Vec<f64>>,
    cohesion: Arc<[f64]>,
    compliance: Arc<[f64]>,
    diagonal: Arc<Diagonal>,
    /// So many blocks at the beginning are friction contacts in space.
    friction_run: usize,
}

impl ContactProblem {
    /// States a problem without cohesion and compliance.
    ///
    /// # Errors
    /// When lengths do not agree, a number is not finite or a cone is impossible.
    pub fn new(
        cones: impl Into<Cones>,
        delassus: Delassus,
        free_velocity: Vec<f64>,
    ) -> Result<Self, ProblemError> {
        let cones = cones.into();
        if cones.kinds().iter().any(|kind| kind.validate().is_err()) {
            for (index, cone) in cones.iter().enumerate() {
                cone.validate()
                    .map_err(|reason| ProblemError::Cone { index, reason })?;
            }
        }
        let rows = Rows::of(&cones);
        let dimension = rows.count();
        check_length(
            "delassus operator",
            delassus.dimension(),
            dimension,
            "components of all cones",
        )?;
        check_length(
            "free velocity",
            free_velocity.len(),
            dimension,
            "components of all cones",
        )?;
        check_finite("free velocity", &free_velocity)?;
        let friction_run = cones.beginning(|cone| matches!(cone, Cone::Friction { .. }));
        Ok(Self {
            friction_run,
            cones: Arc::new(cones),
            rows: Arc::new(rows),
            delassus: Arc::new(delassus),
            free_velocity: Arc::new(free_velocity),
            cohesion: Arc::default(),
            compliance: Arc::default(),
            diagonal: Arc::default(),
        })
    }

    /// Adds a cohesive impulse c ≥ 0 for each block; it must be zero where a block is no contact.
    pub fn with_cohesion(mut self, cohesion: Vec<f64>) -> Result<Self, ProblemError> {
        check_length(
            "cohesion",
            cohesion.len(),
            self.blocks(),
            "one entry for each block",
        )?;
        check_finite("cohesion", &cohesion)?;
        check_not_negative("cohesion", &cohesion)?;
        for (index, cone) in self.cones.iter().enumerate() {
            if cohesion[index] != 0.0 && !cone.is_contact() {
                let reason = "cohesion belongs to contacts, not to joints or bounded rows".into();
                return Err(ProblemError::Cone { index, reason });
            }
        }
        self.cohesion = cohesion.into();
        Ok(self)
    }

    /// Adds a compliance E ≥ 0 for each row.
    pub fn with_compliance(mut self, compliance: Vec<f64>) -> Result<Self, ProblemError> {
        check_length(
            "compliance",
            compliance.len(),
            self.dimension(),
            "one entry for each row",
        )?;
        check_finite("compliance", &compliance)?;
        check_not_negative("compliance", &compliance)?;
        self.compliance = compliance.into();
        self.diagonal = Arc::default();
        Ok(self)
    }

    /// A problem from an assembled W: `W` by rows and one cone for each block.
    ///
    /// ```
    /// use moreau_algebra::sparse::SparseMatrix;
    /// use moreau_contact_solvers::{cones::Cone, problem::ContactProblem};
    /// let w = SparseMatrix::from_triplets(3, 3, &[(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0)]);
    /// let falling = vec![-1.0, 0.5, 0.0];
    /// let problem = ContactProblem::assembled(vec![Cone::Friction { friction: 0.3 }], &w, falling)?;
    /// assert_eq!(problem.blocks(), 1);
    /// # Ok::<(), moreau_contact_solvers::problem::ProblemError>(())
    /// ```
    pub fn assembled(
        cones: impl Into<Cones>,
        w: &SparseMatrix,
        free_velocity: Vec<f64>,
    ) -> Result<Self, ProblemError> {
        let cones = cones.into();
        let offsets = offsets_of(cones.iter());
        let dimension = *offsets.last().expect("begins with 0");
        check_length("W", w.rows(), dimension, "components of all cones")?;
        check_length("W", w.columns(), dimension, "components of all cones")?;
        check_finite("W", w.storage().2)?;
        let delassus = Delassus::Assembled(BlockSparse::from_sparse(w, &offsets));
        Self::new(cones, delassus, free_velocity)
    }

    /// The number of rows: the length of γ, u and r.
    pub fn dimension(&self) -> usize {
        self.free_velocity.len()
    }

    /// The number of blocks: contacts, joints and bounded rows.
    pub fn blocks(&self) -> usize {
        self.cones.len()
    }

    /// The number of blocks that are contacts.
    pub fn contacts(&self) -> usize {
        self.cones.iter().filter(|cone| cone.is_contact()).count()
    }

    /// The number of blocks at the beginning that are friction contacts in space.
    pub(crate) fn friction_run(&self) -> usize {
        self.friction_run
    }

    /// The cone of each block.
    pub fn cones(&self) -> &Cones {
        &self.cones
    }

    /// First row of each block and, at the end, the dimension.
    pub fn offsets(&self) -> Vec<usize> {
        offsets_of(self.cones.iter())
    }

    /// The first row of a block; of the one behind the last, the dimension.
    #[inline]
    pub fn first_row(&self, block: usize) -> usize {
        self.rows.first(block)
    }

    /// The rows of one block.
    #[inline]
    pub fn rows(&self, block: usize) -> std::ops::Range<usize> {
        self.rows.of_block(block)
    }

    /// N without compliance.
    pub fn delassus(&self) -> &Delassus {
        &self.delassus
    }

    /// r.
    pub fn free_velocity(&self) -> &[f64] {
        &self.free_velocity
    }

    /// Cohesive impulse of each block; empty if there is none.
    pub fn cohesion(&self) -> &[f64] {
        &self.cohesion
    }

    /// Compliance of each row; empty if there is none.
    pub fn compliance(&self) -> &[f64] {
        &self.compliance
    }

    /// Compliance of one row.
    #[inline]
    pub fn compliance_of(&self, row: usize) -> f64 {
        if self.compliance.is_empty() {
            0.0
        } else {
            self.compliance[row]
        }
    }

    /// Length of the state that block-by-block methods carry; see [`Delassus`].
    pub fn state_length(&self) -> usize {
        self.delassus.state_length()
    }

    /// Writes the state of `impulses` and u = (N + E) γ + r.
    pub fn velocity(&self, impulses: &[f64], state: &mut [f64], velocity: &mut [f64]) {
        self.product(impulses, state, velocity);
        add_over(velocity, &self.free_velocity);
    }

    /// Writes (N + E) γ; `state` is room for the intermediate body velocities.
    pub fn product(&self, impulses: &[f64], state: &mut [f64], result: &mut [f64]) {
        self.delassus.product(impulses, state, result);
        for (row, e) in self.compliance.iter().enumerate() {
            result[row] += e * impulses[row];
        }
    }

    /// Writes u of one block, given the state of γ and γ itself.
    #[inline]
    pub fn block_velocity(
        &self,
        block: usize,
        state: &[f64],
        impulses: &[f64],
        result: &mut [f64],
    ) {
        self.delassus.block_velocity(block, state, result);
        let first = self.first_row(block);
        for (k, u) in result.iter_mut().enumerate() {
            *u += self.free_velocity[first + k];
            if !self.compliance.is_empty() {
                *u += self.compliance[first + k] * impulses[first + k];
            }
        }
    }

    /// Changes the impulse of one block and the state with it.
    #[inline]
    pub fn change_block(
        &self,
        block: usize,
        change: &[f64],
        impulses: &mut [f64],
        state: &mut [f64],
    ) {
        let first = self.first_row(block);
        for (value, change) in impulses[first..].iter_mut().zip(change) {
            *value += change;
        }
        self.delassus.add_block_impulse(block, first, change, state);
    }
}

impl LinearOperator for ContactProblem {
    fn dimension(&self) -> usize {
        self.free_velocity.len()
    }

    fn apply(&self, x: &[f64], result: &mut [f64]) {
        let mut state = vec![0.0; self.state_length()];
        self.product(x, &mut state, result);
    }
}

/// First row of each block.
pub fn offsets_of<'a>(cones: impl IntoIterator<Item = &'a Cone>) -> Vec<usize> {
    let mut offsets = vec![0];
    for cone in cones {
        offsets.push(offsets.last().expect("not empty") + cone.dimension());
    }
    offsets
}
