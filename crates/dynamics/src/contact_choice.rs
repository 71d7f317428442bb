//! Which contacts are part of a step's problem.
//!
//! Bodies are searched for contacts as far as they can move in the step. Of what is found, the contacts that bodies meet when
//! they move freely are taken; bodies that fly side by side have wide envelopes but do not meet. An impact may send one into the
//! other all the same, or make it so fast that it leaves its envelope: both are seen from the solved velocities, and the step
//! is solved again with the contacts that were missing.

use crate::assembly::{Assembled, PIECE, SlimContacts};
use crate::bodies::{Bodies, BodyKind, Velocity};
use crate::impacts::NO_IMPACT;
use crate::simulation::Simulation;
use crate::step_outcome::Clock;
use glam::DVec3;
use moreau_collision::colliders::{Colliders, Mobility};
use moreau_collision::contact::Contact;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Shape, ShapeTable};
use rayon::prelude::*;
use std::collections::HashSet;

/// Contacts are added up to this gap, as a share of the size of the smaller body, where some are missing: those that come so
/// near meet when the others are there, and one by one they would take many rounds.
const ADDED_WITHIN: f64 = 0.05;

/// The room for contacts beyond those that there are is no more than one in so many.
pub(crate) const SPARE_SHARE: usize = 16;

/// A contact that is not in the problem.
#[derive(Debug)]
pub(crate) struct LeftOut {
    /// The contact of the problem that it was found before.
    pub(crate) before: u32,
    pub(crate) contact: Contact,
}

impl Simulation {
    /// Finds the contacts that can matter in this step: those that meet when bodies move freely and, where the velocities
    /// after a first solve are given, those that meet then.
    pub(crate) fn detect(
        &mut self,
        free: &[Velocity],
        after: Option<&[Velocity]>,
        h: f64,
        clock: &mut Clock,
    ) {
        // Cohesion pulls on contacts that do not meet, too.
        let share = match self.materials.any_cohesion() {
            true => self.settings.envelope.max(self.settings.cohesion_range),
            false => self.settings.envelope,
        };
        let work = &mut self.workspace;
        let (bodies, shapes, sleepers) = (&self.bodies, &self.shapes, &self.sleepers);
        let all = || (0..bodies.len()).into_par_iter().with_min_len(PIECE);
        let size_of = |body: usize| {
            let entry = shapes.get(bodies.shapes[body]);
            entry.map_or(f64::INFINITY, |entry| entry.shape.size())
        };
        all().map(size_of).collect_into_vec(&mut work.sizes);
        let mobility_of = |body: usize| match bodies.kinds[body] {
            BodyKind::Fixed => Mobility::Still,
            BodyKind::Driven if bodies.velocities[body] == Velocity::ZERO => Mobility::Still,
            BodyKind::Driven => Mobility::Driven,
            BodyKind::Rigid if sleepers.is_asleep(body) => Mobility::Asleep,
            BodyKind::Rigid => Mobility::Free,
        };
        all().map(mobility_of).collect_into_vec(&mut work.mobility);
        // Within a step envelopes only grow: one search must not lose what another has found, or the two could alternate without end.
        let found_so_far = match after {
            Some(_) => std::mem::take(&mut work.envelopes),
            None => Vec::new(),
        };
        let envelope_of = |(body, size): (usize, &f64)| {
            let entry = shapes.get(bodies.shapes[body]);
            let shape = entry.map(|entry| &entry.shape);
            let pose = &bodies.poses[body];
            let way_of = |velocities: &[Velocity]| h * speed(&velocities[body], shape, pose);
            let way = way_of(free).max(after.map_or(0.0, way_of));
            let at_rest = if bodies.is_rigid(body) && size.is_finite() {
                share * size
            } else {
                0.0
            };
            let so_far = found_so_far.get(body).copied().unwrap_or(0.0);
            (at_rest + way).max(so_far)
        };
        all()
            .zip(&work.sizes)
            .map(envelope_of)
            .collect_into_vec(&mut work.envelopes);
        let excluded = self.joints.excluded_pairs();
        let colliders = colliders(
            &self.bodies,
            &self.shapes,
            &work.envelopes,
            &work.mobility,
            excluded,
        );
        let (poses, sizes) = (&self.bodies.poses, &work.sizes);
        let meets = |contact: &Contact| {
            let [a, b] = contact.bodies.map(|body| body as usize);
            let near = share * sizes[a].min(sizes[b]);
            if contact.gap <= near {
                return true;
            }
            let gap = |velocities: &[Velocity]| {
                contact.gap + h * separation(contact, poses, velocities).min(0.0)
            };
            gap(free).min(after.map_or(f64::INFINITY, gap)) <= near
        };
        let (narrow_phase, contacts) = (&mut work.narrow_phase, &mut self.contacts);
        let left_out = &mut work.left_out;
        contacts.clear();
        left_out.clear();
        work.broad_phase.visit_pairs(&colliders, |pairs| {
            clock.lap(|times| &mut times.broad_phase);
            narrow_phase.choose_contacts(&colliders, pairs, meets, contacts, |before, contact| {
                left_out.push(LeftOut {
                    before: before as u32,
                    contact: *contact,
                });
            });
            clock.lap(|times| &mut times.narrow_phase);
        });
        // Growing by doubling leaves up to half of the room empty; of millions of contacts that is too much.
        contacts.shrink_to(contacts.len() + contacts.len() / SPARE_SHARE);
    }

    /// The overlap that there is now, in m and as a share of the smaller body's size. Surfaces that curve or turn go deeper
    /// than the planes that a step takes them for.
    pub(crate) fn overlap_now(&mut self, clock: &mut Clock) -> [f64; 2] {
        let work = &mut self.workspace;
        work.envelopes.fill(0.0);
        let excluded = self.joints.excluded_pairs();
        let colliders = colliders(
            &self.bodies,
            &self.shapes,
            &work.envelopes,
            &work.mobility,
            excluded,
        );
        let (narrow_phase, sizes) = (&mut work.narrow_phase, &work.sizes);
        let mut deepest = self.sleepers.deepest();
        work.broad_phase.visit_pairs(&colliders, |pairs| {
            narrow_phase.visit_contacts(&colliders, pairs, |found| {
                let found = deepest_overlap(found, sizes);
                deepest = [0, 1].map(|k| deepest[k].max(found[k]));
            });
        });
        clock.lap(|times| &mut times.narrow_phase);
        deepest
    }

    /// Whether a body became so fast in the solve that it may meet others that were not looked for.
    pub(crate) fn outruns_its_envelope(&self, after: &[Velocity], h: f64) -> bool {
        let envelopes = self.workspace.envelopes.par_iter().enumerate();
        envelopes
            .with_min_len(PIECE)
            .filter(|(body, _)| self.workspace.mobility[*body] == Mobility::Free)
            .any(|(body, envelope)| {
                let entry = self.shapes.get(self.bodies.shapes[body]);
                let shape = entry.map(|entry| &entry.shape);
                h * speed(&after[body], shape, &self.bodies.poses[body]) > *envelope
            })
    }

    /// Searches for contacts as far as bodies move with the velocities of a solve. The answer is whether one closes that had not been
    /// found; if so, and if the step goes on, its contacts are those that there are now, otherwise those that it has.
    pub(crate) fn search_again(
        &mut self,
        free: &[Velocity],
        (after, assembled): (&[Velocity], &Assembled),
        (h, moves_for): (f64, f64),
        goes_on: bool,
        clock: &mut Clock,
    ) -> bool {
        let contacts = SlimContacts::of(
            std::mem::take(&mut self.contacts),
            assembled,
            self.workspace.many_contacts,
        );
        let left_out = std::mem::take(&mut self.workspace.left_out);
        self.detect(free, Some(after), h, clock);
        // Of those that were left out none closes, or nobody would search.
        let name = |contact: &Contact| (contact.bodies, contact.feature);
        let known: HashSet<_> = contacts.names(assembled).collect();
        let poses = &self.bodies.poses;
        let closes = |contact: &Contact| gap_after(contact, poses, after, moves_for) < 0.0;
        let mut found = self.contacts.iter();
        let missed = found.any(|contact| closes(contact) && !known.contains(&name(contact)));
        if !missed || !goes_on {
            self.contacts = contacts.restored(assembled, &self.bodies);
            self.workspace.left_out = left_out;
        }
        missed
    }

    /// Whether contacts that were left out close in the solved motion.
    pub(crate) fn misses_contacts(&self, after: &[Velocity], moves_for: f64) -> bool {
        let poses = &self.bodies.poses;
        let left_out = self.workspace.left_out.par_iter().with_min_len(PIECE);
        left_out.any(|left| gap_after(&left.contact, poses, after, moves_for) < 0.0)
    }

    /// Adds the contacts that were left out and come near each other in the solved motion.
    pub(crate) fn add_missed_contacts(&mut self, after: &[Velocity], moves_for: f64) {
        let (poses, sizes) = (&self.bodies.poses, &self.workspace.sizes);
        let comes_near = |left: &LeftOut| {
            let contact = &left.contact;
            let [a, b] = contact.bodies.map(|body| body as usize);
            let near = ADDED_WITHIN * sizes[a].min(sizes[b]);
            gap_after(contact, poses, after, moves_for) < near
        };
        let near = self.workspace.left_out.iter().map(comes_near);
        let demands: Vec<Option<f64>> = near.map(|near| near.then_some(NO_IMPACT)).collect();
        self.add_left_out(&demands);
    }

    /// Adds contacts that were left out: those that have a demand, which is noted where demands are ([`crate::impacts`]).
    /// Each goes where it was found, so that the order does not depend on when it was added.
    pub(crate) fn add_left_out(&mut self, demands: &[Option<f64>]) {
        let added = demands.iter().flatten().count();
        let all = Vec::with_capacity(self.contacts.len() + added);
        let chosen = std::mem::replace(&mut self.contacts, all);
        let opening = std::mem::take(&mut self.workspace.opening);
        let demanding = !opening.is_empty();
        let mut taken = 0;
        let mut kept = Vec::with_capacity(demands.len() - added);
        for (left, demand) in self.workspace.left_out.drain(..).zip(demands) {
            let before = left.before as usize;
            self.contacts.extend_from_slice(&chosen[taken..before]);
            if demanding {
                let opening = &opening[taken..before];
                self.workspace.opening.extend_from_slice(opening);
            }
            taken = before;
            match demand {
                Some(speed) => {
                    self.contacts.push(left.contact);
                    if demanding {
                        self.workspace.opening.push(*speed);
                    }
                }
                None => kept.push(LeftOut {
                    before: self.contacts.len() as u32,
                    ..left
                }),
            }
        }
        self.contacts.extend_from_slice(&chosen[taken..]);
        if demanding {
            self.workspace.opening.extend_from_slice(&opening[taken..]);
        }
        self.workspace.left_out = kept;
    }
}

/// What may touch, as far as the envelopes reach.
fn colliders<'a>(
    bodies: &'a Bodies,
    table: &'a ShapeTable,
    envelopes: &'a [f64],
    mobility: &'a [Mobility],
    excluded: &'a [[u32; 2]],
) -> Colliders<'a> {
    Colliders {
        poses: &bodies.poses,
        shapes: &bodies.shapes,
        table,
        envelopes,
        mobility,
        groups: &bodies.groups,
        excluded,
    }
}

/// The deepest overlap in m, and as a share of the smaller body's size.
pub(crate) fn deepest_overlap(contacts: &[Contact], sizes: &[f64]) -> [f64; 2] {
    let overlap = |contact: &Contact| {
        let [a, b] = contact.bodies.map(|body| body as usize);
        let depth = (-contact.gap).max(0.0);
        [depth, depth / sizes[a].min(sizes[b])]
    };
    let deeper = |x: [f64; 2], y: [f64; 2]| [x[0].max(y[0]), x[1].max(y[1])];
    let pieces = contacts.par_iter().with_min_len(PIECE);
    let touching = pieces.filter(|contact| contact.gap < 0.0);
    touching.map(overlap).reduce(|| [0.0; 2], deeper)
}

/// The gap that is left when bodies have moved.
#[inline]
pub(crate) fn gap_after(
    contact: &Contact,
    poses: &[Pose],
    velocities: &[Velocity],
    moves_for: f64,
) -> f64 {
    contact.gap + moves_for * separation(contact, poses, velocities)
}

/// u_N: the speed at which a contact opens.
#[inline]
pub(crate) fn separation(contact: &Contact, poses: &[Pose], velocities: &[Velocity]) -> f64 {
    let [a, b] = contact.bodies.map(|body| {
        let body = body as usize;
        velocities[body].at(contact.point - poses[body].position)
    });
    (b - a).dot(contact.normal)
}

/// The fastest that a body's surface moves. What turns in itself does not count: spheres, drums and funnels about their axis.
#[inline]
fn speed(velocity: &Velocity, shape: Option<&Shape>, pose: &Pose) -> f64 {
    let turning = match shape {
        // Before all others, whose reach can be long to find.
        _ if velocity.angular == DVec3::ZERO => 0.0,
        None | Some(Shape::Sphere(_) | Shape::HalfSpace(_)) => 0.0,
        Some(shape @ (Shape::HollowCylinder(_) | Shape::Frustum(_))) => {
            let axis = pose.rotation * DVec3::Z;
            shape.reach() * velocity.angular.cross(axis).length()
        }
        Some(other) => {
            let reach = other.reach();
            let arm = if reach.is_finite() { reach } else { 0.0 };
            arm * velocity.angular.length()
        }
    };
    velocity.linear.length() + turning
}
