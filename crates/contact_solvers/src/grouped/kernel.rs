//! Sweeps: what is done to four contacts at once.
//!
//! A group's four contacts have no body in common: their visits do not see each other, and doing them at once is
//! the same as one after another. The same holds for most groups and the next one, and machines with registers of eight numbers visit both at once. Impulses and velocities are vectors in the world frame; no tangents are computed.

use super::alike::OfSome;
use super::arms::{Arms, Body, Group, Inertia, expect_bodies_of_groups, free_velocities, normals};
use super::lanes::{Lanes, Vector, dot, minus, plus, times};
use super::machine::{
    Machine, Stride, StridingWork, Wide, Work, expect_lines, expect_lines_of_groups,
};
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
    /// So many of them are in pairs whose contacts do not see each other either; a machine may visit both at once.
    pub paired: usize,
    pub frictions: OfSome<'a, Lanes>,
    pub inertias: &'a [Inertia],
    pub kind: Sweep,
    pub iterates: Iterates<'a>,
    pub bodies: &'a mut [Body],
}

impl<A: Arms> StridingWork for Sweeping<'_, A> {
    type Found = f64;

    #[inline(always)]
    fn on<S: Stride>(self, stride: S) -> f64 {
        match (self.kind.coulomb, self.kind.first) {
            (false, false) => self.sweep::<S, false, false>(stride),
            (false, true) => self.sweep::<S, false, true>(stride),
            (true, false) => self.sweep::<S, true, false>(stride),
            (true, true) => self.sweep::<S, true, true>(stride),
        }
    }
}

impl<A: Arms> Sweeping<'_, A> {
    #[inline(always)]
    fn sweep<S: Stride, const COULOMB: bool, const FIRST: bool>(mut self, stride: S) -> f64 {
        let (count, pairs, forward) = (self.groups.len(), self.paired / 2, self.kind.forward);
        let mut along = Wide::all(stride.one(), 0.0);
        for turn in 0..2 {
            if (turn == 0) == forward {
                for k in 0..pairs {
                    let first = 2 * if forward { k } else { pairs - 1 - k };
                    // Both of a pair, at once or not, in the same order in either direction: the sum is the same.
                    for k in 0..2 / S::GROUPS {
                        let group = first + k;
                        self.visit::<S, COULOMB, FIRST>(stride, group, &mut along);
                    }
                }
            } else {
                let one = stride.one();
                for k in 0..count - self.paired {
                    let group = if forward {
                        self.paired + k
                    } else {
                        count - 1 - k
                    };
                    self.visit::<S::One, COULOMB, FIRST>(one, group, &mut along);
                }
            }
        }
        along.lanes().sum()
    }

    /// Visits the given group, or that and the next.
    #[inline(always)]
    fn visit<S: Stride, const COULOMB: bool, const FIRST: bool>(
        &mut self,
        stride: S,
        first: usize,
        along: &mut Wide<S::One>,
    ) {
        let last = first + S::GROUPS - 1;
        let at = (first, self.kind.forward);
        let Iterates { now, before, next } = &mut self.iterates;
        expect_bodies_of_groups(stride, self.groups, at, self.bodies);
        expect_lines_of_groups(stride, self.groups, at);
        expect_lines_of_groups(stride, now, at);
        expect_lines_of_groups(stride, next, at);
        if !COULOMB {
            expect_lines_of_groups(stride, before, at);
        }
        let groups = [&self.groups[first], &self.groups[last]];
        let [group, other] = groups;
        let middle = [&next[first], &next[last]];
        let before = if COULOMB {
            middle
        } else {
            [&before[first], &before[last]]
        };
        let n = normals(stride, groups);
        let normal = [&group.inverse_metric[0], &other.inverse_metric[0]];
        let normal = Wide::short_of_groups(stride, normal);
        let tangential = [&group.inverse_metric[1], &other.inverse_metric[1]];
        let tangential = Wide::short_of_groups(stride, tangential);
        let friction = [self.frictions.at(first), self.frictions.at(last)];
        let friction = Wide::of_groups(stride, friction);
        let old = Wide::vector_of_groups(stride, [&now[first], &now[last]]);
        let change = minus(old, Wide::vector_of_groups(stride, before));
        let start = plus(old, times(Wide::all(stride, self.kind.beta), change));
        let x = if FIRST {
            start
        } else {
            Wide::vector_of_groups(stride, middle)
        };
        let motion = A::gather(stride, groups, self.bodies);
        let free = free_velocities(stride, groups);
        let u = plus(A::velocity(stride, groups, motion), free);
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
            *along = (part / (normal * tangential)).added_to(*along);
        }
        Wide::write(z, next, first);
        A::push(stride, groups, self.inertias, minus(z, x), self.bodies);
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
            A::push(machine, [group; 2], self.inertias, force, self.bodies);
        }
    }
}
