//! Narrow elements become wider ones in bands of few lines of the destination, each of which is written to its end: where many lines, or
//! rows of the source, would compete for places of the first-level cache, and where two blocks share a line. Called by `widen` and
//! `halves`.

use core::arch::x86_64::*;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::super::super::super::super::drive::{Crossed, LINE, is_crowded, takes_bands};
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
    pub(super) staged: bool,
    /// Whether a band has 8 lines, where 16 find no places.
    pub(super) low: bool,
}

/// How `job`, of elements of `bytes` bytes, is done in bands, if that is better.
pub(super) fn bands(job: &Crossed, bytes: usize) -> Option<Bands> {
    if !takes_bands(job.dst_y, bytes) {
        return None;
    }
    // Lines at these distances drive one another out of the cache before all of a row of the source is read …
    let lines_compete = is_crowded(job.dst_y, job.ny.min(2 * CHUNK));
    // … and these rows before their next elements are, which costs bytes more.
    let rows_compete = is_crowded(job.src_x, job.nx.min(ROWS));
    let few = if writes_in_turn() { CHUNK } else { 16 };
    let few_rows_do = bytes == 1 && is_crowded(job.src_x, job.nx.min(few));
    // Two blocks have a part of each line, or are all that there is of one. Where rows that go on are foreseen, that is no loss.
    let shared = job.dst_y % LINE as isize != 0 || 16 < job.nx && job.nx <= 32;
    let shared = shared && writes_in_turn();
    let staged = match rows_compete {
        true if lines_compete || few_rows_do => true,
        false if lines_compete || shared => false,
        _ => return None,
    };
    Some(Bands { staged, low: bytes == 1 && is_crowded(job.dst_y, 16) })
}

/// Blocks that bands are made of, each of which fills whole lines of the destination.
pub(super) trait Blocks {
    /// Bytes of an element of the source.
    const BYTES: usize;
    /// Values of x and of y, and values of x that fill a line.
    const WIDTH: usize;
    const SIDE: usize;
    const LINE: usize;

    /// Converts and turns a block.
    ///
    /// # Safety
    /// That of [`CrossedWay::run`](super::CrossedWay::run), for so many values from `at` on, which are in `rows`; where it streams,
    /// the lines are aligned. The processor has the family's instructions.
    unsafe fn run(job: &Crossed, map: &Affine, rows: &Rows, at: Block);
}

/// All of a job to f32.
///
/// # Safety
/// As [`widen`](super::widen::widen).
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn widen_bands<S: Widen, const STEPS: u8>(job: &Crossed, map: &Affine, bands: Bands) {
    match const { size_of::<S>() == 1 } && bands.low && job.nx >= 32 {
        // SAFETY: the caller's promise.
        true => unsafe { in_bands::<Low<S, STEPS>>(job, map, bands.staged) },
        // SAFETY: as above.
        false => unsafe { in_bands::<Whole<S, STEPS>>(job, map, bands.staged) },
    }
}

/// All of a job, of which rows of the source go through a buffer where it is `staged`.
///
/// # Safety
/// As [`widen`](super::widen::widen); there are as many values of x and of y as a block has.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn in_bands<B: Blocks>(job: &Crossed, map: &Affine, staged: bool) {
    let streams = job.stream && (job.dst.addr() | job.dst_y as usize).is_multiple_of(LINE);
    let mut stage = Stage([MaybeUninit::uninit(); (ROWS + MORE) * LINE]);
    let stage = stage.0.as_mut_ptr().cast::<u8>();
    let band = LINE / B::BYTES;
    let mut first = 0;
    while first < job.ny {
        first = if job.ny - first < B::SIDE { job.ny - B::SIDE } else { first };
        let bottom = if job.ny - first < band { job.ny } else { first + band };
        let mut left = 0;
        while left < job.nx {
            let end = if job.nx - left < ROWS + MORE { job.nx } else { left + ROWS };
            let mut rows = Rows { src: job.src, pitch: job.src_x, x: 0, y: 0 };
            if staged {
                let src = step(job.src, left, job.src_x).wrapping_add(first * B::BYTES);
                let len = (bottom - first) * B::BYTES;
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
                    let at = Block { x, y, streams: streams && x.is_multiple_of(B::LINE) };
                    // SAFETY: the block is in the job.
                    unsafe { B::run(job, map, &rows, at) };
                    match next(x, B::WIDTH, end) {
                        Some(next) => x = next,
                        None => break,
                    }
                }
                match next(y, B::SIDE, bottom) {
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

/// To f32, 16 values of x.
struct Whole<S, const STEPS: u8>(PhantomData<S>);

impl<S: Widen, const STEPS: u8> Blocks for Whole<S, STEPS> {
    const BYTES: usize = size_of::<S>();
    const WIDTH: usize = 16;
    const SIDE: usize = 16 / size_of::<S>();
    const LINE: usize = 16;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn run(job: &Crossed, map: &Affine, rows: &Rows, at: Block) {
        // SAFETY: the caller's promise.
        unsafe { widen_block::<S, STEPS, true>(job, map, rows, at) };
    }
}

/// Bytes to f32, 32 values of x and 8 of y.
struct Low<S, const STEPS: u8>(PhantomData<S>);

impl<S: Widen, const STEPS: u8> Blocks for Low<S, STEPS> {
    const BYTES: usize = size_of::<S>();
    const WIDTH: usize = 32;
    const SIDE: usize = 8;
    const LINE: usize = 16;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn run(job: &Crossed, map: &Affine, rows: &Rows, at: Block) {
        let Block { x, y, streams } = at;
        // SAFETY: the caller's promise.
        let groups = unsafe { low_groups(rows, x, y) };
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
}

/// Groups of 4 bytes along y, of 32 values of x and 8 of y: those of the first 16 rows of `rows`, first and second ones, and then of
/// the others.
///
/// # Safety
/// 8 bytes of each row can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn low_groups(rows: &Rows, x: usize, y: usize) -> [__m512i; 4] {
    let (from, pitch) = ([rows.at(x, y, 1), rows.at(x + 16, y, 1)], rows.pitch);
    let mut parts = [_mm512_setzero_si512(); 4];
    unrolled!(4, i => {
        let mut pairs = [_mm_setzero_si128(); 4];
        unrolled!(4, l => {
            // SAFETY: the caller's promise.
            let low = unsafe { _mm_loadl_epi64(step(from[0], 4 * l + i, pitch).cast()) };
            let (low, high) = (_mm_castsi128_pd(low), step(from[1], 4 * l + i, pitch));
            // SAFETY: as above.
            let both = unsafe { _mm_loadh_pd(low, high.cast()) };
            pairs[l] = _mm_castpd_si128(both);
        });
        parts[i] = join4(pairs);
    });
    turn64::<4, 4>(parts, 4)
}
