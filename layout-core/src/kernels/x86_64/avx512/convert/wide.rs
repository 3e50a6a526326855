//! f64 in memory, whose numbers are rounded to f32 for parameters; and numbers that an f32 does not hold on the way to types with
//! fewer bits: rounded to odd, so that what rounds behind that gives what rounding once would. Called by this folder's loops.

use core::arch::x86_64::*;

use super::super::super::super::parts::convert::{Load, OddF64, OddS32, Store};
use super::super::super::super::parts::loops::{loads, stores};
use super::{NEAREST, first_32bit, load64, ones};

/// Towards zero, whatever the floating-point environment says.
const TO_ZERO: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;

/// Numbers of half a register.
const HALF: usize = 8;

loads! {
    "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", __m512;
    f64: load_f64 first_64bit, |numbers| f64_to_f32(numbers);
    OddF64: load_f64 first_64bit, |numbers| f64_to_odd(numbers);
    OddS32: load64 first_32bit, |integers| s32_to_odd(integers);
}

stores! {
    "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", __m512;
    f64: store_f64 stream_f64 put_64bit, |value| f32_to_f64(value);
}

/// The nearest f32, ties to even.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn f64_to_f32([low, high]: [__m512d; 2]) -> __m512 {
    joined(_mm512_cvt_roundpd_ps::<NEAREST>(low), _mm512_cvt_roundpd_ps::<NEAREST>(high))
}

/// The f32 where there is one, else that of its two neighbours whose last bit is 1: `round_to_odd` of `convert::float16`. The last
/// finite one is such, so that nothing becomes infinite.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn f64_to_odd([low, high]: [__m512d; 2]) -> __m512 {
    let (lower, upper) = (_mm512_cvt_roundpd_ps::<TO_ZERO>(low), _mm512_cvt_roundpd_ps::<TO_ZERO>(high));
    // Of NaN neither is true.
    let low = _mm512_cmp_pd_mask::<_CMP_NEQ_OQ>(_mm512_cvtps_pd(lower), low);
    let high = _mm512_cmp_pd_mask::<_CMP_NEQ_OQ>(_mm512_cvtps_pd(upper), high);
    odd(joined(lower, upper), u16::from(high) << HALF | u16::from(low))
}

/// As [`f64_to_odd`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn s32_to_odd(integers: __m512i) -> __m512 {
    let value = _mm512_cvt_roundepi32_ps::<TO_ZERO>(integers);
    odd(value, _mm512_cmpneq_epi32_mask(_mm512_cvttps_epi32(value), integers))
}

/// The last bit of those that were not exact is 1.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn odd(value: __m512, inexact: __mmask16) -> __m512 {
    let bits = _mm512_castps_si512(value);
    _mm512_castsi512_ps(_mm512_mask_or_epi32(bits, inexact, bits, _mm512_set1_epi32(1)))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn f32_to_f64(value: __m512) -> [__m512d; 2] {
    [_mm512_cvtps_pd(_mm512_castps512_ps256(value)), _mm512_cvtps_pd(_mm512_extractf32x8_ps::<1>(value))]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn joined(low: __m256, high: __m256) -> __m512 {
    _mm512_insertf32x8::<1>(_mm512_castps256_ps512(low), high)
}

/// Reads as many elements as a register of f32 has.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn load_f64(src: *const u8) -> [__m512d; 2] {
    let src = src.cast::<f64>();
    // SAFETY: the caller's promise; no alignment is needed.
    let low = unsafe { _mm512_loadu_pd(src) };
    // SAFETY: as above.
    [low, unsafe { _mm512_loadu_pd(src.wrapping_add(HALF)) }]
}

/// Reads `len` elements; the others are zero.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn first_64bit(src: *const u8, len: usize) -> [__m512d; 2] {
    let (src, [first, second]) = (src.cast::<f64>(), halves(len));
    // SAFETY: the caller's promise; what has no bit in the mask is not touched.
    let low = unsafe { _mm512_maskz_loadu_pd(first, src) };
    // SAFETY: as above.
    [low, unsafe { _mm512_maskz_loadu_pd(second, src.wrapping_add(HALF)) }]
}

/// Writes as many elements as a register of f32 has.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn store_f64(dst: *mut u8, [low, high]: [__m512d; 2]) {
    let dst = dst.cast::<f64>();
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { _mm512_storeu_pd(dst, low) };
    // SAFETY: as above.
    unsafe { _mm512_storeu_pd(dst.wrapping_add(HALF), high) };
}

/// The same past the caches.
///
/// # Safety
/// They can be written at `dst`, where a line begins.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn stream_f64(dst: *mut f64, [low, high]: [__m512d; 2]) {
    // SAFETY: the caller's promise.
    unsafe { _mm512_stream_pd(dst, low) };
    // SAFETY: as above.
    unsafe { _mm512_stream_pd(dst.wrapping_add(HALF), high) };
}

/// Writes the first `len` elements.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn put_64bit(dst: *mut u8, [low, high]: [__m512d; 2], len: usize) {
    let (dst, [first, second]) = (dst.cast::<f64>(), halves(len));
    // SAFETY: the caller's promise; what has no bit in the mask is not touched.
    unsafe { _mm512_mask_storeu_pd(dst, first, low) };
    // SAFETY: as above.
    unsafe { _mm512_mask_storeu_pd(dst.wrapping_add(HALF), second, high) };
}

/// Ones for the first `len` elements, in two halves.
#[inline]
const fn halves(len: usize) -> [__mmask8; 2] {
    ones(len).to_le_bytes()
}
