//! Blocks of 16 by 4 bytes, the operands of dot products, in registers of 32 bytes: `runs` of elements to lines of groups and back, those of
//! `nine` taps and `pairs` in particular, and planes of elements to `groups` and back. Called by this folder's `Simd`.

mod groups;
mod nine;
mod pairs;
mod runs;

use core::arch::x86_64::*;

use super::super::super::drive::Woven;
pub(super) use groups::{group, group_methods, ungroup};

/// Runs to lines.
///
/// # Safety
/// As [`super::super::super::drive::Simd::weave`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn weave<const B: usize>(job: &Woven) {
    // SAFETY of all three: the caller's promise.
    // SAFETY: see above.
    if unsafe { nine::weave::<B>(job) } {
        return;
    }
    // SAFETY: see above.
    if B == 2 && unsafe { pairs::pairs(job) } {
        return;
    }
    // SAFETY: see above.
    unsafe { runs::weave::<B>(job) };
}

/// Lines to runs.
///
/// # Safety
/// As [`super::super::super::drive::Simd::unweave`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn unweave<const B: usize>(job: &Woven) {
    // SAFETY of all three: the caller's promise.
    // SAFETY: see above.
    if unsafe { nine::unweave::<B>(job) } {
        return;
    }
    // SAFETY: see above.
    if B == 2 && unsafe { pairs::apart(job) } {
        return;
    }
    // SAFETY: see above.
    unsafe { runs::unweave::<B>(job) };
}

/// Lane `l` of two.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn lane(value: __m256i, l: usize) -> __m128i {
    if l == 0 { _mm256_castsi256_si128(value) } else { _mm256_extracti128_si256::<1>(value) }
}
