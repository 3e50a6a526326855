//! What becomes of f32 on the way to narrower lines: the types, and how their elements are brought beside one another. Called by
//! the module around it.

use core::arch::asm;
use core::arch::x86_64::*;

use super::super::super::super::super::convert::{Bf16, F16};
use super::super::super::super::super::parts::zip::lanes;
use super::super::integers::{packed_s8, packed_u8, to_s8_range, to_u8_range};
use super::super::{NEAREST, rounded_to_bf16};

/// A type that f32 becomes.
pub(super) trait Narrow: Sized {
    /// Elements in 4 bytes.
    const SIDE: usize = 4 / size_of::<Self>();
    /// The type for products, which may be subnormal numbers that this one does not know.
    type Product: Narrow;

    /// The elements of the first [`Narrow::SIDE`] registers beside one another.
    ///
    /// # Safety
    /// The processor has the family's instructions.
    unsafe fn join(values: [__m512; 4]) -> __m512i;
}

impl Narrow for Bf16 {
    type Product = Bf16;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn join([a, b, ..]: [__m512; 4]) -> __m512i {
        let low = _mm512_srli_epi32::<16>(rounded_to_bf16(a));
        _mm512_mask_blend_epi16(0xAAAA_AAAA, low, rounded_to_bf16(b))
    }
}

/// A bf16, by the instruction for numbers that it knows: of an f16, all.
pub(super) struct NativeBf16(#[allow(dead_code, reason = "it has the size of a bf16")] u16);

impl Narrow for NativeBf16 {
    type Product = Bf16;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn join([a, b, ..]: [__m512; 4]) -> __m512i {
        let beside = _mm512_set_epi16(
            31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6, 21, 5, 20, 4, 19, 3,
            18, 2, 17, 1, 16, 0,
        );
        // SAFETY: the caller's promise.
        _mm512_permutexvar_epi16(beside, unsafe { native_line(a, b) })
    }
}

/// The nearest bf16 to the numbers of two registers, ties to even; none of these is subnormal.
///
/// # Safety
/// The processor has AVX512_BF16.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn native_line(low: __m512, high: __m512) -> __m512i {
    let line;
    // An intrinsic is no part of a function that other processors have too.
    // SAFETY: the caller's promise; registers alone are touched.
    unsafe {
        asm!(
            "vcvtne2ps2bf16 {}, {}, {}", out(zmm_reg) line, in(zmm_reg) high, in(zmm_reg) low,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    line
}

impl Narrow for F16 {
    type Product = F16;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn join([a, b, ..]: [__m512; 4]) -> __m512i {
        let pair = [a, b];
        let [low, high] = lanes!(32, l => _mm512_cvtepu16_epi32(_mm512_cvtps_ph::<NEAREST>(pair[l])));
        _mm512_or_si512(low, _mm512_slli_epi32::<16>(high))
    }
}

/// Integers of 8 bits, which differ in how two registers are packed at last.
macro_rules! narrow_integer {
    ($number:ty, $range:ident, $packed:ident) => {
        impl Narrow for $number {
            type Product = $number;

            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
            unsafe fn join(values: [__m512; 4]) -> __m512i {
                woven($packed($range(values)))
            }
        }
    };
}
narrow_integer!(i8, to_s8_range, packed_s8);
narrow_integer!(u8, to_u8_range, packed_u8);

/// Of each lane, four groups of 4 bytes transposed.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn woven(bytes: __m512i) -> __m512i {
    let at = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    _mm512_shuffle_epi8(bytes, at)
}
