//! Pixels of 2 to 4 bytes to planes of wider elements: the bytes of each plane are picked out of a register of pixels, to where they
//! are integers of 32 bits. Called by `drive::convert::cross`.

use core::arch::x86_64::*;

use super::super::super::super::super::convert::{F16, Format};
use super::super::super::super::super::cpu::Avx512;
use super::super::super::super::super::drive::{Crossed, LINE, PlanesWay};
use super::super::super::super::super::epilogue::{ALL, Affine, FACTOR, NONE, SHIFT_FACTOR};
use super::super::super::super::super::generic::{step, step_mut};
use super::super::super::super::super::parts::square::next;
use super::super::super::super::super::parts::zip::unrolled;
use super::super::super::super::super::parts::{CLAIMED, prefetch, prefetch_write};
use super::super::super::memory::{load64, load64_of, masked_ahead, store64, stream};
use super::super::super::narrow::hidden;
use super::super::{apply, parameters};
use super::halves::Half;
use super::narrow::NativeBf16;

/// Pixels in a register, and in a block.
const SIDE: usize = 16;
const BLOCK: usize = 2 * SIDE;

/// The way from pixels of `src` to planes of `dst`, if there is one. Without its instruction, bf16 are as soon looked up.
pub(in super::super::super::super::super) fn planes_way(
    token: Avx512,
    src: Format,
    dst: Format,
) -> Option<PlanesWay> {
    match (src, dst) {
        (Format::S8, Format::F32) => Some(planes::<i8, f32>),
        (Format::U8, Format::F32) => Some(planes::<u8, f32>),
        (Format::S8, Format::F16) => Some(planes::<i8, F16>),
        (Format::U8, Format::F16) => Some(planes::<u8, F16>),
        (Format::S8, Format::Bf16) if token.has_bf16() => Some(planes::<i8, NativeBf16>),
        (Format::U8, Format::Bf16) if token.has_bf16() => Some(planes::<u8, NativeBf16>),
        _ => None,
    }
}

/// Where bytes of 16 pixels are.
#[repr(align(64))]
struct Pixels {
    /// Those of each plane, as they are picked.
    at: [[u8; LINE]; 4],
    /// The first one of each.
    begin: u64,
}

impl Pixels {
    /// Pixels of so many `bytes`, which are picked to byte `place` of 32 bits.
    const fn of(bytes: usize, place: usize) -> Pixels {
        let mut pixels = Pixels { at: [[0; LINE]; 4], begin: 0 };
        let mut i = 0;
        while i < SIDE {
            pixels.begin |= 1 << (i * bytes);
            let mut n = 0;
            while n < 4 {
                pixels.at[n][4 * i + place] = (i * bytes + n) as u8;
                n += 1;
            }
            i += 1;
        }
        pixels
    }
}

/// An integer of 8 bits.
trait Byte {
    /// The byte of 32 bits that it is picked to, and the smallest one.
    const PLACE: usize;
    const LEAST: i32;

    /// The numbers `at` these bytes of 16 pixels; `first` are the first bytes of 32 bits.
    ///
    /// # Safety
    /// The processor has the family's instructions.
    unsafe fn picked(pixels: __m512i, at: __m512i, first: u64) -> __m512;
}

impl Byte for i8 {
    const PLACE: usize = 3;
    const LEAST: i32 = -128;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn picked(pixels: __m512i, at: __m512i, _: u64) -> __m512 {
        _mm512_cvtepi32_ps(_mm512_srai_epi32::<24>(_mm512_permutexvar_epi8(at, pixels)))
    }
}

impl Byte for u8 {
    const PLACE: usize = 0;
    const LEAST: i32 = 0;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn picked(pixels: __m512i, at: __m512i, first: u64) -> __m512 {
        _mm512_cvtepi32_ps(_mm512_maskz_permutexvar_epi8(first, at, pixels))
    }
}

/// What they become.
trait Lines {
    /// The type for numbers of any kind, where this one knows no subnormal ones.
    type Any: Lines;
    const KNOWS_ALL: bool;
    /// Lines of 32 elements.
    const COUNT: usize;

    /// Lines of 32 elements; `EXACT`: they are integers of 8 bits.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn lines<const EXACT: bool>(low: __m512, high: __m512) -> [__m512i; 2];
}

impl Lines for f32 {
    type Any = f32;
    const KNOWS_ALL: bool = true;
    const COUNT: usize = 2;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn lines<const EXACT: bool>(low: __m512, high: __m512) -> [__m512i; 2] {
        [_mm512_castps_si512(low), _mm512_castps_si512(high)]
    }
}

impl<D: Half> Lines for D {
    type Any = D::Any;
    const KNOWS_ALL: bool = D::KNOWS_ALL;
    const COUNT: usize = 1;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn lines<const EXACT: bool>(low: __m512, high: __m512) -> [__m512i; 2] {
        // SAFETY: the caller's promise.
        [unsafe { D::line::<EXACT>(low, high) }; 2]
    }
}

/// `S` to `D`.
///
/// # Safety
/// That of [`PlanesWay`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn planes<S: Byte, D: Lines>(job: &Crossed, map: Option<&Affine>) {
    let (steps, map) = map.map_or((NONE, Affine::neutral()), Affine::steps);
    match steps {
        // SAFETY: the caller's promise.
        NONE => unsafe { planes_with::<S, D, NONE>(job, &map) },
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
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn scaled<S: Byte, D: Lines, const STEPS: u8>(job: &Crossed, map: &Affine) {
    // SAFETY: the caller's promise.
    if D::KNOWS_ALL || unsafe { are_ordinary::<S, STEPS>(job, map) } {
        // SAFETY: as above.
        unsafe { planes_with::<S, D, STEPS>(job, map) };
    } else {
        // SAFETY: as above.
        unsafe { planes_with::<S, D::Any, STEPS>(job, map) };
    }
}

/// Whether none of the results for all integers of 8 bits is subnormal or NaN, in any plane; `false` where looking takes as long as
/// doing without.
///
/// # Safety
/// As [`planes`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn are_ordinary<S: Byte, const STEPS: u8>(job: &Crossed, map: &Affine) -> bool {
    /// Both kinds of NaN and subnormal numbers.
    const OTHERS: i32 = 0xA1;
    const VALUES: i32 = 256;
    if job.nx < VALUES as usize {
        return false;
    }
    let mut others = 0;
    for n in 0..job.ny {
        // SAFETY: the caller's promise: each plane has parameters.
        let own = unsafe { parameters::<STEPS>(&map.skip(0, n), 0) };
        for first in (S::LEAST..S::LEAST + VALUES).step_by(SIDE) {
            let some = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            let some = _mm512_cvtepi32_ps(_mm512_add_epi32(some, _mm512_set1_epi32(first)));
            others |= _mm512_fpclass_ps_mask::<OTHERS>(apply::<STEPS>(some, &own));
        }
    }
    others == 0
}

/// # Safety
/// As [`planes`].
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn planes_with<S: Byte, D: Lines, const STEPS: u8>(job: &Crossed, map: &Affine) {
    // The bytes of 16 pixels that hold data, and where those of each plane are.
    let pixels = const { &[Pixels::of(2, S::PLACE), Pixels::of(3, S::PLACE), Pixels::of(4, S::PLACE)] };
    let pixels = &pixels[(job.src_x as usize).clamp(2, 4) - 2];
    let data = ((1 << job.ny) - 1) * pixels.begin;
    let mut places = [_mm512_setzero_si512(); 4];
    unrolled!(4, n => {
        // SAFETY: the table fills a register.
        places[n] = unsafe { load64(pixels.at[n].as_ptr()) };
    });
    let first = hidden(0x1111_1111_1111_1111);
    let bytes = D::COUNT * LINE / BLOCK;
    let streams = job.stream && (job.dst.addr() | job.dst_y as usize).is_multiple_of(LINE);
    // Pixels of bytes: as fast as before where the second-level cache holds them.
    let ahead = masked_ahead(job.nx, 0);
    let mut x = 0;
    loop {
        let from = step(job.src, x, job.src_x);
        if ahead > 0 {
            prefetch(from.wrapping_add(ahead));
            prefetch(from.wrapping_add(ahead + LINE));
        }
        // SAFETY: the mask has bytes of the job.
        let low = unsafe { load64_of(from, data) };
        // SAFETY: as above.
        let high = unsafe { load64_of(step(from, SIDE, job.src_x), data) };
        let streams = streams && x.is_multiple_of(BLOCK);
        unrolled!(4, n => {
            if n < job.ny {
                // SAFETY: the caller's promise: the plane has parameters.
                let own = unsafe { parameters::<STEPS>(&map.skip(0, n), 0) };
                // SAFETY: the features are those of this function.
                let low = apply::<STEPS>(unsafe { S::picked(low, places[n], first) }, &own);
                // SAFETY: as above.
                let high = apply::<STEPS>(unsafe { S::picked(high, places[n], first) }, &own);
                let lines = if STEPS == NONE {
                    // SAFETY: as above, and the caller's promise for what the type needs besides.
                    unsafe { D::lines::<true>(low, high) }
                } else {
                    // SAFETY: as above.
                    unsafe { D::lines::<false>(low, high) }
                };
                let to = step_mut(job.dst, n, job.dst_y).wrapping_add(x * bytes);
                unrolled!(2, i => {
                    if i < D::COUNT {
                        let to = to.wrapping_add(i * LINE);
                        if streams {
                            // SAFETY: this line is in the job, and aligned.
                            unsafe { stream(to, lines[i]) };
                        } else {
                            if job.claims {
                                prefetch_write(to.wrapping_add(CLAIMED * LINE));
                            }
                            // SAFETY: this line is in the job.
                            unsafe { store64(to, lines[i]) };
                        }
                    }
                });
            }
        });
        match next(x, BLOCK, job.nx) {
            Some(next) => x = next,
            None => return,
        }
    }
}
