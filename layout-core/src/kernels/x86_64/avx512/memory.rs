//! Loads and stores, whole and in part. Called by the other files of this folder; nothing here computes.

use core::arch::x86_64::*;

use super::super::parts::bytes;

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
    if len.is_multiple_of(4) {
        // SAFETY: the caller's promise; what has no bit in the mask is not touched.
        return unsafe { _mm_maskz_loadu_epi32(((1u32 << (len / 4)) - 1) as __mmask8, src.cast()) };
    }
    // SAFETY: the caller's promise.
    unsafe { bytes::load16_first(src, len) }
}

/// Writes the first `len` (at most 16) bytes of `value` at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn store16_first(dst: *mut u8, value: __m128i, len: usize) {
    // SAFETY: the caller's promise.
    unsafe { bytes::store16_first(dst, value, len) }
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
    if len >= 32 {
        // SAFETY: the caller's promise.
        return unsafe { load32(src) };
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

/// Writes the first `len` (at most 32) bytes of `value` at `dst`, in pieces.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
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
    if len >= 64 {
        // SAFETY: the caller's promise.
        return unsafe { load64(src) };
    }
    if len <= 32 {
        // SAFETY: as above.
        return _mm512_zextsi256_si512(unsafe { load32_first(src, len) });
    }
    // SAFETY: as above.
    let low = _mm512_castsi256_si512(unsafe { load32(src) });
    // SAFETY: as above.
    _mm512_inserti64x4::<1>(low, unsafe { load32_first(src.wrapping_add(32), len - 32) })
}

/// Writes the first `len` (at most 64) bytes of `value` at `dst`, in pieces.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn store64_first(dst: *mut u8, value: __m512i, len: usize) {
    let low = _mm512_castsi512_si256(value);
    if len >= 64 {
        // SAFETY: the caller's promise.
        unsafe { store64(dst, value) };
    } else if len >= 32 {
        // SAFETY: as above.
        unsafe { store32(dst, low) };
        let high = _mm512_extracti64x4_epi64::<1>(value);
        // SAFETY: as above.
        unsafe { store32_first(dst.wrapping_add(32), high, len - 32) };
    } else {
        // SAFETY: as above.
        unsafe { store32_first(dst, low, len) };
    }
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
