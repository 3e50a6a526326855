//! Blocks of 16 by 4 bytes, the operands of dot products (`16o4i` of 8-bit, `16o2i` of 16-bit elements): on the one side
//! lines of 16 groups of 4 bytes, one line for each of a few values (the taps of a kernel), on the other side, for each of the
//! 16, a run in which those values follow one another. A run is brought to groups of 4 bytes in its register, and then there
//! are squares of 16 by 16 groups to transpose.

use core::arch::x86_64::*;

use super::super::super::drive::{Woven, fetches};
use super::super::super::generic::{step, step_mut};
use super::super::parts::prefetch;
use super::super::parts::woven::tables;
use super::super::parts::zip::unrolled;
use super::dense::turn_lanes;
use super::memory::{load64, load64_first, load64_of, store64, store64_first};

/// So many bytes ahead far runs are fetched.
const AHEAD: usize = 256;

/// Runs to lines.
///
/// # Safety
/// As [`super::super::super::drive::Simd::weave`].
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn weave<const B: usize>(job: &Woven) {
    let to_groups = const { &tables::<B>(false) };
    // SAFETY: a table fills a register.
    let to_groups = unsafe { load64(to_groups.0[job.taps].as_ptr()) };
    let (len, whole) = (job.run_len::<B>(), job.whole::<B>(job.src_blocks));
    let fetches = fetches(job.run, 16);
    for (k, (&src_by, &dst_by)) in job.src_blocks.iter().zip(job.dst_blocks).enumerate() {
        let src = job.src.wrapping_offset(src_by);
        let mut runs = [_mm512_setzero_si512(); 16];
        if fetches {
            unrolled!(16, i => {
                prefetch(step(src, i, job.run).wrapping_add(AHEAD));
            });
        }
        if k < whole {
            unrolled!(16, i => {
                // SAFETY: the runs of the blocks behind this one follow, and fill a register.
                runs[i] = unsafe { load64(step(src, i, job.run)) };
            });
        } else {
            unrolled!(16, i => {
                if i < job.runs && len > 0 {
                    // SAFETY: the run is in the job.
                    runs[i] = unsafe { load64_first(step(src, i, job.run), len) };
                }
            });
        }
        unrolled!(16, i => {
            runs[i] = _mm512_permutexvar_epi8(to_groups, runs[i]);
        });
        let lines = turn(runs);
        let dst = job.dst.wrapping_offset(dst_by);
        unrolled!(16, tap => {
            if tap < job.taps {
                // SAFETY: the line is in the job.
                unsafe { store64(step_mut(dst, tap, job.line), lines[tap]) };
            }
        });
    }
}

/// Lines to runs.
///
/// # Safety
/// As [`super::super::super::drive::Simd::unweave`].
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn unweave<const B: usize>(job: &Woven) {
    let from_groups = const { &tables::<B>(true) };
    // SAFETY: a table fills a register.
    let from_groups = unsafe { load64(from_groups.0[job.taps].as_ptr()) };
    let (len, whole) = (job.run_len::<B>(), job.whole::<B>(job.dst_blocks));
    let all = job.runs == 16 && job.elements * B == 4;
    // A bit for each byte of a line that holds data.
    let data = (u64::MAX / 0xF * ((1 << (job.elements * B)) - 1)) & u64::MAX >> (64 - 4 * job.runs.max(1));
    for (k, (&src_by, &dst_by)) in job.src_blocks.iter().zip(job.dst_blocks).enumerate() {
        let src = job.src.wrapping_offset(src_by);
        let mut lines = [_mm512_setzero_si512(); 16];
        unrolled!(16, tap => {
            if tap < job.taps {
                let from = step(src, tap, job.line);
                lines[tap] = if all {
                    // SAFETY: the line is in the job, and holds data.
                    unsafe { load64(from) }
                } else {
                    // SAFETY: these elements are in the job.
                    unsafe { load64_of(from, data) }
                };
            }
        });
        let mut runs = turn(lines);
        unrolled!(16, i => {
            runs[i] = _mm512_permutexvar_epi8(from_groups, runs[i]);
        });
        let dst = job.dst.wrapping_offset(dst_by);
        if k < whole {
            unrolled!(16, i => {
                // SAFETY: what lies behind the run is written with the blocks behind this one.
                unsafe { store64(step_mut(dst, i, job.run), runs[i]) };
            });
        } else {
            unrolled!(16, i => {
                if i < job.runs {
                    // SAFETY: the run is in the job.
                    unsafe { store64_first(step_mut(dst, i, job.run), runs[i], len) };
                }
            });
        }
    }
}

/// Transposes 16 by 16 groups of 4 bytes: two groups, then four within the lanes, then the lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn turn(rows: [__m512i; 16]) -> [__m512i; 16] {
    let mut pairs = rows;
    unrolled!(8, i => {
        pairs[2 * i] = _mm512_unpacklo_epi32(rows[2 * i], rows[2 * i + 1]);
        pairs[2 * i + 1] = _mm512_unpackhi_epi32(rows[2 * i], rows[2 * i + 1]);
    });
    // Lane l of fours[4 i + j] is group 4 l + j of four rows from 4 i on.
    let mut fours = pairs;
    unrolled!(4, i => {
        fours[4 * i] = _mm512_unpacklo_epi64(pairs[4 * i], pairs[4 * i + 2]);
        fours[4 * i + 1] = _mm512_unpackhi_epi64(pairs[4 * i], pairs[4 * i + 2]);
        fours[4 * i + 2] = _mm512_unpacklo_epi64(pairs[4 * i + 1], pairs[4 * i + 3]);
        fours[4 * i + 3] = _mm512_unpackhi_epi64(pairs[4 * i + 1], pairs[4 * i + 3]);
    });
    let mut turned = fours;
    unrolled!(4, j => {
        let lanes = turn_lanes([fours[j], fours[4 + j], fours[8 + j], fours[12 + j]]);
        unrolled!(4, l => {
            turned[4 * l + j] = lanes[l];
        });
    });
    turned
}
