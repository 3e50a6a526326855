//! Loads and stores, whole and in part. Called by the other files of this folder; nothing here computes.

use core::arch::x86_64::*;

use super::super::parts::maker::writes_in_turn;
use super::super::parts::{MASKED_AHEAD, bytes};

/// How far ahead the source is to be fetched of which `bytes` bytes, at least as many as `many`, are read by masks: AMD's processors do
/// not foresee that (Zen 5: up to 2.4 times as fast where no cache holds them, 0.8 to 0.9 in the second-level cache). 0 stands
/// for what is read now, which costs little.
#[inline]
pub(super) fn masked_ahead(bytes: usize, many: usize) -> usize {
    if bytes >= many && !writes_in_turn() { MASKED_AHEAD } else { 0 }
}

/// A bit for each of the first `len` (at most 64) bytes.
#[inline(always)]
pub(super) fn first(len: usize) -> u64 {
    // Not a shift by 64, which is one by 0.
    if len == 0 { 0 } else { u64::MAX >> (64 - len.min(64)) }
}

/// Reads 16 bytes at `src`.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn load16(src: *const u8) -> __m128i {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { _mm_loadu_si128(src.cast()) }
}

/// Writes 16 bytes at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn store16(dst: *mut u8, value: __m128i) {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { _mm_storeu_si128(dst.cast(), value) }
}

/// Reads `len` (at most 16) bytes at `src`; the others are zero.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn load16_first(src: *const u8, len: usize) -> __m128i {
    // SAFETY: the caller's promise; what has no bit in the mask is not touched.
    unsafe { _mm_maskz_loadu_epi8(first(len) as __mmask16, src.cast()) }
}

/// Writes the first `len` (at most 16) bytes of `value` at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn store16_first(dst: *mut u8, value: __m128i, len: usize) {
    // SAFETY: the caller's promise; what has no bit in the mask is not touched.
    unsafe { _mm_mask_storeu_epi8(dst.cast(), first(len) as __mmask16, value) }
}

/// Ones in the first `count` bytes, zeros in the others.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn ones16(count: usize) -> __m128i {
    // SAFETY: 64 bytes can be read there.
    unsafe { load16(bytes::ones_at(count)) }
}

/// Reads 32 bytes at `src`.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn load32(src: *const u8) -> __m256i {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { _mm256_loadu_si256(src.cast()) }
}

/// Writes 32 bytes at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn store32(dst: *mut u8, value: __m256i) {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { _mm256_storeu_si256(dst.cast(), value) }
}

/// Reads `len` (at most 32) bytes at `src`; the others are zero.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn load32_first(src: *const u8, len: usize) -> __m256i {
    // SAFETY: the caller's promise; what has no bit in the mask is not touched.
    unsafe { _mm256_maskz_loadu_epi8(first(len) as __mmask32, src.cast()) }
}

/// Writes the first `len` (at most 32) bytes of `value` at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn store32_first(dst: *mut u8, value: __m256i, len: usize) {
    // SAFETY: the caller's promise; what has no bit in the mask is not touched.
    unsafe { _mm256_mask_storeu_epi8(dst.cast(), first(len) as __mmask32, value) }
}

/// Ones in the first `count` bytes, zeros in the others.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn ones32(count: usize) -> __m256i {
    // SAFETY: 64 bytes can be read there.
    unsafe { load32(bytes::ones_at(count)) }
}

/// Reads 64 bytes at `src`.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn load64(src: *const u8) -> __m512i {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { _mm512_loadu_si512(src.cast()) }
}

/// Writes 64 bytes at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn store64(dst: *mut u8, value: __m512i) {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { _mm512_storeu_si512(dst.cast(), value) }
}

/// Reads `len` (at most 64) bytes at `src`; the others are zero.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn load64_first(src: *const u8, len: usize) -> __m512i {
    // SAFETY: the caller's promise; what has no bit in the mask is not touched.
    unsafe { _mm512_maskz_loadu_epi8(first(len), src.cast()) }
}

/// Reads those of the 64 bytes at `src` that have a bit in `bytes`; the others are zero.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn load64_of(src: *const u8, bytes: u64) -> __m512i {
    // SAFETY: the caller's promise; what has no bit in the mask is not touched.
    unsafe { _mm512_maskz_loadu_epi8(bytes, src.cast()) }
}

/// Writes the first `len` (at most 64) bytes of `value` at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn store64_first(dst: *mut u8, value: __m512i, len: usize) {
    // SAFETY: the caller's promise; what has no bit in the mask is not touched.
    unsafe { _mm512_mask_storeu_epi8(dst.cast(), first(len), value) }
}

/// Ones in the first `count` bytes, zeros in the others.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn ones64(count: usize) -> __m512i {
    // SAFETY: 64 bytes can be read there.
    unsafe { load64(bytes::ones_at(count)) }
}

/// Writes a line past the caches.
///
/// # Safety
/// 64 bytes can be written at `dst`, which is a multiple of 64. The thread that runs the plan fences at the end.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn stream(dst: *mut u8, value: __m512i) {
    // SAFETY: the caller's promise.
    unsafe { _mm512_stream_si512(dst.cast(), value) }
}
