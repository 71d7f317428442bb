//! Machines with AVX2: four numbers are one register.

use super::{Arithmetic, Machine, StridingWork, Wide, WideVector, Work};
use pulp::x86::V3;
use std::arch::x86_64::{__m256d, _CMP_LE_OQ, _MM_HINT_T0, _MM_HINT_T1};

impl Arithmetic for V3 {
    type Row = __m256d;

    #[inline(always)]
    fn all(self, value: f64) -> __m256d {
        self.load(&[value; 4])
    }

    #[inline(always)]
    fn add(self, x: __m256d, y: __m256d) -> __m256d {
        self.avx._mm256_add_pd(x, y)
    }

    #[inline(always)]
    fn subtract(self, x: __m256d, y: __m256d) -> __m256d {
        self.avx._mm256_sub_pd(x, y)
    }

    #[inline(always)]
    fn multiply(self, x: __m256d, y: __m256d) -> __m256d {
        self.avx._mm256_mul_pd(x, y)
    }

    #[inline(always)]
    fn divide(self, x: __m256d, y: __m256d) -> __m256d {
        self.avx._mm256_div_pd(x, y)
    }

    #[inline(always)]
    fn square_root(self, x: __m256d) -> __m256d {
        self.avx._mm256_sqrt_pd(x)
    }

    #[inline(always)]
    fn at_most(self, [x, y]: [__m256d; 2], then: __m256d, otherwise: __m256d) -> __m256d {
        let chosen = self.avx._mm256_cmp_pd::<_CMP_LE_OQ>(x, y);
        self.avx._mm256_blendv_pd(otherwise, then, chosen)
    }
}

impl Machine for V3 {
    #[inline(always)]
    fn load(self, numbers: &[f64; 4]) -> __m256d {
        pulp::cast(*numbers)
    }

    #[inline(always)]
    fn load_short(self, numbers: &[f32; 4]) -> __m256d {
        self.avx._mm256_cvtps_pd(pulp::cast(*numbers))
    }

    #[inline(always)]
    fn numbers(self, row: __m256d) -> [f64; 4] {
        pulp::cast(row)
    }

    #[inline(always)]
    fn copy_sign(self, x: __m256d, y: __m256d) -> __m256d {
        let sign = self.load(&[-0.0; 4]);
        let (size, sign) = (
            self.avx._mm256_andnot_pd(sign, x),
            self.avx._mm256_and_pd(sign, y),
        );
        self.avx._mm256_or_pd(size, sign)
    }

    #[inline(always)]
    fn transpose(self, [a, b, c, d]: [__m256d; 4]) -> [__m256d; 4] {
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
        let [p, q, r]: [__m256d; 3] = pulp::cast(*vectors);
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

    #[inline(always)]
    fn expect_later<T>(self, what: *const T) {
        self.sse._mm_prefetch::<_MM_HINT_T1>(what.cast());
    }
}

/// Work and the machine that it is compiled for.
pub(super) struct Narrow<W>(pub W, pub V3);

impl<W: Work> pulp::NullaryFnOnce for Narrow<W> {
    type Output = W::Found;

    #[inline(always)]
    fn call(self) -> W::Found {
        self.0.on(self.1)
    }
}

/// The same for work that could take two groups at once: it takes one.
pub(super) struct Striding<W>(pub W, pub V3);

impl<W: StridingWork> pulp::NullaryFnOnce for Striding<W> {
    type Output = W::Found;

    #[inline(always)]
    fn call(self) -> W::Found {
        self.0.on(self.1)
    }
}
