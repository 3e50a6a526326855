//! The same in bands of few lines of the destination, each of which is written to its end: where many lines, or rows of the source,
//! would compete for places of the first-level cache, and where two blocks share a line. Called by `widen`.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::super::super::super::drive::{Crossed, LINE, is_crowded};
use super::super::super::super::super::epilogue::Affine;
use super::super::super::super::super::generic::{step, step_mut};
use super::super::super::super::super::parts::square::next;
use super::super::super::super::super::parts::zip::unrolled;
use super::super::super::super::super::parts::{prefetch_far, prefetch_write};
use super::super::super::super::super::writes_in_turn;
use super::super::super::memory::{load64_first, store64, stream};
use super::super::super::transpose::{join4, turn64};
use super::CHUNK;
use super::widen::{Block, Rows, Widen, scaled, widen_block};

/// Rows of the source in the buffer, a line of each, and those that a last part has besides, to be no narrower than a block.
const ROWS: usize = 256;
const MORE: usize = 32;

/// How bands are read and written.
#[derive(Clone, Copy)]
pub(super) struct Bands {
    /// Whether rows of the source go through a buffer, a line of each: else it would be read again for each band.
    staged: bool,
    /// Whether a band has 8 lines, where 16 find no places.
    low: bool,
}

/// How `job`, of elements of `bytes` bytes, is done in bands, if that is better.
pub(super) fn bands(job: &Crossed, bytes: usize) -> Option<Bands> {
    if !writes_in_turn() {
        return None;
    }
    // Lines at these distances drive one another out of the cache before all of a row of the source is read …
    let lines_compete = is_crowded(job.dst_y, job.ny.min(2 * CHUNK));
    // … and these rows before their next elements are, which costs bytes more.
    let rows_compete = is_crowded(job.src_x, job.nx.min(ROWS));
    let few_rows_do = bytes == 1 && is_crowded(job.src_x, job.nx.min(CHUNK));
    // Two blocks have a part of each line, or are all that there is of one.
    let shared = job.dst_y % LINE as isize != 0 || 16 < job.nx && job.nx <= 32;
    let staged = match rows_compete {
        true if lines_compete || few_rows_do => true,
        false if lines_compete || shared => false,
        _ => return None,
    };
    Some(Bands { staged, low: bytes == 1 && is_crowded(job.dst_y, 16) })
}

/// # Safety
/// As [`widen`](super::widen::widen).
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn widen_bands<S: Widen, const STEPS: u8>(job: &Crossed, map: &Affine, bands: Bands) {
    match bands.low && job.nx >= 32 {
        // SAFETY: the caller's promise.
        true => unsafe { in_bands::<S, STEPS, true>(job, map, bands.staged) },
        // SAFETY: as above.
        false => unsafe { in_bands::<S, STEPS, false>(job, map, bands.staged) },
    }
}

/// # Safety
/// As [`widen`](super::widen::widen); with `LOW` there are 32 values of x at least.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn in_bands<S: Widen, const STEPS: u8, const LOW: bool>(job: &Crossed, map: &Affine, staged: bool) {
    let bytes = size_of::<S>();
    let (width, side) = if LOW { (32, 8) } else { (16, 16 / bytes) };
    let streams = job.stream && (job.dst.addr() | job.dst_y as usize).is_multiple_of(LINE);
    let mut stage = Stage([MaybeUninit::uninit(); (ROWS + MORE) * LINE]);
    let stage = stage.0.as_mut_ptr().cast::<u8>();
    let mut first = 0;
    while first < job.ny {
        first = if job.ny - first < side { job.ny - side } else { first };
        let bottom = if job.ny - first < LINE / bytes { job.ny } else { first + LINE / bytes };
        let mut left = 0;
        while left < job.nx {
            let end = if job.nx - left < ROWS + MORE { job.nx } else { left + ROWS };
            let mut rows = Rows { src: job.src, pitch: job.src_x, x: 0, y: 0 };
            if staged {
                let src = step(job.src, left, job.src_x).wrapping_add(first * bytes);
                let len = (bottom - first) * bytes;
                let fetch = job.ny > bottom;
                for x in 0..end - left {
                    let from = step(src, x, job.src_x);
                    if fetch {
                        prefetch_far(from.wrapping_add(LINE));
                    }
                    // SAFETY: these elements are in the job.
                    let line = unsafe { load64_first(from, len) };
                    // SAFETY: the buffer has a line for each of so many rows.
                    unsafe { store64(stage.wrapping_add(x * LINE), line) };
                }
                rows = Rows { src: stage, pitch: LINE as isize, x: left, y: first };
            }
            let mut y = first;
            loop {
                let mut x = left;
                loop {
                    let at = Block { x, y, streams: streams && x.is_multiple_of(16) };
                    if LOW {
                        // SAFETY: 32 values of x and 8 of y from here on are in the job.
                        unsafe { low_block::<S, STEPS>(job, map, &rows, at) };
                    } else {
                        // SAFETY: 16 values of x and `side` of y from here on are in the job.
                        unsafe { widen_block::<S, STEPS, true>(job, map, &rows, at) };
                    }
                    match next(x, width, end) {
                        Some(next) => x = next,
                        None => break,
                    }
                }
                match next(y, side, bottom) {
                    Some(next) => y = next,
                    None => break,
                }
            }
            left = end;
        }
        first = bottom;
    }
}

/// A line of each of some rows.
#[repr(align(64))]
struct Stage([MaybeUninit<u8>; (ROWS + MORE) * LINE]);

/// # Safety
/// As [`widen`](super::widen::widen), for the block of 32 values of x and 8 of y, of bytes, which is in `rows`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn low_block<S: Widen, const STEPS: u8>(job: &Crossed, map: &Affine, rows: &Rows, at: Block) {
    let Block { x, y, streams } = at;
    // Beside the 8 bytes of each of the first 16 rows, those of the row 16 further.
    let (from, pitch) = ([x, x + 16].map(|x| rows.at(x, y, 1)), rows.pitch);
    let mut parts = [_mm512_setzero_si512(); 4];
    unrolled!(4, i => {
        let mut pairs = [_mm_setzero_si128(); 4];
        unrolled!(4, l => {
            // SAFETY: the caller's promise: 8 bytes of this row.
            let low = unsafe { _mm_loadl_epi64(step(from[0], 4 * l + i, pitch).cast()) };
            let (low, high) = (_mm_castsi128_pd(low), step(from[1], 4 * l + i, pitch));
            // SAFETY: as above.
            let both = unsafe { _mm_loadh_pd(low, high.cast()) };
            pairs[l] = _mm_castpd_si128(both);
        });
        parts[i] = join4(pairs);
    });
    let groups = turn64::<4, 4>(parts, 4);
    let first = step_mut(job.dst, y, job.dst_y).wrapping_add(4 * x);
    macro_rules! part {
        ($j:ident, $k:literal) => {
            let (row, line) = (4 * ($j % 2) + $k, $j / 2);
            // SAFETY: the features are those of this function.
            let value = unsafe { S::part::<$k>(groups[$j]) };
            // SAFETY: the caller's promise.
            let value = unsafe { scaled::<STEPS>(value, map, x + 16 * line, y + row) };
            let to = step_mut(first, row, job.dst_y).wrapping_add(line * LINE);
            if streams {
                // SAFETY: this line is in the job, and aligned.
                unsafe { stream(to, _mm512_castps_si512(value)) };
            } else {
                prefetch_write(to.wrapping_add(2 * LINE));
                // SAFETY: this line is in the job.
                unsafe { store64(to, _mm512_castps_si512(value)) };
            }
        };
    }
    unrolled!(4, j => {
        part!(j, 0);
        part!(j, 1);
        part!(j, 2);
        part!(j, 3);
    });
}
