//! `moreau solvers`: the list of methods.

use crate::failure::{Failure, Outcome};
use crate::options::DEFAULT_SOLVER;
use crate::{json, output, table};
use clap::Args;
use moreau_contact_solvers::methods;
use serde::Serialize;

/// What `moreau solvers` is told.
#[derive(Args)]
pub struct Arguments {
    /// Print JSON for programs instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    laws: Vec<&'static str>,
    summary: &'static str,
    max_iterations: usize,
}

/// Lists the solvers.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let entries: Vec<_> = methods::all()
        .iter()
        .map(|method| Entry {
            name: method.name(),
            laws: method.laws().iter().map(|law| law.name()).collect(),
            summary: method.summary(),
            max_iterations: method.default_max_iterations(),
        })
        .collect();
    if arguments.json {
        output::print(&json::text(&entries)?)?;
        return Ok(Outcome::Converged);
    }
    let mut list = table::table(
        &["solver", "laws, natural one first", "what it is"],
        &[0, 1, 2],
    );
    for entry in &entries {
        list.add_row([entry.name, &entry.laws.join(", "), entry.summary]);
    }
    output::print(&format!(
        "{}\nUsed when none is named: {}\n",
        table::text(&list),
        DEFAULT_SOLVER
    ))?;
    Ok(Outcome::Converged)
}
