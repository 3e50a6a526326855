//! The loop over rows, 32 elements at a time, for conversions that are not made of a register of f32. Called by the files of this
//! folder, with what converts 32 elements; rows that are shorter, and what lies in front of whole lines, are theirs.

use core::arch::x86_64::*;

use super::super::super::super::drive::Rows;
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::parts::convert::{claim, lines, zero};
use super::super::memory::{load32, store32, stream32};

/// Elements of a piece, and bytes of a register.
pub(super) const PIECE: usize = 32;

/// Converts the elements of `job`, of `S` bytes, to elements of `D`: pieces by `convert`, and rows without one by `short`.
///
/// # Safety
/// That of [`ConvertRows`](super::super::super::super::drive::ConvertRows) for these sizes; `short` converts rows of which that
/// holds.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn pieces<const S: usize, const D: usize>(
    job: &Rows,
    convert: impl Fn([__m256i; S]) -> [__m256i; D],
    short: impl Fn(&Rows),
) {
    if job.valid < PIECE {
        short(job);
        return;
    }
    for y in 0..job.count {
        let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
        let mut x = 0;
        // SAFETY of each call: these elements are in the row.
        if job.stream {
            let (first, end) = lines(dst, job.valid, D);
            if first > 0 {
                short(&Rows { src, dst, valid: first, len: first, count: 1, stream: false, ..*job });
            }
            x = first;
            while x + PIECE <= end {
                // SAFETY: see above.
                let piece = convert(unsafe { load::<S>(src.wrapping_add(x * S)) });
                for (i, &register) in piece.iter().enumerate() {
                    // SAFETY: see above; lines begin at `first`, and pieces are parts of one or whole ones.
                    unsafe { stream32(dst.wrapping_add(x * D + i * PIECE), register) };
                }
                x += PIECE;
            }
        }
        while x < job.valid {
            // The last piece overlaps the one before.
            x = if x > job.valid - PIECE { job.valid - PIECE } else { x };
            if job.claims {
                claim(dst.wrapping_add(x * D), PIECE * D);
            }
            // SAFETY: see above.
            let piece = convert(unsafe { load::<S>(src.wrapping_add(x * S)) });
            for (i, &register) in piece.iter().enumerate() {
                // SAFETY: see above.
                unsafe { store32(dst.wrapping_add(x * D + i * PIECE), register) };
            }
            x += PIECE;
        }
        if job.valid < job.len {
            // SAFETY: the rest of the row can be written.
            unsafe { zero(dst.wrapping_add(job.valid * D), (job.len - job.valid) * D) };
        }
    }
}

/// Reads `S` registers.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn load<const S: usize>(src: *const u8) -> [__m256i; S] {
    let mut registers = [_mm256_setzero_si256(); S];
    for (i, register) in registers.iter_mut().enumerate() {
        // SAFETY: the caller's promise.
        *register = unsafe { load32(src.wrapping_add(i * PIECE)) };
    }
    registers
}
