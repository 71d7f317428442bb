//! Step and solver.

use super::Builder;
use crate::model::{OnFailure, SceneFile, Scheme};
use crate::nearest::suggestion;
use glam::DVec3;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::residual::Measure;
use moreau_dynamics::settings::{self, SimulationSettings, SolverSettings};

/// The settings; names that mean nothing are told by [`Builder::check_settings`].
pub(super) fn settings(file: &SceneFile) -> SimulationSettings {
    let (simulation, solver) = (&file.simulation, &file.solver);
    let defaults = SolverSettings::default();
    SimulationSettings {
        time_step: simulation.time_step,
        gravity: DVec3::from_array(simulation.gravity),
        scheme: match simulation.scheme {
            Scheme::SymplecticEuler => settings::Scheme::SymplecticEuler,
            Scheme::MoreauHalfStep => settings::Scheme::MoreauHalfStep,
        },
        solver: SolverSettings {
            name: solver.name.clone(),
            law: solver.law.parse().unwrap_or(defaults.law),
            tolerance: solver.tolerance,
            measure: solver.measure.parse().unwrap_or(defaults.measure),
            max_iterations: solver.max_iterations.map(|n| n as usize),
            warm_start: solver.warm_start,
            ..defaults
        },
        envelope: simulation.envelope,
        recovery_speed: simulation.recovery_speed,
        restitution_threshold: simulation.restitution_threshold,
        cohesion_range: simulation.cohesion_range,
        on_failure: match simulation.on_failure {
            OnFailure::Continue => settings::OnFailure::Continue,
            OnFailure::Refine => settings::OnFailure::Refine,
            OnFailure::Stop => settings::OnFailure::Stop,
        },
        penetration_limit: simulation.penetration_limit,
        max_refinements: simulation.max_refinements,
        sleep: simulation.sleep,
        sleep_speed: simulation.sleep_speed,
        sleep_steps: simulation.sleep_steps,
    }
}

impl Builder<'_> {
    pub(super) fn check_settings(&mut self) {
        let solver = &self.file.solver;
        let methods = methods::all();
        let names: Vec<&str> = methods.iter().map(|method| method.name()).collect();
        let laws = FrictionLaw::ALL.map(FrictionLaw::name);
        let measures = Measure::ALL.map(Measure::name);
        let known = [
            ("solver.name", "solver", &solver.name, names.as_slice()),
            ("solver.law", "friction law", &solver.law, &laws),
            (
                "solver.measure",
                "error measure",
                &solver.measure,
                &measures,
            ),
        ];
        for (path, what, word, words) in known {
            if !words.contains(&word.as_str()) {
                let message = format!("there is no {what} '{word}'");
                self.error_with_help(path, message, suggestion(word, words));
                return;
            }
        }
        if let Err(reason) = self.simulation.settings().validate() {
            self.error("solver", reason);
        }
        let step = self.file.simulation.time_step;
        if step.is_some_and(|step| step > self.file.duration) {
            self.error(
                "simulation.time_step",
                format!(
                    "the step is longer than the duration, {} s",
                    self.file.duration
                ),
            );
        }
        if let Some(directory) = &self.file.output.directory
            && directory.trim().is_empty()
        {
            self.error("output.directory", "the directory has no name");
        }
    }
}
