//! What given impulses are worth: the sums behind the error and the objective, in one pass over the groups.

use super::alike::OfSome;
use super::arms::{Arms, Body, Group, expect_bodies_of_groups, free_velocities, normals};
use super::chunks::Found;
use super::lanes::{Lanes, ShortLanes, Vector, dot, minus, plus, times};
use super::machine::{Machine, Stride, StridingWork, Wide, expect_lines_of_groups};
use super::projection::{Aim, Openings};
use std::ops::Range;

/// What contacts are judged by.
pub(crate) struct Judge<'a> {
    /// g of each, for which the energy takes numbers of single precision; 1 for the natural map.
    pub weights: OfSome<'a, ShortLanes>,
    /// One over how fast each may approach; zero if that is not limited.
    pub inverse_limits: OfSome<'a, ShortLanes>,
    /// Whether the error is relative to norms of impulses and velocities, too.
    pub norms: bool,
}

/// What one pass finds of given impulses; sums over all contacts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    /// Σ g ‖x − Π(x − û/g)‖².
    pub map: f64,
    /// Found only where the judge asks for norms.
    pub impulse_squared: f64,
    pub velocity_squared: f64,
    /// Σ xᵀ(u + r), twice the objective; not found within a step.
    pub work: f64,
    /// The largest −u_N over what is allowed, at least zero.
    pub approach: f64,
}

impl Found for Sums {
    fn add(self, other: Self) -> Self {
        Self {
            map: self.map + other.map,
            impulse_squared: self.impulse_squared + other.impulse_squared,
            velocity_squared: self.velocity_squared + other.velocity_squared,
            work: self.work + other.work,
            approach: self.approach.max(other.approach),
        }
    }
}

/// Judges impulses whose body velocities are given.
pub(crate) struct Judging<'a, A> {
    pub groups: &'a [Group<A>],
    pub frictions: OfSome<'a, Lanes>,
    pub judge: Judge<'a>,
    pub impulses: &'a [Vector],
    pub bodies: &'a [Body],
    pub coulomb: bool,
}

impl<A: Arms> StridingWork for Judging<'_, A> {
    type Found = Sums;

    #[inline(always)]
    fn on<S: Stride>(self, stride: S) -> Sums {
        let mut tally = Tally::new(stride.one());
        let (twos, last) = strides::<S>(0..self.groups.len());
        if self.coulomb {
            self.judge::<S, true, false>(stride, twos, &mut [], &mut tally);
            self.judge::<S::One, true, false>(stride.one(), last, &mut [], &mut tally);
        } else {
            self.judge::<S, false, false>(stride, twos, &mut [], &mut tally);
            self.judge::<S::One, false, false>(stride.one(), last, &mut [], &mut tally);
        }
        tally.sums()
    }
}

/// Those of some groups that can be taken by strides, and what is left.
#[inline(always)]
pub(super) fn strides<S: Stride>(some: Range<usize>) -> (Range<usize>, Range<usize>) {
    let middle = some.end - some.len() % S::GROUPS;
    (some.start..middle, middle..some.end)
}

/// What has been found so far, lane by lane.
#[derive(Clone, Copy)]
pub(super) struct Tally<M: Machine> {
    sums: [Wide<M>; 4],
    approach: Wide<M>,
}

impl<M: Machine> Tally<M> {
    #[inline(always)]
    pub fn new(machine: M) -> Self {
        let zero = Wide::all(machine, 0.0);
        Self {
            sums: [zero; 4],
            approach: zero,
        }
    }

    #[inline(always)]
    pub fn sums(self) -> Sums {
        let [map, impulse_squared, velocity_squared, work] = self.sums;
        Sums {
            map: map.lanes().sum(),
            impulse_squared: impulse_squared.lanes().sum(),
            velocity_squared: velocity_squared.lanes().sum(),
            work: work.lanes().sum(),
            approach: self.approach.lanes().0.into_iter().fold(0.0, f64::max),
        }
    }
}

impl<A: Arms> Judging<'_, A> {
    /// Judges some of the groups, as many as a stride takes at once. Within a step it writes their velocities u to `kept`, which has room for these groups,
    /// and leaves out the work, since the step before has found the objective.
    #[inline(always)]
    pub(super) fn judge<S: Stride, const COULOMB: bool, const IN_STEP: bool>(
        &self,
        stride: S,
        some: Range<usize>,
        kept: &mut [Vector],
        tally: &mut Tally<S::One>,
    ) {
        let impulses = &self.impulses[..self.groups.len()];
        let judge = &self.judge;
        let cones = Openings::new(stride, self.frictions);
        let (zero, one) = (Wide::all(stride, 0.0), Wide::all(stride, 1.0));
        let Tally {
            mut sums,
            mut approach,
        } = *tally;
        let first = some.start;
        for k in some.step_by(S::GROUPS) {
            let last = k + S::GROUPS - 1;
            let groups = [&self.groups[k], &self.groups[last]];
            expect_bodies_of_groups(stride, self.groups, (k, true), self.bodies);
            expect_lines_of_groups(stride, self.groups, (k, true));
            expect_lines_of_groups(stride, impulses, (k, true));
            let motion = A::gather(stride, groups, self.bodies);
            let x = Wide::vector_of_groups(stride, [&impulses[k], &impulses[last]]);
            let n = normals(stride, groups);
            let free = free_velocities(stride, groups);
            let cone = cones.at(k);
            let weight = [judge.weights.at(k), judge.weights.at(last)];
            let weight = Wide::short_of_groups(stride, weight);
            let u = plus(A::velocity(stride, groups, motion), free);
            if IN_STEP {
                Wide::write(u, kept, k - first);
            }
            let u_n = dot(n, u);
            // û = u under the relaxed law and u + μ|u_T| n under Coulomb's.
            let mut shifted = u;
            if COULOMB {
                let slip = minus(u, times(u_n, n));
                let shift = cone.friction * dot(slip, slip).square_root();
                shifted = plus(u, times(shift, n));
            }
            // As in `FrictionLaw::natural_map`.
            let way = times(one / weight, shifted);
            let aim = Aim::new(n, minus(x, way));
            let map = plus(way, aim.outside(n, cone));
            sums[0] = (weight * dot(map, map)).added_to(sums[0]);
            if judge.norms {
                sums[1] = dot(x, x).added_to(sums[1]);
                sums[2] = dot(u, u).added_to(sums[2]);
            }
            if !IN_STEP {
                sums[3] = dot(x, plus(u, free)).added_to(sums[3]);
            }
            let limit = [judge.inverse_limits.at(k), judge.inverse_limits.at(last)];
            let shares = ((zero - u_n) * Wide::short_of_groups(stride, limit)).by_groups();
            for group in 0..S::GROUPS {
                let share = shares[group];
                approach = share.at_most(approach, approach, share);
            }
        }
        *tally = Tally { sums, approach };
    }
}
