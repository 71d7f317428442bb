//! A tracked vehicle pushes a pile of cohesive pebbles: Mazhar et al. 2015, section 4.2.2, Fig. 9.

use crate::bulldozer_pile::Pile;
use crate::bulldozer_report as report;
use crate::bulldozer_scene::{pitch_radius, scene};
use crate::bulldozer_solvers::race;
use crate::context::Context;
use crate::outcome::{Outcome, SceneText};
use crate::study::{Scale, Study, StudyError};
use moreau_contact_solvers::problem::ContactProblem;
use moreau_dynamics::bodies::Bodies;
use moreau_dynamics::step_report::StepReport;
use moreau_plots::Series;
use moreau_scene::{Run, Scene};

/// The study.
pub const STUDY: Study = Study {
    name: "bulldozer",
    title: "A bulldozer",
    source: "Mazhar et al. 2015, section 4.2.2, Fig. 9",
    shows: "a tracked vehicle of 114 bodies and 111 joints pushes cohesive pebbles, masses 1e5 to 1",
    takes: "20 s at `small`, a month at `paper` (estimated: 90 000 steps of 0.1 ms)",
    highlights: &[
        "bodies of the vehicle",
        "joints",
        "mass of the vehicle",
        "vehicle over pebble",
    ],
    discussion: include_str!("bulldozer.md"),
    run,
};

/// Of the sprockets, in rad/s.
pub const SPROCKET: f64 = 4.0;

/// The speed that the sprockets demand: so many shoes a turn.
pub fn demanded() -> f64 {
    SPROCKET * pitch_radius()
}

/// What is kept of a step.
#[derive(Clone, Copy)]
pub struct Moment {
    pub time: f64,
    /// Of the chassis along x, in m/s.
    pub speed: f64,
    /// Vertical force on the ground, in N.
    pub weight: f64,
    /// Vertical momentum of all bodies, in N s.
    pub momentum: f64,
    /// Force of the soil on the blade against the way, in N.
    pub blade: f64,
    /// Soil that moves with the vehicle, in kg.
    pub pushed: f64,
    pub contacts: f64,
    pub drift: f64,
    pub converged: bool,
    pub cpu: f64,
}

impl Moment {
    fn of(run: &Run, report: &StepReport) -> Self {
        let simulation = &run.simulation;
        let bodies = simulation.bodies();
        let force = |name: &str| {
            let body = bodies.find(name);
            body.map_or(glam::DVec3::ZERO, |body| simulation.force_on(body).linear)
        };
        let speed = bodies
            .find("chassis")
            .map_or(0.0, |body| bodies.velocities[body].linear.x);
        let moving = |body: &usize| bodies.velocities[*body].linear.x > 0.5 * speed;
        let pushed = soil(bodies)
            .filter(|body| speed > 0.0 && moving(body))
            .map(|body| bodies.masses[body])
            .fold(0.0, |sum, mass| sum + mass);
        Self {
            time: report.time,
            speed,
            weight: 0.0 - force("ground").z,
            momentum: report.balance.momentum.z,
            blade: 0.0 - force("blade").x,
            pushed,
            contacts: report.contacts as f64,
            drift: report.joint_drift,
            converged: report.converged(),
            cpu: report.cpu_times.total(),
        }
    }
}

/// The pebbles: bodies lighter than any part of the vehicle.
pub fn soil(bodies: &Bodies) -> impl Iterator<Item = usize> {
    (0..bodies.len()).filter(|body| bodies.is_rigid(*body) && bodies.masses[*body] < 1.0)
}

/// A run: what was kept of its steps, the problem of the steady step with the most contacts, and its end.
pub struct Drive {
    pub moments: Vec<Moment>,
    /// From this time on the sprockets turn at full speed.
    pub steady: f64,
    pub problem: Option<ContactProblem>,
    pub end: Run,
}

impl Drive {
    /// The mean over the time of full speed.
    pub fn steady_mean(&self, value: impl Fn(&Moment) -> f64) -> f64 {
        let steady = |moment: &&Moment| moment.time >= self.steady;
        let values: Vec<f64> = self.moments.iter().filter(steady).map(value).collect();
        values.iter().sum::<f64>() / values.len() as f64
    }

    pub fn largest(&self, value: impl Fn(&Moment) -> f64) -> f64 {
        self.moments.iter().map(value).fold(0.0, f64::max)
    }

    pub fn failed(&self) -> usize {
        self.moments.iter().filter(|m| !m.converged).count()
    }

    pub fn series(&self, label: &str, value: impl Fn(&Moment) -> f64) -> Series {
        Series {
            label: label.into(),
            points: self.moments.iter().map(|m| (m.time, value(m))).collect(),
        }
    }
}

/// A scene to be run.
struct Plan {
    pile: Option<Pile>,
    /// In s.
    duration: f64,
    solver: &'static str,
    /// The share of the study that is done after it.
    until: f64,
}

fn run(context: &mut Context) -> Result<Outcome, StudyError> {
    let pile = |layers, length, across| Pile {
        layers,
        length,
        across,
    };
    let plain = Plan {
        pile: None,
        duration: context.scale.pick(0.435, 0.7, 3.0),
        solver: "interior_point",
        until: 0.4,
    };
    let through = Plan {
        pile: Some(
            context
                .scale
                .pick(pile(2, 3, 6), pile(4, 6, 16), pile(45, 80, 62)),
        ),
        duration: context.scale.pick(0.36, 0.7, 6.0),
        solver: "accelerated_gauss_seidel",
        until: 0.9,
    };
    let mut outcome = Outcome::default();
    let plain = drive(context, &plain, &mut outcome)?;
    let pushing = drive(context, &through, &mut outcome)?;
    report::describe(&mut outcome, &pushing);
    let full = context.scale != Scale::Tiny;
    report::check_motion(&mut outcome, &plain, &pushing, full);
    let reached = race(context, &mut outcome, [&plain, &pushing])?;
    report::draw(&mut outcome, &plain, &pushing);
    outcome.summary = format!(
        "The vehicle drives at {:.3} m/s where its sprockets demand {:.3}, and pushes {:.1} kg of cohesive pebbles; {reached}.",
        plain.steady_mean(|m| m.speed),
        demanded(),
        pushing.largest(|m| m.pushed),
    );
    Ok(outcome)
}

/// Runs a scene.
fn drive(context: &mut Context, plan: &Plan, outcome: &mut Outcome) -> Result<Drive, StudyError> {
    let (name, what) = match plan.pile {
        Some(_) => ("pile", "through the pile"),
        None => ("ground", "on plain ground"),
    };
    let text = scene(plan.pile);
    let step = context.scale.pick("5e-3", "4e-3", "1e-4");
    let ramp = context.scale.pick(0.2, 0.3, 0.3);
    let scene = Scene::parse(&text, &format!("{name}.toml"))?.with_parameters(&[
        ("step", step),
        ("ramp", &ramp.to_string()),
        ("solver", plan.solver),
    ])?;
    outcome.scenes.push(SceneText {
        name: name.into(),
        text,
    });
    let mut run = context.build(&scene)?;
    run.duration = plan.duration;
    // The sprockets begin to turn at 0.04 s; after the ramp the track needs a moment to swing into place.
    let steady = 0.04 + ramp + 0.06;
    let mut moments: Vec<Moment> = Vec::new();
    let mut problem = None;
    let mut most = 0.0;
    context.simulate(&mut run, plan.until, what, |run, report| {
        let moment = Moment::of(run, report);
        if moment.time > steady && moment.contacts > most {
            most = moment.contacts;
            problem = run.simulation.last_problem().cloned();
        }
        moments.push(moment);
    })?;
    Ok(Drive {
        moments,
        steady,
        problem,
        end: run,
    })
}
