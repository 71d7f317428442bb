//! What a study is run with, and what studies do often.

use crate::study::{Scale, StudyError};
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::observer::{IterationRecord, Observer};
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::report::SolveReport;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::{ContactSolver, solve};
use moreau_dynamics::step_report::StepReport;
use moreau_scene::{Run, Scene};
use std::ops::ControlFlow;

/// Sees how far a study is, and may end it.
pub trait Progress: Send {
    /// Called now and then with the share that is done, from 0 to 1, and what is being done. `Break` ends the study.
    fn show(&mut self, share: f64, what: &str) -> ControlFlow<()>;
}

/// Shows nothing.
pub struct Silent;

impl Progress for Silent {
    fn show(&mut self, _share: f64, _what: &str) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// What a study is run with.
pub struct Context<'a> {
    /// How large.
    pub scale: Scale,
    /// A solver of the user's choice: for time steps instead of the scene's, in comparisons beside the paper's.
    pub solver: Option<String>,
    progress: &'a mut dyn Progress,
    share: f64,
}

/// The answer of a solver to a problem.
pub struct Solved {
    /// The impulses.
    pub impulses: Vec<f64>,
    /// How it went.
    pub report: SolveReport,
}

impl<'a> Context<'a> {
    /// A context.
    pub fn new(scale: Scale, solver: Option<String>, progress: &'a mut dyn Progress) -> Self {
        Self {
            scale,
            solver,
            progress,
            share: 0.0,
        }
    }

    /// Says how far the study is.
    ///
    /// # Errors
    /// When somebody asked it to stop.
    pub fn at(&mut self, share: f64, what: &str) -> Result<(), StudyError> {
        self.share = share;
        match self.progress.show(share, what) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(StudyError::Stopped),
        }
    }

    /// How far the study is.
    pub(crate) fn share(&self) -> f64 {
        self.share
    }

    /// Who sees how far it is.
    pub(crate) fn progress(&mut self) -> &mut dyn Progress {
        self.progress
    }

    /// Says what is being done, as far as the study was.
    ///
    /// # Errors
    /// When somebody asked it to stop.
    pub fn doing(&mut self, what: &str) -> Result<(), StudyError> {
        self.at(self.share, what)
    }

    /// Builds a scene with the solver of the user's choice, if there is one.
    ///
    /// # Errors
    /// When the scene is wrong or the solver does not know its law.
    pub fn build(&self, scene: &Scene) -> Result<Run, StudyError> {
        let mut run = scene.build()?;
        if let Some(name) = &self.solver {
            run.simulation.settings_mut().solver.name.clone_from(name);
            let settings = run.simulation.settings();
            settings.validate().map_err(StudyError::Settings)?;
        }
        Ok(run)
    }

    /// Makes each step one solve with the scene's solver, tolerance and iterations, as papers count them: no extra
    /// accuracy for small systems, no second solve because of overlap, no islands.
    pub fn one_solve_per_step(run: &mut Run) {
        Self::solve_as_large(run, f64::MAX);
        run.simulation.settings_mut().solver.islands = false;
    }

    /// Has systems of every size solved as large ones are, with an overlap of at most this share of a body's size left in a step: what
    /// is enough for a heap is enough for a few grains that touch, too.
    pub fn solve_as_large(run: &mut Run, overlap: f64) {
        let solver = &mut run.simulation.settings_mut().solver;
        solver.small_rows = 0;
        solver.middle_rows = 0;
        solver.overlap_tolerance = overlap;
    }

    /// Steps a run to its end and calls `after` after each step. Progress goes on from where it is to `until`.
    ///
    /// # Errors
    /// When a step fails or somebody asked to stop.
    pub fn simulate(
        &mut self,
        run: &mut Run,
        until: f64,
        what: &str,
        mut after: impl FnMut(&Run, &StepReport),
    ) -> Result<(), StudyError> {
        let from = self.share;
        let began = run.simulation.time();
        while !run.is_finished() {
            let report = run.step()?;
            after(run, &report);
            let done = (report.time - began) / (run.duration - began);
            let line = format!("{what}: {:.3} of {:.3} s", report.time, run.duration);
            self.at(from + (until - from) * done.min(1.0), &line)?;
        }
        self.share = until;
        Ok(())
    }

    /// Solves a problem from zero impulses.
    ///
    /// # Errors
    /// When the method cannot take the problem or somebody asked to stop.
    pub fn solve(
        &mut self,
        problem: &ContactProblem,
        law: FrictionLaw,
        method: &dyn ContactSolver,
        settings: &Settings,
        what: &str,
    ) -> Result<Solved, StudyError> {
        let mut impulses = vec![0.0; problem.dimension()];
        let mut watch = Watch {
            progress: self.progress,
            share: self.share,
            what,
            stopped: false,
        };
        let report = solve(problem, law, method, settings, &mut impulses, &mut watch)?;
        if watch.stopped {
            return Err(StudyError::Stopped);
        }
        Ok(Solved { impulses, report })
    }

    /// The method of the user's choice, if there is one and it is not among `others`.
    ///
    /// # Errors
    /// When it does not know the law of the study.
    pub fn chosen(&self, others: &[&str], law: FrictionLaw) -> Result<Option<&str>, StudyError> {
        let Some(name) = self.solver.as_deref().filter(|name| !others.contains(name)) else {
            return Ok(None);
        };
        let method = methods::by_name(name).map_err(StudyError::Settings)?;
        if !method.laws().contains(&law) {
            let message = format!("the solver {name} does not solve the {law} law of this study");
            return Err(StudyError::Settings(message));
        }
        Ok(Some(name))
    }
}

/// Passes the iterations of a solve on.
struct Watch<'a> {
    progress: &'a mut dyn Progress,
    share: f64,
    what: &'a str,
    stopped: bool,
}

impl Observer for Watch<'_> {
    fn iteration(&mut self, record: &IterationRecord) -> ControlFlow<()> {
        // Formatting a line for each of thousands of iterations would cost more than small solves.
        if !record.iteration.is_multiple_of(64) {
            return ControlFlow::Continue(());
        }
        let line = format!(
            "{}: iteration {}, error {:.1e}",
            self.what, record.iteration, record.error
        );
        let flow = self.progress.show(self.share, &line);
        self.stopped |= flow.is_break();
        flow
    }
}
