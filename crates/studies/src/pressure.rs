//! A slab on a bed of spheres: Mazhar et al. 2015, section 4.1.1, Figs. 4 and 5, Tables I and II.

use crate::context::Context;
use crate::outcome::{Outcome, Picture, SceneText};
use crate::picture;
use crate::pressure_forces;
use crate::pressure_tables;
use crate::study::{Study, StudyError};
use moreau_contact_solvers::problem::ContactProblem;
use moreau_dynamics::assembly::contact_impulse;
use moreau_dynamics::simulation::Simulation;
use moreau_scene::{Run, Scene};

/// The study.
pub const STUDY: Study = Study {
    name: "pressure",
    title: "A slab on a bed of spheres",
    source: "Mazhar et al. 2015, Figs. 4 and 5, Tables I and II",
    shows: "residual and objective after 1000 iterations, work to r = 7e-6, and the force under the slab for every solver",
    takes: "50 s at `small`, 7 minutes at `paper`",
    highlights: &[
        "1e3 kg: objective of apgd over that of gauss_seidel",
        "1e6 kg: objective of apgd over that of gauss_seidel",
        "apgd: iterations",
        "iterations of gauss_seidel over",
        "time of gauss_seidel over",
    ],
    discussion: include_str!("pressure.md"),
    run,
};

const SCENE: &str = include_str!("pressure.toml");
const SLAB: usize = 1;
/// The problem of one step, and how to read the force under the slab from its impulses.
pub struct Bed {
    simulation: Simulation,
    /// The problem.
    pub problem: ContactProblem,
    step: f64,
}

impl Bed {
    /// The force that holds the slab, in N.
    pub fn force(&self, impulses: &[f64]) -> f64 {
        let contacts = self.simulation.contacts().iter().enumerate();
        let upward = contacts.map(|(k, contact)| {
            let sign = match contact.bodies.map(|body| body as usize) {
                [SLAB, _] => -1.0,
                [_, SLAB] => 1.0,
                _ => return 0.0,
            };
            sign * contact_impulse(contact, &impulses[self.problem.rows(k)])
                .linear
                .z
        });
        upward.sum::<f64>() / self.step
    }
}

fn run(context: &mut Context) -> Result<Outcome, StudyError> {
    let mut outcome = Outcome::default();
    let settled = settle(context, &mut outcome)?;
    let (iterations, limit) = context
        .scale
        .pick((300, 20_000), (1000, 30_000), (1000, 500_000));
    let bed_of = |context: &Context, mass: f64| exchange(&settled, context, mass);
    let first = pressure_tables::table_1(context, iterations, bed_of, &mut outcome)?;
    let gain = pressure_tables::table_2(context, &first, limit, &mut outcome)?;
    let carried = pressure_forces::table(context, &first.bed, &mut outcome)?;
    let order = match first.ordered {
        true => "APGD beats Gauss-Seidel beats Jacobi at every slab mass",
        false => {
            "The order of APGD, Gauss-Seidel and Jacobi is not the published one at every slab mass"
        }
    };
    outcome.summary = format!(
        "{order}; to the residual of Table II APGD needs {gain:.1} times fewer iterations than Gauss-Seidel (paper 57), and {} of {} \
         solvers really carry the slab.",
        carried.0, carried.1
    );
    Ok(outcome)
}

/// Lets the bed come to rest under the slab of 1000 kg.
fn settle(context: &mut Context, outcome: &mut Outcome) -> Result<Run, StudyError> {
    let (across, layers, duration) = context.scale.pick((3, 6, 1.0), (5, 20, 2.0), (9, 49, 3.5));
    let (across, layers): (u32, u32) = (across, layers);
    let (across, layers) = (across.to_string(), layers.to_string());
    let scene = Scene::parse(SCENE, "pressure.toml")?
        .with_parameters(&[("across", &across), ("layers", &layers)])?;
    let mut run = context.build(&scene)?;
    run.duration = duration;
    context.simulate(&mut run, 0.35, "settling", |_, _| {})?;
    outcome.scenes.push(SceneText {
        name: "bed".into(),
        text: SCENE.into(),
    });
    let spheres = run.simulation.bodies().len() - 2;
    let caption = format!("A slab of 1000 kg on {spheres} spheres of 1 kg");
    let mut solids = picture::by(&run.simulation, caption.clone(), |body| {
        if body == SLAB { 0.9 } else { 0.35 }
    });
    (solids.width, solids.height) = (520, 700);
    outcome.pictures.push(Picture {
        name: "bed".into(),
        caption,
        solids,
    });
    Ok(run)
}

/// The problem of the next step with a slab of another mass on the same bed.
fn exchange(settled: &Run, context: &Context, mass: f64) -> Result<Bed, StudyError> {
    let spheres = settled.simulation.bodies().len() - 2;
    let across = context.scale.pick(3, 5, 9);
    let layers = spheres / (across * across);
    let scene = Scene::parse(SCENE, "pressure.toml")?.with_parameters(&[
        ("across", &across.to_string()),
        ("layers", &layers.to_string()),
        ("slab", &mass.to_string()),
    ])?;
    let mut simulation = scene.build()?.simulation;
    let bodies = simulation.bodies_mut();
    bodies.poses.clone_from(&settled.simulation.bodies().poses);
    bodies
        .velocities
        .clone_from(&settled.simulation.bodies().velocities);
    // The problem is what is wanted; its own solution does not matter here.
    simulation.settings_mut().solver.max_iterations = Some(1);
    simulation.settings_mut().solver.name = "jacobi".into();
    let report = simulation
        .step()
        .map_err(|error| StudyError::Run(error.into()))?;
    let problem = simulation.last_problem().cloned();
    let problem = problem.ok_or_else(|| StudyError::Settings("the bed has no contacts".into()))?;
    Ok(Bed {
        simulation,
        problem,
        step: report.step_size,
    })
}
