use super::*;
use crate::reduction::norm;
use crate::sparse::SparseMatrix;

/// Reproducible numbers in [-1, 1).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.next() + 1.0) / 2.0 * n as f64) as usize
    }
}

/// A nonsymmetric sparse matrix with about `per_row` entries in a row besides a cyclic diagonal
/// far from the main one, so that pivoting is needed.
fn sparse(n: usize, per_row: usize, numbers: &mut Numbers) -> SparseMatrix {
    let mut triplets: Vec<_> = (0..n)
        .map(|i| (i, (i + n / 2) % n, 2.0 + numbers.next()))
        .collect();
    for row in 0..n {
        for _ in 0..per_row {
            triplets.push((row, numbers.below(n), numbers.next()));
        }
    }
    SparseMatrix::from_triplets(n, n, &triplets)
}

/// The symmetric part of [`sparse`], made diagonally dominant.
fn positive(n: usize, per_row: usize, numbers: &mut Numbers) -> SparseMatrix {
    let symmetric = sparse(n, per_row, numbers).symmetrized();
    let dominance = |row: usize| {
        (
            row,
            row,
            0.1 + symmetric.row(row).1.iter().map(|v| v.abs()).sum::<f64>(),
        )
    };
    let triplets: Vec<_> = symmetric.triplets().chain((0..n).map(dominance)).collect();
    SparseMatrix::from_triplets(n, n, &triplets)
}

fn dense(matrix: &SparseMatrix) -> Vec<f64> {
    let n = matrix.rows();
    let mut values = vec![0.0; n * n];
    for (row, column, value) in matrix.triplets() {
        values[row * n + column] = value;
    }
    values
}

/// |A x − b| / (|A| |x|) with Frobenius and Euclidean norms; zero when both are.
fn residual(matrix: &SparseMatrix, x: &[f64], rhs: &[f64]) -> f64 {
    let mut product = vec![0.0; x.len()];
    matrix.multiply(x, &mut product);
    for (value, b) in product.iter_mut().zip(rhs) {
        *value -= b;
    }
    let scale = norm(matrix.storage().2) * norm(x);
    if scale == 0.0 {
        norm(&product)
    } else {
        norm(&product) / scale
    }
}

#[test]
fn sparse_factorisations_solve_and_reuse_their_pattern() {
    let mut numbers = Numbers(7);
    // The larger, fuller ones are eliminated in dense groups of columns, the others one by one.
    // The last is large enough for an order by nested dissection.
    for (n, per_row) in [(1, 0), (2, 1), (40, 2), (300, 3), (300, 40), (2500, 2)] {
        let (spd, general) = (
            positive(n, per_row, &mut numbers),
            sparse(n, per_row, &mut numbers),
        );
        let mut cholesky = SparseCholesky::analyze_matrix(&spd).unwrap();
        let mut lu = SparseLu::analyze_matrix(&general).unwrap();
        for scale in [1.0, -3.0, 1e-3] {
            let rescaled = |matrix: &SparseMatrix, factor: f64| {
                let entries: Vec<_> = matrix
                    .triplets()
                    .map(|(i, j, v)| (i, j, v * factor * if i == j { 1.5 } else { 1.0 }))
                    .collect();
                SparseMatrix::from_triplets(n, n, &entries)
            };
            let (spd, general) = (rescaled(&spd, f64::abs(scale)), rescaled(&general, scale));
            let rhs = numbers.vector(n);
            let mut x = rhs.clone();
            cholesky.factorize(spd.storage().2).unwrap();
            cholesky.solve_in_place(&mut x);
            assert!(residual(&spd, &x, &rhs) < 1e-12);
            let mut x = rhs.clone();
            lu.factorize(general.storage().2).unwrap();
            lu.solve_in_place(&mut x);
            assert!(residual(&general, &x, &rhs) < 1e-12, "{n} {per_row}");
        }
    }
}

/// A column of `height` layers of `width`² bodies with `size` rows each, tied to all that touch them: what a bed of spheres
/// looks like. Cut in two again and again, it has branches that can be eliminated at the same time.
fn column(width: usize, height: usize, size: usize, numbers: &mut Numbers) -> SparseMatrix {
    let place = |body: usize| [body % width, body / width % width, body / width / width];
    let bodies = width * width * height;
    let mut triplets = Vec::new();
    let mut dominance = vec![1.0; size * bodies];
    for a in 0..bodies {
        for b in 0..a {
            let (p, q) = (place(a), place(b));
            if (0..3).any(|k| p[k].abs_diff(q[k]) > 1) {
                continue;
            }
            for (row, other) in (0..size * size).map(|k| (a * size + k / size, b * size + k % size))
            {
                let value = numbers.next();
                triplets.extend([(row, other, value), (other, row, value)]);
                dominance[row] += value.abs();
                dominance[other] += value.abs();
            }
        }
    }
    triplets.extend(
        dominance
            .iter()
            .enumerate()
            .map(|(row, &value)| (row, row, value)),
    );
    SparseMatrix::from_triplets(size * bodies, size * bodies, &triplets)
}

#[test]
fn factors_have_the_same_bits_for_any_number_of_threads() {
    let mut numbers = Numbers(5);
    // One large front with small ones below, and a tree of many branches.
    for matrix in [
        positive(2500, 3, &mut numbers),
        column(4, 24, 6, &mut numbers),
    ] {
        let rhs = numbers.vector(matrix.rows());
        let solution = |threads: usize, single: bool| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                let mut cholesky = SparseCholesky::analyze_matrix(&matrix).unwrap();
                let values = matrix.storage().2;
                if single {
                    cholesky.factorize_single(values).unwrap();
                } else {
                    cholesky.factorize(values).unwrap();
                }
                let mut x = rhs.clone();
                cholesky.solve_in_place(&mut x);
                x.iter().map(|v| v.to_bits()).collect::<Vec<_>>()
            })
        };
        for single in [false, true] {
            let one = solution(1, single);
            for threads in [2, 3, 4] {
                assert_eq!(solution(threads, single), one, "{threads} threads");
            }
        }
    }
}

#[test]
fn many_branches_give_the_solution_that_a_dense_factor_gives() {
    let mut numbers = Numbers(17);
    for (width, height, size) in [(3, 12, 6), (5, 5, 3), (2, 60, 6)] {
        let matrix = column(width, height, size, &mut numbers);
        let n = matrix.rows();
        let mut sparse = SparseCholesky::analyze_matrix(&matrix).unwrap();
        sparse.factorize(matrix.storage().2).unwrap();
        let mut whole = DenseCholesky::new();
        whole.factorize(n, &dense(&matrix)).unwrap();
        let rhs = numbers.vector(n);
        let (mut x, mut y) = (rhs.clone(), rhs);
        sparse.solve_in_place(&mut x);
        whole.solve_in_place(&mut y);
        let apart: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x - y).collect();
        assert!(
            norm(&apart) < 1e-13 * norm(&y),
            "{}",
            norm(&apart) / norm(&y)
        );
    }
}

#[test]
fn the_first_step_that_fails_is_reported_whoever_finds_it() {
    let mut numbers = Numbers(23);
    let matrix = column(4, 24, 6, &mut numbers);
    let mut cholesky = SparseCholesky::analyze_matrix(&matrix).unwrap();
    let negative: Vec<f64> = matrix.storage().2.iter().map(|v| -v).collect();
    assert_eq!(
        cholesky.factorize(&negative),
        Err(FactorizationError::NotPositiveDefinite { step: 0 })
    );
    // In one row of the middle: the same step for any number of threads, and a factor afterwards.
    let bad = matrix.rows() / 2;
    let entries = matrix.triplets();
    let values: Vec<f64> = entries
        .map(|(i, j, v)| if i == bad && j == bad { -v } else { v })
        .collect();
    let failure = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let mut cholesky = SparseCholesky::analyze_matrix(&matrix).unwrap();
            cholesky.factorize(&values).unwrap_err()
        })
    };
    let one = failure(1);
    assert!(matches!(one, FactorizationError::NotPositiveDefinite { step } if step > 0));
    assert_eq!(failure(2), one);
    cholesky.factorize(matrix.storage().2).unwrap();
}

#[test]
fn a_factor_of_single_precision_is_good_for_six_digits() {
    let mut numbers = Numbers(11);
    // Small ones are eliminated column by column, large ones in groups.
    for (n, per_row) in [(9, 2), (400, 8)] {
        let matrix = positive(n, per_row, &mut numbers);
        let mut cholesky = SparseCholesky::analyze_matrix(&matrix).unwrap();
        let rhs = numbers.vector(n);
        for _ in 0..2 {
            let mut x = rhs.clone();
            cholesky.factorize_single(matrix.storage().2).unwrap();
            cholesky.solve_in_place(&mut x);
            assert!(residual(&matrix, &x, &rhs) < 1e-5);
            assert!(residual(&matrix, &x, &rhs) > 1e-12, "not single precision");
            // Double precision is there again when asked for.
            let mut x = rhs.clone();
            cholesky.factorize(matrix.storage().2).unwrap();
            cholesky.solve_in_place(&mut x);
            assert!(residual(&matrix, &x, &rhs) < 1e-13);
        }
        let negative: Vec<f64> = matrix.storage().2.iter().map(|v| -v).collect();
        let refused = cholesky.factorize_single(&negative);
        assert!(matches!(
            refused,
            Err(FactorizationError::NotPositiveDefinite { step: 0 })
        ));
    }
}

#[test]
fn dense_factorisations_solve_and_reuse_their_storage() {
    let mut numbers = Numbers(11);
    let (mut cholesky, mut lu) = (DenseCholesky::new(), DenseLu::new());
    for n in [1, 60, 3, 150, 2, 7] {
        let (spd, general) = (positive(n, n, &mut numbers), sparse(n, n, &mut numbers));
        let rhs = numbers.vector(n);
        let mut x = rhs.clone();
        cholesky.factorize(n, &dense(&spd)).unwrap();
        cholesky.solve_in_place(&mut x);
        assert!(residual(&spd, &x, &rhs) < 1e-12);
        let mut x = rhs.clone();
        lu.factorize(n, &dense(&general)).unwrap();
        lu.solve_in_place(&mut x);
        assert!(residual(&general, &x, &rhs) < 1e-12);
    }
}

#[test]
fn empty_systems_are_solved() {
    let mut cholesky = SparseCholesky::analyze(0, &[]).unwrap();
    cholesky.factorize(&[]).unwrap();
    cholesky.solve_in_place(&mut []);
    let mut lu = SparseLu::analyze(0, &[]).unwrap();
    lu.factorize(&[]).unwrap();
    lu.solve_in_place(&mut []);
    let (mut cholesky, mut lu) = (DenseCholesky::new(), DenseLu::new());
    cholesky.factorize(0, &[]).unwrap();
    cholesky.solve_in_place(&mut []);
    lu.factorize(0, &[]).unwrap();
    lu.solve_in_place(&mut []);
}

#[test]
fn singular_matrices_are_reported() {
    let mut numbers = Numbers(3);
    for (n, per_row) in [(1, 0), (2, 1), (30, 2), (200, 30)] {
        let general = sparse(n, per_row, &mut numbers);
        let mut lu = SparseLu::analyze_matrix(&general).unwrap();
        // A row of zeros, then a column of zeros, then everything.
        for zero in [|i: usize, _: usize| i == 0, |_, j| j == 0, |_, _| true] {
            let values: Vec<f64> = general
                .triplets()
                .map(|(i, j, v)| if zero(i, j) { 0.0 } else { v })
                .collect();
            let error = lu.factorize(&values).unwrap_err();
            assert!(matches!(error, FactorizationError::Singular { .. }));
            let whole = SparseMatrix::from_triplets(
                n,
                n,
                &general
                    .triplets()
                    .zip(&values)
                    .map(|((i, j, _), &v)| (i, j, v))
                    .collect::<Vec<_>>(),
            );
            let error = DenseLu::new().factorize(n, &dense(&whole)).unwrap_err();
            assert!(matches!(error, FactorizationError::Singular { .. }));
        }
    }
    // Rank n - 1 up to rounding: the last row is the sum of the others.
    for n in [3, 20, 120, 120, 3, 3, 20, 20, 20, 120] {
        let mut matrix = numbers.vector(n * n);
        for j in 0..n {
            matrix[(n - 1) * n + j] = (0..n - 1).map(|i| matrix[i * n + j]).sum();
        }
        let entries: Vec<_> = (0..n * n).map(|k| (k / n, k % n)).collect();
        assert!(
            SparseLu::analyze(n, &entries)
                .unwrap()
                .factorize(&matrix)
                .is_err()
        );
        assert!(DenseLu::new().factorize(n, &matrix).is_err());
    }
    // No entry at all in a column, and no entry at all.
    assert!(
        SparseLu::analyze(2, &[(0, 0), (1, 0)])
            .unwrap()
            .factorize(&[1.0, 2.0])
            .is_err()
    );
    assert!(SparseLu::analyze(3, &[]).unwrap().factorize(&[]).is_err());
}

#[test]
fn units_of_rows_and_columns_do_not_make_a_sparse_matrix_singular() {
    let mut lu = SparseLu::analyze(2, &[(0, 0), (0, 1), (1, 0), (1, 1)]).unwrap();
    for values in [
        [1.0, 0.0, 0.0, 1e-20],
        [1.0, 1e20, 1.0, -1e20],
        [1e20, -1e20, 1.0, 1.0],
    ] {
        lu.factorize(&values).unwrap();
    }
}

#[test]
fn indefinite_matrices_are_reported() {
    let mut numbers = Numbers(5);
    for (n, per_row) in [(1, 0), (2, 1), (30, 2), (200, 40)] {
        let spd = positive(n, per_row, &mut numbers);
        let mut cholesky = SparseCholesky::analyze_matrix(&spd).unwrap();
        for diagonal in [-1.0, 0.0] {
            let last = |(i, j, v)| {
                if i == n - 1 && j == n - 1 {
                    diagonal
                } else {
                    v
                }
            };
            let values: Vec<f64> = spd.triplets().map(last).collect();
            let error = cholesky.factorize(&values).unwrap_err();
            assert!(
                matches!(error, FactorizationError::NotPositiveDefinite { .. }),
                "{error}"
            );
            let mut whole = dense(&spd);
            whole[n * n - 1] = diagonal;
            let error = DenseCholesky::new().factorize(n, &whole).unwrap_err();
            assert!(
                matches!(error, FactorizationError::NotPositiveDefinite { .. }),
                "{error}"
            );
        }
        // It recovers afterwards.
        cholesky.factorize(spd.storage().2).unwrap();
    }
}

#[test]
fn undefined_and_infinite_entries_are_reported() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let entries = [(0, 0), (1, 0), (1, 1)];
        let values = [2.0, bad, 2.0];
        let expected = Err(FactorizationError::NotFinite);
        assert_eq!(
            SparseCholesky::analyze(2, &entries)
                .unwrap()
                .factorize(&values),
            expected
        );
        assert_eq!(
            SparseLu::analyze(2, &entries).unwrap().factorize(&values),
            expected
        );
        let matrix = [2.0, 0.0, bad, 2.0];
        assert_eq!(DenseCholesky::new().factorize(2, &matrix), expected);
        assert_eq!(DenseLu::new().factorize(2, &matrix), expected);
    }
}

#[test]
fn entries_in_any_order_repeated_or_above_the_diagonal() {
    // [ 4 1 ; 1 3 ] with its diagonal split, its lower entry first and its upper one ignored.
    let entries = [(1, 0), (0, 1), (0, 0), (1, 1), (0, 0)];
    let mut cholesky = SparseCholesky::analyze(2, &entries).unwrap();
    cholesky.factorize(&[1.0, 99.0, 1.0, 3.0, 3.0]).unwrap();
    let mut x = [6.0, 7.0];
    cholesky.solve_in_place(&mut x);
    assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] - 2.0).abs() < 1e-14);
}

#[test]
fn wrong_places_and_lengths_are_reported() {
    let outside = FactorizationError::OutsideMatrix { row: 0, column: 2 };
    assert_eq!(SparseCholesky::analyze(2, &[(0, 2)]).err(), Some(outside));
    assert_eq!(SparseLu::analyze(2, &[(0, 2)]).err(), Some(outside));
    let short = FactorizationError::WrongLength {
        expected: 1,
        given: 0,
    };
    assert_eq!(
        SparseLu::analyze(1, &[(0, 0)]).unwrap().factorize(&[]),
        Err(short)
    );
    assert_eq!(DenseLu::new().factorize(1, &[]), Err(short));
}

#[test]
fn factorisations_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<SparseCholesky>();
    shared::<SparseLu>();
    shared::<DenseCholesky>();
    shared::<DenseLu>();
}
