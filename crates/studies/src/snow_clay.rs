//! Balls of spheres that cohesion binds fall onto an edge: Mazhar et al. 2015, section 4.2.1, Figs. 7 and 8.

use crate::context::Context;
use crate::outcome::{Comparison, Data, Entry, Figure, Outcome, SceneText, Table};
use crate::pieces::{Broken, Joined, State, make_of_grains};
use crate::study::{Study, StudyError};
use glam::DVec3;
use moreau_plots::LinePlot;
use moreau_scene::Scene;

/// The study.
pub const STUDY: Study = Study {
    name: "snow-clay",
    title: "Snow, clay and stone",
    source: "Mazhar et al. 2015, Figs. 7 and 8",
    shows: "balls of spheres dropped on an edge crumble, deform or hold as cohesion rises from 500 to 20 000 N",
    takes: "24 s at `small`, 2 hours at `paper` (estimated)",
    highlights: &["500 N", "4000 N", "20000 N"],
    discussion: include_str!("snow_clay.md"),
    run,
};

const SCENE: &str = include_str!("snow_clay.toml");
/// Contacts per sphere in the last frame of Fig. 8.
const PUBLISHED_CONTACTS: f64 = 6.5 / 1.6;
const PUBLISHED_SPHERES: f64 = 75_000.0;
/// Radius of the ball in the scene, in m.
const BALL: f64 = 2.5;
/// Cohesions of the paper's grains in N, and what it says of them; nothing of the second.
const COHESIONS: [(f64, &str); 4] = [
    (500.0, "heavy snow"),
    (1500.0, ""),
    (4000.0, "clay"),
    (20_000.0, "fractures rather than deforms"),
];

/// A ball and the cohesion that binds it, in N.
type Fall = (f64, Broken);

fn run(context: &mut Context) -> Result<Outcome, StudyError> {
    let mut outcome = Outcome::default();
    let mut falls = Vec::new();
    let radius = context.scale.pick("0.34", "0.15", "0.05");
    for (index, (cohesion, _)) in COHESIONS.into_iter().enumerate() {
        let scene = Scene::parse(SCENE, "snow_clay.toml")?
            .with_parameters(&[("radius", radius), ("strength", &cohesion.to_string())])?;
        let until = (index + 1) as f64 / COHESIONS.len() as f64;
        let what = format!("{cohesion} N");
        let mut run = context.build(&scene)?;
        let inside = |place: DVec3| place.length() <= BALL;
        let radius = make_of_grains(&mut run.simulation, BALL, inside)?;
        let fall = Broken::follow(context, run, radius, until, &what)?;
        let caption = format!("{cohesion} N after {:.1} s", fall.run.simulation.time());
        outcome
            .pictures
            .push(fall.picture(cohesion.to_string(), caption, Joined::Now));
        falls.push((cohesion, fall));
    }
    compare(&mut outcome, &falls);
    judge(&mut outcome, &falls);
    draw(&mut outcome, &falls);
    outcome.scenes.push(SceneText {
        name: "ball".into(),
        text: SCENE.into(),
    });
    Ok(outcome)
}

fn compare(outcome: &mut Outcome, falls: &[Fall]) {
    let mut table = Comparison::new("Fig. 7: the balls at the end");
    table.row(
        "spheres in a ball",
        "",
        PUBLISHED_SPHERES,
        falls[0].1.grains,
    );
    let contacts = falls.iter().map(|(_, fall)| fall.contacts as f64);
    table.row(
        "contacts per sphere at most (paper: 6 to 7 million of 1.6 million spheres in Fig. 8)",
        "",
        PUBLISHED_CONTACTS,
        contacts.fold(0.0, f64::max) / falls[0].1.grains as f64,
    );
    for ((_, fall), (cohesion, words)) in falls.iter().zip(COHESIONS) {
        let last = fall.last();
        table.row(
            format!("{cohesion} N: share in the largest piece, new bonds / first bonds"),
            "",
            words,
            format!("{:.3}, {:.3}", last.largest, last.new),
        );
    }
    outcome.comparisons.push(table);
    let heads = [&["cohesion (N)"][..], &State::HEADS, &["most contacts"]].concat();
    let mut details = Table::new("What is left of the balls", &heads);
    for (cohesion, fall) in falls {
        let left = fall.last().entries();
        let row = [Entry::from(*cohesion)].into_iter().chain(left);
        details.row(row.chain([fall.contacts.into()]));
    }
    outcome.tables.push(details);
}

fn judge(outcome: &mut Outcome, falls: &[Fall]) {
    let [snow, _, clay, stone] = [0, 1, 2, 3].map(|k| falls[k].1.last());
    outcome.claim(
        "At 500 N the ball crumbles like snow: at most half of its first bonds are left, and no piece has nine tenths of its spheres",
        snow.kept <= 0.5 && snow.largest < 0.9,
        format!(
            "{:.0} % of the bonds, {:.0} % in the largest piece",
            100.0 * snow.kept,
            100.0 * snow.largest
        ),
    );
    outcome.claim(
        "At 4000 N it deforms like clay: nine tenths of the spheres stay in one piece, and at least a twentieth of the bonds is new",
        clay.largest >= 0.9 && clay.new >= 0.05,
        format!(
            "{:.0} % in the largest piece, {:.0} % new bonds",
            100.0 * clay.largest,
            100.0 * clay.new
        ),
    );
    outcome.claim(
        "At 20 000 N it deforms less: it makes at most half as many new bonds as at 4000 N",
        stone.new <= 0.5 * clay.new,
        format!(
            "{:.1} % against {:.1} %",
            100.0 * stone.new,
            100.0 * clay.new
        ),
    );
    outcome.claim(
        "At 20 000 N it fractures: no piece has nine tenths of the spheres",
        stone.largest < 0.9,
        format!("{:.1} % in the largest piece", 100.0 * stone.largest),
    );
    outcome.summary = format!(
        "Of {} spheres the largest piece keeps {:.0} % at 500 N, {:.0} % at 4000 N and {:.0} % at 20 000 N.",
        falls[0].1.grains,
        100.0 * snow.largest,
        100.0 * clay.largest,
        100.0 * stone.largest
    );
}

fn draw(outcome: &mut Outcome, falls: &[Fall]) {
    let figure = |name: &str, caption: &str, y_label: &str, value: fn(&State) -> f64| Figure {
        name: name.into(),
        caption: caption.into(),
        plot: LinePlot {
            title: "A ball falls onto an edge".into(),
            x_label: "time (s)".into(),
            y_label: y_label.into(),
            series: falls
                .iter()
                .map(|(cohesion, fall)| fall.curve(format!("{cohesion} N"), value))
                .collect(),
            ..LinePlot::default()
        },
    };
    outcome.figures.push(figure(
        "largest",
        "The share of the spheres in the largest piece.",
        "share in the largest piece",
        |state| state.largest,
    ));
    outcome.figures.push(figure(
        "deformation",
        "Bonds that were not there at first: spheres that have moved past one another.",
        "new bonds / first bonds",
        |state| state.new,
    ));
    let heads = [&["cohesion [N]"][..], &Broken::HEADS].concat();
    let mut data = Data {
        name: "balls".into(),
        heads: heads.into_iter().map(String::from).collect(),
        rows: Vec::new(),
    };
    for (cohesion, fall) in falls {
        data.rows.extend(fall.rows(&[*cohesion]));
    }
    outcome.data.push(data);
}
