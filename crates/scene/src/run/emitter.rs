//! Bodies that come while the scene runs.

use super::RunError;
use crate::free_space::FreeSpace;
use crate::mix::{Drawn, Mix};
use crate::random::Random;
use crate::region::Region;
use glam::DVec3;
use moreau_collision::bounds::Bounds;
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
            let mass = self.mix.mass(&drawn);
            if self.mass + mass > self.max_mass {
                // The rest of the mass is less than a body.
                self.max_count = self.count;
                return Ok(());
            }
            let space = space.get_or_insert_with(|| {
                let size = 2.0 * self.mix.largest_reach();
                match self.region.bounds() {
                    Some(near) => space_around(simulation, &near, size),
                    None => FreeSpace::new(size),
                }
            });
            let reach = shape.reach();
            let place = (0..ATTEMPTS).find_map(|_| {
                let place = self.region.draw(&mut self.random, reach)?;
                let pose = Pose::new(place, drawn.rotation);
                let free = space.is_free(simulation.shapes(), (&shape, &pose), 0.0);
                free.then_some(pose)
            });
            let Some(pose) = place else {
                self.waiting = Some(drawn);
                return Ok(());
            };
            let entry = add(
                simulation,
                &mut self.mix,
                &drawn,
                (pose, self.velocity),
                None,
            )?;
            space.insert(simulation.shapes(), entry, pose);
            self.count += 1;
            self.mass += mass;
        }
    }
}

/// Adds a body that was drawn, the origin of its shape in a pose; gives its shape in the table.
pub(super) fn add(
    simulation: &mut Simulation,
    mix: &mut Mix,
    drawn: &Drawn,
    (pose, velocity): (Pose, DVec3),
    name: Option<String>,
) -> Result<u32, RunError> {
    let entry = mix.table_entry(simulation, drawn);
    let kind = mix.kind(drawn);
    let mut body = NewBody::rigid(entry, kind.density)
        .posed(pose)
        .of(kind.material)
        .moving(velocity, DVec3::ZERO);
    if let Some(name) = name {
        body = body.named(name);
    }
    simulation.add_body(body)?;
    Ok(entry)
}

/// The bodies in and around a box, in cells of a size.
pub(super) fn space_around(simulation: &Simulation, near: &Bounds, size: f64) -> FreeSpace {
    let mut space = FreeSpace::new(size);
    let (bodies, shapes) = (simulation.bodies(), simulation.shapes());
    for body in 0..bodies.len() {
        let Some(entry) = shapes.get(bodies.shapes[body]) else {
            continue;
        };
        let pose = entry.pose(&bodies.poses[body]);
        if entry.shape.bounds(&pose).overlaps(near) {
            space.insert(shapes, bodies.shapes[body], pose);
        }
    }
    space
}
