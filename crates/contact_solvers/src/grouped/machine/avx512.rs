//! Machines with AVX-512: twice as many registers, of eight numbers.

use super::super::lanes::{Lanes, ShortLanes};
use super::{Arithmetic, Machine, Stride, StridingWork, Wide, WideVector, Work};
use pulp::x86::{V3, V4};
use std::arch::x86_64::{__m256d, __m512d, _CMP_LE_OQ};

/// Two groups at once, the numbers of the first below those of the second.
#[derive(Clone, Copy)]
pub(crate) struct Eight(V4);

impl Eight {
    #[inline(always)]
    fn joined(self, low: __m256d, high: __m256d) -> __m512d {
        let avx = self.0.avx512f;
        avx._mm512_insertf64x4::<1>(avx._mm512_castpd256_pd512(low), high)
    }

    #[inline(always)]
    fn halves(self, row: __m512d) -> [__m256d; 2] {
        let avx = self.0.avx512f;
        [
            avx._mm512_castpd512_pd256(row),
            avx._mm512_extractf64x4_pd::<1>(row),
        ]
    }
}

impl Arithmetic for Eight {
    type Row = __m512d;

    #[inline(always)]
    fn all(self, value: f64) -> __m512d {
        pulp::cast([value; 8])
    }

    #[inline(always)]
    fn add(self, x: __m512d, y: __m512d) -> __m512d {
        self.0.avx512f._mm512_add_pd(x, y)
    }

    #[inline(always)]
    fn subtract(self, x: __m512d, y: __m512d) -> __m512d {
        self.0.avx512f._mm512_sub_pd(x, y)
    }

    #[inline(always)]
    fn multiply(self, x: __m512d, y: __m512d) -> __m512d {
        self.0.avx512f._mm512_mul_pd(x, y)
    }

    #[inline(always)]
    fn divide(self, x: __m512d, y: __m512d) -> __m512d {
        self.0.avx512f._mm512_div_pd(x, y)
    }

    #[inline(always)]
    fn square_root(self, x: __m512d) -> __m512d {
        self.0.avx512f._mm512_sqrt_pd(x)
    }

    #[inline(always)]
    fn at_most(self, [x, y]: [__m512d; 2], then: __m512d, otherwise: __m512d) -> __m512d {
        let avx = self.0.avx512f;
        let chosen = avx._mm512_cmp_pd_mask::<_CMP_LE_OQ>(x, y);
        avx._mm512_mask_blend_pd(chosen, otherwise, then)
    }
}

impl Stride for Eight {
    type One = V3;
    const GROUPS: usize = 2;

    #[inline(always)]
    fn one(self) -> V3 {
        *self.0
    }

    #[inline(always)]
    fn load_groups(self, [first, second]: [&Lanes; 2]) -> __m512d {
        let one = self.one();
        self.joined(one.load(&first.0), one.load(&second.0))
    }

    #[inline(always)]
    fn load_short_groups(self, [first, second]: [&ShortLanes; 2]) -> __m512d {
        let one = self.one();
        self.joined(one.load_short(&first.0), one.load_short(&second.0))
    }

    #[inline(always)]
    fn by_groups(self, row: __m512d) -> [__m256d; 2] {
        self.halves(row)
    }

    #[inline(always)]
    fn vectors_of_bodies(
        self,
        [[a, b, c, d], [e, f, g, h]]: [[__m256d; 4]; 2],
    ) -> WideVector<Self> {
        let avx = self.0.avx512f;
        // Rows of the first and the third, the second and the fourth contact of a group, so that what follows stays in order.
        let (ac, bd) = (self.joined(a, c), self.joined(b, d));
        let (eg, fh) = (self.joined(e, g), self.joined(f, h));
        let even = [
            avx._mm512_unpacklo_pd(ac, bd),
            avx._mm512_unpacklo_pd(eg, fh),
        ];
        let odd = [
            avx._mm512_unpackhi_pd(ac, bd),
            avx._mm512_unpackhi_pd(eg, fh),
        ];
        [
            Wide(self, avx._mm512_shuffle_f64x2::<0x88>(even[0], even[1])),
            Wide(self, avx._mm512_shuffle_f64x2::<0x88>(odd[0], odd[1])),
            Wide(self, avx._mm512_shuffle_f64x2::<0xdd>(even[0], even[1])),
        ]
    }

    #[inline(always)]
    fn bodies_of_vectors(self, [x, y, z]: WideVector<Self>) -> [[__m256d; 4]; 2] {
        let avx = self.0.avx512f;
        let zero = self.all(0.0);
        // x₀ y₀ x₂ y₂ x₄ y₄ x₆ y₆ and z₀ 0 z₂ 0 z₄ 0 z₆ 0, and those of the others.
        let even = [
            avx._mm512_unpacklo_pd(x.1, y.1),
            avx._mm512_unpacklo_pd(z.1, zero),
        ];
        let odd = [
            avx._mm512_unpackhi_pd(x.1, y.1),
            avx._mm512_unpackhi_pd(z.1, zero),
        ];
        // The first halves of both by twos, then the second.
        let (low, high) = (
            pulp::cast([0i64, 1, 8, 9, 2, 3, 10, 11]),
            pulp::cast([4i64, 5, 12, 13, 6, 7, 14, 15]),
        );
        let [a, c] = self.halves(avx._mm512_permutex2var_pd(even[0], low, even[1]));
        let [b, d] = self.halves(avx._mm512_permutex2var_pd(odd[0], low, odd[1]));
        let [e, g] = self.halves(avx._mm512_permutex2var_pd(even[0], high, even[1]));
        let [f, h] = self.halves(avx._mm512_permutex2var_pd(odd[0], high, odd[1]));
        [[a, b, c, d], [e, f, g, h]]
    }
}

/// Work for one group after the other: the instructions of AVX2, compiled for twice as many registers.
pub(super) struct Narrow<W>(pub W, pub V4);

impl<W: Work> pulp::NullaryFnOnce for Narrow<W> {
    type Output = W::Found;

    #[inline(always)]
    fn call(self) -> W::Found {
        self.0.on(*self.1)
    }
}

/// Work that takes two groups at once.
pub(super) struct Striding<W>(pub W, pub V4);

impl<W: StridingWork> pulp::NullaryFnOnce for Striding<W> {
    type Output = W::Found;

    #[inline(always)]
    fn call(self) -> W::Found {
        self.0.on(Eight(self.1))
    }
}
