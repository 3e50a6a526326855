//! Rows of bytes that are contiguous on both sides, with padding behind them.

use core::arch::x86_64::*;

use super::super::super::drive::{LINE, Rows};
use super::super::super::generic::{step, step_mut, zero_run};
use super::memory::*;

/// The length from which the platform's own memcpy is taken, in bytes.
const LONG: usize = 2048;

/// Moves `job`.
///
/// # Safety
/// As [`super::super::super::drive::Simd::rows`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn rows(job: &Rows) {
    // Rows without gaps on either side, several in a register.
    if job.len <= LINE / 2 && job.valid > 0 && job.count >= 16 {
        let dense = job.src_y == job.valid as isize && job.dst_y == job.len as isize;
        if dense && job.valid < job.len {
            // SAFETY: the caller's promise, and there are no gaps.
            unsafe { spread(job) };
            return;
        }
    }
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

/// Spreads rows without gaps to longer ones without gaps, as many as there are in a register at a time.
///
/// # Safety
/// As [`rows`], with `src_y` of `valid` and `dst_y` of `len` bytes, two rows in a register, and 16 rows at least.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn spread(job: &Rows) {
    let at_once = LINE / job.len;
    let (mut from, mut data) = ([0u8; LINE], [0u8; LINE]);
    for row in 0..at_once {
        for i in 0..job.valid {
            from[row * job.len + i] = (row * job.valid + i) as u8;
            data[row * job.len + i] = 0xFF;
        }
    }
    // SAFETY: the tables have 64 bytes.
    let from = unsafe { load64(from.as_ptr()) };
    // SAFETY: as above.
    let data = unsafe { load64(data.as_ptr()) };
    // Steps after which a register can still be read, and written: of zeros behind the last whole row, which the next step
    // replaces.
    let (src_step, dst_step) = (at_once * job.valid, at_once * job.len);
    let readable = (job.count * job.valid).saturating_sub(LINE - 1).div_ceil(src_step);
    let writable = (job.count * job.len).saturating_sub(LINE - 1).div_ceil(dst_step);
    let steps = if readable < writable { readable } else { writable };
    let (mut src, mut dst) = (job.src, job.dst);
    for _ in 0..steps {
        // SAFETY: LINE bytes from here are in the rows.
        let rows = unsafe { load64(src) };
        let rows = _mm512_and_si512(_mm512_permutexvar_epi8(from, rows), data);
        // SAFETY: as above.
        unsafe { store64(dst, rows) };
        (src, dst) = (src.wrapping_add(src_step), dst.wrapping_add(dst_step));
    }
    for _ in steps * at_once..job.count {
        // SAFETY: this row is in the job.
        let row = unsafe { load64_first(src, job.valid) };
        // SAFETY: as above.
        unsafe { store64_first(dst, row, job.len) };
        (src, dst) = (src.wrapping_add(job.valid), dst.wrapping_add(job.len));
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

/// Rows of up to `$width` bytes.
macro_rules! short_rows {
    ($rows:ident, $width:literal, $ones:ident, $and:ident, $load:ident, $load_first:ident, $store_first:ident) => {
        /// Moves rows of up to `$width` bytes.
        ///
        /// # Safety
        /// As [`rows`].
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
        unsafe fn $rows(job: &Rows) {
            let data = $ones(job.valid);
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
short_rows! { rows16, 16, ones16, _mm_and_si128, load16, load16_first, store16_first }
short_rows! { rows32, 32, ones32, _mm256_and_si256, load32, load32_first, store32_first }
short_rows! { rows64, 64, ones64, _mm512_and_si512, load64, load64_first, store64_first }

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
