//! What comes, goes and is watched while the scene runs.

use super::{Builder, Told};
use crate::mix::Mix;
use crate::model::{self, SensorKind};
use crate::nearest::suggestion;
use crate::random::Random;
use crate::region::{Region, unit};
use crate::run::{Emitter, Measure, Sensor, Sink};
use glam::DVec3;

/// Streams of random numbers of emitters begin here; those of generators are below.
const EMITTERS: u64 = 1 << 32;
/// File systems take names of 255 bytes; a name while a file is written is longer than the sensor's by some 30.
const LONGEST_NAME: usize = 200;
/// The table that a run writes beside those of its sensors.
const STEPS: &str = "steps";

impl<'a> Builder<'a> {
    pub(super) fn emitters(&mut self) -> Vec<Emitter> {
        let file = self.file;
        let emitters = file.emitters.iter().enumerate();
        emitters
            .filter_map(|(number, emitter)| {
                let path = format!("emitters[{number}]");
                self.emitter(&path, number as u64, emitter).ok()
            })
            .collect()
    }

    fn emitter(
        &mut self,
        path: &str,
        number: u64,
        emitter: &'a model::Emitter,
    ) -> Result<Emitter, Told> {
        let region = self.bounded_region(&format!("{path}.region"), &emitter.region)?;
        let mix = self.mix(&format!("{path}.mix"), &emitter.mix, true)?;
        let rate = match (emitter.rate, emitter.mass_rate) {
            (Some(rate), None) => rate,
            (None, Some(rate)) => rate,
            (rate, _) => {
                let message = match rate {
                    Some(_) => format!("{path} has both rate and mass_rate; expected one"),
                    None => format!("{path} needs either rate or mass_rate"),
                };
                return Err(self.error(path, message));
            }
        };
        let reach = mix.largest_reach();
        let mut trial = Random::new(self.file.seed, 0);
        if region.draw(&mut trial, reach).is_none() {
            let message = format!("bodies that reach {reach} m do not fit into the region");
            return Err(self.error(&format!("{path}.region"), message));
        }
        if emitter.until.is_some_and(|until| until <= emitter.from) {
            let message = format!("until is not after from = {} s", emitter.from);
            return Err(self.error(&format!("{path}.until"), message));
        }
        self.refuse_floods(path, emitter, &mix)?;
        Ok(Emitter {
            region,
            mix,
            rate,
            by_mass: emitter.mass_rate.is_some(),
            from: emitter.from,
            until: emitter.until.unwrap_or(f64::INFINITY),
            velocity: DVec3::from_array(emitter.velocity),
            max_count: emitter.max_count.unwrap_or(u64::MAX),
            max_mass: emitter.max_mass.unwrap_or(f64::INFINITY),
            random: Random::new(self.file.seed, EMITTERS + number),
            waiting: None,
            count: 0,
            mass: 0.0,
        })
    }

    /// Refuses an emitter that would make more bodies than there may be. Where a sink takes bodies away, the run will tell.
    fn refuse_floods(
        &mut self,
        path: &str,
        emitter: &model::Emitter,
        mix: &Mix,
    ) -> Result<(), Told> {
        if !self.file.sinks.is_empty() {
            return Ok(());
        }
        let end = self.file.duration;
        let time = emitter.until.map_or(end, |until| until.min(end)) - emitter.from;
        let of_mass = |mass: f64| mass / mix.mean_mass(self.file.seed);
        let due = [
            emitter.rate.map(|rate| rate * time),
            emitter.mass_rate.map(|rate| of_mass(rate * time)),
            emitter.max_mass.map(of_mass),
            emitter.max_count.map(|count| count as f64),
        ];
        let due = due.into_iter().flatten().fold(f64::INFINITY, f64::min);
        let limit = self.file.max_bodies as f64;
        if due <= limit {
            return Ok(());
        }
        let key = match emitter.rate {
            Some(_) => "rate",
            None => "mass_rate",
        };
        let due = due.floor();
        let message = format!("this would make {due} bodies; max_bodies is {limit}");
        let help = "give it a max_count, or raise max_bodies at the top of the file if you mean it";
        Err(self.error_with_help(&format!("{path}.{key}"), message, Some(help.into())))
    }

    pub(super) fn sinks(&mut self) -> Vec<Sink> {
        let file = self.file;
        let sinks = file.sinks.iter().enumerate();
        sinks
            .filter_map(|(number, sink)| {
                let region = Region::new(&sink.region);
                let region = self.told(&format!("sinks[{number}].region"), region).ok()?;
                Some(Sink {
                    region,
                    count: 0,
                    mass: 0.0,
                })
            })
            .collect()
    }

    pub(super) fn sensors(&mut self) -> Vec<Sensor> {
        let file = self.file;
        let mut sensors: Vec<Sensor> = Vec::new();
        for (number, sensor) in file.sensors.iter().enumerate() {
            let path = format!("sensors[{number}]");
            let name = &sensor.name;
            let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
            if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
                let message = format!("'{name}' cannot be the name of a file");
                self.error(&format!("{path}.name"), message);
                continue;
            }
            if name.len() > LONGEST_NAME {
                let message = format!(
                    "a name of {} bytes is too long for that of a file; expected at most {LONGEST_NAME}",
                    name.len()
                );
                self.error(&format!("{path}.name"), message);
                continue;
            }
            // Some file systems do not tell small letters from large ones.
            let same = |other: &str| other.to_lowercase() == name.to_lowercase();
            if same(STEPS) {
                let message = format!("'{name}' is the table of the steps; take another name");
                self.error(&format!("{path}.name"), message);
                continue;
            }
            if let Some(other) = sensors.iter().find(|other| same(other.name())) {
                let message = match other.name() {
                    other if other == name => format!("there are two sensors '{name}'"),
                    other => format!("the sensors '{other}' and '{name}' may share a file"),
                };
                self.error(&format!("{path}.name"), message);
                continue;
            }
            if let Ok(measure) = self.measure(&format!("{path}.measure"), &sensor.measure) {
                sensors.push(Sensor::new(name.clone(), measure));
            }
        }
        sensors
    }

    fn measure(&mut self, path: &str, kind: &SensorKind) -> Result<Measure, Told> {
        let mut tag_of = |name: &str| {
            let body = self.find_body(&format!("{path}.body"), name, false)?;
            Ok(self.simulation.bodies().tags[body as usize])
        };
        Ok(match kind {
            SensorKind::Force { body } => Measure::Force { tag: tag_of(body)? },
            SensorKind::Pose { body } => Measure::Pose { tag: tag_of(body)? },
            SensorKind::Velocity { body } => Measure::Velocity { tag: tag_of(body)? },
            SensorKind::Energy => Measure::Energy,
            SensorKind::Count { region } => Measure::Count {
                region: self.told(&format!("{path}.region"), Region::new(region))?,
            },
            SensorKind::MassFlow {
                point,
                normal,
                radius,
            } => Measure::mass_flow(
                DVec3::from_array(*point),
                self.told(&format!("{path}.normal"), unit("normal", *normal))?,
                radius.unwrap_or(f64::INFINITY),
            ),
            SensorKind::AngleOfRepose {
                region,
                centre,
                direction,
                bins,
            } => {
                let region = self.told(&format!("{path}.region"), Region::new(region))?;
                let direction = match direction {
                    None => None,
                    Some(direction) => {
                        let flat = [direction[0], direction[1], 0.0];
                        let flat = unit("the horizontal part of direction", flat);
                        Some(self.told(&format!("{path}.direction"), flat)?)
                    }
                };
                Measure::AngleOfRepose {
                    region,
                    centre: centre.map(DVec3::from_array),
                    direction,
                    bins: *bins,
                }
            }
            SensorKind::JointReaction { joint } => {
                let names: Vec<&str> = self
                    .file
                    .joints
                    .iter()
                    .filter_map(|joint| joint.name.as_deref())
                    .collect();
                if !names.contains(&joint.as_str()) {
                    let message = format!("there is no joint '{joint}'");
                    let help = suggestion(joint, &names);
                    let path = format!("{path}.joint");
                    return Err(self.error_with_help(&path, message, help));
                }
                Measure::JointReaction {
                    joint: joint.clone(),
                }
            }
        })
    }
}
