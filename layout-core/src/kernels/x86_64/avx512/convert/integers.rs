//! f32 to integers of 8 bits, four registers at a time: to s32 and packed, which saturates. What an s32 does not hold takes more
//! instructions, and is looked for first. Called by the files of this folder.

use core::arch::x86_64::*;

use super::super::memory::store64;
use super::NEAREST;

/// Stores the elements of four registers as s8.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn four_s8(dst: *mut u8, values: [__m512; 4]) {
    let bytes = in_order(packed_s8(to_s8_range(values)));
    // SAFETY: the caller's promise.
    unsafe { store64(dst, bytes) };
}

/// Four registers of integers as s8, saturated.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn packed_s8([a, b, c, d]: [__m512i; 4]) -> __m512i {
    _mm512_packs_epi16(_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d))
}

/// Four registers of integers as u8, saturated.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn packed_u8([a, b, c, d]: [__m512i; 4]) -> __m512i {
    _mm512_packus_epi16(_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d))
}

/// The nearest integers, ties to even; `i32::MIN` for NaN and what is too large or too small for an s32.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn nearest([a, b, c, d]: [__m512; 4]) -> [__m512i; 4] {
    [
        _mm512_cvt_roundps_epi32::<NEAREST>(a),
        _mm512_cvt_roundps_epi32::<NEAREST>(b),
        _mm512_cvt_roundps_epi32::<NEAREST>(c),
        _mm512_cvt_roundps_epi32::<NEAREST>(d),
    ]
}

/// The smallest integer in each place of four registers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn smallest([a, b, c, d]: [__m512i; 4]) -> __m512i {
    _mm512_min_epi32(_mm512_min_epi32(a, b), _mm512_min_epi32(c, d))
}

/// Whether one of the [`smallest`] that are left of the [`nearest`] integers stands for none.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn is_no_integer(smallest: __m512i) -> bool {
    _mm512_cmpeq_epi32_mask(smallest, _mm512_set1_epi32(i32::MIN)) != 0
}

/// The nearest integers, which are no larger than those of s8; what is too small is left to what packs them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn to_s8_range([a, b, c, d]: [__m512; 4]) -> [__m512i; 4] {
    [to_s8_below(a), to_s8_below(b), to_s8_below(c), to_s8_below(d)]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn to_s8_below(value: __m512) -> __m512i {
    /// Zero for the two kinds of NaN, for any number what was there.
    const NO_NAN: i32 = 0x88;
    let value = _mm512_fixupimm_ps::<0>(value, value, _mm512_set1_epi32(NO_NAN));
    // What is too small converts to the smallest number.
    _mm512_cvt_roundps_epi32::<NEAREST>(_mm512_min_ps(value, _mm512_set1_ps(127.0)))
}

/// The nearest integers, none below 0 or above those of u8; 0 for NaN.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn to_u8_range([a, b, c, d]: [__m512; 4]) -> [__m512i; 4] {
    [to_u8_between(a), to_u8_between(b), to_u8_between(c), to_u8_between(d)]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn to_u8_between(value: __m512) -> __m512i {
    // Of NaN and a number the maximum is the second operand.
    let value = _mm512_min_ps(_mm512_max_ps(value, _mm512_setzero_ps()), _mm512_set1_ps(255.0));
    _mm512_cvt_roundps_epi32::<NEAREST>(value)
}

/// The bytes of four registers of 32-bit numbers that were packed, which is done in each quarter apart, one register behind the
/// other.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn in_order(packed: __m512i) -> __m512i {
    let at = _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0);
    _mm512_permutexvar_epi32(at, packed)
}
