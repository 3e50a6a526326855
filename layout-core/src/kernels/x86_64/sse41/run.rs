//! Rows of bytes that are contiguous on both sides, with padding behind them.

use core::arch::x86_64::*;

use super::super::super::cpu::Sse41;
use super::super::super::drive::{self, Grid, Rows};
use super::super::super::generic::{step, step_mut, zero_run};
use super::super::super::parts::bytes::{are_words, word_rows};
use super::super::parts::padded::{PADDED, padded_rows};
use super::super::parts::rows::{run_kernel, short_rows, spread_kernel};
use super::memory::*;

/// Moves `job`; compiled once, as `ordered` is.
///
/// # Safety
/// As [`super::super::super::drive::Simd::rows`].
#[inline(never)]
#[target_feature(enable = "sse4.1")]
pub(super) unsafe fn rows(job: &Rows) {
    if job.is_spread(16) {
        // SAFETY: the caller's promise, and there are no gaps.
        unsafe { spread(job) };
        return;
    }
    if are_words(job) {
        // SAFETY: the caller's promise.
        unsafe { word_rows(job) };
        return;
    }
    match job.len {
        // In registers as narrow as the row, which cross fewer lines.
        // SAFETY: the caller's promise, and the rows are no longer than that.
        0..=16 => unsafe { rows16(job) },
        ..=PADDED if job.valid < job.len && job.len.is_multiple_of(16) => {
            // SAFETY: as above, and the length is a multiple of a register.
            unsafe { padded_rows(job) }
        }
        _ => {
            for y in 0..job.count {
                let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
                // SAFETY: the caller's promise.
                unsafe { run(src, dst, job.valid) };
                // SAFETY: as above; the row has `len` bytes.
                unsafe { zero_run(dst.wrapping_add(job.valid), job.len - job.valid) };
            }
        }
    }
}

/// Moves `job`; compiled here once, not in the kernel of every width.
///
/// # Safety
/// As [`super::super::super::drive::Simd::ordered`].
#[inline(never)]
#[target_feature(enable = "sse4.1")]
pub(super) unsafe fn ordered(token: Sse41, job: &Grid) {
    // SAFETY: the caller's promise.
    unsafe { drive::ordered(token, job) }
}

short_rows! { "sse4.1", rows16, 16, load16 load16_first, store16 store16_first, ones16 _mm_and_si128 }
padded_rows! { "sse4.1", padded_rows, 16, load16 load16_part, store16, _mm_setzero_si128 ones16 }
spread_kernel! { "sse4.1", 16, load16 load16_first, store16 store16_first, permute _mm_and_si128 }
run_kernel! { "sse4.1", 16, load16 load16_first, store16 store16_first }

/// Reads the first `len` bytes at `src`; the others are zero.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "sse4.1")]
unsafe fn load16_part(src: *const u8, len: usize, _: __m128i) -> __m128i {
    // SAFETY: the caller's promise.
    unsafe { load16_first(src, len) }
}

/// The bytes of `rows` at the indices `at`.
#[inline]
#[target_feature(enable = "sse4.1")]
fn permute(at: __m128i, rows: __m128i) -> __m128i {
    _mm_shuffle_epi8(rows, at)
}
