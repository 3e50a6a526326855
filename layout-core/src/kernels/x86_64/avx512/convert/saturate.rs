//! Between integers: of 8 bits a minimum or a maximum of bytes, of 32 and 8 bits what saturates or widens, without f32 between them.
//! Called by `avx512`; the loops that other families have ask for no lines, and some write none past the caches.

use core::arch::x86_64::*;

use super::super::super::super::drive::{LINE, Rows};
use super::super::super::super::epilogue::{Affine, NONE};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::parts::convert::{Row, lines, zero};
use super::super::super::parts::zip::unrolled;
use super::super::memory::*;
use super::integers::{in_order, packed_s8, packed_u8};
use super::{first_8bit, first_32bit, put_8bit, put_32bit};

/// The nearest s8 of each u8, or with `SIGNED` the nearest u8 of each s8.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn nearest<const SIGNED: bool>(bytes: __m512i) -> __m512i {
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

/// Elements of 32 bits of a register.
const SIDE: usize = LINE / 4;

/// Converts the rows of `job` from s32 to s8, or without `SIGNED` to u8, saturated.
///
/// # Safety
/// That of [`ConvertRows`](super::ConvertRows); there is no affine map.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn narrow_rows<const SIGNED: bool>(job: &Rows, _: Option<&Affine>) {
    if job.len <= SIDE {
        let sides = [job.valid, job.len];
        for y in 0..job.count {
            let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
            // SAFETY: the caller's promise, for a row.
            unsafe { narrow_some::<SIGNED>(src, dst, sides) };
        }
        return;
    }
    for y in 0..job.count {
        let row = Row::new::<NONE>(job, &Affine::neutral(), y);
        let mut x = 0;
        // SAFETY of each call: these elements are in the row.
        if job.stream {
            let (first, end) = lines(row.dst, job.valid, 1);
            while x < first {
                let len = if first - x < SIDE { first - x } else { SIDE };
                // SAFETY: see above.
                unsafe {
                    narrow_some::<SIGNED>(row.src.wrapping_add(4 * x), row.dst.wrapping_add(x), [len; 2])
                };
                x += len;
            }
            while x < end {
                // SAFETY: see above.
                let bytes = unsafe { narrow_line::<SIGNED>(row.src.wrapping_add(4 * x)) };
                // SAFETY: see above; whole lines begin at `first`.
                unsafe { stream(row.dst.wrapping_add(x), bytes) };
                x += LINE;
            }
        }
        while x + LINE <= job.valid {
            row.claim(x, LINE);
            // SAFETY: see above.
            let bytes = unsafe { narrow_line::<SIGNED>(row.src.wrapping_add(4 * x)) };
            // SAFETY: see above.
            unsafe { store64(row.dst.wrapping_add(x), bytes) };
            x += LINE;
        }
        while x < job.valid {
            let valid = if job.valid - x < SIDE { job.valid - x } else { SIDE };
            let sides = [valid, if job.len - x < SIDE { job.len - x } else { SIDE }];
            // SAFETY: see above.
            unsafe { narrow_some::<SIGNED>(row.src.wrapping_add(4 * x), row.dst.wrapping_add(x), sides) };
            x += sides[1];
        }
        if x < job.len {
            // SAFETY: the rest of the row can be written.
            unsafe { zero(row.dst.wrapping_add(x), job.len - x) };
        }
    }
}

/// A line of 64 s32 as s8 or u8.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn narrow_line<const SIGNED: bool>(src: *const u8) -> __m512i {
    let mut parts = [_mm512_setzero_si512(); 4];
    for (i, part) in parts.iter_mut().enumerate() {
        // SAFETY: the caller's promise.
        *part = unsafe { load64(src.wrapping_add(i * LINE)) };
    }
    in_order(if SIGNED { packed_s8(parts) } else { packed_u8(parts) })
}

/// Converts `valid` elements and writes `len`, the others zero; both are at most [`SIDE`].
///
/// # Safety
/// They can be read and written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn narrow_some<const SIGNED: bool>(src: *const u8, dst: *mut u8, [valid, len]: [usize; 2]) {
    // SAFETY: the caller's promise.
    let wide = unsafe { first_32bit(src, valid) };
    let bytes = match SIGNED {
        true => _mm512_cvtsepi32_epi8(wide),
        false => _mm512_cvtusepi32_epi8(_mm512_max_epi32(wide, _mm512_setzero_si512())),
    };
    // SAFETY: as above.
    unsafe { put_8bit(dst, bytes, len) };
}

/// Converts the rows of `job` from s8, or without `SIGNED` from u8, to s32.
///
/// # Safety
/// That of [`ConvertRows`](super::ConvertRows); there is no affine map.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn widen_rows<const SIGNED: bool>(job: &Rows, _: Option<&Affine>) {
    const MANY: usize = 4 * SIDE;
    if job.len <= SIDE {
        let sides = [job.valid, job.len];
        for y in 0..job.count {
            let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
            // SAFETY: the caller's promise, for a row.
            unsafe { widen_some::<SIGNED>(src, dst, sides) };
        }
        return;
    }
    for y in 0..job.count {
        let row = Row::new::<NONE>(job, &Affine::neutral(), y);
        let mut x = 0;
        // SAFETY of each call: these elements are in the row.
        if job.stream {
            let (first, end) = lines(row.dst, job.valid, 4);
            if first > 0 {
                // SAFETY: see above: they are fewer than a line has.
                unsafe { widen_some::<SIGNED>(row.src, row.dst, [first; 2]) };
                x = first;
            }
            while x < end {
                // SAFETY: see above.
                let wide = widened::<SIGNED>(unsafe { load16(row.src.wrapping_add(x)) });
                // SAFETY: see above; whole lines begin at `first`.
                unsafe { stream(row.dst.wrapping_add(4 * x), wide) };
                x += SIDE;
            }
        }
        while x + MANY <= job.valid {
            row.claim(4 * x, 4 * MANY);
            unrolled!(4, i => {
                let at = x + i * SIDE;
                // SAFETY: see above.
                let wide = widened::<SIGNED>(unsafe { load16(row.src.wrapping_add(at)) });
                // SAFETY: see above.
                unsafe { store64(row.dst.wrapping_add(4 * at), wide) };
            });
            x += MANY;
        }
        while x < job.valid {
            let valid = if job.valid - x < SIDE { job.valid - x } else { SIDE };
            let sides = [valid, if job.len - x < SIDE { job.len - x } else { SIDE }];
            // SAFETY: see above.
            unsafe { widen_some::<SIGNED>(row.src.wrapping_add(x), row.dst.wrapping_add(4 * x), sides) };
            x += sides[1];
        }
        if x < job.len {
            // SAFETY: the rest of the row can be written.
            unsafe { zero(row.dst.wrapping_add(4 * x), 4 * (job.len - x)) };
        }
    }
}

/// 16 integers of 8 bits as s32.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn widened<const SIGNED: bool>(bytes: __m128i) -> __m512i {
    if SIGNED { _mm512_cvtepi8_epi32(bytes) } else { _mm512_cvtepu8_epi32(bytes) }
}

/// Converts `valid` elements and writes `len`, the others zero; both are at most [`SIDE`].
///
/// # Safety
/// They can be read and written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn widen_some<const SIGNED: bool>(src: *const u8, dst: *mut u8, [valid, len]: [usize; 2]) {
    // SAFETY: the caller's promise.
    let bytes = unsafe { first_8bit(src, valid) };
    let wide = widened::<SIGNED>(bytes);
    // SAFETY: as above.
    unsafe { put_32bit(dst, wide, len) };
}
