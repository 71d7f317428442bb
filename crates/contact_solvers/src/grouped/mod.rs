//! Accelerated sweeps over friction contacts of rigid bodies, four contacts at a time.
//!
//! Contacts are put in fours without a common body ([`grouping`]) once for each solve; a group's data lie together, by
//! lanes ([`arms`]), four contacts are handled as one with the vector instructions of the machine ([`machine`]), and impulses are vectors in the world frame until the solve ends. What a sweep does to a contact is
//! the same as in [`crate::metric_sweep`]; only the order of the contacts is that of the groups. Blocks behind the
//! contacts, joints above all, are visited one by one.
//!
//! Large problems are swept by all threads ([`layers`]). No operation is fused and every sum has one order, so the bits depend
//! neither on the number of threads nor on the vector instructions of the machine.

mod arms;
mod build;
mod gradient;
mod grouping;
mod judging;
mod kernel;
pub(crate) mod lanes;
mod layers;
pub(crate) mod machine;
mod projection;
mod rest;
mod stepping;
#[cfg(test)]
mod tests;

use crate::cones::Cone;
use crate::delassus::contact_frame;
use crate::law::FrictionLaw;
use crate::methods::gauss_seidel::velocity_of_state;
use crate::monitor::{Measured, Monitor};
use crate::problem::ContactProblem;
use crate::residual::{ABSOLUTE_FLOOR, Measure};
use crate::settings::Settings;
use arms::{BallArms, Body, FreeArms, Group, Inertia};
pub(crate) use gradient::Gradient;
use grouping::NONE;
use judging::{Judge, Judging};
use kernel::{Iterates, Pushing, Sweep, Sweeping};
use lanes::{Lanes, Vector};
use layers::Chunks;
use moreau_algebra::reduction::norm;
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

/// Room for measures that the groups cannot compute; empty until one is asked for.
#[derive(Default)]
struct ByRows {
    impulses: Vec<f64>,
    state: Vec<f64>,
    velocity: Vec<f64>,
}

/// A measure that the groups can compute themselves.
struct OwnMeasure {
    judges: Vec<Judge>,
    /// The error is relative to at least this.
    scale: f64,
    /// … and to the norms of impulses and velocities.
    by_norms: bool,
}

/// Impulses, body velocities and contacts of a problem in the form in which they are swept.
pub(crate) struct Grouped<'a> {
    problem: &'a ContactProblem,
    /// The contacts of each group.
    members: Vec<[u32; 4]>,
    groups: Groups,
    /// Parts of the groups that threads can sweep at once.
    chunks: Chunks,
    /// Where each body is in the arrays of velocities.
    places: Vec<u32>,
    /// Velocities of all bodies, layer by layer.
    bodies: Vec<Body>,
    bodies_before: Vec<Body>,
    now: Vec<Vector>,
    before: Vec<Vector>,
    /// Empty under Coulomb's law, which writes the next iterate over the one before.
    next: Vec<Vector>,
    /// The impulses that were worth keeping.
    best: Vec<Vector>,
    measure: Option<OwnMeasure>,
    by_rows: ByRows,
    rest: Option<Rest<'a>>,
}

impl Grouped<'_> {
    /// y = x + β (x − x_before), a sweep and one in the reverse order; answers with (y − x_new)ᵀ G (x_new − x)
    /// under the relaxed law.
    pub fn iterate(&mut self, law: FrictionLaw, beta: f64, forward_first: bool) -> f64 {
        extrapolate(&mut self.bodies, &mut self.bodies_before, beta);
        if let Some(rest) = &mut self.rest {
            rest.extrapolate(beta);
        }
        let mut along = 0.0;
        for (first, forward) in [(true, forward_first), (false, !forward_first)] {
            if let Some(rest) = self.rest.as_mut().filter(|_| !forward) {
                rest.sweep(law, forward, &mut self.bodies);
            }
            let sweep = Sweep {
                coulomb: law == FrictionLaw::Coulomb,
                first,
                forward,
                beta,
            };
            along += self.sweep(sweep);
            if let Some(rest) = self.rest.as_mut().filter(|_| forward) {
                rest.sweep(law, forward, &mut self.bodies);
            }
        }
        if law != FrictionLaw::Coulomb {
            // next, now, before become now, before, and room for the next.
            std::mem::swap(&mut self.before, &mut self.next);
        }
        std::mem::swap(&mut self.before, &mut self.now);
        along + self.rest.as_ref().map_or(0.0, Rest::along)
    }

    fn sweep(&mut self, kind: Sweep) -> f64 {
        let (now, groups, bodies) = (&self.now, &self.groups, &mut self.bodies);
        let (before, next) = if kind.coulomb {
            (now, &mut self.before)
        } else {
            self.next.resize(now.len(), Vector::default());
            (&self.before, &mut self.next)
        };
        self.chunks
            .change(kind.forward, bodies, next, |chunk, bodies, next| {
                let part = chunk.groups.clone();
                let iterates = Iterates {
                    now: &now[part.clone()],
                    before: &before[part.clone()],
                    next,
                };
                match groups {
                    Groups::Balls(groups) => machine::run(Sweeping {
                        groups: &groups[part],
                        inertias: &[],
                        kind,
                        iterates,
                        bodies,
                    }),
                    Groups::Bodies(groups, inertias) => machine::run(Sweeping {
                        groups: &groups[part],
                        inertias: &inertias[chunk.bodies.clone()],
                        kind,
                        iterates,
                        bodies,
                    }),
                }
            })
    }

    /// Recomputes the body velocities from the impulses, to be rid of what rounding has added up.
    pub fn refresh(&mut self) {
        let Self {
            groups,
            chunks,
            bodies,
            bodies_before,
            now,
            before,
            rest,
            ..
        } = self;
        let groups = &*groups;
        for (impulses, bodies, of_now) in [(now, bodies, true), (before, bodies_before, false)] {
            for body in bodies.iter_mut() {
                body.push[..3].fill(0.0);
                body.turn[..3].fill(0.0);
            }
            chunks.change(true, bodies, impulses, |chunk, bodies, impulses| {
                let part = chunk.groups.clone();
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
            if let Some(rest) = rest {
                rest.push(of_now, bodies);
            }
        }
    }

    /// The error that the solve stops on and the objective, in one pass where the groups can tell them.
    pub fn measure(&mut self, law: FrictionLaw, monitor: &Monitor) -> Measured {
        let Some(measure) = &self.measure else {
            return self.measure_by_rows(monitor);
        };
        let coulomb = law == FrictionLaw::Coulomb;
        let (judges, now, bodies) = (&measure.judges, &self.now, &self.bodies);
        let sums = self.chunks.look(|chunk| {
            let part = chunk.groups.clone();
            let (judges, now) = (&judges[part.clone()], &now[part.clone()]);
            let bodies = &bodies[chunk.bodies.clone()];
            match &self.groups {
                Groups::Balls(groups) => machine::run(Judging {
                    groups: &groups[part],
                    judges,
                    impulses: now,
                    bodies,
                    coulomb,
                }),
                Groups::Bodies(groups, _) => machine::run(Judging {
                    groups: &groups[part],
                    judges,
                    impulses: now,
                    bodies,
                    coulomb,
                }),
            }
        });
        let mut scale = measure.scale;
        if measure.by_norms {
            scale = scale
                .max(sums.impulse_squared.sqrt())
                .max(sums.velocity_squared.sqrt());
        }
        let error = sums.map.sqrt() / scale.max(ABSOLUTE_FLOOR);
        Measured {
            error: error.max(monitor.settings().tolerance * sums.approach),
            objective: 0.5 * sums.work,
        }
    }

    /// Any measure of any problem, from impulses and velocities in the problem's own form.
    fn measure_by_rows(&mut self, monitor: &Monitor) -> Measured {
        let (n, problem) = (self.problem.dimension(), self.problem);
        let ByRows {
            impulses,
            state,
            velocity,
        } = &mut self.by_rows;
        impulses.resize(n, 0.0);
        velocity.resize(n, 0.0);
        state.resize(problem.state_length(), 0.0);
        write_rows(&self.members, &self.groups, &self.now, impulses);
        if let Some(rest) = &self.rest {
            rest.write(impulses);
        }
        for (six, &place) in state.as_chunks_mut::<6>().0.iter_mut().zip(&self.places) {
            *six = six_of(&self.bodies[place as usize]);
        }
        velocity_of_state(problem, impulses, state, velocity);
        monitor.measure(impulses, velocity)
    }

    /// Keeps the present impulses as the best.
    pub fn keep(&mut self) {
        self.best.resize(self.now.len(), Vector::default());
        self.best.copy_from_slice(&self.now);
        if let Some(rest) = &mut self.rest {
            rest.keep();
        }
    }

    /// The end of a solve: writes what was kept, after giving back the room of everything else.
    pub fn finish(mut self, rows: &mut [f64]) {
        for impulses in [&mut self.now, &mut self.before, &mut self.next] {
            *impulses = Vec::new();
        }
        self.write_kept(rows);
    }

    /// Writes the impulses that were kept, by rows, if any were.
    pub fn write_kept(&self, rows: &mut [f64]) {
        if self.best.is_empty() {
            return;
        }
        write_rows(&self.members, &self.groups, &self.best, rows);
        if let Some(rest) = &self.rest {
            rest.write_kept(rows);
        }
    }
}

/// v ← v + β (v − v_before); what v was becomes v_before.
fn extrapolate(bodies: &mut [Body], before: &mut [Body], beta: f64) {
    bodies
        .par_iter_mut()
        .zip(before)
        .with_min_len(BODIES_FOR_A_THREAD)
        .for_each(|(body, before)| {
            let now = *body;
            for k in 0..4 {
                body.push[k] = now.push[k] + beta * (now.push[k] - before.push[k]);
                body.turn[k] = now.turn[k] + beta * (now.turn[k] - before.turn[k]);
            }
            *before = now;
        });
}

/// Writes impulses by rows.
fn write_rows(members: &[[u32; 4]], groups: &Groups, impulses: &[Vector], rows: &mut [f64]) {
    let rows = rows.as_chunks_mut::<3>().0;
    for (group, members) in members.iter().enumerate() {
        for (lane, &contact) in members.iter().enumerate().filter(|(_, c)| **c != NONE) {
            let vector = |v: &Vector| v.map(|component| component.0[lane]);
            let normal = match groups {
                Groups::Balls(groups) => vector(&groups[group].normal),
                Groups::Bodies(groups, _) => vector(&groups[group].normal),
            };
            let x = vector(&impulses[group]);
            rows[contact as usize] =
                contact_frame(normal).map(|t| t[0] * x[0] + t[1] * x[1] + t[2] * x[2]);
        }
    }
}

impl OwnMeasure {
    /// `None` for measures other than the natural-map error and the energy.
    fn new(problem: &ContactProblem, settings: &Settings, members: &[[u32; 4]]) -> Option<Self> {
        let r = problem.free_velocity();
        let limits = &settings.approach_limits;
        let judges = |g: &(dyn Fn(usize) -> f64 + Sync)| {
            let weight = |contact: u32| match contact {
                NONE => 1.0,
                contact => g(contact as usize),
            };
            let inverse = |contact: u32| limits.get(contact as usize).map_or(0.0, |v| 1.0 / v);
            let judge = |four: &[u32; 4]| Judge {
                weight: Lanes(four.map(weight)),
                inverse_limit: Lanes(four.map(inverse)),
            };
            (members.par_iter())
                .with_min_len(GROUPS_FOR_A_THREAD)
                .map(judge)
                .collect()
        };
        match settings.measure {
            Measure::Natural => Some(Self {
                judges: judges(&|_| 1.0),
                scale: norm(r),
                by_norms: true,
            }),
            Measure::Energy => {
                let g = problem.mean_diagonal();
                Some(Self {
                    judges: judges(&|contact| g[contact]),
                    scale: crate::residual::energy_scale(problem).sqrt(),
                    by_norms: false,
                })
            }
            _ => None,
        }
    }
}

/// The velocity of a body as the problem's state has it.
fn six_of(body: &Body) -> [f64; 6] {
    let ([x, y, z, _], [a, b, c, _]) = (body.push, body.turn);
    [x, y, z, a, b, c]
}

/// μ of a friction cone.
fn friction_of(cone: &Cone) -> f64 {
    match *cone {
        Cone::Friction { friction } => friction,
        _ => 0.0,
    }
}
