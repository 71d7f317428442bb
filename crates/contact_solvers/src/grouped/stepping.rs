//! The pass of a projected gradient step: a group is read once.
//!
//! From the body velocities of γ_k it forms the contact velocities u_k = N γ_k + r, from these and those of γ_{k−1} the gradient at y,
//! g = N y + r = u_k + β (u_k − u_{k−1}), from that γ₊ = Π(y − g/L), from that the momenta of γ₊, and on the way every
//! inner product that an accelerated method asks for. A second trial from the same y begins with the u that the first has left.

use super::alike::OfSome;
use super::arms::{Arms, Body, Group, expect_bodies};
use super::halves::Found;
use super::judging::{Judge, Judging, Sums, Tally};
use super::kernel::Iterates;
use super::lanes::{Lanes, Vector, dot, minus, plus, times};
use super::machine::{Machine, Wide, WideVector, Work, expect_lines};
use super::projection::Aim;
use std::ops::Range;

/// Where a step begins: y = γ_k + β (γ_k − γ_{k−1}), and 1/L.
#[derive(Clone, Copy)]
pub(crate) struct Start {
    pub beta: f64,
    pub length: f64,
}

/// Contact velocities.
pub(crate) struct Velocities<'a> {
    /// u_k; the pass writes them unless a trial before it did.
    pub now: &'a mut [Vector],
    pub known: bool,
    /// u_{k−1}.
    pub before: &'a [Vector],
}

/// What a pass finds, with g = N y + r.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Step {
    /// Σ yᵀ(g + r), twice f(y).
    pub twice_f_y: f64,
    /// Σ gᵀ(γ₊ − y).
    pub linear: f64,
    /// Σ |γ₊ − y|².
    pub distance: f64,
    /// Σ gᵀ(γ₊ − γ_k).
    pub along: f64,
    /// Σ |γ₊|².
    pub size: f64,
    /// Σ rᵀγ₊.
    pub free_work: f64,
}

impl Found for Step {
    fn add(self, other: Self) -> Self {
        Self {
            twice_f_y: self.twice_f_y + other.twice_f_y,
            linear: self.linear + other.linear,
            distance: self.distance + other.distance,
            along: self.along + other.along,
            size: self.size + other.size,
            free_work: self.free_work + other.free_work,
        }
    }
}

/// A step over some groups.
pub(crate) struct Stepping<'a, A> {
    pub groups: &'a [Group<A>],
    pub frictions: OfSome<'a, Lanes>,
    pub start: Start,
    pub iterates: Iterates<'a>,
    pub velocities: Velocities<'a>,
    /// Zero where no chunk has been; receives D γ₊ in the places of velocities.
    pub momenta: &'a mut [Body],
}

/// Four contacts before the projection.
#[derive(Clone, Copy)]
struct Before<M: Machine> {
    old: WideVector<M>,
    y: WideVector<M>,
    g: WideVector<M>,
    /// y − g/L.
    aim: Aim<M>,
}

impl<M: Machine> Before<M> {
    /// From γ_k and γ_{k−1}, u_k and u_{k−1}.
    #[inline(always)]
    fn new(
        machine: M,
        normal: &Vector,
        [now, before]: [&Vector; 2],
        [u, u_before]: [&Vector; 2],
        start: Start,
    ) -> Self {
        let (beta, length) = (
            Wide::all(machine, start.beta),
            Wide::all(machine, start.length),
        );
        let old = Wide::vector_of(machine, now);
        let y = extrapolated(old, Wide::vector_of(machine, before), beta);
        let (u, u_before) = (
            Wide::vector_of(machine, u),
            Wide::vector_of(machine, u_before),
        );
        let g = extrapolated(u, u_before, beta);
        let n = Wide::vector_of(machine, normal);
        Self {
            old,
            y,
            g,
            aim: Aim::new(n, minus(y, times(length, g))),
        }
    }
}

/// x + β (x − x_before).
#[inline(always)]
fn extrapolated<M: Machine>(
    x: WideVector<M>,
    before: WideVector<M>,
    beta: Wide<M>,
) -> WideVector<M> {
    plus(x, times(beta, minus(x, before)))
}

/// Groups whose velocities are found before they are stepped from: what both read of them stays in the nearest cache.
const GROUPS_AT_ONCE: usize = 32;

/// A step over some groups, and what the impulses are worth that it begins with.
pub(crate) struct JudgingAndStepping<'a, A> {
    /// What these are judged by, if they are.
    pub judge: Option<Judge<'a>>,
    /// The body velocities of these impulses.
    pub bodies: &'a [Body],
    pub stepping: Stepping<'a, A>,
}

impl<A: Arms> Work for JudgingAndStepping<'_, A> {
    type Found = (Step, Sums);

    #[inline(always)]
    fn on<M: Machine>(self, machine: M) -> (Step, Sums) {
        let Self {
            judge,
            bodies,
            mut stepping,
        } = self;
        let count = stepping.groups.len();
        let mut sums = [Wide::all(machine, 0.0); 6];
        let mut tally = Tally::new(machine);
        let judging = match judge {
            None => None,
            Some(judge) => Some(Judging {
                groups: stepping.groups,
                frictions: stepping.frictions,
                judge,
                impulses: stepping.iterates.now,
                bodies,
                coulomb: false,
            }),
        };
        for first in (0..count).step_by(GROUPS_AT_ONCE) {
            let some = first..(first + GROUPS_AT_ONCE).min(count);
            match &judging {
                Some(judging) => {
                    let kept = &mut *stepping.velocities.now;
                    judging.judge::<M, false, true>(machine, some.clone(), kept, &mut tally);
                }
                None if !stepping.velocities.known => {
                    stepping.look(machine, some.clone(), bodies);
                }
                None => {}
            }
            stepping.step(machine, some, &mut sums);
        }
        (of_lanes(sums), tally.sums())
    }
}

/// Sums of four contacts each, made sums of all.
#[inline(always)]
fn of_lanes<M: Machine>(sums: [Wide<M>; 6]) -> Step {
    let [twice_f_y, linear, distance, along, size, free_work] = sums;
    Step {
        twice_f_y: twice_f_y.lanes().sum(),
        linear: linear.lanes().sum(),
        distance: distance.lanes().sum(),
        along: along.lanes().sum(),
        size: size.lanes().sum(),
        free_work: free_work.lanes().sum(),
    }
}

impl<A: Arms> Stepping<'_, A> {
    /// Finds the velocities of some of the groups.
    #[inline(always)]
    fn look<M: Machine>(&mut self, machine: M, some: Range<usize>, bodies: &[Body]) {
        let groups = self.groups;
        let velocities = &mut self.velocities.now[..groups.len()];
        for k in some {
            expect_bodies(machine, groups, (k, true), bodies);
            expect_lines(machine, groups, (k, true));
            expect_lines(machine, velocities, (k, true));
            expect_lines(machine, self.iterates.now, (k, true));
            let group = &groups[k];
            let motion = A::gather(machine, group, bodies);
            let free = Wide::vector_of(machine, &group.free);
            let u = plus(A::velocity(machine, group, motion), free);
            velocities[k] = Wide::lanes_of(u);
        }
    }

    /// Steps from some of the groups, whose velocities are known.
    #[inline(always)]
    fn step<M: Machine>(&mut self, machine: M, some: Range<usize>, sums: &mut [Wide<M>; 6]) {
        let (groups, start) = (self.groups, self.start);
        let count = groups.len();
        let (now, before) = (&self.iterates.now[..count], &self.iterates.before[..count]);
        let (u, u_before) = (
            &self.velocities.now[..count],
            &self.velocities.before[..count],
        );
        let next = &mut self.iterates.next[..count];
        let momenta = &mut *self.momenta;
        let (last, mut found) = (some.end - 1, *sums);
        let first = some.start;
        let mut coming = Before::new(
            machine,
            &groups[first].normal,
            [&now[first], &before[first]],
            [&u[first], &u_before[first]],
            start,
        );
        for k in some {
            expect_bodies(machine, groups, (k, true), momenta);
            expect_lines(machine, before, (k, true));
            expect_lines(machine, u_before, (k, true));
            expect_lines(machine, next, (k, true));
            let group = &groups[k];
            let Before { old, y, g, aim } = coming;
            let n = Wide::vector_of(machine, &group.normal);
            let friction = Wide::of(machine, self.frictions.at(k));
            let z = aim.projection(n, friction);
            // The next four, while the processor waits for the root and the divisions of these.
            let after = (k + 1).min(last);
            coming = Before::new(
                machine,
                &groups[after].normal,
                [&now[after], &before[after]],
                [&u[after], &u_before[after]],
                start,
            );
            let free = Wide::vector_of(machine, &group.free);
            let change = minus(z, y);
            found[0] = found[0] + dot(y, plus(g, free));
            found[1] = found[1] + dot(g, change);
            found[2] = found[2] + dot(change, change);
            found[3] = found[3] + dot(g, minus(z, old));
            found[4] = found[4] + dot(z, z);
            found[5] = found[5] + dot(free, z);
            next[k] = Wide::lanes_of(z);
            A::add_momenta(machine, group, z, momenta);
        }
        *sums = found;
    }
}
