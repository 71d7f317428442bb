//! A scene that runs: emitters put bodies in, the simulation steps, sensors look, sinks take bodies out.

mod emitter;
mod layers;
mod repose;
mod sensor;
mod sink;

pub(crate) use emitter::Emitter;
pub(crate) use layers::{Layers, TOUCH};
pub(crate) use sensor::Measure;
pub use sensor::Sensor;
pub(crate) use sink::Sink;

use crate::model::{Output, SceneFile};
use moreau_contact_solvers::methods;
use moreau_dynamics::bodies::BodyError;
use moreau_dynamics::materials::Material;
use moreau_dynamics::simulation::{Simulation, StepError};
use moreau_dynamics::step_report::StepReport;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use thiserror::Error;

/// More steps than this are taken for a mistake: at a microsecond each they take eleven days.
const MOST_STEPS: f64 = 1e12;

/// Why a run cannot go on.
#[derive(Debug, Error)]
pub enum RunError {
    /// The step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// An emitter made a body that cannot be.
    #[error("an emitter made a body that cannot be: {0}")]
    Body(#[from] BodyError),
    /// Emitters made more bodies than the scene allows.
    #[error("there are more than max_bodies = {0} bodies")]
    TooManyBodies(u64),
}

/// A scene that runs. It can be serialised between steps; what is read back goes on bit for bit as this one.
///
/// ```
/// use moreau_scene::Scene;
///
/// let text = "
/// duration = 0.5
/// [simulation]
/// time_step = 0.01
/// [[emitters]]
/// region = { type = 'box', lower = [-1, -1, 0], upper = [1, 1, 1] }
/// mix = [{ radius = 0.1, density = 1000 }]
/// rate = 20
/// [[sinks]]
/// region = { type = 'below_plane', point = [0, 0, -0.5] }
/// ";
/// let mut run = Scene::parse(text, "rain.toml")?.build()?;
/// while !run.is_finished() {
///     run.step()?;
/// }
/// let flow = run.flow();
/// assert_eq!(flow.emitted, 10);
/// assert_eq!(flow.emitted - flow.removed, run.simulation.bodies().len() as u64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    /// Bodies, joints, forces, and the step.
    pub simulation: Simulation,
    /// What it is called.
    pub title: String,
    /// How long it runs, in s.
    pub duration: f64,
    /// What is written, and how often.
    pub output: Output,
    /// What was suspicious about the scene, as text.
    pub warnings: Vec<String>,
    max_bodies: u64,
    emitters: Vec<Emitter>,
    layers: Vec<Layers>,
    sinks: Vec<Sink>,
    sensors: Vec<Sensor>,
    /// When the sensors write their next row, in s.
    next_row: f64,
}

/// What a run is made of.
pub(crate) struct RunParts<'a> {
    pub simulation: Simulation,
    pub file: &'a SceneFile,
    pub warnings: Vec<String>,
    pub emitters: Vec<Emitter>,
    pub layers: Vec<Layers>,
    pub sinks: Vec<Sink>,
    pub sensors: Vec<Sensor>,
}

impl Run {
    pub(crate) fn new(parts: RunParts) -> Self {
        let mut run = Self {
            simulation: parts.simulation,
            title: parts.file.title.clone(),
            duration: parts.file.duration,
            output: parts.file.output.clone(),
            warnings: parts.warnings,
            max_bodies: parts.file.max_bodies,
            emitters: parts.emitters,
            layers: parts.layers,
            sinks: parts.sinks,
            sensors: parts.sensors,
            next_row: 0.0,
        };
        run.read_sensors(0.0);
        run
    }

    /// Lets emitters and layers add bodies, advances by one step, reads the sensors, and lets sinks take bodies away. (The sensors
    /// come first because the contacts of a body, which forces are read from, go with it.)
    ///
    /// # Errors
    /// When the step fails or emitters make too many bodies.
    pub fn step(&mut self) -> Result<StepReport, RunError> {
        for emitter in &mut self.emitters {
            emitter.emit(&mut self.simulation, self.max_bodies)?;
        }
        for layers in &mut self.layers {
            layers.emit(&mut self.simulation, self.max_bodies)?;
        }
        let report = self.simulation.step()?;
        self.read_sensors(report.step_size);
        sink::drain(&mut self.sinks, &mut self.simulation);
        Ok(report)
    }

    fn read_sensors(&mut self, step: f64) {
        let time = self.simulation.time();
        // A row that is due within the next half step is due now.
        let due = time + 0.5 * step >= self.next_row;
        for sensor in &mut self.sensors {
            sensor.watch(&self.simulation);
            sensor.read(&self.simulation, due);
        }
        if due && let Some(every) = self.output.sensors_every {
            // Not a sum of many small steps, whose rounding would add up.
            self.next_row = every * ((time + 0.5 * step) / every).floor() + every;
        }
    }

    /// The sensors that produced a row at the last step (or at the beginning), and their rows: the time, then the values
    /// that [`Sensor::columns`] names.
    pub fn sensors(&self) -> impl Iterator<Item = (&Sensor, &[f64])> {
        self.sensors
            .iter()
            .filter_map(|sensor| sensor.row().map(|row| (sensor, row)))
    }

    /// All sensors.
    pub fn all_sensors(&self) -> &[Sensor] {
        &self.sensors
    }

    /// Bodies that emitters and layers made and that sinks took away so far, and their masses in kg.
    pub fn flow(&self) -> Flow {
        let emitters = self.emitters.iter().map(|e| (e.count, e.mass));
        let layers = self.layers.iter().map(|l| (l.count, l.mass));
        let came: Vec<(u64, f64)> = emitters.chain(layers).collect();
        Flow {
            emitted: came.iter().map(|(count, _)| count).sum(),
            emitted_mass: came.iter().map(|(_, mass)| mass).sum(),
            removed: self.sinks.iter().map(|s| s.count).sum(),
            removed_mass: self.sinks.iter().map(|s| s.mass).sum(),
        }
    }

    /// Says so when the run would make no step although it has a duration, or would not end within any time: time itself does
    /// not advance where a step is lost in its rounding.
    ///
    /// # Errors
    /// A message with the duration and the number of steps, or the step.
    pub fn check_length(&self) -> Result<(), String> {
        let step = self.simulation.step_size().unwrap_or(f64::INFINITY);
        let steps = self.duration / step;
        if self.duration > 0.0 && steps <= 0.5 && step.is_finite() {
            return Err(format!(
                "a duration of {:e} s is less than half a step of {step:e} s; expected a step at least",
                self.duration
            ));
        }
        if steps > MOST_STEPS {
            return Err(format!(
                "a duration of {:e} s takes {steps:.0e} steps; expected at most {MOST_STEPS:.0e}",
                self.duration
            ));
        }
        Ok(())
    }

    /// Whether the solver can take what may happen in this run; otherwise what it cannot take, and what would be right.
    ///
    /// # Errors
    /// When the solver takes joints only, and bodies can collide or a joint is bounded.
    pub fn check_solver(&self) -> Result<(), String> {
        let name = &self.simulation.settings().solver.name;
        if !methods::by_name(name)?.takes_equations_only() {
            return Ok(());
        }
        let coming = !self.emitters.is_empty() || !self.layers.is_empty();
        let found = match coming {
            true => Some("bodies that come while the scene runs can collide".into()),
            false => self.simulation.first_inequality(),
        };
        match found {
            Some(what) => Err(format!(
                "the solver {name} takes joints without bounds and no contacts, but {what}; expected auto or another \
                 solver that takes contacts, or bodies in groups that do not collide"
            )),
            None => Ok(()),
        }
    }

    /// Whether contact problems of this run can be written as problem files; otherwise why not. What depends on who meets whom is
    /// not known before: a problem may not fit although this says nothing.
    ///
    /// # Errors
    /// When every contact that there can be has cohesion or spinning friction, for which the format has no place.
    pub fn check_problem_files(&self) -> Result<(), String> {
        let materials = self.simulation.materials();
        let coming = !self.emitters.is_empty() || !self.layers.is_empty();
        let present: BTreeSet<u32> = match coming {
            true => (0..materials.len() as u32).collect(),
            false => self.simulation.bodies().materials.iter().copied().collect(),
        };
        let pairs = || {
            let all = present
                .iter()
                .flat_map(|a| present.iter().map(|b| (*a, *b)));
            all.map(|(a, b)| materials.pair(a, b))
        };
        let spins = |pair: &Material| pair.spinning_friction > 0.0;
        let sticks = |pair: &Material| pair.cohesion > 0.0;
        if present.is_empty() || pairs().any(|pair| !spins(pair) && !sticks(pair)) {
            return Ok(());
        }
        let what = match (pairs().any(spins), pairs().any(sticks)) {
            (true, true) => "spinning friction and cohesion",
            (true, false) => "spinning friction",
            _ => "cohesion",
        };
        Err(format!(
            "contacts of this scene have {what}, for which problem files have no place; expected contacts with friction, or \
             friction and rolling friction"
        ))
    }

    /// Whether the duration is over, to the nearest step.
    pub fn is_finished(&self) -> bool {
        let half = 0.5 * self.simulation.step_size().unwrap_or(0.0);
        self.simulation.time() + half >= self.duration
    }
}

/// What came and went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Flow {
    /// Bodies that emitters and layers made.
    pub emitted: u64,
    /// Their mass in kg.
    pub emitted_mass: f64,
    /// Bodies that sinks took away.
    pub removed: u64,
    /// Their mass in kg.
    pub removed_mass: f64,
}
