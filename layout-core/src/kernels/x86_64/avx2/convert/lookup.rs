//! Conversions of 8 bits to 8 by a table of all 256 results, 32 elements at a time. Called by `drive::convert` where so many
//! elements have the same parameters that the table is worth writing.

use core::arch::x86_64::*;

use super::super::super::super::drive::Rows;
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::parts::convert::zero;
use super::super::memory::load16;
use super::rows::pieces;

/// Results for one value of the upper four bits, which the lower four pick.
const ROW: usize = 16;

/// The rows of the table, each in both lanes: the first one of each half, and what every other one changes of that before it.
type Changes = [__m256i; 16];

/// Converts the elements of `job` to what `table` has for each of them.
///
/// # Safety
/// That of [`super::super::super::super::drive::ConvertRows`] for elements of a byte; 256 results can be read at `table`.
#[target_feature(enable = "avx2,f16c")]
pub(in super::super) unsafe fn look_up(job: &Rows, table: *const u8) {
    let mut changes: Changes = [_mm256_setzero_si256(); 16];
    let mut before = changes[0];
    for (i, change) in changes.iter_mut().enumerate() {
        // SAFETY: the caller's promise.
        let row = _mm256_broadcastsi128_si256(unsafe { load16(table.wrapping_add(i * ROW)) });
        *change = if i % 8 == 0 { row } else { _mm256_xor_si256(row, before) };
        before = row;
    }
    // SAFETY: the caller's promise, for rows of the job.
    let short = |rows: &Rows| unsafe { one_by_one(rows, table) };
    let piece = |[bytes]: [__m256i; 1]| [results(bytes, &changes)];
    // SAFETY: the caller's promise.
    unsafe { pieces::<1, 1>(job, piece, short) };
}

/// The same for rows of fewer elements than a piece.
///
/// # Safety
/// As [`look_up`].
unsafe fn one_by_one(job: &Rows, table: *const u8) {
    for y in 0..job.count {
        let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
        for x in 0..job.valid {
            // SAFETY: the caller's promise: this element is in the job.
            let element = unsafe { src.wrapping_add(x).read() };
            // SAFETY: as above: there is a result for all that a byte can be.
            let result = unsafe { table.wrapping_add(element.into()).read() };
            // SAFETY: as above.
            unsafe { dst.wrapping_add(x).write(result) };
        }
        if job.valid < job.len {
            // SAFETY: the rest of the row can be written.
            unsafe { zero(dst.wrapping_add(job.valid), job.len - job.valid) };
        }
    }
}

/// The result for each of `bytes`.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn results(bytes: __m256i, changes: &Changes) -> __m256i {
    let mut at = _mm256_and_si256(bytes, _mm256_set1_epi8(0x7F));
    let (mut low, mut high) = (_mm256_shuffle_epi8(changes[0], at), _mm256_shuffle_epi8(changes[8], at));
    for i in 1..8 {
        // Below zero, a change is none: it belongs to rows further on.
        at = _mm256_sub_epi8(at, _mm256_set1_epi8(ROW as i8));
        low = _mm256_xor_si256(low, _mm256_shuffle_epi8(changes[i], at));
        high = _mm256_xor_si256(high, _mm256_shuffle_epi8(changes[8 + i], at));
    }
    _mm256_blendv_epi8(low, high, bytes)
}
