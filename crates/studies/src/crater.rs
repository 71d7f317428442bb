//! A ball is dropped into a bed of grains: Mazhar et al. 2015, section 4.2.5, Fig. 13, Eqs. 28 and 29.

use crate::context::Context;
use crate::crater_report;
use crate::grains::first_touch;
use crate::outcome::{Outcome, Picture, SceneText};
use crate::picture;
use crate::study::{Study, StudyError};
use glam::{DVec2, DVec3};
use moreau_collision::shapes::{Shape, Sphere};
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::simulation::Simulation;
use moreau_plots::Solid;
use moreau_scene::{Run, Scene};
use std::f64::consts::PI;

/// The study.
pub const STUDY: Study = Study {
    name: "crater",
    title: "A ball falls into a bed of grains",
    source: "Mazhar et al. 2015, Fig. 13, Eqs. 28 and 29",
    shows: "how deep balls of three densities go, dropped from several heights, beside the law of Uehara et al. 2003",
    takes: "4 minutes at `small`, 5 hours at `paper` (estimated)",
    highlights: &["c, beside", "exponent", "time of the deepest"],
    discussion: include_str!("crater.md"),
    run,
};

const SCENE: &str = include_str!("crater.toml");
/// Friction of the grains, and μ of the law as the paper understands it.
pub const FRICTION: f64 = 0.3;
/// Density of the material of the grains in kg/m³, and ρ_g of the law as the paper understands it.
pub const GRAIN_DENSITY: f64 = 2500.0;
/// Diameter of the ball in m.
pub const BALL: f64 = 0.0254;
/// The balls and their densities in kg/m³.
pub const BALLS: [(&str, f64); 3] = [
    ("wood", 700.0),
    ("polypropylene", 900.0),
    ("teflon", 2200.0),
];
/// Heights from which they are dropped, from the bottom of the ball to the bed, in m.
pub const HEIGHTS: [f64; 3] = [0.05, 0.1, 0.2];
/// The drop of Fig. 13: wood from 20 cm.
pub const SHOWN: (f64, f64) = (700.0, 0.2);
/// Grains of the paper, of 1 mm, in the box of the scene.
const PUBLISHED_COUNT: f64 = 500_400.0;
const PUBLISHED_GRAIN: f64 = 1e-3;
/// Width of the box in m.
const WIDTH: f64 = 0.09;
/// Share of the box that random places can fill.
const STREWN: f64 = 0.3;
/// Share of a grain's diameter that a ball moves in its first step, and no step is longer, in s.
const ADVANCE: f64 = 0.15;
const LONGEST_STEP: f64 = 2.5e-4;
/// The ball has arrived when it is slower than this share of its first speed: what is left to go is below 0.1 mm.
const ARRIVED: f64 = 0.01;
/// No drop takes longer, in s.
const LONGEST: f64 = 0.15;
/// Places along either side of a square of two ball diameters at which balls are lowered.
const PLACES: usize = 13;

/// What became of one ball.
pub struct Drop {
    /// In which bed, by its number.
    pub bed: usize,
    /// Density of the ball in kg/m³.
    pub density: f64,
    /// How high above the bed its bottom was, in m.
    pub height: f64,
    /// How deep its bottom came, in m.
    pub depth: f64,
    /// How long that took from the first touch on, in s.
    pub time: f64,
    /// Depth over time.
    pub path: Vec<(f64, f64)>,
    /// How much higher than the surface the top of the bed's highest grain is, in m.
    pub highest: f64,
}

/// The grains at rest, and what was measured of them.
pub struct Bed {
    /// The run that made it, at its end.
    pub run: Run,
    /// Diameter of the grains in m.
    pub grain: f64,
    /// How many there are.
    pub count: usize,
    /// Share of its volume that the bed fills, away from walls and surface.
    pub packing: f64,
    /// Its surface: the mean height at which a lowered ball touches the first grain with its bottom, in m.
    pub surface: f64,
    /// The top of its highest grain, in m.
    pub highest: f64,
}

fn run(context: &mut Context) -> Result<Outcome, StudyError> {
    let mut outcome = Outcome::default();
    let grain = context.scale.pick(0.006, 0.0028, PUBLISHED_GRAIN);
    let depth = context.scale.pick(0.75, 1.0, 1.0);
    // The time of a second bed is better spent on finer grains.
    let count = 1;
    let (mut beds, mut drops) = (Vec::new(), Vec::new());
    for number in 0..count {
        let share = |done: f64| (number as f64 + done) / count as f64;
        let bed = settle(context, (grain, depth), number, share(0.2))?;
        let of_ball = |(_, density): (_, f64)| HEIGHTS.map(|height| (density, height));
        let cells = BALLS.map(of_ball);
        // Heavy balls and fast ones take more steps to come to rest.
        let cost = |(density, height): &(f64, f64)| (density * height).sqrt();
        let fallen =
            context.side_by_side(cells.as_flattened(), cost, share(1.0), |context, cell| {
                release(context, (&bed, number), *cell)
            })?;
        for (drop, pictures) in fallen {
            drops.push(drop);
            if outcome.pictures.is_empty() {
                outcome.pictures = pictures;
            }
        }
        beds.push(bed);
    }
    outcome.scenes.push(SceneText {
        name: "bed".into(),
        text: SCENE.into(),
    });
    crater_report::write(&mut outcome, &beds, &drops, context.scale);
    Ok(outcome)
}

/// Strews grains over a box and lets them come to rest; `depth` is a share of that of the paper. Each bed is another one by its
/// number.
fn settle(
    context: &mut Context,
    (grain, depth): (f64, f64),
    number: usize,
    until: f64,
) -> Result<Bed, StudyError> {
    let count = (depth * PUBLISHED_COUNT * (PUBLISHED_GRAIN / grain).powi(3)).round();
    let scene = Scene::parse(&format!("seed = {}\n{SCENE}", number + 1), "crater.toml")?;
    let volume = count * PI / 6.0 * grain.powi(3);
    let height = volume / (STREWN * WIDTH * WIDTH);
    let scene = scene.with_parameters(&[
        ("grain", &grain.to_string()),
        ("count", &count.to_string()),
        ("width", &WIDTH.to_string()),
        ("height", &height.to_string()),
        ("friction", &FRICTION.to_string()),
    ])?;
    let mut run = context.build(&scene)?;
    context.simulate(&mut run, until, "the bed settles", |_, _| {})?;
    let packing = packing(&run.simulation, grain);
    let surface = mean_touch(&run.simulation, grain);
    let highest = top(&run.simulation) + 0.5 * grain;
    Ok(Bed {
        run,
        grain,
        count: count as usize,
        packing,
        surface,
        highest,
    })
}

/// Height of the bottom of a ball that is lowered at a place until it touches the first grain.
fn touch(simulation: &Simulation, grain: f64, place: DVec2) -> f64 {
    first_touch(centres(simulation), place, 0.5 * BALL, 0.5 * grain) - 0.5 * BALL
}

/// The mean of the heights at which balls touch at places all over the middle of the bed.
fn mean_touch(simulation: &Simulation, grain: f64) -> f64 {
    let places = (0..PLACES * PLACES).map(|k| {
        let step = |n: usize| 2.0 * n as f64 / (PLACES - 1) as f64 - 1.0;
        BALL * DVec2::new(step(k % PLACES), step(k / PLACES))
    });
    let heights: f64 = places.map(|place| touch(simulation, grain, place)).sum();
    heights / (PLACES * PLACES) as f64
}

/// The speed after a fall.
fn impact_speed(height: f64, simulation: &Simulation) -> f64 {
    (2.0 * simulation.settings().gravity.length() * height).sqrt()
}

/// Centres of the grains: every rigid body of the bed.
fn centres(simulation: &Simulation) -> impl Iterator<Item = DVec3> {
    let bodies = simulation.bodies();
    (0..bodies.len())
        .filter(|body| bodies.is_rigid(*body))
        .map(|body| bodies.poses[body].position)
}

/// Height of the centre of the highest grain.
fn top(simulation: &Simulation) -> f64 {
    let heights = centres(simulation).map(|centre| centre.z);
    heights.fold(0.0, f64::max)
}

/// Share of the volume that is filled in the middle of the bed, three grains away from the walls.
fn packing(simulation: &Simulation, grain: f64) -> f64 {
    let top = top(simulation);
    let half = 0.5 * WIDTH - 3.0 * grain;
    let (low, high) = (0.25 * top, 0.75 * top);
    let inside = centres(simulation)
        .filter(|centre| {
            centre.x.abs().max(centre.y.abs()) < half && (low..high).contains(&centre.z)
        })
        .count();
    inside as f64 * PI / 6.0 * grain.powi(3) / (4.0 * half * half * (high - low))
}

/// Drops a ball of some density from some height into the middle of a copy of the bed; the one of the figure is shown. It begins where it touches, with the speed of its fall; depths count from the surface.
fn release(
    context: &mut Context,
    (bed, number): (&Bed, usize),
    (density, height): (f64, f64),
) -> Result<(Drop, Vec<Picture>), StudyError> {
    let wrong = |message: String| StudyError::Settings(message);
    let mut run = bed.run.clone();
    let touch = touch(&bed.run.simulation, bed.grain, DVec2::ZERO);
    // The ball falls from a height over the surface, and touches a little above or below it.
    let speed = impact_speed(height + bed.surface - touch, &run.simulation);
    run.simulation.settings_mut().time_step = Some((ADVANCE * bed.grain / speed).min(LONGEST_STEP));
    let sphere = Sphere::new(0.5 * BALL).map_err(|error| wrong(error.to_string()))?;
    let shape = run.simulation.add_shape(Shape::Sphere(sphere));
    let start = DVec3::new(0.0, 0.0, touch + 0.5 * BALL);
    let body = NewBody::rigid(shape, density)
        .at(start)
        .moving(DVec3::new(0.0, 0.0, -speed), DVec3::ZERO);
    let ball = run
        .simulation
        .add_body(body)
        .map_err(|error| wrong(error.to_string()))?;
    let shown = (density, height) == SHOWN;
    let mut pictures = Vec::new();
    if shown {
        pictures.push(show(&run, bed, ball, "touch", 0.0));
    }
    let began = run.simulation.time();
    let mut path = vec![(0.0, bed.surface - touch)];
    let what = format!("{density} kg/m³ from {:.0} cm", 100.0 * height);
    loop {
        let report = run.step()?;
        let bodies = run.simulation.bodies();
        let time = report.time - began;
        path.push((
            time,
            bed.surface + 0.5 * BALL - bodies.poses[ball].position.z,
        ));
        // Of the first speed so much is lost.
        let lost = 1.0 + bodies.velocities[ball].linear.z / speed;
        context.at(lost, &what)?;
        if lost > 1.0 - ARRIVED || time > LONGEST {
            break;
        }
    }
    let deepest =
        |best: (f64, f64), point: &(f64, f64)| if point.1 > best.1 { *point } else { best };
    let (time, depth) = path.iter().fold((0.0, 0.0), deepest);
    if shown {
        // The one that stands for the study comes first.
        pictures.insert(0, show(&run, bed, ball, "deepest", time));
    }
    let drop = Drop {
        bed: number,
        density,
        height,
        depth,
        time,
        path,
        highest: bed.highest - bed.surface,
    };
    Ok((drop, pictures))
}

/// The bed cut open through the middle of the ball, as in Fig. 13.
fn show(run: &Run, bed: &Bed, ball: usize, name: &str, time: f64) -> Picture {
    let caption = format!(
        "Wood from 20 cm after {:.1} ms in {} grains, cut open through the ball, coloured by speed",
        1e3 * time,
        bed.count
    );
    let centre = run.simulation.bodies().poses[ball].position;
    let mut solids = picture::by_speed(&run.simulation, caption.clone());
    // The box is left out: its glass would hide the crater.
    solids.items.retain(|solid| match solid {
        Solid::Sphere {
            centre: at, radius, ..
        } => at[1] >= centre.y || *radius > bed.grain,
        Solid::Mesh { .. } => false,
    });
    // The page has the caption below; a small picture has no room for it.
    solids.caption = None;
    (solids.width, solids.height) = (380, 235);
    solids.view.direction = [0.0, 1.0, -0.35];
    Picture {
        name: name.into(),
        caption,
        solids,
    }
}
