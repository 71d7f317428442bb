//! The vector instructions of the machine, chosen when the program runs.
//!
//! Loops over four contacts, left to the compiler, became vector instructions only in part: the numbers of bodies were taken
//! one by one, and much went through memory. So the operations are asked for by name here. Each of them rounds as the plain
//! one does, and nothing is fused: the bits are the same on every machine.
//!
//! A [`Machine`] does something to four numbers: those of one body, or one of each contact of a group. Where groups need not be done one
//! after the other, a [`Stride`] takes two of them at once if the machine has registers of eight numbers.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod plain;
#[cfg(test)]
mod tests;
mod wide;

use super::lanes::{Lanes, ShortLanes};
pub(super) use plain::Plain;
pub(crate) use wide::{Wide, WideVector};

/// What can be done to several numbers, to each by itself.
pub(crate) trait Arithmetic: Copy {
    /// The numbers, in a register or in several.
    type Row: Copy;
    fn all(self, value: f64) -> Self::Row;
    fn add(self, x: Self::Row, y: Self::Row) -> Self::Row;
    fn subtract(self, x: Self::Row, y: Self::Row) -> Self::Row;
    fn multiply(self, x: Self::Row, y: Self::Row) -> Self::Row;
    fn divide(self, x: Self::Row, y: Self::Row) -> Self::Row;
    fn square_root(self, x: Self::Row) -> Self::Row;
    /// `then` where the first of the pair is at most the second, else, or if one is not a number, `otherwise`.
    fn at_most(self, pair: [Self::Row; 2], then: Self::Row, otherwise: Self::Row) -> Self::Row;
}

/// What a machine does with four numbers: those of one body, a row, or one of each of four contacts.
pub(crate) trait Machine: Arithmetic {
    fn load(self, numbers: &[f64; 4]) -> Self::Row;
    /// Four numbers of single precision, made double.
    fn load_short(self, numbers: &[f32; 4]) -> Self::Row;
    fn numbers(self, row: Self::Row) -> [f64; 4];
    /// The sizes of `x` with the signs of `y`.
    fn copy_sign(self, x: Self::Row, y: Self::Row) -> Self::Row;
    fn transpose(self, rows: [Self::Row; 4]) -> [Self::Row; 4];
    /// From one vector after another to vectors of four contacts.
    fn vectors_of_twelve(self, vectors: &[[f64; 3]; 4]) -> WideVector<Self>;
    /// And back.
    fn twelve_of_vectors(self, vectors: WideVector<Self>) -> [[f64; 3]; 4];
    /// Says that something will be wanted soon.
    fn expect<T>(self, what: *const T);
    /// Says that something will be wanted a little later: it is fetched into the second cache. What waits for the memory on its way
    /// into the first one probably takes a place there that all in the second has to wait for, bodies above all.
    fn expect_later<T>(self, what: *const T);

    #[inline(always)]
    fn scale(self, factor: f64, x: Self::Row) -> Self::Row {
        self.multiply(self.all(factor), x)
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
        self.transpose([x.1, y.1, z.1, self.all(0.0)])
    }
}

/// Rows of the bodies of four contacts.
pub(crate) type FourRows<M> = [<M as Arithmetic>::Row; 4];

/// What is done to one group at a time, or to two that follow each other: a number of each of their contacts is one [`Arithmetic::Row`].
///
/// Twos are as good as one after another where no contact sees what another does. Whatever is found of groups one after the other, sums
/// above all, is found so here, too ([`Stride::by_groups`]). Where two groups are asked for and there is one, it is given twice.
pub(crate) trait Stride: Arithmetic {
    /// The same machine with one group at a time.
    type One: Machine;
    const GROUPS: usize;
    fn one(self) -> Self::One;
    /// From the numbers of the first and the last group.
    fn load_groups(self, groups: [&Lanes; 2]) -> Self::Row;
    fn load_short_groups(self, groups: [&ShortLanes; 2]) -> Self::Row;
    /// The numbers of each group.
    fn by_groups(self, row: Self::Row) -> [<Self::One as Arithmetic>::Row; 2];
    /// As [`Machine::vectors_of_rows`].
    fn vectors_of_bodies(self, rows: [FourRows<Self::One>; 2]) -> WideVector<Self>;
    /// As [`Machine::rows_of_vectors`].
    fn bodies_of_vectors(self, vectors: WideVector<Self>) -> [FourRows<Self::One>; 2];
}

impl<M: Machine> Stride for M {
    type One = M;
    const GROUPS: usize = 1;

    #[inline(always)]
    fn one(self) -> M {
        self
    }

    #[inline(always)]
    fn load_groups(self, [group, _]: [&Lanes; 2]) -> Self::Row {
        self.load(&group.0)
    }

    #[inline(always)]
    fn load_short_groups(self, [group, _]: [&ShortLanes; 2]) -> Self::Row {
        self.load_short(&group.0)
    }

    #[inline(always)]
    fn by_groups(self, row: Self::Row) -> [Self::Row; 2] {
        [row; 2]
    }

    #[inline(always)]
    fn vectors_of_bodies(self, [rows, _]: [FourRows<M>; 2]) -> WideVector<M> {
        self.vectors_of_rows(rows)
    }

    #[inline(always)]
    fn bodies_of_vectors(self, vectors: WideVector<M>) -> [FourRows<M>; 2] {
        [self.rows_of_vectors(vectors); 2]
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
    let first = far_behind(array, index, forward);
    for line in 0..size_of::<T>().div_ceil(64) {
        machine.expect(first.wrapping_add(line));
    }
}

/// The same for the entries of one or two groups, of which two together may have fewer lines than each by itself, and into the second cache, for passes
/// that read many arrays besides bodies: see [`Machine::expect_later`].
#[inline(always)]
pub(super) fn expect_lines_of_groups<S: Stride, T>(
    stride: S,
    array: &[T],
    (first, forward): (usize, bool),
) {
    let first = far_behind(array, first, forward);
    for line in 0..(S::GROUPS * size_of::<T>()).div_ceil(64) {
        stride.one().expect_later(first.wrapping_add(line));
    }
}

/// The first line of what is asked for.
#[inline(always)]
fn far_behind<T>(array: &[T], index: usize, forward: bool) -> *const [u8; 64] {
    let ahead = behind(index, FAR_AHEAD, forward);
    array.as_ptr().wrapping_add(ahead).cast()
}

/// Work that can be done with the instructions of any machine. `on` must be `#[inline(always)]`, and so must be all that
/// it calls with a machine, a row or a [`Wide`]: only then is it compiled for the machine that is chosen. `map` of arrays and other
/// functions that take closures are not.
pub(crate) trait Work {
    type Found;
    fn on<M: Machine>(self, machine: M) -> Self::Found;
}

/// The same for work that can take two groups at once.
pub(crate) trait StridingWork {
    type Found;
    fn on<S: Stride>(self, stride: S) -> Self::Found;
}

/// Does the work with the best instructions that there are.
pub(crate) fn run<W: Work>(work: W) -> W::Found {
    #[cfg(target_arch = "x86_64")]
    if let Some(machine) = pulp::x86::V4::try_new() {
        return machine.vectorize(avx512::Narrow(work, machine));
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(machine) = pulp::x86::V3::try_new() {
        return machine.vectorize(avx2::Narrow(work, machine));
    }
    on_any(work)
}

/// Does it with two groups at once where that is possible.
pub(crate) fn run_striding<W: StridingWork>(work: W) -> W::Found {
    #[cfg(target_arch = "x86_64")]
    if let Some(machine) = pulp::x86::V4::try_new() {
        return machine.vectorize(avx512::Striding(work, machine));
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(machine) = pulp::x86::V3::try_new() {
        return machine.vectorize(avx2::Striding(work, machine));
    }
    work.on(Plain)
}

/// Apart from [`run`], so that work with much room on the stack has it there once.
#[inline(never)]
fn on_any<W: Work>(work: W) -> W::Found {
    work.on(Plain)
}
