//! Rows of the destination of 16 bytes, or of a few times as many, whether they follow one another or not. Four rows of the source
//! fill the lanes of a register, so that one permutation brings together what four values of x have of each y. What limits narrow
//! rows are the shuffles, and these are a half to a quarter of those of squares in as narrow registers. Called by `dense` and `transpose`.

use core::arch::x86_64::*;

use super::super::super::super::drive::{LINE, Strips};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::tile::Step;
use super::super::super::parts::opaque;
use super::super::super::parts::square::next;
use super::super::super::parts::zip::{lanes, unrolled};
use super::super::memory::{load16, load64, store16, store64};
use super::super::transpose::{fill4, inserts};

/// Transposes all repetitions of `job` in squares of 16 by 16 bytes, those of the same y side by side; the last squares overlap
/// the ones before where the height is no multiple of them.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::repeated`] for rows of 16 bytes, with `R * B == 16` and elements of 4 bytes at
/// most; the job is `TABLED` if it is not even, but the source's rows are.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super) unsafe fn quads<const B: usize, const R: usize, const TABLED: bool>(
    job: &Strips,
    again: Step,
) {
    if inserts() {
        // SAFETY: the caller's promise.
        unsafe { quads_by::<B, R, TABLED, true>(job, again) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { quads_by::<B, R, TABLED, false>(job, again) };
    }
}

/// The same, with loads brought together as [`fill4`] says.
///
/// # Safety
/// As [`quads`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn quads_by<const B: usize, const R: usize, const TABLED: bool, const INSERTS: bool>(
    job: &Strips,
    again: Step,
) {
    let table = const { &together::<B>() };
    // SAFETY: a table fills a register.
    let together = unsafe { load64(table.0.as_ptr()) };
    let Strips { src_step, dst_step, .. } = *job;
    // SAFETY: the job has such a row.
    let first = unsafe { job.row(0) };
    let mut y = 0;
    loop {
        let mut src = step(first, y, job.src_y);
        let mut dst = if TABLED { job.dst } else { step_mut(job.dst, y, dst_step) };
        let mut left = again.len;
        loop {
            let mut quads = [_mm512_setzero_si512(); 4];
            unrolled!(4, q => {
                if 4 * q < R {
                    // Else the distances of all rows would be kept.
                    let row = opaque(step(src, 4 * q, src_step).cast_mut()).cast_const();
                    let rows = fill4::<INSERTS>(lanes!(64, l => {
                        // SAFETY: the caller's promise; these values of x and y are in the job.
                        unsafe { load16(step(row, l, src_step)) }
                    }));
                    quads[q] = match B {
                        1 => _mm512_permutexvar_epi8(together, rows),
                        2 => _mm512_permutexvar_epi16(together, rows),
                        _ => _mm512_permutexvar_epi32(together, rows),
                    };
                }
            });
            let lines = join::<B>(quads);
            unrolled!(4, k => {
                if 4 * k < R {
                    let to = opaque(step_mut(dst, 4 * k, dst_step));
                    if !TABLED && dst_step == 16 {
                        // SAFETY: as above; the four rows are a line.
                        unsafe { store64(to, lines[k]) };
                    } else {
                        let rows = [
                            _mm512_castsi512_si128(lines[k]),
                            _mm512_extracti32x4_epi32::<1>(lines[k]),
                            _mm512_extracti32x4_epi32::<2>(lines[k]),
                            _mm512_extracti32x4_epi32::<3>(lines[k]),
                        ];
                        unrolled!(4, l => {
                            let to = if TABLED {
                                // SAFETY: the table has an entry for each value of y.
                                dst.wrapping_offset(unsafe { job.dst_y.wrapping_add(y + 4 * k + l).read() })
                            } else {
                                step_mut(to, l, dst_step)
                            };
                            // SAFETY: as above.
                            unsafe { store16(to, rows[l]) };
                        });
                    }
                }
            });
            left -= 1;
            if left == 0 {
                break;
            }
            (src, dst) = (step(src, 1, again.src), step_mut(dst, 1, again.dst));
        }
        match next(y, R, job.height) {
            Some(next) => y = next,
            None => return,
        }
    }
}

/// Where the parts of 16 bytes of the rows of `job` lie, whose first part is the job of [`quads`].
#[inline(always)]
pub(in super::super) fn parts<const R: usize>(job: &Strips) -> Step {
    Step { len: job.width / R, src: job.src_step.wrapping_mul(R as isize), dst: 16 }
}

/// Groups of four elements, of which each register holds those of one row of groups, to lanes of 16 bytes: lane l of register k
/// is the row of value 4 k + l of y.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn join<const B: usize>([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    match B {
        1 => {
            let (ab_low, ab_high) = (_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
            let (cd_low, cd_high) = (_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
            [
                _mm512_unpacklo_epi64(ab_low, cd_low),
                _mm512_unpackhi_epi64(ab_low, cd_low),
                _mm512_unpacklo_epi64(ab_high, cd_high),
                _mm512_unpackhi_epi64(ab_high, cd_high),
            ]
        }
        2 => [_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b), c, d],
        _ => [a, b, c, d],
    }
}

/// Indices of elements.
#[repr(align(64))]
struct Table([u8; LINE]);

/// Where the elements of groups come from: those of four lanes that stand for the same y, in the order in which [`join`] takes them.
const fn together<const B: usize>() -> Table {
    let mut table = Table([0; LINE]);
    let (registers, mut i) = (4 / B, 0);
    while i < LINE / B {
        // Of a lane, one group goes to each register.
        let (group, lane) = (i / 4, i % 4);
        let y = group % registers * 4 + group / registers;
        // The lowest byte of a number of `B` bytes.
        table.0[i * B] = (lane * 16 / B + y) as u8;
        i += 1;
    }
    table
}
