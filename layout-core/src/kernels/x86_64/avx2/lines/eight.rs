//! Rows of the source that drive one another out of a first-level cache, 8 at a time, as many as that has room for: a line of each is
//! read once and whole, wherever it lies. Called by the folder's `Simd`.

use core::arch::x86_64::*;

use super::super::super::super::drive::{LINE, Strips};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::parts::opaque;
use super::super::super::parts::square::next;
use super::super::super::parts::zip::unrolled;
use super::super::memory::{load32, store16};
use super::super::transpose::{block32, turn32};

/// Rows at a time.
const ROWS: usize = 8;

/// Transposes `job` by 8 rows and a line of each; the last ones overlap those before.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::eight_rows`].
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(in super::super) unsafe fn eight_rows<const B: usize>(job: &Strips) {
    let mut x = 0;
    loop {
        let mut y = 0;
        loop {
            let from = step(step(job.src, x, job.src_step), y, job.src_y);
            let to = step_mut(job.dst, y, job.dst_step).wrapping_add(x * B);
            // SAFETY: 8 values of x and a line of those of y from here on are in the job.
            unsafe { block::<B>(from, job.src_step, to, job.dst_step) };
            match next(y, LINE / B, job.height) {
                Some(next) => y = next,
                None => break,
            }
        }
        match next(x, ROWS, job.width) {
            Some(next) => x = next,
            None => return,
        }
    }
}

/// A line of 8 rows, to 8 elements of as many lines.
///
/// # Safety
/// They can be read, and written.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn block<const B: usize>(src: *const u8, src_step: isize, dst: *mut u8, dst_step: isize) {
    if B == 4 {
        unrolled!(4, part => {
            let (from, to) = (src.wrapping_add(16 * part), step_mut(dst, 4 * part, dst_step));
            // SAFETY: the caller's promise.
            unsafe { block32::<4, 4, false>(from, src_step, to, dst_step) };
        });
        return;
    }
    // Lines of the destination that a lane of a register has a part of.
    let count = 2 / B;
    unrolled!(2, half => {
        let from = opaque(src.wrapping_add(32 * half).cast_mut()).cast_const();
        let below = opaque(step(from, 4, src_step).cast_mut()).cast_const();
        let mut rows = [_mm256_setzero_si256(); ROWS];
        unrolled!(4, i => {
            // SAFETY: the caller's promise.
            rows[i] = unsafe { load32(step(from, i, src_step)) };
            // SAFETY: as above.
            rows[4 + i] = unsafe { load32(step(below, i, src_step)) };
        });
        let lines = turn32::<B, 8>(rows, ROWS);
        unrolled!(2, l => {
            let to = opaque(step_mut(dst, (2 * half + l) * 16 / B, dst_step));
            let middle = opaque(step_mut(to, 4 * count, dst_step));
            unrolled!(8, i => {
                let both = lines[i];
                let part = if l == 0 { _mm256_castsi256_si128(both) } else { _mm256_extracti128_si256::<1>(both) };
                let at = step_mut(if i < 4 { to } else { middle }, count * (i % 4), dst_step);
                if B == 2 {
                    // SAFETY: as above.
                    unsafe { store16(at, part) };
                } else {
                    // SAFETY: as above.
                    unsafe { _mm_storeu_si64(at, part) };
                    let second = _mm_unpackhi_epi64(part, part);
                    // SAFETY: as above.
                    unsafe { _mm_storeu_si64(step_mut(at, 1, dst_step), second) };
                }
            });
        });
    });
}
