//! A large wall under a fixed budget of iterations: Silcowitz et al. 2010, Fig. 7.

use crate::context::Context;
use crate::outcome::{Comparison, Data, Figure, Outcome, Picture, SceneText, Table};
use crate::picture;
use crate::study::{Scale, Study, StudyError};
use glam::DVec3;
use moreau_contact_solvers::residual::silcowitz;
use moreau_plots::{AxisScale, LinePlot, Series};
use moreau_scene::{Run, Scene};

/// The study.
pub const STUDY: Study = Study {
    name: "wall",
    title: "A falling wall",
    source: "Silcowitz et al. 2010, Fig. 7",
    shows: "174 bodies, about 4000 constraints, falling and resting with 500 iterations of NNCG per frame",
    takes: "35 s at both scales, which are the same",
    highlights: &["bodies", "constraints", "error"],
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
const GRAVITY: f64 = 9.81;

/// Restitution of hard bricks, and how far apart their courses are while they fall, in m: then impacts follow one another.
const HARD: f64 = 0.9;
const GAP: f64 = 1e-3;
/// Steps in which these impacts are followed, in s, and the error to which each is solved: an impact that is not solved
/// to the end is not followed by another.
const IMPACT_STEP: f64 = 5e-4;
const IMPACT_TOLERANCE: f64 = 1e-8;
/// How long these impacts and what follows them are looked at, in s.
const IMPACT_END: f64 = 0.21;

/// A way to let the wall fall.
struct Way {
    name: &'static str,
    /// Whether impulses start from those of the last frame.
    warm: bool,
    restitution: f64,
    /// Between the courses while they fall, in m; where there is one, the impact alone is of interest.
    gap: f64,
}

/// The paper's, as far as it says how, and others for comparison.
const WAYS: [Way; 4] = [
    Way {
        name: "from zero impulses",
        warm: false,
        restitution: 0.0,
        gap: 0.0,
    },
    Way {
        name: "from the impulses of the last frame",
        warm: true,
        restitution: 0.0,
        gap: 0.0,
    },
    Way {
        name: "from zero impulses, restitution 0.2",
        warm: false,
        restitution: 0.2,
        gap: 0.0,
    },
    Way {
        name: "the impact alone, restitution 0.9, courses 1 mm apart, steps of 0.5 ms",
        warm: false,
        restitution: HARD,
        gap: GAP,
    },
];

/// A wall that has fallen.
struct Fall {
    run: Run,
    /// Time, constraints, error, fastest brick and relative overlap of each frame.
    rows: Vec<Vec<f64>>,
    /// The farthest that a brick is from its place in the wall.
    moved: f64,
    /// How far the lowest and the highest course rose above their places after the impact.
    rises: [f64; 2],
}

impl Fall {
    fn error(&self) -> f64 {
        self.last(2)
    }

    fn fastest(&self) -> f64 {
        self.last(3)
    }

    fn last(&self, column: usize) -> f64 {
        self.rows.last().map_or(f64::NAN, |row| row[column])
    }

    fn largest(&self, column: usize) -> f64 {
        self.rows.iter().map(|row| row[column]).fold(0.0, f64::max)
    }

    /// The mean number of constraints over the frames, as the paper counts them: three for each contact.
    fn constraints(&self) -> f64 {
        let some: Vec<_> = self.rows.iter().filter(|row| row[1] > 0.0).collect();
        some.iter().map(|row| row[1]).sum::<f64>() / some.len() as f64
    }
}

fn run(context: &mut Context) -> Result<Outcome, StudyError> {
    let mut falls = Vec::new();
    for (k, way) in WAYS.iter().enumerate() {
        falls.push(fall(context, way, (k + 1) as f64 / WAYS.len() as f64)?);
    }
    let mut outcome = Outcome::default();
    compare(&mut outcome, &falls);
    judge(&mut outcome, &falls, context.scale != Scale::Tiny);
    finish(&mut outcome, &falls[0].run.simulation, &falls);
    Ok(outcome)
}

/// Lets the wall fall; progress goes up to `until`.
fn fall(context: &mut Context, way: &Way, until: f64) -> Result<Fall, StudyError> {
    let mut scene = Scene::parse(SCENE, "wall.toml")?
        .with_parameters(&[("restitution", &way.restitution.to_string())])?;
    if way.gap > 0.0 {
        scene = scene.with_parameters(&[
            ("gap", &way.gap.to_string()),
            ("step", &IMPACT_STEP.to_string()),
            ("tolerance", &IMPACT_TOLERANCE.to_string()),
        ])?;
    }
    if context.scale == Scale::Tiny {
        scene = scene.with_parameters(&[("across", "4"), ("pairs", "2"), ("iterations", "100")])?;
    }
    let mut run = context.build(&scene)?;
    Context::one_solve_per_step(&mut run);
    run.simulation.settings_mut().solver.warm_start = way.warm;
    if way.gap > 0.0 {
        run.duration = IMPACT_END;
    }
    let bodies = run.simulation.bodies();
    let bricks: Vec<_> = (0..bodies.len()).filter(|b| bodies.is_rigid(*b)).collect();
    // Their places in a wall that stands, without the gaps.
    let places: Vec<_> = bricks
        .iter()
        .map(|brick| bodies.poses[*brick].position)
        .map(|place| {
            let course = ((place.z - DROP) / (HEIGHT + way.gap)).floor();
            place - DVec3::new(0.0, 0.0, DROP + course * way.gap)
        })
        .collect();
    let heights = || places.iter().map(|place| place.z);
    let ends = [
        heights().fold(f64::INFINITY, f64::min),
        heights().fold(0.0, f64::max),
    ];

    let law = run.simulation.settings().solver.law;
    let (mut rows, mut rises) = (Vec::new(), [0.0f64; 2]);
    // A little after the time of the fall of the highest course.
    let gaps = (ends[1] - ends[0]) / HEIGHT * way.gap;
    let landed = 1.05 * (2.0 * (DROP + gaps) / GRAVITY).sqrt();
    context.simulate(&mut run, until, way.name, |run, report| {
        let simulation = &run.simulation;
        let bodies = simulation.bodies();
        let speeds = bricks.iter().map(|b| bodies.velocities[*b].linear.length());
        let error = simulation.last_problem().map_or(0.0, |problem| {
            silcowitz(problem, law, &simulation.last_impulses()).sqrt()
        });
        rows.push(vec![
            report.time,
            3.0 * report.contacts as f64,
            error,
            speeds.fold(0.0, f64::max),
            report.relative_penetration,
        ]);
        let up = |brick: usize| bodies.poses[brick].position.z;
        for (rise, end) in rises.iter_mut().zip(ends).filter(|_| report.time > landed) {
            let course = bricks
                .iter()
                .zip(&places)
                .filter(|(_, p)| (p.z - end).abs() < 0.5 * HEIGHT);
            *rise = course
                .map(|(brick, _)| up(*brick) - end)
                .fold(*rise, f64::max);
        }
    })?;
    let bodies = run.simulation.bodies();
    let off = bricks
        .iter()
        .zip(&places)
        .map(|(brick, place)| (bodies.poses[*brick].position - *place).length());
    let moved = off.fold(0.0, f64::max);
    Ok(Fall {
        run,
        rows,
        moved,
        rises,
    })
}

/// The paper's numbers beside ours, and the ways side by side.
fn compare(outcome: &mut Outcome, falls: &[Fall]) {
    let first = &falls[0];
    let solver = &first.run.simulation.settings().solver;
    let mut table = Comparison::new("Fig. 7");
    let bodies = first.run.simulation.bodies().len();
    table.row("bodies", "", PUBLISHED_BODIES, bodies);
    table.row(
        "constraints, mean of the frames",
        "",
        PUBLISHED_CONSTRAINTS,
        first.constraints(),
    );
    table.row(
        "iterations of NNCG in a frame",
        "",
        500.0,
        solver.max_iterations,
    );
    table.row(
        "error ‖∇f‖ in the last frame",
        "N s",
        PUBLISHED_ERROR,
        first.error(),
    );
    outcome.comparisons.push(table);
    let mut table = Table::new(
        "The ways to let it fall",
        &[
            "way",
            "error ‖∇f‖ in the last frame (N s)",
            "fastest brick in the last frame (mm/s)",
            "farthest brick from its place (mm)",
            "rise of the lowest course after the impact (mm)",
            "rise of the highest course (mm)",
            "largest overlap, as a share of a brick's size",
        ],
    );
    for (way, fall) in WAYS.iter().zip(falls) {
        table.row([
            way.name.into(),
            fall.error().into(),
            (1e3 * fall.fastest()).into(),
            (1e3 * fall.moved).into(),
            (1e3 * fall.rises[0]).into(),
            (1e3 * fall.rises[1]).into(),
            fall.largest(4).into(),
        ]);
    }
    outcome.tables.push(table);
}

fn judge(outcome: &mut Outcome, falls: &[Fall], full: bool) {
    let first = &falls[0];
    let (error, fastest, moved) = (first.error(), first.fastest(), first.moved);
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
    let constraints = first.constraints();
    if full {
        let off = (constraints / PUBLISHED_CONSTRAINTS - 1.0).abs();
        outcome.claim(
            "It is the published size: constraints within 15 %",
            off <= 0.15,
            format!("{constraints:.0} against {PUBLISHED_CONSTRAINTS}"),
        );
        let [lowest, highest] = falls[3].rises.map(|rise| 1e3 * rise);
        outcome.claim(
            format!(
                "The shock makes the highest bricks bounce off (restitution {HARD}, courses 1 mm apart): they rise a millimetre or more, and \
                 twice as far as the lowest, or more"
            ),
            highest >= 2.0 * lowest && highest >= 1.0,
            format!("{highest:.1} mm against {lowest:.1} mm"),
        );
    }
    let bodies = first.run.simulation.bodies();
    outcome.summary = format!(
        "The wall of {} bricks lands, stands and comes to rest with {} friction and a fixed budget of iterations: the last error is {error:.1e} N s \
         (paper 4.6e-3), the fastest brick moves at {:.2} mm/s. Started from the impulses of the last frame, the same budget leaves {:.0} mm/s.",
        (0..bodies.len()).filter(|b| bodies.is_rigid(*b)).count(),
        first.run.simulation.settings().solver.law,
        1e3 * fastest,
        1e3 * falls[1].fastest()
    );
}

fn finish(
    outcome: &mut Outcome,
    simulation: &moreau_dynamics::simulation::Simulation,
    falls: &[Fall],
) {
    let curve = |label: &str, way: usize, column: usize| Series {
        label: label.into(),
        points: falls[way]
            .rows
            .iter()
            .map(|row| (row[0], row[column]))
            .collect(),
    };
    outcome.figures.push(Figure {
        name: "error".into(),
        caption: "Error and largest speed over time: the impact, and the rest after it; started from the impulses of the last frame, the wall goes on hopping.".into(),
        plot: LinePlot {
            title: "A falling wall with a fixed budget of iterations".into(),
            x_label: "time (s)".into(),
            y_label: "error ‖∇f‖ (N s), speed (m/s)".into(),
            y_scale: AxisScale::Log10,
            series: vec![
                curve("error ‖∇f‖", 0, 2),
                curve("fastest brick", 0, 3),
                curve("fastest brick, started from the last frame", 1, 3),
            ],
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
    for (name, fall) in ["zero", "warm", "bouncing", "impact"]
        .into_iter()
        .zip(falls)
    {
        outcome.data.push(Data {
            name: format!("steps-{name}"),
            heads: [
                "time [s]",
                "constraints",
                "error [N s]",
                "fastest brick [m/s]",
                "relative overlap",
            ]
            .map(String::from)
            .to_vec(),
            rows: fall.rows.clone(),
        });
    }
    outcome.scenes.push(SceneText {
        name: "wall".into(),
        text: SCENE.into(),
    });
}
