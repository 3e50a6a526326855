//! Loads and stores, whole and in part. Called by the other files of this folder; nothing here computes.
//!
//! Parts are put together from whole smaller ones: what masks single bytes and misses the first-level cache is up to ten
//! times slower on some processors, loads and stores alike.

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

/// Reads `len` (at most 16) bytes at `src`; the others are zero.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn load16_first(src: *const u8, len: usize) -> __m128i {
    if len.is_multiple_of(4) {
        // SAFETY: the caller's promise; what has no bit in the mask is not touched.
        return unsafe { _mm_maskz_loadu_epi32(first(len / 4) as __mmask8, src.cast()) };
    }
    // Two loads that overlap where the length is no power of two.
    let (low, high) = match len {
        8.. => {
            // SAFETY: as above.
            let low = unsafe { src.cast::<u64>().read_unaligned() };
            // SAFETY: as above.
            let end = unsafe { src.wrapping_add(len - 8).cast::<u64>().read_unaligned() };
            // The length is no multiple of 4, so that this shifts by less than 64.
            (low, end >> (8 * (16 - len)))
        }
        4.. => {
            // SAFETY: as above.
            let low = unsafe { src.cast::<u32>().read_unaligned() };
            // SAFETY: as above.
            let end = unsafe { src.wrapping_add(len - 4).cast::<u32>().read_unaligned() };
            (low as u64 | (end as u64) << (8 * (len - 4)), 0)
        }
        2.. => {
            // SAFETY: as above.
            let low = unsafe { src.cast::<u16>().read_unaligned() };
            // SAFETY: as above.
            let end = unsafe { src.wrapping_add(len - 1).read() };
            (low as u64 | (end as u64) << (8 * (len - 1)), 0)
        }
        // SAFETY: as above.
        _ => (unsafe { src.read() } as u64, 0),
    };
    _mm_set_epi64x(high as i64, low as i64)
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

/// Writes the first `len` (at most 64) bytes of `value` at `dst`, in pieces: a masked store that misses the first-level
/// cache holds up all others on some processors.
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

/// Writes the first `len` (at most 16) bytes of `value` at `dst`, in pieces.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn store16_first(dst: *mut u8, value: __m128i, len: usize) {
    if len >= 16 {
        // SAFETY: the caller's promise.
        unsafe { store16(dst, value) };
        return;
    }
    let (mut at, mut value) = (dst, value);
    if len & 8 != 0 {
        // SAFETY: as above.
        unsafe { _mm_storeu_si64(at, value) };
        (at, value) = (at.wrapping_add(8), _mm_bsrli_si128::<8>(value));
    }
    if len & 4 != 0 {
        // SAFETY: as above.
        unsafe { _mm_storeu_si32(at, value) };
        (at, value) = (at.wrapping_add(4), _mm_bsrli_si128::<4>(value));
    }
    if len & 2 != 0 {
        // SAFETY: as above.
        unsafe { _mm_storeu_si16(at, value) };
        (at, value) = (at.wrapping_add(2), _mm_bsrli_si128::<2>(value));
    }
    if len & 1 != 0 {
        let byte = _mm_cvtsi128_si32(value) as u8;
        // SAFETY: as above.
        unsafe { at.write(byte) };
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

/// 64 bytes of ones, then 64 of zeros.
static ONES: [u8; 128] = {
    let mut bytes = [0; 128];
    let mut i = 0;
    while i < 64 {
        bytes[i] = 0xFF;
        i += 1;
    }
    bytes
};

/// Ones in the first `count` bytes, zeros in the others. From memory, because the compiler would fold an AND with what it
/// can tell to be a mask into the load before it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn ones(count: usize) -> __m512i {
    let at = 64_usize.saturating_sub(count);
    // SAFETY: 64 bytes follow the first 64.
    unsafe { load64(ONES.as_ptr().wrapping_add(at)) }
}

/// The lowest `count` bits, all of them from 64 on.
#[inline(always)]
const fn first(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}
