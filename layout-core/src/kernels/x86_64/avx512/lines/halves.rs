//! Half lines of the destination that lie anywhere, of rows of the source that lie evenly: a row of 8 elements of 4 bytes for each
//! value of y. Called by `dense`, which knows the other widths.

use core::arch::x86_64::*;

use super::super::super::super::drive::Strips;
use super::super::super::super::generic::step;
use super::super::super::parts::square::next;
use super::super::super::parts::zip::unrolled;
use super::super::memory::{load16, store32};

/// Elements of half a line, and rows of the source.
const SIDE: usize = 8;

/// Transposes `job` in squares of 8 by 8; the last one overlaps the one before where the height is no multiple of it.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::scattered`], for elements of 4 bytes and 8 values of y at least.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super) unsafe fn halves(job: &Strips) {
    // SAFETY: the job has such a row.
    let first = unsafe { job.row(0) };
    let mut y = 0;
    loop {
        let src = step(first, y, job.src_y);
        let mut rows = [_mm256_setzero_si256(); SIDE];
        unrolled!(8, i => {
            // The first four elements of two rows, then the last four.
            let (row, at) = (step(src, i % 4, job.src_step), i / 4 * 16);
            // SAFETY: the values of x are there, and y + 8 is within the height.
            let low = unsafe { load16(row.wrapping_add(at)) };
            // SAFETY: as above.
            let high = unsafe { load16(step(row, 4, job.src_step).wrapping_add(at)) };
            rows[i] = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high);
        });
        unrolled!(2, half => {
            let [a, b, c, d] = [rows[4 * half], rows[4 * half + 1], rows[4 * half + 2], rows[4 * half + 3]];
            let (ab, cd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
            let (ab_high, cd_high) = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
            let lines = [
                _mm256_unpacklo_epi64(ab, cd),
                _mm256_unpackhi_epi64(ab, cd),
                _mm256_unpacklo_epi64(ab_high, cd_high),
                _mm256_unpackhi_epi64(ab_high, cd_high),
            ];
            unrolled!(4, j => {
                // SAFETY: y + 8 is within the height.
                let to = unsafe { job.line(y + 4 * half + j) };
                // SAFETY: this half line is in the job.
                unsafe { store32(to, lines[j]) };
            });
        });
        match next(y, SIDE, job.height) {
            Some(next) => y = next,
            None => return,
        }
    }
}
