//! Sweeps: what is done to four contacts at once.
//!
//! A group's four contacts have no body in common: their visits do not see each other, and doing them at once is
//! the same as one after another. Impulses and velocities are vectors in the world frame; no tangents are computed.

use super::alike::OfSome;
use super::arms::{Arms, Body, Group, Inertia, expect_bodies};
use super::lanes::{Lanes, Vector, dot, minus, plus, times};
use super::machine::{Machine, Wide, Work, expect_lines, expect_lines_later};
use super::projection::{projected_step, step_on_disc};

/// The impulses that a sweep reads and writes, by groups.
pub(crate) struct Iterates<'a> {
    /// x_k.
    pub now: &'a [Vector],
    /// x_{k−1}; under Coulomb's law that stands in `next`, and nothing is read here.
    pub before: &'a [Vector],
    /// The first sweep of an iteration writes it, the second improves it: x_{k+1}. Coulomb's law asks no more for x_{k−1} after
    /// the first visit, which writes over it.
    pub next: &'a mut [Vector],
}

/// Which sweep of which kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep {
    pub coulomb: bool,
    /// The first sweep begins at y = x_k + β (x_k − x_{k−1}), the second where the first ended.
    pub first: bool,
    pub forward: bool,
    pub beta: f64,
}

impl Sweep {
    /// The second sweep of an iteration that begins with this one.
    pub fn back(self) -> Self {
        Self {
            first: false,
            forward: !self.forward,
            ..self
        }
    }
}

/// One sweep over groups; the second of an iteration answers with (y − x_{k+1})ᵀ G (x_{k+1} − x_k) under the relaxed law.
pub(crate) struct Sweeping<'a, A> {
    pub groups: &'a [Group<A>],
    pub frictions: OfSome<'a, Lanes>,
    pub inertias: &'a [Inertia],
    pub kind: Sweep,
    pub iterates: Iterates<'a>,
    pub bodies: &'a mut [Body],
}

impl<A: Arms> Work for Sweeping<'_, A> {
    type Found = f64;

    #[inline(always)]
    fn on<M: Machine>(self, machine: M) -> f64 {
        match (self.kind.coulomb, self.kind.first) {
            (false, false) => self.sweep::<M, false, false>(machine),
            (false, true) => self.sweep::<M, false, true>(machine),
            (true, false) => self.sweep::<M, true, false>(machine),
            (true, true) => self.sweep::<M, true, true>(machine),
        }
    }
}

impl<A: Arms> Sweeping<'_, A> {
    #[inline(always)]
    fn sweep<M: Machine, const COULOMB: bool, const FIRST: bool>(self, machine: M) -> f64 {
        let Self {
            groups,
            frictions,
            inertias,
            kind,
            iterates,
            bodies,
        } = self;
        let count = groups.len();
        let (now, before) = (&iterates.now[..count], &iterates.before[..count]);
        let next = &mut iterates.next[..count];
        let beta = Wide::all(machine, kind.beta);
        let mut along = Wide::all(machine, 0.0);
        for k in 0..count {
            let index = if kind.forward { k } else { count - 1 - k };
            expect_bodies(machine, groups, (index, kind.forward), bodies);
            expect_lines_later(machine, groups, (index, kind.forward));
            expect_lines_later(machine, now, (index, kind.forward));
            expect_lines_later(machine, next, (index, kind.forward));
            if !COULOMB {
                expect_lines_later(machine, before, (index, kind.forward));
            }
            let group = &groups[index];
            let middle = &next[index];
            let before = if COULOMB { middle } else { &before[index] };
            let n = Wide::vector_of(machine, &group.normal);
            let normal = Wide::of_short(machine, &group.inverse_metric[0]);
            let tangential = Wide::of_short(machine, &group.inverse_metric[1]);
            let friction = Wide::of(machine, frictions.at(index));
            let old = Wide::vector_of(machine, &now[index]);
            let change = minus(old, Wide::vector_of(machine, before));
            let start = plus(old, times(beta, change));
            let x = if FIRST {
                start
            } else {
                Wide::vector_of(machine, middle)
            };
            let motion = A::gather(machine, [group; 2], bodies);
            let free = Wide::vector_of(machine, &group.free);
            let u = plus(A::velocity(machine, [group; 2], motion), free);
            let metric = [normal, tangential];
            let z = if COULOMB {
                step_on_disc(n, friction, metric, u, x)
            } else {
                projected_step(n, friction, metric, u, x)
            };
            if !FIRST && !COULOMB {
                let (left, right) = (minus(start, z), minus(z, old));
                let along_n = dot(n, left) * dot(n, right);
                let along_t = dot(left, right) - along_n;
                let part = along_n * tangential + along_t * normal;
                along = along + part / (normal * tangential);
            }
            next[index] = Wide::lanes_of(z);
            A::push(machine, group, inertias, minus(z, x), bodies);
        }
        along.lanes().sum()
    }
}

/// v ← v + β (v − v_before); what v was becomes v_before.
pub(crate) struct Extrapolating<'a> {
    pub bodies: &'a mut [Body],
    pub before: &'a mut [Body],
    pub beta: f64,
}

impl Work for Extrapolating<'_> {
    type Found = ();

    #[inline(always)]
    fn on<M: Machine>(self, machine: M) {
        let Self {
            bodies,
            before,
            beta,
        } = self;
        for k in 0..bodies.len() {
            expect_lines(machine, bodies, (k, true));
            expect_lines(machine, before, (k, true));
            let now = bodies[k];
            bodies[k] = extrapolated(machine, &now, &before[k], beta);
            before[k] = now;
        }
    }
}

/// v + β (v − v_before) of one body. Masses, which are the same in both, stay.
#[inline(always)]
fn extrapolated<M: Machine>(machine: M, now: &Body, before: &Body, beta: f64) -> Body {
    Body {
        push: extrapolated_row(machine, &now.push, &before.push, beta),
        turn: extrapolated_row(machine, &now.turn, &before.turn, beta),
    }
}

#[inline(always)]
fn extrapolated_row<M: Machine>(
    machine: M,
    now: &[f64; 4],
    before: &[f64; 4],
    beta: f64,
) -> [f64; 4] {
    let now = machine.load(now);
    let change = machine.subtract(now, machine.load(before));
    machine.numbers(machine.add(now, machine.scale(beta, change)))
}

/// Adds what impulses do to the velocities.
pub(crate) struct Pushing<'a, A> {
    pub groups: &'a [Group<A>],
    pub inertias: &'a [Inertia],
    pub impulses: &'a [Vector],
    pub bodies: &'a mut [Body],
}

impl<A: Arms> Work for Pushing<'_, A> {
    type Found = ();

    #[inline(always)]
    fn on<M: Machine>(self, machine: M) {
        for (group, x) in self.groups.iter().zip(self.impulses) {
            let force = Wide::vector_of(machine, x);
            A::push(machine, group, self.inertias, force, self.bodies);
        }
    }
}
