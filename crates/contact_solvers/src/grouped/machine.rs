//! The vector instructions of the machine, chosen when the program runs.
//!
//! Loops over four contacts, left to the compiler, became vector instructions only in part: the numbers of bodies were taken
//! one by one, and much went through memory. So the operations are asked for by name here. Each of them rounds as the plain
//! one does, and nothing is fused: the bits are the same on every machine.

use super::lanes::{Lanes, ShortLanes, Vector};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{_CMP_LE_OQ, _MM_HINT_T0};
use std::ops::{Add, Div, Mul, Sub};

/// What a machine does with four numbers: those of one body, a row, or one of each of four contacts.
pub(crate) trait Machine: Copy {
    /// Four numbers in a register, or in several.
    type Row: Copy;
    fn load(self, numbers: &[f64; 4]) -> Self::Row;
    /// Four numbers of single precision, made double.
    fn load_short(self, numbers: &[f32; 4]) -> Self::Row;
    fn numbers(self, row: Self::Row) -> [f64; 4];
    fn add(self, x: Self::Row, y: Self::Row) -> Self::Row;
    fn subtract(self, x: Self::Row, y: Self::Row) -> Self::Row;
    fn multiply(self, x: Self::Row, y: Self::Row) -> Self::Row;
    fn divide(self, x: Self::Row, y: Self::Row) -> Self::Row;
    fn square_root(self, x: Self::Row) -> Self::Row;
    /// The sizes of `x` with the signs of `y`.
    fn copy_sign(self, x: Self::Row, y: Self::Row) -> Self::Row;
    /// `then` where the first of the pair is at most the second, else, or if one is not a number, `otherwise`.
    fn at_most(self, pair: [Self::Row; 2], then: Self::Row, otherwise: Self::Row) -> Self::Row;
    fn transpose(self, rows: [Self::Row; 4]) -> [Self::Row; 4];
    /// From one vector after another to vectors of four contacts.
    fn vectors_of_twelve(self, vectors: &[[f64; 3]; 4]) -> WideVector<Self>;
    /// And back.
    fn twelve_of_vectors(self, vectors: WideVector<Self>) -> [[f64; 3]; 4];
    /// Says that something will be wanted soon.
    fn expect<T>(self, what: *const T);

    #[inline(always)]
    fn scale(self, factor: f64, x: Self::Row) -> Self::Row {
        self.multiply(self.load(&[factor; 4]), x)
    }

    /// From rows of four bodies to vectors of four contacts; the fourth number of each row is left out.
    #[inline(always)]
    fn vectors_of_rows(self, rows: [Self::Row; 4]) -> WideVector<Self> {
        let [x, y, z, _] = self.transpose(rows);
        [Wide(self, x), Wide(self, y), Wide(self, z)]
    }

    /// From vectors of four contacts to rows, with a zero behind each.
    #[inline(always)]
    fn rows_of_vectors(self, [x, y, z]: WideVector<Self>) -> [Self::Row; 4] {
        self.transpose([x.1, y.1, z.1, self.load(&[0.0; 4])])
    }
}

/// Entries of an array between the one at hand and the one that is asked for. Groups lie in order, but large beds were a third slower
/// without; perhaps because processors that look ahead by themselves begin anew with every page of 4 kB, which thirteen groups fill.
const FAR_AHEAD: usize = 16;

/// What follows an entry at some distance, in the order of a sweep; no index if there is none.
#[inline(always)]
pub(super) fn behind(index: usize, distance: usize, forward: bool) -> usize {
    if forward {
        index.wrapping_add(distance)
    } else {
        index.wrapping_sub(distance)
    }
}

/// Asks for what lies some way behind an entry of an array. Asking for what does not exist does no harm.
#[inline(always)]
pub(crate) fn expect_lines<M: Machine, T>(
    machine: M,
    array: &[T],
    (index, forward): (usize, bool),
) {
    let ahead = behind(index, FAR_AHEAD, forward);
    let first = array.as_ptr().wrapping_add(ahead).cast::<[u8; 64]>();
    for line in 0..size_of::<T>().div_ceil(64) {
        machine.expect(first.wrapping_add(line));
    }
}

/// One number for each of four contacts, in a register.
#[derive(Clone, Copy)]
pub(crate) struct Wide<M: Machine>(pub M, pub M::Row);

/// Three of them: a vector of each of four contacts.
pub(crate) type WideVector<M> = [Wide<M>; 3];

impl<M: Machine> Wide<M> {
    #[inline(always)]
    pub fn all(machine: M, value: f64) -> Self {
        Self(machine, machine.load(&[value; 4]))
    }

    #[inline(always)]
    pub fn of(machine: M, numbers: &Lanes) -> Self {
        Self(machine, machine.load(&numbers.0))
    }

    #[inline(always)]
    pub fn of_short(machine: M, numbers: &ShortLanes) -> Self {
        Self(machine, machine.load_short(&numbers.0))
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
    pub fn square_root(self) -> Self {
        Self(self.0, self.0.square_root(self.1))
    }

    /// `then` where this is at most `other`, else `otherwise`.
    #[inline(always)]
    pub fn at_most(self, other: Self, then: Self, otherwise: Self) -> Self {
        let chosen = self.0.at_most([self.1, other.1], then.1, otherwise.1);
        Self(self.0, chosen)
    }

    #[inline(always)]
    pub fn copy_sign(self, sign: Self) -> Self {
        Self(self.0, self.0.copy_sign(self.1, sign.1))
    }
}

impl<M: Machine> Add for Wide<M> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0, self.0.add(self.1, other.1))
    }
}

impl<M: Machine> Sub for Wide<M> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0, self.0.subtract(self.1, other.1))
    }
}

impl<M: Machine> Mul for Wide<M> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0, self.0.multiply(self.1, other.1))
    }
}

impl<M: Machine> Div for Wide<M> {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(self.0, self.0.divide(self.1, other.1))
    }
}

/// Work that can be done with the instructions of any machine. `on` must be `#[inline(always)]`, and so must be all that
/// it calls with a machine, a row or a [`Wide`]: only then is it compiled for the machine that is chosen. `map` of arrays and other
/// functions that take closures are not.
pub(crate) trait Work {
    type Found;
    fn on<M: Machine>(self, machine: M) -> Self::Found;
}

/// Does the work with the best instructions that there are.
pub(crate) fn run<W: Work>(work: W) -> W::Found {
    #[cfg(target_arch = "x86_64")]
    if let Some(machine) = pulp::x86::V4::try_new() {
        return machine.vectorize(OnAvx512(work, machine));
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(machine) = pulp::x86::V3::try_new() {
        return machine.vectorize(OnAvx2(work, machine));
    }
    on_any(work)
}

/// Apart from [`run`], so that work with much room on the stack has it there once.
#[inline(never)]
fn on_any<W: Work>(work: W) -> W::Found {
    work.on(Plain)
}

/// Any machine: arrays, of which the compiler makes what it can.
#[derive(Clone, Copy)]
pub(crate) struct Plain;

impl Machine for Plain {
    type Row = [f64; 4];

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
    fn copy_sign(self, x: [f64; 4], y: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|k| x[k].copysign(y[k]))
    }

    #[inline(always)]
    fn at_most(self, [x, y]: [[f64; 4]; 2], then: [f64; 4], otherwise: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|k| if x[k] <= y[k] { then[k] } else { otherwise[k] })
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
}

/// Machines with AVX2: a row is one register.
#[cfg(target_arch = "x86_64")]
impl Machine for pulp::x86::V3 {
    type Row = std::arch::x86_64::__m256d;

    #[inline(always)]
    fn load(self, numbers: &[f64; 4]) -> Self::Row {
        pulp::cast(*numbers)
    }

    #[inline(always)]
    fn load_short(self, numbers: &[f32; 4]) -> Self::Row {
        self.avx._mm256_cvtps_pd(pulp::cast(*numbers))
    }

    #[inline(always)]
    fn numbers(self, row: Self::Row) -> [f64; 4] {
        pulp::cast(row)
    }

    #[inline(always)]
    fn add(self, x: Self::Row, y: Self::Row) -> Self::Row {
        self.avx._mm256_add_pd(x, y)
    }

    #[inline(always)]
    fn subtract(self, x: Self::Row, y: Self::Row) -> Self::Row {
        self.avx._mm256_sub_pd(x, y)
    }

    #[inline(always)]
    fn multiply(self, x: Self::Row, y: Self::Row) -> Self::Row {
        self.avx._mm256_mul_pd(x, y)
    }

    #[inline(always)]
    fn divide(self, x: Self::Row, y: Self::Row) -> Self::Row {
        self.avx._mm256_div_pd(x, y)
    }

    #[inline(always)]
    fn square_root(self, x: Self::Row) -> Self::Row {
        self.avx._mm256_sqrt_pd(x)
    }

    #[inline(always)]
    fn at_most(self, [x, y]: [Self::Row; 2], then: Self::Row, otherwise: Self::Row) -> Self::Row {
        let chosen = self.avx._mm256_cmp_pd::<_CMP_LE_OQ>(x, y);
        self.avx._mm256_blendv_pd(otherwise, then, chosen)
    }

    #[inline(always)]
    fn copy_sign(self, x: Self::Row, y: Self::Row) -> Self::Row {
        let sign = self.load(&[-0.0; 4]);
        let (size, sign) = (
            self.avx._mm256_andnot_pd(sign, x),
            self.avx._mm256_and_pd(sign, y),
        );
        self.avx._mm256_or_pd(size, sign)
    }

    #[inline(always)]
    fn transpose(self, [a, b, c, d]: [Self::Row; 4]) -> [Self::Row; 4] {
        let avx = self.avx;
        let even = [avx._mm256_unpacklo_pd(a, b), avx._mm256_unpacklo_pd(c, d)];
        let odd = [avx._mm256_unpackhi_pd(a, b), avx._mm256_unpackhi_pd(c, d)];
        [
            avx._mm256_permute2f128_pd::<0x20>(even[0], even[1]),
            avx._mm256_permute2f128_pd::<0x20>(odd[0], odd[1]),
            avx._mm256_permute2f128_pd::<0x31>(even[0], even[1]),
            avx._mm256_permute2f128_pd::<0x31>(odd[0], odd[1]),
        ]
    }

    #[inline(always)]
    fn vectors_of_twelve(self, vectors: &[[f64; 3]; 4]) -> WideVector<Self> {
        let avx = self.avx;
        let [p, q, r]: [Self::Row; 3] = pulp::cast(*vectors);
        // x₀ y₀ x₂ y₂, z₀ x₁ z₂ x₃ and y₁ z₁ y₃ z₃.
        let xy = avx._mm256_blend_pd::<0b1100>(p, q);
        let zx = avx._mm256_permute2f128_pd::<0x21>(p, r);
        let yz = avx._mm256_blend_pd::<0b1100>(q, r);
        [
            Wide(self, avx._mm256_shuffle_pd::<0b1010>(xy, zx)),
            Wide(self, avx._mm256_shuffle_pd::<0b0101>(xy, yz)),
            Wide(self, avx._mm256_shuffle_pd::<0b1010>(zx, yz)),
        ]
    }

    #[inline(always)]
    fn twelve_of_vectors(self, [x, y, z]: WideVector<Self>) -> [[f64; 3]; 4] {
        let avx = self.avx;
        let xy = avx._mm256_unpacklo_pd(x.1, y.1);
        let zx = avx._mm256_shuffle_pd::<0b1010>(z.1, x.1);
        let yz = avx._mm256_unpackhi_pd(y.1, z.1);
        pulp::cast([
            avx._mm256_permute2f128_pd::<0x20>(xy, zx),
            avx._mm256_blend_pd::<0b1100>(yz, xy),
            avx._mm256_permute2f128_pd::<0x31>(zx, yz),
        ])
    }

    #[inline(always)]
    fn expect<T>(self, what: *const T) {
        self.sse._mm_prefetch::<_MM_HINT_T0>(what.cast());
    }
}

/// Work and the machine that it is compiled for.
#[cfg(target_arch = "x86_64")]
struct OnAvx2<W>(W, pulp::x86::V3);

#[cfg(target_arch = "x86_64")]
impl<W: Work> pulp::NullaryFnOnce for OnAvx2<W> {
    type Output = W::Found;

    #[inline(always)]
    fn call(self) -> W::Found {
        self.0.on(self.1)
    }
}

/// Work for machines with AVX-512: the instructions of AVX2, compiled for twice as many registers.
#[cfg(target_arch = "x86_64")]
struct OnAvx512<W>(W, pulp::x86::V4);

#[cfg(target_arch = "x86_64")]
impl<W: Work> pulp::NullaryFnOnce for OnAvx512<W> {
    type Output = W::Found;

    #[inline(always)]
    fn call(self) -> W::Found {
        self.0.on(*self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Everything([[f64; 4]; 4]);

    impl Work for Everything {
        type Found = [[f64; 4]; 4];

        #[inline(always)]
        fn on<M: Machine>(self, machine: M) -> Self::Found {
            let [a, b, c, d] = self.0.map(|row| Wide(machine, machine.load(&row)));
            let root = (a / b + c).square_root();
            let tenth = Wide::of_short(machine, &ShortLanes([0.1; 4]));
            let chosen = a.at_most(b, root - c, tenth * root);
            let rows = machine.transpose([chosen.1, root.1, b.copy_sign(d).1, d.1]);
            rows.map(|row| machine.numbers(row))
        }
    }

    #[test]
    fn every_machine_gives_the_bits_of_one_number_after_another() {
        let rows = [
            [1.0, 0.3, f64::NAN, 7.0],
            [0.7, 0.3, 1.0, 9.0],
            [0.1, 0.2, 0.3, 0.4],
            [-1.0, 2.0, -0.0, 0.0],
        ];
        let found = Everything(rows).on(Plain);
        for k in 0..4 {
            let [a, b, c, d] = rows.map(|row| row[k]);
            let root = (a / b + c).sqrt();
            let tenth = f64::from(0.1f32);
            let chosen = if a <= b { root - c } else { tenth * root };
            let expected = [chosen, root, b.copysign(d), d];
            assert_eq!(found[k].map(f64::to_bits), expected.map(f64::to_bits));
        }
        let on_this = run(Everything(rows));
        for k in 0..4 {
            assert_eq!(on_this[k].map(f64::to_bits), found[k].map(f64::to_bits));
        }
    }
}
