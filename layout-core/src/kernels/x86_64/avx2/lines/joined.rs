//! Rows of whole blocks and a part of one. Called by the folder's `mod`.

use core::arch::x86_64::*;

use super::super::super::super::drive::LINE;
use super::super::super::super::generic::{step, step_mut, transfer};
use super::super::super::super::tile::{Joined, Step};
use super::super::super::parts::lines::joined::{BAND, Part, joined_kernel};
use super::super::super::parts::maker::writes_in_turn;
use super::super::super::parts::zip::unrolled;
use super::super::super::parts::{ACROSS, prefetch_write};
use super::super::memory::*;

joined_kernel! { "avx2,f16c", padded_block }

/// Moves `job`. Where rows follow one another, as many bytes as a block has are read at each part but the last one, and those that
/// belong to the next row are masked: to read no more than a part takes several loads.
///
/// # Safety
/// That of `JoinRows`.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(in super::super) unsafe fn join(job: &Joined) {
    let Joined { rows, blocks, block, valid, padded, .. } = *job;
    let follow = blocks.src == block as isize && rows.src == (blocks.len * block + valid) as isize;
    if !padded || !follow || rows.len < 2 {
        // SAFETY: the caller's promise.
        return unsafe { join_rows(job) };
    }
    let first = rows.len - 1;
    let most = Joined { rows: Step { len: first, ..rows }, ..*job };
    match block {
        // SAFETY of all arms: the caller's promise; behind each of these parts lies a row.
        // SAFETY: see above.
        16 => unsafe { self::blocks::<16>(&most, whole::<16>) },
        // SAFETY: see above.
        32 => unsafe { self::blocks::<32>(&most, whole::<32>) },
        // SAFETY: see above.
        _ if blocks.len == 1 => unsafe { lines(&most) },
        // SAFETY: see above.
        _ => unsafe { self::blocks::<64>(&most, whole::<64>) },
    }
    let (src, dst) = (step(job.src, first, rows.src), step_mut(job.dst, first, rows.dst));
    // SAFETY: the last row of the job.
    unsafe { join_rows(&Joined { src, dst, rows: Step { len: 1, ..rows }, ..*job }) };
}

/// Moves `valid` bytes of each row, and zeros behind them up to `W`.
///
/// # Safety
/// `W` bytes, which is 16, 32 or 64, can be read at `src` and written at `dst`, for all rows; they do not overlap.
#[target_feature(enable = "avx2,f16c")]
unsafe fn whole<const W: usize>(mut src: *const u8, mut dst: *mut u8, rows: Step, valid: usize) {
    let data = [ones32(valid.min(32)), ones32(valid.saturating_sub(32))];
    let narrow = _mm256_castsi256_si128(data[0]);
    for _ in 0..rows.len {
        match W {
            16 => {
                // SAFETY: the caller's promise.
                let part = unsafe { load16(src) };
                let part = _mm_and_si128(part, narrow);
                // SAFETY: as above.
                unsafe { store16(dst, part) };
            }
            32 => {
                // SAFETY: as above.
                let part = unsafe { load32(src) };
                let part = _mm256_and_si256(part, data[0]);
                // SAFETY: as above.
                unsafe { store32(dst, part) };
            }
            _ => {
                // SAFETY: as above.
                let [low, high] = unsafe { load64(src) };
                let part = [_mm256_and_si256(low, data[0]), _mm256_and_si256(high, data[1])];
                // SAFETY: as above.
                unsafe { store64(dst, part) };
            }
        }
        (src, dst) = (step(src, 1, rows.src), step_mut(dst, 1, rows.dst));
    }
}

/// Moves a line of each row, and its part and zeros to another one: row by row.
///
/// # Safety
/// As [`join`], for rows of a line and a part, behind which a line can be read.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
unsafe fn lines(job: &Joined) {
    let Joined { blocks, valid, .. } = *job;
    let data = [ones32(valid.min(32)), ones32(valid.saturating_sub(32))];
    let (mut src, mut dst) = (job.src, job.dst);
    // Of blocks that are written across lines, to two streams.
    let claims = writes_in_turn() && !job.dst.addr().is_multiple_of(LINE);
    for _ in 0..job.rows.len {
        let to = step_mut(dst, 1, blocks.dst);
        if claims {
            prefetch_write(step_mut(dst, ACROSS, job.rows.dst).wrapping_add(LINE - 1));
            prefetch_write(step_mut(to, ACROSS, job.rows.dst).wrapping_add(LINE - 1));
        }
        // SAFETY: the caller's promise, as for all below.
        let line = unsafe { load64(src) };
        // SAFETY: see above.
        let [low, high] = unsafe { load64(src.wrapping_add(LINE)) };
        // SAFETY: see above.
        unsafe { store64(dst, line) };
        let part = [_mm256_and_si256(low, data[0]), _mm256_and_si256(high, data[1])];
        // SAFETY: see above.
        unsafe { store64(to, part) };
        (src, dst) = (step(src, 1, job.rows.src), step_mut(dst, 1, job.rows.dst));
    }
}

/// Moves `valid` bytes, and zeros behind them up to `W`.
///
/// # Safety
/// They can be read at `src`, and `W` bytes, which is 16, 32 or 64, written at `dst`; they do not overlap.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn padded_block<const W: usize>(src: *const u8, dst: *mut u8, valid: usize) {
    let data = ones32(if valid <= 32 { valid } else { valid - 32 });
    let zeros = _mm256_setzero_si256();
    // SAFETY of all: the caller's promise.
    match (W, valid) {
        (16, _) => {
            // SAFETY: see above.
            let part = unsafe { load16_first(src, valid) };
            // SAFETY: see above.
            unsafe { store16(dst, part) };
        }
        (32, _) => {
            // SAFETY: see above.
            let part = unsafe { load32_part(src, valid, data) };
            // SAFETY: see above.
            unsafe { store32(dst, part) };
        }
        (_, ..=32) => {
            // A second load by a mask without ones would cost as much as any load.
            // SAFETY: see above.
            let part = unsafe { load32_part(src, valid, data) };
            // SAFETY: see above.
            unsafe { store64(dst, [part, zeros]) };
        }
        _ => {
            // SAFETY: see above.
            let first = unsafe { load32(src) };
            // SAFETY: see above.
            let second = unsafe { load32_part(src.wrapping_add(32), valid - 32, data) };
            // SAFETY: see above.
            unsafe { store64(dst, [first, second]) };
        }
    }
}
