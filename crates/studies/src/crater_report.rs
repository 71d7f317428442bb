//! The depths of the craters, beside the law and drawn.

use crate::crater::{BALL, BALLS, Bed, Drop, GRAIN_DENSITY, HEIGHTS, SHOWN};
use crate::crater_law::{EXPONENTS, Law, predicted};
use crate::outcome::{Comparison, Data, Entry, Figure, Outcome, Table};
use crate::study::Scale;
use moreau_plots::{LinePlot, Series};

/// Eq. 28: the constant of the experiments of Uehara et al. 2003 and Ambroso et al. 2005.
const MEASURED: f64 = 0.14;
/// Eq. 29: the constant of the paper's simulation.
const PUBLISHED: f64 = 0.1221;
/// How far the paper says that they are apart, in percent.
const PUBLISHED_DIFFERENCE: f64 = 13.7;
/// Fig. 13: when wood from 20 cm is deepest, in s.
const PUBLISHED_TIME: f64 = 0.0368;
/// How much higher the surface might be said to lie, in grains.
const LIFTS: [f64; 5] = [-0.75, -0.5, -0.25, 0.0, 0.25];
/// How far the constant may be off, and how far the exponents.
const CLOSE: [f64; 2] = [0.2, 0.1];

/// Tables, verdicts and curves.
pub fn write(outcome: &mut Outcome, bed: &Bed, drops: &[Drop], scale: Scale) {
    let law = Law::of(drops, 0.0);
    compare(outcome, &law, drops);
    judge(outcome, bed, &law, (drops, scale));
    list(outcome, bed, &law, drops);
    draw(outcome, &law, drops);
}

fn compare(outcome: &mut Outcome, law: &Law, drops: &[Drop]) {
    let mut table = Comparison::new("Eqs. 28 and 29: d = c/μ (ρ_b/ρ_g)^½ D^⅔ H^⅓");
    table.row(
        "c, beside the paper's simulation",
        "",
        PUBLISHED,
        law.constant,
    );
    table.row("c, beside the experiments", "", MEASURED, law.constant);
    table.row(
        "difference of c from the experiments",
        "%",
        PUBLISHED_DIFFERENCE,
        100.0 * (1.0 - law.constant / MEASURED).abs(),
    );
    table.row(
        "exponent of ρ_b/ρ_g, fitted",
        "",
        EXPONENTS[0],
        law.exponents[0],
    );
    table.row("exponent of H, fitted", "", EXPONENTS[1], law.exponents[1]);
    if let Some(drop) = drops.iter().find(|d| (d.density, d.height) == SHOWN) {
        let paper = predicted(PUBLISHED, drop.density, drop.height);
        table.row(
            "depth, wood from 20 cm (Eq. 29)",
            "mm",
            1e3 * paper,
            1e3 * drop.depth,
        );
        table.row(
            "time of the deepest penetration, wood from 20 cm (Fig. 13)",
            "s",
            PUBLISHED_TIME,
            drop.time,
        );
    }
    outcome.comparisons.push(table);
}

/// The mean depth of the drops with each value of a quantity, in the order of the values.
fn mean_depths(drops: &[Drop], quantity: impl Fn(&Drop) -> f64) -> Vec<f64> {
    let mut values: Vec<f64> = drops.iter().map(&quantity).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let mean = |value: f64| {
        let such = drops.iter().filter(|drop| quantity(drop) == value);
        let depths: Vec<f64> = such.map(|drop| drop.depth).collect();
        depths.iter().sum::<f64>() / depths.len() as f64
    };
    values.into_iter().map(mean).collect()
}

fn judge(outcome: &mut Outcome, bed: &Bed, law: &Law, (drops, scale): (&[Drop], Scale)) {
    let means = [
        mean_depths(drops, |drop| drop.density),
        mean_depths(drops, |drop| drop.height),
    ];
    let millimetres = means.clone().map(|depths| {
        let each: Vec<String> = depths.iter().map(|d| format!("{:.1}", 1e3 * d)).collect();
        each.join(", ")
    });
    outcome.claim(
        "Denser balls go deeper, and so do balls from higher up",
        means.iter().all(|depths| depths.is_sorted_by(|a, b| a < b)),
        format!(
            "{} mm on average by density, {} mm by height",
            millimetres[0], millimetres[1]
        ),
    );
    let off = |ours: f64, other: f64| (ours / other - 1.0).abs();
    // With a ball four grains wide the law itself is a matter of chance.
    let constants = [("experiments", MEASURED), ("paper's simulation", PUBLISHED)];
    for (of, constant) in constants.into_iter().filter(|_| scale != Scale::Tiny) {
        outcome.claim(
            format!("The constant is within 20 % of that of the {of}, {constant}"),
            off(law.constant, constant) <= CLOSE[0],
            format!(
                "{:.4}, {:.1} % off",
                law.constant,
                100.0 * off(law.constant, constant)
            ),
        );
    }
    for (k, (of, name)) in [("the density", "1/2"), ("the drop H", "1/3")]
        .into_iter()
        .enumerate()
        .filter(|_| scale != Scale::Tiny)
    {
        let (ours, law) = (law.exponents[k], EXPONENTS[k]);
        outcome.claim(
            format!(
                "The depth grows with the {name} power of {of}: the fitted exponent is within 10 %"
            ),
            off(ours, law) <= CLOSE[1],
            format!("{ours:.3}, {:.1} % off", 100.0 * off(ours, law)),
        );
    }
    outcome.summary = format!(
        "In {} grains the depth is {:.4}/μ (ρ_b/ρ_g)^½ D^⅔ H^⅓ (experiments 0.14, the paper's simulation 0.1221), with fitted exponents \
         {:.3} and {:.3} for 1/2 and 1/3.",
        bed.count, law.constant, law.exponents[0], law.exponents[1]
    );
}

fn list(outcome: &mut Outcome, bed: &Bed, law: &Law, drops: &[Drop]) {
    let mut table = Table::new(
        "Every drop",
        &[
            "density (kg/m³)",
            "height (cm)",
            "depth (mm)",
            "Eq. 28 (mm)",
            "ours / Eq. 28",
            "depth in grains",
            "time (ms)",
        ],
    );
    let mut rows = Vec::new();
    for drop in drops {
        let experiments = predicted(MEASURED, drop.density, drop.height);
        table.row([
            drop.density.into(),
            (100.0 * drop.height).round().into(),
            (1e3 * drop.depth).into(),
            (1e3 * experiments).into(),
            (drop.depth / experiments).into(),
            (drop.depth / bed.grain).into(),
            (1e3 * drop.time).into(),
        ]);
        rows.push(vec![
            drop.density,
            drop.height,
            drop.depth,
            drop.scale(),
            drop.time,
        ]);
    }
    outcome.tables.push(table);
    outcome.data.push(Data {
        name: "drops".into(),
        heads: [
            "density [kg/m3]",
            "height [m]",
            "depth [m]",
            "scaled drop [m]",
            "time [s]",
        ]
        .map(String::from)
        .to_vec(),
        rows,
    });
    let mut table = Table::new(
        "If the surface lay higher",
        &["by (grains)", "c", "exponent of ρ_b/ρ_g", "exponent of H"],
    );
    for lift in LIFTS {
        let law = Law::of(drops, lift * bed.grain);
        let [by_density, by_height] = law.exponents;
        table.row([lift, law.constant, by_density, by_height].map(Entry::from));
    }
    outcome.tables.push(table);
    let mut table = Table::new(
        "The bed, and what the constant depends on",
        &["quantity", "value"],
    );
    let bulk = bed.packing * GRAIN_DENSITY;
    table.row(["grains".into(), bed.count.into()]);
    table.row([
        "diameter of the ball over that of a grain".into(),
        (BALL / bed.grain).into(),
    ]);
    table.row([
        "highest grain over the mean height at which a lowered ball touches (grains)".into(),
        ((bed.surface - bed.mean_touch) / bed.grain).into(),
    ]);
    table.row([
        "share of volume filled, in the middle".into(),
        bed.packing.into(),
    ]);
    table.row([
        "constant with the density of the bed for ρ_g, as Uehara et al. have it".into(),
        (law.constant * (bulk / GRAIN_DENSITY).sqrt()).into(),
    ]);
    outcome.tables.push(table);
}

fn draw(outcome: &mut Outcome, law: &Law, drops: &[Drop]) {
    let millimetres = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
        points.iter().map(|p| (1e3 * p.0, 1e3 * p.1)).collect()
    };
    let mut series: Vec<Series> = BALLS
        .into_iter()
        .map(|(name, density)| {
            let mut points: Vec<_> = drops
                .iter()
                .filter(|drop| drop.density == density)
                .map(|drop| (drop.scale(), drop.depth))
                .collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
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
        caption: "Depth over the length that the law makes it proportional to.".into(),
        plot: LinePlot {
            title: "How deep balls go".into(),
            x_label: "(ρ_b/ρ_g)^½ D^⅔ H^⅓ / μ (mm)".into(),
            y_label: "depth d (mm)".into(),
            series,
            ..LinePlot::default()
        },
    });
    let highest = HEIGHTS.into_iter().fold(0.0, f64::max);
    let paths = drops.iter().filter(|drop| drop.height == highest);
    outcome.figures.push(Figure {
        name: "path".into(),
        caption: format!("Depth of the balls dropped from {:.0} cm.", 100.0 * highest),
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
