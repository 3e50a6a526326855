//! Crossed unit strides where the lines of the destination, 16, 32, 48 or 64 bytes each, follow one another without a gap: channels
//! of a plain layout into blocks. 64 bytes of each row of the source are read at once, and whole lines are written. And what is
//! lower than a square, the few last channels of blocks; and squares of elements of 4 bytes that fill lines on both sides. In
//! `packed`, lines of any length; in `quads`, narrow ones that need not follow one another.

mod gathered;
mod packed;
mod quads;

pub(in super::super::super) use gathered::gather_lines;
pub(super) use packed::packed;
pub(super) use quads::{parts, quads};

use core::arch::x86_64::*;

use super::super::super::drive::{Eights, LINE, Strips, fetches};
use super::super::super::generic::{step, step_mut};
use super::super::super::tile::Step;
use super::super::parts::square::next;
use super::super::parts::zip::unrolled;
use super::super::parts::{CLAIMED, prefetch, prefetch_write};
use super::lines::halves::halves;
use super::memory::{load64, load64_of, store64, stream};
use super::transpose::{repeated32, turn64};

/// So many bytes ahead far rows of the source are fetched.
const AHEAD: usize = 8 * LINE;

/// Group `$g` of `R` rows of the 64 bytes from `$y` on, turned within the lanes; what is read `AHEAD` of it is fetched if `$fetches`.
macro_rules! turned {
    ($job:ident, $g:ident, $y:ident, $fetches:ident) => {{
        let mut rows = [_mm512_setzero_si512(); R];
        if $fetches {
            let ahead = step(step($job.src, $g * R, $job.src_step), $y, $job.src_y).wrapping_add(AHEAD);
            unrolled!(R, i => {
                if $g * R + i < $job.valid {
                    prefetch(step(ahead, i, $job.src_step));
                }
            });
        }
        unrolled!(R, i => {
            let x = $g * R + i;
            if x < $job.valid {
                // SAFETY: a line of values of y from here on is in the job, and this value of x holds data.
                rows[i] = unsafe { load64(step(step($job.src, x, $job.src_step), $y, $job.src_y)) };
            }
        });
        turn64::<B, R>(rows, R)
    }};
}
use turned;

/// Transposes `job`; `false` where narrower registers are no slower, and then nothing was done.
///
/// # Safety
/// As [`super::super::super::drive::Simd::dense`].
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn any<const B: usize>(job: &Strips) -> bool {
    if job.height * B < LINE {
        return false;
    }
    match (B, job.width * B) {
        // SAFETY of all: the caller's promise, and the height was just compared.
        // SAFETY: see above.
        (1, 16) => unsafe { dense::<B, 16, 1>(job) },
        // SAFETY: see above.
        (2, 16) => unsafe { dense::<B, 8, 1>(job) },
        // SAFETY: see above.
        (2, 32) => unsafe { dense::<B, 8, 2>(job) },
        // SAFETY: see above.
        (4, 16) => unsafe { dense::<B, 4, 1>(job) },
        // SAFETY: see above.
        (4, 32) => unsafe { dense::<B, 4, 2>(job) },
        // SAFETY: see above.
        (4, 64) => unsafe { dense::<B, 4, 4>(job) },
        // SAFETY: see above.
        (4, 48) => unsafe { dense::<B, 4, 3>(job) },
        // SAFETY: see above.
        (1, 5..=7) => unsafe { packed::<B, 8, 1>(job) },
        // SAFETY: see above.
        (1, 9..=15) => unsafe { packed::<B, 16, 1>(job) },
        // SAFETY: see above.
        (1, 48) => unsafe { dense::<B, 16, 3>(job) },
        // SAFETY: see above.
        (2, 10..=14) => unsafe { packed::<B, 8, 1>(job) },
        // SAFETY: see above.
        (2, 18..=30) => unsafe { packed::<B, 8, 2>(job) },
        // SAFETY: see above.
        (2, 48) => unsafe { dense::<B, 8, 3>(job) },
        // SAFETY: see above.
        (4, 20..=28) => unsafe { packed::<B, 4, 2>(job) },
        // SAFETY: see above.
        (4, 36..=60) => unsafe { packed::<B, 4, 4>(job) },
        _ => return false,
    }
    true
}

/// Transposes all repetitions of `job`; `false` where one after the other is no slower, and then nothing was done.
///
/// # Safety
/// As [`super::super::super::drive::Simd::repeated`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn repeated<const B: usize>(job: &Strips, again: Step) -> bool {
    match (B, job.width * B) {
        // SAFETY of all: the caller's promise.
        // SAFETY: see above.
        (1, 16) => unsafe { quads::<1, 16, false>(job, again) },
        // SAFETY: see above.
        (2, 16) => unsafe { quads::<2, 8, false>(job, again) },
        // SAFETY: see above.
        (4, 16) => unsafe { quads::<4, 4, false>(job, again) },
        // SAFETY: see above.
        (2, 32) => unsafe { repeated32::<2, 8>(job, again) },
        _ => return false,
    }
    true
}

/// Transposes `job`, whose lines lie anywhere but not the rows of the source; `false` where narrower registers are no slower, and
/// then nothing was done.
///
/// # Safety
/// As [`super::super::super::drive::Simd::scattered`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn scattered<const B: usize>(job: &Strips) -> bool {
    match (B, job.width * B) {
        // SAFETY of all: the caller's promise, and the sizes were just looked at.
        // SAFETY: see above.
        (1, 16 | 32) if job.height >= 16 => unsafe { quads::<1, 16, true>(job, parts::<16>(job)) },
        // SAFETY: see above.
        (2, 16) if job.height >= 8 => unsafe { quads::<2, 8, true>(job, parts::<8>(job)) },
        // SAFETY: see above.
        (4, 16) if job.height >= 4 => unsafe { quads::<4, 4, true>(job, parts::<4>(job)) },
        // SAFETY: see above.
        (4, 32) if job.height >= 8 => unsafe { halves(job) },
        _ => return false,
    }
    true
}

/// Transposes `job` to lines of `G` times 16 bytes.
///
/// # Safety
/// As [`super::super::super::drive::Simd::dense`], with `R * B == 16` and `G * 16` bytes in a line.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn dense<const B: usize, const R: usize, const G: usize>(job: &Strips) {
    let side = LINE / B;
    let (width, streams) = (G * 16, job.stream && job.dst.addr().is_multiple_of(LINE));
    let fetches = fetches(job.src_step, job.valid);
    let mut y = 0;
    loop {
        // Register k holds 16 bytes of each of four lines, R apart; the pieces of a line follow one another.
        let mut pieces = [[_mm512_setzero_si512(); G]; R];
        let mut g = 0;
        while g < G {
            let turned = turned!(job, g, y, fetches);
            unrolled!(R, i => {
                pieces[i][g] = turned[i];
            });
            g += 1;
        }
        let pieces = pieces.as_flattened();
        let first = job.dst.wrapping_add(y * width);
        unrolled!(R * G / 4, m => {
            let lines = turn_lanes([pieces[4 * m], pieces[4 * m + 1], pieces[4 * m + 2], pieces[4 * m + 3]]);
            unrolled!(4, lane => {
                let to = first.wrapping_add(lane * R * width + m * LINE);
                if job.claims {
                    prefetch_write(to.wrapping_add(CLAIMED * LINE));
                }
                if streams && y.is_multiple_of(side) {
                    // SAFETY: the lines of these values of y are in the job, and aligned.
                    unsafe { stream(to, lines[lane]) };
                } else {
                    // SAFETY: the lines of these values of y are in the job.
                    unsafe { store64(to, lines[lane]) };
                }
            });
        });
        match next(y, side, job.height) {
            Some(next) => y = next,
            None => return,
        }
    }
}

/// Whether [`few`] takes `job`, of elements of 1 or 2 bytes: those of so many values of x as make up 8 bytes lie within two lines.
#[inline(always)]
pub(super) fn takes_few<const B: usize>(job: &Strips) -> bool {
    let near = job.src_step >= (job.height * B) as isize && job.src_step <= 16 * B as isize;
    near && job.width * B >= LINE
}

/// [`few`] of cells of four elements, which follow one another: four registers of them become as many lines, by fewer shuffles.
///
/// # Safety
/// As [`few`], with this distance between two values of x and no more than four of y.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn few_of_four<const B: usize>(job: &Strips) {
    let side = LINE / B;
    // The elements of each value of y beside one another, in a lane of its own.
    let (mut from, mut data) = ([0u8; LINE], 0u64);
    for (i, from) in from.iter_mut().enumerate() {
        let (lane, byte) = (i / 16, i % 16);
        *from = ((byte / B * 4 + lane) * B + byte % B) as u8;
        data |= u64::from(i / B % 4 < job.height) << i;
    }
    // SAFETY: the table fills a register.
    let from = unsafe { load64(from.as_ptr()) };
    let mut x = 0;
    loop {
        let src = step(job.src, x, job.src_step);
        let mut parts = [_mm512_setzero_si512(); 4];
        unrolled!(4, i => {
            // SAFETY: the mask has the bytes of elements of the job.
            let cells = unsafe { load64_of(src.wrapping_add(i * LINE), data) };
            parts[i] = _mm512_permutexvar_epi8(from, cells);
        });
        let lines = turn_lanes(parts);
        unrolled!(4, i => {
            if i < job.height {
                let to = step_mut(job.dst, i, job.dst_step).wrapping_add(x * B);
                if job.claims {
                    prefetch_write(to.wrapping_add(CLAIMED * LINE));
                }
                // SAFETY: `side` elements of this value of y from here on are in the job.
                unsafe { store64(to, lines[i]) };
            }
        });
        match next(x, side, job.width) {
            Some(next) => x = next,
            None => return,
        }
    }
}

/// Transposes a job that is lower than a square: 8 bytes of each value of y are brought together in a register, and then there
/// are squares of 8 by 8 times 8 bytes to transpose. What lies between the elements is not read.
///
/// # Safety
/// As [`super::super::super::drive::Simd::few`], for a job of which [`takes_few`] holds.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn few<const B: usize>(job: &Strips) {
    if job.src_step == (4 * B) as isize {
        // SAFETY: the caller's promise, and elements of a value of x do not go beyond the next one.
        return unsafe { few_of_four::<B>(job) };
    }
    let (side, cell, gap) = (LINE / B, 8 / B, job.src_step as usize);
    let mut y = 0;
    while y < job.height {
        let height = if job.height - y < 8 { job.height - y } else { 8 };
        let (mut from, mut data) = ([0u8; LINE], 0u128);
        for x in 0..cell {
            data |= ((1 << (height * B)) - 1) << (x * gap);
            for i in 0..height * B {
                from[i / B * 8 + x * B + i % B] = (x * gap + i) as u8;
            }
        }
        // SAFETY: the table fills a register.
        let from = unsafe { load64(from.as_ptr()) };
        let (first, second) = (data as u64, (data >> 64) as u64);
        let mut x = 0;
        loop {
            let src = step(step(job.src, x, job.src_step), y, job.src_y);
            let mut cells = [_mm512_setzero_si512(); 8];
            unrolled!(8, i => {
                let src = src.wrapping_add(i * cell * gap);
                // SAFETY: the mask has the bytes of elements of the job.
                let rows = unsafe { load64_of(src, first) };
                cells[i] = if second == 0 {
                    _mm512_permutexvar_epi8(from, rows)
                } else {
                    // SAFETY: as above.
                    let more = unsafe { load64_of(src.wrapping_add(LINE), second) };
                    _mm512_permutex2var_epi8(rows, from, more)
                };
            });
            let [a, b, c, d, e, f, g, h] = cells;
            let low = |a, b| _mm512_unpacklo_epi64(a, b);
            let high = |a, b| _mm512_unpackhi_epi64(a, b);
            let even = turn_lanes([low(a, b), low(c, d), low(e, f), low(g, h)]);
            let odd = turn_lanes([high(a, b), high(c, d), high(e, f), high(g, h)]);
            let to = step_mut(job.dst, y, job.dst_step).wrapping_add(x * B);
            for i in 0..height {
                let line = if i.is_multiple_of(2) { even[i / 2] } else { odd[i / 2] };
                // SAFETY: `side` elements of this value of y from here on are in the job.
                unsafe { store64(step_mut(to, i, job.dst_step), line) };
            }
            match next(x, side, job.width) {
                Some(next) => x = next,
                None => break,
            }
        }
        y += height;
    }
}

/// Transposes squares of 8 by 8 elements of 4 bytes, four registers each.
///
/// # Safety
/// As [`super::super::super::drive::Simd::eights`], for elements of 4 bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn eights(job: &Eights) {
    // A register holds two rows. First the halves of rows of two registers …
    let left = _mm512_setr_epi32(0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
    let right = _mm512_add_epi32(left, _mm512_set1_epi32(4));
    // … then two columns of all rows.
    let first = _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
    let last = _mm512_add_epi32(first, _mm512_set1_epi32(8));
    for i in 0..job.count {
        let (src, dst) = (step(job.src, i, job.src_z), step_mut(job.dst, i, job.dst_z));
        let mut rows = [_mm512_setzero_si512(); 4];
        unrolled!(4, k => {
            // SAFETY: the square is in the job.
            rows[k] = unsafe { load64(src.wrapping_add(k * LINE)) };
        });
        let [a, b, c, d] = rows;
        let half = |at, a, b| _mm512_permutex2var_epi32(a, at, b);
        let (a, b, c, d) = (half(left, a, b), half(left, c, d), half(right, a, b), half(right, c, d));
        let lines = [half(first, a, b), half(last, a, b), half(first, c, d), half(last, c, d)];
        unrolled!(4, k => {
            // SAFETY: the square is in the job.
            unsafe { store64(dst.wrapping_add(k * LINE), lines[k]) };
        });
    }
}

/// Lane l of register i becomes lane i of register l.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn turn_lanes([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    let (ab_low, ab_high) = (_mm512_shuffle_i64x2::<0x44>(a, b), _mm512_shuffle_i64x2::<0xEE>(a, b));
    let (cd_low, cd_high) = (_mm512_shuffle_i64x2::<0x44>(c, d), _mm512_shuffle_i64x2::<0xEE>(c, d));
    [
        _mm512_shuffle_i64x2::<0x88>(ab_low, cd_low),
        _mm512_shuffle_i64x2::<0xDD>(ab_low, cd_low),
        _mm512_shuffle_i64x2::<0x88>(ab_high, cd_high),
        _mm512_shuffle_i64x2::<0xDD>(ab_high, cd_high),
    ]
}
