//! The JSON that programs read. Its keys are stable: keys may be added, none is renamed or removed.

use crate::failure::Failure;
use moreau_contact_solvers::report::SolveReport;
use serde::Serialize;

/// One solve. Numbers that are not finite become null.
#[derive(Serialize)]
pub struct Run {
    problem: String,
    contacts: usize,
    law: &'static str,
    solver: &'static str,
    status: &'static str,
    iterations: usize,
    products: usize,
    seconds: f64,
    error: f64,
    errors: Errors,
    objective: f64,
    cpu_seconds: f64,
    measure: &'static str,
    tolerance: f64,
    threads: usize,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Errors {
    natural: f64,
    energy: f64,
    mazhar: f64,
    tasora: f64,
    silcowitz: f64,
    koziara: f64,
    de: De,
    gap: Option<f64>,
    max: f64,
    max_contact: Option<usize>,
}

#[derive(Serialize)]
struct De {
    primal: f64,
    dual: f64,
    complementarity: f64,
}

impl Run {
    /// What the report of a solve says.
    pub fn new(problem: &str, contacts: usize, tolerance: f64, report: &SolveReport) -> Self {
        let errors = &report.errors;
        Self {
            problem: problem.to_string(),
            contacts,
            law: report.law.name(),
            solver: report.method,
            status: report.status.name(),
            iterations: report.iterations,
            products: report.products,
            seconds: report.seconds,
            error: report.error(),
            errors: Errors {
                natural: errors.natural,
                energy: errors.energy,
                mazhar: errors.mazhar,
                tasora: errors.tasora,
                silcowitz: errors.silcowitz,
                koziara: errors.koziara,
                de: De {
                    primal: errors.de.primal,
                    dual: errors.de.dual,
                    complementarity: errors.de.complementarity,
                },
                gap: errors.gap,
                max: errors.max.error,
                max_contact: errors.max.contact,
            },
            objective: errors.objective,
            cpu_seconds: report.cpu_seconds,
            measure: report.measure.name(),
            tolerance,
            threads: rayon::current_num_threads(),
            notes: report.notes.clone(),
        }
    }
}

/// A value as indented JSON with a final newline.
pub fn text(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(value)
        .map(|text| text + "\n")
        .map_err(|error| Failure::new(format!("cannot state the result as JSON: {error}")))
}
