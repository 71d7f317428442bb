//! Bodies of grains that cohesion binds: how they are made, which bonds there are, and the pieces that they hold together.

use crate::context::Context;
use crate::grains::Grain;
use crate::outcome::{Entry, Picture};
use crate::picture;
use crate::study::StudyError;
use glam::{DVec2, DVec3};
use moreau_algebra::disjoint_sets::DisjointSets;
use moreau_bench::packing::{Room, lay_down};
use moreau_dynamics::simulation::Simulation;
use moreau_plots::Series;
use moreau_scene::Run;
use std::collections::BTreeSet;
use std::f64::consts::PI;

/// Replaces the grain of a scene by grains like it at the places of a random packing that lie, seen from its place, inside.
/// Nothing that is inside is farther than `reach` from it along an axis. All grains touch others; the answer is their radius.
///
/// # Errors
/// When the scene has no grain or it is not a sphere.
pub fn make_of_grains(
    simulation: &mut Simulation,
    reach: f64,
    inside: impl Fn(DVec3) -> bool,
) -> Result<f64, StudyError> {
    let grain = Grain::of(simulation)?;
    let radius = grain.radius;
    // Near walls and floor spheres lie in order: they are left out.
    let half = reach + 3.0 * radius;
    let room = Room::Bin {
        half: DVec2::splat(half),
    };
    let count = DENSEST * (2.0 * half).powi(3) / (4.0 / 3.0 * PI * radius.powi(3));
    let laid = lay_down(room, count as usize, radius, SEED, |_| radius);
    let places = laid
        .iter()
        .map(|sphere| sphere.centre - DVec3::new(0.0, 0.0, half))
        .filter(|place| inside(*place));
    for place in places {
        grain.add_at(simulation, grain.place + place)?;
    }
    let gone: Vec<bool> = (0..simulation.bodies().len())
        .map(|b| b == grain.body)
        .collect();
    simulation.remove_bodies(&gone);
    Ok(radius)
}

/// The share of the room that spheres laid down one by one do not exceed.
const DENSEST: f64 = 0.64;
/// Of the packing.
const SEED: u64 = 4;

/// Pairs of rigid bodies, the smaller index first.
type Bonds = BTreeSet<[u32; 2]>;

/// The pairs of rigid bodies within the range of cohesion, where all of them are of one size, in m.
fn bonds(simulation: &Simulation, size: f64) -> Bonds {
    let bodies = simulation.bodies();
    let range = simulation.settings().cohesion_range * size;
    let contacts = simulation.contacts().iter();
    contacts
        .filter(|contact| contact.gap <= range)
        .map(|contact| contact.bodies)
        .filter(|pair| pair.iter().all(|body| bodies.is_rigid(*body as usize)))
        .collect()
}

/// The rigid bodies in sets that bonds connect, the largest first; sets of one size in the order of their first body.
fn pieces(simulation: &Simulation, bonds: &Bonds) -> Vec<Vec<usize>> {
    let bodies = simulation.bodies();
    let mut connected = DisjointSets::new(bodies.len());
    bonds.iter().for_each(|[a, b]| connected.join(*a, *b));
    let mut sets = vec![Vec::new(); bodies.len()];
    for body in (0..bodies.len()).filter(|body| bodies.is_rigid(*body)) {
        sets[connected.first_of(body as u32) as usize].push(body);
    }
    sets.retain(|set| !set.is_empty());
    sets.sort_by_key(|set| std::cmp::Reverse(set.len()));
    sets
}

/// A body in time, as it was when a run ended.
pub struct Broken {
    /// The run at its end.
    pub run: Run,
    /// Grains of the body.
    pub grains: usize,
    /// Their radius, in m.
    pub radius: f64,
    /// The largest number of contacts in a step.
    pub contacts: usize,
    /// Time in s and state after each step.
    pub history: Vec<(f64, State)>,
    /// The first bonds that have held all the time.
    held: Bonds,
}

/// What makes a piece of grains.
#[derive(Clone, Copy)]
pub enum Joined {
    /// Bonds of the moment, of whatever age.
    Now,
    /// First bonds that have held all the time.
    Always,
}

impl Broken {
    /// Runs a scene whose rigid bodies are spheres of a radius, in m.
    ///
    /// # Errors
    /// When a step fails or somebody asked to stop.
    pub fn follow(
        context: &mut Context,
        mut run: Run,
        radius: f64,
        until: f64,
        what: &str,
    ) -> Result<Self, StudyError> {
        let bodies = run.simulation.bodies();
        let grains = (0..bodies.len()).filter(|b| bodies.is_rigid(*b)).count();
        let (mut first, mut held) = (None, Bonds::new());
        let (mut contacts, mut history) = (0, Vec::new());
        context.simulate(&mut run, until, what, |run, report| {
            let simulation = &run.simulation;
            let now = bonds(simulation, radius);
            let first = first.get_or_insert_with(|| {
                held.clone_from(&now);
                now.clone()
            });
            held.retain(|bond| now.contains(bond));
            contacts = contacts.max(report.contacts);
            history.push((report.time, State::of(simulation, &now, first, &held)));
        })?;
        Ok(Self {
            run,
            grains,
            radius,
            contacts,
            history,
            held,
        })
    }

    /// The state at the end.
    pub fn last(&self) -> &State {
        &self.history[self.history.len() - 1].1
    }

    /// A quantity over time.
    pub fn curve(&self, label: String, value: impl Fn(&State) -> f64) -> Series {
        Series {
            label,
            points: self.history.iter().map(|(t, s)| (*t, value(s))).collect(),
        }
    }

    /// Heads of the columns of [`Broken::rows`].
    pub const HEADS: [&str; 5] = [
        "time [s]",
        "share in the largest piece",
        "share in the largest unbroken piece",
        "first bonds kept",
        "new bonds / first bonds",
    ];

    /// Every state as numbers, after those that tell this run from others.
    pub fn rows<'a>(&'a self, of: &'a [f64]) -> impl Iterator<Item = Vec<f64>> + 'a {
        let numbers = |t: f64, s: &State| [t, s.largest, s.unbroken, s.kept, s.new];
        let states = self.history.iter();
        states.map(move |(time, state)| [of, &numbers(*time, state)].concat())
    }

    /// The bodies at the end: the largest piece dark, the next two lighter, all others light.
    pub fn picture(&self, name: String, caption: String, joined: Joined) -> Picture {
        let simulation = &self.run.simulation;
        let mut shares = vec![0.9; simulation.bodies().len()];
        let pieces = match joined {
            Joined::Now => pieces(simulation, &bonds(simulation, self.radius)),
            Joined::Always => pieces(simulation, &self.held),
        };
        for (piece, share) in pieces.iter().zip([0.05, 0.35, 0.6]) {
            for body in piece {
                shares[*body] = share;
            }
        }
        let mut solids = picture::by(simulation, caption.clone(), |body| shares[body]);
        (solids.width, solids.height) = (420, 360);
        Picture {
            name,
            caption,
            solids,
        }
    }
}

/// What is left of a bound body.
pub struct State {
    /// The share of the grains in the largest piece.
    pub largest: f64,
    /// Pieces with at least a hundredth of the grains.
    pub large_pieces: usize,
    /// The share of the grains in the largest piece that first bonds hold together which have never been broken.
    pub unbroken: f64,
    /// The share of the first bonds that are still there.
    pub kept: f64,
    /// Bonds that were not there at first, as a share of the first ones: grains that have moved past one another.
    pub new: f64,
}

impl State {
    /// Heads of the columns of [`State::entries`].
    pub const HEADS: [&str; 5] = [
        "share in the largest piece",
        "pieces of at least 1 %",
        "share in the largest unbroken piece",
        "first bonds kept",
        "new bonds / first bonds",
    ];

    /// The state as part of a row of a table.
    pub fn entries(&self) -> [Entry; 5] {
        [
            self.largest.into(),
            self.large_pieces.into(),
            self.unbroken.into(),
            self.kept.into(),
            self.new.into(),
        ]
    }

    /// Compares the bonds of the moment with the first ones, and with those of them that have held all the time.
    fn of(simulation: &Simulation, now: &Bonds, first: &Bonds, held: &Bonds) -> Self {
        let touching = pieces(simulation, now);
        let unbroken = pieces(simulation, held);
        let grains: usize = touching.iter().map(Vec::len).sum();
        let kept = first.intersection(now).count();
        let share = |count: usize, of: usize| count as f64 / of.max(1) as f64;
        let largest = |pieces: &[Vec<usize>]| share(pieces.first().map_or(0, Vec::len), grains);
        Self {
            largest: largest(&touching),
            large_pieces: touching.iter().filter(|p| 100 * p.len() >= grains).count(),
            unbroken: largest(&unbroken),
            kept: share(kept, first.len()),
            new: share(now.len() - kept, first.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use moreau_scene::Scene;

    /// Three spheres in a row that touch, one apart, and a floor under all of them.
    const SCENE: &str = r#"
duration = 1
[simulation]
time_step = 1e-3
gravity = [0, 0, 0]
[materials.default]
density = 1000
cohesion = 10
[[bodies]]
kind = "fixed"
shape = { type = "half_space" }
[[bodies]]
shape = { type = "sphere", radius = 0.5 }
position = [0, 0, 0.5]
[[bodies]]
shape = { type = "sphere", radius = 0.5 }
position = [1, 0, 0.5]
[[bodies]]
shape = { type = "sphere", radius = 0.5 }
position = [4, 0, 0.5]
[[bodies]]
shape = { type = "sphere", radius = 0.5 }
position = [2, 0, 0.5]
"#;

    #[test]
    fn touching_spheres_are_one_piece_and_the_floor_joins_nothing() {
        let mut run = Scene::parse(SCENE, "row").unwrap().build().unwrap();
        run.step().unwrap();
        let first = bonds(&run.simulation, 0.5);
        assert_eq!(first, Bonds::from([[1, 2], [2, 4]]));
        assert_eq!(
            pieces(&run.simulation, &first),
            [vec![1, 2, 4], vec![3]].to_vec()
        );
        let other = Bonds::from([[1, 2], [3, 4]]);
        let held = Bonds::from([[1, 2]]);
        let state = State::of(&run.simulation, &first, &other, &held);
        assert_eq!((state.largest, state.large_pieces), (0.75, 2));
        assert_eq!(state.unbroken, 0.5);
        assert_eq!((state.kept, state.new), (0.5, 0.5));
    }
}
