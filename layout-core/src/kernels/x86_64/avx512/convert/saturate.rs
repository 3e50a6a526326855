//! Between the two integers of 8 bits: a minimum or a maximum of bytes. Called by `avx512`; the loop that other families have asks
//! for no lines, and writes none past the caches.

use core::arch::x86_64::*;

use super::super::super::super::drive::{LINE, Rows};
use super::super::super::super::epilogue::{Affine, NONE};
use super::super::super::super::parts::convert::{Row, lines, zero};
use super::super::super::parts::zip::unrolled;
use super::super::memory::*;

/// The nearest s8 of each u8, or with `SIGNED` the nearest u8 of each s8.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn nearest<const SIGNED: bool>(bytes: __m512i) -> __m512i {
    match SIGNED {
        true => _mm512_max_epi8(bytes, _mm512_setzero_si512()),
        false => _mm512_min_epu8(bytes, _mm512_set1_epi8(i8::MAX)),
    }
}

/// Converts the rows of `job` from u8 to s8, or with `SIGNED` from s8 to u8.
///
/// # Safety
/// That of [`ConvertRows`](super::ConvertRows); there is no affine map.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super) unsafe fn rows<const SIGNED: bool>(job: &Rows, _: Option<&Affine>) {
    const MANY: usize = 4 * LINE;
    for y in 0..job.count {
        let row = Row::new::<NONE>(job, &Affine::neutral(), y);
        let mut x = 0;
        if job.stream {
            let (first, end) = lines(row.dst, job.valid, 1);
            // SAFETY: these elements are in the row, and fewer than a line.
            unsafe { some::<SIGNED>(&row, 0, first) };
            x = first;
            while x < end {
                // SAFETY: as above.
                let bytes = nearest::<SIGNED>(unsafe { load64(row.src.wrapping_add(x)) });
                // SAFETY: as above; whole lines begin at `first`.
                unsafe { stream(row.dst.wrapping_add(x), bytes) };
                x += LINE;
            }
        }
        while x + MANY <= job.valid {
            row.claim(x, MANY);
            unrolled!(4, i => {
                let at = x + i * LINE;
                // SAFETY: these elements are in the row.
                let bytes = nearest::<SIGNED>(unsafe { load64(row.src.wrapping_add(at)) });
                // SAFETY: as above.
                unsafe { store64(row.dst.wrapping_add(at), bytes) };
            });
            x += MANY;
        }
        while x < job.valid {
            let len = if job.valid - x < LINE { job.valid - x } else { LINE };
            // SAFETY: as above.
            unsafe { some::<SIGNED>(&row, x, len) };
            x += len;
        }
        if job.valid < job.len {
            // SAFETY: the rest of the row can be written.
            unsafe { zero(row.dst.wrapping_add(job.valid), job.len - job.valid) };
        }
    }
}

/// Converts `len` elements from `x` on, at most a line.
///
/// # Safety
/// They are in the row.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn some<const SIGNED: bool>(row: &Row, x: usize, len: usize) {
    // SAFETY: the caller's promise.
    let bytes = nearest::<SIGNED>(unsafe { load64_first(row.src.wrapping_add(x), len) });
    // SAFETY: as above.
    unsafe { store64_first(row.dst.wrapping_add(x), bytes, len) };
}
