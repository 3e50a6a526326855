//! Crossed unit strides: columns and edges of squares in registers of 32 and 16 bytes. Called by this folder's `Simd`.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::super::drive::{Eights, LINE, Strips};
use super::super::super::generic::{step, step_mut};
use super::super::parts::square::{at, column, next, scattered, squares, tabled};
use super::super::parts::zip::{lanes, unrolled, zip_network};
use super::super::parts::{MASKED_AHEAD, opaque, prefetch};
use super::memory::*;

/// A line of the destination for each y, then the next one.
///
/// # Safety
/// As [`super::super::super::drive::Simd::column`], with `R * B == 16`.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn column<const B: usize, const R: usize>(job: &Strips, ahead: isize) {
    if job.stream {
        // SAFETY: the caller's promise.
        unsafe { streamed::<B, R>(job, ahead) };
    } else {
        // SAFETY: as above.
        unsafe { column64::<B, R, false, false>(job, ahead, 1) };
    }
}

/// Lines on their way past the caches.
#[repr(align(64))]
struct Lines([[MaybeUninit<u8>; LINE]; 64]);

/// [`column`] past the caches; of elements of 1 byte by a buffer: a block has half of so many lines that they would not wait for
/// their other halves.
///
/// # Safety
/// As [`column`], for a job that streams.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
unsafe fn streamed<const B: usize, const R: usize>(job: &Strips, ahead: isize) {
    if B > 1 {
        // SAFETY: the caller's promise.
        unsafe { column64::<B, R, true, false>(job, ahead, 1) };
        return;
    }
    let mut lines = Lines([const { [MaybeUninit::uninit(); LINE] }; 64]);
    let lines = lines.0.as_mut_ptr().cast::<u8>();
    let height = if job.height < 64 { job.height } else { 64 };
    let (mut x, mut y) = (0, 0);
    while x < job.width {
        let job = job.part::<B>(x, LINE);
        let part = Strips { dst: lines, dst_step: LINE as isize, stream: false, ..job.part_y(y, height) };
        // SAFETY: the buffer has room for as many lines; the rest is the caller's promise.
        unsafe { column64::<B, R, false, false>(&part, ahead, 1) };
        let to = step_mut(job.dst, y, job.dst_step);
        for i in 0..height {
            // SAFETY: this line of the buffer was just written.
            let line = unsafe { load64(lines.wrapping_add(i * LINE)) };
            // SAFETY: this line is in the job, and aligned.
            unsafe { stream64(step_mut(to, i, job.dst_step), line) };
        }
        match next(y, height, job.height) {
            Some(next) => y = next,
            None => (x, y) = (x + LINE, 0),
        }
    }
}

/// Lines of the destination side by side for each y. Not inlined, so that [`column`] is.
///
/// # Safety
/// As [`super::super::super::drive::Simd::columns`], with `R * B == 16`.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn columns<const B: usize, const R: usize>(job: &Strips, aside: usize) {
    // SAFETY: the caller's promise.
    unsafe { column64::<B, R, false, true>(job, 0, aside) };
}

/// Rows of the destination of `W` bytes.
///
/// # Safety
/// As [`super::super::super::drive::Simd::narrow_column`], with `R * B == 16`.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn narrow_column<const B: usize, const R: usize, const W: usize>(job: &Strips) {
    match W {
        // SAFETY: the caller's promise.
        16 => unsafe { column16::<B, R, false, false>(job, 0, 1) },
        // SAFETY: the caller's promise; there are no others.
        _ => unsafe { column32::<B, R, false, false>(job, 0, 1) },
    }
}

/// Lines of 16 elements of 4 bytes that follow one another: each line of the source is read once and whole, 8 at a time, since
/// more may drive one another out of the first-level cache.
///
/// # Safety
/// As [`super::super::super::drive::Simd::dense`], for 16 elements of 4 bytes with data and a height of 16 at least.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn dense(job: &Strips) {
    let mut y = 0;
    loop {
        if job.stream {
            // Both halves of a line in turn.
            for piece in 0..8 {
                let (part, half) = (piece / 2, piece % 2);
                let from = step(step(job.src, 8 * half, job.src_step), y + 4 * part, job.src_y);
                let to = job.dst.wrapping_add(64 * (y + 4 * part) + 32 * half);
                // SAFETY: 8 values of x and 4 of y from here on are in the job, and the lines are aligned.
                unsafe { block32::<4, 4, true>(from, job.src_step, to, 64) };
            }
            match next(y, 16, job.height) {
                Some(next) => y = next,
                None => return,
            }
            continue;
        }
        for half in 0..2 {
            let from = step(step(job.src, 8 * half, job.src_step), y, job.src_y);
            let to = job.dst.wrapping_add(64 * y + 32 * half);
            for part in 0..4 {
                let (from, to) = (from.wrapping_add(16 * part), to.wrapping_add(4 * 64 * part));
                // SAFETY: 8 values of x and 4 of y from here on are in the job.
                unsafe { block32::<4, 4, false>(from, job.src_step, to, 64) };
            }
        }
        match next(y, 16, job.height) {
            Some(next) => y = next,
            None => return,
        }
    }
}

/// Transposes squares of 8 by 8 elements of 4 bytes.
///
/// # Safety
/// As [`super::super::super::drive::Simd::eights`], for elements of 4 bytes.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn eights(job: &Eights) {
    const SIDE: isize = 32;
    for i in 0..job.count {
        let (src, dst) = (step(job.src, i, job.src_z), step_mut(job.dst, i, job.dst_z));
        // SAFETY: the square is in the job: four elements of each row …
        unsafe { block32::<4, 4, false>(src, SIDE, dst, SIDE) };
        // SAFETY: … and the other four.
        unsafe { block32::<4, 4, false>(src.wrapping_add(16), SIDE, dst.wrapping_add(128), SIDE) };
    }
}

/// One to three elements of 4 bytes of each value of x, to as many lines.
///
/// # Safety
/// As [`super::super::super::drive::Simd::few`], for elements of 4 bytes and a width of 8 of them at least.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn few(job: &Strips) {
    let data = ones16(4 * job.height);
    // Of the next values of x, unless they lie in lines of their own with others between them: no loads by masks are foreseen by some
    // processors (Zen 3, 1.0 to 1.9 times as fast).
    let lines =
        if (1..=LINE as isize).contains(&job.src_step) { 8 * job.src_step as usize / LINE } else { 0 };
    let mut x = 0;
    loop {
        let from = opaque(step(job.src, x, job.src_step).cast_mut()).cast_const();
        if lines > 0 {
            let ahead = from.wrapping_add(MASKED_AHEAD);
            prefetch(ahead);
            prefetch(ahead.wrapping_add(LINE));
            if lines > 2 {
                prefetch(ahead.wrapping_add(2 * LINE));
                prefetch(ahead.wrapping_add(3 * LINE));
                if lines > 4 {
                    unrolled!(4, i => prefetch(ahead.wrapping_add(LINE * (4 + i))));
                }
            }
        }
        let from = lanes!(32, l => opaque(step(from, 4 * l, job.src_step).cast_mut()).cast_const());
        let mut rows = [_mm256_setzero_si256(); 4];
        unrolled!(4, i => {
            rows[i] = join2(lanes!(32, l => {
                // SAFETY: this value of x is in the job, with as many elements; what has no ones is not read.
                unsafe { _mm_maskload_epi32(step(from[l], i, job.src_step).cast(), data) }
            }));
        });
        let lines = turn32::<4, 4>(rows, 4);
        let to = job.dst.wrapping_add(4 * x);
        for (y, &line) in lines[..job.height].iter().enumerate() {
            // SAFETY: 8 values of x from here on are in the job.
            unsafe { store32(step_mut(to, y, job.dst_step), line) };
        }
        match next(x, 8, job.width) {
            Some(next) => x = next,
            None => return,
        }
    }
}

/// Lines of 16 elements of 4 bytes of which four at most hold data, and zeros behind these.
///
/// # Safety
/// As [`super::super::super::drive::Simd::sparse`], for elements of 4 bytes, 8 values of y and four with data at most.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn sparse(job: &Strips) {
    let mut y = 0;
    loop {
        let mut rows = [_mm256_setzero_si256(); 4];
        unrolled!(4, i => {
            if i < job.valid {
                // SAFETY: 8 values of y from here on are in the job, and this value of x holds data.
                rows[i] = unsafe { load32(step(step(job.src, i, job.src_step), y, job.src_y)) };
            }
        });
        let turned = turn32::<4, 4>(rows, 4);
        let parts = lanes!(32, l => {
            lanes!(64, i => {
                if l == 0 {
                    _mm256_castsi256_si128(turned[i])
                } else {
                    _mm256_extracti128_si256::<1>(turned[i])
                }
            })
        });
        for (i, &part) in parts.as_flattened().iter().enumerate() {
            let line = step_mut(job.dst, y + i, job.dst_step);
            let (data, zeros) = (_mm256_zextsi128_si256(part), _mm256_setzero_si256());
            if job.stream {
                // SAFETY: this half of a line is in the job, and aligned.
                unsafe { _mm256_stream_si256(line.cast(), data) };
                // SAFETY: as above.
                unsafe { _mm256_stream_si256(line.wrapping_add(32).cast(), zeros) };
            } else {
                // SAFETY: this half of a line is in the job.
                unsafe { store32(line, data) };
                // SAFETY: as above.
                unsafe { store32(line.wrapping_add(32), zeros) };
            }
        }
        match next(y, 8, job.height) {
            Some(next) => y = next,
            None => return,
        }
    }
}

/// What fills no register, has padding or is lower than a square.
///
/// # Safety
/// As [`super::super::super::drive::Simd::edge`], with `R * B == 16`.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn edge<const B: usize, const R: usize>(job: &Strips) {
    match (job.width * B, job.height >= R) {
        // SAFETY: the caller's promise, and the width fits.
        (0..=16, true) => unsafe { edge16::<B, R, true>(job) },
        // SAFETY: the caller's promise, and the width fits.
        (0..=16, false) => unsafe { edge16::<B, R, false>(job) },
        // SAFETY: the caller's promise, and the width fits.
        (_, true) => unsafe { edge32::<B, R, true>(job) },
        // SAFETY: the caller's promise, and the width fits.
        (_, false) => unsafe { edge32::<B, R, false>(job) },
    }
}

squares! {
    "avx2,f16c", 32, block32 edge32, _mm256_setzero_si256 join2 turn32,
    load16 load16_first, store32 stream32 store32_first, ones32 _mm256_and_si256
}
squares! {
    "avx2,f16c", 16, block16 edge16, _mm_setzero_si128 join1 turn16,
    load16 load16_first, store16 store16 store16_first, ones16 _mm_and_si128
}
column! { "avx2,f16c", column64, block32, 32, 2 }
column! { "avx2,f16c", column32, block32, 32, 1 }
column! { "avx2,f16c", column16, block16, 16, 1 }
tabled! { "avx2,f16c", tabled64, 32, _mm256_setzero_si256 join2 turn32, load16 store32 stream32 }
scattered! { "avx2,f16c", scattered, 32, _mm256_setzero_si256 join2 turn32, load16 store32 stream32 }

/// Two loads as the lanes of a register.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn join2(lanes: [__m128i; 2]) -> __m256i {
    _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(lanes[0]), lanes[1])
}

/// One load.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn join1(lanes: [__m128i; 1]) -> __m128i {
    lanes[0]
}

zip_network! {
    pub(super) turn32, __m256i, "avx2,f16c",
    _mm256_unpacklo_epi8 _mm256_unpackhi_epi8, _mm256_unpacklo_epi16 _mm256_unpackhi_epi16,
    _mm256_unpacklo_epi32 _mm256_unpackhi_epi32, _mm256_unpacklo_epi64 _mm256_unpackhi_epi64
}
zip_network! {
    pub(super) turn16, __m128i, "avx2,f16c",
    _mm_unpacklo_epi8 _mm_unpackhi_epi8, _mm_unpacklo_epi16 _mm_unpackhi_epi16,
    _mm_unpacklo_epi32 _mm_unpackhi_epi32, _mm_unpacklo_epi64 _mm_unpackhi_epi64
}
