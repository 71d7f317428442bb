//! The depths of the craters, beside the law.

use crate::crater::{BALL, BALLS, Bed, Drop, HEIGHTS, SHOWN};
use crate::crater_curves::draw;
use crate::crater_law::{EXPONENTS, Law, predicted};
use crate::fit::mean_with_error;
use crate::outcome::{Comparison, Data, Entry, Outcome, Table};
use crate::study::Scale;

/// Eq. 28: the constant of the experiments of Uehara et al. 2003 and Ambroso et al. 2005.
pub const MEASURED: f64 = 0.14;
/// Eq. 29: the constant of the paper's simulation.
pub const PUBLISHED: f64 = 0.1221;
/// How far the paper says that they are apart, in percent.
const PUBLISHED_DIFFERENCE: f64 = 13.7;
/// Fig. 13: when wood from 20 cm is deepest, in s.
const PUBLISHED_TIME: f64 = 0.0368;
/// How much higher the surface might be said to lie, in grains.
const LIFTS: [f64; 4] = [-0.25, 0.0, 0.25, 0.5];
/// How far the constant may be off, and how far the exponents.
const CLOSE: [f64; 2] = [0.2, 0.1];

/// Tables, verdicts and curves.
pub fn write(outcome: &mut Outcome, beds: &[Bed], drops: &[Drop], scale: Scale) {
    let law = Law::of(drops, |_| 0.0);
    compare(outcome, &law, drops);
    judge(outcome, beds, &law, (drops, scale));
    list(outcome, beds, drops);
    surfaces(outcome, beds, drops);
    describe(outcome, beds, &law);
    draw(outcome, &law, drops);
}

/// The drops of one ball from one height, in all beds.
fn alike(drops: &[Drop], density: f64, height: f64) -> Vec<&Drop> {
    let such = |drop: &&Drop| (drop.density, drop.height) == (density, height);
    drops.iter().filter(such).collect()
}

/// The mean of a quantity of drops, and its standard error.
fn mean_of(drops: &[&Drop], quantity: impl Fn(&Drop) -> f64) -> (f64, f64) {
    let values: Vec<f64> = drops.iter().map(|drop| quantity(drop)).collect();
    mean_with_error(&values)
}

/// A standard error, unless there is a single value.
fn error_entry(error: f64) -> Entry {
    Entry::from(error.is_finite().then_some(error))
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
    let shown = alike(drops, SHOWN.0, SHOWN.1);
    if !shown.is_empty() {
        let paper = predicted(PUBLISHED, SHOWN.0, SHOWN.1);
        table.row(
            "depth, wood from 20 cm (Eq. 29)",
            "mm",
            1e3 * paper,
            1e3 * mean_of(&shown, |drop| drop.depth).0,
        );
        table.row(
            "time of the deepest penetration, wood from 20 cm (Fig. 13)",
            "s",
            PUBLISHED_TIME,
            mean_of(&shown, |drop| drop.time).0,
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

fn judge(outcome: &mut Outcome, beds: &[Bed], law: &Law, (drops, scale): (&[Drop], Scale)) {
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
                "{:.4} ± {:.4}, {:.1} % off",
                law.constant,
                law.constant_error,
                100.0 * off(law.constant, constant)
            ),
        );
    }
    for (k, (of, name)) in [("the density", "1/2"), ("the drop H", "1/3")]
        .into_iter()
        .enumerate()
        .filter(|_| scale != Scale::Tiny)
    {
        let (ours, error, law) = (law.exponents[k], law.exponent_errors[k], EXPONENTS[k]);
        outcome.claim(
            format!(
                "The depth grows with the {name} power of {of}: the fitted exponent is within 10 %"
            ),
            off(ours, law) <= CLOSE[1],
            format!(
                "{ours:.3} ± {error:.3}, {:.1} % off",
                100.0 * off(ours, law)
            ),
        );
    }
    let [first, second] = law.exponents;
    let [first_error, second_error] = law.exponent_errors;
    outcome.summary = format!(
        "In {} the depth is {:.4}/μ (ρ_b/ρ_g)^½ D^⅔ H^⅓ (experiments 0.14, the paper's simulation 0.1221), with fitted exponents \
         {first:.3} ± {first_error:.3} and {second:.3} ± {second_error:.3} for 1/2 and 1/3.",
        match beds {
            [bed] => format!("a bed of {} grains", bed.count),
            _ => format!("{} beds of {} grains each", beds.len(), beds[0].count),
        },
        law.constant,
    );
}

fn list(outcome: &mut Outcome, beds: &[Bed], drops: &[Drop]) {
    let mut table = Table::new(
        "Every ball from every height, the mean of all beds",
        &[
            "density (kg/m³)",
            "height (cm)",
            "depth (mm)",
            "standard error (mm)",
            "Eq. 28 (mm)",
            "ours / Eq. 28",
            "depth in grains",
            "time (ms)",
        ],
    );
    for (_, density) in BALLS {
        for height in HEIGHTS {
            let such = alike(drops, density, height);
            let (depth, error) = mean_of(&such, |drop| drop.depth);
            let experiments = predicted(MEASURED, density, height);
            table.row([
                density.into(),
                (100.0 * height).round().into(),
                (1e3 * depth).into(),
                error_entry(1e3 * error),
                (1e3 * experiments).into(),
                (depth / experiments).into(),
                (depth / beds[0].grain).into(),
                (1e3 * mean_of(&such, |drop| drop.time).0).into(),
            ]);
        }
    }
    outcome.tables.push(table);
    let rows = drops.iter().map(|drop| {
        vec![
            (drop.bed + 1) as f64,
            drop.density,
            drop.height,
            drop.depth,
            drop.scale(),
            drop.time,
        ]
    });
    outcome.data.push(Data {
        name: "drops".into(),
        heads: [
            "bed",
            "density [kg/m3]",
            "height [m]",
            "depth [m]",
            "scaled drop [m]",
            "time [s]",
        ]
        .map(String::from)
        .to_vec(),
        rows: rows.collect(),
    });
}

/// The law with other surfaces to count from.
fn surfaces(outcome: &mut Outcome, beds: &[Bed], drops: &[Drop]) {
    let mut table = Table::new(
        "The law if the surface lay elsewhere",
        &[
            "surface",
            "c",
            "exponent of ρ_b/ρ_g",
            "standard error",
            "exponent of H",
            "standard error",
        ],
    );
    let mut add = |what: String, law: Law| {
        let [by_density, by_height] = law.exponents;
        let [density_error, height_error] = law.exponent_errors;
        let numbers = [
            law.constant,
            by_density,
            density_error,
            by_height,
            height_error,
        ];
        table.row([what.into()].into_iter().chain(numbers.map(Entry::from)));
    };
    for lift in LIFTS {
        let what = match lift {
            0.0 => "where a lowered ball touches, in the mean".into(),
            _ if lift < 0.0 => format!("{} of a grain lower", -lift),
            _ => format!("{lift} of a grain higher"),
        };
        add(what, Law::of(drops, |_| lift * beds[0].grain));
    }
    let highest = Law::of(drops, |drop| drop.highest);
    add("the top of the highest grain of each bed".into(), highest);
    outcome.tables.push(table);
}

fn describe(outcome: &mut Outcome, beds: &[Bed], law: &Law) {
    let mut table = Table::new(
        "The beds, and what the constant depends on",
        &["quantity", "value"],
    );
    let mean = |quantity: fn(&Bed) -> f64| {
        let values: Vec<f64> = beds.iter().map(quantity).collect();
        mean_with_error(&values).0
    };
    let packing = mean(|bed| bed.packing);
    table.row(["beds".into(), beds.len().into()]);
    table.row(["grains in each".into(), beds[0].count.into()]);
    table.row([
        "diameter of the ball over that of a grain".into(),
        (BALL / beds[0].grain).into(),
    ]);
    table.row([
        "highest grain over the mean height at which a lowered ball touches (grains)".into(),
        mean(|bed| (bed.highest - bed.surface) / bed.grain).into(),
    ]);
    table.row([
        "share of volume filled, in the middle".into(),
        packing.into(),
    ]);
    table.row([
        "constant with the density of the bed for ρ_g, as Uehara et al. have it".into(),
        (law.constant * packing.sqrt()).into(),
    ]);
    outcome.tables.push(table);
}
