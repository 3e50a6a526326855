//! Blocks of 16 by 4 bytes, the operands of dot products: runs of elements to lines of groups and back, in registers of 16
//! bytes. Called by this folder's `Simd`.

use core::arch::x86_64::*;

use super::super::super::drive::{LINE, Woven, fetches};
use super::super::super::generic::{step, step_mut};
use super::super::parts::prefetch;
use super::super::parts::woven::{AHEAD, some_runs, tables, woven_kernel};
use super::super::parts::zip::{lanes, unrolled};
use super::memory::*;
use super::transpose::{join1, turn16};

woven_kernel! {
    "sse4.1", __m128i, 16, _mm_setzero_si128 join1 same lane turn16,
    _mm_shuffle_epi8 _mm_or_si128, load16 load16_first store16
}

/// The one lane.
#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) fn lane(value: __m128i, _: usize) -> __m128i {
    value
}

/// 16 bytes in the one lane.
#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) fn same(value: __m128i) -> __m128i {
    value
}
