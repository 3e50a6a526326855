//! Transpositions of squares that are a line wide on both sides. Called by the folder's `Simd`.

use core::arch::x86_64::*;

use super::super::super::super::drive::{LINE, Order, Strips};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::parts::lines::squares::{AHEAD, squares_kernel};
use super::super::super::parts::square::next;
use super::super::super::parts::zip::{lanes, unrolled};
use super::super::super::parts::{opaque, prefetch_far, prefetch_write};
use super::super::memory::{load16, store64};
use super::super::transpose::{block32, join2, turn32};

squares_kernel! { "avx2,f16c", squares, square }
squares_kernel! { "avx2,f16c", crowded_squares, crowded_square }

/// Transposes a square by blocks of half lines, so that lines of the destination are filled in turn.
///
/// # Safety
/// A line can be read at `src` and each of the rows behind it, and written at `dst` and each of the lines behind it, as many
/// as it has elements of `B` bytes, which is 4.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn square<const B: usize>(src: *const u8, src_step: isize, dst: *mut u8, dst_step: isize) {
    unrolled!(8, i => {
        let (half, part) = (i % 2, i / 2);
        let from = step(src, 8 * half, src_step).wrapping_add(16 * part);
        let to = step_mut(dst, 4 * part, dst_step).wrapping_add(32 * half);
        // SAFETY: the caller's promise: four lines' halves of the square.
        unsafe { block32::<B, 4, false>(from, src_step, to, dst_step) };
    });
}

/// [`square`] by 8 rows at a time, whose lines stay in the first-level cache wherever they lie; each line of the destination is
/// written at once.
///
/// # Safety
/// As [`square`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn crowded_square<const B: usize>(src: *const u8, src_step: isize, dst: *mut u8, dst_step: isize) {
    let mut halves = [[_mm256_setzero_si256(); 4]; 4];
    unrolled!(4, part => {
        // SAFETY: the caller's promise.
        halves[part] = unsafe { half::<B>(src.wrapping_add(16 * part), src_step) };
    });
    let below = opaque(step(src, 8, src_step).cast_mut()).cast_const();
    unrolled!(4, part => {
        // SAFETY: the caller's promise.
        let second = unsafe { half::<B>(below.wrapping_add(16 * part), src_step) };
        let to = opaque(step_mut(dst, 4 * part, dst_step));
        unrolled!(4, i => {
            // SAFETY: the caller's promise: these lines are in the square.
            unsafe { store64(step_mut(to, i, dst_step), [halves[part][i], second[i]]) };
        });
    });
}

/// Four columns of eight rows.
///
/// # Safety
/// 16 bytes of each row can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn half<const B: usize>(src: *const u8, src_step: isize) -> [__m256i; 4] {
    let mut rows = [_mm256_setzero_si256(); 4];
    unrolled!(4, i => {
        // SAFETY: the caller's promise.
        rows[i] = join2(lanes!(32, l => unsafe { load16(step(src, 4 * l + i, src_step)) }));
    });
    turn32::<B, 4>(rows, 4)
}
