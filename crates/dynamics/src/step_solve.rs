//! The solve of a step: to which tolerance, how long, and when it is interrupted.

use crate::joints::JointBlock;
use crate::settings::Scheme;
use crate::simulation::{Simulation, StepError};
use moreau_contact_solvers::approach::ApproachLimits;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::observer::{IterationRecord, Observer};
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::report::SolveReport;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::solve;
use moreau_contact_solvers::status::Status;
use std::ops::ControlFlow;

/// Iterations that a small system, and one of some size, may take for accuracy beyond the tolerance.
const SMALL_ITERATIONS: usize = 100;
const MIDDLE_ITERATIONS: usize = 300;
/// Iterations after which a larger solve is interrupted to see whether contacts are missing: in an impact some always are,
/// and to go on with them costs less than to find out when it has ended.
const TRIAL_ITERATIONS: usize = 15;
/// … if the error is still so many times the tolerance: others end before anything could be gained.
const FAR: f64 = 5.0;
/// Iterations of a solve, unless the settings say otherwise.
const MOST_ITERATIONS: usize = 3000;

/// Interrupts a solve where it is far from its end after some iterations.
pub(crate) struct Trial {
    /// Error above which it is; infinite when the solve shall go on.
    far: f64,
    /// Iterations that the solve has made before.
    made: usize,
}

impl Trial {
    /// Interrupts a solve to a tolerance.
    pub fn at(tolerance: f64) -> Self {
        Self {
            far: FAR * tolerance,
            made: 0,
        }
    }

    /// Interrupts nothing.
    pub fn never() -> Self {
        Self::going_on_after(0)
    }

    /// Interrupts no more a solve that has made some iterations: they count among those that the settings allow.
    pub fn going_on_after(iterations: usize) -> Self {
        Self {
            far: f64::INFINITY,
            made: iterations,
        }
    }
}

impl Observer for Trial {
    fn iteration(&mut self, record: &IterationRecord) -> ControlFlow<()> {
        if record.iteration >= TRIAL_ITERATIONS {
            if record.error > self.far {
                return ControlFlow::Break(());
            }
            self.far = f64::INFINITY;
        }
        ControlFlow::Continue(())
    }
}

impl Simulation {
    /// How fast each contact may approach and each joint come apart at the end of the solve: so that bodies overlap and
    /// joints are off by no more than the settings allow after the step. Where overlap is meant (compliance, a cap on the
    /// recovery, Moreau's scheme) nothing is asked of contacts.
    pub(crate) fn approach_limits(&self, joints: &[JointBlock], h: f64) -> ApproachLimits {
        let settings = &self.settings;
        let overlaps =
            settings.scheme != Scheme::SymplecticEuler || settings.recovery_speed.is_some();
        if overlaps && joints.is_empty() {
            return ApproachLimits::default();
        }
        let (sizes, materials) = (&self.workspace.sizes, &self.bodies.materials);
        let length = |block: usize| {
            let Some(contact) = self.contacts.get(block) else {
                return joints[block - self.contacts.len()].length;
            };
            let [a, b] = contact.bodies.map(|body| body as usize);
            let soft = || self.materials.pair(materials[a], materials[b]).compliance != 0.0;
            if overlaps || soft() {
                return f64::INFINITY;
            }
            sizes[a].min(sizes[b])
        };
        let limit = |block: usize| settings.solver.overlap_tolerance * length(block) / h;
        ApproachLimits::of(self.contacts.len() + joints.len(), limit)
    }

    pub(crate) fn solve(
        &self,
        problem: &ContactProblem,
        impulses: &mut [f64],
        approach_limits: &ApproachLimits,
        step: u64,
        trial: &mut Trial,
    ) -> Result<SolveReport, StepError> {
        let chosen = &self.settings.solver;
        let method = methods::by_name(&chosen.name).map_err(StepError::Settings)?;
        let small = problem.dimension() <= chosen.small_rows;
        let limit = chosen.max_iterations.unwrap_or(usize::MAX);
        let made_before = trial.made;
        let mut attempt = |tolerance: f64, most: usize, made: usize| {
            let settings = Settings {
                tolerance,
                max_iterations: Some(most.min(limit.saturating_sub(made).max(1))),
                measure: chosen.measure,
                all_measures: false,
                islands: chosen.islands,
                check_interval: if small { 1 } else { 3 },
                approach_limits: approach_limits.clone(),
                ..Settings::default()
            };
            solve(problem, chosen.law, &*method, &settings, impulses, trial)
                .map_err(|reason| StepError::Solve { step, reason })
        };
        let tolerance = chosen.tolerance;
        let more = if small {
            Some((chosen.small_tolerance, SMALL_ITERATIONS))
        } else {
            let middle = problem.dimension() <= chosen.middle_rows;
            middle.then_some((chosen.middle_tolerance, MIDDLE_ITERATIONS))
        };
        let mut iterations = 0;
        if let Some((more, most)) = more.filter(|(more, _)| *more < tolerance) {
            // The promise is the tolerance; what is missed of the extra accuracy is no failure.
            let mut report = attempt(more, most, made_before)?;
            if report.error() <= tolerance && report.approach <= 1.0 {
                report.status = Status::Converged;
                return Ok(report);
            }
            iterations = report.iterations;
            if report.status == Status::Stopped || made_before + iterations >= limit {
                return Ok(report);
            }
        }
        let mut report = attempt(tolerance, MOST_ITERATIONS, made_before + iterations)?;
        report.iterations += iterations;
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use crate::bodies::NewBody;
    use crate::settings::SimulationSettings;
    use crate::simulation::Simulation;
    use glam::DVec3;
    use moreau_collision::shapes::{HalfSpace, Shape, Sphere};

    /// Layers of balls, each in the hollow of four others, on a floor: so many balls along an edge of the lowest.
    fn pyramid(edge: u32) -> Simulation {
        let mut scene = Simulation::new(SimulationSettings {
            time_step: Some(1e-3),
            ..Default::default()
        });
        let floor = scene.add_shape(Shape::HalfSpace(HalfSpace));
        scene.add_body(NewBody::fixed(floor)).expect("a floor");
        let ball = scene.add_shape(Shape::Sphere(Sphere::new(0.5).expect("a ball")));
        for layer in 0..edge {
            let corner = DVec3::new(0.5, 0.5, 0.5_f64.sqrt()) * f64::from(layer);
            for k in 0..(edge - layer).pow(2) {
                let along = [k % (edge - layer), k / (edge - layer)].map(f64::from);
                let place = corner + DVec3::new(along[0], along[1], 0.5);
                let ball = NewBody::rigid(ball, 1000.0).at(place);
                scene.add_body(ball).expect("a ball");
            }
        }
        scene
    }

    #[test]
    fn a_solve_takes_no_more_iterations_than_are_allowed_however_often_it_is_taken_up_again() {
        // Few, some and many rows, with and without an accuracy beyond the tolerance.
        for (edge, tolerance) in [(4, 1e-15), (7, 1e-15), (7, 1e-2), (12, 1e-15), (16, 1e-15)] {
            let mut scene = pyramid(edge);
            let solver = &mut scene.settings_mut().solver;
            (solver.tolerance, solver.max_iterations) = (tolerance, Some(20));
            (solver.small_tolerance, solver.middle_tolerance) = (1e-16, 1e-16);
            solver.name = "accelerated_gauss_seidel".into();
            let report = scene.step().expect("a step");
            assert!((15..=20).contains(&report.iterations), "{edge}: {report:?}");
        }
    }
}
