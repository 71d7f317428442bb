//! Four numbers in memory, one for each contact of a group, and vectors of them; and what is done to vectors of any numbers.

use super::machine::{Arithmetic, Wide};
use std::ops::{Add, Mul, Sub};

/// One number for each of four contacts: 32 bytes, a register of AVX2.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Lanes(pub [f64; 4]);

/// The same in single precision, for weights: 16 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub(crate) struct ShortLanes(pub [f32; 4]);

/// One vector in space for each of four contacts, by components.
pub(crate) type Vector = [Lanes; 3];

impl ShortLanes {
    /// Whether all four are within the range of single precision.
    pub fn are_normal(self) -> bool {
        self.0.into_iter().all(f32::is_normal)
    }
}

impl Lanes {
    /// The sum of the four, always in the same order.
    pub fn sum(self) -> f64 {
        let [a, b, c, d] = self.0;
        (a + b) + (c + d)
    }
}

/// A number, or one of each of several contacts.
pub(crate) trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
}

impl Number for f64 {}
impl<M: Arithmetic> Number for Wide<M> {}

#[inline(always)]
pub(crate) fn dot<T: Number>(x: [T; 3], y: [T; 3]) -> T {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

#[inline(always)]
pub(crate) fn cross<T: Number>(x: [T; 3], y: [T; 3]) -> [T; 3] {
    [
        x[1] * y[2] - x[2] * y[1],
        x[2] * y[0] - x[0] * y[2],
        x[0] * y[1] - x[1] * y[0],
    ]
}

#[inline(always)]
pub(crate) fn plus<T: Number>(x: [T; 3], y: [T; 3]) -> [T; 3] {
    [x[0] + y[0], x[1] + y[1], x[2] + y[2]]
}

#[inline(always)]
pub(crate) fn minus<T: Number>(x: [T; 3], y: [T; 3]) -> [T; 3] {
    [x[0] - y[0], x[1] - y[1], x[2] - y[2]]
}

#[inline(always)]
pub(crate) fn times<T: Number>(s: T, x: [T; 3]) -> [T; 3] {
    [s * x[0], s * x[1], s * x[2]]
}
