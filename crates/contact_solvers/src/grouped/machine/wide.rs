//! One number for each contact of a group or of two, and vectors of them.

use super::super::lanes::{Lanes, ShortLanes, Vector};
use super::{Arithmetic, Machine, Stride};
use std::ops::{Add, Div, Mul, Sub};

/// One number for each contact, in a register.
#[derive(Clone, Copy)]
pub(crate) struct Wide<M: Arithmetic>(pub M, pub M::Row);

/// Three of them: a vector of each contact.
pub(crate) type WideVector<M> = [Wide<M>; 3];

impl<M: Arithmetic> Wide<M> {
    #[inline(always)]
    pub fn all(machine: M, value: f64) -> Self {
        Self(machine, machine.all(value))
    }

    #[inline(always)]
    pub fn square_root(self) -> Self {
        Self(self.0, self.0.square_root(self.1))
    }

    /// `then` where this is at most `other`, else `otherwise`.
    #[inline(always)]
    pub fn at_most(self, other: Self, then: Self, otherwise: Self) -> Self {
        let chosen = self.0.at_most([self.1, other.1], then.1, otherwise.1);
        Self(self.0, chosen)
    }
}

impl<M: Machine> Wide<M> {
    #[inline(always)]
    pub fn of(machine: M, numbers: &Lanes) -> Self {
        Self(machine, machine.load(&numbers.0))
    }

    #[inline(always)]
    pub fn vector_of(machine: M, [x, y, z]: &Vector) -> WideVector<M> {
        [
            Self::of(machine, x),
            Self::of(machine, y),
            Self::of(machine, z),
        ]
    }

    #[inline(always)]
    pub fn lanes(self) -> Lanes {
        Lanes(self.0.numbers(self.1))
    }

    /// The three of a vector. Not by `map`: the compiler may leave that a function of its own, which no vector
    /// instructions would be compiled for.
    #[inline(always)]
    pub fn lanes_of([x, y, z]: WideVector<M>) -> Vector {
        [x.lanes(), y.lanes(), z.lanes()]
    }

    #[inline(always)]
    pub fn copy_sign(self, sign: Self) -> Self {
        Self(self.0, self.0.copy_sign(self.1, sign.1))
    }
}

impl<S: Stride> Wide<S> {
    #[inline(always)]
    pub fn of_groups(stride: S, groups: [&Lanes; 2]) -> Self {
        Self(stride, stride.load_groups(groups))
    }

    #[inline(always)]
    pub fn short_of_groups(stride: S, groups: [&ShortLanes; 2]) -> Self {
        Self(stride, stride.load_short_groups(groups))
    }

    #[inline(always)]
    pub fn vector_of_groups(stride: S, [first, last]: [&Vector; 2]) -> WideVector<S> {
        [
            Self::of_groups(stride, [&first[0], &last[0]]),
            Self::of_groups(stride, [&first[1], &last[1]]),
            Self::of_groups(stride, [&first[2], &last[2]]),
        ]
    }

    /// Those of each group.
    #[inline(always)]
    pub fn by_groups(self) -> [Wide<S::One>; 2] {
        let [first, last] = self.0.by_groups(self.1);
        [Wide(self.0.one(), first), Wide(self.0.one(), last)]
    }

    /// Adds those of one group after the other to a sum.
    #[inline(always)]
    pub fn added_to(self, sum: Wide<S::One>) -> Wide<S::One> {
        let groups = self.by_groups();
        let mut sum = sum;
        for group in 0..S::GROUPS {
            sum = sum + groups[group];
        }
        sum
    }

    /// Writes vectors to an array that has one entry for each group.
    #[inline(always)]
    pub fn write([x, y, z]: WideVector<S>, array: &mut [Vector], first: usize) {
        let (x, y, z) = (x.by_groups(), y.by_groups(), z.by_groups());
        for group in 0..S::GROUPS {
            array[first + group] = Wide::lanes_of([x[group], y[group], z[group]]);
        }
    }
}

impl<M: Arithmetic> Add for Wide<M> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0, self.0.add(self.1, other.1))
    }
}

impl<M: Arithmetic> Sub for Wide<M> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0, self.0.subtract(self.1, other.1))
    }
}

impl<M: Arithmetic> Mul for Wide<M> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0, self.0.multiply(self.1, other.1))
    }
}

impl<M: Arithmetic> Div for Wide<M> {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(self.0, self.0.divide(self.1, other.1))
    }
}
