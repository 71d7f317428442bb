//! From pairs of bodies to contacts.
//!
//! Spheres, boxes, capsules, ellipsoids and half-spaces have methods of their own; every other pair of convex shapes
//! goes through support functions (`nearest` finds the normal, `patch` the points). `dispatch` tells which.

mod capsule;
mod climb;
mod cuboid;
mod cuts;
mod dispatch;
mod ellipsoid;
mod faces;
mod feature;
mod half_space;
mod nearest;
mod patch;
mod planar_hull;
mod side;
mod sphere;
mod support;

mod compound;
mod mesh;
mod walls;

use crate::colliders::Colliders;
use crate::contact::Contact;
use crate::pose::Pose;
use crate::shapes::{Shape, ShapeEntry};
use glam::DVec3;
use rayon::prelude::*;

/// Pairs of one piece of work. Fixed, so that the order of contacts does not depend on the number of threads.
const CHUNK: usize = 4096;
/// Pieces of work between two collections of their results.
const WAVE: usize = 32;
/// Contacts at least that one thread copies.
const COPIED_AT_ONCE: usize = 1024;
/// Pairs that are read before the contacts of the first of them are looked for.
const AHEAD: usize = 16;

/// Finds the contacts of pairs; keeps its storage from call to call.
///
/// Pieces of 4096 pairs are worked on in parallel, each writing to a list of its own. After every 32 pieces the lists
/// are appended in order to the contacts, so that beside these only the contacts of 131 072 pairs are held twice,
/// however many pairs there are.
#[derive(Clone, Debug, Default)]
pub struct NarrowPhase {
    contacts: Vec<Contact>,
    pieces: Vec<Piece>,
}

/// Results of one piece of work, and its scratch.
#[derive(Clone, Debug, Default)]
struct Piece {
    contacts: Vec<Contact>,
    /// Contacts that were not chosen, each with the number of those that were chosen before it.
    left_out: Vec<(u32, Contact)>,
    points: Vec<ContactPoint>,
}

/// A contact point of two shapes before it is known whose shapes they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// See [`Contact::feature`].
    pub feature: u32,
    /// See [`Contact::point`].
    pub point: DVec3,
    /// See [`Contact::normal`].
    pub normal: DVec3,
    /// See [`Contact::gap`].
    pub gap: f64,
}

impl ContactPoint {
    /// The contact of two bodies.
    #[inline]
    fn between(&self, bodies: [u32; 2]) -> Contact {
        Contact {
            bodies,
            feature: self.feature,
            point: self.point,
            normal: self.normal,
            gap: self.gap,
        }
    }
}

impl NarrowPhase {
    /// The contacts of all pairs, in the order of the pairs and within a pair in the order of features; the same for
    /// any number of threads.
    pub fn find_contacts(&mut self, colliders: &Colliders, pairs: &[[u32; 2]]) -> &[Contact] {
        self.contacts.clear();
        let pieces = pairs.len().div_ceil(CHUNK).min(WAVE);
        if self.pieces.len() < pieces {
            self.pieces.resize_with(pieces, Piece::default);
        }
        for wave in pairs.chunks(CHUNK * WAVE) {
            self.pieces
                .par_iter_mut()
                .zip(wave.par_chunks(CHUNK))
                .for_each(|(piece, pairs)| piece.find(colliders, pairs));
            let used = wave.len().div_ceil(CHUNK);
            for piece in &self.pieces[..used] {
                self.contacts.extend_from_slice(&piece.contacts);
            }
        }
        &self.contacts
    }

    /// The same contacts in the same order for pairs that come in pieces, handed on piece by piece and not kept.
    pub fn visit_contacts(
        &mut self,
        colliders: &Colliders,
        pairs: &[Vec<[u32; 2]>],
        visit: impl FnMut(&[Contact]),
    ) {
        let used = self.work(pairs, |piece, pairs| piece.find(colliders, pairs));
        used.iter()
            .map(|piece| piece.contacts.as_slice())
            .for_each(visit);
    }

    /// The same contacts in the same order: those that `takes` takes are appended to `chosen`, by all threads; the others are handed on, each with
    /// the number of contacts that were chosen before it.
    pub fn choose_contacts(
        &mut self,
        colliders: &Colliders,
        pairs: &[Vec<[u32; 2]>],
        takes: impl Fn(&Contact) -> bool + Sync,
        chosen: &mut Vec<Contact>,
        mut left_out: impl FnMut(usize, &Contact),
    ) {
        let used = self.work(pairs, |piece, pairs| {
            piece.find(colliders, pairs);
            piece.choose(&takes);
        });
        let mut starts = Vec::with_capacity(used.len() + 1);
        starts.push(chosen.len());
        let mut first = chosen.len();
        for piece in used {
            for (before, contact) in &piece.left_out {
                left_out(first + *before as usize, contact);
            }
            first += piece.contacts.len();
            starts.push(first);
        }
        if rayon::current_num_threads() == 1 {
            // Many at a time: where threads must not wait for each other, each place is asked for by itself.
            let pieces = used.iter().map(|piece| &piece.contacts);
            pieces.for_each(|contacts| chosen.extend_from_slice(contacts));
            return;
        }
        let places = (chosen.len()..first).into_par_iter();
        chosen.par_extend(places.with_min_len(COPIED_AT_ONCE).map(|place| {
            let piece = starts.partition_point(|start| *start <= place) - 1;
            used[piece].contacts[place - starts[piece]]
        }));
    }

    /// Does some work for each piece of pairs; answers with the pieces.
    fn work(
        &mut self,
        pairs: &[Vec<[u32; 2]>],
        work: impl Fn(&mut Piece, &[[u32; 2]]) + Sync,
    ) -> &[Piece] {
        if self.pieces.len() < pairs.len() {
            self.pieces.resize_with(pairs.len(), Piece::default);
        }
        let pieces = &mut self.pieces[..pairs.len()];
        (pieces.par_iter_mut().zip(pairs)).for_each(|(piece, pairs)| work(piece, pairs));
        pieces
    }
}

/// What decides whether two bodies can touch.
struct Candidate<'a> {
    bodies: [u32; 2],
    entries: [Option<&'a ShapeEntry>; 2],
    envelope: f64,
    /// The square of the distance of the bodies' centres.
    squared: f64,
}

impl Piece {
    /// Puts the contacts aside that are not taken.
    fn choose(&mut self, takes: &impl Fn(&Contact) -> bool) {
        self.left_out.clear();
        let mut taken = 0;
        for index in 0..self.contacts.len() {
            if !takes(&self.contacts[index]) {
                self.left_out.push((taken as u32, self.contacts[index]));
                continue;
            }
            if taken < index {
                self.contacts[taken] = self.contacts[index];
            }
            taken += 1;
        }
        self.contacts.truncate(taken);
    }

    /// Finds the contacts of some pairs. Of some pairs at a time all that is needed is read first: no decision is in between,
    /// so that the processor waits for the memory once and not pair by pair.
    fn find(&mut self, colliders: &Colliders, pairs: &[[u32; 2]]) {
        self.contacts.clear();
        let read = |&bodies: &[u32; 2]| {
            let [a, b] = bodies.map(|body| body as usize);
            Candidate {
                bodies,
                entries: [a, b].map(|body| colliders.table.get(colliders.shapes[body])),
                envelope: colliders.envelopes[a] + colliders.envelopes[b],
                squared: (colliders.poses[b].position - colliders.poses[a].position)
                    .length_squared(),
            }
        };
        let mut candidates = Vec::with_capacity(AHEAD);
        for some in pairs.chunks(AHEAD) {
            candidates.clear();
            candidates.extend(some.iter().map(read));
            for candidate in &candidates {
                self.find_contacts_of(colliders, candidate);
            }
        }
    }

    #[inline]
    fn find_contacts_of(&mut self, colliders: &Colliders, candidate: &Candidate) {
        let [Some(first), Some(second)] = candidate.entries else {
            return;
        };
        let envelope = candidate.envelope;
        let [pose_a, pose_b] = candidate.bodies.map(|body| &colliders.poses[body as usize]);
        if let (Shape::Sphere(a), Shape::Sphere(b)) = (&first.shape, &second.shape) {
            let reach = a.radius + b.radius + envelope;
            let centred = first.offset == DVec3::ZERO && second.offset == DVec3::ZERO;
            if centred && candidate.squared > reach * reach {
                return;
            }
            let (p, q) = (origin(first, pose_a), origin(second, pose_b));
            let found = sphere::spheres(p, a.radius, q, b.radius, envelope);
            self.contacts
                .extend(found.map(|point| point.between(candidate.bodies)));
            return;
        }
        self.points.clear();
        contact_points(
            (&first.shape, &first.pose(pose_a)),
            (&second.shape, &second.pose(pose_b)),
            envelope,
            &mut self.points,
        );
        let points = self.points.iter();
        self.contacts
            .extend(points.map(|point| point.between(candidate.bodies)));
    }
}

/// Where the origin of a body's shape lies.
#[inline]
fn origin(entry: &ShapeEntry, body: &Pose) -> DVec3 {
    if entry.offset == DVec3::ZERO {
        body.position
    } else {
        body.point(entry.offset)
    }
}

/// Appends the contact points of two posed shapes whose gap is at most `envelope`.
///
/// ```
/// use glam::DVec3;
/// use moreau_collision::narrow_phase::contact_points;
/// use moreau_collision::pose::Pose;
/// use moreau_collision::shapes::{Cuboid, Shape, Sphere};
///
/// let ball = Shape::Sphere(Sphere::new(1.0)?);
/// let block = Shape::Cuboid(Cuboid::new(DVec3::ONE)?);
/// let above = Pose::at(DVec3::new(0.3, 0.0, 2.1));
/// let mut points = Vec::new();
/// contact_points((&block, &Pose::IDENTITY), (&ball, &above), 0.2, &mut points);
/// assert_eq!(points.len(), 1);
/// assert!((points[0].gap - 0.1).abs() < 1e-12);
/// assert_eq!(points[0].normal, DVec3::Z);
/// # Ok::<(), moreau_collision::shapes::ShapeError>(())
/// ```
pub fn contact_points(
    first: (&Shape, &Pose),
    second: (&Shape, &Pose),
    envelope: f64,
    points: &mut Vec<ContactPoint>,
) {
    dispatch::contact_points(first, second, envelope, points);
}
