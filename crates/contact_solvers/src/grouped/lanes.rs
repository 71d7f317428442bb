//! Four numbers, one for each contact of a group, and vectors of them.
//!
//! What is done to a contact is written for one lane, in a loop over four that the compiler turns into vector instructions.
//! Nothing is fused, so each lane has the bits that scalar code would have, whatever instructions the machine knows.

/// One number for each of four contacts: 32 bytes, a register of AVX2.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Lanes(pub [f64; 4]);

/// One vector in space for each of four contacts, by components.
pub(crate) type Vector = [Lanes; 3];

/// One vector for each of four bodies, by bodies, with a number behind each.
pub(crate) type Rows = [Lanes; 4];

impl Lanes {
    pub fn all(value: f64) -> Self {
        Self([value; 4])
    }

    /// The sum of the four, always in the same order.
    pub fn sum(self) -> f64 {
        let [a, b, c, d] = self.0;
        (a + b) + (c + d)
    }
}

/// The vector of one contact.
#[inline(always)]
pub(crate) fn at(x: &Vector, lane: usize) -> [f64; 3] {
    [x[0].0[lane], x[1].0[lane], x[2].0[lane]]
}

/// Writes the vector of one contact.
#[inline(always)]
pub(crate) fn set(x: &mut Vector, lane: usize, value: [f64; 3]) {
    for k in 0..3 {
        x[k].0[lane] = value[k];
    }
}

#[inline(always)]
pub(crate) fn dot(x: [f64; 3], y: [f64; 3]) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

#[inline(always)]
pub(crate) fn cross(x: [f64; 3], y: [f64; 3]) -> [f64; 3] {
    [
        x[1] * y[2] - x[2] * y[1],
        x[2] * y[0] - x[0] * y[2],
        x[0] * y[1] - x[1] * y[0],
    ]
}

#[inline(always)]
pub(crate) fn plus(x: [f64; 3], y: [f64; 3]) -> [f64; 3] {
    [x[0] + y[0], x[1] + y[1], x[2] + y[2]]
}

#[inline(always)]
pub(crate) fn minus(x: [f64; 3], y: [f64; 3]) -> [f64; 3] {
    [x[0] - y[0], x[1] - y[1], x[2] - y[2]]
}

#[inline(always)]
pub(crate) fn times(s: f64, x: [f64; 3]) -> [f64; 3] {
    [s * x[0], s * x[1], s * x[2]]
}

/// From the numbers of four bodies to vectors; the fourth number of each body is left out.
#[inline(always)]
pub(crate) fn from_rows([a, b, c, d]: [[f64; 4]; 4]) -> Vector {
    std::array::from_fn(|k| Lanes([a[k], b[k], c[k], d[k]]))
}

/// The numbers of one body: a vector and zero.
#[inline(always)]
pub(crate) fn row([x, y, z]: [f64; 3]) -> Lanes {
    Lanes([x, y, z, 0.0])
}
