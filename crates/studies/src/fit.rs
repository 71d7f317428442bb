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

/// The same with the standard error of each coefficient, as the scatter about the fit tells; zero where there are no more
/// measurements than coefficients.
pub fn least_squares_with_errors<const N: usize>(
    measurements: &[([f64; N], f64)],
) -> Option<([f64; N], [f64; N])> {
    let coefficients = least_squares(measurements)?;
    let off = |(x, y): &([f64; N], f64)| y - (0..N).map(|k| coefficients[k] * x[k]).sum::<f64>();
    let scatter: f64 = measurements.iter().map(|m| off(m).powi(2)).sum();
    let spare = measurements.len().saturating_sub(N).max(1);
    let mut matrix = SmallMatrix::zeros(N);
    for (x, _) in measurements {
        for i in 0..N {
            for j in 0..N {
                matrix.set(i, j, matrix.get(i, j) + x[i] * x[j]);
            }
        }
    }
    let mut errors = [0.0; N];
    for (k, error) in errors.iter_mut().enumerate() {
        let mut column = [0.0; N];
        column[k] = 1.0;
        if !matrix.solve(&mut column) {
            return None;
        }
        *error = (scatter / spare as f64 * column[k]).sqrt();
    }
    Some((coefficients, errors))
}

/// The mean and its standard error; NaN for the error of a single value.
pub fn mean_with_error(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let scatter: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (scatter / (count - 1.0) / count).sqrt())
}

/// The slope of the straight line that fits points (x, y) best; NaN when they do not determine one.
pub fn slope(points: impl IntoIterator<Item = (f64, f64)>) -> f64 {
    let line: Vec<_> = points.into_iter().map(|(x, y)| ([1.0, x], y)).collect();
    least_squares(&line).map_or(f64::NAN, |[_, slope]| slope)
}

/// The exponent p of the power law y ∝ x^p that fits points best, in logarithms; NaN when they do not determine one.
pub fn exponent(points: impl IntoIterator<Item = (f64, f64)>) -> f64 {
    slope(points.into_iter().map(|(x, y)| (x.ln(), y.ln())))
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
    fn errors_are_those_of_the_mean_when_a_constant_is_fitted() {
        let values = [1.0, 2.0, 4.0, 5.0];
        // Squares of the differences from 3 sum to 10: √(10/3/4).
        let (mean, error) = mean_with_error(&values);
        assert!((mean - 3.0).abs() < 1e-12 && (error - (10.0_f64 / 12.0).sqrt()).abs() < 1e-12);
        let measurements = values.map(|value| ([1.0], value));
        let ([fitted], [fitted_error]) = least_squares_with_errors(&measurements).unwrap();
        assert!((fitted - mean).abs() < 1e-12 && (fitted_error - error).abs() < 1e-12);
    }

    #[test]
    fn the_mean_is_the_best_constant() {
        assert_eq!(least_squares(&[([1.0], 1.0), ([1.0], 4.0)]), Some([2.5]));
    }

    #[test]
    fn a_power_law_is_found_again_and_one_point_does_not_determine_it() {
        let law = |x: f64| (x, 7.0 * x.powf(1.5));
        let found = exponent([law(0.001), law(0.02), law(3.0)]);
        assert!((found - 1.5).abs() < 1e-12, "{found}");
        assert!(exponent([law(2.0)]).is_nan());
    }

    #[test]
    fn errors_on_both_sides_of_a_line_leave_its_slope() {
        // Off the line by 1, −1, −1, 1: neither mean nor slope changes.
        let points = [(0.0, 1.0), (1.0, 1.0), (2.0, 3.0), (3.0, 7.0)];
        assert!((slope(points) - 2.0).abs() < 1e-12);
    }
}
