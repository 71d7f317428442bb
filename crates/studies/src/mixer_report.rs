//! The time of a step of the mixer over its size, held against Table III and drawn.

use crate::fit::exponent;
use crate::mixer::{Means, STEPS, TABLE_3};
use crate::outcome::{Comparison, Data, Entry, Figure, Outcome, Table};
use crate::study::Scale;
use moreau_plots::{AxisScale, LinePlot, Series};

/// Cores that Table III was measured on.
const PUBLISHED_CORES: f64 = 8.0;

/// Tables, verdicts and curves.
pub fn write(outcome: &mut Outcome, sizes: &[Means], solver: &str, scale: Scale) {
    compare(outcome, sizes);
    judge(outcome, sizes, solver, scale);
    draw(outcome, sizes, solver);
}

fn compare(outcome: &mut Outcome, sizes: &[Means]) {
    let mut table = Comparison::new("Table III: one time step, blades in steady rotation");
    for (ours, (objects, contacts, residual, seconds)) in sizes.iter().zip(TABLE_3) {
        let who = format!("{} objects (paper {objects})", ours.grains);
        let per_object = contacts / objects as f64;
        table.row(format!("{who}: contacts"), "", contacts, ours.contacts);
        table.row(
            format!("{who}: contacts per object"),
            "",
            per_object,
            ours.contacts / ours.grains,
        );
        table.row(format!("{who}: residual r"), "m/s", residual, ours.residual);
        table.row(
            format!("{who}: solution time (paper: 8 cores; ours: CPU time)"),
            "s",
            seconds,
            ours.solve,
        );
        table.row(
            format!("{who}: CPU time per contact (paper: 8 times the solution time)"),
            "µs",
            1e6 * PUBLISHED_CORES * seconds / contacts,
            1e6 * ours.solve / ours.contacts,
        );
    }
    outcome.comparisons.push(table);
    let mut details = Table::new(
        "Means of the measured steps",
        &[
            "objects",
            "contacts",
            "iterations",
            "CPU of the solver (ms)",
            "CPU of the step (ms)",
            "per contact and iteration (ns)",
            "turning of the grains / of the blades",
        ],
    );
    for size in sizes {
        details.row([
            size.grains.into(),
            size.contacts.into(),
            size.iterations.into(),
            (1e3 * size.solve).into(),
            (1e3 * size.step).into(),
            Entry::from(1e9 * size.solve / (size.contacts * size.iterations)),
            size.turning.into(),
        ]);
    }
    outcome.tables.push(details);
}

fn judge(outcome: &mut Outcome, sizes: &[Means], solver: &str, scale: Scale) {
    let published_by_objects = exponent(TABLE_3.iter().map(|row| (row.0 as f64, row.3)));
    let published_by_contacts = exponent(TABLE_3.iter().map(|row| (row.1, row.3)));
    let by_objects = exponent(sizes.iter().map(|size| (size.grains, size.solve)));
    let by_contacts = exponent(sizes.iter().map(|size| (size.contacts, size.solve)));
    let linear = |p: f64| p <= 1.2;
    let work = exponent(
        sizes
            .iter()
            .map(|s| (s.contacts, s.contacts * s.iterations)),
    );
    let unsolved: f64 = sizes.iter().map(|size| size.unsolved).sum();
    outcome.claim(
        "Every measured step is solved",
        unsolved == 0.0,
        format!("{unsolved} of {} are not", STEPS[1] * sizes.len()),
    );
    let per_contact = |solve: f64, contacts: f64| 1e6 * solve / contacts;
    let most = sizes
        .iter()
        .map(|size| per_contact(size.solve, size.contacts))
        .fold(0.0, f64::max);
    let published = TABLE_3
        .iter()
        .map(|row| per_contact(PUBLISHED_CORES * row.3, row.1))
        .fold(f64::INFINITY, f64::min);
    // A few hundred grains: the number of iterations is a matter of chance, and steps are too short to be timed.
    if scale != Scale::Tiny {
        outcome.claim(
            "Contacts times iterations grow no faster than linearly with the contacts: with their power 1.2 at most",
            linear(work),
            format!("power {work:.2}"),
        );
        outcome.claim(
            format!("The solver's CPU time grows no faster than linearly with the contacts: with their power 1.2 at most (Table III: {published_by_contacts:.2})"),
            linear(by_contacts),
            format!("power {by_contacts:.2}"),
        );
        outcome.claim(
            format!("The solver's CPU time grows no faster than linearly with the objects: with their power 1.2 at most (Table III: {published_by_objects:.2})"),
            linear(by_objects),
            format!("power {by_objects:.2}"),
        );
        outcome.claim(
            "A contact costs no more CPU time than on the paper's eight cores",
            most <= published,
            format!("{most:.1} µs at most against {published:.1} µs at least"),
        );
    }
    let last = &sizes[sizes.len() - 1];
    outcome.summary = format!(
        "The time of {solver} grows as the contacts to the power {by_contacts:.2} and as the objects to the power {by_objects:.2} (Table III: \
         {published_by_contacts:.2} and {published_by_objects:.2}); in a step of {} objects with {:.0} contacts it takes {:.1} ms of CPU time, and all of the step {:.1} ms.",
        last.grains,
        last.contacts,
        1e3 * last.solve,
        1e3 * last.step
    );
}

fn draw(outcome: &mut Outcome, sizes: &[Means], solver: &str) {
    let ours = || sizes.iter().map(|size| (size.contacts, size.solve));
    let (contacts, seconds) = ours().next().unwrap_or((1.0, 1.0));
    let largest = TABLE_3[TABLE_3.len() - 1].1;
    let proportional = |x: f64| (x, seconds * x / contacts);
    outcome.figures.push(Figure {
        name: "time".into(),
        caption: "CPU seconds of the solver in a step over the contacts; the straight line is proportional to them.".into(),
        plot: LinePlot {
            title: "Time of a step".into(),
            x_label: "contacts".into(),
            x_scale: AxisScale::Log10,
            y_label: "time of the solver (CPU s)".into(),
            y_scale: AxisScale::Log10,
            series: vec![
                Series {
                    label: format!("{solver}, here"),
                    points: ours().collect(),
                },
                Series {
                    label: "Table III, times 8 cores".into(),
                    points: TABLE_3
                        .iter()
                        .map(|row| (row.1, PUBLISHED_CORES * row.3))
                        .collect(),
                },
                Series {
                    label: "proportional".into(),
                    points: vec![proportional(contacts), proportional(largest)],
                },
            ],
            ..LinePlot::default()
        },
    });
    outcome.data.push(Data {
        name: "time".into(),
        heads: [
            "objects",
            "contacts",
            "iterations",
            "solver [CPU s]",
            "step [CPU s]",
        ]
        .map(String::from)
        .to_vec(),
        rows: sizes
            .iter()
            .map(|s| vec![s.grains, s.contacts, s.iterations, s.solve, s.step])
            .collect(),
    });
}
