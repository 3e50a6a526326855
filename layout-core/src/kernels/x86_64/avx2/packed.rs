//! Pixels that follow one another and whose length is no power of two, from planes and to planes: 5 to 7 or 9 to 15 elements. Squares
//! of 16 bytes are turned, and a pixel is written or read 16 bytes at a time: what it has behind its last element is overwritten by
//! the next pixel, or left out. Called by this folder's `Simd`.

use core::arch::x86_64::*;

use super::super::super::drive::{LINE, Strips, fetches};
use super::super::super::generic::{step, step_mut};
use super::super::parts::square::next;
use super::super::parts::zip::{lanes, unrolled};
use super::super::parts::{CLAIMED, prefetch, prefetch_write};
use super::memory::*;
use super::transpose::{join2, turn32};

/// Bytes of a lane.
const SIDE: usize = 16;

/// So many bytes ahead far planes are fetched.
const AHEAD: usize = 8 * LINE;

/// Transposes `job` if its lines are such pixels, and it has a register of each plane; else it does nothing and returns `false`.
///
/// # Safety
/// As [`super::super::super::drive::Simd::dense`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn packed<const B: usize>(job: &Strips) -> bool {
    if job.stream || job.height * B < 32 {
        return false;
    }
    // Of the others, little of the last 16 bytes is theirs, and narrower squares are as fast.
    match (B, job.width) {
        // SAFETY of all: the caller's promise, and the sizes were just compared.
        // SAFETY: see above.
        (1, 9..=15) => unsafe { to_pixels::<1, 16>(job) },
        // SAFETY: see above.
        (2, 5..=7 | 13..=15) => unsafe { to_pixels::<2, 8>(job) },
        // SAFETY: see above.
        (4, 7 | 9..=15) => unsafe { to_pixels::<4, 4>(job) },
        _ => return false,
    }
    true
}

/// The inverse for pixels of less than 16 bytes; `false` for others.
///
/// # Safety
/// As [`super::super::super::drive::Simd::few`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn unpacked<const B: usize>(job: &Strips) -> bool {
    if job.src_step != (job.height * B) as isize || job.width * B < 2 * 32 {
        return false;
    }
    match (B, job.height) {
        // SAFETY of both: the caller's promise, and the sizes were just compared.
        // SAFETY: see above.
        (1, 9..=15) => unsafe { to_planes::<1, 16>(job) },
        // SAFETY: see above.
        (2, 5..=7) => unsafe { to_planes::<2, 8>(job) },
        _ => return false,
    }
    true
}

/// # Safety
/// As [`packed`], with `R * B == 16`, for pixels of 9 bytes or more.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
unsafe fn to_pixels<const B: usize, const R: usize>(job: &Strips) {
    let (side, len) = (32 / B, job.width * B);
    let fetches = fetches(job.src_step, job.valid);
    let mut y = 0;
    loop {
        let to = job.dst.wrapping_add(y * len);
        if job.claims {
            for at in (0..side * len).step_by(LINE) {
                prefetch_write(to.wrapping_add(CLAIMED * LINE + at));
            }
        }
        // The last groups of elements first, so that the first ones overwrite what lies behind the pixel before.
        let mut x = (job.width - 1) / R * R;
        loop {
            let mut rows = [_mm256_setzero_si256(); R];
            let first = step(step(job.src, x, job.src_step), y, job.src_y);
            unrolled!(R, i => {
                if x + i < job.valid {
                    let from = step(first, i, job.src_step);
                    if fetches {
                        prefetch(from.wrapping_add(AHEAD));
                    }
                    // SAFETY: a register of values of y lies in the job, and this value of x holds data.
                    rows[i] = unsafe { load32(from) };
                }
            });
            let pixels = turn32::<B, R>(rows, R);
            let at = to.wrapping_add(x * B);
            unrolled!(R, i => {
                let pixel = _mm256_castsi256_si128(pixels[i]);
                // SAFETY: the pixel lies in the job, and so does what is behind it.
                unsafe { store16(at.wrapping_add(i * len), pixel) };
            });
            let at = at.wrapping_add(R * len);
            unrolled!(R, i => {
                let pixel = _mm256_extracti128_si256::<1>(pixels[i]);
                if i + 1 < R || y + side < job.height {
                    // SAFETY: as above.
                    unsafe { store16(at.wrapping_add(i * len), pixel) };
                } else {
                    // SAFETY: the last pixel of the job ends there.
                    unsafe { store16_first(at.wrapping_add(i * len), pixel, (len - x * B).min(SIDE)) };
                }
            });
            if x == 0 {
                break;
            }
            x -= R;
        }
        match next(y, side, job.height) {
            Some(next) => y = next,
            None => return,
        }
    }
}

/// # Safety
/// As [`unpacked`], with `R * B == 16`.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
unsafe fn to_planes<const B: usize, const R: usize>(job: &Strips) {
    let (side, len) = (32 / B, job.height * B);
    let mut x = 0;
    loop {
        let first = job.src.wrapping_add(x * len);
        let mut pixels = [_mm256_setzero_si256(); R];
        if x + side < job.width {
            unrolled!(R, i => {
                pixels[i] = join2(lanes!(32, l => {
                    // SAFETY: this pixel and the next one lie in the job, and it has more than half of 16 bytes.
                    unsafe { load16(first.wrapping_add((l * R + i) * len)) }
                }));
            });
        } else {
            unrolled!(R, i => {
                pixels[i] = join2(lanes!(32, l => {
                    // SAFETY: this pixel lies in the job.
                    unsafe { load16_first(first.wrapping_add((l * R + i) * len), len) }
                }));
            });
        }
        let planes = turn32::<B, R>(pixels, R);
        unrolled!(R, y => {
            if y < job.height {
                // SAFETY: a register of values of x lies in the job.
                unsafe { store32(step_mut(job.dst, y, job.dst_step).wrapping_add(x * B), planes[y]) };
            }
        });
        match next(x, side, job.width) {
            Some(next) => x = next,
            None => return,
        }
    }
}
