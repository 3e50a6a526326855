//! Rows of bytes that are contiguous on both sides, with padding behind them.

use core::arch::aarch64::*;

use super::super::super::cpu::Neon;
use super::super::super::drive::{self, Grid, Rows};
use super::super::super::generic::{step, step_mut, zero_run};
use super::super::super::parts::rows::{run_kernel, short_rows, spread_kernel};
use super::memory::*;

/// Moves `job`.
///
/// # Safety
/// As [`super::super::super::drive::Simd::rows`].
#[inline]
#[target_feature(enable = "neon")]
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
#[target_feature(enable = "neon")]
pub(super) unsafe fn ordered(token: Neon, job: &Grid) {
    // SAFETY: the caller's promise.
    unsafe { drive::ordered(token, job) }
}

short_rows! { "neon", rows16, 16, load16 load16_first, store16 store16_first, ones16 vandq_u8 }
spread_kernel! { "neon", 16, load16 load16_first, store16 store16_first, permute vandq_u8 }
run_kernel! { "neon", 32, load32 load_ends, store32 store_ends }

/// The bytes of `rows` at the indices `at`.
#[inline]
#[target_feature(enable = "neon")]
fn permute(at: uint8x16_t, rows: uint8x16_t) -> uint8x16_t {
    vqtbl1q_u8(rows, at)
}

/// The first and the last 16 of `len` (at most 32) bytes at `src`; all of them where there are less than 16.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "neon")]
unsafe fn load_ends(src: *const u8, len: usize) -> uint8x16x2_t {
    if len < 16 {
        // SAFETY: the caller's promise.
        return uint8x16x2_t(unsafe { load16_first(src, len) }, zero16());
    }
    // SAFETY: as above.
    let first = unsafe { load16(src) };
    // SAFETY: as above.
    uint8x16x2_t(first, unsafe { load16(src.wrapping_add(len - 16)) })
}

/// Writes what [`load_ends`] read.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "neon")]
unsafe fn store_ends(dst: *mut u8, ends: uint8x16x2_t, len: usize) {
    if len < 16 {
        // SAFETY: the caller's promise.
        unsafe { store16_first(dst, ends.0, len) };
        return;
    }
    // SAFETY: as above.
    unsafe { store16(dst, ends.0) };
    // SAFETY: as above.
    unsafe { store16(dst.wrapping_add(len - 16), ends.1) };
}
