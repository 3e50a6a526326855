//! Rows of bytes that are contiguous on both sides, with padding behind them.

use core::arch::x86_64::*;

use super::super::super::cpu::Avx2;
use super::super::super::drive::{self, Grid, Rows};
use super::super::super::generic::{step, step_mut, zero_run};
use super::super::parts::rows::{run_kernel, short_rows, spread_kernel};
use super::memory::*;

/// Moves `job`.
///
/// # Safety
/// As [`super::super::super::drive::Simd::rows`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn rows(job: &Rows) {
    if job.is_spread(16) {
        // SAFETY: the caller's promise, and there are no gaps.
        unsafe { spread(job) };
        return;
    }
    match job.len {
        // In registers as narrow as the row, which cross fewer lines.
        // SAFETY: the caller's promise, and the rows are no longer than that.
        0..=16 => unsafe { rows16(job) },
        // SAFETY: as above.
        17..=32 => unsafe { rows32(job) },
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
/// As [`super::super::super::drive::Simd::grid`].
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn grid(token: Avx2, job: &Grid) {
    // SAFETY: the caller's promise.
    unsafe { drive::grid(token, job) }
}

short_rows! { "avx2,f16c", rows32, 32, load32 load32_first, store32 store32_first, ones32 _mm256_and_si256 }
short_rows! { "avx2,f16c", rows16, 16, load16 load16_first, store16 store16_first, ones16 _mm_and_si128 }
spread_kernel! { "avx2,f16c", 16, load16 load16_first, store16 store16_first, permute _mm_and_si128 }
run_kernel! { "avx2,f16c", 32, load32 load32_first, store32 store32_first }

/// The bytes of `rows` at the indices `at`.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn permute(at: __m128i, rows: __m128i) -> __m128i {
    _mm_shuffle_epi8(rows, at)
}
