//! Rows of bytes that are contiguous on both sides, with padding behind them.

use core::arch::x86_64::*;

use super::super::super::drive::{LINE, Rows};
use super::super::super::generic::{step, step_mut, zero_run};
use super::memory::{load16, load16_first, load32, load32_first, load64, load64_first};
use super::memory::{ones, store16_first, store32_first, store64, store64_first, stream};

/// The length from which the platform's own memcpy is taken, in bytes.
const LONG: usize = 2048;

/// Moves `job`.
///
/// # Safety
/// As [`super::super::super::drive::Simd::rows`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn rows(job: &Rows) {
    match job.len {
        // In registers as narrow as the row, which cross fewer lines.
        // SAFETY: the caller's promise, and the rows are no longer than that.
        0..=16 => unsafe { rows16(job) },
        // SAFETY: as above.
        17..=32 => unsafe { rows32(job) },
        // SAFETY: as above.
        33..=LINE => unsafe { rows64(job) },
        _ => {
            for y in 0..job.count {
                let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
                // SAFETY: the caller's promise.
                unsafe { run(src, dst, job.valid, job.stream) };
                // SAFETY: as above; the row has `len` bytes.
                unsafe { zero_run(dst.wrapping_add(job.valid), job.len - job.valid) };
            }
        }
    }
}

/// How many of the first rows a register of `width` bytes can be read at: of rows without gaps, those behind which as much
/// follows; of full ones, all.
fn readable(job: &Rows, width: usize) -> usize {
    if job.valid == width {
        job.count
    } else if job.src_y == job.valid as isize && job.valid > 0 {
        (job.count * job.valid).saturating_sub(width - 1).div_ceil(job.valid)
    } else {
        0
    }
}

/// The whole register, where others take a part.
fn same(register: __m512i) -> __m512i {
    register
}

/// Rows of up to `$width` bytes.
macro_rules! short_rows {
    ($rows:ident, $width:literal, $cast:ident, $and:ident, $load:ident, $load_first:ident, $store_first:ident) => {
        /// Moves rows of up to `$width` bytes.
        ///
        /// # Safety
        /// As [`rows`].
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
        unsafe fn $rows(job: &Rows) {
            let data = $cast(ones(job.valid));
            let readable = readable(job, $width);
            for y in 0..readable {
                // SAFETY: a register can be read at these rows.
                let row = unsafe { $load(step(job.src, y, job.src_y)) };
                let row = $and(data, row);
                // SAFETY: the caller's promise.
                unsafe { $store_first(step_mut(job.dst, y, job.dst_y), row, job.len) };
            }
            for y in readable..job.count {
                // SAFETY: the caller's promise.
                let row = unsafe { $load_first(step(job.src, y, job.src_y), job.valid) };
                // SAFETY: as above.
                unsafe { $store_first(step_mut(job.dst, y, job.dst_y), row, job.len) };
            }
        }
    };
}
short_rows! { rows16, 16, _mm512_castsi512_si128, _mm_and_si128, load16, load16_first, store16_first }
short_rows! { rows32, 32, _mm512_castsi512_si256, _mm256_and_si256, load32, load32_first, store32_first }
short_rows! { rows64, 64, same, _mm512_and_si512, load64, load64_first, store64_first }

/// Moves `len` bytes.
///
/// # Safety
/// They can be read at `src` and written at `dst`, and do not overlap.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn run(src: *const u8, dst: *mut u8, len: usize, streams: bool) {
    if len >= LONG && !streams {
        // SAFETY: the caller's promise.
        unsafe { core::ptr::copy_nonoverlapping(src, dst, len) };
        return;
    }
    if len < LINE {
        // SAFETY: the caller's promise.
        unsafe { part(src, dst, len) };
        return;
    }
    let mut at = 0;
    if streams && len >= 4 * LINE {
        let head = dst.align_offset(LINE);
        // SAFETY: the caller's promise; the head is shorter than a line.
        unsafe { part(src, dst, head) };
        at = head;
        while at + LINE <= len {
            // SAFETY: at + LINE <= len.
            let line = unsafe { load64(src.wrapping_add(at)) };
            // SAFETY: as above, and behind the head lines are aligned.
            unsafe { stream(dst.wrapping_add(at), line) };
            at += LINE;
        }
    }
    while at + LINE <= len {
        // SAFETY: at + LINE <= len.
        let line = unsafe { load64(src.wrapping_add(at)) };
        // SAFETY: as above.
        unsafe { store64(dst.wrapping_add(at), line) };
        at += LINE;
    }
    if at < len {
        // The last line overlaps what was written: no branches for its length.
        // SAFETY: more than a line is moved.
        let line = unsafe { load64(src.wrapping_add(len - LINE)) };
        // SAFETY: as above.
        unsafe { store64(dst.wrapping_add(len - LINE), line) };
    }
}

/// Moves `len` bytes, at most a line.
///
/// # Safety
/// As [`run`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn part(src: *const u8, dst: *mut u8, len: usize) {
    // SAFETY: the caller's promise; the caller's promise.
    let line = unsafe { load64_first(src, len) };
    // SAFETY: as above.
    unsafe { store64_first(dst, line, len) };
}
