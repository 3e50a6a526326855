//! Pixels of 2 to 4 bytes to planes of wider elements: the bytes of each plane are picked out of registers of pixels, to where they
//! are integers of 32 bits. Called by `drive::convert::cross`.

use core::arch::x86_64::*;

use super::super::super::super::super::convert::{Bf16, F16, Format};
use super::super::super::super::super::drive::{Crossed, LINE, PlanesWay};
use super::super::super::super::super::epilogue::{
    ALL, Affine, FACTOR, NONE, PARAMETERS, SHIFT_FACTOR, affine,
};
use super::super::super::super::super::generic::{step, step_mut};
use super::super::super::super::super::parts::zip::unrolled;
use super::super::super::memory::{load16, load32, store16, store32, stream32};
use super::super::super::transpose::join2;
use super::super::bf16::{near_bf16, two_bf16};
use super::super::{apply, parameters};

/// Pixels in a part of a register, and in a block.
const SIDE: usize = 4;
const BLOCK: usize = 4 * SIDE;
/// Planes at most.
const MOST: usize = 4;
/// Pixels that are gone through for each plane before the next ones: lines of a plane are better written in turn (Zen 3).
const RUN: usize = 16 * BLOCK;

/// The way from pixels of `src` to planes of `dst`, if there is one.
pub(in super::super::super) const fn planes_way(src: Format, dst: Format) -> Option<PlanesWay> {
    match (src, dst) {
        (Format::S8, Format::F32) => Some(planes::<i8, f32>),
        (Format::U8, Format::F32) => Some(planes::<u8, f32>),
        (Format::S8, Format::F16) => Some(planes::<i8, F16>),
        (Format::U8, Format::F16) => Some(planes::<u8, F16>),
        (Format::S8, Format::Bf16) => Some(planes::<i8, Bf16>),
        (Format::U8, Format::Bf16) => Some(planes::<u8, Bf16>),
        _ => None,
    }
}

/// Where bytes of a block of pixels are.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Pixels {
    /// Those of each plane in two registers, as they are picked.
    at: [[[u8; 32]; 2]; MOST],
    /// Bytes from the block to the 16 that hold each four pixels: none that are behind it.
    from: [usize; 4],
}

impl Pixels {
    /// Pixels of so many `bytes`, which are picked to byte `place` of 32 bits. The four parts of a block lie in registers as `order` says.
    const fn of(bytes: usize, place: usize, order: [usize; 4]) -> Pixels {
        let mut pixels = Pixels { at: [[[0x80; 32]; 2]; MOST], from: [0; 4] };
        let last = BLOCK * bytes - 16;
        let mut k = 0;
        while k < 4 {
            let first = order[k] * SIDE * bytes;
            pixels.from[k] = if first < last { first } else { last };
            let mut i = 0;
            while i < SIDE {
                let mut n = 0;
                while n < bytes {
                    let at = first + i * bytes + n - pixels.from[k];
                    pixels.at[n][k / 2][k % 2 * 16 + 4 * i + place] = at as u8;
                    n += 1;
                }
                i += 1;
            }
            k += 1;
        }
        pixels
    }
}

/// An integer of 8 bits.
trait Byte {
    /// The byte of 32 bits that it is picked to.
    const PLACE: usize;
    /// The first integer and the last one.
    const ENDS: [f32; 2];

    /// The number that was picked; the other bytes are zero.
    ///
    /// # Safety
    /// The processor has the family's instructions.
    unsafe fn number(picked: __m256i) -> __m256;
}

impl Byte for i8 {
    const PLACE: usize = 3;
    const ENDS: [f32; 2] = [-128.0, 127.0];

    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn number(picked: __m256i) -> __m256 {
        _mm256_cvtepi32_ps(_mm256_srai_epi32::<24>(picked))
    }
}

impl Byte for u8 {
    const PLACE: usize = 0;
    const ENDS: [f32; 2] = [0.0, 255.0];

    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn number(picked: __m256i) -> __m256 {
        _mm256_cvtepi32_ps(picked)
    }
}

/// What is known of numbers: that they are integers of 8 bits, that all are finite, nothing.
const BYTES: u8 = 0;
const FINITE: u8 = 1;
const ANY: u8 = 2;

/// What they become.
trait Lines: Sized {
    /// Which parts of a block the lanes of the two registers have.
    const ORDER: [usize; 4] = [0, 1, 2, 3];
    /// Whether numbers are faster written where none is NaN.
    const ASKS: bool = false;

    /// Writes the block's elements, of which `KIND` is known; past the caches, if it `streams`.
    ///
    /// # Safety
    /// They can be written; those that go past the caches begin at a multiple of 32 bytes. The processor has the family's instructions.
    unsafe fn put<const KIND: u8>(to: *mut u8, values: [__m256; 2], streams: bool);
}

impl Lines for f32 {
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn put<const KIND: u8>(to: *mut u8, [low, high]: [__m256; 2], streams: bool) {
        let [low, high] = [_mm256_castps_si256(low), _mm256_castps_si256(high)];
        // SAFETY: the caller's promise.
        unsafe { put32(to, low, streams) };
        // SAFETY: as above.
        unsafe { put32(to.wrapping_add(32), high, streams) };
    }
}

impl Lines for F16 {
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn put<const KIND: u8>(to: *mut u8, [low, high]: [__m256; 2], streams: bool) {
        const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT;
        let [low, high] = [_mm256_cvtps_ph::<NEAREST>(low), _mm256_cvtps_ph::<NEAREST>(high)];
        if streams {
            let both = join2([low, high]);
            // SAFETY: the caller's promise.
            return unsafe { stream32(to, both) };
        }
        // SAFETY: the caller's promise.
        unsafe { store16(to, low) };
        // SAFETY: as above.
        unsafe { store16(to.wrapping_add(16), high) };
    }
}

impl Lines for Bf16 {
    /// What is packed in each lane for itself.
    const ORDER: [usize; 4] = [0, 2, 1, 3];
    const ASKS: bool = true;

    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn put<const KIND: u8>(to: *mut u8, [low, high]: [__m256; 2], streams: bool) {
        let [low, high] = match KIND {
            BYTES => [_mm256_castps_si256(low), _mm256_castps_si256(high)],
            FINITE => [near_bf16(low), near_bf16(high)],
            _ => {
                let both = two_bf16(low, high);
                // SAFETY: the caller's promise.
                return unsafe { put32(to, both, streams) };
            }
        };
        let both = _mm256_packus_epi32(_mm256_srli_epi32::<16>(low), _mm256_srli_epi32::<16>(high));
        // SAFETY: the caller's promise.
        unsafe { put32(to, both, streams) };
    }
}

/// Writes 32 bytes.
///
/// # Safety
/// They can be written; what goes past the caches begins at a multiple of 32 bytes.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn put32(to: *mut u8, bytes: __m256i, streams: bool) {
    if streams {
        // SAFETY: the caller's promise.
        unsafe { stream32(to, bytes) };
    } else {
        // SAFETY: as above.
        unsafe { store32(to, bytes) };
    }
}

/// `S` to `D`.
///
/// # Safety
/// That of [`PlanesWay`], for as many planes as a pixel has bytes.
#[target_feature(enable = "avx2,f16c")]
unsafe fn planes<S: Byte, D: Lines>(job: &Crossed, map: Option<&Affine>) {
    let (steps, map) = map.map_or((NONE, Affine::neutral()), Affine::steps);
    match steps {
        // SAFETY: the caller's promise.
        NONE => unsafe { planes_with::<S, D, NONE, BYTES>(job, &map) },
        // SAFETY: as above.
        FACTOR => unsafe { scaled::<S, D, FACTOR>(job, &map) },
        // SAFETY: as above.
        SHIFT_FACTOR => unsafe { scaled::<S, D, SHIFT_FACTOR>(job, &map) },
        // SAFETY: as above.
        _ => unsafe { scaled::<S, D, ALL>(job, &map) },
    }
}

/// # Safety
/// As [`planes`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn scaled<S: Byte, D: Lines, const STEPS: u8>(job: &Crossed, map: &Affine) {
    // SAFETY: the caller's promise.
    if !D::ASKS || unsafe { are_finite::<S>(job, map) } {
        // SAFETY: as above.
        unsafe { planes_with::<S, D, STEPS, FINITE>(job, map) };
    } else {
        // SAFETY: as above.
        unsafe { planes_with::<S, D, STEPS, ANY>(job, map) };
    }
}

/// Whether all results are finite, in any plane: each step grows or falls all the way, so that the first and the last integer tell.
///
/// # Safety
/// As [`planes`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn are_finite<S: Byte>(job: &Crossed, map: &Affine) -> bool {
    let mut all = true;
    for n in 0..job.ny {
        let own = map.skip(0, n);
        let mut parameters = [0.0; PARAMETERS];
        for (parameter, at) in parameters.iter_mut().zip(own.at) {
            // SAFETY: the caller's promise: each plane has parameters.
            *parameter = unsafe { at.read() };
        }
        all &= S::ENDS.iter().all(|&end| affine(end, parameters).is_finite());
    }
    all
}

/// # Safety
/// As [`planes`].
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
unsafe fn planes_with<S: Byte, D: Lines, const STEPS: u8, const KIND: u8>(job: &Crossed, map: &Affine) {
    let pixels = const {
        &[
            Pixels::of(2, S::PLACE, D::ORDER),
            Pixels::of(3, S::PLACE, D::ORDER),
            Pixels::of(4, S::PLACE, D::ORDER),
        ]
    };
    let pixels = &pixels[job.ny.clamp(2, MOST) - 2];
    let streams = job.stream && (job.dst.addr() | job.dst_y as usize).is_multiple_of(LINE);
    let mut first = 0;
    while first < job.nx {
        let end = if job.nx - first < RUN { job.nx } else { first + RUN };
        for n in 0..job.ny {
            // SAFETY: the caller's promise: the plane has parameters.
            let own = unsafe { parameters::<STEPS>(&map.skip(0, n), 0) };
            // The last pixels of a run that are less than a block are those before them as well.
            let mut x = if end - first < BLOCK { end - BLOCK } else { first };
            loop {
                // SAFETY: the block is in the job.
                unsafe {
                    block::<S, D, STEPS, KIND>(job, pixels, &own, [x, n], streams && x.is_multiple_of(BLOCK))
                };
                x = match x + BLOCK {
                    next if next + BLOCK <= end => next,
                    next if next < end => end - BLOCK,
                    _ => break,
                };
            }
        }
        first = end;
    }
}

/// A block from pixel `x` on of plane `n`.
///
/// # Safety
/// As [`planes`]; it is in the job.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn block<S: Byte, D: Lines, const STEPS: u8, const KIND: u8>(
    job: &Crossed,
    pixels: &Pixels,
    own: &[__m256; PARAMETERS],
    [x, n]: [usize; 2],
    streams: bool,
) {
    let from = step(job.src, x, job.src_x);
    let mut parts = [_mm_setzero_si128(); 4];
    unrolled!(4, k => {
        // SAFETY: these bytes are in the block, all of which is data.
        parts[k] = unsafe { load16(from.wrapping_add(pixels.from[k])) };
    });
    let parts = [join2([parts[0], parts[1]]), join2([parts[2], parts[3]])];
    let mut values = [_mm256_setzero_ps(); 2];
    unrolled!(2, i => {
        // SAFETY: the table fills a register.
        let at = unsafe { load32(pixels.at[n][i].as_ptr()) };
        let picked = _mm256_shuffle_epi8(parts[i], at);
        // SAFETY: the features are those of this function.
        values[i] = apply::<STEPS>(unsafe { S::number(picked) }, own);
    });
    let to = step_mut(job.dst, n, job.dst_y).wrapping_add(x * size_of::<D>());
    // SAFETY: the caller's promise.
    unsafe { D::put::<KIND>(to, values, streams) };
}
