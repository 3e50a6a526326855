//! Transpositions of squares that are a line wide on both sides. Called by the folder's `Simd`.

use core::arch::x86_64::*;

use super::super::super::super::drive::{Ahead, LINE, Order, Strips};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::parts::lines::squares::{AHEAD, squares_kernel};
use super::super::super::parts::square::next;
use super::super::super::parts::zip::unrolled;
use super::super::super::parts::{prefetch, prefetch_write};
use super::super::transpose::block32;

squares_kernel! { "avx2,f16c", square }

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
