//! Crossed unit strides, a cache line of the destination at a time.
//!
//! Four loads of 16 bytes fill a register: one row of the source in each 128-bit lane, R = 16 / B rows apart, so that the
//! lanes need not be crossed any more; the zip network does the rest. Rows of 32 and 16 bytes go by narrower registers.

use core::arch::x86_64::*;

use super::super::super::drive::{LINE, Strips};
use super::super::super::generic::{step, step_mut};
use super::super::opaque;
use super::super::zip::{unrolled, zip_network};
use super::memory::{load16, load16_first, load64, store16, store32, store64, stream};
use super::memory::{ones, store16_first, store32_first, store64_first};

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
    if job.fold.is_some() {
        let mut x = 0;
        while x < job.width {
            let width = if job.width - x < LINE / B { job.width - x } else { LINE / B };
            // SAFETY: the strip lies in the job.
            unsafe { edge::<B, R>(&job.part::<B>(x, width)) };
            x += width;
        }
        return;
    }
    if job.width * B < LINE {
        // SAFETY: the caller's promise.
        unsafe { rest::<B, R>(job) };
        return;
    }
    let side = LINE / B;
    let mut x = 0;
    // Lines of the destination that all rows share begin where it is a multiple of 64.
    let off = job.dst as usize % LINE;
    let aligned = (job.dst_y as usize).is_multiple_of(LINE) && off.is_multiple_of(B);
    if aligned && off > 0 && job.width * B >= 2 * LINE {
        x = (LINE - off) / B;
        // SAFETY: the strip lies in the job.
        unsafe { rest::<B, R>(&job.part::<B>(0, x)) };
    }
    let streams = job.stream && aligned && (off == 0 || x > 0);
    let stage = side > WAYS * places(job.src_x) && B < 16;
    while x + side <= job.valid {
        let ahead = job.src_x.unsigned_abs() >= FAR && x + 2 * side <= job.valid;
        let part = job.part::<B>(x, side);
        if stage {
            // SAFETY: the strip lies in the job, with data in all of the line.
            unsafe { staged::<B, R>(&part, streams) };
        } else {
            // SAFETY: as above; where `streams`, the lines of the destination are aligned.
            unsafe { line::<B, R>(&part, streams, ahead) };
        }
        x += side;
    }
    while x < job.width {
        let left = job.width - x;
        let width = if left >= side {
            side
        } else if job.valid == job.width && B < 16 {
            // Without padding the last strip overlaps the one before, to fill a register.
            let bytes = (left * B).next_power_of_two();
            if bytes < 16 { 16 / B } else { bytes / B }
        } else {
            left
        };
        x = if width > left { job.width - width } else { x };
        // SAFETY: the strip lies in the job.
        unsafe { rest::<B, R>(&job.part::<B>(x, width)) };
        x += width;
    }
}

/// How many different places of a first-level cache lines at this distance fall into.
const fn places(stride: isize) -> usize {
    let stride = stride.unsigned_abs() | ALIAS;
    ALIAS >> stride.trailing_zeros()
}

/// One whole line of the destination for each y.
///
/// # Safety
/// As [`strips`], with `valid` and `width` of a line. With `streams`, all lines are aligned.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn line<const B: usize, const R: usize>(job: &Strips, streams: bool, ahead: bool) {
    if job.height < R {
        // SAFETY: the caller's promise.
        unsafe { edge64::<B, R, false>(job) };
    } else if streams {
        // SAFETY: the caller's promise.
        unsafe { column::<B, R, true>(job, ahead) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { column::<B, R, false>(job, ahead) };
    }
}

/// What is no whole line of data: without masks where it fills 32 or 16 bytes.
///
/// # Safety
/// As [`strips`], with a width of a line at most.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn rest<const B: usize, const R: usize>(job: &Strips) {
    let whole = job.valid == job.width && job.height >= R;
    match job.width * B {
        // SAFETY: the caller's promise, and the width fits.
        16 if whole => unsafe { column16::<B, R>(job) },
        // SAFETY: as above.
        32 if whole => unsafe { column32::<B, R>(job) },
        // SAFETY: as above.
        64 if whole => unsafe { column::<B, R, false>(job, false) },
        // SAFETY: as above.
        _ => unsafe { edge::<B, R>(job) },
    }
}

/// What is no whole line of data, or is folded.
///
/// # Safety
/// As [`strips`], with a width of a line at most.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn edge<const B: usize, const R: usize>(job: &Strips) {
    match (job.width * B, job.height >= R) {
        // SAFETY: the caller's promise, and the width fits.
        (0..=16, true) => unsafe { edge16::<B, R, true>(job) },
        // SAFETY: as above.
        (0..=16, false) => unsafe { edge16::<B, R, false>(job) },
        // SAFETY: as above.
        (17..=32, true) => unsafe { edge32::<B, R, true>(job) },
        // SAFETY: as above.
        (17..=32, false) => unsafe { edge32::<B, R, false>(job) },
        // SAFETY: as above.
        (_, true) => unsafe { edge64::<B, R, true>(job) },
        // SAFETY: as above.
        (_, false) => unsafe { edge64::<B, R, false>(job) },
    }
}

/// [`line`] for any number of rows from a square up, whose last block overlaps the one before where the height is no
/// multiple of it.
///
/// # Safety
/// As [`line`]; with `STREAM`, all lines are aligned.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn column<const B: usize, const R: usize, const STREAM: bool>(job: &Strips, ahead: bool) {
    let mut y = 0;
    loop {
        let from = step(job.src, y, job.src_y);
        if ahead {
            // A quarter of the lines of the next strip: four blocks make up a line.
            let mut group = step(from, LINE / B + y / R % 4 * R, job.src_x);
            unrolled!(R, i => {
                if i.is_multiple_of(4) {
                    group = opaque(step(group, if i > 0 { 4 } else { 0 }, job.src_x).cast_mut()).cast_const();
                }
                _mm_prefetch::<_MM_HINT_T0>(step(group, i % 4, job.src_x).cast());
            });
        }
        let from = opaque(from.cast_mut()).cast_const();
        let mut rows = [_mm512_setzero_si512(); R];
        let mut from: [_; 4] = core::array::from_fn(|l| step(from, l * R, job.src_x));
        unrolled!(R, i => {
            if i > 0 && i.is_multiple_of(4) {
                from = from.map(|from| opaque(step(from, 4, job.src_x).cast_mut()).cast_const());
            }
            // SAFETY: x is within the line, and y + R within the height.
            rows[i] = join4(from.map(|from| unsafe { load16(step(from, i % 4, job.src_x)) }));
        });
        let mut to = opaque(step_mut(job.dst, y, job.dst_y));
        for (j, &line) in turn64::<B, R>(rows).iter().enumerate() {
            if j > 0 && j % 4 == 0 {
                to = opaque(step_mut(to, 4, job.dst_y));
            }
            let to = step_mut(to, j % 4, job.dst_y);
            if STREAM {
                // SAFETY: y + R is within the height; the caller promises alignment.
                unsafe { stream(to, line) };
            } else {
                // SAFETY: y + R is within the height.
                unsafe { store64(to, line) };
            }
        }
        y += R;
        if y + R > job.height {
            if y >= job.height {
                return;
            }
            y = job.height - R;
        }
    }
}

/// [`line`] through a buffer, for rows of the source that drive one another out of the first-level cache: each line of
/// it is read once and whole.
///
/// # Safety
/// As [`line`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn staged<const B: usize, const R: usize>(job: &Strips, streams: bool) {
    let side = LINE / B;
    let mut buffer = core::mem::MaybeUninit::<[[u8; LINE]; LINE]>::uninit();
    let buffer = buffer.as_mut_ptr().cast::<u8>();
    let mut y = 0;
    while y < job.height {
        let height = if job.height - y < side { job.height - y } else { side };
        for x in 0..side {
            let from = step(step(job.src, x, job.src_x), y, job.src_y);
            let to = buffer.wrapping_add(x * LINE);
            if height == side {
                // SAFETY: a line of this row lies in the job.
                let line = unsafe { load64(from) };
                // SAFETY: the buffer has LINE lines.
                unsafe { store64(to, line) };
            } else {
                // SAFETY: `height` elements of this row lie in the job, and a line of the buffer has room for them.
                unsafe { core::ptr::copy_nonoverlapping(from, to, height * B) };
            }
        }
        let dst = step_mut(job.dst, y, job.dst_y);
        let part = Strips { src: buffer, src_x: LINE as isize, dst, height, ..*job };
        // SAFETY: this part was just written to the buffer, and its destination lies in the job.
        unsafe { line::<B, R>(&part, streams, false) };
        y += height;
    }
}

/// [`column`] and its edges for rows of the destination of `$width` bytes, in registers as wide.
macro_rules! narrower {
    (
        $column:ident, $edge:ident, $turn:ident, $width:literal, $zero:ident, $join:ident, $cast:ident,
        $and:ident, $store:ident, $store_first:ident
    ) => {
        /// `$width` bytes of the destination for each y. The last block overlaps the one before where the height is no
        /// multiple.
        ///
        /// # Safety
        /// As [`strips`], with `valid` and `width` of as many bytes, and a height of a square at least.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
        #[allow(dead_code, reason = "lines of 64 bytes have their own, which can stream")]
        unsafe fn $column<const B: usize, const R: usize>(job: &Strips) {
            let mut y = 0;
            loop {
                let from = opaque(step(job.src, y, job.src_y).cast_mut()).cast_const();
                let mut rows = [$zero(); R];
                let mut from: [_; $width / 16] = core::array::from_fn(|l| step(from, l * R, job.src_x));
                unrolled!(R, i => {
                    if i > 0 && i.is_multiple_of(4) {
                        from = from.map(|from| opaque(step(from, 4, job.src_x).cast_mut()).cast_const());
                    }
                    // SAFETY: x is within the width, and y + R within the height.
                    rows[i] = $join(from.map(|from| unsafe { load16(step(from, i % 4, job.src_x)) }));
                });
                let mut to = opaque(step_mut(job.dst, y, job.dst_y));
                for (j, &line) in $turn::<B, R>(rows).iter().enumerate() {
                    if j > 0 && j % 4 == 0 {
                        to = opaque(step_mut(to, 4, job.dst_y));
                    }
                    // SAFETY: y + R is within the height.
                    unsafe { $store(step_mut(to, j % 4, job.dst_y), line) };
                }
                y += R;
                if y + R > job.height {
                    if y >= job.height {
                        return;
                    }
                    y = job.height - R;
                }
            }
        }

        /// Up to `$width` bytes of the destination for each y, with padding, and any height. Not inlined,
        /// because it is the rarer way and would be there several times.
        ///
        /// # Safety
        /// As [`strips`], with a width of as many bytes at most; `valid` may be 0, if the first row can be read. With `HIGH`,
        /// the height is a square's at least.
        #[inline(never)]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
        unsafe fn $edge<const B: usize, const R: usize, const HIGH: bool>(job: &Strips) {
            let rows_at = job.rows::<$width>();
            let data = $cast(ones(job.valid * B));
            let run = job.height * B;
            let mut y = 0;
            loop {
                let from = step(job.src, y, job.src_y);
                let mut rows = [$zero(); R];
                unrolled!(R, i => {
                    let mut lanes = [_mm_setzero_si128(); $width / 16];
                    for (l, lane) in lanes.iter_mut().enumerate() {
                        let at = from.wrapping_offset(rows_at[l * R + i]);
                        *lane = if HIGH {
                            // SAFETY: y + R is within the height.
                            unsafe { load16(at) }
                        } else {
                            // SAFETY: `run` stops at the last y of the job.
                            unsafe { load16_first(at, run) }
                        };
                    }
                    rows[i] = $join(lanes);
                });
                let lines = $turn::<B, R>(rows);
                unrolled!(R, j => {
                    if y + j < job.height {
                        let to = step_mut(job.dst, y + j, job.dst_y);
                        // SAFETY: this y lies in the job.
                        unsafe { $store_first(to, $and(data, lines[j]), job.width * B) };
                    }
                });
                y += R;
                if y + R > job.height {
                    if y >= job.height {
                        return;
                    }
                    y = job.height - R;
                }
            }
        }
    };
}
narrower! { column64, edge64, turn64, 64, _mm512_setzero_si512, join4, same, _mm512_and_si512, store64, store64_first }
narrower! { column32, edge32, turn32, 32, _mm256_setzero_si256, join2, _mm512_castsi512_si256, _mm256_and_si256, store32, store32_first }
narrower! { column16, edge16, turn16, 16, _mm_setzero_si128, join1, _mm512_castsi512_si128, _mm_and_si128, store16, store16_first }

/// The whole register, where others take a part.
fn same(register: __m512i) -> __m512i {
    register
}

/// Four loads as the lanes of a register.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn join4(lanes: [__m128i; 4]) -> __m512i {
    let low = _mm512_castsi256_si512(join2([lanes[0], lanes[1]]));
    _mm512_inserti64x4::<1>(low, join2([lanes[2], lanes[3]]))
}

/// Two loads as the lanes of a register.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn join2(lanes: [__m128i; 2]) -> __m256i {
    _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(lanes[0]), lanes[1])
}

/// One load.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn join1(lanes: [__m128i; 1]) -> __m128i {
    lanes[0]
}

zip_network! {
    turn64, __m512i, "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi",
    _mm512_unpacklo_epi8 _mm512_unpackhi_epi8, _mm512_unpacklo_epi16 _mm512_unpackhi_epi16,
    _mm512_unpacklo_epi32 _mm512_unpackhi_epi32, _mm512_unpacklo_epi64 _mm512_unpackhi_epi64
}
zip_network! {
    turn32, __m256i, "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi",
    _mm256_unpacklo_epi8 _mm256_unpackhi_epi8, _mm256_unpacklo_epi16 _mm256_unpackhi_epi16,
    _mm256_unpacklo_epi32 _mm256_unpackhi_epi32, _mm256_unpacklo_epi64 _mm256_unpackhi_epi64
}
zip_network! {
    turn16, __m128i, "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi",
    _mm_unpacklo_epi8 _mm_unpackhi_epi8, _mm_unpacklo_epi16 _mm_unpackhi_epi16,
    _mm_unpacklo_epi32 _mm_unpackhi_epi32, _mm_unpacklo_epi64 _mm_unpackhi_epi64
}
