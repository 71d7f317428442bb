//! The slope of a heap.

use glam::DVec3;

/// The angle in degrees of the free surface of bodies at `points`: of a cone about the vertical through `centre` (the
/// mean of the points if there is none), or of a slope along a horizontal `direction`.
///
/// The surface is cut into bins by the distance from the axis, or along the direction; the highest body of each bin lies
/// on it. A line is fitted through those between a tenth and nine tenths of the height: foot and top are round. `None`
/// when fewer than three bins are left.
pub(super) fn angle(
    points: &[DVec3],
    centre: Option<DVec3>,
    direction: Option<DVec3>,
    bins: usize,
) -> Option<f64> {
    if points.is_empty() {
        return None;
    }
    let mean = points.iter().sum::<DVec3>() / points.len() as f64;
    let centre = centre.unwrap_or(mean);
    let place = |point: &DVec3| match direction {
        Some(direction) => (*point - centre).dot(direction),
        None => (*point - centre).truncate().length(),
    };
    let range = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        })
    };
    let (first, last) = range(&mut points.iter().map(place));
    let width = (last - first) / bins as f64;
    if !(width > 0.0) {
        return None;
    }
    let mut surface: Vec<Option<(f64, f64)>> = vec![None; bins];
    for point in points {
        let bin = (((place(point) - first) / width) as usize).min(bins - 1);
        if surface[bin].is_none_or(|(_, height)| height < point.z) {
            surface[bin] = Some((place(point), point.z));
        }
    }
    let tops = surface.iter().flatten();
    let (low, high) = range(&mut tops.clone().map(|top| top.1));
    let share = |height: f64| (height - low) / (high - low);
    let middle: Vec<(f64, f64)> = tops
        .copied()
        .filter(|top| (0.1..=0.9).contains(&share(top.1)))
        .collect();
    if middle.len() < 3 {
        return None;
    }
    let count = middle.len() as f64;
    let x = middle.iter().map(|top| top.0).sum::<f64>() / count;
    let z = middle.iter().map(|top| top.1).sum::<f64>() / count;
    let spread: f64 = middle.iter().map(|top| (top.0 - x).powi(2)).sum();
    let slope = middle
        .iter()
        .map(|top| (top.0 - x) * (top.1 - z))
        .sum::<f64>()
        / spread;
    slope.is_finite().then(|| slope.abs().atan().to_degrees())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cone_and_a_slope_have_their_angles() {
        let (mut cone, mut slope) = (Vec::new(), Vec::new());
        let steepness = 30f64.to_radians().tan();
        for i in -40..=40 {
            for j in -40..=40 {
                let (x, y) = (f64::from(i) / 40.0, f64::from(j) / 40.0);
                let height = steepness * (1.0 - x.hypot(y));
                for level in [0.0, 0.5, 1.0] {
                    if height > 0.0 {
                        cone.push(DVec3::new(x + 3.0, y, level * height));
                    }
                    slope.push(DVec3::new(x, y, level * steepness * (y + 1.0)));
                }
            }
        }
        let found = angle(&cone, None, None, 12).unwrap();
        assert!((found - 30.0).abs() < 1.0, "{found}");
        let found = angle(&slope, None, Some(DVec3::Y), 12).unwrap();
        assert!((found - 30.0).abs() < 1.0, "{found}");
        assert_eq!(angle(&[], None, None, 12), None);
        assert_eq!(angle(&[DVec3::ZERO; 5], None, None, 12), None);
    }
}
