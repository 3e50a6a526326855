//! Up to 16 bytes put together from whole smaller loads, and masks to clear the rest of a register. Called by the
//! `memory` of every family.

use super::super::drive::Rows;
use super::super::generic::{step, step_mut};

/// Reads `len` (less than 16) bytes at `src`, as the lower and the upper half of a register; the others are zero.
///
/// # Safety
/// They can be read.
#[inline(always)]
pub(in super::super) unsafe fn first_halves(src: *const u8, len: usize) -> [u64; 2] {
    // Two loads that overlap where the length is no power of two, and as few branches as that leaves.
    match len {
        8.. => {
            // SAFETY of both: the caller's promise.
            // SAFETY: see above.
            let low = unsafe { overlapped::<8>(src, len) };
            // SAFETY: see above.
            [low, unsafe { rest(src, len) }]
        }
        // SAFETY: the caller's promise.
        4.. => [unsafe { overlapped::<4>(src, len) }, 0],
        // SAFETY: as above.
        2.. => [unsafe { overlapped::<2>(src, len) }, 0],
        // SAFETY: as above.
        1 => [unsafe { src.read() }.into(), 0],
        0 => [0, 0],
    }
}

/// Reads what follows the first 8 of `len` bytes, 8 to 15, by a load of the last 8.
///
/// # Safety
/// They can be read.
#[inline(always)]
unsafe fn rest(src: *const u8, len: usize) -> u64 {
    // SAFETY: the caller's promise; no alignment is needed.
    let end = unsafe { src.wrapping_add(len - 8).cast::<u64>().read_unaligned() };
    // Of 8 bytes nothing is left: a shift by all bits at once would be none.
    end >> (8 * (15 - len)) >> 8
}

/// Reads `len` bytes, `W` to twice as many and 8 at most, by two loads of `W` (1, 2, 4 or 8).
///
/// # Safety
/// They can be read.
#[inline(always)]
unsafe fn overlapped<const W: usize>(src: *const u8, len: usize) -> u64 {
    let end = src.wrapping_add(len - W);
    macro_rules! read {
        ($word:ty) => {{
            // SAFETY: the caller's promise; no alignment is needed.
            let low = unsafe { src.cast::<$word>().read_unaligned() };
            // SAFETY: as above.
            let high = unsafe { end.cast::<$word>().read_unaligned() };
            u64::from(low) | u64::from(high) << (8 * (len - W))
        }};
    }
    match W {
        1 => read!(u8),
        2 => read!(u16),
        4 => read!(u32),
        // SAFETY: the caller's promise.
        _ => unsafe { src.cast::<u64>().read_unaligned() },
    }
}

/// Writes the first `len` bytes of `value`, `W` to twice as many and 8 at most, by two stores of `W` (1, 2, 4 or 8).
///
/// # Safety
/// They can be written.
#[inline(always)]
unsafe fn put<const W: usize>(dst: *mut u8, value: u64, len: usize) {
    let end = dst.wrapping_add(len - W);
    macro_rules! write {
        ($word:ty) => {{
            // SAFETY: the caller's promise; no alignment is needed.
            unsafe { dst.cast::<$word>().write_unaligned(value as $word) };
            // SAFETY: as above.
            unsafe { end.cast::<$word>().write_unaligned((value >> (8 * (len - W))) as $word) };
        }};
    }
    match W {
        1 => write!(u8),
        2 => write!(u16),
        4 => write!(u32),
        // SAFETY: the caller's promise.
        _ => unsafe { dst.cast::<u64>().write_unaligned(value) },
    }
}

/// Whether [`word_rows`] is for a job: rows of 8 bytes at most, or of 16 of which fewer hold data, with gaps or padding behind them, so
/// that no register can be read at them.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone has measured it so far"))]
pub(in super::super) const fn are_words(job: &Rows) -> bool {
    let short = job.len <= 8 || job.len == 16 && job.valid < 16;
    short && job.valid > 0 && job.src_y != job.valid as isize
}

/// Moves rows one by one, by loads and stores as wide as all of them need, so that no row asks for its length.
///
/// # Safety
/// That of [`Simd::rows`](super::super::drive::Simd::rows); [`are_words`] holds, whatever the distance of the rows.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone has measured it so far"))]
#[inline(never)]
pub(in super::super) unsafe fn word_rows(job: &Rows) {
    macro_rules! each {
        ($read:literal $write:literal) => {
            for y in 0..job.count {
                // SAFETY: the caller's promise.
                let value = unsafe { overlapped::<$read>(step(job.src, y, job.src_y), job.valid) };
                // SAFETY: as above.
                unsafe { put::<$write>(step_mut(job.dst, y, job.dst_y), value, job.len) };
            }
        };
        ($read:literal) => {
            for y in 0..job.count {
                let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
                // SAFETY: the caller's promise.
                let low = unsafe { overlapped::<$read>(src, job.valid) };
                // SAFETY: as above: behind 8 bytes the last 8, of which some were read.
                let high = if $read == 8 { unsafe { rest(src, job.valid) } } else { 0 };
                let value = u128::from(low) | u128::from(high) << 64;
                // SAFETY: as above.
                unsafe { dst.cast::<u128>().write_unaligned(value.to_le()) };
            }
        };
    }
    match (job.valid.ilog2(), job.len.ilog2()) {
        (0, 0) => each!(1 1),
        (0, 1) => each!(1 2),
        (0, 2) => each!(1 4),
        (0, 3) => each!(1 8),
        (0, _) => each!(1),
        (1, 1) => each!(2 2),
        (1, 2) => each!(2 4),
        (1, 3) => each!(2 8),
        (1, _) => each!(2),
        (2, 2) => each!(4 4),
        (2, 3) => each!(4 8),
        (2, _) => each!(4),
        (_, 3) => each!(8 8),
        _ => each!(8),
    }
}

/// 64 bytes of ones, then 64 of zeros.
static ONES: [u8; 128] = {
    let mut bytes = [0; 128];
    let mut i = 0;
    while i < 64 {
        bytes[i] = 0xFF;
        i += 1;
    }
    bytes
};

/// Where 64 bytes can be read whose first `count` are ones, the others zeros. From memory, because the compiler would fold
/// an AND with what it can tell to be a mask into the load before it.
#[inline(always)]
pub(in super::super) fn ones_at(count: usize) -> *const u8 {
    ONES.as_ptr().wrapping_add(64usize.saturating_sub(count))
}
