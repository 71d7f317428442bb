//! Tables I and II of Mazhar et al. 2015: how far three methods come, and how much work they need.

use crate::context::{Context, Solved};
use crate::outcome::{Comparison, Entry, Figure, Outcome};
use crate::pressure::Bed;
use crate::race::{Over, Race, Runner, best_errors, data};
use crate::study::{Scale, StudyError};
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods::gauss_seidel::GaussSeidel;
use moreau_contact_solvers::residual::Measure;
use moreau_contact_solvers::status::Status;
use moreau_contact_solvers::sweep::BlockRule;
use moreau_plots::{AxisScale, LinePlot, Series};

/// The residual of Table II over that of Gauss-Seidel in Table I.
const PUBLISHED_SHARE: f64 = 7e-6 / 9.43e-6;

/// Table I: slab in kg; residuals and objectives of Jacobi, Gauss-Seidel, APGD.
const TABLE_1: [(f64, [f64; 3], [f64; 3]); 4] = [
    (1e3, [1.27e-5, 9.43e-6, 1.10e-6], [-28.29, -117.70, -220.14]),
    (1e4, [1.48e-5, 1.27e-5, 3.18e-6], [-35.63, -162.99, -883.54]),
    (
        1e5,
        [1.52e-5, 1.36e-5, 9.09e-6],
        [-37.02, -176.94, -3199.27],
    ),
    (
        1e6,
        [1.53e-5, 1.37e-5, 1.18e-5],
        [-37.15, -210.23, -4696.48],
    ),
];
/// ω of Algorithm 2, which the paper does not state, in public versions of the program that it used.
const SHORT_STEP: f64 = 0.2;
const PUBLISHED_METHODS: [&str; 3] = ["jacobi", "gauss_seidel", "apgd"];

/// What Table I finds.
pub struct First {
    /// The bed under the lightest slab.
    pub bed: Bed,
    /// The residual that stands for that of Table II there.
    pub residual: f64,
    /// Whether objectives and residuals have the published order at every mass.
    pub ordered: bool,
}

/// Residual and objective after some iterations, for every mass of the slab. `bed_of` gives the bed under a slab of some kg.
pub fn table_1(
    context: &mut Context,
    iterations: usize,
    bed_of: impl Fn(&Context, f64) -> Result<Bed, StudyError>,
    outcome: &mut Outcome,
) -> Result<First, StudyError> {
    let mut table = Comparison::new(format!("Table I: after {iterations} iterations"));
    let (mut order, mut residual_order) = (true, true);
    let mut objectives = Vec::new();
    let (mut lightest, mut residual) = (None, 0.0);
    for (k, (mass, residuals, values)) in TABLE_1.into_iter().enumerate() {
        context.at(0.35 + 0.08 * k as f64, &format!("slab of {mass:e} kg"))?;
        let bed = bed_of(context, mass)?;
        let mut found = Vec::new();
        for (index, runner) in Runner::named(&PUBLISHED_METHODS)?.iter().enumerate() {
            let solved = race(&bed, iterations, 0.0).run(context, runner)?;
            let name = &runner.label;
            let errors = &solved.report.errors;
            table.row(
                format!("{mass:.0e} kg, {name}: residual"),
                "m/s",
                residuals[index],
                errors.mazhar,
            );
            table.row(
                format!("{mass:.0e} kg, {name}: objective"),
                "J",
                values[index],
                errors.objective,
            );
            found.push(solved);
        }
        let of = |value: fn(&Solved) -> f64| -> Vec<f64> { found.iter().map(value).collect() };
        let (f, r) = (
            of(|s| s.report.errors.objective),
            of(|s| s.report.errors.mazhar),
        );
        order &= f[2] < f[1] && f[1] < f[0];
        residual_order &= r[2] < r[1] && r[1] < r[0];
        objectives.push(f[2] / f[1]);
        for (other, name) in [(1, "gauss_seidel"), (0, "jacobi")] {
            table.row(
                format!("{mass:.0e} kg: objective of apgd over that of {name}"),
                "",
                values[2] / values[other],
                f[2] / f[other],
            );
        }
        if k == 0 {
            draw_convergence(outcome, &found);
            lightest = Some(bed);
            residual = PUBLISHED_SHARE * r[1];
        }
    }
    outcome.comparisons.push(table);
    outcome.claim(
        "After the same iterations the objective of APGD is below that of Gauss-Seidel, and that below Jacobi's, at every slab mass",
        order,
        format!("APGD's over Gauss-Seidel's: {}", list(&objectives)),
    );
    outcome.claim(
        "The residual has the same order at every slab mass",
        residual_order,
        "see Table I",
    );
    Ok(First {
        bed: lightest.expect("the table has rows"),
        residual,
        ordered: order && residual_order,
    })
}

fn race(bed: &Bed, iterations: usize, tolerance: f64) -> Race<'_> {
    Race {
        problem: &bed.problem,
        law: FrictionLaw::Relaxed,
        measure: Measure::Mazhar,
        tolerance,
        iterations,
        seconds: None,
    }
}

fn draw_convergence(outcome: &mut Outcome, found: &[Solved]) {
    let label = |k: usize| PUBLISHED_METHODS[k];
    let errors: Vec<_> = found
        .iter()
        .enumerate()
        .map(|(k, s)| best_errors(label(k), s, Over::Iterations))
        .collect();
    let objective = |(k, solved): (usize, &Solved)| {
        let records = solved.report.history.records();
        Series {
            label: label(k).into(),
            points: records.map(|r| (r.iteration as f64, r.objective)).collect(),
        }
    };
    let objectives: Vec<_> = found.iter().enumerate().map(objective).collect();
    outcome
        .data
        .push(data("residual", "iteration", "residual [m/s]", &errors));
    outcome
        .data
        .push(data("objective", "iteration", "objective [J]", &objectives));
    outcome.figures.push(Figure {
        name: "residual".into(),
        caption: "Residual of Eq. 25 over the iterations, slab of 1000 kg (the paper's Fig. 5)."
            .into(),
        plot: LinePlot {
            title: "Slab of 1000 kg: residual".into(),
            x_label: "iterations".into(),
            y_label: "residual r, best so far (m/s)".into(),
            y_scale: AxisScale::Log10,
            series: errors,
            ..LinePlot::default()
        },
    });
    outcome.figures.push(Figure {
        name: "objective".into(),
        caption: "Objective over the iterations, slab of 1000 kg (the paper's Fig. 5).".into(),
        plot: LinePlot {
            title: "Slab of 1000 kg: objective".into(),
            x_label: "iterations".into(),
            y_label: "objective (J)".into(),
            series: objectives,
            ..LinePlot::default()
        },
    });
}

/// Work to the residual of Table II; gives how many times fewer iterations APGD needs than Gauss-Seidel.
pub fn table_2(
    context: &mut Context,
    First { bed, residual, .. }: &First,
    limit: usize,
    outcome: &mut Outcome,
) -> Result<f64, StudyError> {
    // Residual, iterations and seconds.
    let published: [(f64, Entry, Entry); 3] = [
        (7.54e-6, "not in 500000".into(), "not in 24300 s".into()),
        (6.99e-6, 11485.0.into(), 494.8.into()),
        (6.97e-6, 202.0.into(), 10.6.into()),
    ];
    let mut table = Comparison::new(format!(
        "Table II: work to the residual {residual:.2e}, slab of 1000 kg"
    ));
    let (mut counts, mut seconds) = (Vec::new(), Vec::new());
    for (runner, (last, iterations, time)) in
        Runner::named(&PUBLISHED_METHODS)?.iter().zip(published)
    {
        context.at(
            0.7,
            &format!("{} to the residual of Table II", runner.label),
        )?;
        let solved = race(bed, limit, *residual).run(context, runner)?;
        let report = &solved.report;
        let reached = report.status == Status::Converged;
        let name = &runner.label;
        table.row(
            format!("{name}: residual at the end"),
            "m/s",
            last,
            report.errors.mazhar,
        );
        table.row(
            format!("{name}: iterations"),
            "",
            iterations,
            iterations_of(&solved),
        );
        table.row(format!("{name}: time"), "s", time, report.seconds);
        seconds.push(report.seconds);
        counts.push(if reached {
            report.iterations as f64
        } else {
            f64::INFINITY
        });
    }
    let gain = counts[1] / counts[2];
    table.row(
        "iterations of gauss_seidel over those of apgd",
        "",
        11485.0 / 202.0,
        gain,
    );
    table.row(
        "time of gauss_seidel over that of apgd",
        "",
        494.8 / 10.6,
        seconds[1] / seconds[2],
    );
    context.at(0.72, "Gauss-Seidel with short steps")?;
    let short = race(bed, limit, *residual).run(context, &short_steps())?;
    table.row(
        format!("gauss_seidel with ω = {SHORT_STEP}: iterations"),
        "",
        11485.0,
        iterations_of(&short),
    );
    outcome.comparisons.push(table);
    outcome.claim(
        "To the residual of Table II APGD needs fewer iterations than Gauss-Seidel, and that fewer than Jacobi",
        counts[2] < counts[1] && counts[1] < counts[0],
        format!("APGD {}, Gauss-Seidel {}, Jacobi {}", counts[2], counts[1], counts[0]),
    );
    // A hundred spheres are too few for the gap between the methods to open.
    if context.scale > Scale::Tiny {
        outcome.claim(
            "APGD needs at least ten times fewer iterations there than Gauss-Seidel (the paper: 57 times)",
            gain >= 10.0,
            format!("{gain:.1} times fewer"),
        );
    }
    Ok(gain)
}

/// The iterations to an error, or that so many were not enough.
fn iterations_of(solved: &Solved) -> Entry {
    let count = solved.report.iterations;
    match solved.report.status {
        Status::Converged => count.into(),
        _ => format!("not in {count}").into(),
    }
}

/// Gauss-Seidel with ω as in public versions of the paper's program.
fn short_steps() -> Runner {
    let rule = BlockRule::Projected {
        omega: SHORT_STEP,
        lambda: 1.0,
    };
    let method = GaussSeidel {
        rule: Some(rule),
        symmetric: false,
    };
    Runner::new("gauss_seidel, short steps", method)
}

fn list(values: &[f64]) -> String {
    let texts: Vec<_> = values.iter().map(|value| format!("{value:.2}")).collect();
    texts.join(", ")
}
