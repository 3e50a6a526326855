//! Pieces of half a line or a quarter of one, in squares. Called by the folder's `Simd`.

use core::arch::x86_64::*;

use super::super::super::super::drive::{LINE, Pieces};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::parts::lines::pieces::{BAND, pieces_kernel};
use super::super::super::parts::zip::unrolled;
use super::super::super::parts::{ACROSS, opaque, prefetch_write};
use super::super::memory::{load64, store64, stream64};

pieces_kernel! {
    "avx2,f16c", [__m256i; 2], [_mm256_setzero_si256(); 2], turn_halves turn_quarters, load64 store64 stream64
}

/// Half h of line i becomes half i of line h.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn turn_halves([a, b]: [[__m256i; 2]; 2]) -> [[__m256i; 2]; 2] {
    [[a[0], b[0]], [a[1], b[1]]]
}

/// Quarter q of line i becomes quarter i of line q.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn turn_quarters([a, b, c, d]: [[__m256i; 2]; 4]) -> [[__m256i; 2]; 4] {
    let low = |a, b| _mm256_permute2x128_si256::<0x20>(a, b);
    let high = |a, b| _mm256_permute2x128_si256::<0x31>(a, b);
    [
        [low(a[0], b[0]), low(c[0], d[0])],
        [high(a[0], b[0]), high(c[0], d[0])],
        [low(a[1], b[1]), low(c[1], d[1])],
        [high(a[1], b[1]), high(c[1], d[1])],
    ]
}
