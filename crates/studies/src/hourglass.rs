//! Grains pour through a slot: Mazhar et al. 2015, section 4.2.4, Fig. 12.

use crate::context::Context;
use crate::hourglass_report;
use crate::outcome::{Outcome, Picture, SceneText};
use crate::picture;
use crate::study::{Study, StudyError};
use moreau_dynamics::simulation::Simulation;
use moreau_plots::Solid;
use moreau_scene::{Run, Scene};
use std::f64::consts::PI;

/// The study.
pub const STUDY: Study = Study {
    name: "hourglass",
    title: "Grains pour through a slot",
    source: "Mazhar et al. 2015, Fig. 12",
    shows: "mass flow through gaps of 2.0, 2.5 and 3.0 mm, beside Beverloo's law for slots",
    takes: "2 minutes at `small`, 3 hours at `paper` (estimated)",
    highlights: &["flow, smooth walls", "exponent", "largest difference"],
    discussion: include_str!("hourglass.md"),
    run,
};

const SCENE: &str = include_str!("hourglass.toml");
/// Friction of the grains.
pub const FRICTION: f64 = 0.3;
/// Diameter of the grains in m.
pub const DIAMETER: f64 = 5e-4;
/// Density of the material of the grains in kg/m³.
pub const DENSITY: f64 = 2500.0;
/// Share of the trough that random places can fill.
const STREWN: f64 = 0.25;
/// Seconds until the wall slides.
const SETTLING: f64 = 0.1;
/// A run ends when this share of the grains has left.
const POURED: f64 = 0.62;
/// No run takes longer, in s after the beginning.
const LONGEST: f64 = 6.0;
/// The gap that is drawn, in m, when this share has left.
const SHOWN: (f64, f64) = (3.0e-3, 0.3);

/// How much is poured, between which walls.
pub struct Trough {
    /// Number of grains.
    pub count: usize,
    /// Distance of front and back in m.
    pub slab: f64,
    /// Height that the grains are strewn up to, in m.
    pub height: f64,
}

impl Trough {
    /// The volume of a grain in m³.
    pub fn grain_volume() -> f64 {
        PI / 6.0 * DIAMETER.powi(3)
    }

    fn new(count: usize, slab: f64) -> Self {
        let volume = count as f64 * Self::grain_volume();
        Self {
            count,
            slab,
            // Of the triangle between the walls.
            height: (2.0 * volume / (STREWN * slab)).sqrt(),
        }
    }

    /// As high as the grains reach if they fill six tenths of the triangle, in m.
    pub fn settled_height(&self) -> f64 {
        self.height * (STREWN / 0.6).sqrt()
    }

    /// Mass of all grains in kg.
    pub fn mass(&self) -> f64 {
        self.count as f64 * Self::grain_volume() * DENSITY
    }
}

/// A bed in the trough, and what became of its copies.
pub struct Bed {
    /// Its mass over its volume, in kg/m³.
    pub bulk: f64,
    /// One for each gap and kind of wall, in the same order for every bed.
    pub pours: Vec<Pour>,
}

/// What poured through one gap.
pub struct Pour {
    /// Friction of grains and the upright walls.
    pub wall_friction: f64,
    /// Width of the gap in m.
    pub gap: f64,
    /// Time in s since the wall began to move, and the mass in kg that has left.
    pub mass: Vec<(f64, f64)>,
    /// Steps whose solve did not reach the tolerance.
    pub not_converged: usize,
}

fn run(context: &mut Context) -> Result<Outcome, StudyError> {
    let (count, slab) = context
        .scale
        .pick((500, 2e-3), (1000, 2.5e-3), (39_000, 1e-2));
    // What few grains leave to chance, several beds tell from what is not.
    let beds: Vec<usize> = (1..=context.scale.pick(1, 6, 1)).collect();
    let all = vec![2.0e-3, 2.5e-3, 3.0e-3];
    let gaps = context.scale.pick(vec![2.0e-3, 3.0e-3], all.clone(), all);
    let trough = Trough::new(count, slab);
    let poured = context.side_by_side(
        &beds,
        |_| 1.0,
        1.0,
        |context, seed| pour_all(context, &trough, &gaps, *seed),
    )?;
    let (beds, mut pictures): (Vec<Bed>, Vec<_>) = poured.into_iter().unzip();
    let mut outcome = Outcome {
        pictures: pictures.swap_remove(0),
        ..Outcome::default()
    };
    outcome.scenes.push(SceneText {
        name: "trough".into(),
        text: SCENE.into(),
    });
    hourglass_report::write(&mut outcome, &trough, &beds);
    Ok(outcome)
}

/// Lets a bed come to rest and copies of it pour through every gap, past rough walls and past smooth ones.
fn pour_all(
    context: &mut Context,
    trough: &Trough,
    gaps: &[f64],
    seed: usize,
) -> Result<(Bed, Vec<Picture>), StudyError> {
    let mut settled = context.build(&scene(trough, gaps[0], FRICTION, seed)?)?;
    settled.duration = SETTLING;
    // One accuracy from the full trough to the empty one.
    settled.simulation.settings_mut().solver.middle_rows = 0;
    context.simulate(&mut settled, 0.2, "the grains settle", |_, _| {})?;
    let mut bed = Bed {
        bulk: bulk_density(&settled.simulation, trough),
        pours: Vec::new(),
    };
    let mut pictures = Vec::new();
    for wall_friction in [FRICTION, 0.0] {
        for gap in gaps {
            let done = bed.pours.len() as f64 / (2 * gaps.len()) as f64;
            context.at(0.2 + 0.8 * done, "grains pour")?;
            // The scene says how the wall slides to this gap, and what the walls are like.
            let opened = scene(trough, *gap, wall_friction, seed)?
                .build()?
                .simulation;
            let mut run = settled.clone();
            run.simulation.bodies_mut().motions = opened.bodies().motions.clone();
            *run.simulation.materials_mut() = opened.materials().clone();
            let empty = Pour {
                wall_friction,
                gap: *gap,
                mass: vec![(0.0, 0.0)],
                not_converged: 0,
            };
            bed.pours
                .push(pour(context, run, trough, empty, &mut pictures)?);
        }
    }
    Ok((bed, pictures))
}

fn scene(trough: &Trough, gap: f64, wall_friction: f64, seed: usize) -> Result<Scene, StudyError> {
    let seeded = format!("seed = {seed}\n{SCENE}");
    let scene = Scene::parse(&seeded, "hourglass.toml")?.with_parameters(&[
        ("count", &trough.count.to_string()),
        ("slab", &trough.slab.to_string()),
        ("height", &trough.height.to_string()),
        ("friction", &FRICTION.to_string()),
        ("wall_friction", &wall_friction.to_string()),
        ("gap", &gap.to_string()),
        ("settling", &SETTLING.to_string()),
    ])?;
    Ok(scene)
}

/// Lets grains pour until most have left.
fn pour(
    context: &mut Context,
    mut run: Run,
    trough: &Trough,
    mut poured: Pour,
    pictures: &mut Vec<Picture>,
) -> Result<Pour, StudyError> {
    let began = run.simulation.time();
    let gap = poured.gap;
    let mut drawn = gap != SHOWN.0 || !pictures.is_empty();
    loop {
        let report = run.step()?;
        let left = run.flow().removed_mass;
        poured.mass.push((report.time - began, left));
        poured.not_converged += usize::from(!report.converged());
        let share = left / trough.mass();
        context.doing(&format!(
            "{:.1} mm: {:.0} % have left",
            1e3 * gap,
            100.0 * share
        ))?;
        if !drawn && share >= SHOWN.1 {
            pictures.push(show(&run, trough, gap));
            drawn = true;
        }
        if share >= POURED || report.time - began > LONGEST {
            return Ok(poured);
        }
    }
}

/// Mass over volume between front and back, beside the upright wall.
fn bulk_density(simulation: &Simulation, trough: &Trough) -> f64 {
    let bodies = simulation.bodies();
    let top = trough.settled_height();
    let across = (-0.3 * top - DIAMETER)..-DIAMETER;
    let up = (0.3 * top)..(0.75 * top);
    let inside = (0..bodies.len())
        .filter(|body| bodies.is_rigid(*body))
        .map(|body| bodies.poses[body].position)
        .filter(|centre| across.contains(&centre.x) && up.contains(&centre.z))
        .count();
    let volume = (across.end - across.start) * (up.end - up.start) * trough.slab;
    inside as f64 * Trough::grain_volume() * DENSITY / volume
}

/// The grains between the walls, without front and back.
fn show(run: &Run, trough: &Trough, gap: f64) -> Picture {
    let caption = format!(
        "{} grains of 0.5 mm pour through a gap of {:.1} mm, coloured by speed",
        trough.count,
        1e3 * gap
    );
    let mut solids = picture::by_speed(&run.simulation, caption.clone());
    let between = |vertex: &[f64; 3]| vertex[1].abs() < 0.501 * trough.slab;
    solids.items.retain(|solid| match solid {
        Solid::Sphere { .. } => true,
        Solid::Mesh { vertices, .. } => vertices.iter().all(between),
    });
    (solids.width, solids.height) = (640, 560);
    solids.view.direction = [0.12, 1.0, -0.25];
    Picture {
        name: "pouring".into(),
        caption,
        solids,
    }
}
