//! Rows of bytes that are contiguous on both sides, with padding behind them.

use core::arch::x86_64::*;

use super::super::super::cpu::Avx512;
use super::super::super::drive::{self, Carried, Grid, LINE, Rows};
use super::super::super::generic::{step, step_mut, zero_run};
use super::super::super::parts::{prefetch, prefetch_write};
use super::super::parts::bytes;
use super::super::parts::lines::long::{AHEAD, FEW_LINES, long_rows};
use super::super::parts::rows::{run_kernel, short_rows, spread_kernel};
use super::memory::*;

/// Moves `job`; compiled once, as `ordered` is.
///
/// # Safety
/// As [`super::super::super::drive::Simd::rows`].
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn rows(job: &Rows) {
    if job.is_spread(LINE) {
        // SAFETY: the caller's promise, and there are no gaps.
        unsafe { spread(job) };
        return;
    }
    match job.len {
        // In registers as narrow as the row, which cross fewer lines.
        // SAFETY: the caller's promise, and the rows are no longer than that.
        0..=16 => unsafe { rows16(job) },
        // SAFETY: as above.
        17..=32 => unsafe { rows32(job) },
        // SAFETY: as above, and they are aligned.
        LINE if job.stream && (job.dst.addr() | job.dst_y as usize).is_multiple_of(LINE) => unsafe {
            lines(job)
        },
        // SAFETY: as above.
        LINE if matches!(job.valid, 4 | 8 | 12 | 16) => unsafe { sparse_rows(job) },
        // SAFETY: as above.
        33..=LINE => unsafe { rows64(job) },
        // SAFETY: as above, and longer than one register.
        ..=FEW_LINES if job.valid == job.len && !job.stream => unsafe { long_rows(job) },
        _ => {
            for y in 0..job.count {
                let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
                // SAFETY: the caller's promise.
                let streamed = if job.stream { unsafe { stream_run(src, dst, job.valid) } } else { 0 };
                if streamed < job.valid {
                    let (from, to) = (src.wrapping_add(streamed), dst.wrapping_add(streamed));
                    // SAFETY: as above.
                    unsafe { run(from, to, job.valid - streamed) };
                }
                // SAFETY: as above; the row has `len` bytes.
                unsafe { zero_run(dst.wrapping_add(job.valid), job.len - job.valid) };
            }
        }
    }
}

/// Moves rows of 4, 8, 12 or 16 bytes that become a register: what masks single bytes is slower where it misses the caches.
///
/// # Safety
/// As [`rows`], for such rows.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn sparse_rows(job: &Rows) {
    match job.valid {
        // SAFETY: the caller's promise, and the length was just compared.
        4 => unsafe { sparse_rows_of::<4>(job) },
        // SAFETY: as above.
        8 => unsafe { sparse_rows_of::<8>(job) },
        // SAFETY: as above.
        12 => unsafe { sparse_rows_of::<12>(job) },
        // SAFETY: as above; there are no others.
        _ => unsafe { sparse_rows_of::<16>(job) },
    }
}

/// [`sparse_rows`] of `W` bytes.
///
/// # Safety
/// As there.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn sparse_rows_of<const W: usize>(job: &Rows) {
    for y in 0..job.count {
        // SAFETY: the caller's promise.
        let data = unsafe { bytes::load16_first(step(job.src, y, job.src_y), W) };
        let row = _mm512_zextsi128_si512(data);
        // SAFETY: as above; a row is a register.
        unsafe { store64(step_mut(job.dst, y, job.dst_y), row) };
    }
}

/// Moves rows that become aligned lines past the caches.
///
/// # Safety
/// As [`rows`], for such rows.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn lines(job: &Rows) {
    for y in 0..job.count {
        // SAFETY: the caller's promise.
        let row = unsafe { load64_first(step(job.src, y, job.src_y), job.valid) };
        // SAFETY: as above.
        unsafe { stream(step_mut(job.dst, y, job.dst_y), row) };
    }
}

/// Moves as many of `len` bytes past the caches as make up whole lines, and those before them; returns how many these are.
///
/// # Safety
/// They can be read at `src` and written at `dst`, and do not overlap.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn stream_run(src: *const u8, dst: *mut u8, len: usize) -> usize {
    let head = dst.addr().wrapping_neg() % LINE;
    if len < head + LINE {
        return 0;
    }
    // A store of no bytes is not free: it waits for its line, which may be on its way past the caches.
    if head > 0 {
        // SAFETY: the caller's promise.
        unsafe { run(src, dst, head) };
    }
    let mut at = head;
    while at + LINE <= len {
        // SAFETY: at + LINE <= len.
        let line = unsafe { load64(src.wrapping_add(at)) };
        // SAFETY: as above; behind the head, lines are aligned.
        unsafe { stream(dst.wrapping_add(at), line) };
        at += LINE;
    }
    at
}

/// Moves `job`; compiled here once, not in the kernel of every width.
///
/// # Safety
/// As [`super::super::super::drive::Simd::ordered`].
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn ordered(token: Avx512, job: &Grid) {
    // SAFETY: the caller's promise.
    unsafe { drive::ordered(token, job) }
}

/// Writes `job`; compiled here once, as `ordered` is.
///
/// # Safety
/// As [`super::super::super::drive::Simd::carried`].
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn carried(token: Avx512, job: &Carried) {
    // SAFETY: the caller's promise.
    unsafe { drive::carried(token, job) }
}

/// Moves `W` (16, 32 or 64) bytes past the caches.
///
/// # Safety
/// As [`super::super::super::drive::Simd::stream`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn stream_piece<const W: usize>(src: *const u8, dst: *mut u8) {
    if W < LINE {
        // SAFETY: the caller's promise.
        return unsafe { bytes::stream_piece::<W>(src, dst) };
    }
    // SAFETY: as above.
    let line = unsafe { load64(src) };
    // SAFETY: as above; the line is aligned.
    unsafe { stream(dst, line) };
}

/// Moves rows out of gaps, those of two registers at a time where they fit one; the last few are left.
///
/// # Safety
/// As [`super::super::super::drive::Simd::pack`].
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn pack(job: &Rows) -> usize {
    let (len, gap) = (job.len, job.src_y as usize);
    // Whole rows in a register, and registers that are made one.
    let rows = (LINE - len) / gap + 1;
    let both = 2 * rows * len <= LINE;
    let at_once = if both { 2 * rows } else { rows };
    if job.count < at_once {
        return 0;
    }
    let mut from = [0u8; LINE];
    for row in 0..at_once {
        let begin = if row < rows { row * gap } else { LINE + (row - rows) * gap };
        for i in 0..len {
            from[row * len + i] = (begin + i) as u8;
        }
    }
    let data = (0..rows).fold(0, |data, row| data | first(len) << (row * gap));
    // SAFETY: the table fills a register.
    let from = unsafe { load64(from.as_ptr()) };
    let filled = at_once * len;
    let width = if filled <= 16 { 16 } else { filled.next_power_of_two() };
    let ahead = masked_ahead(job.count * gap, 1024 * 1024);
    let (mut done, mut src, mut dst) = (0, job.src, job.dst);
    while done + at_once <= job.count && (job.count - done) * len >= width {
        if ahead > 0 {
            prefetch(src.wrapping_add(ahead));
            prefetch(src.wrapping_add(ahead + LINE));
        }
        // SAFETY: the mask has the bytes of rows of the job.
        let first = unsafe { load64_of(src, data) };
        // SAFETY: as above.
        let second = if both { unsafe { load64_of(step(src, rows, job.src_y), data) } } else { first };
        let packed = _mm512_permutex2var_epi8(first, from, second);
        let (quarter, half) = (_mm512_castsi512_si128(packed), _mm512_castsi512_si256(packed));
        match width {
            // SAFETY: as many bytes of the destination are left; those behind what is filled are written again.
            16 => unsafe { store16(dst, quarter) },
            // SAFETY: as above.
            32 => unsafe { store32(dst, half) },
            // SAFETY: as above.
            _ => unsafe { store64(dst, packed) },
        }
        done += at_once;
        (src, dst) = (step(src, at_once, job.src_y), dst.wrapping_add(filled));
    }
    done
}

long_rows! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", load64 store64 }
short_rows! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", rows64, 64, load64 load64_first, store64 store64_first, ones64 _mm512_and_si512 }
short_rows! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", rows32, 32, load32 load32_first, store32 store32_first, ones32 _mm256_and_si256 }
short_rows! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", rows16, 16, load16 load16_first, store16 store16_first, ones16 _mm_and_si128 }
spread_kernel! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", 64, load64 load64_first, store64 store64_first, permute _mm512_and_si512 }
run_kernel! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", 64, load64 load64_first, store64 store64_first }

/// The bytes of `rows` at the indices `at`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn permute(at: __m512i, rows: __m512i) -> __m512i {
    _mm512_permutexvar_epi8(at, rows)
}
