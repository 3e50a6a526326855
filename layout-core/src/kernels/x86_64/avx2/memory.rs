//! Loads and stores, whole and in part. Called by the other files of this folder; nothing here computes.

use core::arch::x86_64::*;

use super::super::parts::bytes;

/// Reads 16 bytes at `src`.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn load16(src: *const u8) -> __m128i {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { _mm_loadu_si128(src.cast()) }
}

/// Writes 16 bytes at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn store16(dst: *mut u8, value: __m128i) {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { _mm_storeu_si128(dst.cast(), value) }
}

/// Reads `len` (at most 16) bytes at `src`; the others are zero.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn load16_first(src: *const u8, len: usize) -> __m128i {
    // SAFETY: the caller's promise.
    unsafe { bytes::load16_first(src, len) }
}

/// Writes the first `len` (at most 16) bytes of `value` at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn store16_first(dst: *mut u8, value: __m128i, len: usize) {
    // SAFETY: the caller's promise.
    unsafe { bytes::store16_first(dst, value, len) }
}

/// Ones in the first `count` bytes, zeros in the others.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn ones16(count: usize) -> __m128i {
    // SAFETY: 64 bytes can be read there.
    unsafe { load16(bytes::ones_at(count)) }
}

/// Reads 32 bytes at `src`.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn load32(src: *const u8) -> __m256i {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { _mm256_loadu_si256(src.cast()) }
}

/// Writes 32 bytes at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn store32(dst: *mut u8, value: __m256i) {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { _mm256_storeu_si256(dst.cast(), value) }
}

/// Reads `len` (at most 32) bytes at `src`; the others are zero.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn load32_first(src: *const u8, len: usize) -> __m256i {
    if len >= 32 {
        // SAFETY: the caller's promise.
        return unsafe { load32(src) };
    }
    if len.is_multiple_of(4) {
        // SAFETY: as above.
        return unsafe { load32_masked(src, len) };
    }
    if len <= 16 {
        // SAFETY: as above.
        return _mm256_zextsi128_si256(unsafe { load16_first(src, len) });
    }
    // SAFETY: as above.
    let low = _mm256_castsi128_si256(unsafe { load16(src) });
    // SAFETY: as above.
    _mm256_inserti128_si256::<1>(low, unsafe { load16_first(src.wrapping_add(16), len - 16) })
}

/// Reads `len` (at most 32) bytes at `src`, a multiple of 4; the others are zero.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn load32_masked(src: *const u8, len: usize) -> __m256i {
    let data = ones32(len);
    // SAFETY: the caller's promise; what has no ones is not read.
    unsafe { _mm256_maskload_epi32(src.cast(), data) }
}

/// Writes the first `len` (at most 32) bytes of `value` at `dst`, in pieces.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn store32_first(dst: *mut u8, value: __m256i, len: usize) {
    let low = _mm256_castsi256_si128(value);
    if len >= 32 {
        // SAFETY: the caller's promise.
        unsafe { store32(dst, value) };
    } else if len >= 16 {
        // SAFETY: as above.
        unsafe { store16(dst, low) };
        let high = _mm256_extracti128_si256::<1>(value);
        // SAFETY: as above.
        unsafe { store16_first(dst.wrapping_add(16), high, len - 16) };
    } else {
        // SAFETY: as above.
        unsafe { store16_first(dst, low, len) };
    }
}

/// Ones in the first `count` bytes, zeros in the others.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn ones32(count: usize) -> __m256i {
    // SAFETY: 64 bytes can be read there.
    unsafe { load32(bytes::ones_at(count)) }
}

/// Reads 8 bytes at `src` into the lower half.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn load8(src: *const u8) -> __m128i {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { _mm_loadl_epi64(src.cast()) }
}

/// Writes the lower 8 bytes of `value` at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn store8(dst: *mut u8, value: __m128i) {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { _mm_storel_epi64(dst.cast(), value) }
}

/// Reads the first `len` bytes at `src`, where `data` has ones; the others are zero.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn load32_part(src: *const u8, len: usize, data: __m256i) -> __m256i {
    if len.is_multiple_of(4) {
        // SAFETY: the caller's promise; what has no ones is not read.
        unsafe { _mm256_maskload_epi32(src.cast(), data) }
    } else {
        // SAFETY: the caller's promise.
        unsafe { load32_first(src, len) }
    }
}

/// Writes 32 bytes past the caches.
///
/// # Safety
/// They can be written at `dst`, which is a multiple of 32. The thread that runs the plan fences at the end.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn stream32(dst: *mut u8, value: __m256i) {
    // SAFETY: the caller's promise.
    unsafe { _mm256_stream_si256(dst.cast(), value) }
}

/// Reads a line at `src`.
///
/// # Safety
/// It can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn load64(src: *const u8) -> [__m256i; 2] {
    // SAFETY: the caller's promise.
    let low = unsafe { load32(src) };
    // SAFETY: as above.
    [low, unsafe { load32(src.wrapping_add(32)) }]
}

/// Writes a line at `dst`.
///
/// # Safety
/// It can be written.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn store64(dst: *mut u8, line: [__m256i; 2]) {
    // SAFETY: the caller's promise.
    unsafe { store32(dst, line[0]) };
    // SAFETY: as above.
    unsafe { store32(dst.wrapping_add(32), line[1]) };
}

/// Writes a line past the caches.
///
/// # Safety
/// It can be written at `dst`, which is a multiple of 64. The thread that runs the plan fences at the end.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn stream64(dst: *mut u8, line: [__m256i; 2]) {
    // SAFETY: the caller's promise.
    unsafe { stream32(dst, line[0]) };
    // SAFETY: as above.
    unsafe { stream32(dst.wrapping_add(32), line[1]) };
}
