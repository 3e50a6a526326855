//! Parts of 16 bytes, put together from whole smaller ones, and masks to clear the rest of a register. Called by the
//! `memory` of every family: what masks single bytes and misses the first-level cache is up to ten times slower on some
//! processors than what it replaces, loads and stores alike.

use core::arch::x86_64::*;

/// Reads `len` (at most 16) bytes at `src`; the others are zero.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "sse2")]
pub(in super::super) unsafe fn load16_first(src: *const u8, len: usize) -> __m128i {
    // Two loads that overlap where the length is no power of two.
    let (low, high) = match len {
        16.. => {
            // SAFETY: the caller's promise; no alignment is needed.
            return unsafe { _mm_loadu_si128(src.cast()) };
        }
        9.. => {
            // SAFETY: as above.
            let low = unsafe { src.cast::<u64>().read_unaligned() };
            // SAFETY: as above.
            let end = unsafe { src.wrapping_add(len - 8).cast::<u64>().read_unaligned() };
            (low, end >> (8 * (16 - len)))
        }
        // SAFETY: as above.
        8 => (unsafe { src.cast::<u64>().read_unaligned() }, 0),
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
        1 => (unsafe { src.read() } as u64, 0),
        0 => (0, 0),
    };
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

/// Where 64 bytes can be read whose first `count` are ones, the others zeros. From memory, because the compiler would fold
/// an AND with what it can tell to be a mask into the load before it.
#[inline(always)]
pub(in super::super) fn ones_at(count: usize) -> *const u8 {
    ONES.as_ptr().wrapping_add(64usize.saturating_sub(count))
}
