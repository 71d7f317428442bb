//! The figures of a run. As JSON the keys are stable: keys may be added, none is renamed or removed.

use crate::bandwidth::PASS_BYTES;
use serde::{Deserialize, Serialize};

/// Everything that was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Threads that were used.
    pub threads: usize,
    /// The error measure of the solves.
    pub measure: String,
    /// Share of the standard number of bodies.
    pub scale: f64,
    /// The scenes.
    pub scenes: Vec<SceneFigures>,
}

/// One scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneFigures {
    /// Its name.
    pub name: String,
    /// Bodies, walls included.
    pub bodies: usize,
    /// Contacts of the last step.
    pub contacts: usize,
    /// Bytes per second of a triad on one thread, in the same process.
    pub bandwidth: f64,
    /// Whole time steps.
    pub steps: StepFigures,
    /// Memory; not on every system.
    pub memory: Option<MemoryFigures>,
    /// CPU seconds of one product with N.
    pub product_seconds: f64,
    /// Solvers, cold, on the contact problem of the last step under the relaxed law.
    pub solvers: Vec<SolverFigures>,
}

impl SceneFigures {
    /// Seconds that memory needs for one pass over the contacts: the unit in which runs are compared.
    pub fn pass_seconds(&self) -> f64 {
        self.contacts as f64 * PASS_BYTES / self.bandwidth
    }

    /// Nanoseconds for each contact.
    pub fn ns_per_contact(&self, seconds: f64) -> f64 {
        1e9 * seconds / self.contacts.max(1) as f64
    }
}

/// Steps of a simulation at default settings, but for a limit on the iterations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepFigures {
    /// Steps that were counted, after one to warm up.
    pub counted: usize,
    /// How many of them converged.
    pub converged: usize,
    /// Mean number of iterations of a step.
    pub iterations: f64,
    /// Wall-clock seconds of a step, the smallest.
    pub wall_seconds: f64,
    /// CPU seconds of each stage.
    pub stages: StageFigures,
}

/// CPU seconds of the stages of a step: the smallest of several steps; of the solve, whose iterations differ, the mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StageFigures {
    /// Pairs of bodies.
    pub broad_phase: f64,
    /// Contacts of the pairs.
    pub narrow_phase: f64,
    /// Free velocities, problem and starting point.
    pub assembly: f64,
    /// The contact problem.
    pub solve: f64,
    /// New poses, warm start kept, report.
    pub integration: f64,
}

impl StageFigures {
    /// Names and values in their order.
    pub fn named(&self) -> [(&'static str, f64); 5] {
        [
            ("broad phase", self.broad_phase),
            ("narrow phase", self.narrow_phase),
            ("assembly", self.assembly),
            ("solve", self.solve),
            ("integration", self.integration),
        ]
    }

    /// The whole step.
    pub fn total(&self) -> f64 {
        self.named().iter().map(|(_, seconds)| seconds).sum()
    }
}

/// Memory that a scene takes while it is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryFigures {
    /// The peak, beyond what the program took before the scene was made.
    pub bytes: usize,
    /// For each body: the peak of a step in which nothing touches.
    pub per_body: f64,
    /// For each contact: what contacts add to that.
    pub per_contact: f64,
}

/// One solver on one problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolverFigures {
    /// Its name.
    pub solver: String,
    /// Why it was not run, if it was not.
    pub skipped: Option<String>,
    /// CPU nanoseconds for each contact and iteration, set-up not counted.
    pub ns_per_contact_iteration: Option<f64>,
    /// The same over what the memory bandwidth allows for the passes over the contacts that an iteration makes.
    pub times_bound: Option<f64>,
    /// One solve for each error that was asked for, until one was not reached.
    pub solves: Vec<SolveFigures>,
}

/// One solve to one error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolveFigures {
    /// The error asked for.
    pub error: f64,
    /// Whether the referee confirms it.
    pub reached: bool,
    /// Iterations.
    pub iterations: usize,
    /// CPU seconds, all threads, set-up included.
    pub cpu_seconds: f64,
    /// CPU seconds over those of APGD as published to the same error. Where APGD did not get there: over what it
    /// spent, so that the true ratio is smaller.
    pub ratio_to_apgd: Option<f64>,
    /// Whether APGD as published got there.
    pub apgd_reached: bool,
}

impl SolverFigures {
    /// The solve to an error, if it was tried.
    pub fn solve_to(&self, error: f64) -> Option<&SolveFigures> {
        self.solves.iter().find(|solve| solve.error == error)
    }
}
