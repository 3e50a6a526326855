//! Tiles of 2 or 4 by 2 or 4 elements, many at a time: to begin with each would take longer than its move. Called by the `Simd` of this
//! family, and of those with wider registers.

use core::arch::x86_64::*;

use super::super::super::drive::Quads;
use super::super::super::generic::{step, step_mut};
use super::super::parts::zip::unrolled;
use super::memory::{load8, load16, store8, store16};

/// Transposes all tiles of `job`; `false` for elements of 8 or 16 bytes, and then nothing was done.
///
/// # Safety
/// As [`super::super::super::drive::Simd::quads`].
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(in super::super) unsafe fn quads<const B: usize>(job: &Quads) -> bool {
    if B > 4 {
        return false;
    }
    match job.sides {
        // SAFETY of each: the caller's promise, and the sides were just compared.
        // SAFETY: see above.
        [2, 2] => unsafe { each::<B, 2, 2>(job) },
        // SAFETY: see above.
        [2, _] => unsafe { each::<B, 2, 4>(job) },
        // SAFETY: see above.
        [_, 2] => unsafe { each::<B, 4, 2>(job) },
        // SAFETY: see above.
        _ => unsafe { each::<B, 4, 4>(job) },
    }
    true
}

/// [`quads`] for tiles of `X` by `Y` elements.
///
/// # Safety
/// As there.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn each<const B: usize, const X: usize, const Y: usize>(job: &Quads) {
    for (&src_by, &dst_by) in job.src_by.iter().zip(job.dst_by) {
        let (src, dst) = (job.src.wrapping_offset(src_by), job.dst.wrapping_offset(dst_by));
        for i in 0..job.z.len {
            let (src, dst) = (step(src, i, job.z.src), step_mut(dst, i, job.z.dst));
            if B * X * Y <= 16 {
                // SAFETY: the caller's promise.
                unsafe { in_one::<B, X, Y>(job, src, dst) };
            } else {
                // SAFETY: as above.
                unsafe { in_several::<B, X, Y>(job, src, dst) };
            }
        }
    }
}

/// A tile of 16 bytes at most.
///
/// # Safety
/// As [`quads`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn in_one<const B: usize, const X: usize, const Y: usize>(job: &Quads, src: *const u8, dst: *mut u8) {
    let mut halves = [0u64; 2];
    unrolled!(4, x => {
        if x < X {
            // SAFETY: the caller's promise: a row.
            let row = unsafe { word(step(src, x, job.src_step), Y * B) };
            halves[x * Y * B / 8] |= row << (x * Y * B % 8 * 8);
        }
    });
    let rows = _mm_set_epi64x(halves[1].cast_signed(), halves[0].cast_signed());
    // SAFETY: the table fills a register.
    let lines = _mm_shuffle_epi8(rows, unsafe { load16(const { &turned::<B, X, Y>() }.as_ptr()) });
    let halves = [_mm_cvtsi128_si64(lines), _mm_extract_epi64::<1>(lines)];
    unrolled!(4, y => {
        if y < Y {
            let line = halves[y * X * B / 8].cast_unsigned() >> (y * X * B % 8 * 8);
            // SAFETY: the caller's promise: a line.
            unsafe { put_word(step_mut(dst, y, job.dst_step), line, X * B) };
        }
    });
}

/// A tile of 32 or 64 bytes: 4 by 4 elements of 2 or 4 bytes, or 2 by 4 of 4.
///
/// # Safety
/// As [`quads`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn in_several<const B: usize, const X: usize, const Y: usize>(
    job: &Quads,
    src: *const u8,
    dst: *mut u8,
) {
    let mut rows = [_mm_setzero_si128(); 4];
    unrolled!(4, x => {
        if x < X {
            let from = step(src, x, job.src_step);
            // SAFETY of both: the caller's promise: a row, of 8 or 16 bytes.
            // SAFETY: see above.
            rows[x] = if Y * B == 16 { unsafe { load16(from) } } else { unsafe { load8(from) } };
        }
    });
    let [a, b, c, d] = rows;
    let pairs = if B == 2 {
        // The elements of all rows for each two values of y.
        let [a, b] = [_mm_unpacklo_epi16(a, b), _mm_unpacklo_epi16(c, d)];
        [_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b), a, b]
    } else if X == 2 {
        [_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b), a, b]
    } else {
        let low = [_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d)];
        let high = [_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d)];
        [
            _mm_unpacklo_epi64(low[0], low[1]),
            _mm_unpackhi_epi64(low[0], low[1]),
            _mm_unpacklo_epi64(high[0], high[1]),
            _mm_unpackhi_epi64(high[0], high[1]),
        ]
    };
    unrolled!(4, y => {
        if y < Y {
            let to = step_mut(dst, y, job.dst_step);
            if X * B == 16 {
                // SAFETY: the caller's promise: a line.
                unsafe { store16(to, pairs[y]) };
            } else {
                let pair = pairs[y / 2];
                let line = if y.is_multiple_of(2) { pair } else { _mm_unpackhi_epi64(pair, pair) };
                // SAFETY: as above, of 8 bytes.
                unsafe { store8(to, line) };
            }
        }
    });
}

/// `len` bytes (2, 4 or 8).
///
/// # Safety
/// They can be read.
#[inline(always)]
unsafe fn word(src: *const u8, len: usize) -> u64 {
    match len {
        // SAFETY of each: the caller's promise.
        // SAFETY: see above.
        2 => unsafe { src.cast::<u16>().read_unaligned() }.into(),
        // SAFETY: see above.
        4 => unsafe { src.cast::<u32>().read_unaligned() }.into(),
        // SAFETY: see above.
        _ => unsafe { src.cast::<u64>().read_unaligned() },
    }
}

/// Writes the first `len` bytes (2, 4 or 8) of `word`.
///
/// # Safety
/// They can be written.
#[inline(always)]
unsafe fn put_word(dst: *mut u8, word: u64, len: usize) {
    match len {
        // SAFETY of each: the caller's promise.
        // SAFETY: see above.
        2 => unsafe { dst.cast::<u16>().write_unaligned(word as u16) },
        // SAFETY: see above.
        4 => unsafe { dst.cast::<u32>().write_unaligned(word as u32) },
        // SAFETY: see above.
        _ => unsafe { dst.cast::<u64>().write_unaligned(word) },
    }
}

/// Where the bytes of `Y` lines of `X` elements lie in `X` rows of `Y`, all of which fit in a register.
const fn turned<const B: usize, const X: usize, const Y: usize>() -> [u8; 16] {
    let mut at = [0; 16];
    let mut i = 0;
    // Larger tiles take another way, and ask for no such table.
    while i < 16 && i < B * X * Y {
        let (y, x) = (i / (X * B), i / B % X);
        at[i] = ((x * Y + y) * B + i % B) as u8;
        i += 1;
    }
    at
}
