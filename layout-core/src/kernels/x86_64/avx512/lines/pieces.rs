//! Pieces of half a line or a quarter of one, in squares: each line is read once and whole, and written once and whole.

use core::arch::x86_64::*;

use super::super::super::super::drive::{LINE, Pieces};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::parts::opaque;
use super::super::super::parts::zip::unrolled;
use super::super::dense::turn_lanes;
use super::super::memory::{load64, store64, stream};

/// Lines of each row of the destination that are written in turn: more rows than the processor follows may lie side by side.
const BAND: usize = 8;

/// Moves pieces of half a line.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::pieces`], for such pieces.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super) unsafe fn halves(job: &Pieces) {
    let turn =
        |[a, b]: [__m512i; 2]| [_mm512_shuffle_i64x2::<0x44>(a, b), _mm512_shuffle_i64x2::<0xEE>(a, b)];
    // SAFETY: the caller's promise.
    unsafe { squares::<2>(job, turn) };
}

/// Moves pieces of a quarter of a line.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::pieces`], for such pieces.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super) unsafe fn quarters(job: &Pieces) {
    let turn = |lines| turn_lanes(lines);
    // SAFETY: the caller's promise.
    unsafe { squares::<4>(job, turn) };
}

/// Moves squares of `N` by `N` pieces, which `turn` turns.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::pieces`], for pieces of which `N` fill a line.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn squares<const N: usize>(job: &Pieces, turn: impl Fn([__m512i; N]) -> [__m512i; N]) {
    let Pieces { across, down, places, .. } = *job;
    // Of several places, one row of the destination after the other: else they compete for the caches.
    let band = if places.0.len() > 1 { usize::MAX } else { BAND * N };
    let mut y = 0;
    while y < down.len {
        let count = if down.len - y < band { down.len - y } else { band };
        let (mut src, mut dst) = (step(job.src, y, down.src), step_mut(job.dst, y, down.dst));
        for _ in 0..across.len / N {
            for (&src_by, &dst_by) in places.0.iter().zip(places.1) {
                let (mut from, mut to) = (src.wrapping_offset(src_by), dst.wrapping_offset(dst_by));
                for _ in 0..count / N {
                    let mut lines = [_mm512_setzero_si512(); N];
                    unrolled!(N, i => {
                        // SAFETY: this line is `N` pieces of the job.
                        lines[i] = unsafe { load64(step(from, i, down.src)) };
                    });
                    let lines = turn(lines);
                    unrolled!(N, i => {
                        let to = step_mut(to, i, across.dst);
                        if job.stream {
                            // SAFETY: this line is `N` pieces of the job, and aligned.
                            unsafe { stream(to, lines[i]) };
                        } else {
                            // SAFETY: this line is `N` pieces of the job.
                            unsafe { store64(to, lines[i]) };
                        }
                    });
                    from = opaque(step(from, N, down.src).cast_mut()).cast_const();
                    to = opaque(to.wrapping_add(LINE));
                }
            }
            (src, dst) = (src.wrapping_add(LINE), step_mut(dst, N, across.dst));
        }
        y += count;
    }
}
