//! Transpositions of squares that are a line wide on both sides, for rows of the source or lines of the destination that drive
//! one another out of the first-level cache: each line is read and written once, and squares of squares follow one another.

use core::arch::x86_64::*;

use super::super::super::super::drive::{LINE, Strips};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::parts::square::next;
use super::super::super::parts::zip::unrolled;
use super::super::memory::{load64, store64};
use super::super::woven::turn;

/// Squares that follow one another along either axis before those behind them.
const TOGETHER: usize = 16;

/// Transposes `job`.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::crowded`], for elements of 1, 2 or 4 bytes.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super) unsafe fn crowded<const B: usize>(job: &Strips) {
    let side = LINE / B;
    let mut x = 0;
    while x < job.width {
        let width = (job.width - x).min(TOGETHER * side);
        let mut y = 0;
        while y < job.height {
            // What is left of a square is done with the last ones, of which the last overlaps the one before.
            let left = job.height - y;
            let height = if left < (TOGETHER + 1) * side { left } else { TOGETHER * side };
            // SAFETY: these values of x and y lie in the job, and are a square at least.
            unsafe { squares::<B>(&job.part::<B>(x, width).part_y(y, height)) };
            y += height;
        }
        x += width;
    }
}

/// [`crowded`] for as many squares as are done together.
///
/// # Safety
/// As [`crowded`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn squares<const B: usize>(job: &Strips) {
    let side = LINE / B;
    let mut y = 0;
    loop {
        let (from, to) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_step));
        let mut x = 0;
        while x < job.width {
            // SAFETY: this square lies in the job.
            unsafe {
                square::<B>(step(from, x, job.src_step), job.src_step, to.wrapping_add(x * B), job.dst_step)
            };
            x += side;
        }
        match next(y, side, job.height) {
            Some(next) => y = next,
            None => return,
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
    let mut parts = [[_mm512_setzero_si512(); 16]; 4];
    unrolled!(16, group => {
        // SAFETY: the caller's promise; a group has `4 / B` rows.
        let row = |i: usize| unsafe { load64(step(src, group * (4 / B) + i, src_step)) };
        match B {
            1 => {
                let (a, b, c, d) = (row(0), row(1), row(2), row(3));
                let (low, high) = (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b));
                let (low_cd, high_cd) = (_mm512_unpacklo_epi8(c, d), _mm512_unpackhi_epi8(c, d));
                parts[0][group] = _mm512_unpacklo_epi16(low, low_cd);
                parts[1][group] = _mm512_unpackhi_epi16(low, low_cd);
                parts[2][group] = _mm512_unpacklo_epi16(high, high_cd);
                parts[3][group] = _mm512_unpackhi_epi16(high, high_cd);
            }
            2 => {
                let (a, b) = (row(0), row(1));
                parts[0][group] = _mm512_unpacklo_epi16(a, b);
                parts[1][group] = _mm512_unpackhi_epi16(a, b);
            }
            _ => parts[0][group] = row(0),
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
