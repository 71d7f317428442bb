//! The door to every method: [`solve`], and the list of methods by name.

use crate::approach::largest_approach;
use crate::islands::solve_islands;
use crate::law::FrictionLaw;
use crate::methods;
use crate::monitor::Monitor;
use crate::observer::Observer;
use crate::problem::{ContactProblem, SYMMETRY_TOLERANCE};
use crate::report::SolveReport;
use crate::residual::{Evaluation, Measure, measure_of};
use crate::rigid_form::RigidForm;
use crate::settings::Settings;
use crate::status::Status;
use cpu_time::ProcessTime;
use moreau_algebra::copies::copy_over;
use moreau_algebra::pool;
use moreau_algebra::reduction::first_not_finite;
use thiserror::Error;

/// A method for contact problems. Its fields are its settings.
pub trait ContactSolver: Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// One line for lists: what it is and what it is good for.
    fn summary(&self) -> &'static str;

    /// The laws it can solve, its natural one first.
    fn laws(&self) -> &'static [FrictionLaw];

    /// Why this method cannot take this problem, if it cannot.
    fn refuses(&self, _problem: &ContactProblem) -> Option<String> {
        None
    }

    /// Whether it solves equations alone: joints without limits or bounded forces, and no contacts.
    fn takes_equations_only(&self) -> bool {
        false
    }

    /// Whether Nγ + r must be a gradient under this law: then N is symmetrised first.
    fn needs_symmetry(&self, law: FrictionLaw) -> bool {
        law == FrictionLaw::Relaxed
    }

    /// Iterations allowed when the user names no number.
    fn default_max_iterations(&self) -> usize;

    /// Improves `impulses`, the starting point, until the monitor says stop. The problem has no
    /// cohesion. The best iterate is kept by the monitor.
    fn run(
        &self,
        problem: &ContactProblem,
        law: FrictionLaw,
        impulses: &mut [f64],
        monitor: &mut Monitor,
    ) -> Status;
}

/// Why a solve could not begin.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SolveError {
    /// A method that does not know the law.
    #[error(
        "{method} cannot solve the {law} law; it solves {possible}. Methods for the {law} law: {others}"
    )]
    Law {
        /// The method.
        method: &'static str,
        /// The law asked for.
        law: FrictionLaw,
        /// The laws it knows.
        possible: String,
        /// The methods that know that law.
        others: String,
    },
    /// A problem that the method cannot take.
    #[error("{method} cannot take this problem: {reason}")]
    Problem {
        /// The method.
        method: &'static str,
        /// Why.
        reason: String,
    },
    /// A starting point of the wrong length or with NaN.
    #[error("the starting impulses {reason}")]
    Start {
        /// What is wrong with them.
        reason: String,
    },
    /// A tolerance or limit that makes no sense.
    #[error("{what} is {value}; {right}")]
    Setting {
        /// Which setting.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        right: &'static str,
    },
    /// A measure that the law does not have.
    #[error("the duality gap exists for the relaxed law only; ask for another measure")]
    GapNeedsRelaxedLaw,
}

/// Solves a contact problem. `impulses` is the starting point (zeros for a cold start) and, after
/// the call, the best impulses that were found, whatever the status.
///
/// ```
/// use moreau_algebra::sparse::SparseMatrix;
/// use moreau_contact_solvers::{cones::Cone, law::FrictionLaw, problem::ContactProblem};
/// use moreau_contact_solvers::{methods, observer::Silent, settings::Settings, solver::solve, status::Status};
/// // A unit cube slides on the floor; friction 0.3 slows it by 0.3 times the normal impulse 1.
/// let w = SparseMatrix::from_triplets(3, 3, &[(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0)]);
/// let problem =
///     ContactProblem::assembled(vec![Cone::Friction { friction: 0.3 }], &w, vec![-1.0, 2.0, 0.0])?;
/// let mut impulses = vec![0.0; 3];
/// let method = methods::GaussSeidel::default();
/// let report =
///     solve(&problem, FrictionLaw::Coulomb, &method, &Settings::default(), &mut impulses, &mut Silent)?;
/// assert_eq!(report.status, Status::Converged);
/// assert!((impulses[0] - 1.0).abs() < 1e-12 && (impulses[1] + 0.3).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(
    problem: &ContactProblem,
    law: FrictionLaw,
    solver: &dyn ContactSolver,
    settings: &Settings,
    impulses: &mut [f64],
    observer: &mut dyn Observer,
) -> Result<SolveReport, SolveError> {
    check(problem, law, solver, settings, impulses)?;
    pool::inside(problem.dimension(), || {
        solve_checked(problem, law, solver, settings, impulses, observer)
    })
}

fn solve_checked(
    problem: &ContactProblem,
    law: FrictionLaw,
    solver: &dyn ContactSolver,
    settings: &Settings,
    impulses: &mut [f64],
    observer: &mut dyn Observer,
) -> Result<SolveReport, SolveError> {
    if settings.islands
        && let Some(report) = solve_islands(problem, law, solver, settings, impulses, observer)?
    {
        return Ok(report);
    }
    let cpu = ProcessTime::now();
    let started = std::time::Instant::now();
    let mut notes = Vec::new();

    // What the method sees: cones with their apex at the origin, and a symmetric N if it needs one.
    let mut posed = problem.without_cohesion();
    let mut judged = problem.clone();
    if solver.needs_symmetry(law) {
        let asymmetry = problem.asymmetry();
        if asymmetry > SYMMETRY_TOLERANCE {
            notes.push(format!(
                "W is not symmetric (relative asymmetry {asymmetry:.1e}): solved with (W + Wᵀ)/2, and \
                 the errors are of that problem"
            ));
            posed = posed.symmetrized();
            judged = judged.symmetrized();
        }
    }
    problem.add_cohesion(1.0, impulses);
    // Contacts of rigid bodies by normals and arms: the same problem, but for the directions of the tangents.
    let form = match law {
        FrictionLaw::Box => None,
        _ => RigidForm::of(&posed),
    };
    if let Some(form) = &form {
        posed = form.problem.clone();
        form.enter(impulses);
    }

    let limit = settings
        .max_iterations
        .unwrap_or(solver.default_max_iterations());
    let mut monitor = Monitor::new(&posed, law, settings, limit, observer);
    let mut status = if posed.blocks() == 0 {
        notes.push("no contacts: nothing to solve".into());
        Status::Converged
    } else if posed.blocks() <= WORTH_A_LOOK
        && starts_at_a_solution(&posed, law, settings, impulses, &mut monitor)
    {
        Status::Converged
    } else {
        solver.run(&posed, law, impulses, &mut monitor)
    };
    let watched = monitor.finish();
    if let Some(best) = watched.best {
        copy_over(impulses, &best);
    }
    if let Some(form) = &form {
        form.leave(impulses);
    }
    notes.extend(watched.notes);
    problem.add_cohesion(-1.0, impulses);

    // The referee has the last word.
    let evaluation = Evaluation::new(&judged, law, impulses);
    let errors = if settings.all_measures {
        evaluation.errors(&settings.measures)
    } else {
        evaluation.one_error(settings.measure, &settings.measures)
    };
    let approach = largest_approach(&judged, &settings.approach_limits, evaluation.velocity());
    let confirmed = errors.get(settings.measure) <= settings.tolerance && approach <= 1.0;
    if status == Status::Converged && !confirmed {
        notes.push("the referee does not confirm the method's own error".into());
        status = Status::Stalled;
    } else if confirmed && status != Status::Stopped {
        status = Status::Converged;
    }
    let gap = errors.gap.unwrap_or(0.0);
    if status == Status::Converged && settings.measure != Measure::Gap && gap > LARGE_GAP {
        notes.push(format!(
            "the duality gap is {:.0} % of the objective's terms: forces through heavy bodies may be far off; a smaller tolerance, or the \
             measure `gap`, asks for them",
            100.0 * gap
        ));
    }
    Ok(SolveReport {
        method: solver.name(),
        law,
        status,
        iterations: watched.iterations,
        products: watched.products,
        seconds: started.elapsed().as_secs_f64(),
        cpu_seconds: cpu.elapsed().as_secs_f64(),
        measure: settings.measure,
        errors,
        approach,
        history: watched.history,
        notes,
    })
}

/// A duality gap that is told although another measure is content: a sum over contacts hides one heavy body that nothing carries.
const LARGE_GAP: f64 = 0.1;

/// Blocks up to which the starting point is judged before a method sets itself up. Many contacts are hardly ever all solved
/// by what they needed before, and every method judges where it begins.
const WORTH_A_LOOK: usize = 2000;

/// Whether there is nothing to do, before any method sets itself up: the usual case of a body at rest, whose impulses
/// are those of the step before.
fn starts_at_a_solution(
    problem: &ContactProblem,
    law: FrictionLaw,
    settings: &Settings,
    impulses: &[f64],
    monitor: &mut Monitor,
) -> bool {
    let mut velocity = problem.free_velocity().to_vec();
    if impulses.iter().any(|&x| x != 0.0) {
        let mut state = vec![0.0; problem.state_length()];
        problem.velocity(impulses, &mut state, &mut velocity);
        monitor.products += 1;
    }
    let error = measure_of(
        problem,
        law,
        settings.measure,
        &settings.measures,
        impulses,
        &velocity,
    );
    error <= settings.tolerance && monitor.start(impulses, &velocity).is_break()
}

fn check(
    problem: &ContactProblem,
    law: FrictionLaw,
    solver: &dyn ContactSolver,
    settings: &Settings,
    impulses: &[f64],
) -> Result<(), SolveError> {
    let method = solver.name();
    if !solver.laws().contains(&law) {
        let others: Vec<_> = methods::all()
            .iter()
            .filter(|m| m.laws().contains(&law))
            .map(|m| m.name())
            .collect();
        let possible: Vec<_> = solver.laws().iter().map(|law| law.name()).collect();
        return Err(SolveError::Law {
            method,
            law,
            possible: possible.join(" and "),
            others: others.join(", "),
        });
    }
    if let Some(reason) = solver.refuses(problem) {
        return Err(SolveError::Problem { method, reason });
    }
    if impulses.len() != problem.dimension() {
        let reason = format!(
            "have length {}; the problem has {} rows",
            impulses.len(),
            problem.dimension()
        );
        return Err(SolveError::Start { reason });
    }
    if let Some(index) = first_not_finite(impulses) {
        return Err(SolveError::Start {
            reason: format!("hold {} at row {index}", impulses[index]),
        });
    }
    if !(settings.tolerance >= 0.0 && settings.tolerance.is_finite()) {
        return Err(SolveError::Setting {
            what: "tolerance",
            value: settings.tolerance,
            right: "it must be a finite number, zero or more",
        });
    }
    if settings.check_interval == 0 {
        return Err(SolveError::Setting {
            what: "check interval",
            value: 0.0,
            right: "it must be at least 1",
        });
    }
    if let Some(limit) = settings.time_limit.filter(|limit| !(*limit >= 0.0)) {
        return Err(SolveError::Setting {
            what: "time limit",
            value: limit,
            right: "it must be zero seconds or more",
        });
    }
    if settings.measure == crate::residual::Measure::Gap && law != FrictionLaw::Relaxed {
        return Err(SolveError::GapNeedsRelaxedLaw);
    }
    Ok(())
}
