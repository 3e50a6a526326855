//! Blocks of 16 by 4 bytes, the operands of dot products, in registers of 32 bytes: runs of elements to lines of groups and back, `pairs` of
//! them in particular, and planes of elements to `groups` and back. Called by this folder's `Simd`.

mod groups;
mod pairs;

use core::arch::x86_64::*;

use super::super::super::drive::{LINE, Woven, fetches};
use super::super::super::generic::{step, step_mut};
use super::super::parts::prefetch;
use super::super::parts::woven::{AHEAD, TOGETHER, tables, woven_kernel};
use super::super::parts::zip::{lanes, unrolled};
use super::memory::*;
use super::transpose::{join2, turn32};
pub(super) use groups::{group, group_methods, ungroup};
use pairs::{apart, pairs};

woven_kernel! {
    "avx2,f16c", __m256i, 32, _mm256_setzero_si256 join2 _mm256_broadcastsi128_si256 lane turn32,
    _mm256_shuffle_epi8 _mm256_or_si256, load32 load32_first store32, pairs apart
}

/// Lane `l` of two.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn lane(value: __m256i, l: usize) -> __m128i {
    if l == 0 { _mm256_castsi256_si128(value) } else { _mm256_extracti128_si256::<1>(value) }
}
