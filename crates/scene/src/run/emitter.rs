//! Bodies that come while the scene runs.

use super::RunError;
use crate::free_space::FreeSpace;
use crate::mix::{Drawn, Mix};
use crate::random::Random;
use crate::region::Region;
use glam::DVec3;
use moreau_collision::pose::Pose;
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::simulation::Simulation;
use serde::{Deserialize, Serialize};

/// Random places tried for a body in one step; after that it waits for the next.
const ATTEMPTS: usize = 100;

/// An emitter and what it did so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Emitter {
    pub region: Region,
    pub mix: Mix,
    /// Bodies or kg per second.
    pub rate: f64,
    pub by_mass: bool,
    pub from: f64,
    pub until: f64,
    pub velocity: DVec3,
    pub max_count: u64,
    pub max_mass: f64,
    pub random: Random,
    /// A body that found no room. It comes next: were another drawn, small ones would be preferred.
    pub waiting: Option<Drawn>,
    pub count: u64,
    pub mass: f64,
}

impl Emitter {
    /// Adds the bodies that are due, as far as there is room.
    pub fn emit(&mut self, simulation: &mut Simulation, max_bodies: u64) -> Result<(), RunError> {
        // Time is a sum of steps: rounding must not put off a body by a step.
        let time = simulation.time() * (1.0 + 1e-12);
        if !(self.from <= time && time <= self.until) {
            return Ok(());
        }
        let due = self.rate * (time - self.from);
        let mut space = None;
        loop {
            let done = if self.by_mass {
                self.mass
            } else {
                self.count as f64
            };
            if done > due || self.count >= self.max_count {
                return Ok(());
            }
            if simulation.bodies().len() as u64 >= max_bodies {
                return Err(RunError::TooManyBodies(max_bodies));
            }
            let drawn = match self.waiting.take() {
                Some(drawn) => drawn,
                None => self.mix.draw(&mut self.random),
            };
            let shape = self.mix.shape(&drawn);
            let kind = self.mix.kind(&drawn);
            let mass = kind.density * shape.volume_properties().map_or(0.0, |v| v.volume);
            if self.mass + mass > self.max_mass {
                // The rest of the mass is less than a body.
                self.max_count = self.count;
                return Ok(());
            }
            let space = space.get_or_insert_with(|| self.space(simulation));
            let reach = shape.reach();
            let place = (0..ATTEMPTS).find_map(|_| {
                let place = self.region.draw(&mut self.random, reach)?;
                let pose = Pose::new(place, drawn.rotation);
                let free = space.is_free(simulation.shapes(), &shape, &pose);
                free.then_some(pose)
            });
            let Some(pose) = place else {
                self.waiting = Some(drawn);
                return Ok(());
            };
            let (density, material) = (kind.density, kind.material);
            let entry = self.mix.table_entry(simulation, &drawn);
            let body = NewBody::rigid(entry, density)
                .posed(pose)
                .of(material)
                .moving(self.velocity, DVec3::ZERO);
            simulation.add_body(body)?;
            space.insert(simulation.shapes(), entry, pose);
            self.count += 1;
            self.mass += mass;
        }
    }

    /// The bodies in and around the region.
    fn space(&self, simulation: &Simulation) -> FreeSpace {
        let mut space = FreeSpace::new(2.0 * self.mix.largest_reach());
        let (bodies, shapes) = (simulation.bodies(), simulation.shapes());
        let Some(near) = self.region.bounds() else {
            return space;
        };
        for body in 0..bodies.len() {
            let Some(entry) = shapes.get(bodies.shapes[body]) else {
                continue;
            };
            let pose = entry.pose(&bodies.poses[body]);
            if entry.shape.bounds(&pose).overlaps(&near) {
                space.insert(shapes, bodies.shapes[body], pose);
            }
        }
        space
    }
}
