//! Solvers on one problem: iterations and CPU time to given errors, beside those of APGD as published.

use crate::bandwidth::PASS_BYTES;
use crate::report::{SolveFigures, SolverFigures};
use crate::{Plan, Watch};
use cpu_time::ProcessTime;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::observer::{IterationRecord, Observer};
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::{ContactSolver, solve};
use moreau_contact_solvers::status::Status;
use std::ops::ControlFlow;

/// APGD as published knows this law alone.
const LAW: FrictionLaw = FrictionLaw::Relaxed;
/// What the others are compared with.
pub(crate) const REFERENCE: &str = "apgd";
/// Methods that factorise matrices, and the contacts beyond which they are run only if they are named: memory and the
/// time of a single iteration are out of bounds there.
const FACTORISING: [&str; 3] = ["interior_point", "proximal_newton", "quasi_newton"];
const MOST_TO_FACTORISE: usize = 25_000;
/// As in a time step: methods measure themselves after every third iteration. APGD as published does after each.
const CHECK_INTERVAL: usize = 3;
/// Seconds by the clock that a CPU second may take on a busy machine.
const SLOWEST_CLOCK: f64 = 5.0;

/// Runs the solvers of the plan; the reference comes first, asked for or not.
pub(crate) fn measure(
    problem: &ContactProblem,
    bandwidth: f64,
    plan: &Plan,
    watch: &mut dyn Watch,
) -> Vec<SolverFigures> {
    // What solvers share is computed here, not at the cost of the first of them.
    problem.mean_diagonal();
    problem.largest_diagonal();
    let mut names = vec![REFERENCE];
    names.extend(plan.solvers.iter().map(String::as_str));
    names.dedup();
    names.retain(|name| *name != REFERENCE);
    names.insert(0, REFERENCE);
    let mut figures: Vec<SolverFigures> = Vec::new();
    for name in names {
        if watch.stopped() {
            break;
        }
        watch.begin(name);
        let found = match skip(problem, name, plan) {
            Some(reason) => SolverFigures {
                solver: name.to_string(),
                skipped: Some(reason),
                ns_per_contact_iteration: None,
                times_bound: None,
                solves: Vec::new(),
            },
            None => one(problem, bandwidth, name, plan, watch),
        };
        figures.push(found);
    }
    set_beside_reference(&mut figures);
    figures
}

/// Why a solver is not run, if it is not.
fn skip(problem: &ContactProblem, name: &str, plan: &Plan) -> Option<String> {
    let method = match methods::by_name(name) {
        Ok(method) => method,
        Err(message) => return Some(message),
    };
    if !method.laws().contains(&LAW) {
        return Some(format!("it does not solve the {LAW} law"));
    }
    let contacts = problem.contacts();
    if !plan.solvers_named && FACTORISING.contains(&name) && contacts > MOST_TO_FACTORISE {
        return Some(format!(
            "it factorises: run on more than {MOST_TO_FACTORISE} contacts only if named"
        ));
    }
    method.refuses(problem)
}

fn one(
    problem: &ContactProblem,
    bandwidth: f64,
    name: &str,
    plan: &Plan,
    watch: &mut dyn Watch,
) -> SolverFigures {
    let method = methods::by_name(name).expect("looked up before");
    let mut left = plan.time_limit;
    let mut figures = SolverFigures {
        solver: name.to_string(),
        skipped: None,
        ns_per_contact_iteration: None,
        times_bound: None,
        solves: Vec::new(),
    };
    for &error in &plan.errors {
        let mut clock = IterationClock::new(watch, left);
        let (solve, passes) = match solve_to(problem, &*method, error, plan, &mut clock) {
            Ok(found) => found,
            Err(reason) => {
                figures.skipped = Some(reason);
                break;
            }
        };
        let contacts = problem.contacts().max(1) as f64;
        if let Some(seconds) = clock.seconds_per_iteration() {
            let ns = 1e9 * seconds / contacts;
            let bound = 1e9 * PASS_BYTES * passes / bandwidth;
            figures.ns_per_contact_iteration = Some(ns);
            figures.times_bound = (bound > 0.0).then_some(ns / bound);
        }
        left -= solve.cpu_seconds;
        let reached = solve.reached;
        figures.solves.push(solve);
        if !reached || left <= 0.0 || watch.stopped() {
            break;
        }
    }
    figures
}

/// One solve from zero, and the passes over the contacts that an iteration made.
fn solve_to(
    problem: &ContactProblem,
    method: &dyn ContactSolver,
    error: f64,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<(SolveFigures, f64), String> {
    let settings = Settings {
        tolerance: error,
        // The observer counts CPU time; this is for methods that are long in showing themselves.
        time_limit: Some(SLOWEST_CLOCK * plan.time_limit),
        measure: plan.measure,
        check_interval: if method.name() == REFERENCE {
            1
        } else {
            CHECK_INTERVAL
        },
        all_measures: false,
        ..Settings::default()
    };
    let mut impulses = vec![0.0; problem.dimension()];
    let report = solve(problem, LAW, method, &settings, &mut impulses, observer)
        .map_err(|error| error.to_string())?;
    let figures = SolveFigures {
        error,
        reached: report.status == Status::Converged,
        iterations: report.iterations,
        cpu_seconds: report.cpu_seconds,
        ratio_to_apgd: None,
        apgd_reached: false,
    };
    let passes = report.products as f64 / report.iterations.max(1) as f64;
    Ok((figures, passes))
}

fn set_beside_reference(figures: &mut [SolverFigures]) {
    let Some(reference) = figures.first().map(|f| f.solves.clone()) else {
        return;
    };
    let spent: f64 = reference.iter().map(|solve| solve.cpu_seconds).sum();
    for solve in figures.iter_mut().flat_map(|f| &mut f.solves) {
        let same = reference
            .iter()
            .find(|other| other.error == solve.error && other.reached);
        solve.apgd_reached = same.is_some();
        let beside = same.map_or(spent, |other| other.cpu_seconds);
        solve.ratio_to_apgd = (solve.reached && beside > 0.0).then_some(solve.cpu_seconds / beside);
    }
}

/// Sees iterations go by and what they cost, and ends the solve when its CPU time is used up.
struct IterationClock<'a> {
    watch: &'a mut dyn Watch,
    began: ProcessTime,
    limit: f64,
    first: Option<(usize, f64)>,
    last: (usize, f64),
}

impl<'a> IterationClock<'a> {
    fn new(watch: &'a mut dyn Watch, limit: f64) -> Self {
        Self {
            watch,
            limit,
            began: ProcessTime::now(),
            first: None,
            last: (0, 0.0),
        }
    }

    /// CPU seconds between the first and the last iteration that were seen, for each.
    fn seconds_per_iteration(&self) -> Option<f64> {
        let (iteration, seconds) = self.first?;
        let count = self.last.0 - iteration;
        (count > 0).then(|| (self.last.1 - seconds) / count as f64)
    }
}

impl Observer for IterationClock<'_> {
    fn iteration(&mut self, record: &IterationRecord) -> ControlFlow<()> {
        let now = (record.iteration, self.began.elapsed().as_secs_f64());
        self.first.get_or_insert(now);
        self.last = now;
        if now.1 > self.limit {
            return ControlFlow::Break(());
        }
        self.watch.iteration(record)
    }
}
