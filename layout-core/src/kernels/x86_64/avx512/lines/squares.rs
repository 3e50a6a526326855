//! Transpositions of squares that are a line wide on both sides: each line is read and written once, and the next ones of the
//! same rows follow at once, which the processor foresees. For lines that lie far from one another.

use core::arch::x86_64::*;

use super::super::super::super::drive::{Ahead, LINE, Strips};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::parts::prefetch;
use super::super::super::parts::square::next;
use super::super::super::parts::zip::unrolled;
use super::super::memory::{load64, store64};
use super::super::woven::turn;

/// So many squares ahead the source is fetched.
const AHEAD: usize = 2;

/// Up to this distance, lines of the destination lie near one another along y.
const NEAR: usize = 512;

/// Transposes `job`, first the squares that follow one another along x, or along y where that is longer and the lines of the
/// destination lie near one another; the last one along y may overlap the one before.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::squares`], for elements of 2 or 4 bytes.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super) unsafe fn squares<const B: usize>(job: &Strips, ahead: Ahead) {
    let (side, down) = (LINE / B, job.height > job.width && job.dst_step.unsigned_abs() <= NEAR);
    let (mut x, mut y) = (0, 0);
    loop {
        let from = step(step(job.src, x, job.src_step), y, job.src_y);
        if ahead != Ahead::Nowhere {
            let from = step(from, AHEAD * side, job.src_step);
            unrolled!(4 / B, part => {
                let from = step(from, 16 * part, job.src_step);
                unrolled!(16, i => {
                    let row = step(from, i, job.src_step);
                    if ahead == Ahead::First {
                        prefetch(row);
                    } else {
                        _mm_prefetch::<_MM_HINT_T1>(row.cast());
                    }
                });
            });
        }
        let to = step_mut(job.dst, y, job.dst_step).wrapping_add(x * B);
        // SAFETY: this square lies in the job.
        unsafe { square::<B>(from, job.src_step, to, job.dst_step) };
        let below = next(y, side, job.height);
        (x, y) = match (down, below) {
            (true, Some(below)) => (x, below),
            (true, None) => (x + side, 0),
            (false, _) if x + side < job.width => (x + side, y),
            (false, Some(below)) => (0, below),
            (false, None) => return,
        };
        if x == job.width {
            return;
        }
    }
}

/// Transposes a square: the elements of a few rows are joined to groups of 4 bytes, and then there are squares of 16 by 16
/// groups to transpose.
///
/// # Safety
/// A line can be read at `src` and each of the rows behind it, and written at `dst` and each of the lines behind it, as many
/// as it has elements of `B` bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn square<const B: usize>(src: *const u8, src_step: isize, dst: *mut u8, dst_step: isize) {
    let mut parts = [[_mm512_setzero_si512(); 16]; 2];
    unrolled!(16, group => {
        // SAFETY: the caller's promise; a group has `4 / B` rows.
        let row = |i: usize| unsafe { load64(step(src, group * (4 / B) + i, src_step)) };
        if B == 2 {
            let (a, b) = (row(0), row(1));
            parts[0][group] = _mm512_unpacklo_epi16(a, b);
            parts[1][group] = _mm512_unpackhi_epi16(a, b);
        } else {
            parts[0][group] = row(0);
        }
    });
    for (part, groups) in parts[..4 / B].iter().enumerate() {
        let lines = turn(*groups);
        unrolled!(16, i => {
            // Group 4 l + j of a part is element j of its four in lane l.
            let y = i / 4 * (16 / B) + 4 * part + i % 4;
            // SAFETY: the caller's promise.
            unsafe { store64(step_mut(dst, y, dst_step), lines[i]) };
        });
    }
}
