//! Pieces of half a line or a quarter of one, in squares. Called by the folder's `Simd`.

use core::arch::x86_64::*;

use super::super::super::super::drive::{LINE, Pieces};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::parts::lines::pieces::{BAND, pieces_kernel};
use super::super::super::parts::zip::unrolled;
use super::super::super::parts::{ACROSS, opaque, prefetch_write};
use super::super::dense::turn_lanes;
use super::super::memory::{load64, store64, stream};

pieces_kernel! {
    "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", __m512i, _mm512_setzero_si512(), turn_halves turn_lanes,
    load64 store64 stream
}

/// Half h of register i becomes half i of register h.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn turn_halves([a, b]: [__m512i; 2]) -> [__m512i; 2] {
    [_mm512_shuffle_i64x2::<0x44>(a, b), _mm512_shuffle_i64x2::<0xEE>(a, b)]
}
