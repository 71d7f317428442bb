//! What the bulldozer's runs show: numbers beside the paper's, verdicts, curves and pictures.

use crate::bulldozer::{Drive, Moment, SPROCKET, demanded, soil};
use crate::bulldozer_pile::PEBBLE;
use crate::bulldozer_scene::{PITCH, SHOES};
use crate::outcome::{Comparison, Data, Figure, Outcome, Picture, Table};
use crate::picture;
use moreau_plots::{LinePlot, Series};

const GRAVITY: f64 = 9.81;
const MASS: f64 = 7300.0;
/// Friction between pebbles and ground: the geometric mean of 0.2 and 1.
const SOIL_ON_GROUND: f64 = 0.447;

/// The paper's numbers of the model beside ours.
pub fn describe(outcome: &mut Outcome, pushing: &Drive) {
    let simulation = &pushing.end.simulation;
    let bodies = simulation.bodies();
    let rigid = || (0..bodies.len()).filter(|body| bodies.is_rigid(*body));
    let pebbles = soil(bodies).count();
    let pebble = soil(bodies)
        .map(|body| bodies.masses[body])
        .fold(0.0, f64::max);
    // What is rigid and no pebble; the ground is fixed.
    let parts = rigid().count() - pebbles;
    let mass = rigid().map(|body| bodies.masses[body]).sum::<f64>() - pebbles as f64 * pebble;
    let driven = simulation.joints().iter().filter(|joint| {
        let mut controls = joint.controls().iter();
        controls.any(|control| control.motor.is_some())
    });
    let joints = simulation.joints().len() - driven.count();
    let mut table = Comparison::new("The model of Fig. 9");
    table.row("bodies of the vehicle", "", 114.0, parts);
    table.row("joints, without the two that drive", "", 111.0, joints);
    table.row("mass of the vehicle", "kg", MASS, mass);
    let named = |name: &str| bodies.find(name).map(|body| bodies.masses[body]);
    let upper = named("chassis").zip(named("blade"));
    table.row(
        "mass of the chassis, with the blade",
        "kg",
        5000.0,
        upper.map(|(chassis, blade)| chassis + blade),
    );
    table.row("mass of a sprocket", "kg", 250.0, named("left sprocket"));
    table.row("mass of a roller", "kg", 250.0, named("left roller 0"));
    table.row("shoes of a track", "", 50.0, SHOES);
    table.row("mass of a shoe", "kg", 20.0, named("left shoe 0"));
    table.row("speed of the sprockets", "rad/s", 4.0, SPROCKET);
    table.row("pebbles", "", 160_000.0, pebbles);
    table.row("mass of a pebble", "kg", 0.067, pebble);
    let between = |a: Option<usize>, b: Option<usize>| {
        let [a, b] = [a?, b?].map(|body| bodies.materials[body]);
        Some(simulation.materials().pair(a, b))
    };
    let stone = soil(bodies).next();
    let stones = between(stone, stone);
    let shoe = between(bodies.find("left shoe 0"), bodies.find("ground"));
    let blade = between(bodies.find("blade"), stone);
    let volume = 4.0 / 3.0 * std::f64::consts::PI * PEBBLE.iter().product::<f64>();
    table.row("density of a pebble", "kg/m³", 2000.0, pebble / volume);
    let cohesion = stones.map(|pair| pair.cohesion);
    table.row("cohesion of pebbles", "N", 500.0, cohesion);
    for (what, paper, pair) in [
        ("friction of pebbles", 0.2, stones),
        ("friction of shoes on the ground", 1.0, shoe),
        ("friction of the blade", 0.0, blade),
    ] {
        table.row(what, "", paper, pair.map(|pair| pair.friction));
    }
    table.row("vehicle over pebble, in mass", "", 1e5, mass / pebble);
    let contacts = pushing.largest(|m| m.contacts);
    table.row("contacts at most", "", 500_000.0, contacts);
    let step = simulation.step_size().unwrap_or(f64::NAN);
    table.row("step", "s", 1e-4, step);
    outcome.comparisons.push(table);
    let ratio = mass / pebble;
    outcome.claim(
        "The vehicle is the paper's: 114 bodies, 111 joints, 7300 kg, 1e5 times as heavy as a pebble (to 10 %)",
        parts == 114
            && joints == 111
            && (mass / MASS - 1.0).abs() < 1e-6
            && (1e-5 * ratio - 1.0).abs() < 0.1,
        format!("{parts} bodies, {joints} joints, {mass:.0} kg, ratio {ratio:.2e}"),
    );
}

/// What must hold of the motion, whatever the solver.
pub fn check_motion(outcome: &mut Outcome, plain: &Drive, pushing: &Drive, full: bool) {
    let speed = plain.steady_mean(|m| m.speed);
    let near = |speed: f64| (speed / demanded() - 1.0).abs() < 0.03;
    let beside = |speed: f64| format!("{speed:.4} m/s against {:.4}", demanded());
    outcome.claim(
        "On plain ground the vehicle drives at the speed that its sprockets demand, ω n p/(2π), to 3 %",
        near(speed),
        beside(speed),
    );
    // Force over time is weight over time and the change of momentum, over all steps after the first.
    let (first, rest) = plain.moments.split_first().expect("the scene has steps");
    let last = rest.last().unwrap_or(first);
    let carried = rest.iter().map(|m| m.weight).sum::<f64>() / rest.len() as f64;
    let lift = (last.momentum - first.momentum) / (last.time - first.time);
    let expected = MASS * GRAVITY + lift;
    outcome.claim(
        "The ground carries the weight and the change of vertical momentum, to 1e-6",
        (carried / expected - 1.0).abs() < 1e-6,
        format!(
            "{:.3} kN in the mean against {:.3} kN; weight {:.3} kN",
            1e-3 * carried,
            1e-3 * expected,
            1e-3 * MASS * GRAVITY
        ),
    );
    let drift = plain.largest(|m| m.drift).max(pushing.largest(|m| m.drift));
    outcome.claim(
        "No joint is off by more than a hundredth of the pitch",
        drift < 0.01 * PITCH,
        format!("{:.3} mm at most, pitch {:.0} mm", 1e3 * drift, 1e3 * PITCH),
    );
    let failed = plain.failed() + pushing.failed();
    let steps = plain.moments.len() + pushing.moments.len();
    outcome.claim(
        "Every step converged",
        failed == 0,
        format!("{failed} of {steps} steps did not"),
    );
    let bodies = pushing.end.simulation.bodies();
    let pile: f64 = soil(bodies).map(|body| bodies.masses[body]).sum();
    let pushed = pushing.steady_mean(|m| m.pushed);
    outcome.claim(
        "At full speed at least half of the pile moves with the vehicle, in the mean",
        pushed >= 0.5 * pile,
        format!("{pushed:.1} of {pile:.1} kg"),
    );
    // At the smallest scale the time at full speed is less than a shoe takes to pass: too little for a mean.
    if full {
        let speed = pushing.steady_mean(|m| m.speed);
        outcome.claim(
            "The pile does not slow it: its speed stays within 3 % of the demanded one",
            near(speed),
            beside(speed),
        );
        let (force, expected) = (
            pushing.steady_mean(|m| m.blade),
            pushing.steady_mean(friction),
        );
        outcome.claim(
            "The force on the blade is the friction of what it pushes on the ground, μ m g, to 10 %",
            (force / expected - 1.0).abs() < 0.1,
            format!("{force:.1} N against {expected:.1} N"),
        );
    }
    let mut table = Table::new(
        format!("Means after {:.2} s", plain.steady),
        &[
            "run",
            "speed (m/s)",
            "force on the blade (N)",
            "soil pushed (kg)",
            "its friction on the ground μ m g (N)",
            "largest drift of a joint (mm)",
            "CPU seconds of a step",
        ],
    );
    for (name, drive) in [("plain ground", plain), ("pile", pushing)] {
        table.row([
            name.into(),
            drive.steady_mean(|m| m.speed).into(),
            drive.steady_mean(|m| m.blade).into(),
            drive.steady_mean(|m| m.pushed).into(),
            drive.steady_mean(friction).into(),
            (1e3 * drive.largest(|m| m.drift)).into(),
            drive.steady_mean(|m| m.cpu).into(),
        ]);
    }
    outcome.tables.push(table);
}

/// Curves, pictures and data.
pub fn draw(outcome: &mut Outcome, plain: &Drive, pushing: &Drive) {
    outcome.figures.push(Figure {
        name: "speed".into(),
        caption: "Speed of the chassis while the sprockets turn up to 4 rad/s and after; the ripple is that of the shoes.".into(),
        plot: LinePlot {
            title: "Speed of the vehicle".into(),
            x_label: "time (s)".into(),
            y_label: "speed (m/s)".into(),
            series: vec![
                plain.series("plain ground", |m| m.speed),
                pushing.series("pile", |m| m.speed),
            ],
            reference: Some((demanded(), "demanded by the sprockets".into())),
            ..LinePlot::default()
        },
    });
    outcome.figures.push(Figure {
        name: "blade".into(),
        caption:
            "Force of the pile on the blade, means of eight steps, and the friction μ m g of the soil that moves with the vehicle."
                .into(),
        plot: LinePlot {
            title: "Pushing the pile".into(),
            x_label: "time (s)".into(),
            y_label: "force (N)".into(),
            series: vec![
                Series {
                    label: "force on the blade".into(),
                    points: pushing.moments.chunks(8).map(mean_force).collect(),
                },
                pushing.series("friction of the soil pushed", friction),
            ],
            ..LinePlot::default()
        },
    });
    for (name, drive, where_, direction) in [
        ("vehicle", plain, "On plain ground", [-0.6, 1.0, -0.5]),
        ("pile", pushing, "In the pile", [-1.0, 0.75, -0.6]),
    ] {
        let simulation = &drive.end.simulation;
        let caption = format!(
            "{where_} after {:.1} s; the vehicle is coloured by speed, pebbles are light",
            simulation.time()
        );
        let bodies = simulation.bodies();
        // The upper run of a track is twice as fast as the vehicle.
        let speed = |body: usize| bodies.velocities[body].linear.length() / (2.0 * demanded());
        let mut solids = picture::by(simulation, caption.clone(), |body| {
            match bodies.masses[body] < 1.0 {
                true => 1.0,
                false => 0.7 * speed(body).min(1.0),
            }
        });
        let fastest = format!("{:.1} m/s", 2.0 * demanded());
        solids.colours = Some(picture::bar(fastest, 0.7));
        (solids.width, solids.height) = (840, 560);
        solids.view.direction = direction;
        outcome.pictures.push(Picture {
            name: name.into(),
            caption,
            solids,
        });
    }
    for (name, drive) in [("ground", plain), ("pile", pushing)] {
        let row = |m: &Moment| {
            vec![
                m.time, m.speed, m.weight, m.blade, m.pushed, m.contacts, m.drift,
            ]
        };
        outcome.data.push(Data {
            name: name.into(),
            heads: [
                "time [s]",
                "speed [m/s]",
                "force on the ground [N]",
                "force on the blade [N]",
                "soil pushed [kg]",
                "contacts",
                "joint drift [m]",
            ]
            .map(String::from)
            .to_vec(),
            rows: drive.moments.iter().map(row).collect(),
        });
    }
}

/// Of the soil that moves with the vehicle, on the ground, in N.
fn friction(moment: &Moment) -> f64 {
    SOIL_ON_GROUND * GRAVITY * moment.pushed
}

/// Mean time and mean force on the blade of a few steps.
fn mean_force(few: &[Moment]) -> (f64, f64) {
    let count = few.len() as f64;
    let mean = |value: fn(&Moment) -> f64| few.iter().map(value).sum::<f64>() / count;
    (mean(|m| m.time), mean(|m| m.blade))
}
