//! The depths of the craters and the way of the balls, drawn.

use crate::crater::{BALLS, Drop, HEIGHTS};
use crate::crater_law::Law;
use crate::crater_report::{MEASURED, PUBLISHED};
use crate::outcome::{Figure, Outcome};
use moreau_plots::{LinePlot, Series};

/// Depth over the law's length, and over time.
pub fn draw(outcome: &mut Outcome, law: &Law, drops: &[Drop]) {
    let millimetres = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
        points.iter().map(|p| (1e3 * p.0, 1e3 * p.1)).collect()
    };
    let mut series: Vec<Series> = BALLS
        .into_iter()
        .map(|(name, density)| {
            // Gaps between the points: every drop is a mark of its own.
            let points: Vec<_> = drops
                .iter()
                .filter(|drop| drop.density == density)
                .flat_map(|drop| [(drop.scale(), drop.depth), (f64::NAN, f64::NAN)])
                .collect();
            Series {
                label: format!("{name}, {density} kg/m³"),
                points: millimetres(&points),
            }
        })
        .collect();
    let longest = drops.iter().map(Drop::scale).fold(0.0, f64::max);
    for (label, constant) in [
        ("experiments, 0.14".to_string(), MEASURED),
        ("the paper's simulation, 0.1221".to_string(), PUBLISHED),
        (format!("fitted here, {:.4}", law.constant), law.constant),
    ] {
        series.push(Series {
            label,
            points: millimetres(&[(0.0, 0.0), (longest, constant * longest)]),
        });
    }
    outcome.figures.push(Figure {
        name: "depth".into(),
        caption:
            "Depth over the length that the law makes it proportional to; each mark is a drop."
                .into(),
        plot: LinePlot {
            title: "How deep balls go".into(),
            x_label: "(ρ_b/ρ_g)^½ D^⅔ H^⅓ / μ (mm)".into(),
            y_label: "depth d (mm)".into(),
            series,
            ..LinePlot::default()
        },
    });
    let highest = HEIGHTS.into_iter().fold(0.0, f64::max);
    let paths = drops
        .iter()
        .filter(|drop| drop.height == highest && drop.bed == 0);
    outcome.figures.push(Figure {
        name: "path".into(),
        caption: format!(
            "Depth of the balls dropped from {:.0} cm into the first bed.",
            100.0 * highest
        ),
        plot: LinePlot {
            title: "The way into the bed".into(),
            x_label: "time since the first touch (ms)".into(),
            y_label: "depth (mm)".into(),
            series: paths
                .map(|drop| Series {
                    label: format!("{} kg/m³", drop.density),
                    points: millimetres(&drop.path),
                })
                .collect(),
            ..LinePlot::default()
        },
    });
}
