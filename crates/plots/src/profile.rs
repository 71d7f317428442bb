//! Performance profiles after Dolan and Moré.

use std::path::Path;

use crate::PlotError;
use crate::axis::{Axis, AxisScale};
use crate::frame::{Frame, Row, Words};
use crate::output::{Format, write};
use crate::scene::Scene;
use crate::style::SeriesStyle;

/// Which share of the problems each solver solves within a factor τ of the best
/// solver's cost.
///
/// ```
/// use moreau_plots::ProfilePlot;
///
/// let plot = ProfilePlot { solvers: vec!["NSGS".into()], ..Default::default() };
/// assert!(plot.costs.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfilePlot {
    /// What stands above the figure.
    pub title: String,
    /// The names of the solvers.
    pub solvers: Vec<String>,
    /// `costs[problem][solver]`: the cost, or `None` if the solver failed.
    pub costs: Vec<Vec<Option<f64>>>,
    /// Costs below this count as this much: the resolution of the clock, say.
    pub floor: f64,
    /// Whether the τ axis is marked at powers of ten instead of powers of two.
    pub decades: bool,
    /// Where the τ axis ends; at the largest ratio if not given.
    pub largest_ratio: Option<f64>,
}

/// The profile of each solver as the corners of a step function ρ(τ).
///
/// `costs[problem][solver]` is `None` where a solver failed; costs that are not
/// finite and entries missing at the end of a row count as failures too. The
/// ratio of a solver on a problem is its cost over the least cost of any solver
/// on it, with costs below `floor` counted as `floor`. ρ(τ) is the share of all
/// problems, solved by anyone or not, on which the ratio is at most τ.
///
/// Each curve starts at τ = 1 and lists the pairs (τ, ρ) at which it jumps. There
/// are as many curves as the longest row has entries.
///
/// ```
/// use moreau_plots::performance_profile_curves;
///
/// let costs = [vec![Some(1.0), Some(2.0)], vec![Some(3.0), None]];
/// let curves = performance_profile_curves(&costs, 0.0);
/// assert_eq!(curves[0], [(1.0, 1.0)]);
/// assert_eq!(curves[1], [(1.0, 0.0), (2.0, 0.5)]);
/// ```
pub fn performance_profile_curves(costs: &[Vec<Option<f64>>], floor: f64) -> Vec<Vec<(f64, f64)>> {
    let floor = if floor > 0.0 {
        floor
    } else {
        f64::MIN_POSITIVE
    };
    let solvers = costs.iter().map(Vec::len).max().unwrap_or(0);
    let mut ratios = vec![Vec::new(); solvers];
    for row in costs {
        let cost = |entry: Option<f64>| entry.filter(|c| c.is_finite()).map(|c| c.max(floor));
        let best = row
            .iter()
            .filter_map(|e| cost(*e))
            .fold(f64::INFINITY, f64::min);
        for (solver, entry) in row.iter().enumerate() {
            if let Some(cost) = cost(*entry) {
                ratios[solver].push((cost / best).min(f64::MAX));
            }
        }
    }
    ratios.into_iter().map(|r| steps(r, costs.len())).collect()
}

/// The step function that counts ratios up to τ, as a share of `problems`.
fn steps(mut ratios: Vec<f64>, problems: usize) -> Vec<(f64, f64)> {
    ratios.sort_by(f64::total_cmp);
    let mut curve = vec![(1.0, 0.0)];
    for (k, ratio) in ratios.into_iter().enumerate() {
        let corner = (ratio, (k + 1) as f64 / problems as f64);
        match curve.last_mut() {
            Some(last) if last.0 == ratio => *last = corner,
            _ => curve.push(corner),
        }
    }
    curve
}

/// Draws a performance profile into an `.svg` or `.png` file.
///
/// ```
/// use moreau_plots::{ProfilePlot, performance_profile};
///
/// let path = std::env::temp_dir().join("moreau-doc-profile.svg");
/// performance_profile(
///     &path,
///     &ProfilePlot {
///         title: "CPU time on two problems".into(),
///         solvers: vec!["NSGS".into(), "ADMM".into()],
///         costs: vec![vec![Some(0.2), Some(0.5)], vec![None, Some(1.5)]],
///         floor: 1e-3,
///         ..Default::default()
///     },
/// )?;
/// assert!(std::fs::read_to_string(&path)?.contains("ADMM"));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the extension is neither `.svg` nor `.png`, or the file cannot be written.
pub fn performance_profile(path: impl AsRef<Path>, plot: &ProfilePlot) -> Result<(), PlotError> {
    let format = Format::of(path.as_ref())?;
    write(path.as_ref(), format, &scene(plot))
}

fn scene(plot: &ProfilePlot) -> Scene {
    let mut curves = performance_profile_curves(&plot.costs, plot.floor);
    curves.resize(curves.len().max(plot.solvers.len()), Vec::new());
    let largest = plot
        .largest_ratio
        .filter(|r| r.is_finite() && *r > 1.0)
        .unwrap_or_else(|| {
            // The last jumps stay clear of the edge of the box.
            let last = curves.iter().flatten().map(|p| p.0).fold(1.0, f64::max);
            if last > 1.0 {
                last.powf(1.05).min(f64::MAX)
            } else {
                2.0
            }
        });
    let scale = if plot.decades {
        AxisScale::Log10
    } else {
        AxisScale::Log2
    };
    let x = Axis::around(scale, [1.0, largest].into_iter());
    let words = Words {
        title: &plot.title,
        x: "ratio τ to the best solver",
        y: "share of problems ρ(τ)",
    };
    let name = |k: usize| {
        plot.solvers
            .get(k)
            .cloned()
            .unwrap_or_else(|| format!("solver {k}"))
    };
    let rows: Vec<_> = (0..curves.len())
        .map(|k| Row {
            text: name(k),
            style: Some(SeriesStyle::of(k)),
        })
        .collect();
    let mut frame = Frame::new(&words, x, Axis::between(0.0, 1.0), &rows);
    for (k, curve) in curves.iter().enumerate() {
        let inside: Vec<_> = curve.iter().copied().filter(|p| p.0 <= largest).collect();
        let mut corners = Vec::new();
        for (j, &(ratio, share)) in inside.iter().enumerate() {
            corners.push((ratio, share));
            let next = inside.get(j + 1).map_or(largest, |p| p.0);
            corners.push((next, share));
        }
        let placed: Vec<_> = corners.into_iter().map(|c| frame.place(c)).collect();
        frame.curve(&placed, k);
    }
    frame.scene
}
