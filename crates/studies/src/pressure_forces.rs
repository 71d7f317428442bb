//! Which solvers really carry the slab: the force under it at each level of the residual.

use crate::context::Context;
use crate::outcome::{Entry, Outcome, Table};
use crate::pressure::Bed;
use crate::race::{Race, Runner};
use crate::study::{Scale, StudyError};
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::residual::{Evaluation, Measure};
use moreau_contact_solvers::status::Status;

/// Shares of the first residual.
const LEVELS: [f64; 4] = [1e-1, 1e-2, 1e-3, 1e-4];
/// Weight of the slab, in N.
const WEIGHT: f64 = 1000.0 * 9.81;
/// A slab is carried when the force is right to this.
const CARRIED: f64 = 0.01;

/// Adds the table and its verdicts. Gives how many solvers carry the slab where they end, and how many there are.
pub fn table(
    context: &mut Context,
    bed: &Bed,
    outcome: &mut Outcome,
) -> Result<(usize, usize), StudyError> {
    let problem = &bed.problem;
    let iterations = context.scale.pick(1500, 10_000, 20_000);
    // What is known by its iterations does not depend on the machine; the clock only guards large runs.
    let seconds_each = context.scale.pick(None, Some(10.0), Some(60.0));
    let race = |measure, tolerance| Race {
        problem,
        law: FrictionLaw::Relaxed,
        measure,
        tolerance,
        iterations,
        seconds: seconds_each,
    };
    context.at(0.8, "the true force")?;
    let strong = Runner::named(&["interior_point"])?;
    let truth = race(Measure::Energy, 1e-9).run(context, &strong[0])?;
    let exact = bed.force(&truth.impulses);
    let zero = vec![0.0; problem.dimension()];
    let first = Evaluation::new(problem, FrictionLaw::Relaxed, &zero)
        .measure(Measure::Mazhar, &Default::default());
    let mut table = Table::new(
        format!(
            "Force under the slab of 1000 kg over its true value {exact:.1} N (weight {WEIGHT:.1} N), where the residual \
             has fallen to a share of its first value {first:.2e}; {iterations} iterations at most"
        ),
        &[
            "solver",
            "1e-1",
            "1e-2",
            "1e-3",
            "1e-4",
            "iterations of the last",
            "seconds",
            "carries the slab",
        ],
    );
    let (mut carry, mut solvers) = (0, 0);
    let mut worst = 0.0f64;
    for method in methods::all() {
        if !method.laws().contains(&FrictionLaw::Relaxed) || method.refuses(problem).is_some() {
            continue;
        }
        let label = method.name().to_string();
        let runner = Runner { label, method };
        let mut row: Vec<Entry> = vec![runner.label.as_str().into()];
        let (mut share, mut count, mut seconds) = (0.0, 0, 0.0);
        for level in LEVELS {
            context.at(0.85, &format!("{} to {level:e}", runner.label))?;
            let solved = race(Measure::Mazhar, level * first).run(context, &runner)?;
            share = bed.force(&solved.impulses) / exact;
            (count, seconds) = (solved.report.iterations, solved.report.seconds);
            if solved.report.status != Status::Converged {
                row.push(format!("not reached ({share:.3})").into());
                break;
            }
            row.push(share.into());
            if level == LEVELS[0] {
                worst = worst.max((share - 1.0).abs());
            }
        }
        row.resize(1 + LEVELS.len(), Entry::Nothing);
        let carries = (share - 1.0).abs() <= CARRIED;
        row.extend([
            count.into(),
            seconds.into(),
            if carries { "yes" } else { "no" }.into(),
        ]);
        carry += usize::from(carries);
        solvers += 1;
        table.row(row);
    }
    outcome.tables.push(table);
    // The few spheres of the smallest bed let the slab tilt: it is not at rest, and its weight is not the truth.
    if context.scale > Scale::Tiny {
        let off = (exact / WEIGHT - 1.0).abs();
        outcome.claim(
            "The true force under the settled slab is its weight, to 5 %",
            off <= 0.05,
            format!("{exact:.1} N against {WEIGHT:.1} N"),
        );
    }
    outcome.claim(
        "A residual of a tenth does not mean that the slab is carried: some solver is off by more than 10 % there",
        worst > 0.1,
        format!("the worst is off by {:.0} %", 100.0 * worst),
    );
    Ok((carry, solvers))
}
