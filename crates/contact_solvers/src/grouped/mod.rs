//! Accelerated sweeps over friction contacts of rigid bodies, four contacts at a time.
//!
//! Contacts are put in fours without a common body, and these in pairs ([`grouping`]), once for each solve; a group's data lie together, by
//! lanes ([`arms`]), four contacts are handled as one with the vector instructions of the machine ([`machine`]), and impulses are vectors in the world frame until the solve ends. What a sweep does to a contact is
//! the same as in [`crate::metric_sweep`]; only the order of the contacts is that of the groups, on any machine. Blocks behind the
//! contacts, joints above all, are visited one by one.
//!
//! Large problems are swept by all threads ([`halves`]). No operation is fused and every sum has one order, so the bits depend
//! neither on the number of threads nor on the vector instructions of the machine.

mod alike;
mod arms;
mod build;
mod chunks;
mod gradient;
mod grouping;
mod halves;
mod judging;
mod kernel;
pub(crate) mod lanes;

pub(crate) mod machine;
mod measuring;
mod projection;
mod rest;
mod stepping;
#[cfg(test)]
mod tests;

use crate::cones::Cone;
use crate::delassus::contact_frame;
use crate::friction_run::FrictionRun;
use crate::law::FrictionLaw;
use crate::monitor::Best;
use crate::problem::ContactProblem;
use alike::OfGroups;
use arms::{BallArms, Body, FreeArms, Group, Inertia};
use chunks::{Chunk, Chunks, Heading, Way};
pub(crate) use gradient::Gradient;
use grouping::NONE;
use halves::Halves;
use kernel::{Extrapolating, Iterates, Pushing, Sweep, Sweeping};
use lanes::{Lanes, Vector};

use measuring::{ByRows, OwnMeasure};
use moreau_algebra::copies::copy_over;
use rayon::prelude::*;
use rest::Rest;

/// Bodies at least that are worth a thread of their own.
const BODIES_FOR_A_THREAD: usize = 20_000;

/// Groups at least that are worth a thread of their own.
const GROUPS_FOR_A_THREAD: usize = 2048;

/// The groups, by what is known of the bodies.
enum Groups {
    Balls(Vec<Group<BallArms>>),
    Bodies(Vec<Group<FreeArms>>, Vec<Inertia>),
}

/// What is read by a sweep.
struct Contacts<'a> {
    groups: &'a Groups,
    frictions: &'a OfGroups<Lanes>,
    now: &'a [Vector],
    before: &'a [Vector],
}

impl Contacts<'_> {
    /// Sweeps one chunk.
    fn visit(&self, kind: Sweep, chunk: &Chunk, bodies: &mut [Body], next: &mut [Vector]) -> f64 {
        let part = chunk.groups.clone();
        let frictions = self.frictions.part(part.clone());
        let iterates = Iterates {
            now: &self.now[part.clone()],
            before: &self.before[part.clone()],
            next,
        };
        match self.groups {
            Groups::Balls(groups) => machine::run_striding(Sweeping {
                groups: &groups[part],
                paired: chunk.paired,
                frictions,
                inertias: &[],
                kind,
                iterates,
                bodies,
            }),
            Groups::Bodies(groups, inertias) => machine::run_striding(Sweeping {
                groups: &groups[part],
                paired: chunk.paired,
                frictions,
                inertias: &inertias[chunk.bodies.clone()],
                kind,
                iterates,
                bodies,
            }),
        }
    }
}

/// Impulses, body velocities and contacts of a problem in the form in which they are swept.
pub(crate) struct Grouped<'a> {
    problem: &'a ContactProblem,
    /// The contacts of each group.
    members: Vec<[u32; 4]>,
    groups: Groups,
    frictions: OfGroups<Lanes>,
    /// Parts of the groups that threads can sweep at once.
    chunks: Chunks,
    /// Where each body is in the arrays of velocities.
    halves: Halves,
    /// Velocities of all bodies, leaf by leaf.
    bodies: Vec<Body>,
    bodies_before: Vec<Body>,
    now: Vec<Vector>,
    before: Vec<Vector>,
    /// Empty under Coulomb's law, which writes the next iterate over the one before.
    next: Vec<Vector>,
    /// The room of the starting point. Whatever is kept goes there: vectors in the world frame, in the order of the groups.
    kept: &'a mut [f64],
    has_kept: bool,
    measure: Option<OwnMeasure>,
    by_rows: ByRows,
    rest: Option<Rest<'a>>,
}

impl Grouped<'_> {
    /// y = x + β (x − x_before), a sweep and one in the reverse order; answers with (y − x_new)ᵀ G (x_new − x)
    /// under the relaxed law.
    ///
    /// Where the first sweep ends with the leaves, each of them is swept there and back while it is in the cache.
    pub fn iterate(&mut self, law: FrictionLaw, beta: f64, forward_first: bool) -> f64 {
        extrapolate(&mut self.bodies, &mut self.bodies_before, beta);
        if let Some(rest) = &mut self.rest {
            rest.extrapolate(beta);
        }
        let there = Sweep {
            coulomb: law == FrictionLaw::Coulomb,
            first: true,
            forward: forward_first,
            beta,
        };
        let along = if forward_first {
            let along = self.sweep(there);
            self.sweep_rest(law, true);
            self.sweep_rest(law, false);
            along + self.sweep(there.back())
        } else {
            self.sweep_rest(law, false);
            let along = self.sweep_to_leaves_and_back(there);
            self.sweep_rest(law, true);
            along
        };
        if law != FrictionLaw::Coulomb {
            // next, now, before become now, before, and room for the next.
            std::mem::swap(&mut self.before, &mut self.next);
        }
        std::mem::swap(&mut self.before, &mut self.now);
        along + self.rest.as_ref().map_or(0.0, Rest::along)
    }

    fn sweep_rest(&mut self, law: FrictionLaw, forward: bool) {
        if let Some(rest) = &mut self.rest {
            rest.sweep(law, forward, &mut self.bodies);
        }
    }

    fn sweep(&mut self, sweep: Sweep) -> f64 {
        let (contacts, chunks, bodies, next) = self.parts_of_sweep(sweep.coulomb);
        let way = if sweep.forward { Way::Up } else { Way::Down };
        chunks.walk(way, bodies, [next], |_, chunk, bodies, [next]| {
            contacts.visit(sweep, chunk, bodies, next)
        })
    }

    fn sweep_to_leaves_and_back(&mut self, there: Sweep) -> f64 {
        let (contacts, chunks, bodies, next) = self.parts_of_sweep(there.coulomb);
        let way = Way::DownAndUp;
        chunks.walk(way, bodies, [next], |heading, chunk, bodies, [next]| {
            let sweep = match heading {
                Heading::Down => there,
                Heading::Up => there.back(),
            };
            contacts.visit(sweep, chunk, bodies, next)
        })
    }

    /// What a sweep reads, and the velocities and impulses that it changes.
    fn parts_of_sweep(
        &mut self,
        coulomb: bool,
    ) -> (Contacts<'_>, &Chunks, &mut [Body], &mut [Vector]) {
        let now = &self.now;
        let (before, next) = if coulomb {
            (now, &mut self.before)
        } else {
            self.next.resize(now.len(), Vector::default());
            (&self.before, &mut self.next)
        };
        let contacts = Contacts {
            groups: &self.groups,
            frictions: &self.frictions,
            now,
            before,
        };
        (contacts, &self.chunks, &mut self.bodies, next)
    }

    /// Recomputes the body velocities from the impulses, to be rid of what rounding has added up.
    pub fn refresh(&mut self) {
        for _ in 0..2 {
            let bodies = self.bodies.par_iter_mut();
            bodies
                .with_min_len(BODIES_FOR_A_THREAD)
                .for_each(Body::stop);
            self.push_from_rest();
            self.change_iterates();
        }
    }

    /// The present iterate and the one before change places.
    fn change_iterates(&mut self) {
        std::mem::swap(&mut self.now, &mut self.before);
        std::mem::swap(&mut self.bodies, &mut self.bodies_before);
        if let Some(rest) = &mut self.rest {
            rest.change_iterates();
        }
    }

    /// Makes the velocities of bodies at rest those of the present impulses.
    fn push_from_rest(&mut self) {
        let (groups, now) = (&self.groups, &self.now);
        self.chunks
            .walk(Way::Up, &mut self.bodies, [], |_, chunk, bodies, []| {
                let part = chunk.groups.clone();
                let impulses = &now[part.clone()];
                match groups {
                    Groups::Balls(groups) => machine::run(Pushing {
                        groups: &groups[part],
                        inertias: &[],
                        impulses,
                        bodies,
                    }),
                    Groups::Bodies(groups, inertias) => machine::run(Pushing {
                        groups: &groups[part],
                        inertias: &inertias[chunk.bodies.clone()],
                        impulses,
                        bodies,
                    }),
                }
            });
        if let Some(rest) = &mut self.rest {
            rest.push(&mut self.bodies);
        }
    }

    /// Keeps the present impulses as the best.
    pub fn keep(&mut self) {
        let (members, now) = (&self.members, &self.now);
        self.chunks
            .fill(self.kept.as_chunks_mut().0, |chunk, kept| {
                let groups = chunk.groups.clone();
                let vectors = members[groups.clone()].iter().zip(&now[groups]);
                let of_contacts = vectors.flat_map(|(members, [x, y, z])| {
                    let contacts = (0..4).filter(|&lane| members[lane] != NONE);
                    contacts.map(|lane| [x.0[lane], y.0[lane], z.0[lane]])
                });
                for (kept, vector) in kept.iter_mut().zip(of_contacts) {
                    *kept = vector;
                }
            });
        self.has_kept = true;
        if let Some(rest) = &mut self.rest {
            rest.keep();
        }
    }

    /// What was kept, by rows.
    fn kept_rows(
        members: &[[u32; 4]],
        problem: &ContactProblem,
        kept: &[f64],
        rest: Option<&Rest>,
    ) -> Vec<f64> {
        // Where each contact is among the groups: numbers of four bytes are put in order by one thread, vectors by all.
        let mut places = vec![0u32; FrictionRun::of(problem).map_or(0, |run| run.len())];
        let contacts = members.as_flattened().iter().filter(|c| **c != NONE);
        for (place, &contact) in contacts.enumerate() {
            places[contact as usize] = place as u32;
        }
        let vectors = kept.as_chunks::<3>().0;
        let mut rows = vec![0.0; problem.dimension()];
        (rows.as_chunks_mut().0.par_iter_mut().zip(&places))
            .with_min_len(4 * GROUPS_FOR_A_THREAD)
            .for_each(|(rows, place)| *rows = vectors[*place as usize]);
        vectors_to_rows(problem, &mut rows);
        if let Some(rest) = rest {
            rest.write_kept(&mut rows);
        }
        rows
    }

    /// The end of a solve: writes what was kept, by rows, if anything was; the starting point becomes the same.
    pub fn finish(self, best: &mut Best) {
        let Self {
            problem,
            members,
            groups,
            now,
            before,
            next,
            kept,
            has_kept,
            rest,
            ..
        } = self;
        drop((groups, now, before, next));
        if has_kept {
            let rows = Self::kept_rows(&members, problem, kept, rest.as_ref());
            copy_over(kept, &rows);
            best.replace(rows);
        }
    }
}

/// v ← v + β (v − v_before); what v was becomes v_before.
fn extrapolate(bodies: &mut [Body], before: &mut [Body], beta: f64) {
    (bodies.par_chunks_mut(BODIES_FOR_A_THREAD))
        .zip(before.par_chunks_mut(BODIES_FOR_A_THREAD))
        .for_each(|(bodies, before)| {
            machine::run(Extrapolating {
                bodies,
                before,
                beta,
            });
        });
}

/// Writes the vectors of groups in the order of the contacts.
fn write_vectors(members: &[[u32; 4]], vectors: &[Vector], by_contacts: &mut [f64]) {
    let by_contacts = by_contacts.as_chunks_mut::<3>().0;
    for (members, [x, y, z]) in members.iter().zip(vectors) {
        for (lane, &contact) in members.iter().enumerate().filter(|(_, c)| **c != NONE) {
            by_contacts[contact as usize] = [x.0[lane], y.0[lane], z.0[lane]];
        }
    }
}

/// Turns the vectors of contacts, as they come first in a problem that was grouped, into the frames of the contacts.
fn vectors_to_rows(problem: &ContactProblem, vectors: &mut [f64]) {
    let Some(run) = FrictionRun::of(problem) else {
        return;
    };
    let vectors = &mut vectors.as_chunks_mut::<3>().0[..run.len()];
    (vectors.par_iter_mut().enumerate())
        .with_min_len(4 * GROUPS_FOR_A_THREAD)
        .for_each(|(contact, vector)| {
            let [x, y, z] = *vector;
            let [n, t, s] = contact_frame(run.normal(contact));
            let along = |axis: [f64; 3]| axis[0] * x + axis[1] * y + axis[2] * z;
            *vector = [along(n), along(t), along(s)];
        });
}

/// The velocity of a body as the problem's state has it.
fn six_of(body: &Body) -> [f64; 6] {
    let ([x, y, z, _], [a, b, c, _]) = (body.push, body.turn);
    [x, y, z, a, b, c]
}

/// A value of each contact of a group; where there is no contact, which nothing then depends on, that of the problem's first.
fn of_members<T>(members: &[u32; 4], value: impl Fn(usize) -> T) -> [T; 4] {
    let index = |contact: u32| if contact == NONE { 0 } else { contact as usize };
    // Not by `map`, of which the compiler may make a function of its own.
    let [a, b, c, d] = *members;
    [
        value(index(a)),
        value(index(b)),
        value(index(c)),
        value(index(d)),
    ]
}

/// μ of a friction cone.
fn friction_of(cone: &Cone) -> f64 {
    match *cone {
        Cone::Friction { friction } => friction,
        _ => 0.0,
    }
}
