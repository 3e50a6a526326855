//! Rows of bytes that are contiguous on both sides, with padding behind them.

use super::super::super::drive::{LINE, Rows};
use super::super::super::generic::{step, step_mut, zero_run};
use super::memory::{first, load64, load64_part, store, store_part, stream};

/// The length from which the platform's own memcpy is taken, in bytes.
const LONG: usize = 1024;

/// Moves `job`.
///
/// # Safety
/// As [`super::super::super::drive::Simd::rows`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn rows(job: &Rows) {
    let whole = job.valid == job.len;
    for y in 0..job.count {
        let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
        if job.len <= LINE {
            if whole && job.len == LINE {
                // SAFETY: the caller's promise.
                let line = unsafe { load64(src) };
                // SAFETY: as above.
                unsafe { store::<64>(dst, line) };
            } else {
                // SAFETY: as above; the mask stops where the data does.
                let line = unsafe { load64_part(src, first(job.valid)) };
                // SAFETY: as above.
                unsafe { store_part::<64>(dst, line, first(job.len)) };
            }
        } else {
            // SAFETY: as above.
            unsafe { run(src, dst, job.valid, job.stream) };
            if !whole {
                // SAFETY: as above; the row has `len` bytes.
                unsafe { zero_run(dst.wrapping_add(job.valid), job.len - job.valid) };
            }
        }
    }
}

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
    let mut at = 0;
    if streams && len >= 4 * LINE {
        let head = dst.align_offset(LINE);
        // SAFETY: the caller's promise; the head is shorter than a line.
        let line = unsafe { load64_part(src, first(head)) };
        // SAFETY: as above.
        unsafe { store_part::<64>(dst, line, first(head)) };
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
        unsafe { store::<64>(dst.wrapping_add(at), line) };
        at += LINE;
    }
    if at < len {
        let mask = first(len - at);
        // SAFETY: the mask stops at `len`.
        let line = unsafe { load64_part(src.wrapping_add(at), mask) };
        // SAFETY: as above.
        unsafe { store_part::<64>(dst.wrapping_add(at), line, mask) };
    }
}
