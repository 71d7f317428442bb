//! A large wall under a fixed budget of iterations: Silcowitz et al. 2010, Fig. 7.

use crate::context::Context;
use crate::outcome::{Comparison, Data, Figure, Outcome, Picture, SceneText};
use crate::picture;
use crate::study::{Scale, Study, StudyError};
use moreau_contact_solvers::residual::silcowitz;
use moreau_plots::{AxisScale, LinePlot, Series};
use moreau_scene::Scene;

/// The study.
pub const STUDY: Study = Study {
    name: "wall",
    title: "A falling wall",
    source: "Silcowitz et al. 2010, Fig. 7",
    shows: "174 bodies, about 4000 constraints, falling and resting with 500 iterations of NNCG per frame",
    takes: "30 s at both scales, which are the same",
    discussion: include_str!("wall.md"),
    run,
};

const SCENE: &str = include_str!("wall.toml");
const PUBLISHED_BODIES: f64 = 174.0;
const PUBLISHED_CONSTRAINTS: f64 = 4083.0;
const PUBLISHED_ERROR: f64 = 4.62e-3;
/// Of a brick and of the fall, as the scene has them.
const HEIGHT: f64 = 0.08;
const DROP: f64 = 0.1;

fn run(context: &mut Context) -> Result<Outcome, StudyError> {
    let mut scene = Scene::parse(SCENE, "wall.toml")?;
    if context.scale == Scale::Tiny {
        scene = scene.with_parameters(&[("across", "4"), ("pairs", "2"), ("iterations", "100")])?;
    }
    let mut run = context.build(&scene)?;
    Context::one_solve_per_step(&mut run);
    let first: Vec<_> = run
        .simulation
        .bodies()
        .poses
        .iter()
        .map(|pose| pose.position)
        .collect();

    let law = run.simulation.settings().solver.law;
    let mut rows = Vec::new();
    context.simulate(&mut run, 1.0, "falling wall", |run, report| {
        let simulation = &run.simulation;
        let bodies = simulation.bodies();
        let fastest = (0..bodies.len())
            .map(|b| bodies.velocities[b].linear.length())
            .fold(0.0, f64::max);
        let error = simulation.last_problem().map_or(0.0, |problem| {
            silcowitz(problem, law, simulation.last_impulses()).sqrt()
        });
        rows.push(vec![
            report.time,
            3.0 * report.contacts as f64,
            error,
            fastest,
            report.relative_penetration,
        ]);
    })?;

    let bodies = run.simulation.bodies();
    let resting: Vec<_> = rows.iter().filter(|row| row[1] > 0.0).collect();
    let constraints = resting.iter().map(|row| row[1]).sum::<f64>() / resting.len() as f64;
    let last = rows.last().expect("the scene has steps").clone();
    let (error, fastest) = (last[2], last[3]);
    let overlap = rows.iter().map(|row| row[4]).fold(0.0, f64::max);
    let moved = (0..bodies.len())
        .filter(|body| bodies.is_rigid(*body))
        .map(|body| {
            let expected = first[body] - glam::DVec3::new(0.0, 0.0, DROP);
            (bodies.poses[body].position - expected).length()
        })
        .fold(0.0, f64::max);

    let mut outcome = Outcome::default();
    let full = context.scale != Scale::Tiny;
    let mut table = Comparison::new("Fig. 7");
    table.row("bodies", "", full.then_some(PUBLISHED_BODIES), bodies.len());
    table.row(
        "error ‖∇f‖ in the last frame",
        "N s",
        PUBLISHED_ERROR,
        error,
    );
    table.row(
        "fastest brick in the last frame",
        "m/s",
        None::<f64>,
        fastest,
    );
    table.row(
        "farthest brick from its place in the wall",
        "m",
        None::<f64>,
        moved,
    );
    table.row(
        "largest overlap, as a share of a brick's size",
        "",
        None::<f64>,
        overlap,
    );
    outcome.comparisons.push(table);
    outcome.claim(
        "The error in the last frame is no larger than the published one",
        error <= PUBLISHED_ERROR,
        format!("{error:.1e} N s against {PUBLISHED_ERROR:e}"),
    );
    outcome.claim(
        "The wall stands: no brick is farther than a tenth of its height from its place",
        moved <= 0.1 * HEIGHT,
        format!("{:.2} mm at most", 1e3 * moved),
    );
    outcome.claim(
        "It has come to rest: no brick is faster than 1 mm/s",
        fastest <= 1e-3,
        format!("{fastest:.1e} m/s"),
    );
    if full {
        let off = (constraints / PUBLISHED_CONSTRAINTS - 1.0).abs();
        outcome.claim(
            "It is the published size: constraints within 15 %",
            off <= 0.15,
            format!("{constraints:.0} against {PUBLISHED_CONSTRAINTS}"),
        );
    }
    outcome.summary = format!(
        "The wall of {} bricks lands and stands with {law} friction and a fixed budget of iterations; the last error is {error:.1e} N s (paper \
         4.6e-3), and the fastest brick still moves at {:.2} mm/s.",
        (0..bodies.len())
            .filter(|body| bodies.is_rigid(*body))
            .count(),
        1e3 * fastest
    );
    finish(&mut outcome, &run.simulation, rows);
    Ok(outcome)
}

fn finish(
    outcome: &mut Outcome,
    simulation: &moreau_dynamics::simulation::Simulation,
    rows: Vec<Vec<f64>>,
) {
    let curve = |label: &str, column: usize| Series {
        label: label.into(),
        points: rows.iter().map(|row| (row[0], row[column])).collect(),
    };
    outcome.figures.push(Figure {
        name: "error".into(),
        caption: "Error and largest speed over time: the impact, and the rest after it.".into(),
        plot: LinePlot {
            title: "A falling wall with a fixed budget of iterations".into(),
            x_label: "time (s)".into(),
            y_label: "error ‖∇f‖ (N s), speed (m/s)".into(),
            y_scale: AxisScale::Log10,
            series: vec![curve("error ‖∇f‖", 2), curve("fastest brick", 3)],
            reference: Some((PUBLISHED_ERROR, "published last error".into())),
            ..LinePlot::default()
        },
    });
    let caption = format!("The wall after {:.1} s", simulation.time());
    let mut solids = picture::by(simulation, caption.clone(), |body| {
        0.25 + 0.5 * ((body * 7) % 10) as f64 / 10.0
    });
    (solids.width, solids.height) = (900, 600);
    outcome.pictures.push(Picture {
        name: "rest".into(),
        caption,
        solids,
    });
    outcome.data.push(Data {
        name: "steps".into(),
        heads: [
            "time [s]",
            "constraints",
            "error [N s]",
            "fastest brick [m/s]",
            "relative overlap",
        ]
        .map(String::from)
        .to_vec(),
        rows,
    });
    outcome.scenes.push(SceneText {
        name: "wall".into(),
        text: SCENE.into(),
    });
}
