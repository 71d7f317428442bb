//! A sliding ball begins to roll: Mazhar et al. 2015, section 2.3, Figs. 2 and 3.

use crate::context::Context;
use crate::outcome::{Comparison, Data, Figure, Outcome, SceneText};
use crate::study::{Study, StudyError};
use moreau_plots::{LinePlot, Series};
use moreau_scene::Scene;

/// The study.
pub const STUDY: Study = Study {
    name: "rolling-ball",
    title: "A sliding ball begins to roll",
    source: "Mazhar et al. 2015, Figs. 2 and 3",
    shows: "slide to roll at 0.291 s; the relaxed law with its artefact, Coulomb's law without it",
    takes: "less than a second at both scales",
    highlights: &[
        "time, Coulomb's law",
        "time, relaxed law",
        "final speed, Coulomb's law",
        "first hop",
    ],
    discussion: include_str!("rolling_ball.md"),
    run,
};

const SCENE: &str = include_str!("rolling_ball.toml");
const SPEED: f64 = 2.0;
const FRICTION: f64 = 0.2;
const GRAVITY: f64 = 9.81;
const RADIUS: f64 = 1.0;
const STEP: f64 = 0.0025;
/// Time as the paper prints it.
const PUBLISHED_TIME: f64 = 0.291;

/// The motion of the ball under one law, a value for each step.
struct Motion {
    time: Vec<f64>,
    /// Along the ground.
    speed: Vec<f64>,
    /// Speed of the point of contact.
    sliding: Vec<f64>,
    /// Height above the ground.
    gap: Vec<f64>,
}

impl Motion {
    /// When sliding ends: where the line through the sliding speed meets zero.
    fn transition(&self) -> f64 {
        // A tenth of the first speed is well before the transition; after it only rounding remains.
        let points = || {
            let pairs = self.time.iter().copied().zip(self.sliding.iter().copied());
            pairs.filter(|(_, sliding)| *sliding > 0.1 * SPEED)
        };
        let count = points().count() as f64;
        let mean = |values: &dyn Fn((f64, f64)) -> f64| points().map(values).sum::<f64>() / count;
        let (t, s) = (mean(&|p| p.0), mean(&|p| p.1));
        let slope = mean(&|p| (p.0 - t) * (p.1 - s)) / mean(&|p| (p.0 - t) * (p.0 - t));
        t - s / slope
    }

    /// The gap over h μ |v_T|, the mean over the second half of the sliding.
    fn gap_share(&self) -> f64 {
        let end = self.transition();
        let shares: Vec<_> = (0..self.time.len())
            .filter(|k| (0.5 * end..0.95 * end).contains(&self.time[*k]))
            .map(|k| self.gap[k] / (STEP * FRICTION * self.sliding[k]))
            .collect();
        shares.iter().sum::<f64>() / shares.len() as f64
    }

    fn largest_gap(&self) -> f64 {
        self.gap.iter().copied().fold(0.0, f64::max)
    }

    /// A curve from its value at the throw on.
    fn series(&self, label: &str, thrown: f64, values: &[f64]) -> Series {
        let after = self.time.iter().copied().zip(values.iter().copied());
        Series {
            label: label.into(),
            points: std::iter::once((0.0, thrown)).chain(after).collect(),
        }
    }
}

fn run(context: &mut Context) -> Result<Outcome, StudyError> {
    let mut outcome = Outcome::default();
    let coulomb = roll(context, "coulomb", 0.5, &mut outcome)?;
    let relaxed = roll(context, "relaxed", 1.0, &mut outcome)?;

    let exact = 2.0 * SPEED / (7.0 * FRICTION * GRAVITY);
    let rolling = 5.0 / 7.0 * SPEED;
    let (ours, theirs) = (coulomb.transition(), relaxed.transition());
    let last = |values: &[f64]| values.last().copied().unwrap_or(f64::NAN);
    let mut table = Comparison::new("Transition from sliding to rolling");
    table.row("time, Coulomb's law", "s", PUBLISHED_TIME, ours);
    table.row("time, relaxed law", "s", PUBLISHED_TIME, theirs);
    table.row("closed form 2 v₀/(7 μ g)", "s", PUBLISHED_TIME, exact);
    outcome.comparisons.push(table);
    let mut table =
        Comparison::new("Closed forms, in the column of the paper, which does not print these");
    table.row(
        "final speed, Coulomb's law (closed form 5/7 v₀)",
        "m/s",
        rolling,
        last(&coulomb.speed),
    );
    table.row(
        "final speed, relaxed law (closed form 5/7 v₀)",
        "m/s",
        rolling,
        last(&relaxed.speed),
    );
    // The first step throws the ball up at μ |v_T|; then gravity takes 1/2 g h per step more than in free flight.
    let throw = FRICTION * relaxed.sliding[0] + 0.5 * GRAVITY * STEP;
    let hop = throw * throw / (2.0 * GRAVITY);
    table.row(
        "first hop, relaxed law (closed form (μ |v_T| + g h/2)²/2g)",
        "m",
        hop,
        relaxed.largest_gap(),
    );
    table.row(
        "gap over h μ |v_T| while sliding, relaxed law",
        "",
        1.0,
        relaxed.gap_share(),
    );
    table.row(
        "largest gap, Coulomb's law",
        "m",
        0.0,
        coulomb.largest_gap(),
    );
    outcome.comparisons.push(table);

    let off = (ours / exact - 1.0).abs();
    outcome.claim(
        "Under Coulomb's law rolling begins within 1 % of the closed form",
        off <= 0.01,
        format!(
            "{ours:.5} s against {exact:.5} s, off by {:.3} %",
            100.0 * off
        ),
    );
    let off = (last(&coulomb.speed) / rolling - 1.0).abs();
    outcome.claim(
        "The ball then rolls at 5/7 of its first speed, to 0.1 %",
        off <= 1e-3,
        format!("off by {:.1e}", off),
    );
    let off = (relaxed.gap_share() - 1.0).abs();
    outcome.claim(
        "Under the relaxed law the sliding ball floats at h μ |v_T|, to 0.1 %",
        off <= 1e-3,
        format!("off by {off:.1e}"),
    );
    let off = (relaxed.largest_gap() / hop - 1.0).abs();
    outcome.claim(
        "The relaxed law throws the ball up in its first step, as high as the law says, to 2 %",
        off <= 0.02,
        format!(
            "{:.3} mm against {:.3} mm",
            1e3 * relaxed.largest_gap(),
            1e3 * hop
        ),
    );
    outcome.claim(
        "Under Coulomb's law it does not float (less than 1e-9 of its radius)",
        coulomb.largest_gap() <= 1e-9 * RADIUS,
        format!("{:.1e} m", coulomb.largest_gap()),
    );
    outcome.summary = format!(
        "Rolling begins at {ours:.4} s (closed form {exact:.4} s); the relaxed law throws the sliding ball up by {:.1} mm and then lets it \
         float, Coulomb's law does neither.",
        1e3 * relaxed.largest_gap()
    );
    draw(&mut outcome, &coulomb, &relaxed);
    Ok(outcome)
}

/// Runs the scene under one law.
fn roll(
    context: &mut Context,
    law: &str,
    until: f64,
    outcome: &mut Outcome,
) -> Result<Motion, StudyError> {
    let scene = Scene::parse(SCENE, "rolling_ball.toml")?.with_parameters(&[("law", law)])?;
    let mut run = context.build(&scene)?;
    let ball = 1;
    let mut motion = Motion {
        time: vec![],
        speed: vec![],
        sliding: vec![],
        gap: vec![],
    };
    context.simulate(&mut run, until, law, |run, report| {
        let bodies = run.simulation.bodies();
        let velocity = bodies.velocities[ball];
        let arm = glam::DVec3::new(0.0, 0.0, -RADIUS);
        motion.time.push(report.time);
        motion.speed.push(velocity.linear.truncate().length());
        motion.sliding.push(
            (velocity.linear + velocity.angular.cross(arm))
                .truncate()
                .length(),
        );
        motion.gap.push(bodies.poses[ball].position.z - RADIUS);
    })?;
    if law == "coulomb" {
        outcome.scenes.push(SceneText {
            name: "ball".into(),
            text: SCENE.into(),
        });
    }
    outcome.data.push(Data {
        name: law.into(),
        heads: [
            "time [s]",
            "speed along the ground [m/s]",
            "sliding speed [m/s]",
            "gap [m]",
        ]
        .map(String::from)
        .to_vec(),
        rows: (0..motion.time.len())
            .map(|k| {
                vec![
                    motion.time[k],
                    motion.speed[k],
                    motion.sliding[k],
                    motion.gap[k],
                ]
            })
            .collect(),
    });
    Ok(motion)
}

fn draw(outcome: &mut Outcome, coulomb: &Motion, relaxed: &Motion) {
    outcome.figures.push(Figure {
        name: "speed".into(),
        caption: "Speed of the ball and of its point of contact: sliding ends at 0.291 s.".into(),
        plot: LinePlot {
            title: "A ball is thrown along the ground".into(),
            x_label: "time (s)".into(),
            y_label: "speed along the ground (m/s)".into(),
            series: vec![
                coulomb.series("ball, Coulomb's law", SPEED, &coulomb.speed),
                coulomb.series("contact, Coulomb's law", SPEED, &coulomb.sliding),
                relaxed.series("ball, relaxed law", SPEED, &relaxed.speed),
                relaxed.series("contact, relaxed law", SPEED, &relaxed.sliding),
            ],
            reference: Some((5.0 / 7.0 * SPEED, "5/7 of the first speed".into())),
            ..LinePlot::default()
        },
    });
    let millimetres = |motion: &Motion| motion.gap.iter().map(|gap| 1e3 * gap).collect::<Vec<_>>();
    outcome.figures.push(Figure {
        name: "gap".into(),
        caption: "Gap between ball and ground: the relaxed law's artefact.".into(),
        plot: LinePlot {
            title: "The relaxed law lifts what slides".into(),
            x_label: "time (s)".into(),
            y_label: "gap (mm)".into(),
            series: vec![
                coulomb.series("Coulomb's law", 0.0, &millimetres(coulomb)),
                relaxed.series("relaxed law", 0.0, &millimetres(relaxed)),
            ],
            ..LinePlot::default()
        },
    });
}
