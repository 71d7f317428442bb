//! Laws fitted to measurements by least squares.

use moreau_algebra::small::SmallMatrix;

/// The coefficients c for which Σ (Σ_k c_k x_k − y)² over all measurements (x, y) is least. `None` when the measurements do
/// not determine them.
pub fn least_squares<const N: usize>(measurements: &[([f64; N], f64)]) -> Option<[f64; N]> {
    let mut matrix = SmallMatrix::zeros(N);
    let mut coefficients = [0.0; N];
    for (x, y) in measurements {
        for i in 0..N {
            coefficients[i] += x[i] * y;
            for j in 0..N {
                matrix.set(i, j, matrix.get(i, j) + x[i] * x[j]);
            }
        }
    }
    matrix.solve(&mut coefficients).then_some(coefficients)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_found_again_and_a_line_does_not_determine_one() {
        let plane = |x: f64, y: f64| ([1.0, x, y], 2.0 - 3.0 * x + 0.5 * y);
        let points = [
            plane(0.0, 1.0),
            plane(2.0, 3.0),
            plane(-1.0, 4.0),
            plane(5.0, 0.0),
        ];
        let found = least_squares(&points).unwrap();
        for (ours, exact) in found.into_iter().zip([2.0, -3.0, 0.5]) {
            assert!((ours - exact).abs() < 1e-12, "{found:?}");
        }
        let line = [plane(0.0, 0.0), plane(1.0, 1.0), plane(2.0, 2.0)];
        assert_eq!(least_squares(&line), None);
    }

    #[test]
    fn the_mean_is_the_best_constant() {
        assert_eq!(least_squares(&[([1.0], 1.0), ([1.0], 4.0)]), Some([2.5]));
    }
}
