//! From a problem to groups.

use super::alike::OfGroups;
use super::arms::{Arms, Body, Group, Inertia};
use super::chunks::Chunks;
use super::grouping::{Fours, NONE};
use super::halves::{Halves, Halving};
use super::lanes::{Lanes, ShortLanes, Vector};
use super::measuring::{ByRows, OwnMeasure};
use super::rest::Rest;
use super::{GROUPS_FOR_A_THREAD, Grouped, Groups, friction_of, of_members};
use crate::cones::MAX_DIMENSION;
use crate::delassus::lean::LeanContacts;
use crate::delassus::{Delassus, RigidContact, contact_frame};
use crate::friction_run::FrictionRun;
use crate::metric::{inverse_friction_weights, rounded_down};
use crate::problem::ContactProblem;
use crate::settings::Settings;
use moreau_algebra::copies::copy_of;
use rayon::prelude::*;
use std::ops::Range;

impl<'a> Grouped<'a> {
    /// Groups the contacts at the beginning of a problem; `None` if there are none, if so many of them share a body that
    /// groups would be half empty, or if masses are out of the range of single precision. `impulses` are the starting point, and room for what is kept; `settings` say what the solve stops on.
    pub fn new(
        problem: &'a ContactProblem,
        settings: &Settings,
        impulses: &'a mut [f64],
    ) -> Option<Self> {
        Self::halved(problem, settings, impulses, Halving::default())
    }

    /// The same with other halves.
    pub(super) fn halved(
        problem: &'a ContactProblem,
        settings: &Settings,
        impulses: &'a mut [f64],
        halving: Halving,
    ) -> Option<Self> {
        let Delassus::MatrixFree(operator) = problem.delassus() else {
            return None;
        };
        let count = FrictionRun::of(problem)?.len();
        let lean = operator.lean_contacts()?;
        let sides = |k: usize| lean.bodies_of(k);
        let halves = Halves::new(operator.bodies(), count, halving);
        let (members, chunks) = members_by_chunks(&halves, count, sides);
        if 2 * count < 4 * members.len() {
            return None;
        }
        let balls = lean.are_balls();
        let any_weights = |index: usize| {
            let mut room = [0.0; MAX_DIMENSION * MAX_DIMENSION];
            let matrix = problem.diagonal_block(index, &mut room);
            inverse_friction_weights(problem, index, matrix)
        };
        let groups = if balls {
            // N_ii is diagonal: both arms lie along the normal.
            let weights = |index: usize| match ball_weights(lean, index) {
                Some([n, t]) => [rounded_down(1.0 / n), rounded_down(1.0 / t)],
                None => any_weights(index),
            };
            Groups::Balls(fill(
                problem,
                (lean, &halves, &chunks),
                &members,
                weights,
                |lane, index, arms| {
                    let levers = lean.levers(index).unwrap_or_default();
                    for side in 0..2 {
                        let arms: &mut [Lanes; 2] = arms;
                        arms[side].0[lane] = levers[side];
                    }
                },
            ))
        } else {
            let inertias = halves.by_places(|body| columns(lean, body));
            let groups = fill(
                problem,
                (lean, &halves, &chunks),
                &members,
                any_weights,
                |lane, index, arms| {
                    let contact = lean.contact(index);
                    for side in 0..2 {
                        let arms: &mut [Vector; 2] = arms;
                        for k in 0..3 {
                            arms[side][k].0[lane] = contact.arms[side][k];
                        }
                    }
                },
            );
            Groups::Bodies(groups, inertias)
        };
        let in_range = match &groups {
            Groups::Balls(groups) => all_in_range(groups),
            Groups::Bodies(groups, _) => all_in_range(groups),
        };
        if !in_range {
            return None;
        }
        let bodies = halves.by_places(|body| {
            let inertia = lean.inertia(body);
            // The fourth number is a ball's; the velocity of other bodies comes from the columns.
            let turn = if balls {
                inertia.inverse_inertia[0]
            } else {
                0.0
            };
            Body {
                push: [0.0, 0.0, 0.0, inertia.inverse_mass],
                turn: [0.0, 0.0, 0.0, turn],
            }
        });
        let rest = (count < problem.blocks())
            .then(|| Rest::new(problem, operator, count, impulses, &halves));
        let now = world_impulses(lean, &members, impulses);
        let frictions = match problem.cones().kinds() {
            [one] => OfGroups::one(Lanes([friction_of(one); 4])),
            _ => OfGroups::new(members.len(), |group| {
                let friction = |contact: usize| friction_of(&problem.cones()[contact]);
                Lanes(of_members(&members[group], friction))
            }),
        };
        let mut grouped = Self {
            problem,
            measure: match rest {
                None => OwnMeasure::new(problem, settings, &members),
                Some(_) => None,
            },
            frictions,
            groups,
            bodies_before: Vec::new(),
            bodies,
            before: Vec::new(),
            next: Vec::new(),
            now,
            kept: impulses,
            has_kept: false,
            by_rows: ByRows::default(),
            halves,
            chunks,
            members,
            rest,
        };
        grouped.push_from_rest();
        grouped.before = copy_of(&grouped.now);
        grouped.bodies_before = copy_of(&grouped.bodies);
        Some(grouped)
    }
}

fn all_in_range<A: Sync>(groups: &[Group<A>]) -> bool {
    let parts = groups.par_iter().with_min_len(GROUPS_FOR_A_THREAD);
    parts.all(Group::is_in_range)
}

/// g_N and g_T of a contact of balls; `None` if neither can be moved.
fn ball_weights(lean: &LeanContacts, index: usize) -> Option<[f64; 2]> {
    let (bodies, levers) = (lean.bodies_of(index), lean.levers(index)?);
    let (mut push, mut turn) = (0.0, 0.0);
    for side in 0..2 {
        if bodies[side] != RigidContact::FIXED {
            let inertia = lean.inertia(bodies[side] as usize);
            push += inertia.inverse_mass;
            turn += inertia.inverse_inertia[0] * levers[side] * levers[side];
        }
    }
    (push > 0.0).then_some([push, push + turn])
}

/// The inverse inertia of a body by columns.
fn columns(lean: &LeanContacts, body: usize) -> Inertia {
    let [xx, yy, zz, xy, xz, yz] = lean.inertia(body).inverse_inertia;
    [[xx, xy, xz, 0.0], [xy, yy, yz, 0.0], [xz, yz, zz, 0.0]]
}

/// Contacts at least that one thread sorts by chunks. What comes out does not depend on it.
const CONTACTS_OF_A_PIECE: usize = 16_384;

/// Pieces at most: each chunk asks every piece for its contacts.
const MOST_PIECES: usize = 64;

/// Some contacts in a row, or anything else with numbers, sorted by their chunks and in rising order within each.
pub(super) struct SortedPiece {
    contacts: Vec<u32>,
    /// Where those of each chunk begin.
    pub(super) starts: Vec<u32>,
}

impl SortedPiece {
    pub(super) fn new(
        contacts: Range<usize>,
        chunks: usize,
        chunk_of: impl Fn(usize) -> usize,
    ) -> Self {
        let chunk_of: Vec<u32> = contacts.clone().map(|c| chunk_of(c) as u32).collect();
        // Each start serves as the next free place of its chunk, and ends where that of the next was.
        let mut starts = vec![0u32; chunks + 2];
        for &chunk in &chunk_of {
            starts[chunk as usize + 2] += 1;
        }
        for chunk in 0..chunks {
            starts[chunk + 2] += starts[chunk + 1];
        }
        let mut sorted = vec![0; contacts.len()];
        for (contact, &chunk) in contacts.zip(&chunk_of) {
            let next = &mut starts[chunk as usize + 1];
            sorted[*next as usize] = contact as u32;
            *next += 1;
        }
        Self {
            contacts: sorted,
            starts,
        }
    }

    pub(super) fn of_chunk(&self, chunk: usize) -> &[u32] {
        &self.contacts[self.starts[chunk] as usize..self.starts[chunk + 1] as usize]
    }
}

/// The contacts of each group, chunk by chunk.
fn members_by_chunks(
    halves: &Halves,
    count: usize,
    sides: impl Fn(usize) -> [u32; 2] + Sync,
) -> (Vec<[u32; 4]>, Chunks) {
    let length = CONTACTS_OF_A_PIECE.max(count.div_ceil(MOST_PIECES));
    let pieces: Vec<SortedPiece> = (0..count.div_ceil(length))
        .into_par_iter()
        .map(|piece| {
            let contacts = length * piece..(length * (piece + 1)).min(count);
            let chunk_of = |contact: usize| halves.chunk_of(sides(contact));
            SortedPiece::new(contacts, halves.chunks(), chunk_of)
        })
        .collect();
    let grouped: Vec<(usize, Fours)> = (halves.nodes().into_par_iter().enumerate())
        .map(|(chunk, node)| {
            let of_pieces: Vec<&[u32]> = pieces.iter().map(|p| p.of_chunk(chunk)).collect();
            let contacts = of_pieces.concat();
            let places = halves.places_of(node);
            let fours = Fours::of(places.len(), &contacts, |contact| {
                sides(contact as usize).map(|body| match body {
                    RigidContact::FIXED => body,
                    _ => halves.place_in_chunk(body, &places),
                })
            });
            (contacts.len(), fours)
        })
        .collect();
    let sizes = grouped.iter();
    let sizes = sizes.map(|(count, fours)| [fours.groups.len(), fours.paired, *count]);
    let chunks = Chunks::new(halves, sizes);
    let groups = grouped.iter().map(|(_, fours)| &fours.groups[..]);
    let groups: Vec<&[[u32; 4]]> = groups.collect();
    (groups.concat(), chunks)
}

/// The groups of given members. Lanes without a contact touch a place that never moves, and stay at zero.
fn fill<A: Arms + Default + Send>(
    problem: &ContactProblem,
    (lean, halves, chunks): (&LeanContacts, &Halves, &Chunks),
    members: &[[u32; 4]],
    inverse_weights: impl Fn(usize) -> [f64; 2] + Sync,
    write_arms: impl Fn(usize, usize, &mut A) + Sync,
) -> Vec<Group<A>> {
    let free = problem.free_velocity().as_chunks::<3>().0;
    let group = |places: &Range<usize>, members: &[u32; 4]| {
        let mut group = Group {
            bodies: [[halves.place_in_chunk(RigidContact::FIXED, places); 4]; 2],
            normal: Vector::default(),
            free: Vector::default(),
            inverse_metric: [ShortLanes([1.0; 4]); 2],
            arms: A::default(),
        };
        for (lane, &index) in members.iter().enumerate().filter(|(_, c)| **c != NONE) {
            let index = index as usize;
            let contact = lean.contact(index);
            let [normal, tangential] = inverse_weights(index);
            group.inverse_metric[0].0[lane] = normal as f32;
            group.inverse_metric[1].0[lane] = tangential as f32;
            let r = to_world(contact.normal, free[index]);
            for k in 0..3 {
                group.normal[k].0[lane] = contact.normal[k];
                group.free[k].0[lane] = r[k];
            }
            for side in 0..2 {
                group.bodies[side][lane] = halves.place_in_chunk(contact.bodies[side], places);
            }
            write_arms(lane, index, &mut group.arms);
        }
        group
    };
    (members.par_iter().enumerate())
        .with_min_len(GROUPS_FOR_A_THREAD)
        .map(|(index, four)| group(&chunks.of_group(index).bodies, four))
        .collect()
}

/// Impulses by rows as vectors in the world frame, by groups.
fn world_impulses(lean: &LeanContacts, members: &[[u32; 4]], impulses: &[f64]) -> Vec<Vector> {
    let rows = impulses.as_chunks::<3>().0;
    let world = |members: &[u32; 4]| {
        let mut vector = Vector::default();
        for (lane, &index) in members.iter().enumerate().filter(|(_, c)| **c != NONE) {
            let x = to_world(lean.contact(index as usize).normal, rows[index as usize]);
            for k in 0..3 {
                vector[k].0[lane] = x[k];
            }
        }
        vector
    };
    (members.par_iter())
        .with_min_len(GROUPS_FOR_A_THREAD)
        .map(world)
        .collect()
}

/// From components along (n, t₁, t₂) to the world frame.
fn to_world(normal: [f64; 3], x: [f64; 3]) -> [f64; 3] {
    let [n, t, s] = contact_frame(normal);
    let component = |k: usize| n[k] * x[0] + t[k] * x[1] + s[k] * x[2];
    [component(0), component(1), component(2)]
}
