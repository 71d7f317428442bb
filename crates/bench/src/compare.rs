//! A run beside an earlier one: what became slower, what faster.
//!
//! Machines differ and are busy, so seconds are not compared. A time counts in passes: the seconds that the memory of the
//! machine needed, in the same process, for one pass over the contacts of the scene. Iterations and bytes are
//! compared as they are.

use crate::report::{Report, SceneFigures};

/// Times that differ by less than this many seconds are the same: clocks and caches differ by as much.
const LEAST_DIFFERENCE: f64 = 5e-4;

/// One figure of both runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The scene.
    pub scene: String,
    /// Which figure of it.
    pub what: String,
    /// In what it is counted.
    pub unit: &'static str,
    /// In the earlier run.
    pub before: f64,
    /// In this run.
    pub now: f64,
}

impl Change {
    /// Now over before.
    pub fn ratio(&self) -> f64 {
        self.now / self.before
    }
}

/// What changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Figures that were compared.
    pub compared: usize,
    /// Those that grew by more than the threshold, the worst first.
    pub slower: Vec<Change>,
    /// Those that fell by more than the threshold, the best first.
    pub faster: Vec<Change>,
    /// Errors that solvers reached then and do not reach now.
    pub lost: Vec<String>,
}

/// A figure that can be compared; less is better.
struct Figure {
    what: String,
    unit: &'static str,
    value: f64,
    /// Seconds behind the value, if it is a time.
    seconds: Option<f64>,
}

/// Whether two runs were made in the same way; their scenes need not be there yet.
///
/// # Errors
/// A message that says what differs.
pub fn comparable(before: &Report, now: &Report) -> Result<(), String> {
    let of = |run: &Report| {
        [
            ("share of bodies", run.scale.to_string()),
            ("error measure", run.measure.clone()),
            ("number of threads", run.threads.to_string()),
        ]
    };
    for ((what, then), (_, today)) in of(before).into_iter().zip(of(now)) {
        if then != today {
            return Err(format!(
                "the earlier run has another {what}: {then}, and this one {today}; both must be the same"
            ));
        }
    }
    Ok(())
}

/// Sets two runs beside each other. A figure has changed when it is more than `threshold` (above 1) times the other.
///
/// # Errors
/// A message when the runs cannot be compared: other sizes, another measure, no scene in common.
pub fn compare(before: &Report, now: &Report, threshold: f64) -> Result<Comparison, String> {
    comparable(before, now)?;
    let mut comparison = Comparison::default();
    let mut common = 0;
    for scene in &now.scenes {
        if let Some(earlier) = before.scenes.iter().find(|s| s.name == scene.name) {
            common += 1;
            compare_scenes(earlier, scene, threshold, &mut comparison);
        }
    }
    if common == 0 {
        let names = |r: &Report| {
            let names: Vec<_> = r.scenes.iter().map(|s| s.name.as_str()).collect();
            names.join(", ")
        };
        return Err(format!(
            "no scene is in both runs: the earlier one has {}; this one {}",
            names(before),
            names(now)
        ));
    }
    comparison
        .slower
        .sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
    comparison
        .faster
        .sort_by(|a, b| a.ratio().total_cmp(&b.ratio()));
    Ok(comparison)
}

fn compare_scenes(
    before: &SceneFigures,
    now: &SceneFigures,
    threshold: f64,
    comparison: &mut Comparison,
) {
    let today = figures(now);
    for earlier in figures(before) {
        let Some(figure) = today.iter().find(|f| f.what == earlier.what) else {
            continue;
        };
        comparison.compared += 1;
        let change = Change {
            scene: now.name.clone(),
            what: earlier.what,
            unit: earlier.unit,
            before: earlier.value,
            now: figure.value,
        };
        let tiny = |a: f64, b: f64| (a - b).abs() < LEAST_DIFFERENCE;
        let same = match (earlier.seconds, figure.seconds) {
            (Some(a), Some(b)) => tiny(a, b),
            _ => false,
        };
        if same {
            continue;
        }
        if change.ratio() > threshold {
            comparison.slower.push(change);
        } else if change.ratio() < 1.0 / threshold {
            comparison.faster.push(change);
        }
    }
    for solver in &before.solvers {
        let today = now.solvers.iter().find(|s| s.solver == solver.solver);
        let Some(today) = today.filter(|s| s.skipped.is_none()) else {
            continue;
        };
        for solve in solver.solves.iter().filter(|solve| solve.reached) {
            if today.solve_to(solve.error).is_some_and(|s| !s.reached) {
                comparison.lost.push(format!(
                    "{}: {} no longer reaches {:e}",
                    now.name, solver.solver, solve.error
                ));
            }
        }
    }
}

/// Everything of a scene that can be compared.
fn figures(scene: &SceneFigures) -> Vec<Figure> {
    let pass = scene.pass_seconds();
    let mut all = Vec::new();
    let time = |what: String, seconds: f64| Figure {
        what,
        unit: "passes",
        value: seconds / pass,
        seconds: Some(seconds),
    };
    for (stage, seconds) in scene.steps.stages.named() {
        all.push(time(stage.to_string(), seconds));
    }
    all.push(time("product".into(), scene.product_seconds));
    let plain = |what: String, unit: &'static str, value: f64| Figure {
        what,
        unit,
        value,
        seconds: None,
    };
    if let Some(memory) = &scene.memory {
        all.push(plain("memory of a body".into(), "bytes", memory.per_body));
        all.push(plain(
            "memory of a contact".into(),
            "bytes",
            memory.per_contact,
        ));
    }
    for solver in &scene.solvers {
        for solve in solver.solves.iter().filter(|solve| solve.reached) {
            let what = format!("{} to {:e}", solver.solver, solve.error);
            let iterations = solve.iterations as f64;
            all.push(plain(
                format!("iterations of {what}"),
                "iterations",
                iterations,
            ));
            all.push(time(format!("time of {what}"), solve.cpu_seconds));
        }
    }
    all.retain(|figure| figure.value > 0.0 && figure.value.is_finite());
    all
}
