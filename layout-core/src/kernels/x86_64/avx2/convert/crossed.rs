//! Converts and transposes in registers, for the commonest pairs: between f32 and bf16, s8 and u8. Called by `drive::convert`.
//!
//! Registers hold 8 groups of 4 bytes, of 2 or 4 values of x or y that become neighbours or cease to be; the groups are
//! transposed 4 by 4 in the two lanes.

use core::arch::x86_64::*;

use super::super::super::super::convert::{Bf16, Format};
use super::super::super::super::drive::{Crossed, CrossedWay, LINE};
use super::super::super::super::epilogue::{Affine, FACTOR, NONE};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::parts::square::next;
use super::super::super::super::parts::zip::{lanes, unrolled};
use super::super::super::super::parts::{opaque, prefetch};
use super::super::memory::{load16, load32, store16, store32};
use super::super::transpose::{join2, turn32};
use super::{f32_to_s32_below, f32_to_u32_below, quiet, rounded_to_bf16};

/// The way from `src` to `dst` for tiles with `x` values that make lines of the destination.
pub(in super::super) const fn way(src: Format, dst: Format, x: usize) -> Option<CrossedWay> {
    macro_rules! way {
        ($x:literal, $y:literal, $narrows:literal, $run:expr) => {
            Some(CrossedWay { run: $run, x: $x, y: $y, narrows: $narrows })
        };
    }
    match (src, dst) {
        // Wide lines are no faster than by way of a buffer.
        (Format::F32, Format::Bf16) if x == 16 => way!(16, 8, true, narrow::<Bf16, 2>),
        (Format::F32, Format::Bf16) if x >= 8 && x < 16 => way!(8, 8, true, narrow::<Bf16, 1>),
        (Format::F32, Format::S8) if x >= 16 && x < 32 => way!(16, 8, true, narrow::<i8, 1>),
        (Format::F32, Format::U8) if x >= 16 && x < 32 => way!(16, 8, true, narrow::<u8, 1>),
        (Format::Bf16, Format::F32) if x >= 16 => way!(16, 8, false, widen::<Bf16, 2>),
        (Format::Bf16, Format::F32) if x >= 8 => way!(8, 8, false, widen::<Bf16, 1>),
        (Format::S8, Format::F32) if x >= 16 => way!(16, 16, false, widen::<i8, 2>),
        (Format::S8, Format::F32) if x >= 8 => way!(8, 16, false, widen::<i8, 1>),
        (Format::U8, Format::F32) if x >= 16 => way!(16, 16, false, widen::<u8, 2>),
        (Format::U8, Format::F32) if x >= 8 => way!(8, 16, false, widen::<u8, 1>),
        _ => None,
    }
}

/// A type that f32 becomes.
trait Narrow: Sized {
    /// Elements in 4 bytes.
    const SIDE: usize = 4 / size_of::<Self>();

    /// The elements of the first [`Narrow::SIDE`] registers beside one another.
    ///
    /// # Safety
    /// The processor has the family's instructions.
    unsafe fn join(values: [__m256; 4]) -> __m256i;
}

impl Narrow for Bf16 {
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn join([a, b, ..]: [__m256; 4]) -> __m256i {
        _mm256_or_si256(rounded_to_bf16(a), _mm256_slli_epi32::<16>(rounded_to_bf16(b)))
    }
}

impl Narrow for i8 {
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn join(values: [__m256; 4]) -> __m256i {
        let [a, b, c, d] = values.map(|value| f32_to_s32_below(value, 127.0));
        woven(_mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d)))
    }
}

impl Narrow for u8 {
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn join(values: [__m256; 4]) -> __m256i {
        let [a, b, c, d] = values.map(|value| f32_to_u32_below(value, 255.0));
        woven(_mm256_packus_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d)))
    }
}

/// Of each lane, four groups of 4 bytes transposed.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn woven(bytes: __m256i) -> __m256i {
    let at = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    _mm256_shuffle_epi8(bytes, _mm256_broadcastsi128_si256(at))
}

/// A type that becomes f32.
trait Widen: Sized {
    /// Elements in 4 bytes.
    const SIDE: usize = 4 / size_of::<Self>();

    /// Element `K` of each group of 4 bytes.
    ///
    /// # Safety
    /// The processor has the family's instructions.
    unsafe fn part<const K: u32>(groups: __m256i) -> __m256;
}

impl Widen for Bf16 {
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn part<const K: u32>(groups: __m256i) -> __m256 {
        quiet(if K == 0 {
            _mm256_slli_epi32::<16>(groups)
        } else {
            _mm256_and_si256(groups, _mm256_set1_epi32(0xFFFF_0000u32.cast_signed()))
        })
    }
}

impl Widen for i8 {
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn part<const K: u32>(groups: __m256i) -> __m256 {
        let top = match K {
            0 => _mm256_slli_epi32::<24>(groups),
            1 => _mm256_slli_epi32::<16>(groups),
            2 => _mm256_slli_epi32::<8>(groups),
            _ => groups,
        };
        _mm256_cvtepi32_ps(_mm256_srai_epi32::<24>(top))
    }
}

impl Widen for u8 {
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn part<const K: u32>(groups: __m256i) -> __m256 {
        let low = match K {
            0 => groups,
            1 => _mm256_srli_epi32::<8>(groups),
            2 => _mm256_srli_epi32::<16>(groups),
            _ => _mm256_srli_epi32::<24>(groups),
        };
        _mm256_cvtepi32_ps(_mm256_and_si256(low, _mm256_set1_epi32(0xFF)))
    }
}

/// The value multiplied by the factor of element `x` of row `y`, if there is one.
///
/// # Safety
/// As many factors as a register has can be read from there on.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn scaled<const STEPS: u8>(value: __m256, map: &Affine, x: usize, y: usize) -> __m256 {
    if STEPS == NONE {
        return value;
    }
    let at = map.at[1].wrapping_add((x & map.mask[1]) + y * map.row[1]);
    // SAFETY: the caller's promise: as many values as a register has.
    _mm256_mul_ps(value, unsafe { _mm256_loadu_ps(at) })
}

/// Values of y that are finished for all x before the next ones.
const CHUNK: usize = 64;

/// From this distance between two rows of one side the processor does not see what is read or written next.
const FAR: usize = 512;

/// Values of y in a block that is narrowed.
const HEIGHT: usize = 8;

/// f32 to `D`, in pieces of the destination's lines of `G` times 16 bytes.
///
/// # Safety
/// That of [`CrossedWay::run`].
#[target_feature(enable = "avx2,f16c")]
unsafe fn narrow<D: Narrow, const G: usize>(job: &Crossed, map: Option<&Affine>) {
    match map {
        // SAFETY: the caller's promise.
        None => unsafe { narrow_with::<D, G, NONE>(job, &Affine::neutral()) },
        // SAFETY: as above.
        Some(map) => unsafe { narrow_with::<D, G, FACTOR>(job, map) },
    }
}

/// # Safety
/// As [`narrow`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn narrow_with<D: Narrow, const G: usize, const STEPS: u8>(job: &Crossed, map: &Affine) {
    let side = G * 16 / size_of::<D>();
    let mut chunk = 0;
    while chunk < job.ny {
        let end = if job.ny - chunk < CHUNK { job.ny } else { chunk + CHUNK };
        let mut x = 0usize;
        loop {
            let mut y = if chunk + HEIGHT > end { end - HEIGHT } else { chunk };
            loop {
                // SAFETY: `side` values of x and `HEIGHT` of y from here on are in the job.
                unsafe { narrow_block::<D, G, STEPS>(job, map, x, y) };
                match next(y, HEIGHT, end) {
                    Some(next) => y = next,
                    None => break,
                }
            }
            match next(x, side, job.nx) {
                Some(next) => x = next,
                None => break,
            }
        }
        chunk = end;
    }
}

/// # Safety
/// As [`narrow`], for the block of [`HEIGHT`] values of y from `y` on.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn narrow_block<D: Narrow, const G: usize, const STEPS: u8>(
    job: &Crossed,
    map: &Affine,
    x: usize,
    y: usize,
) {
    // Two blocks make up a line of the source.
    let fetches = job.src_x.unsigned_abs() >= FAR && (y / HEIGHT).is_multiple_of(2);
    let block = step(job.src, x, job.src_x).wrapping_add(4 * y);
    let mut pieces = [[_mm256_setzero_si256(); 4]; G];
    unrolled!(G of 2, g => {
        let mut rows = [_mm256_setzero_si256(); 4];
        unrolled!(4, i => {
            let from = opaque(step(block, (4 * g + i) * D::SIDE, job.src_x).cast_mut()).cast_const();
            let mut values = [_mm256_setzero_ps(); 4];
            unrolled!(4, k => {
                if k < D::SIDE {
                    let row = step(from, k, job.src_x);
                    if fetches {
                        prefetch(row.wrapping_add(4 * CHUNK));
                    }
                    // SAFETY: the caller's promise.
                    let value = _mm256_castsi256_ps(unsafe { load32(row) });
                    // SAFETY: the caller's promise.
                    values[k] = unsafe { scaled::<STEPS>(value, map, y, x + (4 * g + i) * D::SIDE + k) };
                }
            });
            // SAFETY: the features are those of this function.
            rows[i] = unsafe { D::join(values) };
        });
        pieces[g] = turn32::<4, 4>(rows, 4);
    });
    let first = step_mut(job.dst, y, job.dst_y).wrapping_add(x * size_of::<D>());
    let (top, bottom) = (opaque(first), opaque(step_mut(first, 4, job.dst_y)));
    unrolled!(4, j => {
        let (top, bottom) = (step_mut(top, j, job.dst_y), step_mut(bottom, j, job.dst_y));
        let (a, b) = (pieces[0][j], pieces[G - 1][j]);
        if G == 1 {
            let (a, b) = (_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a));
            // SAFETY: this piece is in the job.
            unsafe { store16(top, a) };
            // SAFETY: as above.
            unsafe { store16(bottom, b) };
        } else {
            let (a, b) = (_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b));
            // SAFETY: as above.
            unsafe { store32(top, a) };
            // SAFETY: as above.
            unsafe { store32(bottom, b) };
        }
    });
}

/// `S` to f32, in pieces of the destination's lines of `G` times 8 elements.
///
/// # Safety
/// That of [`CrossedWay::run`].
#[target_feature(enable = "avx2,f16c")]
unsafe fn widen<S: Widen, const G: usize>(job: &Crossed, map: Option<&Affine>) {
    match map {
        // SAFETY: the caller's promise.
        None => unsafe { widen_with::<S, G, NONE>(job, &Affine::neutral()) },
        // SAFETY: as above.
        Some(map) => unsafe { widen_with::<S, G, FACTOR>(job, map) },
    }
}

/// # Safety
/// As [`widen`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn widen_with<S: Widen, const G: usize, const STEPS: u8>(job: &Crossed, map: &Affine) {
    let side = 16 / size_of::<S>();
    let streams = G == 2 && job.stream && (job.dst.addr() | job.dst_y as usize).is_multiple_of(LINE);
    let mut chunk = 0;
    while chunk < job.ny {
        let end = if job.ny - chunk < 2 * CHUNK { job.ny } else { chunk + 2 * CHUNK };
        let mut x = 0usize;
        loop {
            let mut y = if chunk + side > end { end - side } else { chunk };
            loop {
                let at = Block { x, y, streams: streams && x.is_multiple_of(16) };
                // SAFETY: `8 * G` values of x and `side` of y from here on are in the job.
                unsafe { widen_block::<S, G, STEPS>(job, map, at) };
                match next(y, side, end) {
                    Some(next) => y = next,
                    None => break,
                }
            }
            match next(x, 8 * G, job.nx) {
                Some(next) => x = next,
                None => break,
            }
        }
        chunk = end;
    }
}

/// Where a block is.
#[derive(Clone, Copy)]
struct Block {
    x: usize,
    y: usize,
    streams: bool,
}

/// # Safety
/// As [`widen`], for the block of `8 * G` values of x.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn widen_block<S: Widen, const G: usize, const STEPS: u8>(job: &Crossed, map: &Affine, at: Block) {
    let Block { x, y, streams } = at;
    let from = step(job.src, x, job.src_x).wrapping_add(y * size_of::<S>());
    let mut groups = [[_mm256_setzero_si256(); 4]; G];
    unrolled!(G of 2, g => {
        let halves = lanes!(32, l => opaque(step(from, 8 * g + 4 * l, job.src_x).cast_mut()).cast_const());
        let mut rows = [_mm256_setzero_si256(); 4];
        unrolled!(4, i => {
            rows[i] = join2(lanes!(32, l => {
                // SAFETY: the caller's promise: 16 bytes of each of 8 rows.
                unsafe { load16(step(halves[l], i, job.src_x)) }
            }));
        });
        groups[g] = turn32::<4, 4>(rows, 4);
    });
    let first = step_mut(job.dst, y, job.dst_y).wrapping_add(4 * x);
    // The processor does not follow many lines that lie apart: the next one of each is asked for.
    let apart = job.dst_y.unsigned_abs() >= FAR;
    macro_rules! part {
        ($group:ident, $j:ident, $k:literal) => {
            if $k < S::SIDE {
                let line = step_mut($group, $k, job.dst_y);
                if apart && !streams {
                    prefetch(line.wrapping_add(G * 32));
                }
                unrolled!(G of 2, g => {
                    // SAFETY: the features are those of this function.
                    let value = unsafe { S::part::<$k>(groups[g][$j]) };
                    // SAFETY: the caller's promise.
                    let value = unsafe { scaled::<STEPS>(value, map, x + 8 * g, y + $j * S::SIDE + $k) };
                    let (to, value) = (line.wrapping_add(32 * g), _mm256_castps_si256(value));
                    if streams {
                        // SAFETY: this line is in the job, and aligned.
                        unsafe { _mm256_stream_si256(to.cast(), value) };
                    } else {
                        // SAFETY: this piece is in the job.
                        unsafe { store32(to, value) };
                    }
                });
            }
        };
    }
    unrolled!(4, j => {
        let group = opaque(step_mut(first, j * S::SIDE, job.dst_y));
        part!(group, j, 0);
        part!(group, j, 1);
        part!(group, j, 2);
        part!(group, j, 3);
    });
}
