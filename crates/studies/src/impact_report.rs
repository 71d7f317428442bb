//! The ball's way into its beds, beside codes with soft contacts.

use crate::fit::{least_squares_with_errors, mean_with_error};
use crate::impact::{BALL, Fall, PUBLISHED_GRAIN};
use crate::outcome::{Comparison, Data, Figure, Outcome, Table};
use crate::study::Scale;
use moreau_plots::{LinePlot, Series};

/// Displacements of the ball in m after some seconds in a bed of 100 000 grains, and at the end: LIGGGHTS and MUSEN, which
/// agree to half a percent.
const PUBLISHED: [(f64, f64); 5] = [
    (0.01, -0.0408),
    (0.02, -0.0680),
    (0.03, -0.0815),
    (0.04, -0.0884),
    (0.1, -0.0907),
];
const TOLERANCE: f64 = 0.08;

/// Tables, verdicts and curves. The finest bed is the last one.
pub fn write(outcome: &mut Outcome, falls: &[Fall], scale: Scale) {
    let Some(finest) = falls.last() else {
        return;
    };
    let at_published_size = extrapolated(falls, HOLE);
    compare(outcome, falls, finest);
    list(outcome, falls);
    judge(outcome, falls, at_published_size, scale);
    draw(outcome, falls);
}

/// What the depth is taken to be linear in, to carry it over to grains of another diameter.
type Variable = fn(f64) -> f64;

/// One over the area, but for a factor, that the centres of grains must leave for the ball.
const HOLE: Variable = |grain| (2.0 * BALL + grain).powi(-2);
/// The diameter itself.
const DIAMETER: Variable = |grain| grain;

/// The last displacement at the benchmark's size of grains and its standard error, from a straight line over a function of
/// that size; `None` with beds of a single size.
fn extrapolated(falls: &[Fall], of: Variable) -> Option<(f64, f64)> {
    let published = of(PUBLISHED_GRAIN);
    let points: Vec<_> = on_the_line(falls)
        .map(|fall| ([1.0, of(fall.grain) - published], fall.last()))
        .collect();
    least_squares_with_errors(&points).map(|([there, _], [error, _])| (there, error))
}

/// The falls with the restitution of the finest bed.
fn on_the_line(falls: &[Fall]) -> impl Iterator<Item = &Fall> {
    let bounce = falls.last().map(|finest| finest.bounce);
    falls.iter().filter(move |fall| Some(fall.bounce) == bounce)
}

/// For each size of grains with a restitution, the coarsest first: the size in m, how many beds, the mean of a quantity and
/// its standard error.
fn by_size(
    falls: &[Fall],
    bounce: f64,
    quantity: impl Fn(&Fall) -> f64,
) -> Vec<(f64, usize, f64, f64)> {
    let such = || falls.iter().filter(|fall| fall.bounce == bounce);
    let mut sizes: Vec<f64> = such().map(|fall| fall.grain).collect();
    sizes.sort_by(|a, b| b.total_cmp(a));
    sizes.dedup();
    let mean = |size: f64| {
        let alike = such().filter(|fall| fall.grain == size);
        let values: Vec<f64> = alike.map(&quantity).collect();
        let (mean, error) = mean_with_error(&values);
        (size, values.len(), mean, error)
    };
    sizes.into_iter().map(mean).collect()
}

fn compare(outcome: &mut Outcome, falls: &[Fall], finest: &Fall) {
    let mut table = Comparison::new("Displacement of the ball (paper: 100 000 grains of 2 mm)");
    let (end, last) = PUBLISHED[PUBLISHED.len() - 1];
    let mean = |quantity: &dyn Fn(&Fall) -> f64| {
        let sizes = by_size(falls, finest.bounce, quantity);
        sizes.last().map_or(f64::NAN, |size| size.2)
    };
    let size = match by_size(falls, finest.bounce, Fall::last).last() {
        Some((_, beds, _, _)) if *beds > 1 => {
            format!("grains of {} mm, mean of {beds} beds", 1e3 * finest.grain)
        }
        _ => format!("grains of {} mm", 1e3 * finest.grain),
    };
    for (time, published) in PUBLISHED.into_iter().filter(|point| point.0 < end) {
        table.row(
            format!("after {:.0} ms, {size}", 1e3 * time),
            "mm",
            1e3 * published,
            1e3 * mean(&|fall| fall.at(time)),
        );
    }
    table.row(
        format!("at the end, {size}"),
        "mm",
        1e3 * last,
        1e3 * mean(&Fall::last),
    );
    for (of, what) in [
        (HOLE, "1/(D + d)², D and d the diameters of ball and grain"),
        (DIAMETER, "the diameter of grains"),
    ] {
        if let Some((ours, _)) = extrapolated(falls, of) {
            table.row(
                format!("at the end, on a line over {what}, at 2 mm"),
                "mm",
                1e3 * last,
                1e3 * ours,
            );
        }
    }
    outcome.comparisons.push(table);
}

fn list(outcome: &mut Outcome, falls: &[Fall]) {
    let mut table = Table::new(
        "Every bed",
        &[
            "grains of (mm)",
            "grains",
            "restitution / published",
            "share of the volume filled",
            "way to the first touch (mm)",
            "displacement at the end (mm)",
            "below the first touch (mm)",
            "nearest two grains (diameters)",
            "steps",
            "not converged",
        ],
    );
    for fall in falls {
        table.row([
            (1e3 * fall.grain).into(),
            fall.count.into(),
            fall.bounce.into(),
            fall.filled.into(),
            (1e3 * fall.flight).into(),
            (1e3 * fall.last()).into(),
            (-1e3 * (fall.last() + fall.flight)).into(),
            (1.0 - fall.overlap).into(),
            fall.steps.into(),
            fall.failed.into(),
        ]);
    }
    outcome.tables.push(table);
}

fn judge(
    outcome: &mut Outcome,
    falls: &[Fall],
    at_published_size: Option<(f64, f64)>,
    scale: Scale,
) {
    let (_, last) = PUBLISHED[PUBLISHED.len() - 1];
    let finest = &falls[falls.len() - 1];
    let off = |ours: f64| ours / last - 1.0;
    let judged = |ours: f64| {
        let (ours, off) = (1e3 * ours, 100.0 * off(ours));
        format!("{ours:.1} mm against -90.5 and -90.9 mm, {off:+.1} %")
    };
    if finest.grain == PUBLISHED_GRAIN {
        outcome.claim(
            "The final depth is within 8 % of that of the codes with soft contacts",
            off(finest.last()).abs() <= TOLERANCE,
            judged(finest.last()),
        );
    }
    // With a ball three grains wide the depth is that of the grains.
    if let Some((ours, error)) = at_published_size.filter(|_| scale != Scale::Tiny) {
        outcome.claim(
            "On a line over 1/(D + d)² the final depth at the benchmark's grains of 2 mm is within 8 % of that of the codes with soft contacts",
            off(ours).abs() <= TOLERANCE,
            format!("{}, standard error {:.1} mm", judged(ours), 1e3 * error),
        );
    }
    let sizes = by_size(falls, finest.bounce, |fall| -1e3 * fall.last());
    if sizes.len() > 1 {
        let words: Vec<String> = sizes.iter().map(|size| format!("{:.1}", size.2)).collect();
        outcome.claim(
            "The finer the grains, the deeper the ball goes",
            sizes.is_sorted_by(|coarse, fine| coarse.2 < fine.2),
            format!("{} mm", words.join(", ")),
        );
    }
    // In the same beds with and without.
    let kind = |fall: &Fall, bounce: f64| (fall.grain, fall.seed, bounce);
    let pairs: Vec<[&Fall; 2]> = falls
        .iter()
        .filter(|with| with.bounce == 1.0)
        .filter_map(|with| {
            let mut all = falls.iter();
            let without = all.find(|other| kind(other, other.bounce) == kind(with, 0.0))?;
            Some([with, without])
        })
        .collect();
    if let Some([first, _]) = pairs.first() {
        let sum = |which: usize| pairs.iter().map(|pair| pair[which].last()).sum::<f64>();
        let change = sum(0) / sum(1) - 1.0;
        outcome.claim(
            "In a dense bed restitution hardly matters: the published one changes the final depth by less than 8 %",
            change.abs() <= TOLERANCE,
            format!("{:+.1} % in grains of {} mm", 100.0 * change, 1e3 * first.grain),
        );
    }
    let overlap = falls.iter().map(|fall| fall.overlap).fold(0.0, f64::max);
    outcome.claim(
        "Nothing is crushed: no two grains are nearer than 0.98 diameters",
        overlap <= 0.02,
        format!("{:.4} diameters at least", 1.0 - overlap),
    );
    let other = at_published_size.map_or(String::new(), |(ours, error)| {
        let (ours, error) = (-1e3 * ours, 1e3 * error);
        format!(", and carried over to 2 mm after {ours:.1} ± {error:.1} mm")
    });
    outcome.summary = format!(
        "In {} grains of {} mm the ball stops after {:.1} mm{other}; two codes with soft contacts and grains of 2 mm print 90.5 and 90.9 mm.",
        finest.count,
        1e3 * finest.grain,
        sizes.last().map_or(f64::NAN, |size| size.2)
    );
}

fn draw(outcome: &mut Outcome, falls: &[Fall]) {
    let rows = falls.iter().flat_map(|fall| {
        let of = [fall.grain, fall.bounce];
        let points = fall.curve.iter();
        points.map(move |(time, way)| [&of[..], &[*time, *way]].concat())
    });
    outcome.data.push(Data {
        name: "displacement".into(),
        heads: [
            "grain [m]",
            "restitution / published",
            "time [s]",
            "displacement [m]",
        ]
        .map(String::from)
        .to_vec(),
        rows: rows.collect(),
    });
    let millimetres = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
        points.iter().map(|p| (1e3 * p.0, 1e3 * p.1)).collect()
    };
    // The first bed of each kind.
    let first = |index: &usize| {
        let kind = |fall: &Fall| (fall.grain, fall.bounce);
        let before = &falls[..*index];
        before
            .iter()
            .all(|other| kind(other) != kind(&falls[*index]))
    };
    let mut series: Vec<_> = (0..falls.len())
        .filter(first)
        .map(|index| {
            let fall = &falls[index];
            let bounce = if fall.bounce > 0.0 {
                ""
            } else {
                ", without restitution"
            };
            Series {
                label: format!("grains of {} mm{bounce}", 1e3 * fall.grain),
                points: millimetres(&fall.curve),
            }
        })
        .collect();
    let start = [(0.0, 0.0)];
    series.push(Series {
        label: "LIGGGHTS and MUSEN, 2 mm".into(),
        points: millimetres(&[&start[..], &PUBLISHED].concat()),
    });
    outcome.figures.push(Figure {
        name: "displacement".into(),
        caption: "Displacement of the ball over time: flight, impact, and the way through the bed. The published points, joined by straight lines, are those of both codes.".into(),
        plot: LinePlot {
            title: "A steel ball falls into a bed of grains".into(),
            x_label: "time (ms)".into(),
            y_label: "displacement of the ball (mm)".into(),
            series,
            ..LinePlot::default()
        },
    });
}
