//! Crossed unit strides: columns and edges of squares in registers of 16 bytes. Called by this folder's `Simd`.

use core::arch::aarch64::*;

use super::super::super::drive::Strips;
use super::super::super::generic::{step, step_mut};
use super::super::super::parts::opaque;
use super::super::super::parts::square::{at, column, next, squares, tabled};
use super::super::super::parts::zip::{lanes, unrolled};
use super::memory::*;
use super::zip::turn;

/// A line of the destination for each y, then the next one.
///
/// # Safety
/// As [`super::super::super::drive::Simd::column`], with `R * B == 16`.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn column<const B: usize, const R: usize>(job: &Strips, ahead: isize) {
    // SAFETY: the caller's promise. Parts of lines do not stream.
    unsafe { column64::<B, R, false, false>(job, ahead, 1) };
}

/// Lines of the destination side by side for each y. Not inlined, so that [`column`] is.
///
/// # Safety
/// As [`super::super::super::drive::Simd::columns`], with `R * B == 16`.
#[inline(never)]
#[target_feature(enable = "neon")]
pub(super) unsafe fn columns<const B: usize, const R: usize>(job: &Strips, aside: usize) {
    // SAFETY: the caller's promise.
    unsafe { column64::<B, R, false, true>(job, 0, aside) };
}

/// Rows of the destination of `W` bytes.
///
/// # Safety
/// As [`super::super::super::drive::Simd::narrow_column`], with `R * B == 16`.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn narrow_column<const B: usize, const R: usize, const W: usize>(job: &Strips) {
    // SAFETY: the caller's promise; there are no others.
    unsafe { column16::<B, R, false, false>(job, 0, 1) }
}

/// What fills no register, has padding or is lower than a square.
///
/// # Safety
/// As [`super::super::super::drive::Simd::edge`], with `R * B == 16`.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn edge<const B: usize, const R: usize>(job: &Strips) {
    match (job.width * B, job.height >= R) {
        // SAFETY: the caller's promise, and the width fits.
        (_, true) => unsafe { edge16::<B, R, true>(job) },
        // SAFETY: the caller's promise, and the width fits.
        (_, false) => unsafe { edge16::<B, R, false>(job) },
    }
}

squares! {
    "neon", 16, block16 edge16, zero16 join1 turn,
    load16 load16_first, store16 store16 store16_first, ones16 vandq_u8
}
column! { "neon", column64, block16, 16, 4 }
column! { "neon", column16, block16, 16, 1 }
tabled! { "neon", tabled64, 16, zero16 join1 turn, load16 store16 store16 }

/// One load.
#[inline]
#[target_feature(enable = "neon")]
fn join1(lanes: [uint8x16_t; 1]) -> uint8x16_t {
    lanes[0]
}
