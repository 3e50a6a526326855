//! Crossed unit strides: columns and edges of squares in registers of 64, 32 and 16 bytes. Called by this folder's `Simd`.

use core::arch::x86_64::*;

use super::super::super::drive::{LINE, Strips};
use super::super::super::generic::{step, step_mut};
use super::super::super::tile::Step;
use super::super::parts::maker::writes_in_turn;
use super::super::parts::opaque;
use super::super::parts::square::{at, column, next, scattered, squares, tabled};
use super::super::parts::zip::{lanes, unrolled, zip_network};
use super::dense::{parts, quads};
use super::memory::*;

/// A line of the destination for each y, then the next one.
///
/// # Safety
/// As [`super::super::super::drive::Simd::column`], with `R * B == 16`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn column<const B: usize, const R: usize>(job: &Strips, ahead: isize) {
    if job.stream {
        // SAFETY: the caller's promise.
        unsafe { column64::<B, R, true, false>(job, ahead, 1) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { column64::<B, R, false, false>(job, ahead, 1) };
    }
}

/// Lines of the destination side by side for each y. Not inlined, so that [`column`] is.
///
/// # Safety
/// As [`super::super::super::drive::Simd::columns`], with `R * B == 16`.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn columns<const B: usize, const R: usize>(job: &Strips, aside: usize) {
    // SAFETY: the caller's promise.
    unsafe { column64::<B, R, false, true>(job, 0, aside) };
}

/// Rows of the destination of `W` bytes.
///
/// # Safety
/// As [`super::super::super::drive::Simd::narrow_column`], with `R * B == 16`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn narrow_column<const B: usize, const R: usize, const W: usize>(job: &Strips) {
    match W {
        // SAFETY: the caller's promise. Of wider elements there are less shuffles to save.
        _ if B == 1 && !job.claims => unsafe { quads::<1, 16, false>(job, parts::<16>(job)) },
        // SAFETY: the caller's promise.
        16 => unsafe { column16::<B, R, false, false>(job, 0, 1) },
        // SAFETY: the caller's promise; there are no others.
        _ => unsafe { column32::<B, R, false, false>(job, 0, 1) },
    }
}

/// What fills no register, has padding or is lower than a square.
///
/// # Safety
/// As [`super::super::super::drive::Simd::edge`], with `R * B == 16`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn edge<const B: usize, const R: usize>(job: &Strips) {
    match (job.width * B, job.height >= R) {
        // SAFETY: the caller's promise, and the width fits.
        (0..=16, true) => unsafe { edge16::<B, R, true>(job) },
        // SAFETY: the caller's promise, and the width fits.
        (0..=16, false) => unsafe { edge16::<B, R, false>(job) },
        // SAFETY: the caller's promise, and the width fits.
        (17..=32, true) => unsafe { edge32::<B, R, true>(job) },
        // SAFETY: the caller's promise, and the width fits.
        (17..=32, false) => unsafe { edge32::<B, R, false>(job) },
        // SAFETY: the caller's promise, and the width fits.
        (_, true) => unsafe { edge64::<B, R, true>(job) },
        // SAFETY: the caller's promise, and the width fits.
        (_, false) => unsafe { edge64::<B, R, false>(job) },
    }
}

squares! {
    "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", 64, block64 edge64, _mm512_setzero_si512 join4 turn64,
    load16 load16_first, store64 stream store64_first, ones64 _mm512_and_si512
}
squares! {
    "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", 32, block32 edge32, _mm256_setzero_si256 join2 turn32,
    load16 load16_first, store32 store32 store32_first, ones32 _mm256_and_si256
}
squares! {
    "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", 16, block16 edge16, _mm_setzero_si128 join1 turn16,
    load16 load16_first, store16 store16 store16_first, ones16 _mm_and_si128
}
column! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", column64, block64, 64, 1 }
column! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", column32, block32, 32, 1 }
column! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", column16, block16, 16, 1 }
tabled! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", tabled64, 64, _mm512_setzero_si512 join4 turn64, load16 store64 stream }
scattered! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", scattered, 64, _mm512_setzero_si512 join4 turn64, load16 store64 stream }

/// A line of the destination for each y, then the next one, of a job that a first-level cache holds with both sides: what limits it
/// are the shuffles. All that the inner loop needs stays in registers: what it read from the stack would wait wherever a line that
/// was just written lies at the same place of a page. The last block overlaps the one before where the height is no multiple of it.
///
/// # Safety
/// As [`super::super::super::drive::Simd::near_column`], with `R * B == 16`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn near_column<const B: usize, const R: usize>(job: &Strips) {
    if inserts() {
        // SAFETY: the caller's promise.
        unsafe { near_lines::<B, R, true>(job) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { near_lines::<B, R, false>(job) };
    }
}

/// The same, with loads brought together as [`fill4`] says.
///
/// # Safety
/// As [`near_column`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn near_lines<const B: usize, const R: usize, const INSERTS: bool>(job: &Strips) {
    let Strips { mut src, src_y, mut dst, src_step, dst_step, height, .. } = *job;
    let (mut strips, all) = (job.width * B / LINE, height.div_ceil(R));
    let last = height - (all - 1) * R;
    loop {
        let (mut from, mut to, mut blocks) = (src, dst, all);
        loop {
            let mut rows = [_mm512_setzero_si512(); R];
            let row = opaque(from.cast_mut()).cast_const();
            let mut four = lanes!(64, l => step(row, l * R, src_step));
            unrolled!(R, i => {
                // Else the distances of all rows would be kept.
                if i > 0 && i.is_multiple_of(4) {
                    four = lanes!(64, l => opaque(step(four[l], 4, src_step).cast_mut()).cast_const());
                }
                rows[i] = fill4::<INSERTS>(lanes!(64, l => {
                    // SAFETY: the caller's promise; these values of x and y are in the job.
                    unsafe { load16(step(four[l], i % 4, src_step)) }
                }));
            });
            let lines = turn64::<B, R>(rows, R);
            let mut line = to;
            unrolled!(R, j => {
                if j > 0 && j.is_multiple_of(4) {
                    line = opaque(step_mut(line, 4, dst_step));
                }
                // SAFETY: as above.
                unsafe { store64(step_mut(line, j % 4, dst_step), lines[j]) };
            });
            blocks -= 1;
            let by = match blocks {
                0 => break,
                1 => last,
                _ => R,
            };
            (from, to) = (step(from, by, src_y), step_mut(to, by, dst_step));
        }
        strips -= 1;
        if strips == 0 {
            return;
        }
        (src, dst) = (step(src, LINE / B, src_step), dst.wrapping_add(LINE));
    }
}

/// All repetitions of half lines, those of the same y side by side: together they fill lines. The last block overlaps the one
/// before where the height is no multiple of it.
///
/// # Safety
/// As [`super::super::super::drive::Simd::repeated`] for rows of 32 bytes, with `R * B == 16`.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn repeated32<const B: usize, const R: usize>(job: &Strips, again: Step) {
    let mut y = 0;
    loop {
        let (from, to) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_step));
        for i in 0..again.len {
            let (from, to) = (step(from, i, again.src), step_mut(to, i, again.dst));
            // SAFETY: y + R is within the height, and the repetition is in the job.
            unsafe { block32::<B, R, false>(from, job.src_step, to, job.dst_step) };
        }
        match next(y, R, job.height) {
            Some(next) => y = next,
            None => return,
        }
    }
}

/// Whether loads are better inserted one by one from memory: on Intel's processors, where to insert a register takes the one port that
/// shuffles wait for. On AMD's (Zen 4) each such load is a shuffle of its own, and 1.5 times as slow.
#[inline]
pub(super) fn inserts() -> bool {
    writes_in_turn()
}

/// [`join4`], or with `INSERTS` each load but the first inserted from memory. Where the caches are waited for, that is slower.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn fill4<const INSERTS: bool>(lanes: [__m128i; 4]) -> __m512i {
    if !INSERTS {
        return join4(lanes);
    }
    let two = _mm512_inserti32x4::<1>(_mm512_castsi128_si512(lanes[0]), lanes[1]);
    _mm512_inserti32x4::<3>(_mm512_inserti32x4::<2>(two, lanes[2]), lanes[3])
}

/// Four loads as the lanes of a register.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn join4(lanes: [__m128i; 4]) -> __m512i {
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
    pub(super) turn64, __m512i, "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi",
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
