//! What `moreau bench` shows: tables, a picture, and what became slower.

use crate::failure::Failure;
use crate::{json, table};
use moreau_bench::bandwidth::PASS_BYTES;
use moreau_bench::compare::{Change, Comparison};
use moreau_bench::report::{Report, SceneFigures, SolverFigures};
use moreau_bench::scenes::Scene;
use moreau_plots::{AxisScale, ConvergencePlot, ProfilePlot, Series};
use serde_json::json;
use std::fmt::Write;
use std::path::Path;

/// Everything about one scene.
pub fn scene_text(figures: &SceneFigures, errors: &[f64]) -> String {
    let mut text = String::new();
    let summary = Scene::by_name(&figures.name).map_or("", Scene::summary);
    let _ = writeln!(
        text,
        "{} ({summary}): {} bodies, {} contacts; memory moves {:.1} GB/s, {:.1} ns for a pass over a contact ({PASS_BYTES} bytes)\n",
        figures.name,
        figures.bodies,
        figures.contacts,
        figures.bandwidth / 1e9,
        figures.ns_per_contact(figures.pass_seconds()),
    );
    text.push_str(&steps_text(figures));
    text.push_str(&solvers_text(figures, errors));
    text
}

fn steps_text(figures: &SceneFigures) -> String {
    let steps = &figures.steps;
    let mut stages = table::table(
        &["stage of a step", "CPU time", "ns a contact", "passes"],
        &[0],
    );
    let total = ("whole step", steps.stages.total());
    let product = ("product Nγ", figures.product_seconds);
    for (name, seconds) in steps.stages.named().into_iter().chain([total, product]) {
        stages.add_row([
            name.to_string(),
            table::seconds(seconds),
            format!("{:.1}", figures.ns_per_contact(seconds)),
            format!("{:.1}", seconds / figures.pass_seconds()),
        ]);
    }
    let mut text = table::text(&stages);
    let _ = writeln!(
        text,
        "{:.0} iterations a step, {} of {} steps converged, {} by the clock",
        steps.iterations,
        steps.converged,
        steps.counted,
        table::seconds(steps.wall_seconds)
    );
    match &figures.memory {
        Some(memory) => {
            let _ = writeln!(
                text,
                "memory: {:.0} bytes a body and {:.0} a contact, {:.1} MB in all, the program itself apart\n",
                memory.per_body,
                memory.per_contact,
                memory.bytes as f64 / 1e6
            );
        }
        None => text.push_str("memory: this system does not tell\n\n"),
    }
    text
}

fn solvers_text(figures: &SceneFigures, errors: &[f64]) -> String {
    let heads: Vec<String> = errors.iter().map(|e| format!("to {e:e}")).collect();
    let mut columns = vec!["solver", "ns a contact, iteration", "times bound"];
    columns.extend(heads.iter().map(String::as_str));
    let mut solvers = table::table(&columns, &[0]);
    let mut skipped = String::new();
    for solver in &figures.solvers {
        if let Some(reason) = &solver.skipped {
            let _ = writeln!(skipped, "{} was not run: {reason}", solver.solver);
            continue;
        }
        let number = |value: Option<f64>| value.map_or("-".into(), |v| format!("{v:.1}"));
        let mut row = vec![
            solver.solver.clone(),
            number(solver.ns_per_contact_iteration),
            number(solver.times_bound),
        ];
        row.extend(errors.iter().map(|error| solve_cell(solver, *error)));
        solvers.add_row(row);
    }
    let mut text = table::text(&solvers);
    text.push_str(
        "to an error: iterations, CPU time, and how many times less CPU time than apgd (> where apgd did not get there)\n",
    );
    text.push_str(&skipped);
    text.push('\n');
    text
}

fn solve_cell(solver: &SolverFigures, error: f64) -> String {
    match solver.solve_to(error) {
        Some(solve) if solve.reached => {
            let gain = solve.ratio_to_apgd.map_or(String::new(), |ratio| {
                let more = if solve.apgd_reached { "" } else { ">" };
                format!(" {more}{:.1}x", 1.0 / ratio)
            });
            format!(
                "{} {}{gain}",
                solve.iterations,
                table::seconds(solve.cpu_seconds)
            )
        }
        Some(solve) => format!("not in {}", table::seconds(solve.cpu_seconds)),
        None => "-".into(),
    }
}

/// How time and memory of the beds grow with their size; nothing for fewer than two beds.
pub fn growth_text(report: &Report) -> String {
    let beds: Vec<_> = report
        .scenes
        .iter()
        .filter(|scene| scene.name.starts_with("bed_"))
        .collect();
    let [smallest, .., largest] = beds.as_slice() else {
        return String::new();
    };
    let mut growth = table::table(
        &["for each contact", &smallest.name, &largest.name, "ratio"],
        &[0],
    );
    type Row = (&'static str, fn(&SceneFigures) -> f64);
    let rows: [Row; 5] = [
        ("detection, ns", |scene| {
            scene.steps.stages.broad_phase + scene.steps.stages.narrow_phase
        }),
        ("assembly, ns", |scene| scene.steps.stages.assembly),
        ("an iteration, ns", |scene| {
            scene.steps.stages.solve / scene.steps.iterations.max(1.0)
        }),
        ("integration, ns", |scene| scene.steps.stages.integration),
        ("whole step, ns", |scene| scene.steps.stages.total()),
    ];
    let mut add = |name: &str, small: f64, large: f64| {
        growth.add_row([
            name.to_string(),
            format!("{small:.1}"),
            format!("{large:.1}"),
            format!("{:.2}", large / small),
        ]);
    };
    for (name, of) in rows {
        let each = |scene: &SceneFigures| scene.ns_per_contact(of(scene));
        add(name, each(smallest), each(largest));
    }
    if let (Some(small), Some(large)) = (&smallest.memory, &largest.memory) {
        let each = |bytes: usize, scene: &SceneFigures| bytes as f64 / scene.contacts.max(1) as f64;
        add(
            "memory in all, bytes",
            each(small.bytes, smallest),
            each(large.bytes, largest),
        );
    }
    format!("Growth with size\n\n{}\n", table::text(&growth))
}

/// What changed since an earlier run.
pub fn comparison_text(comparison: &Comparison, threshold: f64) -> String {
    let mut text = String::new();
    for lost in &comparison.lost {
        let _ = writeln!(text, "{lost}");
    }
    for (heading, changes) in [
        ("Became slower or larger", &comparison.slower),
        ("Became faster or smaller", &comparison.faster),
    ] {
        if changes.is_empty() {
            continue;
        }
        let mut rows = table::table(&["scene", "figure", "before", "now", "ratio"], &[0, 1]);
        for change in changes {
            rows.add_row(change_row(change));
        }
        let _ = writeln!(text, "{heading}\n\n{}", table::text(&rows));
    }
    let changed = comparison.slower.len() + comparison.faster.len();
    let _ = writeln!(
        text,
        "{} figures compared, {} within a factor of {threshold}, {} slower or larger, {} faster or smaller",
        comparison.compared,
        comparison.compared - changed,
        comparison.slower.len(),
        comparison.faster.len()
    );
    text
}

fn change_row(change: &Change) -> [String; 5] {
    [
        change.scene.clone(),
        change.what.clone(),
        format!("{:.4} {}", change.before, change.unit),
        format!("{:.4}", change.now),
        format!("{:.2}", change.ratio()),
    ]
}

/// The figures as JSON, with what changed if there was a comparison.
pub fn json_text(report: &Report, comparison: Option<&Comparison>) -> Result<String, Failure> {
    let mut value = serde_json::to_value(report)
        .map_err(|error| Failure::new(format!("cannot state the result as JSON: {error}")))?;
    if let Some(comparison) = comparison {
        let list = |changes: &[Change]| -> Vec<_> {
            let one = |c: &Change| json!({ "scene": c.scene, "figure": c.what, "unit": c.unit, "before": c.before, "now": c.now, "ratio": c.ratio() });
            changes.iter().map(one).collect()
        };
        value["comparison"] = json!({
            "compared": comparison.compared,
            "slower": list(&comparison.slower),
            "faster": list(&comparison.faster),
            "lost": comparison.lost,
        });
    }
    json::text(&value)
}

/// Errors over CPU time for one scene, a performance profile over scenes and errors for several.
pub fn draw(path: &Path, report: &Report) -> Result<(), Failure> {
    match report.scenes.as_slice() {
        [scene] => draw_errors(path, scene, &report.measure),
        scenes => draw_profile(path, scenes),
    }
}

fn draw_errors(path: &Path, scene: &SceneFigures, measure: &str) -> Result<(), Failure> {
    let series = scene.solvers.iter().map(|solver| Series {
        label: solver.solver.clone(),
        points: solver
            .solves
            .iter()
            .filter(|solve| solve.reached)
            .map(|solve| (solve.cpu_seconds, solve.error))
            .collect(),
    });
    let plot = ConvergencePlot {
        title: format!("{}: {} contacts", scene.name, scene.contacts),
        x_label: "CPU seconds".into(),
        y_label: format!("{measure} error"),
        x_scale: AxisScale::Log10,
        series: series.collect(),
        tolerance: None,
    };
    Ok(moreau_plots::convergence(path, &plot)?)
}

fn draw_profile(path: &Path, scenes: &[SceneFigures]) -> Result<(), Failure> {
    let mut solvers: Vec<String> = Vec::new();
    let mut rows: Vec<(usize, f64)> = Vec::new();
    for (index, scene) in scenes.iter().enumerate() {
        for solver in &scene.solvers {
            if !solvers.contains(&solver.solver) {
                solvers.push(solver.solver.clone());
            }
            for solve in &solver.solves {
                if !rows.contains(&(index, solve.error)) {
                    rows.push((index, solve.error));
                }
            }
        }
    }
    let cost = |(scene, error): (usize, f64), name: &String| {
        let solver = scenes[scene].solvers.iter().find(|s| s.solver == *name)?;
        let solve = solver.solve_to(error).filter(|solve| solve.reached)?;
        Some(solve.cpu_seconds)
    };
    let plot = ProfilePlot {
        title: "CPU time to given errors on standard scenes".into(),
        costs: rows
            .iter()
            .map(|row| solvers.iter().map(|name| cost(*row, name)).collect())
            .collect(),
        solvers,
        floor: 1e-5,
        ..ProfilePlot::default()
    };
    Ok(moreau_plots::performance_profile(path, &plot)?)
}
