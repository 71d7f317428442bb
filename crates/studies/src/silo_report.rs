//! Grains that left a silo, beside published counts.

use crate::fit::slope;
use crate::outcome::{Comparison, Data, Figure, Outcome};
use crate::silo::{Curve, Silo};
use moreau_plots::{LinePlot, Series};

/// Mean rate of the eight codes, in grains per second.
pub const MEAN_RATE: f64 = 23_200.0;
/// The eight codes differ so much from their mean.
const TOLERANCE: f64 = 0.05;
/// Grains of the benchmark, and how many of them are left after 0.5, 1.0, … 4.0 s.
const PUBLISHED_COUNT: f64 = 1e5;
const PUBLISHED_EVERY: f64 = 0.5;
const PUBLISHED: [(&str, [f64; 8]); 2] = [
    (
        "LIGGGHTS",
        [
            88542.0, 76015.0, 63550.0, 51271.0, 39070.0, 27007.0, 15080.0, 3953.0,
        ],
    ),
    (
        "MUSEN",
        [
            88020.0, 75710.0, 63402.0, 51156.0, 39112.0, 27141.0, 15454.0, 4341.0,
        ],
    ),
];
/// Seconds between which the published curves are straight.
pub const PUBLISHED_STEADY: (f64, f64) = (0.5, 3.5);

/// The slope of the line through the points of a curve between two times, by least squares.
pub fn rate_between(curve: &Curve, (from, to): (f64, f64)) -> f64 {
    let within = |point: &&(f64, f64)| point.0 >= from - 1e-9 && point.0 <= to + 1e-9;
    slope(curve.iter().filter(within).copied())
}

/// The published grains that have left, from nothing at the beginning.
fn published(left: &[f64; 8]) -> Curve {
    let points = left.iter().enumerate();
    let points = points.map(|(k, left)| (PUBLISHED_EVERY * (k + 1) as f64, PUBLISHED_COUNT - left));
    std::iter::once((0.0, 0.0)).chain(points).collect()
}

/// Our numbers beside the published ones.
pub fn compare(outcome: &mut Outcome, curve: &Curve, rate: f64, silo: Silo) {
    let mut table = Comparison::new("Grains per second");
    table.row("mean of the eight codes", "1/s", MEAN_RATE, rate);
    for (code, left) in &PUBLISHED {
        let theirs = rate_between(&published(left), PUBLISHED_STEADY);
        table.row(format!("{code}, 0.5 to 3.5 s"), "1/s", theirs, rate);
    }
    outcome.comparisons.push(table);
    let mut table = Comparison::new("Grains that have left");
    for (code, left) in &PUBLISHED {
        for (time, gone) in published(left).into_iter().skip(1) {
            let near = |point: &&(f64, f64)| (point.0 - time).abs() < 0.5 * silo.step;
            if let Some((_, ours)) = curve.iter().find(near) {
                table.row(format!("{code}, after {time} s"), "", gone, *ours);
            }
        }
    }
    if !table.rows.is_empty() {
        outcome.comparisons.push(table);
    }
}

/// Whether the rate is the published one and steady, and nothing is crushed.
pub fn judge(outcome: &mut Outcome, curve: &Curve, rate: f64, overlap: f64, silo: Silo) {
    outcome.claim(
        "The rate is as near to the mean of the eight codes as they are: within 5 %",
        (rate / MEAN_RATE - 1.0).abs() <= TOLERANCE,
        format!(
            "{rate:.0} per second, {:+.1} %",
            100.0 * (rate / MEAN_RATE - 1.0)
        ),
    );
    let (from, to) = silo.steady;
    let middle = 0.5 * (from + to);
    let halves = [(from, middle), (middle, to)].map(|part| rate_between(curve, part));
    outcome.claim(
        "Grains leave at a steady rate, however many are left above: its halves differ by at most 5 %",
        (halves[1] / halves[0] - 1.0).abs() <= 0.05,
        format!("{:.0} and {:.0} per second", halves[0], halves[1]),
    );
    outcome.claim(
        "Nothing is crushed: no two grains are nearer than 0.98 diameters",
        overlap <= 0.02,
        format!("{:.4} diameters at least", 1.0 - overlap),
    );
}

/// Grains that have left over time, as numbers and as curves.
pub fn draw(outcome: &mut Outcome, curve: Curve, silo: Silo) {
    outcome.data.push(Data {
        name: "left".into(),
        heads: ["time [s]", "grains that have left"]
            .map(String::from)
            .to_vec(),
        rows: curve.iter().map(|point| vec![point.0, point.1]).collect(),
    });
    let thousands = |curve: Curve| -> Curve {
        let points = curve.into_iter().filter(|point| point.0 <= silo.end + 1e-9);
        points.map(|point| (point.0, 1e-3 * point.1)).collect()
    };
    // Published counts are half a second apart: in a shorter run their rates are drawn, from where ours is taken.
    let (from, to) = silo.steady;
    let counted = silo.end >= PUBLISHED_EVERY;
    let ours = curve.iter().find(|point| point.0 >= from - 1e-9);
    let begins = ours.map_or(0.0, |point| point.1);
    let line = |rate: f64| thousands(vec![(from, begins), (to, begins + rate * (to - from))]);
    let mut series = vec![Series {
        label: format!("here, {} grains", silo.count),
        points: thousands(curve),
    }];
    for (code, left) in &PUBLISHED {
        let rate = rate_between(&published(left), PUBLISHED_STEADY);
        series.push(match counted {
            true => Series {
                label: format!("{code}, 100 000 grains"),
                points: thousands(published(left)),
            },
            false => Series {
                label: format!("rate of {code}"),
                points: line(rate),
            },
        });
    }
    series.push(Series {
        label: "mean rate of eight codes".into(),
        points: line(MEAN_RATE),
    });
    let caption = match counted {
        true => {
            "Grains that have left the silo over time; the published counts are half a second apart."
        }
        false => {
            "Grains that have left the silo over time, and what the published rates would add to them while the rate is taken."
        }
    };
    outcome.figures.push(Figure {
        name: "left".into(),
        caption: caption.into(),
        plot: LinePlot {
            title: "Discharge of a silo".into(),
            x_label: "time since the opening (s)".into(),
            y_label: "grains that have left (thousands)".into(),
            series,
            ..LinePlot::default()
        },
    });
}
