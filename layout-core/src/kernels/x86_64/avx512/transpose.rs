//! Crossed unit strides, a cache line of the destination at a time.
//!
//! Four loads of 16 bytes fill a register: one row of the source in each 128-bit lane, R = 16 / B rows apart, so that the
//! lanes need not be crossed any more. log2(R) rounds of one zip then turn the R x R squares in all lanes at once:
//! zipping rows i and i + R/2 to rows 2i and 2i + 1 is a perfect shuffle, and log2(R) of these are a transpose. Rows
//! of 32 and 16 bytes take two and four steps along y into the lanes instead.

use core::arch::x86_64::*;

use super::super::super::drive::{LINE, Strips};
use super::super::super::generic::{step, step_mut};
use super::memory::{first, load16, load16_part, load64, store, store_part, stream};

/// Lines of the source at this distance compete for the same places of a first-level cache, of which there are at
/// least `WAYS`.
const ALIAS: usize = 4096;
const WAYS: usize = 8;

/// From this distance between two rows of the source the processor does not see what is read next.
const FAR: usize = 2048;

/// Transposes `job`.
///
/// # Safety
/// As [`super::super::super::drive::Simd::strips`], with `R * B == 16`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn strips<const B: usize, const R: usize>(job: &Strips) {
    let side = LINE / B;
    let mut x = 0;
    // Lines of the destination that all rows share begin where it is a multiple of 64.
    let off = job.dst as usize % LINE;
    let aligned = job.dst_y as usize % LINE == 0 && off % B == 0;
    if aligned && off > 0 && job.width * B >= 2 * LINE {
        let width = (LINE - off) / B;
        // SAFETY: the strip lies in the job.
        unsafe { edge::<B, R>(job, 0, width) };
        x = width;
    }
    let streams = job.stream && aligned && (off == 0 || x > 0);
    let stage = side > WAYS * places(job.src_x) && B < 16;
    while x + side <= job.valid {
        let from = step(job.src, x, job.src_x);
        let to = step_mut(job.dst, x, B as isize);
        let ahead = job.src_x.unsigned_abs() >= FAR && x + 2 * side <= job.valid;
        if stage {
            // SAFETY: `side` values of x from this one on lie in the job.
            unsafe { staged::<B, R>(job, from, to, streams) };
        } else if job.height < R {
            // SAFETY: the strip lies in the job.
            unsafe { edge::<B, R>(job, x, side) };
        } else if streams {
            // SAFETY: as above; the lines of the destination are whole and aligned.
            unsafe { column::<B, R, 64, true>(job, from, to, ahead) };
        } else {
            // SAFETY: as above.
            unsafe { column::<B, R, 64, false>(job, from, to, ahead) };
        }
        x += side;
    }
    while x < job.width {
        let width = if job.width - x < side { job.width - x } else { side };
        // SAFETY: the strip lies in the job.
        unsafe { rest::<B, R>(job, x, width) };
        x += width;
    }
}

/// How many different places of a first-level cache lines at this distance fall into.
const fn places(stride: isize) -> usize {
    let stride = stride.unsigned_abs() | ALIAS;
    ALIAS >> stride.trailing_zeros()
}

/// The `width` values of x from `x` on: without masks where they fill 32 or 16 bytes.
///
/// # Safety
/// As [`strips`]; the values are below `job.width` and fill a line at most.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn rest<const B: usize, const R: usize>(job: &Strips, x: usize, width: usize) {
    let from = step(job.src, x, job.src_x);
    let to = step_mut(job.dst, x, B as isize);
    let whole = x + width <= job.valid;
    if whole && width * B == 32 && job.height >= 2 * R {
        // SAFETY: the strip lies in the job and is that wide.
        unsafe { column::<B, R, 32, false>(job, from, to, false) };
    } else if whole && width * B == 16 && job.height >= 4 * R {
        // SAFETY: as above.
        unsafe { column::<B, R, 16, false>(job, from, to, false) };
    } else {
        // SAFETY: as above.
        unsafe { edge::<B, R>(job, x, width) };
    }
}

/// `W` bytes of the destination for each y. The last block overlaps the one before where the height is no multiple.
///
/// # Safety
/// As [`strips`], for `W / B` values of x at `src` and `dst`; the height is at least a block's. With `STREAM`, `W` is 64,
/// and the destination's rows are aligned to that.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn column<const B: usize, const R: usize, const W: usize, const STREAM: bool>(
    job: &Strips,
    src: *const u8,
    dst: *mut u8,
    ahead: bool,
) {
    let block_height = R * LINE / W;
    let mut y = 0;
    loop {
        let from = step(src, y, job.src_y);
        if ahead {
            // A quarter of the lines of the next strip: four blocks make up a line.
            let group = from.wrapping_offset(job.src_x.wrapping_mul((W / B + y / R % 4 * R) as isize));
            for i in 0..R {
                _mm_prefetch::<_MM_HINT_T0>(step(group, i, job.src_x).cast());
            }
        }
        // SAFETY: y + block_height <= height.
        unsafe {
            block::<B, R, W, STREAM>(from, job.src_x, job.src_y, step_mut(dst, y, job.dst_y), job.dst_y);
        }
        y += block_height;
        if y + block_height > job.height {
            if y >= job.height {
                return;
            }
            y = job.height - block_height;
        }
    }
}

/// [`column`] through a buffer, for rows of the source that drive one another out of the first-level cache: each line of it
/// is read once and whole.
///
/// # Safety
/// As [`column`] with `W` of 64, with any height.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn staged<const B: usize, const R: usize>(job: &Strips, src: *const u8, dst: *mut u8, streams: bool) {
    let side = LINE / B;
    let mut buffer = core::mem::MaybeUninit::<[[u8; LINE]; LINE]>::uninit();
    let buffer = buffer.as_mut_ptr().cast::<u8>();
    let mut y = 0;
    while y < job.height {
        let height = if job.height - y < side { job.height - y } else { side };
        for x in 0..side {
            let from = step(step(src, x, job.src_x), y, job.src_y);
            let to = buffer.wrapping_add(x * LINE);
            if height == side {
                // SAFETY: a line of this row lies in the job.
                let line = unsafe { load64(from) };
                // SAFETY: the buffer has LINE lines.
                unsafe { store::<64>(to, line) };
            } else {
                // SAFETY: `height` elements of this row lie in the job, and a line of the buffer has room for them.
                unsafe { core::ptr::copy_nonoverlapping(from, to, height * B) };
            }
        }
        let part = Strips {
            src: buffer,
            src_x: LINE as isize,
            dst: step_mut(dst, y, job.dst_y),
            valid: side,
            width: side,
            height,
            ..*job
        };
        if height < R {
            // SAFETY: this part was just written to the buffer, and its destination lies in the job.
            unsafe { edge::<B, R>(&part, 0, side) };
        } else if streams {
            // SAFETY: as above, and the caller promises aligned lines.
            unsafe { column::<B, R, 64, true>(&part, part.src, part.dst, false) };
        } else {
            // SAFETY: as above.
            unsafe { column::<B, R, 64, false>(&part, part.src, part.dst, false) };
        }
        y += height;
    }
}

/// Four loads as the lanes of a register.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn join(lanes: [__m128i; 4]) -> __m512i {
    let value = _mm512_castsi128_si512(lanes[0]);
    let value = _mm512_inserti32x4::<1>(value, lanes[1]);
    let value = _mm512_inserti32x4::<2>(value, lanes[2]);
    _mm512_inserti32x4::<3>(value, lanes[3])
}

/// One block: `W / B` values of x, `R * 64 / W` values of y.
///
/// # Safety
/// As [`column`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn block<const B: usize, const R: usize, const W: usize, const STREAM: bool>(
    src: *const u8,
    src_x: isize,
    src_y: isize,
    dst: *mut u8,
    dst_y: isize,
) {
    let groups = W / 16;
    let mut rows = [_mm512_setzero_si512(); R];
    for (i, row) in rows.iter_mut().enumerate() {
        let mut lanes = [_mm_setzero_si128(); 4];
        for (l, lane) in lanes.iter_mut().enumerate() {
            let (x, y) = (l % groups * R + i, l / groups * R);
            // SAFETY: x is below W / B, and y + R within the block's height.
            *lane = unsafe { load16(step(step(src, x, src_x), y, src_y)) };
        }
        *row = join(lanes);
    }
    for (j, &line) in turn::<B, R>(rows).iter().enumerate() {
        let to = step_mut(dst, j, dst_y);
        match W {
            // SAFETY: row j of the block lies in the job, aligned as the caller promises.
            64 if STREAM => unsafe { stream(to, line) },
            // SAFETY: row j of the block lies in the job.
            64 => unsafe { store::<64>(to, line) },
            32 => {
                // SAFETY: as above.
                unsafe { store::<32>(to, line) };
                let upper = _mm512_castsi256_si512(_mm512_extracti64x4_epi64::<1>(line));
                // SAFETY: as above, of row j + R.
                unsafe { store::<32>(step_mut(to, R, dst_y), upper) };
            }
            _ => {
                for (l, lane) in split(line).into_iter().enumerate() {
                    // SAFETY: as above, of row j + l * R.
                    unsafe { store::<16>(step_mut(to, l * R, dst_y), lane) };
                }
            }
        }
    }
}

/// The lanes of a register, each the lowest of another.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn split(value: __m512i) -> [__m512i; 4] {
    [
        value,
        _mm512_castsi128_si512(_mm512_extracti32x4_epi32::<1>(value)),
        _mm512_castsi128_si512(_mm512_extracti32x4_epi32::<2>(value)),
        _mm512_castsi128_si512(_mm512_extracti32x4_epi32::<3>(value)),
    ]
}

/// Any number of values of x up to a line, with padding, and any height: by masks. Not inlined, because it is the
/// rarer way and would be there several times.
///
/// # Safety
/// As [`strips`], for the `width` values of x from `x` on.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn edge<const B: usize, const R: usize>(job: &Strips, x: usize, width: usize) {
    let valid = if job.valid <= x {
        0
    } else if job.valid - x < width {
        job.valid - x
    } else {
        width
    };
    let part = Strips {
        src: step(job.src, if valid == 0 { 0 } else { x }, job.src_x),
        dst: step_mut(job.dst, x, B as isize),
        valid,
        width,
        ..*job
    };
    match width * B {
        // SAFETY: the strip lies in the job, and fits the width.
        0..=16 if B < 16 => unsafe { edge_of::<B, R, 16>(&part) },
        // SAFETY: as above.
        17..=32 if B < 16 => unsafe { edge_of::<B, R, 32>(&part) },
        // SAFETY: as above.
        _ => unsafe { edge_of::<B, R, 64>(&part) },
    }
}

/// [`edge`] in registers of `W` bytes of the destination.
///
/// # Safety
/// As [`strips`], with a width of at most `W` bytes; `valid` may be 0, if something can be read at `src`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn edge_of<const B: usize, const R: usize, const W: usize>(job: &Strips) {
    let groups = W / 16;
    let block_height = R * LINE / W;
    // Rows without data are read where there is some, and masked out.
    let mut rows_at = [0isize; LINE];
    for (row, at) in rows_at.iter_mut().enumerate().take(W / B) {
        let row = if row < job.valid { row } else { job.valid.saturating_sub(1) };
        *at = (row as isize).wrapping_mul(job.src_x);
    }
    let (data, all) = (first(job.valid * B), first(job.width * B));
    let mut y = 0;
    loop {
        let height = if job.height - y < block_height { job.height - y } else { block_height };
        let mut masks = [0; 4];
        for (h, mask) in masks.iter_mut().enumerate() {
            *mask = first((height.saturating_sub(h * R) * B).min(16)) as __mmask16;
        }
        let from = step(job.src, y, job.src_y);
        let mut rows = [_mm512_setzero_si512(); R];
        for (i, row) in rows.iter_mut().enumerate() {
            let mut lanes = [_mm_setzero_si128(); 4];
            for (l, lane) in lanes.iter_mut().enumerate() {
                let h = l / groups;
                let at = from.wrapping_offset(rows_at[l % groups * R + i]);
                // SAFETY: the mask stops at the last y of the job.
                *lane = unsafe { load16_part(step(at, h * R, job.src_y), masks[h]) };
            }
            *row = join(lanes);
        }
        for (j, &line) in turn::<B, R>(rows).iter().enumerate() {
            for (h, lane) in split_by::<W>(line).into_iter().enumerate().take(LINE / W) {
                if j + h * R < height {
                    let lane = _mm512_maskz_mov_epi8(data, lane);
                    // SAFETY: this y lies in the job, and the mask holds its width.
                    unsafe { store_part::<W>(step_mut(job.dst, y + j + h * R, job.dst_y), lane, all) };
                }
            }
        }
        y += height;
        if y >= job.height {
            return;
        }
        if job.height - y < block_height {
            y = job.height - block_height;
        }
    }
}

/// The parts of `W` bytes of a register, each the lowest of another.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn split_by<const W: usize>(value: __m512i) -> [__m512i; 4] {
    match W {
        16 => split(value),
        32 => [value, _mm512_castsi256_si512(_mm512_extracti64x4_epi64::<1>(value)), value, value],
        _ => [value; 4],
    }
}

/// Transposes the squares of R by R elements in all lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn turn<const B: usize, const R: usize>(mut rows: [__m512i; R]) -> [__m512i; R] {
    let mut left = R;
    while left > 1 {
        let mut zipped = rows;
        for i in 0..R / 2 {
            (zipped[2 * i], zipped[2 * i + 1]) = zip::<B>(rows[i], rows[i + R / 2]);
        }
        rows = zipped;
        left /= 2;
    }
    rows
}

/// The elements of `B` bytes of `a` and `b` in turn: those of the lower halves of the lanes, and of the upper ones.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn zip<const B: usize>(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    match B {
        1 => (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b)),
        2 => (_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b)),
        4 => (_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b)),
        _ => (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)),
    }
}
