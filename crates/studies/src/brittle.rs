//! A body of bound spheres is thrown at a wall: Mazhar et al. 2015, section 4.2.3, Fig. 11.

use crate::context::Context;
use crate::outcome::{Comparison, Data, Entry, Figure, Outcome, SceneText, Table};
use crate::pieces::{Broken, Joined, State};
use crate::study::{Study, StudyError};
use moreau_plots::{AxisScale, LinePlot, Series};
use moreau_scene::Scene;

/// The study.
pub const STUDY: Study = Study {
    name: "brittle",
    title: "A brittle body thrown at a wall",
    source: "Mazhar et al. 2015, Fig. 11",
    shows: "a body of bound spheres breaks at a cohesion of 1e4 N and holds at 1e5 N",
    takes: "20 s at `small`, 3 hours at `paper` (estimated)",
    highlights: &["1e4 N", "1e5 N"],
    discussion: include_str!("brittle.md"),
    run,
};

const SCENE: &str = include_str!("brittle.toml");
const PUBLISHED_SPHERES: f64 = 154_000.0;
/// Density in kg/m³ and diameter in m of the grains that the cohesions are stated for.
const FINE: (f64, f64) = (2000.0, 0.2);
/// Cohesions of Fig. 11 in N, and what the paper says of them.
const COHESIONS: [(f64, &str); 2] = [
    (1e4, "quickly loses structural integrity"),
    (1e5, "maintains its shape"),
];
/// The paper does not give the speed, in m/s; the one in the middle is held against it.
const SPEEDS: [f64; 3] = [10.0, 20.0, 40.0];
const COMPARED: f64 = SPEEDS[1];

/// One throw.
struct Throw {
    cohesion: f64,
    speed: f64,
    body: Broken,
}

impl Throw {
    /// Cohesion over the flux of momentum through the cross-section of a grain.
    fn strength(&self) -> f64 {
        let (density, diameter) = FINE;
        self.cohesion / (density * (diameter * self.speed).powi(2))
    }
}

fn run(context: &mut Context) -> Result<Outcome, StudyError> {
    let mut outcome = Outcome::default();
    let radius = context.scale.pick(0.9, 0.45, 0.1);
    let total = COHESIONS.len() * SPEEDS.len();
    let mut throws = Vec::new();
    for (cohesion, _) in COHESIONS {
        for speed in SPEEDS {
            let scene = Scene::parse(SCENE, "brittle.toml")?.with_parameters(&[
                ("radius", &radius.to_string()),
                ("strength", &cohesion.to_string()),
                ("speed", &speed.to_string()),
            ])?;
            let until = (throws.len() + 1) as f64 / total as f64;
            let what = format!("{cohesion:.0e} N at {speed} m/s");
            let run = context.build(&scene)?;
            let body = Broken::follow(context, run, radius, until, &what)?;
            if speed == COMPARED {
                let caption = format!("{what} after {:.2} s", body.run.simulation.time());
                outcome.pictures.push(body.picture(
                    format!("{cohesion:.0e}"),
                    caption,
                    Joined::Always,
                ));
            }
            throws.push(Throw {
                cohesion,
                speed,
                body,
            });
        }
    }
    compare(&mut outcome, &throws);
    judge(&mut outcome, &throws);
    draw(&mut outcome, &throws);
    outcome.scenes.push(SceneText {
        name: "cube".into(),
        text: SCENE.into(),
    });
    Ok(outcome)
}

/// What is left at the compared speed, at each cohesion.
fn compared(throws: &[Throw]) -> impl Iterator<Item = &State> {
    let compared = throws.iter().filter(|throw| throw.speed == COMPARED);
    compared.map(|throw| throw.body.last())
}

fn compare(outcome: &mut Outcome, throws: &[Throw]) {
    let mut table = Comparison::new(format!("Fig. 11, at {COMPARED} m/s"));
    table.row("spheres", "", PUBLISHED_SPHERES, throws[0].body.grains);
    for (state, (cohesion, words)) in compared(throws).zip(COHESIONS) {
        table.row(
            format!("{cohesion:.0e} N: first bonds kept, share in the largest unbroken piece"),
            "",
            words,
            format!("{:.3}, {:.3}", state.kept, state.unbroken),
        );
    }
    outcome.comparisons.push(table);
    let first = ["cohesion c (N)", "speed v (m/s)", "c / (ρ d² v²)"];
    let heads = [&first[..], &State::HEADS].concat();
    let mut details = Table::new("Every throw at its end", &heads);
    for throw in throws {
        let first = [throw.cohesion, throw.speed, throw.strength()].map(Entry::from);
        details.row(first.into_iter().chain(throw.body.last().entries()));
    }
    outcome.tables.push(details);
}

fn judge(outcome: &mut Outcome, throws: &[Throw]) {
    let mut states = compared(throws);
    let (Some(weak), Some(strong)) = (states.next(), states.next()) else {
        return;
    };
    outcome.claim(
        format!(
            "At 1e4 N and {COMPARED} m/s it loses its structure: at most half of its bonds are left"
        ),
        weak.kept <= 0.5,
        format!("{:.0} % left", 100.0 * weak.kept),
    );
    outcome.claim(
        format!(
            "At 1e4 N and {COMPARED} m/s it breaks up: no piece that has held together all the time has more than half of the spheres"
        ),
        weak.unbroken <= 0.5,
        format!("{:.0} % in the largest", 100.0 * weak.unbroken),
    );
    outcome.claim(
        format!("At 1e5 N and {COMPARED} m/s it keeps its shape: less than a twentieth of the bonds is new, and nine tenths of the spheres are in touch with one another"),
        strong.new < 0.05 && strong.largest >= 0.9,
        format!(
            "{:.1} % new bonds, {:.1} % in touch",
            100.0 * strong.new,
            100.0 * strong.largest
        ),
    );
    outcome.summary = format!(
        "Thrown at {COMPARED} m/s, {:.0} % of the bonds are left at 1e4 N and {:.0} % at 1e5 N; the largest piece that never broke has {:.0} % and {:.0} % of the spheres.",
        100.0 * weak.kept,
        100.0 * strong.kept,
        100.0 * weak.unbroken,
        100.0 * strong.unbroken
    );
}

fn draw(outcome: &mut Outcome, throws: &[Throw]) {
    let at_compared = throws.iter().filter(|throw| throw.speed == COMPARED);
    outcome.figures.push(Figure {
        name: "bonds".into(),
        caption: format!(
            "The share of the first bonds that is left, from the throw at {COMPARED} m/s on."
        ),
        plot: LinePlot {
            title: "A cube meets a wall".into(),
            x_label: "time (s)".into(),
            y_label: "first bonds kept".into(),
            series: at_compared
                .map(|throw| {
                    let label = format!("{:.0e} N", throw.cohesion);
                    throw.body.curve(label, |state| state.kept)
                })
                .collect(),
            ..LinePlot::default()
        },
    });
    // From the weakest to the strongest.
    let over_strength = |cohesion: f64, what: &str, value: fn(&State) -> f64| Series {
        label: format!("{cohesion:.0e} N, {what}"),
        points: throws
            .iter()
            .rev()
            .filter(|throw| throw.cohesion == cohesion)
            .map(|throw| (throw.strength(), value(throw.body.last())))
            .collect(),
    };
    let series = COHESIONS.iter().flat_map(|(cohesion, _)| {
        [
            over_strength(*cohesion, "bonds kept", |state| state.kept),
            over_strength(*cohesion, "largest unbroken piece", |state| state.unbroken),
        ]
    });
    outcome.figures.push(Figure {
        name: "strength".into(),
        caption: "Bonds kept and share of the spheres in the largest unbroken piece at the end, over cohesion in units of the flux of momentum: three speeds, both cohesions.".into(),
        plot: LinePlot {
            title: "What decides whether it breaks".into(),
            x_label: "c / (ρ d² v²)".into(),
            x_scale: AxisScale::Log10,
            y_label: "share".into(),
            series: series.collect(),
            ..LinePlot::default()
        },
    });
    let heads = [&["cohesion [N]", "speed [m/s]"][..], &Broken::HEADS].concat();
    let mut data = Data {
        name: "throws".into(),
        heads: heads.into_iter().map(String::from).collect(),
        rows: Vec::new(),
    };
    for throw in throws {
        data.rows
            .extend(throw.body.rows(&[throw.cohesion, throw.speed]));
    }
    outcome.data.push(data);
}
