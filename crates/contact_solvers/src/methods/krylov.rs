//! Conjugate gradients and minimum residuals for joints: the linear case.
//!
//! Where every block is a joint the admissible set is the whole space, its normal cone is {0}, and all three
//! laws say the same: u = Nγ + r = 0. Tasora (2013, §1) notes that this is a linear problem for "iterative
//! solvers of Krylov type, such as CG or MINRES", and compares his projected method with them (his Fig. 3).
//!
//! ```text
//!   N γ = −r,   N symmetric and positive semidefinite, preconditioned by P = diag(N) or its block averages
//! ```
//!
//! With redundant joints N is singular. The system is consistent whenever the joints do not contradict each
//! other, and then both methods converge from any start: all residuals stay in the range of N. Where joints do
//! contradict each other no γ exists; CG then breaks down and MINRES ends at the least |u|, and both say so by
//! the status.
//!
//! The methods themselves are [`moreau_algebra::krylov`]'s. Their recurrence knows the residual −r − Nγ = −u
//! for nothing, so an iteration costs one product; but a recurrence drifts from the truth, so an iterate
//! that seems good enough is judged by a u computed afresh, and if that fails the method starts again from it.
//!
//! A. Tasora, *Efficient simulation of contacts, friction and constraints using a modified spectral projected
//! gradient method*, 2013.

use crate::cones::Cone;
use crate::law::FrictionLaw;
use crate::monitor::{Monitor, broken};
use crate::problem::ContactProblem;
use crate::solver::ContactSolver;
use crate::status::Status;
use moreau_algebra::krylov::{
    CgWorkspace, Diagonal, MinresWorkspace, Report, Settings, Status as LinearStatus, Step,
    cg_observed, minres_observed,
};
use moreau_algebra::operator::LinearOperator;
use std::ops::ControlFlow;
use std::sync::Mutex;

/// P, by which the system is preconditioned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Preconditioner {
    /// None.
    Identity,
    /// The diagonal of N.
    #[default]
    Diagonal,
    /// The diagonal of N averaged over each block, as Tasora does it for cones.
    BlockAverage,
}

/// Settings of conjugate gradients for joints.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Cg {
    /// The preconditioner. Default: the diagonal.
    pub preconditioner: Preconditioner,
}

/// Settings of minimum residuals for joints.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Minres {
    /// The preconditioner. Default: the diagonal.
    pub preconditioner: Preconditioner,
}

const LAWS: &[FrictionLaw] = &[FrictionLaw::Relaxed, FrictionLaw::Coulomb, FrictionLaw::Box];

impl ContactSolver for Cg {
    fn name(&self) -> &'static str {
        "cg"
    }

    fn summary(&self) -> &'static str {
        "conjugate gradients for problems of joints only"
    }

    fn laws(&self) -> &'static [FrictionLaw] {
        LAWS
    }

    fn refuses(&self, problem: &ContactProblem) -> Option<String> {
        refuses(problem)
    }

    fn takes_equations_only(&self) -> bool {
        true
    }

    fn needs_symmetry(&self, _law: FrictionLaw) -> bool {
        true
    }

    fn default_max_iterations(&self) -> usize {
        100_000
    }

    fn run(
        &self,
        problem: &ContactProblem,
        _law: FrictionLaw,
        impulses: &mut [f64],
        monitor: &mut Monitor,
    ) -> Status {
        let mut workspace = CgWorkspace::new();
        solve_joints(
            problem,
            self.preconditioner,
            impulses,
            monitor,
            &mut |system, p, rhs, x, settings, observer| {
                cg_observed(system, p, rhs, x, settings, &mut workspace, observer)
            },
        )
    }
}

impl ContactSolver for Minres {
    fn name(&self) -> &'static str {
        "minres"
    }

    fn summary(&self) -> &'static str {
        "minimum residuals for problems of joints only, singular ones included"
    }

    fn laws(&self) -> &'static [FrictionLaw] {
        LAWS
    }

    fn refuses(&self, problem: &ContactProblem) -> Option<String> {
        refuses(problem)
    }

    fn takes_equations_only(&self) -> bool {
        true
    }

    fn needs_symmetry(&self, _law: FrictionLaw) -> bool {
        true
    }

    fn default_max_iterations(&self) -> usize {
        100_000
    }

    fn run(
        &self,
        problem: &ContactProblem,
        _law: FrictionLaw,
        impulses: &mut [f64],
        monitor: &mut Monitor,
    ) -> Status {
        let mut workspace = MinresWorkspace::new();
        solve_joints(
            problem,
            self.preconditioner,
            impulses,
            monitor,
            &mut |system, p, rhs, x, settings, observer| {
                minres_observed(system, p, rhs, x, settings, &mut workspace, observer)
            },
        )
    }
}

/// The first block that makes the problem nonlinear.
fn refuses(problem: &ContactProblem) -> Option<String> {
    let block = problem.cones().iter().position(|cone| match *cone {
        Cone::Bilateral { .. } => false,
        Cone::Box { lower, upper } => lower > f64::NEG_INFINITY || upper < f64::INFINITY,
        _ => true,
    })?;
    let what = if problem.cones()[block].is_contact() {
        "a contact"
    } else {
        "a bounded row"
    };
    Some(format!(
        "block {block} is {what}, and a linear solver takes joints only; spg is as fast on joints and takes \
         contacts too (relaxed law), gauss_seidel and quasi_newton take them under Coulomb's law"
    ))
}

/// A Krylov method: operator, preconditioner, right-hand side, start, settings, observer.
type Method<'a> = dyn FnMut(
        &dyn LinearOperator,
        &dyn LinearOperator,
        &[f64],
        &mut [f64],
        &Settings,
        &mut dyn FnMut(Step) -> ControlFlow<()>,
    ) -> Report
    + 'a;

/// Solves N γ = −r by one of the two methods, the monitor watching.
fn solve_joints(
    problem: &ContactProblem,
    preconditioner: Preconditioner,
    impulses: &mut [f64],
    monitor: &mut Monitor,
    method: &mut Method,
) -> Status {
    let system = System {
        problem,
        state: Mutex::new(vec![0.0; problem.state_length()]),
    };
    let inverse = Diagonal(inverse_of(problem, preconditioner));
    let rhs: Vec<f64> = problem.free_velocity().iter().map(|r| -r).collect();
    let mut velocity = vec![0.0; problem.dimension()];
    system.velocity(impulses, &mut velocity);
    monitor.products += 1;
    if let Some(status) = broken(monitor.start(impulses, &velocity)) {
        return status;
    }
    // Only the monitor ends it: the residual that the method stops on is unreachable.
    let settings = Settings {
        absolute_tolerance: 0.0,
        relative_tolerance: 0.0,
        max_iterations: usize::MAX,
    };
    loop {
        let mut verdict = None;
        let mut observer = |step: Step| {
            monitor.products += 1;
            if monitor.is_due() {
                for (u, residual) in velocity.iter_mut().zip(step.residual_vector) {
                    *u = -residual;
                }
                let measured = monitor.measure(step.x, &velocity);
                if measured.error <= monitor.settings().tolerance {
                    system.velocity(step.x, &mut velocity);
                    monitor.products += 1;
                    verdict = broken(monitor.check(step.x, &velocity, f64::NAN));
                    return ControlFlow::Break(());
                }
            }
            verdict = broken(monitor.check(step.x, &velocity, f64::NAN));
            match verdict {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        };
        let report = method(&system, &inverse, &rhs, impulses, &settings, &mut observer);
        match (verdict, report.status) {
            (Some(status), _) => return status,
            // The recurrence had drifted: start again from here.
            (None, LinearStatus::Stopped) => {
                monitor.products += 1;
                continue;
            }
            (None, status) => {
                system.velocity(impulses, &mut velocity);
                monitor.products += 1;
                if let Some(status) = broken(monitor.start(impulses, &velocity)) {
                    return status;
                }
                if status == LinearStatus::NumericalFailure {
                    return Status::NumericalFailure;
                }
                monitor.notes.push(
                    "the method broke down: N is not positive semidefinite to working precision, or the \
                     joints contradict each other"
                        .into(),
                );
                return Status::Stalled;
            }
        }
    }
}

/// The reciprocals of P, one per row.
fn inverse_of(problem: &ContactProblem, preconditioner: Preconditioner) -> Vec<f64> {
    let diagonal = problem.diagonal();
    let mut inverse = vec![1.0; problem.dimension()];
    for block in 0..problem.blocks() {
        let rows = problem.rows(block);
        let d = rows.len();
        for (k, value) in inverse[rows].iter_mut().enumerate() {
            let entry = diagonal.block(block)[k * d + k];
            *value = match preconditioner {
                Preconditioner::Identity => 1.0,
                Preconditioner::Diagonal if entry > 0.0 => 1.0 / entry,
                _ => 1.0 / problem.mean_diagonal()[block],
            };
        }
    }
    inverse
}

/// N + E with room for the state, so that products allocate nothing.
struct System<'a> {
    problem: &'a ContactProblem,
    state: Mutex<Vec<f64>>,
}

impl System<'_> {
    fn velocity(&self, impulses: &[f64], velocity: &mut [f64]) {
        let mut state = self.state.lock().expect("no product panicked");
        self.problem.velocity(impulses, &mut state, velocity);
    }
}

impl LinearOperator for System<'_> {
    fn dimension(&self) -> usize {
        self.problem.dimension()
    }

    fn apply(&self, x: &[f64], result: &mut [f64]) {
        let mut state = self.state.lock().expect("no product panicked");
        self.problem.product(x, &mut state, result);
    }
}
