//! Parts of 16 bytes, put together from whole smaller ones. Called by the `memory` of every family: what masks single
//! bytes and misses the first-level cache is up to ten times slower on some processors than what it replaces, loads and
//! stores alike.

use core::arch::x86_64::*;

pub(in super::super) use super::super::super::parts::bytes::{first_halves, ones_at};

/// Reads `len` (at most 16) bytes at `src`; the others are zero.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "sse2")]
pub(in super::super) unsafe fn load16_first(src: *const u8, len: usize) -> __m128i {
    if len >= 16 {
        // SAFETY: the caller's promise; no alignment is needed.
        return unsafe { _mm_loadu_si128(src.cast()) };
    }
    // SAFETY: as above.
    let [low, high] = unsafe { first_halves(src, len) };
    _mm_set_epi64x(high as i64, low as i64)
}

/// Writes the first `len` (at most 16) bytes of `value` at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "sse2")]
pub(in super::super) unsafe fn store16_first(dst: *mut u8, value: __m128i, len: usize) {
    if len >= 16 {
        // SAFETY: the caller's promise; no alignment is needed.
        unsafe { _mm_storeu_si128(dst.cast(), value) };
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
        let last = _mm_cvtsi128_si32(value) as u8;
        // SAFETY: as above.
        unsafe { at.write(last) };
    }
}

/// Moves `W` (16, 32 or 64) bytes past the caches.
///
/// # Safety
/// They can be read at `src` and written at `dst`, which is a multiple of 16. The thread that runs the plan fences at the end.
#[inline]
#[target_feature(enable = "sse2")]
pub(in super::super) unsafe fn stream_piece<const W: usize>(src: *const u8, dst: *mut u8) {
    let mut at = 0;
    while at < W {
        // SAFETY: the caller's promise.
        let part = unsafe { _mm_loadu_si128(src.wrapping_add(at).cast()) };
        // SAFETY: as above.
        unsafe { _mm_stream_si128(dst.wrapping_add(at).cast(), part) };
        at += 16;
    }
}
