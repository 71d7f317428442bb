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

use crate::cones::{Cone, Cones, MAX_DIMENSION};
use crate::delassus::Delassus;
use crate::delassus::lean::LeanContacts;
use crate::rows::Rows;
use moreau_algebra::block_sparse::BlockSparse;
use moreau_algebra::operator::LinearOperator;
use moreau_algebra::small::SmallMatrix;
use moreau_algebra::sparse::SparseMatrix;
use rayon::prelude::*;
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// Blocks at least that are worth a thread of their own.
pub(crate) const BLOCKS_FOR_A_THREAD: usize = 8192;

/// Asymmetry of N above which a convex method cannot take N γ + r for a gradient.
pub const SYMMETRY_TOLERANCE: f64 = 1e-10;

/// Why something is not a contact problem.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ProblemError {
    /// Lengths that do not agree.
    #[error("{what} has length {found}, but {expected} is right: {reason}")]
    Length {
        /// Which array.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length that fits.
        expected: usize,
        /// Why that length.
        reason: &'static str,
    },
    /// NaN or infinity.
    #[error("{what}[{index}] is {value}; every entry must be a finite number")]
    NotFinite {
        /// Which array.
        what: &'static str,
        /// Where in it.
        index: usize,
        /// What stands there.
        value: f64,
    },
    /// A negative cohesion or compliance.
    #[error("{what}[{index}] is {value}; it must not be negative")]
    Negative {
        /// Which array.
        what: &'static str,
        /// Where in it.
        index: usize,
        /// What stands there.
        value: f64,
    },
    /// A cone with impossible coefficients.
    #[error("contact {index}: {reason}")]
    Cone {
        /// Which block.
        index: usize,
        /// What is wrong with it.
        reason: String,
    },
}

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

/// What is computed of the diagonal blocks, each when first asked for: a method that takes its metric from the
/// blocks themselves then pays neither the 88 bytes for each contact nor the eigenvalues.
#[derive(Debug, Default)]
struct Diagonal {
    blocks: OnceLock<DiagonalBlocks>,
    mean: OnceLock<Vec<f64>>,
    short_mean: OnceLock<Vec<f32>>,
    largest: OnceLock<Vec<f64>>,
}

/// The diagonal blocks N_ii + E_ii.
#[derive(Clone, Debug)]
pub struct DiagonalBlocks {
    starts: Vec<usize>,
    values: Vec<f64>,
}

impl DiagonalBlocks {
    /// N_ii, row-major.
    #[inline]
    pub fn block(&self, block: usize) -> &[f64] {
        &self.values[self.starts[block]..self.starts[block + 1]]
    }
}

/// g_i of the blocks of a problem, each computed when it is asked for, unless all are known.
pub(crate) struct MeanDiagonals<'a> {
    problem: &'a ContactProblem,
    known: Option<&'a [f64]>,
    /// Contacts of three rows, of which g_i is quickly told.
    contacts: Option<&'a LeanContacts>,
}

impl MeanDiagonals<'_> {
    #[inline]
    pub fn of(&self, block: usize) -> f64 {
        if let Some(known) = self.known {
            return known[block];
        }
        let own = self.own(block);
        if own > 0.0 {
            own
        } else {
            self.problem.mean_diagonal()[block]
        }
    }

    /// tr(N_ii) / d_i.
    #[inline]
    fn own(&self, block: usize) -> f64 {
        match self.contacts {
            Some(contacts) if block < contacts.len() => contacts.mean_diagonal_of_three(block),
            _ => self.problem.own_mean_diagonal(block),
        }
    }
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

    /// The diagonal blocks N_ii + E_ii, computed when first asked for.
    pub fn diagonal(&self) -> &DiagonalBlocks {
        self.diagonal.blocks.get_or_init(|| {
            let squares = (0..self.blocks()).map(|block| self.rows(block).len().pow(2));
            let mut starts = Vec::with_capacity(self.blocks() + 1);
            let mut values = Vec::with_capacity(squares.sum());
            let mut room = [0.0; MAX_DIMENSION * MAX_DIMENSION];
            for block in 0..self.blocks() {
                starts.push(values.len());
                values.extend_from_slice(self.diagonal_block(block, &mut room));
            }
            starts.push(values.len());
            DiagonalBlocks { starts, values }
        })
    }

    /// N_ii + E_ii of one block, row-major, computed into `room`.
    #[inline]
    pub fn diagonal_block<'a>(
        &self,
        block: usize,
        room: &'a mut [f64; MAX_DIMENSION * MAX_DIMENSION],
    ) -> &'a [f64] {
        let rows = self.rows(block);
        let d = rows.len();
        let result = &mut room[..d * d];
        self.delassus.diagonal_block(block, result);
        if !self.compliance.is_empty() {
            for (k, row) in rows.enumerate() {
                result[k * d + k] += self.compliance[row];
            }
        }
        result
    }

    /// g_i = tr(N_ii) / d_i (Mazhar Eq. 27), one per block; where N_ii is zero, the mean of the others
    /// (1 if all are zero), so that a step length always exists. Computed when first asked for.
    pub fn mean_diagonal(&self) -> &[f64] {
        self.diagonal.mean.get_or_init(|| {
            // By one thread: a thread that waits here for others could be given work that asks for these numbers.
            let blocks = 0..self.blocks();
            let means = self.mean_diagonals();
            let own = |block: usize| means.own(block);
            let mut mean: Vec<f64> = blocks.map(own).collect();
            if mean.iter().any(|&g| g <= 0.0) {
                let positive = || mean.iter().copied().filter(|&g| g > 0.0);
                let fallback = match positive().count() {
                    0 => 1.0,
                    count => positive().sum::<f64>() / count as f64,
                };
                for g in mean.iter_mut().filter(|g| **g <= 0.0) {
                    *g = fallback;
                }
            }
            mean
        })
    }

    /// g_i as a number of single precision; where that is out of range, infinity, zero or not accurate. Computed when first asked for.
    pub(crate) fn short_mean_diagonal(&self) -> &[f32] {
        if let Some(known) = self.diagonal.short_mean.get() {
            return known;
        }
        // Found before it is set: a thread that takes up other work while it waits for its helpers, and asks for the same there,
        // would wait for itself.
        let means = self.mean_diagonals();
        let found = (0..self.blocks())
            .into_par_iter()
            .with_min_len(BLOCKS_FOR_A_THREAD)
            .map(|block| means.of(block) as f32)
            .collect();
        self.diagonal.short_mean.get_or_init(|| found)
    }

    /// g_i of one block after another, without keeping them.
    pub(crate) fn mean_diagonals(&self) -> MeanDiagonals<'_> {
        let contacts = match &*self.delassus {
            Delassus::MatrixFree(n) if self.compliance.is_empty() => n.lean_contacts(),
            _ => None,
        };
        MeanDiagonals {
            problem: self,
            known: self.diagonal.mean.get().map(Vec::as_slice),
            contacts: contacts.filter(|contacts| contacts.uniform() == Some(3)),
        }
    }

    /// tr(N_ii) / d_i.
    fn own_mean_diagonal(&self, block: usize) -> f64 {
        let d = self.rows(block).len();
        let mut room = [0.0; MAX_DIMENSION * MAX_DIMENSION];
        let values = self.diagonal_block(block, &mut room);
        (0..d).map(|k| values[k * d + k]).sum::<f64>() / d as f64
    }

    /// The largest eigenvalue of the symmetric part of N_ii, one per block. Computed when first asked for.
    pub fn largest_diagonal(&self) -> &[f64] {
        self.diagonal.largest.get_or_init(|| {
            let mut room = [0.0; MAX_DIMENSION * MAX_DIMENSION];
            (0..self.blocks())
                .map(|index| {
                    let d = self.rows(index).len();
                    let block = self.diagonal_block(index, &mut room);
                    let diagonal = (0..d * d).all(|k| k % (d + 1) == 0 || block[k] == 0.0);
                    let largest = if diagonal {
                        (0..d).map(|k| block[k * d + k]).fold(0.0, f64::max)
                    } else {
                        SmallMatrix::from_rows(d, block).largest_eigenvalue_symmetric()
                    };
                    largest.max(0.0)
                })
                .collect()
        })
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
        for (u, r) in velocity.iter_mut().zip(&*self.free_velocity) {
            *u += r;
        }
    }

    /// Writes (N + E) γ; `state` is room for the intermediate body velocities.
    pub fn product(&self, impulses: &[f64], state: &mut [f64], result: &mut [f64]) {
        self.delassus.state_of(impulses, state);
        self.delassus.velocities_of_state(state, result);
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

fn check_length(
    what: &'static str,
    found: usize,
    expected: usize,
    reason: &'static str,
) -> Result<(), ProblemError> {
    if found == expected {
        Ok(())
    } else {
        Err(ProblemError::Length {
            what,
            found,
            expected,
            reason,
        })
    }
}

fn check_finite(what: &'static str, values: &[f64]) -> Result<(), ProblemError> {
    match values.iter().position(|v| !v.is_finite()) {
        Some(index) => Err(ProblemError::NotFinite {
            what,
            index,
            value: values[index],
        }),
        None => Ok(()),
    }
}

fn check_not_negative(what: &'static str, values: &[f64]) -> Result<(), ProblemError> {
    match values.iter().position(|v| *v < 0.0) {
        Some(index) => Err(ProblemError::Negative {
            what,
            index,
            value: values[index],
        }),
        None => Ok(()),
    }
}
