//! Crossed unit strides: columns and edges of squares in registers of 16 bytes. Called by this folder's `Simd`.

use core::arch::x86_64::*;

use super::super::super::drive::Strips;
use super::super::super::generic::{step, step_mut};
use super::super::parts::opaque;
use super::super::parts::square::{at, column, next, squares, tabled};
use super::super::parts::zip::{lanes, unrolled, zip_network};
use super::memory::*;

/// A line of the destination for each y, then the next one.
///
/// # Safety
/// As [`super::super::super::drive::Simd::column`], with `R * B == 16`.
#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) unsafe fn column<const B: usize, const R: usize>(job: &Strips, ahead: isize) {
    // SAFETY: the caller's promise. Parts of lines do not stream.
    unsafe { column64::<B, R, false, false>(job, ahead, 1) };
}

/// Lines of the destination side by side for each y. Not inlined, so that [`column`] is.
///
/// # Safety
/// As [`super::super::super::drive::Simd::columns`], with `R * B == 16`.
#[inline(never)]
#[target_feature(enable = "sse4.1")]
pub(super) unsafe fn columns<const B: usize, const R: usize>(job: &Strips, aside: usize) {
    // SAFETY: the caller's promise.
    unsafe { column64::<B, R, false, true>(job, 0, aside) };
}

/// Rows of the destination of `W` bytes.
///
/// # Safety
/// As [`super::super::super::drive::Simd::narrow_column`], with `R * B == 16`.
#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) unsafe fn narrow_column<const B: usize, const R: usize, const W: usize>(job: &Strips) {
    // SAFETY: the caller's promise; there are no others.
    unsafe { column16::<B, R, false, false>(job, 0, 1) }
}

/// What fills no register, has padding or is lower than a square.
///
/// # Safety
/// As [`super::super::super::drive::Simd::edge`], with `R * B == 16`.
#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) unsafe fn edge<const B: usize, const R: usize>(job: &Strips) {
    match (job.width * B, job.height >= R) {
        // SAFETY: the caller's promise, and the width fits.
        (_, true) => unsafe { edge16::<B, R, true>(job) },
        // SAFETY: the caller's promise, and the width fits.
        (_, false) => unsafe { edge16::<B, R, false>(job) },
    }
}

squares! {
    "sse4.1", 16, block16 edge16, _mm_setzero_si128 join1 turn16,
    load16 load16_first, store16 store16 store16_first, ones16 _mm_and_si128
}
column! { "sse4.1", column64, block16, 16, 4 }
column! { "sse4.1", column16, block16, 16, 1 }
tabled! { "sse4.1", tabled64, 16, _mm_setzero_si128 join1 turn16, load16 store16 store16 }

/// One load.
#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) fn join1(lanes: [__m128i; 1]) -> __m128i {
    lanes[0]
}

zip_network! {
    pub(super) turn16, __m128i, "sse4.1",
    _mm_unpacklo_epi8 _mm_unpackhi_epi8, _mm_unpacklo_epi16 _mm_unpackhi_epi16,
    _mm_unpacklo_epi32 _mm_unpackhi_epi32, _mm_unpacklo_epi64 _mm_unpackhi_epi64
}
