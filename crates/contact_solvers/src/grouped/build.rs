//! From a problem to groups.

use super::alike::OfGroups;
use super::arms::{Arms, Body, Group, Inertia};
use super::grouping::{NONE, groups_of_four};
use super::halves::{Chunks, Halves, Halving};
use super::lanes::{Lanes, ShortLanes, Vector};
use super::measuring::{ByRows, OwnMeasure};
use super::rest::Rest;
use super::{BODIES_FOR_A_THREAD, GROUPS_FOR_A_THREAD, Grouped, Groups, friction_of, of_members};
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
            let mut inertias = vec![Inertia::default(); halves.room()];
            for body in 0..operator.bodies() {
                inertias[halves.place(body)] = columns(lean, body);
            }
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
        let at_rest = |place: usize| {
            let Some(body) = halves.body_at(place) else {
                return Body::default();
            };
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
        };
        let places = (0..halves.room()).into_par_iter();
        let places = places.with_min_len(BODIES_FOR_A_THREAD);
        let bodies: Vec<Body> = places.map(at_rest).collect();
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

/// The contacts of each group, chunk by chunk.
fn members_by_chunks(
    halves: &Halves,
    count: usize,
    sides: impl Fn(usize) -> [u32; 2] + Sync,
) -> (Vec<[u32; 4]>, Chunks) {
    // Contacts sorted by chunks.
    let mut starts = vec![0; halves.chunks() + 1];
    for contact in 0..count {
        starts[halves.chunk_of(sides(contact)) + 1] += 1;
    }
    for chunk in 0..halves.chunks() {
        starts[chunk + 1] += starts[chunk];
    }
    let mut next = starts.clone();
    let mut sorted = vec![0u32; count];
    for contact in 0..count {
        let next = &mut next[halves.chunk_of(sides(contact))];
        sorted[*next] = contact as u32;
        *next += 1;
    }
    let grouped: Vec<Vec<[u32; 4]>> = (0..halves.chunks())
        .into_par_iter()
        .map(|chunk| {
            let contacts = &sorted[starts[chunk]..starts[chunk + 1]];
            let places = halves.places_of_chunk(chunk);
            groups_of_four(places.len(), contacts, |contact| {
                sides(contact as usize).map(|body| match body {
                    RigidContact::FIXED => body,
                    _ => halves.place_in_chunk(body, &places),
                })
            })
        })
        .collect();
    let contacts = starts.windows(2).map(|w| w[1] - w[0]);
    let chunks = Chunks::new(halves, grouped.iter().map(Vec::len).zip(contacts));
    (grouped.concat(), chunks)
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
