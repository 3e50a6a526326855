//! Loads and stores, whole and in part. Called by the other files of this folder; nothing here computes.

use core::arch::x86_64::*;

use super::super::parts::bytes;

/// Reads 16 bytes at `src`.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) unsafe fn load16(src: *const u8) -> __m128i {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { _mm_loadu_si128(src.cast()) }
}

/// Writes 16 bytes at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) unsafe fn store16(dst: *mut u8, value: __m128i) {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { _mm_storeu_si128(dst.cast(), value) }
}

/// Reads `len` (at most 16) bytes at `src`; the others are zero.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) unsafe fn load16_first(src: *const u8, len: usize) -> __m128i {
    // SAFETY: the caller's promise.
    unsafe { bytes::load16_first(src, len) }
}

/// Writes the first `len` (at most 16) bytes of `value` at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) unsafe fn store16_first(dst: *mut u8, value: __m128i, len: usize) {
    // SAFETY: the caller's promise.
    unsafe { bytes::store16_first(dst, value, len) }
}

/// Ones in the first `count` bytes, zeros in the others.
#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) fn ones16(count: usize) -> __m128i {
    // SAFETY: 64 bytes can be read there.
    unsafe { load16(bytes::ones_at(count)) }
}
