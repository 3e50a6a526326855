//! Loads and stores, whole and by mask. Called by the other files of this folder; nothing here computes.

use core::arch::x86_64::*;

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

/// Reads those of 16 bytes at `src` whose bit is set in `mask`, zero for the others.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn load16_part(src: *const u8, mask: __mmask16) -> __m128i {
    // SAFETY: the caller's promise; bytes without a bit are not touched.
    unsafe { _mm_maskz_loadu_epi8(mask, src.cast()) }
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

/// Reads those of 64 bytes at `src` whose bit is set in `mask`, zero for the others.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn load64_part(src: *const u8, mask: __mmask64) -> __m512i {
    // SAFETY: the caller's promise; bytes without a bit are not touched.
    unsafe { _mm512_maskz_loadu_epi8(mask, src.cast()) }
}

/// Writes the first `W` (16, 32 or 64) bytes of `value` at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn store<const W: usize>(dst: *mut u8, value: __m512i) {
    match W {
        // SAFETY: the caller's promise; no alignment is needed.
        16 => unsafe { _mm_storeu_si128(dst.cast(), _mm512_castsi512_si128(value)) },
        // SAFETY: as above.
        32 => unsafe { _mm256_storeu_si256(dst.cast(), _mm512_castsi512_si256(value)) },
        // SAFETY: as above.
        _ => unsafe { _mm512_storeu_si512(dst.cast(), value) },
    }
}

/// Writes those of the first `W` (16, 32 or 64) bytes of `value` whose bit is set in `mask`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn store_part<const W: usize>(dst: *mut u8, value: __m512i, mask: __mmask64) {
    match W {
        // SAFETY: the caller's promise; bytes without a bit are not touched.
        16 => unsafe {
            _mm_mask_storeu_epi8(dst.cast(), mask as __mmask16, _mm512_castsi512_si128(value));
        },
        // SAFETY: as above.
        32 => unsafe {
            _mm256_mask_storeu_epi8(dst.cast(), mask as __mmask32, _mm512_castsi512_si256(value));
        },
        // SAFETY: as above.
        _ => unsafe { _mm512_mask_storeu_epi8(dst.cast(), mask, value) },
    }
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

/// The lowest `count` bits, all of them from 64 on.
#[inline(always)]
pub(super) const fn first(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}
