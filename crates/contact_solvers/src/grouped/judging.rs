//! What given impulses are worth: the sums behind the error and the objective, in one pass over the groups.

use super::alike::OfSome;
use super::arms::{Arms, Body, Group, expect_bodies};
use super::halves::Found;
use super::lanes::{Lanes, ShortLanes, Vector, dot, minus, plus, times};
use super::machine::{Machine, Wide, Work, expect_lines};
use super::projection::Aim;
use std::ops::Range;

/// What contacts are judged by.
pub(crate) struct Judge<'a> {
    /// g of each, for which the energy takes numbers of single precision; 1 for the natural map.
    pub weights: OfSome<'a, ShortLanes>,
    /// One over how fast each may approach; zero if that is not limited.
    pub inverse_limits: OfSome<'a, ShortLanes>,
}

/// What one pass finds of given impulses; sums over all contacts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    /// Σ g ‖x − Π(x − û/g)‖².
    pub map: f64,
    pub impulse_squared: f64,
    pub velocity_squared: f64,
    /// Σ xᵀ(u + r), twice the objective.
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

impl<A: Arms> Work for Judging<'_, A> {
    type Found = Sums;

    #[inline(always)]
    fn on<M: Machine>(self, machine: M) -> Sums {
        let mut tally = Tally::new(machine);
        let all = 0..self.groups.len();
        if self.coulomb {
            self.judge::<M, true, false>(machine, all, &mut [], &mut tally);
        } else {
            self.judge::<M, false, false>(machine, all, &mut [], &mut tally);
        }
        tally.sums()
    }
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
    /// Judges some of the groups; writes their velocities u to `kept` if it is to keep them.
    #[inline(always)]
    pub(super) fn judge<M: Machine, const COULOMB: bool, const KEEP: bool>(
        &self,
        machine: M,
        some: Range<usize>,
        kept: &mut [Vector],
        tally: &mut Tally<M>,
    ) {
        let impulses = &self.impulses[..self.groups.len()];
        let (frictions, judge) = (&self.frictions, &self.judge);
        let zero = Wide::all(machine, 0.0);
        let Tally {
            mut sums,
            mut approach,
        } = *tally;
        for k in some {
            let group = &self.groups[k];
            expect_bodies(machine, self.groups, (k, true), self.bodies);
            expect_lines(machine, self.groups, (k, true));
            expect_lines(machine, impulses, (k, true));
            let motion = A::gather(machine, group, self.bodies);
            let x = Wide::vector_of(machine, &impulses[k]);
            let n = Wide::vector_of(machine, &group.normal);
            let free = Wide::vector_of(machine, &group.free);
            let friction = Wide::of(machine, frictions.at(k));
            let weight = Wide::of_short(machine, judge.weights.at(k));
            let u = plus(A::velocity(machine, group, motion), free);
            if KEEP {
                expect_lines(machine, kept, (k, true));
                kept[k] = Wide::lanes_of(u);
            }
            let u_n = dot(n, u);
            // û = u under the relaxed law and u + μ|u_T| n under Coulomb's.
            let mut shifted = u;
            if COULOMB {
                let slip = minus(u, times(u_n, n));
                let shift = friction * dot(slip, slip).square_root();
                shifted = plus(u, times(shift, n));
            }
            // As in `FrictionLaw::natural_map`.
            let way = times(Wide::all(machine, 1.0) / weight, shifted);
            let aim = Aim::new(n, minus(x, way));
            let map = plus(way, aim.outside(n, friction));
            sums[0] = sums[0] + weight * dot(map, map);
            sums[1] = sums[1] + dot(x, x);
            sums[2] = sums[2] + dot(u, u);
            sums[3] = sums[3] + dot(x, plus(u, free));
            let share = (zero - u_n) * Wide::of_short(machine, judge.inverse_limits.at(k));
            approach = share.at_most(approach, approach, share);
        }
        *tally = Tally { sums, approach };
    }
}
