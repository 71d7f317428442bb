//! Whole time steps: what each stage costs, and the memory that they take.

use crate::report::{MemoryFigures, StageFigures, StepFigures};
use crate::{Plan, Watch, memory};
use glam::DVec3;
use moreau_collision::colliders::Groups;
use moreau_dynamics::simulation::{Simulation, StepError};
use std::time::Instant;

/// Makes the steps of the plan: one in which storage grows and which is not counted, and then at least one, however long
/// it takes.
pub(crate) fn measure(
    simulation: &mut Simulation,
    plan: &Plan,
    watch: &mut dyn Watch,
) -> Result<StepFigures, StepError> {
    let began = Instant::now();
    let mut figures = StepFigures::default();
    for step in 0..=plan.steps {
        watch.begin(&format!("step {} of {}", step + 1, plan.steps + 1));
        let start = Instant::now();
        let report = simulation.step()?;
        let wall = start.elapsed().as_secs_f64();
        if step == 0 && !watch.stopped() {
            continue;
        }
        let (new, so_far) = (&report.cpu_times, &mut figures.stages);
        let first = figures.counted == 0;
        let smaller = |so_far: f64, new: f64| if first { new } else { so_far.min(new) };
        *so_far = StageFigures {
            broad_phase: smaller(so_far.broad_phase, new.broad_phase),
            narrow_phase: smaller(so_far.narrow_phase, new.narrow_phase),
            assembly: smaller(so_far.assembly, new.assembly),
            solve: so_far.solve + new.solve,
            integration: smaller(so_far.integration, new.integration),
        };
        figures.wall_seconds = smaller(figures.wall_seconds, wall);
        figures.counted += 1;
        figures.converged += usize::from(report.converged());
        figures.iterations += report.iterations as f64;
        if watch.stopped() || began.elapsed().as_secs_f64() > plan.step_time_limit {
            break;
        }
    }
    figures.iterations /= figures.counted as f64;
    figures.stages.solve /= figures.counted as f64;
    Ok(figures)
}

/// The peak of a step in which nothing touches: no weight, so that no body moves, and no group that collides. The
/// scenes leave groups at their default, and so does this.
pub(crate) fn peak_without_contacts(
    simulation: &mut Simulation,
) -> Result<Option<usize>, StepError> {
    let nobody = Groups {
        member: 0,
        collides: 0,
    };
    let step = simulation.step_size()?;
    let settings = simulation.settings_mut();
    let (gravity, time_step) = (settings.gravity, settings.time_step);
    settings.gravity = DVec3::ZERO;
    settings.time_step = Some(step);
    simulation.bodies_mut().groups.fill(nobody);
    simulation.step()?;
    simulation.bodies_mut().groups.fill(Groups::default());
    let settings = simulation.settings_mut();
    settings.gravity = gravity;
    settings.time_step = time_step;
    Ok(memory::peak())
}

/// What the peaks without and with contacts say.
pub(crate) fn memory_figures(
    before: Option<usize>,
    without: Option<usize>,
    with: Option<usize>,
    (bodies, contacts): (usize, usize),
) -> Option<MemoryFigures> {
    let (before, without, with) = (before?, without?, with?);
    let alone = without.saturating_sub(before) as f64;
    let bytes = with.saturating_sub(before);
    Some(MemoryFigures {
        bytes,
        per_body: alone / bodies.max(1) as f64,
        per_contact: (bytes as f64 - alone).max(0.0) / contacts.max(1) as f64,
    })
}
