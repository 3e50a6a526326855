//! Up to four planes of bytes to pixels of 4, 8 or 16 wider elements, which follow one another; the others of each are zero. Called
//! by the module around it.

use core::arch::x86_64::*;

use super::super::super::super::super::convert::{Bf16, F16};
use super::super::super::super::super::drive::{Crossed, LINE};
use super::super::super::super::super::epilogue::{Affine, FACTOR, NONE};
use super::super::super::super::super::generic::{step, step_mut};
use super::super::super::super::super::parts::square::next;
use super::super::super::super::super::parts::zip::unrolled;
use super::super::super::super::super::parts::{CLAIMED, prefetch_write};
use super::super::super::memory::{load16, load64, store64, stream};
use super::super::{NEAREST, rounded_to_bf16};

/// Planes.
const MOST: usize = 4;
/// Values of y in a block.
const SIDE: usize = 16;

/// An integer of 8 bits.
pub(super) trait Byte {
    /// # Safety
    /// The processor has the family's instructions.
    unsafe fn numbers(bytes: __m128i) -> __m512;
}

impl Byte for i8 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn numbers(bytes: __m128i) -> __m512 {
        _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes))
    }
}

impl Byte for u8 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn numbers(bytes: __m128i) -> __m512 {
        _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bytes))
    }
}

/// What they become.
pub(super) trait Wide {
    /// Groups of 2 bytes in an element.
    const WORDS: usize;

    /// 16 elements; `EXACT`: they are integers of 8 bits.
    ///
    /// # Safety
    /// The processor has the family's instructions.
    unsafe fn bits<const EXACT: bool>(values: __m512) -> __m512i;

    /// The first group of an element there.
    fn word(element: usize) -> usize;
}

impl Wide for f32 {
    const WORDS: usize = 2;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn bits<const EXACT: bool>(values: __m512) -> __m512i {
        _mm512_castps_si512(values)
    }

    fn word(element: usize) -> usize {
        2 * element
    }
}

impl Wide for Bf16 {
    const WORDS: usize = 1;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn bits<const EXACT: bool>(values: __m512) -> __m512i {
        if EXACT { _mm512_castps_si512(values) } else { rounded_to_bf16(values) }
    }

    /// The upper half of an f32.
    fn word(element: usize) -> usize {
        2 * element + 1
    }
}

impl Wide for F16 {
    const WORDS: usize = 1;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn bits<const EXACT: bool>(values: __m512) -> __m512i {
        _mm512_castsi256_si512(_mm512_cvtps_ph::<NEAREST>(values))
    }

    fn word(element: usize) -> usize {
        element
    }
}

/// Whether there is a way for `valid` planes and pixels of `width` elements.
pub(super) const fn are_pixels(valid: usize, width: usize) -> bool {
    valid <= MOST && matches!(width, 4 | 8 | 16)
}

/// The planes of `job`, of which `nx` hold data.
///
/// # Safety
/// That of [`CrossedWay::run`](super::CrossedWay::run), for 1 to 4 planes and pixels that follow one another, all of which can be
/// written.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn pixels<S: Byte, D: Wide>(job: &Crossed, map: Option<&Affine>) {
    match map {
        // SAFETY: the caller's promise.
        None => unsafe { pixels_with::<S, D, NONE>(job, &Affine::neutral()) },
        // SAFETY: as above.
        Some(map) => unsafe { pixels_with::<S, D, FACTOR>(job, map) },
    }
}

/// # Safety
/// As [`pixels`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn pixels_with<S: Byte, D: Wide, const STEPS: u8>(job: &Crossed, map: &Affine) {
    // Four pixels have as many lines as one has 16 bytes.
    match job.dst_y as usize / 16 {
        // SAFETY: the caller's promise.
        0 => unsafe { lines_of::<S, D, STEPS, 0>(job, map) },
        // SAFETY: as above.
        1 => unsafe { lines_of::<S, D, STEPS, 1>(job, map) },
        // SAFETY: as above.
        2 => unsafe { lines_of::<S, D, STEPS, 2>(job, map) },
        // SAFETY: as above.
        _ => unsafe { lines_of::<S, D, STEPS, 4>(job, map) },
    }
}

/// [`pixels`] of which four fill `R` lines, or half of one where that is 0.
///
/// # Safety
/// As [`pixels`].
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn lines_of<S: Byte, D: Wide, const STEPS: u8, const R: usize>(job: &Crossed, map: &Affine) {
    // Where each line's groups are, and which of them hold data; of half lines, those of two registers.
    let mut from = [[0i16; 32]; 4];
    let mut data = [0u32; 4];
    for group in 0..32 * if R == 0 { 1 } else { R } {
        let in_pixel = if R == 0 { 4 } else { 8 * R };
        let (pixel, at) = (group / in_pixel, group % in_pixel);
        if at < 4 * D::WORDS {
            let element = 4 * pixel + at / D::WORDS;
            let word = 32 * (element / 16) + D::word(element % 16) + at % D::WORDS;
            from[group / 32][group % 32] = word as i16;
            data[group / 32] |= 1 << (group % 32);
        }
    }
    let mut places = [_mm512_setzero_si512(); 4];
    for (places, from) in places.iter_mut().zip(&from) {
        // SAFETY: the table fills a register.
        *places = unsafe { load64(from.as_ptr().cast()) };
    }
    let mut factors = _mm512_setzero_ps();
    if STEPS != NONE {
        // Those of the planes, or the same for all; padding is no product of any, which might be -0.
        // SAFETY: the caller's promise: as many factors as a register has.
        let first = unsafe { _mm_maskz_loadu_ps((1 << job.nx) - 1, map.at[1]) };
        factors = _mm512_broadcast_f32x4(first);
    }
    let streams = job.stream && job.dst.addr().is_multiple_of(LINE);
    let mut y = 0;
    loop {
        let mut planes = [_mm_setzero_si128(); MOST];
        unrolled!(4, k => {
            if k < job.nx {
                // SAFETY: 16 values of y from here on are in the job.
                planes[k] = unsafe { load16(step(job.src, k, job.src_x).wrapping_add(y)) };
            }
        });
        let [a, b, c, d] = planes;
        let (low, high) = (_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b));
        let (more_low, more_high) = (_mm_unpacklo_epi8(c, d), _mm_unpackhi_epi8(c, d));
        let quarters = [
            _mm_unpacklo_epi16(low, more_low),
            _mm_unpackhi_epi16(low, more_low),
            _mm_unpacklo_epi16(high, more_high),
            _mm_unpackhi_epi16(high, more_high),
        ];
        let first = step_mut(job.dst, y, job.dst_y);
        let streams = streams && y.is_multiple_of(SIDE);
        let mut bits = [_mm512_setzero_si512(); 4];
        unrolled!(4, i => {
            // SAFETY: the features are those of this function.
            let values = unsafe { S::numbers(quarters[i]) };
            let values = if STEPS == NONE { values } else { _mm512_mul_ps(values, factors) };
            bits[i] = if STEPS == NONE {
                // SAFETY: as above.
                unsafe { D::bits::<true>(values) }
            } else {
                // SAFETY: as above.
                unsafe { D::bits::<false>(values) }
            };
        });
        macro_rules! put {
            ($at:expr, $line:expr) => {
                let (to, line) = (first.wrapping_add($at * LINE), $line);
                if streams {
                    // SAFETY: this line is in the job, and aligned.
                    unsafe { stream(to, line) };
                } else {
                    if job.claims {
                        prefetch_write(to.wrapping_add(CLAIMED * LINE));
                    }
                    // SAFETY: this line is in the job.
                    unsafe { store64(to, line) };
                }
            };
        }
        if R == 0 {
            put!(0, _mm512_permutex2var_epi16(bits[0], places[0], bits[1]));
            put!(1, _mm512_permutex2var_epi16(bits[2], places[0], bits[3]));
        } else {
            unrolled!(4, i => {
                unrolled!(R of 4, r => {
                    put!(i * R + r, _mm512_maskz_permutexvar_epi16(data[r], places[r], bits[i]));
                });
            });
        }
        match next(y, SIDE, job.ny) {
            Some(next) => y = next,
            None => return,
        }
    }
}
