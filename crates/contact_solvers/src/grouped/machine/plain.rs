//! Any machine: arrays, of which the compiler makes what it can.

use super::{Arithmetic, Machine, Wide, WideVector};

#[derive(Clone, Copy)]
pub(crate) struct Plain;

impl Arithmetic for Plain {
    type Row = [f64; 4];

    #[inline(always)]
    fn all(self, value: f64) -> [f64; 4] {
        [value; 4]
    }

    #[inline(always)]
    fn add(self, x: [f64; 4], y: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|k| x[k] + y[k])
    }

    #[inline(always)]
    fn subtract(self, x: [f64; 4], y: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|k| x[k] - y[k])
    }

    #[inline(always)]
    fn multiply(self, x: [f64; 4], y: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|k| x[k] * y[k])
    }

    #[inline(always)]
    fn divide(self, x: [f64; 4], y: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|k| x[k] / y[k])
    }

    #[inline(always)]
    fn square_root(self, x: [f64; 4]) -> [f64; 4] {
        x.map(f64::sqrt)
    }

    #[inline(always)]
    fn at_most(self, [x, y]: [[f64; 4]; 2], then: [f64; 4], otherwise: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|k| if x[k] <= y[k] { then[k] } else { otherwise[k] })
    }
}

impl Machine for Plain {
    #[inline(always)]
    fn load(self, numbers: &[f64; 4]) -> [f64; 4] {
        *numbers
    }

    #[inline(always)]
    fn load_short(self, [a, b, c, d]: &[f32; 4]) -> [f64; 4] {
        [f64::from(*a), f64::from(*b), f64::from(*c), f64::from(*d)]
    }

    #[inline(always)]
    fn numbers(self, row: [f64; 4]) -> [f64; 4] {
        row
    }

    #[inline(always)]
    fn copy_sign(self, x: [f64; 4], y: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|k| x[k].copysign(y[k]))
    }

    #[inline(always)]
    fn transpose(self, rows: [[f64; 4]; 4]) -> [[f64; 4]; 4] {
        std::array::from_fn(|k| rows.map(|row| row[k]))
    }

    #[inline(always)]
    fn vectors_of_twelve(self, [a, b, c, d]: &[[f64; 3]; 4]) -> WideVector<Self> {
        let component = |k: usize| Wide(self, [a[k], b[k], c[k], d[k]]);
        [component(0), component(1), component(2)]
    }

    #[inline(always)]
    fn twelve_of_vectors(self, [x, y, z]: WideVector<Self>) -> [[f64; 3]; 4] {
        std::array::from_fn(|k| [x.1[k], y.1[k], z.1[k]])
    }

    #[inline(always)]
    fn expect<T>(self, _: *const T) {}

    #[inline(always)]
    fn expect_later<T>(self, _: *const T) {}
}
