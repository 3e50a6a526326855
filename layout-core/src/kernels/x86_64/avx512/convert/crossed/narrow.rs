//! What becomes of f32 on the way to narrower lines: the types, and how their elements are brought beside one another. Called by
//! the module around it.

use core::arch::x86_64::*;

use super::super::super::super::super::convert::{Bf16, F16};
use super::super::integers::{packed_s8, packed_u8, to_s8_range, to_u8_range};
use super::super::{NEAREST, rounded_to_bf16};

/// A type that f32 becomes.
pub(super) trait Narrow: Sized {
    /// Elements in 4 bytes.
    const SIDE: usize = 4 / size_of::<Self>();

    /// The elements of the first [`Narrow::SIDE`] registers beside one another.
    ///
    /// # Safety
    /// The processor has the family's instructions.
    unsafe fn join(values: [__m512; 4]) -> __m512i;
}

impl Narrow for Bf16 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn join([a, b, ..]: [__m512; 4]) -> __m512i {
        let low = _mm512_srli_epi32::<16>(rounded_to_bf16(a));
        _mm512_mask_blend_epi16(0xAAAA_AAAA, low, rounded_to_bf16(b))
    }
}

impl Narrow for F16 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn join([a, b, ..]: [__m512; 4]) -> __m512i {
        let [low, high] = [a, b].map(|value| _mm512_cvtepu16_epi32(_mm512_cvtps_ph::<NEAREST>(value)));
        _mm512_or_si512(low, _mm512_slli_epi32::<16>(high))
    }
}

/// Integers of 8 bits, which differ in how two registers are packed at last.
macro_rules! narrow_integer {
    ($number:ty, $range:ident, $packed:ident) => {
        impl Narrow for $number {
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
