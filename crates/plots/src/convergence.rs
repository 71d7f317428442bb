//! Errors over the work spent.

use std::path::Path;

use crate::PlotError;
use crate::axis::{Axis, AxisScale};
use crate::lines::{self, LinePlot};
use crate::output::{Format, write};
use crate::scene::{Point, Scene};

/// One curve and its name.
///
/// ```
/// use moreau_plots::Series;
///
/// let series = Series { label: "NSGS".into(), points: vec![(0.0, 1.0), (1.0, 0.1)] };
/// assert_eq!(series.points.len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub label: String,
    /// Pairs (work spent, error), in the order in which they are joined.
    pub points: Vec<(f64, f64)>,
}

/// Errors of solvers over the work they spent, on a logarithmic error axis.
///
/// Errors that are zero or negative are drawn on the floor of the axis, one
/// decade below the smallest positive error; infinite ones on its ceiling. A NaN
/// is a gap in the curve: it is no small error and must not look like one.
///
/// ```
/// use moreau_plots::ConvergencePlot;
///
/// let plot = ConvergencePlot { x_label: "CPU seconds".into(), ..Default::default() };
/// assert_eq!(plot.tolerance, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConvergencePlot {
    /// What stands above the figure.
    pub title: String,
    /// The work, such as "iterations" or "CPU seconds".
    pub x_label: String,
    /// The error, such as "natural-map error".
    pub y_label: String,
    /// How the work is spread along its axis.
    pub x_scale: AxisScale,
    /// The curves.
    pub series: Vec<Series>,
    /// The error that was asked for, drawn as a horizontal line.
    pub tolerance: Option<f64>,
}

/// Draws errors over work into an `.svg` or `.png` file.
///
/// Of thousands of points, those that the picture can show are kept: in each
/// narrow column the first, the last, the lowest and the highest.
///
/// ```
/// use moreau_plots::{ConvergencePlot, Series, convergence};
///
/// let points = (0..50).map(|k| (k as f64, 0.7f64.powi(k))).collect();
/// let path = std::env::temp_dir().join("moreau-doc-convergence.svg");
/// convergence(
///     &path,
///     &ConvergencePlot {
///         title: "Stack of ten boxes".into(),
///         x_label: "iterations".into(),
///         y_label: "natural-map error".into(),
///         series: vec![Series { label: "NSGS".into(), points }],
///         tolerance: Some(1e-6),
///         ..Default::default()
///     },
/// )?;
/// assert!(std::fs::read_to_string(&path)?.contains("natural-map error"));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the extension is neither `.svg` nor `.png`, or the file cannot be written.
pub fn convergence(path: impl AsRef<Path>, plot: &ConvergencePlot) -> Result<(), PlotError> {
    let format = Format::of(path.as_ref())?;
    write(path.as_ref(), format, &scene(plot))
}

fn scene(plot: &ConvergencePlot) -> Scene {
    let points = || plot.series.iter().flat_map(|s| s.points.iter().copied());
    let x = Axis::around(plot.x_scale, points().map(|p| p.0));
    let errors = points().map(|p| p.1).chain(plot.tolerance);
    let mut y = Axis::around(AxisScale::Log10, errors).with_room();
    if points().any(|p| p.1 <= 0.0) {
        y = y.with_floor();
    }
    let tolerance = plot.tolerance.filter(|t| t.is_finite() && *t > 0.0);
    let curves = LinePlot {
        title: plot.title.clone(),
        x_label: plot.x_label.clone(),
        y_label: plot.y_label.clone(),
        x_scale: plot.x_scale,
        y_scale: AxisScale::Log10,
        series: plot.series.clone(),
        reference: tolerance.map(|t| (t, format!("tolerance {t:e}"))),
    };
    lines::scene(&curves, x, y)
}

/// Keeps of each run of points in the same column of one unit the first, the
/// last, the lowest and the highest, in their order.
pub(crate) fn thin(points: &[Option<Point>]) -> Vec<Option<Point>> {
    let same_column = |a: &Option<Point>, b: &Option<Point>| match (a, b) {
        (Some(a), Some(b)) => a.0.floor() == b.0.floor(),
        (None, None) => true,
        _ => false,
    };
    let mut kept = Vec::new();
    for run in points.chunk_by(same_column) {
        let height = |k: &usize| run[*k].map_or(0.0, |p| p.1);
        let last = run.len() - 1;
        let lowest = (0..=last).min_by(|a, b| height(a).total_cmp(&height(b)));
        let highest = (0..=last).max_by(|a, b| height(a).total_cmp(&height(b)));
        let mut chosen = vec![0, lowest.unwrap_or(0), highest.unwrap_or(0), last];
        chosen.sort_unstable();
        chosen.dedup();
        kept.extend(chosen.into_iter().map(|k| run[k]));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_spikes_ends_and_gaps() {
        let mut points: Vec<_> = (0..100_000)
            .map(|k| Some((k as f64 / 200.0, 50.0)))
            .collect();
        points[5_050] = Some((5_050.0 / 200.0, 1.0));
        points[60_000] = None;
        let kept = thin(&points);
        assert!(kept.len() < 2_100, "{} points are left", kept.len());
        assert_eq!(kept.first(), points.first());
        assert_eq!(kept.last(), points.last());
        assert!(kept.contains(&points[5_050]));
        assert_eq!(kept.iter().filter(|p| p.is_none()).count(), 1);
    }

    #[test]
    fn few_points_stay_as_they_are() {
        let points = [Some((0.0, 1.0)), None, Some((7.0, 2.0)), Some((9.0, 1.0))];
        assert_eq!(thin(&points), points);
        assert!(thin(&[]).is_empty());
    }
}
