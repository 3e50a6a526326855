//! Rows of bytes that are contiguous on both sides, with padding behind them.

use core::arch::x86_64::*;

use super::super::super::cpu::Avx2;
use super::super::super::drive::{self, Carried, Grid, LINE, Rows};
use super::super::super::generic::{step, step_mut, zero_run};
use super::super::super::parts::bytes::{are_words, word_rows};
use super::super::parts::lines::apart::pack_apart;
use super::super::parts::lines::long::{AHEAD, FEW_LINES, long_rows};
use super::super::parts::padded::{PADDED, padded_rows};
use super::super::parts::rows::{run_kernel, short_rows, spread_kernel};
use super::super::parts::{MASKED_AHEAD, prefetch, prefetch_write};
use super::memory::*;

/// Moves `job`; compiled once, as `ordered` is.
///
/// # Safety
/// As [`super::super::super::drive::Simd::rows`].
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn rows(job: &Rows) {
    if job.is_spread(16) {
        // SAFETY: the caller's promise, and there are no gaps.
        unsafe { spread(job) };
        return;
    }
    if are_words(job) {
        // SAFETY: the caller's promise.
        unsafe { word_rows(job) };
        return;
    }
    match job.len {
        // In registers as narrow as the row, which cross fewer lines.
        // SAFETY: the caller's promise, and the rows are no longer than that.
        0..=16 => unsafe { rows16(job) },
        // SAFETY: as above.
        17..=32 => unsafe { rows32(job) },
        ..=PADDED if job.valid < job.len && job.len.is_multiple_of(32) => {
            // SAFETY: as above, and the length is a multiple of a register.
            unsafe { padded_rows(job) }
        }
        LINE..=FEW_LINES if job.valid == job.len => {
            // SAFETY: as above, and no shorter than a line.
            unsafe { long_rows(job) }
        }
        _ => {
            for y in 0..job.count {
                let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
                // SAFETY: the caller's promise.
                unsafe { run(src, dst, job.valid) };
                // SAFETY: as above; the row has `len` bytes.
                unsafe { zero_run(dst.wrapping_add(job.valid), job.len - job.valid) };
            }
        }
    }
}

/// Moves `job`; compiled here once, not in the kernel of every width.
///
/// # Safety
/// As [`super::super::super::drive::Simd::ordered`].
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn ordered(token: Avx2, job: &Grid) {
    // SAFETY: the caller's promise.
    unsafe { drive::ordered(token, job) }
}

/// Writes `job`; compiled here once, as `ordered` is.
///
/// # Safety
/// As [`super::super::super::drive::Simd::carried`].
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn carried(token: Avx2, job: &Carried) {
    // SAFETY: the caller's promise.
    unsafe { drive::carried(token, job) }
}

long_rows! { "avx2,f16c", load64 store64 }
short_rows! { "avx2,f16c", rows32, 32, load32 load32_first, store32 store32_first, ones32 _mm256_and_si256 }
short_rows! { "avx2,f16c", rows16, 16, load16 load16_first, store16 store16_first, ones16 _mm_and_si128 }
padded_rows! { "avx2,f16c", padded_rows, 32, load32 load32_next, store32, _mm256_setzero_si256 ones32 }
spread_kernel! { "avx2,f16c", 16, load16 load16_first, store16 store16_first, permute _mm_and_si128 }
run_kernel! { "avx2,f16c", 32, load32 load32_first, store32 store32_first }

/// [`load32_part`] of rows that follow one another, the next of which are fetched.
///
/// # Safety
/// As there.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn load32_next(src: *const u8, len: usize, data: __m256i) -> __m256i {
    prefetch(src.wrapping_add(MASKED_AHEAD));
    // SAFETY: the caller's promise.
    unsafe { load32_part(src, len, data) }
}

/// Moves rows of 4 or 8 bytes out of gaps of multiples of 4 bytes, those of two registers at a time where they fit one, and rows of 1
/// or 2 bytes; the last few are left, and all others.
///
/// # Safety
/// As [`super::super::super::drive::Simd::pack`].
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn pack(job: &Rows) -> usize {
    let (len, gap) = (job.len / 4, job.src_y as usize / 4);
    if !job.len.is_multiple_of(4) || !job.src_y.unsigned_abs().is_multiple_of(4) {
        // SAFETY: the caller's promise.
        return unsafe { pack_apart(job) };
    }
    // Whole rows in a register, and registers that are made one.
    let rows = (8 - len) / gap + 1;
    let both = 2 * rows * len <= 8;
    let at_once = if both { 2 * rows } else { rows };
    // Which elements of a register are read, where each result lies in it, and which results are the second register's.
    let (mut data, mut from, mut second) = ([0i32; 8], [0i32; 8], [0i32; 8]);
    for row in 0..rows {
        for i in 0..len {
            data[row * gap + i] = -1;
            from[row * len + i] = (row * gap + i) as i32;
            if both {
                from[(rows + row) * len + i] = (row * gap + i) as i32;
                second[(rows + row) * len + i] = -1;
            }
        }
    }
    // SAFETY of all three: the table fills a register.
    // SAFETY: see above.
    let data = unsafe { load32(data.as_ptr().cast()) };
    // SAFETY: see above.
    let from = unsafe { load32(from.as_ptr().cast()) };
    // SAFETY: see above.
    let second = unsafe { load32(second.as_ptr().cast()) };
    // More than is in the nearer caches anyway.
    let far = job.count * gap >= 32 * 1024;
    let (mut done, mut src, mut dst) = (0, job.src, job.dst);
    while done + at_once <= job.count && (job.count - done) * len >= 8 {
        if far {
            prefetch(src.wrapping_add(MASKED_AHEAD));
        }
        // SAFETY: the mask has the elements of rows of the job.
        let mut packed =
            _mm256_permutevar8x32_epi32(unsafe { _mm256_maskload_epi32(src.cast(), data) }, from);
        if both {
            let more = step(src, rows, job.src_y);
            // SAFETY: as above.
            let more = unsafe { _mm256_maskload_epi32(more.cast(), data) };
            packed = _mm256_blendv_epi8(packed, _mm256_permutevar8x32_epi32(more, from), second);
        }
        // SAFETY: as many bytes of the destination are left.
        unsafe { store32(dst, packed) };
        done += at_once;
        (src, dst) = (step(src, at_once, job.src_y), dst.wrapping_add(4 * at_once * len));
    }
    done
}

/// The bytes of `rows` at the indices `at`.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn permute(at: __m128i, rows: __m128i) -> __m128i {
    _mm_shuffle_epi8(rows, at)
}
