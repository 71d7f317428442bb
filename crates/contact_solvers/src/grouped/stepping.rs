//! The pass of a projected gradient step: a group is read once.
//!
//! From the body velocities at y it forms g = N y + r, from that γ₊ = Π(y − g/L), from that the momenta of γ₊, and on the way every
//! inner product that an accelerated method asks for.

use super::alike::OfSome;
use super::arms::{Arms, Body, Group, expect_bodies, expect_lines};
use super::halves::Found;
use super::judging::{Judge, Judging, Sums, Tally};
use super::kernel::Iterates;
use super::lanes::{Lanes, Vector, dot, minus, plus, times};

use super::machine::{Machine, Wide, WideVector, Work};
use super::projection::Aim;
use std::ops::Range;

/// Where a step begins: y = γ_k + β (γ_k − γ_{k−1}), its body velocities, and 1/L.
#[derive(Clone, Copy)]
pub(crate) struct Start<'a> {
    pub beta: f64,
    pub length: f64,
    pub bodies: &'a [Body],
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
    pub start: Start<'a>,
    pub iterates: Iterates<'a>,
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
    #[inline(always)]
    fn new<A: Arms>(
        machine: M,
        group: &Group<A>,
        [now, before]: [&Vector; 2],
        start: Start,
    ) -> Self {
        let motion = A::gather(machine, group, start.bodies);
        let (beta, length) = (
            Wide::all(machine, start.beta),
            Wide::all(machine, start.length),
        );
        let old = Wide::vector_of(machine, now);
        let y = plus(
            old,
            times(beta, minus(old, Wide::vector_of(machine, before))),
        );
        let free = Wide::vector_of(machine, &group.free);
        let g = plus(A::velocity(machine, group, motion), free);
        let n = Wide::vector_of(machine, &group.normal);
        Self {
            old,
            y,
            g,
            aim: Aim::new(n, minus(y, times(length, g))),
        }
    }
}

/// Groups that are judged and then stepped from before the next: what both read of them stays in the nearest cache.
const GROUPS_AT_ONCE: usize = 128;

/// A step over some groups, and what the impulses are worth that it begins with.
pub(crate) struct JudgingAndStepping<'a, A> {
    /// What these are judged by, if they are.
    pub judge: Option<Judge<'a>>,
    /// The body velocities of these impulses.
    pub velocities: &'a [Body],
    pub stepping: Stepping<'a, A>,
}

impl<A: Arms> Work for JudgingAndStepping<'_, A> {
    type Found = (Step, Sums);

    #[inline(always)]
    fn on<M: Machine>(self, machine: M) -> (Step, Sums) {
        let Self {
            judge,
            velocities,
            mut stepping,
        } = self;
        let count = stepping.groups.len();
        if count == 0 {
            return Default::default();
        }
        let mut steps = Stepped::new(machine, &stepping);
        let Some(judge) = judge else {
            stepping.step::<M, false>(machine, 0..count, &mut steps);
            return (steps.sums(), Sums::default());
        };
        let judging = Judging {
            groups: stepping.groups,
            frictions: stepping.frictions,
            judge,
            impulses: stepping.iterates.now,
            bodies: velocities,
            coulomb: false,
        };
        let mut tally = Tally::new(machine);
        for first in (0..count).step_by(GROUPS_AT_ONCE) {
            let some = first..(first + GROUPS_AT_ONCE).min(count);
            judging.judge::<M, false>(machine, some.clone(), &mut tally);
            stepping.step::<M, true>(machine, some, &mut steps);
        }
        (steps.sums(), tally.sums())
    }
}

/// What has been found so far, lane by lane, and the four contacts that come next.
#[derive(Clone, Copy)]
struct Stepped<M: Machine> {
    sums: [Wide<M>; 6],
    coming: Before<M>,
}

impl<M: Machine> Stepped<M> {
    /// There must be a group.
    #[inline(always)]
    fn new<A: Arms>(machine: M, stepping: &Stepping<A>) -> Self {
        let Iterates { now, before, .. } = &stepping.iterates;
        Self {
            sums: [Wide::all(machine, 0.0); 6],
            coming: Before::new(
                machine,
                &stepping.groups[0],
                [&now[0], &before[0]],
                stepping.start,
            ),
        }
    }

    #[inline(always)]
    fn sums(self) -> Step {
        let [twice_f_y, linear, distance, along, size, free_work] = self.sums;
        Step {
            twice_f_y: twice_f_y.lanes().sum(),
            linear: linear.lanes().sum(),
            distance: distance.lanes().sum(),
            along: along.lanes().sum(),
            size: size.lanes().sum(),
            free_work: free_work.lanes().sum(),
        }
    }
}

impl<A: Arms> Stepping<'_, A> {
    /// Steps from some of the groups, which begin where the last call ended.
    #[inline(always)]
    fn step<M: Machine, const JUDGED: bool>(
        &mut self,
        machine: M,
        some: Range<usize>,
        steps: &mut Stepped<M>,
    ) {
        let (groups, start) = (self.groups, self.start);
        let count = groups.len();
        let (now, before) = (&self.iterates.now[..count], &self.iterates.before[..count]);
        let next = &mut self.iterates.next[..count];
        let momenta = &mut *self.momenta;
        let Stepped {
            mut sums,
            mut coming,
        } = *steps;
        for k in some {
            expect_bodies(machine, groups, (k, true), start.bodies);
            expect_bodies(machine, groups, (k, true), momenta);
            // Whoever judged has asked for the groups and their impulses.
            if !JUDGED {
                expect_lines(machine, groups, (k, true));
                expect_lines(machine, now, (k, true));
            }
            expect_lines(machine, before, (k, true));
            expect_lines(machine, next, (k, true));
            let group = &groups[k];
            let Before { old, y, g, aim } = coming;
            let n = Wide::vector_of(machine, &group.normal);
            let friction = Wide::of(machine, self.frictions.at(k));
            let z = aim.projection(n, friction);
            // The next four, while the processor waits for the root and the divisions of these.
            let after = (k + 1).min(count - 1);
            coming = Before::new(
                machine,
                &groups[after],
                [&now[after], &before[after]],
                start,
            );
            let free = Wide::vector_of(machine, &group.free);
            let change = minus(z, y);
            sums[0] = sums[0] + dot(y, plus(g, free));
            sums[1] = sums[1] + dot(g, change);
            sums[2] = sums[2] + dot(change, change);
            sums[3] = sums[3] + dot(g, minus(z, old));
            sums[4] = sums[4] + dot(z, z);
            sums[5] = sums[5] + dot(free, z);
            next[k] = Wide::lanes_of(z);
            A::add_momenta(machine, group, z, momenta);
        }
        *steps = Stepped { sums, coming };
    }
}
