//! Steps of a run solved again with other parameters, each from the impulses of the step before: Koziara 2017, Tables 2 and 4.

use glam::DVec3;
use moreau_contact_solvers::delassus::contact_frame;
use moreau_contact_solvers::methods::QuasiNewton;
use moreau_contact_solvers::methods::quasi_newton::Regularisation;
use moreau_contact_solvers::observer::Silent;
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::residual::Measure;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::solve;
use moreau_dynamics::simulation::Simulation;
use moreau_dynamics::step_report::StepReport;
use moreau_dynamics::warm_start::WarmStart;

/// A step out of so many is solved again.
const EVERY: u64 = 20;

/// Newton's method of δ and m, scaled or not; ε is 0.25, as in the tables.
pub fn published_method(regularisation: Regularisation, m: usize, scaled: bool) -> QuasiNewton {
    QuasiNewton {
        regularisation,
        linear_tolerance: 0.25,
        linear_iterations: m,
        scaled,
        ..QuasiNewton::default()
    }
}

/// Parameters of Newton's method, and what was counted with them.
pub struct Replayed {
    method: QuasiNewton,
    solves: usize,
    converged: usize,
    iterations: usize,
    /// CPU seconds of the solves, and of the rest of the same steps.
    seconds: f64,
    rest: f64,
}

impl Replayed {
    /// Of δ, m and whether the method is scaled; ε is 0.25.
    fn new(regularisation: Regularisation, m: usize, scaled: bool) -> Self {
        Self {
            method: published_method(regularisation, m, scaled),
            solves: 0,
            converged: 0,
            iterations: 0,
            seconds: 0.0,
            rest: 0.0,
        }
    }

    /// Table 2: δ = 1e-4 itself, in the units of the author's code; the scene sees to it that they are those of W.
    pub fn table_2() -> Self {
        Self::new(Regularisation::Absolute(1e-4), 15, false)
    }

    /// Table 4: δ relative to the smallest, the average and the largest W_ii.
    pub fn table_4() -> [Self; 3] {
        [
            (Regularisation::RelativeToSmallest(0.025), 15),
            (Regularisation::RelativeToAverage(0.01), 10),
            (Regularisation::RelativeToLargest(0.01), 20),
        ]
        .map(|(regularisation, m)| Self::new(regularisation, m, true))
    }

    /// Iterations of a solve that converged; NaN if none did.
    pub fn per_step(&self) -> f64 {
        self.iterations as f64 / self.converged as f64
    }

    /// The share of the steps in which Newton alone did not converge.
    pub fn diverged(&self) -> f64 {
        1.0 - self.converged as f64 / self.solves as f64
    }

    /// The solver's share of the CPU time.
    pub fn share(&self) -> f64 {
        self.seconds / (self.seconds + self.rest)
    }

    /// CPU seconds of a step.
    pub fn step_seconds(&self) -> f64 {
        (self.seconds + self.rest) / self.solves as f64
    }

    fn solve(&mut self, problem: &ContactProblem, start: &[f64], step: (&Simulation, &StepReport)) {
        let (simulation, report) = step;
        let settings = Settings {
            tolerance: simulation.settings().solver.tolerance,
            max_iterations: simulation.settings().solver.max_iterations,
            measure: Measure::Koziara,
            ..Settings::default()
        };
        let mut impulses = start.to_vec();
        let law = simulation.settings().solver.law;
        let solved = solve(
            problem,
            law,
            &self.method,
            &settings,
            &mut impulses,
            &mut Silent,
        );
        self.solves += 1;
        self.rest += report.cpu_times.total() - report.cpu_times.solve;
        let Ok(solved) = solved else { return };
        self.seconds += solved.cpu_seconds;
        // A step in which nothing pushes is solved before Newton begins, and has no note.
        let fell_back = solved.notes.iter().any(|note| note.contains("1 fallback"));
        if !fell_back && solved.error() <= settings.tolerance {
            self.converged += 1;
            self.iterations += solved.iterations;
        }
    }
}

/// Solves some steps of a run again.
pub struct Replay<'a> {
    /// The impulses of the last step.
    warm: WarmStart,
    parameters: &'a mut [Replayed],
}

impl<'a> Replay<'a> {
    /// With these parameters, which the counts are added to.
    pub fn new(parameters: &'a mut [Replayed]) -> Self {
        Self {
            warm: WarmStart::default(),
            parameters,
        }
    }

    /// Takes a step that has been made.
    pub fn after(&mut self, simulation: &Simulation, report: &StepReport) {
        let Some(problem) = simulation.last_problem() else {
            return;
        };
        let contacts = simulation.contacts();
        if report.step.is_multiple_of(EVERY) {
            let mut start = vec![0.0; problem.dimension()];
            for (block, contact) in contacts.iter().enumerate() {
                let Some(known) = self.warm.find(contact) else {
                    continue;
                };
                let axes = contact_frame(contact.normal.to_array()).map(DVec3::from_array);
                for (row, axis) in start[problem.rows(block)].iter_mut().zip(axes) {
                    *row = axis.dot(known.linear);
                }
            }
            for replayed in self.parameters.iter_mut() {
                replayed.solve(problem, &start, (simulation, report));
            }
        }
        let impulses = simulation.last_impulses();
        let bodies = simulation.bodies().len();
        self.warm
            .store(bodies, contacts, |index| &impulses[problem.rows(index)]);
    }
}
