//! The pass of a projected gradient step: a group is read once.
//!
//! From the body velocities of γ_k it forms the contact velocities u_k = N γ_k + r, from these and those of γ_{k−1} the gradient at y,
//! g = N y + r = u_k + β (u_k − u_{k−1}), from that γ₊ = Π(y − g/L), from that the momenta of γ₊, and on the way every
//! inner product that an accelerated method asks for.
//!
//! Of the two velocities one is kept, those of γ_{k−1}, and u_k is written over them when the first trial from γ_k has read them. Another trial
//! finds u_k there, and makes those of γ_{k−1} from body velocities once more: trials that fail are few, and large beds wait for the memory.

use super::alike::OfSome;
use super::arms::{Arms, Body, Group, expect_bodies_of_groups, free_velocities, normals};
use super::chunks::Found;
use super::judging::{Judge, Judging, Sums, Tally, strides};
use super::kernel::Iterates;
use super::lanes::{Lanes, Vector, dot, minus, plus, times};
use super::machine::{
    Arithmetic, Machine, Stride, StridingWork, Wide, WideVector, expect_lines_of_groups,
};
use super::projection::{Aim, Openings};
use std::ops::Range;

/// Where a step begins: y = γ_k + β (γ_k − γ_{k−1}), and 1/L.
#[derive(Clone, Copy)]
pub(crate) struct Start {
    pub beta: f64,
    pub length: f64,
}

/// Whether there was a trial from the same γ_k before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Turn {
    First,
    Again,
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
    /// u_{k−1} before the first trial, u_k from then on.
    pub velocities: &'a mut [Vector],
    pub turn: Turn,
    /// Zero where no chunk has been; receives D γ₊ in the places of velocities.
    pub momenta: &'a mut [Body],
}

/// Contacts before the projection.
#[derive(Clone, Copy)]
struct Before<M: Arithmetic> {
    old: WideVector<M>,
    y: WideVector<M>,
    g: WideVector<M>,
    /// y − g/L.
    aim: Aim<M>,
}

impl<S: Stride> Before<S> {
    /// From γ_k and γ_{k−1}, u_k and u_{k−1}.
    #[inline(always)]
    fn new(
        stride: S,
        n: WideVector<S>,
        (now, before): ([&Vector; 2], [&Vector; 2]),
        (u, u_before): ([&Vector; 2], [&Vector; 2]),
        start: Start,
    ) -> Self {
        let (beta, length) = (
            Wide::all(stride, start.beta),
            Wide::all(stride, start.length),
        );
        let old = Wide::vector_of_groups(stride, now);
        let y = extrapolated(old, Wide::vector_of_groups(stride, before), beta);
        let (u, u_before) = (
            Wide::vector_of_groups(stride, u),
            Wide::vector_of_groups(stride, u_before),
        );
        let g = extrapolated(u, u_before, beta);
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
fn extrapolated<M: Arithmetic>(
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
    /// What these are judged by, if they are; in the first trial only.
    pub judge: Option<Judge<'a>>,
    /// The body velocities of these impulses; in another trial of those before them.
    pub bodies: &'a [Body],
    pub stepping: Stepping<'a, A>,
}

impl<A: Arms> StridingWork for JudgingAndStepping<'_, A> {
    type Found = (Step, Sums);

    #[inline(always)]
    fn on<S: Stride>(self, stride: S) -> (Step, Sums) {
        let Self {
            judge,
            bodies,
            mut stepping,
        } = self;
        let count = stepping.groups.len();
        let mut sums = [Wide::all(stride.one(), 0.0); 6];
        let mut tally = Tally::new(stride.one());
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
        let mut made = [Vector::default(); GROUPS_AT_ONCE];
        let looking = (&judging, bodies);
        let (all, last) = strides::<S>(0..count);
        for first in all.clone().step_by(GROUPS_AT_ONCE) {
            let some = first..(first + GROUPS_AT_ONCE).min(all.end);
            stepping.judge_and_step(stride, some, looking, &mut made, (&mut sums, &mut tally));
        }
        if !last.is_empty() {
            let one = stride.one();
            stepping.judge_and_step(one, last, looking, &mut made, (&mut sums, &mut tally));
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
    /// Judges some of the groups if it is told how, and steps from them. Velocities that are not kept are made in the given room.
    #[inline(always)]
    fn judge_and_step<S: Stride>(
        &mut self,
        stride: S,
        some: Range<usize>,
        (judging, bodies): (&Option<Judging<'_, A>>, &[Body]),
        made: &mut [Vector; GROUPS_AT_ONCE],
        (sums, tally): (&mut [Wide<S::One>; 6], &mut Tally<S::One>),
    ) {
        let made = &mut made[..some.len()];
        match judging {
            Some(judging) => judging.judge::<S, false, true>(stride, some.clone(), made, tally),
            None => self.look(stride, some.clone(), bodies, made),
        }
        match self.turn {
            Turn::First => self.step::<S, false>(stride, some, made, sums),
            Turn::Again => self.step::<S, true>(stride, some, made, sums),
        }
    }

    /// Finds the velocities of some of the groups.
    #[inline(always)]
    fn look<S: Stride>(&self, stride: S, some: Range<usize>, bodies: &[Body], made: &mut [Vector]) {
        let first = some.start;
        for k in some.step_by(S::GROUPS) {
            expect_bodies_of_groups(stride, self.groups, (k, true), bodies);
            expect_lines_of_groups(stride, self.groups, (k, true));
            expect_lines_of_groups(stride, self.iterates.now, (k, true));
            let groups = [&self.groups[k], &self.groups[k + S::GROUPS - 1]];
            let motion = A::gather(stride, groups, bodies);
            let free = free_velocities(stride, groups);
            let u = plus(A::velocity(stride, groups, motion), free);
            Wide::write(u, made, k - first);
        }
    }

    /// What a step from the groups that begin with the given one asks for before the projection. Their velocities that were made are given.
    #[inline(always)]
    fn before<S: Stride, const AGAIN: bool>(
        &self,
        stride: S,
        first: usize,
        made: [&Vector; 2],
    ) -> Before<S> {
        let last = first + S::GROUPS - 1;
        let iterates = &self.iterates;
        let kept = [&self.velocities[first], &self.velocities[last]];
        Before::new(
            stride,
            normals(stride, [&self.groups[first], &self.groups[last]]),
            (
                [&iterates.now[first], &iterates.now[last]],
                [&iterates.before[first], &iterates.before[last]],
            ),
            if AGAIN { (kept, made) } else { (made, kept) },
            self.start,
        )
    }

    /// Steps from some of the groups, whose velocities are known. In the first trial these are kept, when those before them have been read.
    #[inline(always)]
    fn step<S: Stride, const AGAIN: bool>(
        &mut self,
        stride: S,
        some: Range<usize>,
        made: &[Vector],
        sums: &mut [Wide<S::One>; 6],
    ) {
        let mut found = *sums;
        let cones = Openings::new(stride, self.frictions);
        let (first, final_groups) = (some.start, some.end - S::GROUPS);
        let made_of = |k: usize| [&made[k - first], &made[k - first + S::GROUPS - 1]];
        let mut coming = self.before::<S, AGAIN>(stride, first, made_of(first));
        for k in some.step_by(S::GROUPS) {
            let last = k + S::GROUPS - 1;
            expect_bodies_of_groups(stride, self.groups, (k, true), self.momenta);
            expect_lines_of_groups(stride, self.iterates.before, (k, true));
            expect_lines_of_groups(stride, self.velocities, (k, true));
            expect_lines_of_groups(stride, self.iterates.next, (k, true));
            let groups = [&self.groups[k], &self.groups[last]];
            let Before { old, y, g, aim } = coming;
            let n = normals(stride, groups);
            let z = aim.projection(n, cones.at(k));
            // The next ones, while the processor waits for the root and the divisions of these.
            let next = (k + S::GROUPS).min(final_groups);
            coming = self.before::<S, AGAIN>(stride, next, made_of(next));
            let free = free_velocities(stride, groups);
            let change = minus(z, y);
            found[0] = dot(y, plus(g, free)).added_to(found[0]);
            found[1] = dot(g, change).added_to(found[1]);
            found[2] = dot(change, change).added_to(found[2]);
            found[3] = dot(g, minus(z, old)).added_to(found[3]);
            found[4] = dot(z, z).added_to(found[4]);
            found[5] = dot(free, z).added_to(found[5]);
            Wide::write(z, self.iterates.next, k);
            if !AGAIN {
                let u = &made[k - first..=last - first];
                self.velocities[k..=last].copy_from_slice(u);
            }
            A::add_momenta(stride, groups, z, self.momenta);
        }
        *sums = found;
    }
}
