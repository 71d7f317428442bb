//! Several methods on one problem, from zero impulses, for a number of iterations.

use crate::context::{Context, Solved};
use crate::outcome::Data;
use crate::study::StudyError;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::residual::Measure;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::ContactSolver;
use moreau_plots::Series;

/// What is asked of every method.
pub struct Race<'a> {
    /// The problem.
    pub problem: &'a ContactProblem,
    /// The law.
    pub law: FrictionLaw,
    /// What is measured.
    pub measure: Measure,
    /// A method that gets below this may stop.
    pub tolerance: f64,
    /// Iterations.
    pub iterations: usize,
    /// Seconds for each method; `None` for as long as it takes.
    pub seconds: Option<f64>,
}

/// A method under a name, which tells its variants apart.
pub struct Runner {
    /// The name in tables and legends.
    pub label: String,
    /// The method.
    pub method: Box<dyn ContactSolver>,
}

impl Runner {
    /// A variant of a method under a name of its own.
    pub fn new(label: &str, method: impl ContactSolver + 'static) -> Self {
        Self {
            label: label.into(),
            method: Box::new(method),
        }
    }

    /// The methods of these names with their default settings.
    ///
    /// # Errors
    /// When there is none of a name.
    pub fn named(names: &[&str]) -> Result<Vec<Self>, StudyError> {
        let one = |name: &&str| {
            let method = methods::by_name(name).map_err(StudyError::Settings)?;
            Ok(Self {
                label: name.to_string(),
                method,
            })
        };
        names.iter().map(one).collect()
    }
}

impl Race<'_> {
    /// Lets one method run.
    ///
    /// # Errors
    /// When the method cannot take the problem or somebody asked to stop.
    pub fn run(&self, context: &mut Context, runner: &Runner) -> Result<Solved, StudyError> {
        let settings = Settings {
            tolerance: self.tolerance,
            max_iterations: Some(self.iterations),
            time_limit: self.seconds,
            measure: self.measure,
            ..Settings::default()
        };
        context.solve(
            self.problem,
            self.law,
            runner.method.as_ref(),
            &settings,
            &runner.label,
        )
    }
}

/// What the curves go over.
#[derive(Clone, Copy)]
pub enum Over {
    /// Iterations.
    Iterations,
    /// Products with N; a sweep counts as one.
    Products,
}

/// The best error so far: what a method would return if it were stopped there.
pub fn best_errors(label: &str, solved: &Solved, over: Over) -> Series {
    let mut best = f64::INFINITY;
    let records = solved.report.history.records().map(|record| {
        best = best.min(record.error);
        let work = match over {
            Over::Iterations => record.iteration,
            Over::Products => record.products,
        };
        (work as f64, best)
    });
    Series {
        label: label.into(),
        points: records.collect(),
    }
}

/// Series as a table of (series, x, y), the series by its number.
pub fn data(name: &str, x: &str, y: &str, series: &[Series]) -> Data {
    let labels: Vec<_> = series.iter().map(|s| s.label.as_str()).collect();
    Data {
        name: name.into(),
        heads: vec![
            format!("series ({})", labels.join(" / ")),
            x.into(),
            y.into(),
        ],
        rows: series
            .iter()
            .enumerate()
            .flat_map(|(k, s)| s.points.iter().map(move |p| vec![k as f64, p.0, p.1]))
            .collect(),
    }
}
