//! Four numbers, one for each contact of a group, and vectors of them.
//!
//! Every operation is a loop over four lanes that the compiler turns into one vector instruction. Nothing is fused, so
//! each lane has the bits that scalar code would have, whatever instructions the machine knows.

use std::ops::{Add, AddAssign, Div, Mul, Sub};

/// One number for each of four contacts: 32 bytes, a register of AVX2.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Lanes(pub [f64; 4]);

/// One vector in space for each of four contacts, by components.
pub(crate) type Vector = [Lanes; 3];

impl Lanes {
    #[inline(always)]
    pub fn all(value: f64) -> Self {
        Self([value; 4])
    }

    #[inline(always)]
    pub fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }

    /// The smallest positive number where a lane is below it.
    #[inline(always)]
    pub fn positive(self) -> Self {
        Self(self.0.map(|x| x.max(f64::MIN_POSITIVE)))
    }

    /// The sum of the four, always in the same order.
    #[inline(always)]
    pub fn sum(self) -> f64 {
        let [a, b, c, d] = self.0;
        (a + b) + (c + d)
    }
}

impl Add for Lanes {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k] + other.0[k]))
    }
}

impl Sub for Lanes {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k] - other.0[k]))
    }
}

impl Mul for Lanes {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k] * other.0[k]))
    }
}

impl Div for Lanes {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k] / other.0[k]))
    }
}

impl AddAssign for Lanes {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

#[inline(always)]
pub(crate) fn dot(x: Vector, y: Vector) -> Lanes {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

#[inline(always)]
pub(crate) fn cross(x: Vector, y: Vector) -> Vector {
    [
        x[1] * y[2] - x[2] * y[1],
        x[2] * y[0] - x[0] * y[2],
        x[0] * y[1] - x[1] * y[0],
    ]
}

#[inline(always)]
pub(crate) fn plus(x: Vector, y: Vector) -> Vector {
    [x[0] + y[0], x[1] + y[1], x[2] + y[2]]
}

#[inline(always)]
pub(crate) fn minus(x: Vector, y: Vector) -> Vector {
    [x[0] - y[0], x[1] - y[1], x[2] - y[2]]
}

#[inline(always)]
pub(crate) fn times(s: Lanes, x: Vector) -> Vector {
    [s * x[0], s * x[1], s * x[2]]
}

/// From the numbers of four bodies to three vectors of lanes; the fourth number of each is left out.
#[inline(always)]
pub(crate) fn from_rows(rows: [[f64; 4]; 4]) -> Vector {
    let [a, b, c, d] = rows;
    [
        Lanes([a[0], b[0], c[0], d[0]]),
        Lanes([a[1], b[1], c[1], d[1]]),
        Lanes([a[2], b[2], c[2], d[2]]),
    ]
}

/// The reverse of [`from_rows`], with zero for the fourth numbers.
#[inline(always)]
pub(crate) fn to_rows(x: Vector) -> [[f64; 4]; 4] {
    std::array::from_fn(|k| [x[0].0[k], x[1].0[k], x[2].0[k], 0.0])
}
