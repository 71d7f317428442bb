//! Curves of one quantity over another.

use std::path::Path;

use crate::PlotError;
use crate::axis::{Axis, AxisScale};
use crate::convergence::{Series, thin};
use crate::frame::{Frame, Row, Words};
use crate::output::{Format, write};
use crate::scene::Scene;
use crate::style::SeriesStyle;

/// Curves of one quantity over another, on axes of any scale.
///
/// A NaN is a gap in its curve; what is not positive lies on the low end of a logarithmic axis.
///
/// ```
/// use moreau_plots::{LinePlot, Series, lines};
///
/// let path = std::env::temp_dir().join("moreau-doc-lines.svg");
/// let plot = LinePlot {
///     title: "A falling stone".into(),
///     x_label: "time (s)".into(),
///     y_label: "height (m)".into(),
///     series: vec![Series { label: "stone".into(), points: vec![(0.0, 5.0), (1.0, 0.1)] }],
///     reference: Some((0.0, "ground".into())),
///     ..LinePlot::default()
/// };
/// lines(&path, &plot)?;
/// assert!(std::fs::read_to_string(&path)?.contains("height (m)"));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinePlot {
    /// What stands above the figure.
    pub title: String,
    /// The quantity across, with its unit.
    pub x_label: String,
    /// The quantity upwards, with its unit.
    pub y_label: String,
    /// How values are spread across.
    pub x_scale: AxisScale,
    /// How values are spread upwards.
    pub y_scale: AxisScale,
    /// The curves.
    pub series: Vec<Series>,
    /// A value that curves are held against, drawn as a horizontal line, and its name.
    pub reference: Option<(f64, String)>,
}

/// Draws curves into an `.svg` or `.png` file.
///
/// # Errors
///
/// If the extension is neither `.svg` nor `.png`, or the file cannot be written.
pub fn lines(path: impl AsRef<Path>, plot: &LinePlot) -> Result<(), PlotError> {
    let format = Format::of(path.as_ref())?;
    let points = || plot.series.iter().flat_map(|s| s.points.iter().copied());
    let heights = points()
        .map(|p| p.1)
        .chain(plot.reference.iter().map(|r| r.0));
    let x = Axis::around(plot.x_scale, points().map(|p| p.0));
    let y = Axis::around(plot.y_scale, heights).with_room();
    write(path.as_ref(), format, &scene(plot, x, y))
}

/// The figure on given axes.
pub(crate) fn scene(plot: &LinePlot, x: Axis, y: Axis) -> Scene {
    let words = Words {
        title: &plot.title,
        x: &plot.x_label,
        y: &plot.y_label,
    };
    let mut rows: Vec<Row> = plot
        .series
        .iter()
        .enumerate()
        .map(|(k, s)| Row {
            text: s.label.clone(),
            style: Some(SeriesStyle::of(k)),
        })
        .collect();
    if let Some((_, name)) = &plot.reference {
        rows.push(Row {
            text: name.clone(),
            style: None,
        });
    }
    let mut frame = Frame::new(&words, x, y, &rows);
    if let Some((value, _)) = &plot.reference {
        frame.reference(*value);
    }
    for (k, series) in plot.series.iter().enumerate() {
        let placed: Vec<_> = series.points.iter().map(|&p| frame.place(p)).collect();
        frame.curve(&thin(&placed), k);
    }
    frame.scene
}
