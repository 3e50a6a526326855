//! Blocks of 16 by 4 bytes, the operands of dot products (`16o4i` of 8-bit, `16o2i` of 16-bit elements): on the one side
//! lines of 16 groups of 4 bytes, one line for each of a few values (the taps of a kernel), on the other side, for each of the
//! 16, a run in which those values follow one another. A run is brought to groups of 4 bytes in its register, and then there
//! are squares of 16 by 16 groups to transpose.

use core::arch::x86_64::*;

use super::super::super::drive::{LINE, Woven, fetches};
use super::super::super::generic::{step, step_mut};
use super::super::parts::woven::tables;
use super::super::parts::zip::{lanes, unrolled};
use super::super::parts::{opaque, prefetch};
use super::dense::turn_lanes;
use super::memory::{load32, load64, load64_first, load64_of, store64, store64_first};
use super::narrow::hidden;
use super::transpose::turn64;

/// So many bytes ahead far runs are fetched.
const AHEAD: usize = 256;

/// Runs to lines.
///
/// # Safety
/// As [`super::super::super::drive::Simd::weave`].
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn weave<const B: usize>(job: &Woven) {
    if near::<B>(job) {
        // SAFETY: the caller's promise.
        return unsafe { weave_near::<B>(job) };
    }
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

/// Whether [`weave_near`] takes `job`: its runs are whole, of two times 32 bytes that overlap.
#[inline(always)]
fn near<const B: usize>(job: &Woven) -> bool {
    matches!(job.taps, NEAR..=MOST) && job.runs == 16 && job.elements * B == 4
}

/// Taps, 4 bytes of each run each, of which the first four lie in the first 32 bytes, and the others in the last 32.
const NEAR: usize = 8;
const MOST: usize = 9;

/// For these numbers of taps: where the bytes of four taps, of the next four and of the last one lie in two times 32 bytes.
struct Halves([[[u8; LINE]; 3]; 2]);

/// Of each half of a register 16 bytes: the groups of a run of elements of `B` bytes.
const fn halves<const B: usize>() -> Halves {
    let mut halves = [[[0; LINE]; 3]; 2];
    let mut taps = NEAR;
    while taps <= MOST {
        let (len, mut i) = (4 * taps, 0);
        while i < 3 * LINE {
            let (part, half, byte) = (i / LINE, i / 16 % 2, i % 16);
            let (tap, element) = (4 * part + byte / 4, byte % 4 / B);
            let (in_run, first) =
                ((element * taps + tap) * B + byte % B, if part == 0 { 0 } else { len - 32 });
            if tap < taps {
                halves[taps - NEAR][part][i % LINE] = (32 * half + in_run - first) as u8;
            }
            i += 1;
        }
        taps += 1;
    }
    Halves(halves)
}

/// [`weave`] for the kernels of convolutions of 3 x 3. Two runs share a register, so that bytes come to their lanes when they are
/// brought to groups, and groups need to be transposed within lanes alone: half of the shuffles, which are what it waits for.
///
/// # Safety
/// As [`weave`], for a job that is [`near`].
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn weave_near<const B: usize>(job: &Woven) {
    /// The lanes of the third and the fourth run of four.
    const LAST: u64 = 0xFFFF_FFFF_0000_0000;
    let tables = &const { halves::<B>() }.0[job.taps - NEAR];
    let mut at = [_mm512_setzero_si512(); 3];
    unrolled!(3, part => {
        // SAFETY: a table fills a register.
        at[part] = unsafe { load64(tables[part].as_ptr()) };
    });
    // Else the compiler would join the registers by one more shuffle.
    let others = hidden(LAST);
    let (last, fetches) = (4 * job.taps - 32, fetches(job.run, 16));
    for (&src_by, &dst_by) in job.src_blocks.iter().zip(job.dst_blocks) {
        let (src, dst) = (job.src.wrapping_offset(src_by), job.dst.wrapping_offset(dst_by));
        if fetches {
            unrolled!(16, i => {
                prefetch(step(src, i, job.run).wrapping_add(AHEAD));
            });
        }
        // Lane l of register i becomes run 4 l + i.
        let (mut low, mut high, mut end) =
            ([_mm512_setzero_si512(); 4], [_mm512_setzero_si512(); 4], [_mm512_setzero_si512(); 4]);
        unrolled!(4, i => {
            let from = opaque(step(src, i, job.run).cast_mut()).cast_const();
            let runs = lanes!(64, l => step(from, 4 * l, job.run));
            // SAFETY: the runs are in the job.
            let a = unsafe { two(runs[0], runs[1]) };
            // SAFETY: as above.
            let b = unsafe { two(runs[2], runs[3]) };
            low[i] = _mm512_mask_permutexvar_epi8(_mm512_permutexvar_epi8(at[0], a), others, at[0], b);
            let runs = lanes!(64, l => runs[l].wrapping_add(last));
            // SAFETY: as above.
            let a = unsafe { two(runs[0], runs[1]) };
            // SAFETY: as above.
            let b = unsafe { two(runs[2], runs[3]) };
            high[i] = _mm512_mask_permutexvar_epi8(_mm512_permutexvar_epi8(at[1], a), others, at[1], b);
            end[i] = _mm512_mask_permutexvar_epi8(_mm512_permutexvar_epi8(at[2], a), others, at[2], b);
        });
        let (low, high) = (turn64::<4, 4>(low, 4), turn64::<4, 4>(high, 4));
        unrolled!(4, tap => {
            // SAFETY: the lines are in the job.
            unsafe { store64(step_mut(dst, tap, job.line), low[tap]) };
            // SAFETY: as above.
            unsafe { store64(step_mut(dst, 4 + tap, job.line), high[tap]) };
        });
        if job.taps == MOST {
            let line = turn64::<4, 4>(end, 4)[0];
            // SAFETY: as above.
            unsafe { store64(step_mut(dst, 8, job.line), line) };
        }
    }
}

/// 32 bytes from `low` on, and 32 from `high` on.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn two(low: *const u8, high: *const u8) -> __m512i {
    // SAFETY: the caller's promise.
    let low = unsafe { load32(low) };
    // SAFETY: as above.
    let high = unsafe { load32(high) };
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
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
