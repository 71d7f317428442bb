//! Sparse Cholesky factorisation of one pattern with many values.

use super::FactorizationError;
use super::by_columns::{ColumnFactor, ColumnMemory};
use super::fronts::Fronts;
use super::multifrontal::FrontalFactor;
use super::ordering::nested_dissection;
use super::pattern::Pattern;
use crate::sparse::SparseMatrix;
use faer::Side;
use faer::perm::PermRef;
use faer::sparse::linalg::SymbolicSupernodalParams;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};

/// A = L Lᵀ for a sparse symmetric positive definite matrix.
///
/// [`SparseCholesky::analyze`] finds a fill-reducing elimination order (approximate minimum
/// degree, or nested dissection for thousands of rows), the places of L, and whether columns are eliminated one by one or in dense groups,
/// whichever suits the fill. [`SparseCholesky::factorize`] may then be called with new values as
/// often as wanted; it allocates nothing.
///
/// ```
/// use moreau_algebra::factorization::SparseCholesky;
/// // [ 4 1 ]
/// // [ 1 3 ], given by its lower triangle.
/// let mut cholesky = SparseCholesky::analyze(2, &[(0, 0), (1, 0), (1, 1)]).unwrap();
/// cholesky.factorize(&[4.0, 1.0, 3.0]).unwrap();
/// let mut x = [6.0, 7.0];
/// cholesky.solve_in_place(&mut x);
/// assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] - 2.0).abs() < 1e-14);
/// // The same pattern with other values; this one is not positive definite.
/// assert!(cholesky.factorize(&[1.0, 2.0, 1.0]).is_err());
/// ```
pub struct SparseCholesky {
    pattern: Pattern,
    method: Method,
    /// What the last factorisation left.
    ready: Ready,
}

/// How L is computed. Factors of single precision are empty until asked for.
enum Method {
    ByColumns {
        symbolic: SymbolicCholesky<usize>,
        double: ColumnFactor<f64>,
        single: ColumnFactor<f32>,
        memory: ColumnMemory,
    },
    /// In dense groups of columns.
    ByFronts {
        plan: Fronts,
        double: FrontalFactor<f64>,
        single: FrontalFactor<f32>,
    },
}

/// Which factor is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ready {
    None,
    Double,
    Single,
}

/// Rows from which an order by nested dissection is worth its time.
const DISSECT_FROM: usize = 2000;

/// Groups of columns are joined up to so many columns if that makes no more than this share of their numbers zeros: dense kernels
/// are slow on groups as small as a body.
const JOINING: [(usize, f64); 4] = [(36, 1.0), (72, 0.3), (192, 0.1), (usize::MAX, 0.05)];

/// The places of L by minimum degree or, on large patterns, by nested dissection if that takes fewer operations.
fn analyze_pattern(pattern: &Pattern) -> Result<SymbolicCholesky<usize>, FactorizationError> {
    // Not `Identity`: with it the library only accepts an upper triangle.
    let minimum_degree = || analyze_in_order(pattern, SymmetricOrdering::Amd);
    if pattern.dimension < DISSECT_FROM {
        return minimum_degree();
    }
    let (minimum_degree, dissected) = rayon::join(minimum_degree, || analyze_dissected(pattern));
    let minimum_degree = minimum_degree?;
    Ok(match dissected? {
        Some(dissected) if operations(&dissected) < operations(&minimum_degree) => dissected,
        _ => minimum_degree,
    })
}

/// The places of L by nested dissection; `None` where the graph is too large for it.
pub(super) fn analyze_dissected(
    pattern: &Pattern,
) -> Result<Option<SymbolicCholesky<usize>>, FactorizationError> {
    let Some(order) = nested_dissection(pattern) else {
        return Ok(None);
    };
    let mut inverse = vec![0; order.len()];
    for (place, &row) in order.iter().enumerate() {
        inverse[row] = place;
    }
    let order = PermRef::new_checked(&order, &inverse, pattern.dimension);
    analyze_in_order(pattern, SymmetricOrdering::Custom(order)).map(Some)
}

/// Multiplications of a factorisation: a column with k numbers in it changes k²/2 others.
pub(super) fn operations(symbolic: &SymbolicCholesky<usize>) -> f64 {
    let square = |numbers: usize| 0.5 * (numbers as f64).powi(2);
    match symbolic.raw() {
        SymbolicCholeskyRaw::Simplicial(columns) => {
            let starts = columns.col_ptr().windows(2);
            starts.map(|ends| square(ends[1] - ends[0])).sum()
        }
        SymbolicCholeskyRaw::Supernodal(groups) => {
            let below = groups.col_ptr_for_row_idx();
            let of_group = |group: usize| -> f64 {
                let below = below[group + 1] - below[group];
                let columns = groups.supernode_end()[group] - groups.supernode_begin()[group];
                (1..=columns).map(|within| square(below + within)).sum()
            };
            (0..groups.n_supernodes()).map(of_group).sum()
        }
    }
}

pub(super) fn analyze_in_order(
    pattern: &Pattern,
    order: SymmetricOrdering<'_, usize>,
) -> Result<SymbolicCholesky<usize>, FactorizationError> {
    let params = CholeskySymbolicParams {
        supernodal_params: SymbolicSupernodalParams {
            relax: Some(&JOINING),
        },
        ..CholeskySymbolicParams::default()
    };
    factorize_symbolic_cholesky(pattern.symbolic(), Side::Lower, order, params)
        .map_err(|_| FactorizationError::OutOfMemory)
}

impl SparseCholesky {
    /// Analyses a symmetric pattern of `dimension` rows given by `(row, column)` entries.
    ///
    /// Only the lower triangle (row ≥ column) is used; entries above the diagonal may be present
    /// and are ignored, so the entries of a whole symmetric matrix will do. Entries come in any
    /// order and may repeat; diagonal entries that are missing are stored as zeros.
    pub fn analyze(
        dimension: usize,
        entries: &[(usize, usize)],
    ) -> Result<Self, FactorizationError> {
        let diagonal = (0..dimension).map(|i| (i, i));
        let pattern = Pattern::new(dimension, entries, |row, column| row >= column, diagonal)?;
        let symbolic = analyze_pattern(&pattern)?;
        let method = match (symbolic.raw(), symbolic.perm()) {
            (SymbolicCholeskyRaw::Supernodal(groups), Some(order)) => {
                let plan = Fronts::new(&pattern, groups, order);
                let mut double = FrontalFactor::default();
                double.reserve(&plan);
                Method::ByFronts {
                    plan,
                    double,
                    single: FrontalFactor::default(),
                }
            }
            _ => {
                let mut double = ColumnFactor::default();
                double.reserve(&pattern, &symbolic);
                Method::ByColumns {
                    memory: ColumnMemory::new(&symbolic)?,
                    symbolic,
                    double,
                    single: ColumnFactor::default(),
                }
            }
        };
        Ok(Self {
            pattern,
            method,
            ready: Ready::None,
        })
    }

    /// Analyses the pattern of a symmetric matrix stored whole or by its lower triangle.
    ///
    /// The entry order is then that of its stored values: refill with `matrix.storage().2`.
    ///
    /// # Panics
    /// When the matrix is not square.
    pub fn analyze_matrix(matrix: &SparseMatrix) -> Result<Self, FactorizationError> {
        assert_eq!(matrix.rows(), matrix.columns());
        let entries: Vec<_> = matrix
            .triplets()
            .map(|(row, column, _)| (row, column))
            .collect();
        Self::analyze(matrix.rows(), &entries)
    }

    /// The number of rows.
    pub fn dimension(&self) -> usize {
        self.pattern.dimension
    }

    /// The number of stored values of L; a measure of memory and of the cost of a solve.
    pub fn factor_len(&self) -> usize {
        match &self.method {
            Method::ByColumns { symbolic, .. } => symbolic.len_val(),
            Method::ByFronts { double, .. } => double.len(),
        }
    }

    /// Factorises the matrix with `values[k]` at the k-th entry given to
    /// [`SparseCholesky::analyze`]; values at the same place are added.
    pub fn factorize(&mut self, values: &[f64]) -> Result<(), FactorizationError> {
        self.ready = Ready::None;
        self.pattern.refill(values)?;
        let outcome = match &mut self.method {
            Method::ByColumns {
                symbolic,
                double,
                memory,
                ..
            } => double.factorize(symbolic, &self.pattern, memory),
            Method::ByFronts { plan, double, .. } => double.factorize(plan, &self.pattern.values),
        };
        outcome.map_err(|step| FactorizationError::NotPositiveDefinite { step })?;
        self.ready = Ready::Double;
        Ok(())
    }

    /// The same in single precision, in half the time. [`SparseCholesky::solve_in_place`] then answers with seven digits less
    /// those that the condition of the matrix takes, and a matrix that is nearly singular may count as not positive
    /// definite.
    pub fn factorize_single(&mut self, values: &[f64]) -> Result<(), FactorizationError> {
        self.ready = Ready::None;
        self.pattern.refill(values)?;
        let outcome = match &mut self.method {
            Method::ByColumns {
                symbolic,
                single,
                memory,
                ..
            } => {
                single.reserve(&self.pattern, symbolic);
                single.factorize(symbolic, &self.pattern, memory)
            }
            Method::ByFronts { plan, single, .. } => {
                single.reserve(plan);
                single.factorize(plan, &self.pattern.values)
            }
        };
        outcome.map_err(|step| FactorizationError::NotPositiveDefinite { step })?;
        self.ready = Ready::Single;
        Ok(())
    }

    /// Replaces `rhs` by A⁻¹ `rhs`.
    ///
    /// # Panics
    /// When the last [`SparseCholesky::factorize`] failed or there was none, or when `rhs` has
    /// another length than the matrix.
    pub fn solve_in_place(&self, rhs: &mut [f64]) {
        assert!(self.ready != Ready::None, "solve without a factorisation");
        assert_eq!(rhs.len(), self.dimension());
        let is_single = self.ready == Ready::Single;
        match &self.method {
            Method::ByColumns {
                symbolic,
                single,
                memory,
                ..
            } if is_single => single.solve_in_place(symbolic, memory, rhs),
            Method::ByColumns {
                symbolic,
                double,
                memory,
                ..
            } => double.solve_in_place(symbolic, memory, rhs),
            Method::ByFronts { plan, single, .. } if is_single => single.solve_in_place(plan, rhs),
            Method::ByFronts { plan, double, .. } => double.solve_in_place(plan, rhs),
        }
    }
}
