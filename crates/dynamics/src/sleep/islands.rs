//! Who falls asleep: bodies that rest, with all that they touch and are joined to.
//!
//! The errors of a solve leave speeds that change from step to step and lead nowhere: at a tolerance of 1e-2 up to a tenth of what
//! gravity gives in a step. A body rests while it is no faster than that, and while it goes no farther in all the steps together than
//! speeds that have nothing to do with each other: √n times the way in one of n steps. What really moves goes n times as far.

use super::{AWAKE, per_second};
use crate::bodies::{Bodies, Velocity};
use crate::forces::WORLD;
use crate::simulation::Simulation;
use glam::DVec3;
use moreau_algebra::disjoint_sets::DisjointSets;
use moreau_collision::pose::Pose;

impl Simulation {
    /// Counts for how long bodies have rested, and lets islands sleep all of whose bodies have for long enough. Answers with the
    /// momentum that they lose by it.
    pub(crate) fn fall_asleep(&mut self, h: f64) -> DVec3 {
        let count = self.bodies.len();
        let (bodies, sleepers) = (&self.bodies, &mut self.sleepers);
        sleepers.islands.resize(count, AWAKE);
        sleepers.quiet.resize(count, 0);
        sleepers.accelerations.resize(count, Velocity::ZERO);
        let came = sleepers.places.len();
        sleepers.places.extend_from_slice(&bodies.poses[came..]);
        let limit = self.settings.sleep_speed * self.settings.gravity.length() * h;
        let enough = self.settings.sleep_steps.max(1);
        let farthest = f64::from(enough).sqrt() * limit * h;
        let mut somebody = false;
        for body in 0..count {
            if bodies.is_rigid(body) && !sleepers.is_asleep(body) {
                let (place, quiet) = (&mut sleepers.places[body], &mut sleepers.quiet[body]);
                let way = way_between(place, &bodies.poses[body]);
                let speed = size(bodies, body, &bodies.velocities[body]);
                if speed <= limit && size(bodies, body, &way) <= farthest {
                    *quiet = quiet.saturating_add(1);
                } else {
                    *quiet = 0;
                    *place = bodies.poses[body];
                }
                somebody |= *quiet >= enough;
            }
        }
        if !somebody {
            return DVec3::ZERO;
        }
        let falls_asleep = self.resting_islands(h, enough);
        self.put_to_sleep(&falls_asleep, h)
    }

    /// For each body the first one of its island, if all of it rests.
    fn resting_islands(&self, h: f64, enough: u32) -> Vec<Option<u32>> {
        let count = self.bodies.len();
        let rigid = |body: u32| body != WORLD && self.bodies.is_rigid(body as usize);
        let mut joined = DisjointSets::new(count);
        let mut restless = vec![false; count];
        let contacts = &self.contacts[..self.contact_rows.len()];
        let touching = contacts.iter().map(|contact| contact.bodies);
        let springs = self.forces.springs.iter().map(|spring| spring.bodies);
        let joints = self.joints.iter().map(|joint| joint.bodies());
        for [a, b] in touching.chain(springs).chain(joints) {
            match [rigid(a), rigid(b)] {
                [true, true] => joined.join(a, b),
                // On a body that is driven nobody rests.
                [true, false] => restless[a as usize] |= self.moves(b),
                [false, true] => restless[b as usize] |= self.moves(a),
                [false, false] => {}
            }
        }
        let times = [self.time, self.time + h];
        for joint in self.joints.iter().filter(|joint| !joint.is_steady(times)) {
            for body in joint.bodies().into_iter().filter(|body| rigid(*body)) {
                restless[body as usize] = true;
            }
        }
        let mut awake = vec![false; count];
        for body in 0..count {
            if self.sleepers.quiet[body] < enough || restless[body] {
                awake[joined.first_of(body as u32) as usize] = true;
            }
        }
        let asleep_now = |body: usize| {
            let leader = joined.first_of(body as u32);
            let falls = self.bodies.is_rigid(body) && !self.sleepers.is_asleep(body);
            (falls && !awake[leader as usize]).then_some(leader)
        };
        (0..count).map(asleep_now).collect()
    }

    fn moves(&self, body: u32) -> bool {
        body != WORLD && self.bodies.velocities[body as usize] != Velocity::ZERO
    }

    fn put_to_sleep(&mut self, falls_asleep: &[Option<u32>], h: f64) -> DVec3 {
        let sleepers = &mut self.sleepers;
        let mut lost = DVec3::ZERO;
        let before = sleepers.count;
        for (body, leader) in falls_asleep.iter().enumerate() {
            if let Some(leader) = leader {
                sleepers.islands[body] = self.bodies.tags[*leader as usize];
                sleepers.count += 1;
                let velocity = &mut self.bodies.velocities[body];
                lost += self.bodies.masses[body] * velocity.linear;
                *velocity = Velocity::ZERO;
            }
        }
        if sleepers.count == before {
            return lost;
        }
        let falls = |body: &u32| falls_asleep[*body as usize].is_some();
        for (contact, rows) in self.contacts.iter().zip(&self.contact_rows) {
            if contact.bodies.iter().any(falls) {
                let [first, end] = rows.map(|row| row as usize);
                sleepers.push(contact, &self.impulses[first..end]);
            }
        }
        sleepers.impulses.step = h;
        sleepers.sort(&self.workspace.sizes);
        let mut free = std::mem::take(&mut self.workspace.free);
        let (gravity, when) = (self.settings.gravity, (self.time, h));
        self.forces
            .free_velocities(&self.bodies, gravity, when, h, &mut free);
        for (body, leader) in falls_asleep.iter().enumerate() {
            if leader.is_some() {
                self.sleepers.accelerations[body] = per_second(&free.velocities[body], h);
            }
        }
        self.workspace.free = free;
        lost
    }
}

/// √(v² + ω·I ω/m): the speed at which a body that does not turn would have the same kinetic energy. Of a way and an angle it is a
/// length.
fn size(bodies: &Bodies, body: usize, motion: &Velocity) -> f64 {
    let turn = bodies.poses[body].local_direction(motion.angular);
    let spin = turn.dot(bodies.inertias[body].to_matrix() * turn);
    (motion.linear.length_squared() + spin / bodies.masses[body]).sqrt()
}

/// The way from one pose to another, and the rotation.
fn way_between(from: &Pose, to: &Pose) -> Velocity {
    Velocity {
        linear: to.position - from.position,
        angular: (to.rotation * from.rotation.conjugate()).to_scaled_axis(),
    }
}
