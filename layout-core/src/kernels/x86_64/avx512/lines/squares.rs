//! Transpositions of squares that are a line wide on both sides. Called by the folder's `Simd`.

use core::arch::x86_64::*;

use super::super::super::super::drive::{LINE, Order, Strips};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::parts::lines::squares::{AHEAD, squares_kernel};
use super::super::super::parts::maker::{shuffles_lines, writes_in_turn};
use super::super::super::parts::square::next;
use super::super::super::parts::zip::unrolled;
use super::super::super::parts::{prefetch_far, prefetch_write};
use super::super::memory::{load64, store64};
use super::super::transpose::block64;
use super::super::woven::turn;

squares_kernel! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", by_lines, square }
squares_kernel! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", by_parts, square_of_parts }

/// Transposes `job` in the order given.
///
/// # Safety
/// As `Simd::squares`, for elements of 2 or 4 bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super) unsafe fn squares<const B: usize>(job: &Strips, order: Order) {
    /// Rows of the source at a multiple of this distance share an eighth of a first-level cache.
    const CLOSE: isize = 512;
    // Half as many shuffles, which is what processors wait for that do two halves of a register in turn; but lines that compete
    // would leave the cache before all four of their parts are read.
    let competes = order.crowded || job.src_step % CLOSE == 0;
    if B == 4 && !competes && !writes_in_turn() {
        // SAFETY: the caller's promise.
        unsafe { by_parts::<B>(job, order) };
    } else {
        // SAFETY: as above.
        unsafe { by_lines::<B>(job, order) };
    }
}

/// Transposes `job` by squares where these are faster than parts of lines, once the first-level cache holds both sides (Zen 5: 1.1
/// to 1.35 times as fast); `false` elsewhere, and then nothing was done. The last squares overlap those before.
///
/// # Safety
/// The first point of `Simd::column`; the job is even, has data in all of it, and nothing streams.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super) unsafe fn near<const B: usize>(job: &Strips) -> bool {
    let side = LINE / B;
    if job.width < side || job.height < side || !shuffles_lines() {
        return false;
    }
    // What squares overlap is moved twice; registers that are read across two lines take longer too.
    let all = job.width.next_multiple_of(side) * job.height.next_multiple_of(side);
    let on_lines = (job.src.addr() | job.src_step.unsigned_abs()).is_multiple_of(LINE);
    let most = if on_lines { 21 } else { 20 };
    if 16 * all > most * job.width * job.height {
        return false;
    }
    let mut x = Some(0);
    while let Some(column) = x {
        let src = step(job.src, column, job.src_step);
        let dst = job.dst.wrapping_add(column * B);
        let mut y = Some(0);
        while let Some(at) = y {
            let (from, to) = (step(src, at, job.src_y), step_mut(dst, at, job.dst_step));
            // SAFETY: the caller's promise; this square lies in the job.
            unsafe { square::<B>(from, job.src_step, to, job.dst_step) };
            y = next(at, side, job.height);
        }
        x = next(column, side, job.width);
    }
    true
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

/// [`square`] of elements of 4 bytes, a quarter of its lines of the destination after the other.
///
/// # Safety
/// As there.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn square_of_parts<const B: usize>(src: *const u8, src_step: isize, dst: *mut u8, dst_step: isize) {
    for part in 0..4 {
        let (src, dst) = (src.wrapping_add(16 * part), step_mut(dst, 4 * part, dst_step));
        // SAFETY: the caller's promise.
        unsafe { block64::<B, 4, false>(src, src_step, dst, dst_step) };
    }
}
