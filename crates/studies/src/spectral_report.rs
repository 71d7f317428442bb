//! Curves of convergence: what is read from them, and whether the claims hold.

use crate::outcome::{Entry, Figure, Outcome, Table};
use crate::race::data;
use moreau_plots::{AxisScale, LinePlot, Series};

/// The name of SPG with the diagonal of N as preconditioner.
pub const PRECONDITIONED: &str = "spg, preconditioned";
/// The name of SPG without it.
pub const PLAIN: &str = "spg, plain";

/// The curves of a benchmark: best error over products.
pub struct Curves {
    /// The first error.
    pub start: f64,
    /// One for each method.
    pub series: Vec<Series>,
    /// The error of preconditioned SPG after each iteration, better or worse than before.
    pub each: Vec<(f64, f64)>,
}

impl Curves {
    /// Products to a share of the first error; infinite if it is not reached.
    fn products_to(&self, label: &str, share: f64) -> f64 {
        let series = self.series.iter().find(|series| series.label == label);
        series
            .and_then(|s| s.points.iter().find(|p| p.1 <= share * self.start))
            .map_or(f64::INFINITY, |point| point.0)
    }

    /// The last error of a method as a share of the first.
    fn last(&self, label: &str) -> f64 {
        let series = self.series.iter().find(|series| series.label == label);
        series
            .and_then(|s| s.points.last())
            .map_or(f64::NAN, |p| p.1 / self.start)
    }
}

/// An empty table of what the methods need.
pub fn table() -> Table {
    Table::new(
        "Products to a share of the first error w (best so far)",
        &[
            "benchmark",
            "solver",
            "to 1e-2",
            "to 1e-4",
            "to 1e-6",
            "last w over first",
        ],
    )
}

/// What the methods need on one benchmark.
pub fn list(table: &mut Table, benchmark: &str, curves: &Curves) {
    for series in &curves.series {
        let label = series.label.as_str();
        let to = |share: f64| -> Entry {
            Some(curves.products_to(label, share))
                .filter(|n| n.is_finite())
                .into()
        };
        table.row([
            benchmark.into(),
            label.into(),
            to(1e-2),
            to(1e-4),
            to(1e-6),
            curves.last(label).into(),
        ]);
    }
}

/// The claims on the four benchmarks. `worst` are the largest last errors on B3 with preconditioning and without, over all orders.
pub fn judge(outcome: &mut Outcome, all: &[Curves], worst: [f64; 2]) {
    let [b1, b2, b3, b4] = all else {
        unreachable!("there are four benchmarks")
    };
    let (spg, cg, minres) = (
        b1.products_to(PRECONDITIONED, 1e-4)
            .min(b1.products_to(PLAIN, 1e-4)),
        b1.products_to("cg", 1e-4),
        b1.products_to("minres", 1e-4),
    );
    outcome.claim(
        "B1: on a linear problem SPG needs at most three times the products of CG or MINRES (the paper: as fast)",
        spg <= 3.0 * cg.min(minres),
        format!("to 1e-4: SPG {spg}, CG {cg}, MINRES {minres}"),
    );
    let beaten = [b1, b2, b3, b4].map(|curves| curves.last(PRECONDITIONED) / curves.last("jacobi"));
    outcome.claim(
        "SPG ends with a smaller error than Jacobi in every benchmark",
        beaten.iter().all(|share| *share < 1.0),
        format!("its last error over Jacobi's: {}", texts(&beaten)),
    );
    let [with, without] = worst;
    outcome.claim(
        "B3: preconditioning makes SPG more robust where masses differ: over five orders of the plates its largest last error is smaller",
        with < without,
        format!("{with:.1e} of the first with it, {without:.1e} without"),
    );
    let rises = b4
        .each
        .windows(2)
        .filter(|pair| pair[1].1 > pair[0].1)
        .count();
    outcome.claim(
        "B4: the error of SPG is not monotone (Fig. 1), so that the best answer has to be kept",
        rises > 0,
        format!("it rises in {rises} of {} iterations", b4.each.len() - 1),
    );
    descent(outcome, &b4.each);
    outcome.summary = format!(
        "SPG needs {spg:.0} products where CG needs {cg:.0} on the linear network and beats Jacobi {} of 4 times; over five orders of plates of odd \
         masses its largest last error is {with:.1e} of the first with preconditioning and {without:.1e} without.",
        beaten.iter().filter(|share| **share < 1.0).count(),
    );
}

/// The paper's Fig. 1: the error of SPG on B4 after each iteration, beside the best so far.
fn descent(outcome: &mut Outcome, each: &[(f64, f64)]) {
    let mut least = f64::INFINITY;
    let best = each.iter().map(|(iteration, error)| {
        least = least.min(*error);
        (*iteration, least)
    });
    let series = vec![
        Series {
            label: "after each iteration".into(),
            points: each.to_vec(),
        },
        Series {
            label: "best so far".into(),
            points: best.collect(),
        },
    ];
    outcome
        .data
        .push(data("descent", "iteration", "w [m/s]", &series));
    outcome.figures.push(Figure {
        name: "descent".into(),
        caption: "B4: the error of SPG goes up and down (the paper's Fig. 1); the fallback returns the best answer so far.".into(),
        plot: LinePlot {
            title: "B4: descent of preconditioned SPG".into(),
            x_label: "iterations".into(),
            y_label: "w (m/s)".into(),
            y_scale: AxisScale::Log10,
            series,
            ..LinePlot::default()
        },
    });
}

/// The curves of a benchmark, as numbers and as a figure.
pub fn draw(outcome: &mut Outcome, name: &str, title: &str, curves: &Curves) {
    // B1 is the paper's Fig. 3, and so on.
    let published = 3 + outcome.figures.len();
    outcome
        .data
        .push(data(name, "products", "best w [m/s]", &curves.series));
    outcome.figures.push(Figure {
        name: name.into(),
        caption: format!("{title} (the paper's Fig. {published})."),
        plot: LinePlot {
            title: title.into(),
            x_label: "products with N".into(),
            y_label: "w, best so far (m/s)".into(),
            x_scale: AxisScale::Log10,
            y_scale: AxisScale::Log10,
            series: curves.series.clone(),
            reference: None,
        },
    });
}

fn texts(values: &[f64]) -> String {
    let list: Vec<_> = values.iter().map(|value| format!("{value:.1e}")).collect();
    list.join(", ")
}
