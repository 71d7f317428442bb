//! Layers of bodies, one after the other.

use super::RunError;
use super::emitter::{add, space_around};
use crate::free_space::FreeSpace;
use crate::mix::{Drawn, Mix};
use crate::random::Random;
use crate::region::Region;
use glam::{DVec2, DVec3};
use moreau_collision::bounds::Bounds;
use moreau_collision::pose::Pose;
use moreau_dynamics::simulation::Simulation;
use serde::{Deserialize, Serialize};

/// Random places tried for each that a grid would have.
const ATTEMPTS: usize = 50;
/// Between what is there and a layer on top of it, as a share of the largest reach.
const CLEARANCE: f64 = 0.1;

/// Bodies that overlap by no more than this share of the largest reach just touch.
pub(crate) const TOUCH: f64 = 1e-6;

/// Layers and what came of them so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Layers {
    pub name: Option<String>,
    pub region: Region,
    pub mix: Mix,
    /// Distance of the places in a layer.
    pub spacing: f64,
    /// Whether the places are drawn anew for each layer, and not those of a grid.
    pub at_random: bool,
    pub every: f64,
    pub from: f64,
    pub layers: u64,
    /// Whether a layer is lifted above the bodies that are there.
    pub on_top: bool,
    pub velocity: DVec3,
    pub random: Random,
    /// Layers that have begun.
    pub begun: u64,
    /// Bodies of begun layers that found no room yet.
    pub waiting: Vec<(Drawn, DVec2)>,
    pub count: u64,
    pub mass: f64,
}

impl Layers {
    /// The places of a grid in the region, in its middle.
    pub fn grid(&self) -> Vec<DVec2> {
        let Some(bounds) = self.region.bounds() else {
            return Vec::new();
        };
        let room = bounds.upper - bounds.lower - 2.0 * self.mix.largest_reach();
        // A region made for a number of bodies holds that number, whatever rounding says.
        let steps = (room / self.spacing + 1e-9).floor().max(DVec3::ZERO);
        let middle = 0.5 * (bounds.lower + bounds.upper);
        let first = middle - 0.5 * self.spacing * steps;
        let mut places = Vec::new();
        for y in 0..=steps.y as u64 {
            for x in 0..=steps.x as u64 {
                let place = first.truncate() + self.spacing * DVec2::new(x as f64, y as f64);
                if self.fits(place) {
                    places.push(place);
                }
            }
        }
        places
    }

    /// The height of the centres of the first layer: the lowest bodies reach down to the end of the region.
    pub fn lowest(&self) -> f64 {
        let bottom = self.region.bounds().map_or(0.0, |bounds| bounds.lower.z);
        bottom + self.mix.largest_reach()
    }

    fn fits(&self, place: DVec2) -> bool {
        let reach = self.mix.largest_reach() * (1.0 - 1e-9);
        self.region
            .contains_ball(place.extend(self.lowest()), reach)
    }

    /// Random places, none nearer to another than the spacing: one after the other, until chance finds no more.
    fn scattered(&mut self) -> Vec<DVec2> {
        let attempts = ATTEMPTS * self.grid().len();
        let reach = self.mix.largest_reach();
        let mut places: Vec<DVec2> = Vec::new();
        for _ in 0..attempts {
            let Some(place) = self.region.draw(&mut self.random, reach) else {
                continue;
            };
            let place = place.truncate();
            let apart = |other: &DVec2| other.distance(place) >= self.spacing;
            if self.fits(place) && places.iter().all(apart) {
                places.push(place);
            }
        }
        places
    }

    /// Begins the layers that are due, and adds the bodies that find room.
    pub fn emit(&mut self, simulation: &mut Simulation, max_bodies: u64) -> Result<(), RunError> {
        // Time is a sum of steps: rounding must not put off a layer by a step.
        let time = simulation.time() * (1.0 + 1e-12);
        while self.begun < self.layers && time >= self.from + self.begun as f64 * self.every {
            let places = if self.at_random {
                self.scattered()
            } else {
                self.grid()
            };
            for place in places {
                let drawn = self.mix.draw(&mut self.random);
                self.waiting.push((drawn, place));
            }
            self.begun += 1;
        }
        if self.waiting.is_empty() {
            return Ok(());
        }
        let (height, mut space) = self.room(simulation);
        for (drawn, place) in std::mem::take(&mut self.waiting) {
            let pose = Pose::new(place.extend(height), drawn.rotation);
            let shape = self.mix.shape(&drawn);
            let overlap = TOUCH * self.mix.largest_reach();
            if !space.is_free(simulation.shapes(), (&shape, &pose), overlap) {
                self.waiting.push((drawn, place));
                continue;
            }
            if simulation.bodies().len() as u64 >= max_bodies {
                return Err(RunError::TooManyBodies(max_bodies));
            }
            let name = self.name.as_ref();
            let name = name.map(|name| format!("{name}.{}", self.count));
            let placed = (pose, self.velocity);
            let entry = add(simulation, &mut self.mix, &drawn, placed, name)?;
            self.count += 1;
            self.mass += self.mix.mass(&drawn);
            space.insert(simulation.shapes(), entry, pose);
        }
        Ok(())
    }

    /// The height of the centres of a layer that comes now, and what is around there.
    fn room(&self, simulation: &Simulation) -> (f64, FreeSpace) {
        let reach = self.mix.largest_reach();
        let mut height = self.lowest();
        let Some(mut bounds) = self.region.bounds() else {
            return (height, FreeSpace::new(2.0 * reach));
        };
        if self.on_top {
            height = height.max(top(simulation, &bounds) + (1.0 + CLEARANCE) * reach);
        }
        bounds.lower.z = height - reach;
        bounds.upper.z = height + reach;
        (height, space_around(simulation, &bounds, 2.0 * reach))
    }
}

/// The highest point of the rigid bodies over or under a box.
fn top(simulation: &Simulation, column: &Bounds) -> f64 {
    let (bodies, shapes) = (simulation.bodies(), simulation.shapes());
    let mut column = *column;
    (column.lower.z, column.upper.z) = (f64::NEG_INFINITY, f64::INFINITY);
    (0..bodies.len())
        .filter(|body| bodies.is_rigid(*body))
        .filter_map(|body| {
            let entry = shapes.get(bodies.shapes[body])?;
            Some(entry.shape.bounds(&entry.pose(&bodies.poses[body])))
        })
        .filter(|bounds| bounds.overlaps(&column))
        .fold(f64::NEG_INFINITY, |top, bounds| top.max(bounds.upper.z))
}
