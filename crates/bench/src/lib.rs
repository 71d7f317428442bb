//! What the engine and its solvers cost, measured on standard scenes.
//!
//! [`measure`] makes a [`Scene`], takes time steps of it, and runs solvers on the contact problem of the last step. Times
//! are CPU times, and each stands beside two things of the same run: APGD as published on the same problem, and the
//! time that the memory of the machine would need for the bytes that must be moved ([`bandwidth`]). Runs are
//! [compared](compare::compare) in such ratios, never in seconds.

pub mod bandwidth;
pub mod compare;
pub mod memory;
pub mod packing;
pub mod report;
pub mod scenes;
mod solvers;
mod steps;

use moreau_algebra::pool;
use moreau_contact_solvers::observer::IterationRecord;
use moreau_contact_solvers::residual::Measure;
use moreau_dynamics::simulation::StepError;
use report::SceneFigures;
use scenes::Scene;
use std::ops::ControlFlow;

/// What is measured of each scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Solvers by name; APGD as published is run in any case.
    pub solvers: Vec<String>,
    /// Whether the user named them: then they are run on scenes of any size.
    pub solvers_named: bool,
    /// Errors to reach, from large to small.
    pub errors: Vec<f64>,
    /// What is measured as the error.
    pub measure: Measure,
    /// CPU seconds for each solver on each scene.
    pub time_limit: f64,
    /// Time steps to count, beside one to warm up.
    pub steps: usize,
    /// Iterations of the solver in a step at most: steps show what stages cost; how well solvers do is measured apart.
    pub step_iterations: usize,
    /// Seconds after which no further step is begun.
    pub step_time_limit: f64,
    /// Share of the standard number of bodies.
    pub scale: f64,
}

/// The solvers that are run when none is named.
pub const DEFAULT_SOLVERS: [&str; 8] = [
    "apgd",
    "apgd_scaled",
    "accelerated_gauss_seidel",
    "auto",
    "nncg",
    "spg",
    "gauss_seidel",
    "interior_point",
];

/// Sees the measuring go on.
pub trait Watch: Send {
    /// Something begins: a step, a solver.
    fn begin(&mut self, what: &str);

    /// A solver made an iteration; `Break` ends the solve.
    fn iteration(&mut self, record: &IterationRecord) -> ControlFlow<()>;

    /// Whether to end early with what there is.
    fn stopped(&self) -> bool {
        false
    }
}

/// Measures one scene. Memory is counted for the whole process: figures are best when it has done nothing before.
///
/// # Errors
/// When a step of the simulation fails.
pub fn measure(
    scene: Scene,
    plan: &Plan,
    watch: &mut dyn Watch,
) -> Result<SceneFigures, StepError> {
    let before = memory::resident();
    watch.begin("making the scene");
    let mut simulation = scene.build(plan.scale);
    let solver = &mut simulation.settings_mut().solver;
    solver.max_iterations = Some(plan.step_iterations);
    // No second solve of a step for accuracy's sake.
    solver.overlap_tolerance = 1.0;
    memory::forget_peak();
    let alone = steps::peak_without_contacts(&mut simulation)?;
    let steps = steps::measure(&mut simulation, plan, watch)?;
    let peak = memory::peak();
    let bodies = simulation.bodies().len();
    let contacts = simulation.contacts().len();
    // The problem alone goes on: the solvers shall have the memory.
    let problem = simulation.last_problem().cloned();
    drop(simulation);

    watch.begin("memory bandwidth");
    let mut figures = SceneFigures {
        name: scene.name().to_string(),
        bodies,
        contacts,
        bandwidth: bandwidth::triad(),
        steps,
        memory: steps::memory_figures(before, alone, peak, (bodies, contacts)),
        product_seconds: 0.0,
        solvers: Vec::new(),
    };
    if let Some(problem) = problem.filter(|problem| problem.blocks() > 0) {
        let impulses = vec![1e-3; problem.dimension()];
        let mut state = vec![0.0; problem.state_length()];
        let mut result = vec![0.0; problem.dimension()];
        // As in a solve: on a thread of the pool, so that no change of threads is measured.
        figures.product_seconds = pool::inside(problem.dimension(), || {
            bandwidth::smallest(5, || {
                problem.product(&impulses, &mut state, &mut result);
            })
        });
        figures.solvers = solvers::measure(&problem, figures.bandwidth, plan, watch);
    }
    Ok(figures)
}
