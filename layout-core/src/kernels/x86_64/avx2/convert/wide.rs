//! f64 in memory, whose numbers are rounded to f32 for parameters; and numbers that an f32 does not hold on the way to types with
//! fewer bits: rounded to odd, so that what rounds behind that gives what rounding once would. Called by this folder's loops.

use core::arch::x86_64::*;

use super::super::super::super::parts::convert::{Load, OddF64, OddS32, Store};
use super::super::super::super::parts::loops::{loads, stores};
use super::super::memory::*;
use super::apart::apart32;
use super::first_32bit;

/// Bytes of half a register's numbers.
const HALF: usize = 32;

loads! {
    "avx2,f16c", __m256;
    f64: load64 first_64bit, |bits| f64_to_f32(bits);
    OddF64: load64 first_64bit, |bits| f64_to_odd(bits);
    OddS32: load32 first_32bit, |integers| s32_to_odd(integers), apart32;
}

stores! {
    "avx2,f16c", __m256;
    f64: store64 stream64 put_64bit, |value| f32_to_f64(value);
}

/// The nearest f32, ties to even.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn f64_to_f32([low, high]: [__m256i; 2]) -> __m256 {
    let (low, high) = (_mm256_castsi256_pd(low), _mm256_castsi256_pd(high));
    _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low))
}

/// The f32 where there is one, else that of its two neighbours whose last bit is 1: `round_to_odd` of `convert::float16`.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn f64_to_odd([low, high]: [__m256i; 2]) -> __m256 {
    _mm256_set_m128(four_to_odd(_mm256_castsi256_pd(high)), four_to_odd(_mm256_castsi256_pd(low)))
}

/// Half of that. No instruction rounds otherwise than the environment says.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn four_to_odd(wanted: __m256d) -> __m128 {
    let nearest = _mm256_cvtpd_ps(wanted);
    let found = _mm256_cvtps_pd(nearest);
    let sign = _mm256_set1_pd(-0.0);
    // Of NaN neither is true.
    let above = _mm256_cmp_pd::<_CMP_GT_OQ>(_mm256_andnot_pd(sign, found), _mm256_andnot_pd(sign, wanted));
    let inexact = _mm256_cmp_pd::<_CMP_NEQ_OQ>(found, wanted);
    // The bits of the one below count one less, and all ones are -1.
    let below = _mm_add_epi32(_mm_castps_si128(nearest), lower_halves(above));
    let odd = _mm_and_si128(lower_halves(inexact), _mm_set1_epi32(1));
    _mm_castsi128_ps(_mm_or_si128(below, odd))
}

/// The lower half of each number.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn lower_halves(value: __m256d) -> __m128i {
    let value = _mm256_castpd_ps(value);
    let (low, high) = (_mm256_castps256_ps128(value), _mm256_extractf128_ps::<1>(value));
    _mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(low, high))
}

/// An f32 that rounds to 16 bits and less as the integer does: what lies below the last place of an f32, or would if the number
/// were as large as any, is gathered in the bit above.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn s32_to_odd(integers: __m256i) -> __m256 {
    /// Numbers up to this one are held by an f32, others have these bits far below the last place of what they become. So
    /// does the smallest one, whose magnitude is itself.
    const SMALL: i32 = 1 << 17;
    const LOW: i32 = 0x7F;
    let low = _mm256_set1_epi32(LOW);
    let carried = _mm256_add_epi32(_mm256_and_si256(integers, low), low);
    let gathered = _mm256_andnot_si256(low, _mm256_or_si256(integers, carried));
    let large = _mm256_cmpgt_epi32(_mm256_abs_epi32(integers), _mm256_set1_epi32(SMALL));
    _mm256_cvtepi32_ps(_mm256_blendv_epi8(integers, gathered, large))
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn f32_to_f64(value: __m256) -> [__m256i; 2] {
    let (low, high) = (_mm256_castps256_ps128(value), _mm256_extractf128_ps::<1>(value));
    [_mm256_castpd_si256(_mm256_cvtps_pd(low)), _mm256_castpd_si256(_mm256_cvtps_pd(high))]
}

/// Reads `len` elements; the others are zero.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn first_64bit(src: *const u8, len: usize) -> [__m256i; 2] {
    let len = len * size_of::<f64>();
    // SAFETY: the caller's promise.
    let low = unsafe { load32_first(src, len) };
    // SAFETY: as above.
    [low, unsafe { load32_first(src.wrapping_add(HALF), len.saturating_sub(HALF)) }]
}

/// Writes the first `len` elements.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn put_64bit(dst: *mut u8, [low, high]: [__m256i; 2], len: usize) {
    let len = len * size_of::<f64>();
    // SAFETY: the caller's promise.
    unsafe { store32_first(dst, low, len) };
    // SAFETY: as above.
    unsafe { store32_first(dst.wrapping_add(HALF), high, len.saturating_sub(HALF)) };
}
