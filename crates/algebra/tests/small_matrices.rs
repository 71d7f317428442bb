//! Properties of small dense matrices, on random ones.

use moreau_algebra::small::{MAX_DIMENSION, SmallMatrix};
use proptest::prelude::*;

fn matrix() -> impl Strategy<Value = SmallMatrix> {
    (1..=MAX_DIMENSION).prop_flat_map(|n| {
        prop::collection::vec(-10.0..10.0f64, n * n)
            .prop_map(move |values| SmallMatrix::from_rows(n, &values))
    })
}

fn vector() -> impl Strategy<Value = [f64; MAX_DIMENSION]> {
    prop::array::uniform6(-10.0..10.0f64)
}

fn difference(a: &SmallMatrix, b: &SmallMatrix) -> f64 {
    a.add(&b.scaled(-1.0)).max_abs()
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

proptest! {
    #[test]
    fn solving_leaves_a_residual_of_rounding(a in matrix(), b in vector()) {
        let n = a.dimension();
        let mut x = b;
        if a.solve(&mut x[..n]) {
            let mut product = [0.0; MAX_DIMENSION];
            a.multiply(&x[..n], &mut product[..n]);
            let residual: Vec<f64> = (0..n).map(|i| product[i] - b[i]).collect();
            prop_assert!(norm(&residual) <= 1e-13 * (a.max_abs() * norm(&x[..n]) + norm(&b)));
        }
    }

    #[test]
    fn the_inverse_solves(a in matrix(), b in vector()) {
        let n = a.dimension();
        if let Some(inverse) = a.inverse() {
            let mut x = b;
            prop_assert!(a.solve(&mut x[..n]));
            let mut y = [0.0; MAX_DIMENSION];
            inverse.multiply(&b[..n], &mut y[..n]);
            let scale = inverse.max_abs() * norm(&b);
            let condition = a.max_abs() * inverse.max_abs();
            for i in 0..n {
                prop_assert!((x[i] - y[i]).abs() <= 1e-13 * scale * condition.max(1.0));
            }
        }
    }

    #[test]
    fn a_repeated_row_makes_it_singular(a in matrix(), b in vector()) {
        let n = a.dimension();
        prop_assume!(n > 1);
        let mut a = a;
        for j in 0..n {
            a.set(n - 1, j, a.get(0, j));
        }
        let mut x = b;
        prop_assert!(!a.solve(&mut x[..n]));
        prop_assert!(a.inverse().is_none());
    }

    #[test]
    fn extreme_eigenvalues_bound_the_quadratic_form(a in matrix(), x in vector()) {
        let n = a.dimension();
        let x = &x[..n];
        let (low, high) = (a.smallest_eigenvalue_symmetric(), a.largest_eigenvalue_symmetric());
        let mut product = [0.0; MAX_DIMENSION];
        a.multiply(x, &mut product[..n]);
        let form: f64 = x.iter().zip(&product).map(|(x, y)| x * y).sum();
        let square = norm(x).powi(2);
        let rounding = 1e-12 * a.max_abs() * square;
        prop_assert!(low * square - rounding <= form && form <= high * square + rounding);
        // The mean of all eigenvalues lies between the extremes.
        let mean = a.trace() / n as f64;
        prop_assert!(low - 1e-12 * a.max_abs() <= mean && mean <= high + 1e-12 * a.max_abs());
    }

    #[test]
    fn shifting_by_an_extreme_eigenvalue_makes_the_symmetric_part_singular(a in matrix()) {
        let n = a.dimension();
        let symmetric = a.add(&a.transposed()).scaled(0.5);
        for eigenvalue in [a.smallest_eigenvalue_symmetric(), a.largest_eigenvalue_symmetric()] {
            let shifted = symmetric.add(&SmallMatrix::identity(n).scaled(-eigenvalue));
            if let Some(inverse) = shifted.inverse() {
                prop_assert!(inverse.max_abs() * a.max_abs() > 1e10);
            }
        }
    }

    #[test]
    fn eigenvalues_of_a_gram_matrix_are_not_negative(a in matrix()) {
        let gram = a.transposed().product(&a);
        prop_assert!(gram.smallest_eigenvalue_symmetric() >= -1e-13 * gram.max_abs());
        prop_assert!(gram.largest_eigenvalue_symmetric() <= gram.trace() * (1.0 + 1e-13));
    }

    #[test]
    fn transposition_and_sums(a in matrix(), x in vector(), y in vector()) {
        let n = a.dimension();
        prop_assert_eq!(a.transposed().transposed(), a);
        prop_assert_eq!(a.add(&SmallMatrix::zeros(n)), a);
        prop_assert_eq!(difference(&a, &a), 0.0);
        prop_assert_eq!(a.submatrix(0..n, 0..n), a);
        let (mut ax, mut aty) = ([0.0; MAX_DIMENSION], [0.0; MAX_DIMENSION]);
        a.multiply(&x[..n], &mut ax[..n]);
        a.transposed().multiply(&y[..n], &mut aty[..n]);
        let left: f64 = (0..n).map(|i| ax[i] * y[i]).sum();
        let right: f64 = (0..n).map(|i| aty[i] * x[i]).sum();
        prop_assert!((left - right).abs() <= 1e-10);
    }

    #[test]
    fn undefined_entries_are_not_solved(a in matrix(), place in 0..MAX_DIMENSION) {
        let n = a.dimension();
        let mut a = a;
        a.set(place % n, place / 2 % n, f64::NAN);
        prop_assert!(!a.solve(&mut [1.0; MAX_DIMENSION][..n]));
        prop_assert!(a.inverse().is_none());
        prop_assert!(a.largest_eigenvalue_symmetric().is_nan());
        prop_assert!(a.smallest_eigenvalue_symmetric().is_nan());
    }
}

#[test]
fn blocks_and_empty_matrices() {
    let a = SmallMatrix::from_rows(3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0]);
    assert_eq!(
        a.submatrix(1..3, 0..2),
        SmallMatrix::from_rows(2, &[4.0, 5.0, 7.0, 8.0])
    );
    assert_eq!(a.trace(), 16.0);
    let identity = a.product(&a.inverse().unwrap());
    assert!(difference(&identity, &SmallMatrix::identity(3)) < 1e-13);
    let empty = SmallMatrix::zeros(0);
    assert!(empty.solve(&mut []) && empty.inverse() == Some(empty));
    assert!(!SmallMatrix::zeros(2).solve(&mut [0.0, 0.0]));
}

#[test]
fn known_eigenvalues() {
    let diagonal = SmallMatrix::from_rows(3, &[-3.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(diagonal.smallest_eigenvalue_symmetric(), -3.0);
    assert_eq!(diagonal.largest_eigenvalue_symmetric(), 5.0);
    // A rotation by a right angle has a zero symmetric part.
    let turn = SmallMatrix::from_rows(2, &[0.0, -1.0, 1.0, 0.0]);
    assert_eq!(turn.largest_eigenvalue_symmetric(), 0.0);
    // Equal diagonal entries: θ = 0.
    let exchange = SmallMatrix::from_rows(2, &[0.0, 1.0, 1.0, 0.0]);
    assert!((exchange.largest_eigenvalue_symmetric() - 1.0).abs() < 1e-15);
    assert!((exchange.smallest_eigenvalue_symmetric() + 1.0).abs() < 1e-15);
}
