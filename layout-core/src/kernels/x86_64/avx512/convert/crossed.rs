//! Converts and transposes in registers, for the commonest pairs: between f32 and bf16, s8 and u8. Called by `drive::convert`.
//!
//! Registers hold 16 groups of 4 bytes, of 2 or 4 values of x or y that become neighbours or cease to be; the groups are
//! transposed 4 by 4 in the lanes of four registers, and the lanes themselves on the wide side.

use core::arch::x86_64::*;

use super::super::super::super::convert::{Bf16, Format};
use super::super::super::super::drive::{Crossed, CrossedWay, LINE};
use super::super::super::super::epilogue::{Affine, FACTOR, NONE};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::parts::square::next;
use super::super::super::super::parts::zip::unrolled;
use super::super::super::super::parts::{opaque, prefetch};
use super::super::dense::turn_lanes;
use super::super::memory::{load16, load64, store64, stream};
use super::super::transpose::{join4, turn64};
use super::{bf16_to_f32_wide, rounded_to_bf16};

/// The way from `src` to `dst` for tiles with `x` values that make lines of the destination, which follow one another where
/// `dense`.
pub(in super::super) const fn way(src: Format, dst: Format, x: usize, dense: bool) -> Option<CrossedWay> {
    macro_rules! way {
        ($x:literal, $y:literal, $narrows:literal, $run:expr) => {
            Some(CrossedWay { run: $run, x: $x, y: $y, narrows: $narrows })
        };
    }
    match (src, dst) {
        (Format::F32, Format::Bf16) if x == 16 && dense => way!(16, 16, true, narrow::<Bf16, 2>),
        (Format::F32, Format::Bf16) if x >= 32 => way!(32, 16, true, narrow::<Bf16, 4>),
        (Format::F32, Format::S8) if x == 16 && dense => way!(16, 16, true, narrow::<i8, 1>),
        (Format::F32, Format::S8) if x >= 64 => way!(64, 16, true, narrow::<i8, 4>),
        (Format::F32, Format::U8) if x == 16 && dense => way!(16, 16, true, narrow::<u8, 1>),
        (Format::F32, Format::U8) if x >= 64 => way!(64, 16, true, narrow::<u8, 4>),
        (Format::Bf16, Format::F32) if x >= 16 => way!(16, 8, false, widen::<Bf16>),
        (Format::S8, Format::F32) if x >= 16 => way!(16, 16, false, widen::<i8>),
        (Format::U8, Format::F32) if x >= 16 => way!(16, 16, false, widen::<u8>),
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
    unsafe fn join(values: [__m512; 4]) -> __m512i;
}

impl Narrow for Bf16 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn join([a, b, ..]: [__m512; 4]) -> __m512i {
        let low = _mm512_srli_epi32::<16>(rounded_to_bf16(a));
        _mm512_mask_blend_epi16(0xAAAA_AAAA, low, rounded_to_bf16(b))
    }
}

impl Narrow for i8 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn join(values: [__m512; 4]) -> __m512i {
        let [a, b, c, d] = super::to_s8_range(values);
        woven(_mm512_packs_epi16(_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d)))
    }
}

impl Narrow for u8 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn join(values: [__m512; 4]) -> __m512i {
        // Of NaN and a number the maximum is the second operand.
        let [a, b, c, d] = values.map(|value| {
            let value = _mm512_min_ps(_mm512_max_ps(value, _mm512_setzero_ps()), _mm512_set1_ps(255.0));
            _mm512_cvt_roundps_epi32::<{ super::NEAREST }>(value)
        });
        woven(_mm512_packus_epi16(_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d)))
    }
}

/// Of each lane, four groups of 4 bytes transposed.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn woven(bytes: __m512i) -> __m512i {
    let at = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    _mm512_shuffle_epi8(bytes, at)
}

/// A type that becomes f32.
trait Widen: Sized {
    /// Elements in 4 bytes.
    const SIDE: usize = 4 / size_of::<Self>();

    /// Element `K` of each group of 4 bytes.
    ///
    /// # Safety
    /// The processor has the family's instructions.
    unsafe fn part<const K: u32>(groups: __m512i) -> __m512;
}

impl Widen for Bf16 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn part<const K: u32>(groups: __m512i) -> __m512 {
        bf16_to_f32_wide(if K == 0 {
            _mm512_slli_epi32::<16>(groups)
        } else {
            _mm512_and_si512(groups, _mm512_set1_epi32(0xFFFF_0000u32.cast_signed()))
        })
    }
}

impl Widen for i8 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn part<const K: u32>(groups: __m512i) -> __m512 {
        let top = match K {
            0 => _mm512_slli_epi32::<24>(groups),
            1 => _mm512_slli_epi32::<16>(groups),
            2 => _mm512_slli_epi32::<8>(groups),
            _ => groups,
        };
        _mm512_cvtepi32_ps(_mm512_srai_epi32::<24>(top))
    }
}

impl Widen for u8 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn part<const K: u32>(groups: __m512i) -> __m512 {
        let low = match K {
            0 => groups,
            1 => _mm512_srli_epi32::<8>(groups),
            2 => _mm512_srli_epi32::<16>(groups),
            _ => _mm512_srli_epi32::<24>(groups),
        };
        _mm512_cvtepi32_ps(_mm512_and_si512(low, _mm512_set1_epi32(0xFF)))
    }
}

/// The value multiplied by the factor of element `x` of row `y`, if there is one.
///
/// # Safety
/// As many factors as a register has can be read from there on.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn scaled<const STEPS: u8>(value: __m512, map: &Affine, x: usize, y: usize) -> __m512 {
    if STEPS == NONE {
        return value;
    }
    let at = map.at[1].wrapping_add((x & map.mask[1]) + y * map.row[1]);
    // SAFETY: the caller's promise: as many values as a register has.
    _mm512_mul_ps(value, unsafe { _mm512_loadu_ps(at) })
}

/// Values of y that are finished for all x before the next ones.
const CHUNK: usize = 64;

/// From this distance between two rows of one side the processor does not see what is read or written next.
const FAR: usize = 512;

/// f32 to `D`, in lines of the destination of `G` times 16 bytes, which follow one another unless they are whole ones.
///
/// # Safety
/// That of [`CrossedWay::run`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
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
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn narrow_with<D: Narrow, const G: usize, const STEPS: u8>(job: &Crossed, map: &Affine) {
    let side = G * 16 / size_of::<D>();
    let apart = if G == 4 { job.dst_y as usize } else { 0 };
    let streams = job.stream && (job.dst.addr() | apart).is_multiple_of(LINE);
    let mut chunk = 0;
    while chunk < job.ny {
        let end = if job.ny - chunk < CHUNK { job.ny } else { chunk + CHUNK };
        let mut x = 0usize;
        loop {
            let mut y = if chunk + 16 > end { end - 16 } else { chunk };
            loop {
                let whole = if G == 4 { x.is_multiple_of(side) } else { y.is_multiple_of(4) };
                let at = Block { x, y, streams: streams && whole };
                // SAFETY: `side` values of x and 16 of y from here on are in the job.
                unsafe { narrow_block::<D, G, STEPS>(job, map, at) };
                match next(y, 16, end) {
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

/// Where a block is.
#[derive(Clone, Copy)]
struct Block {
    x: usize,
    y: usize,
    streams: bool,
}

/// # Safety
/// As [`narrow`], for the block of 16 values of y.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn narrow_block<D: Narrow, const G: usize, const STEPS: u8>(job: &Crossed, map: &Affine, at: Block) {
    let Block { x, y, streams } = at;
    let far = job.src_x.unsigned_abs() >= FAR;
    let block = step(job.src, x, job.src_x).wrapping_add(4 * y);
    let mut pieces = [[_mm512_setzero_si512(); G]; 4];
    unrolled!(G, g => {
        let mut rows = [_mm512_setzero_si512(); 4];
        unrolled!(4, i => {
            let from = opaque(step(block, (4 * g + i) * D::SIDE, job.src_x).cast_mut()).cast_const();
            let mut values = [_mm512_setzero_ps(); 4];
            unrolled!(4, k => {
                if k < D::SIDE {
                    let row = step(from, k, job.src_x);
                    if far {
                        prefetch(row.wrapping_add(4 * CHUNK));
                    }
                    // SAFETY: the caller's promise.
                    let value = _mm512_castsi512_ps(unsafe { load64(row) });
                    // SAFETY: the caller's promise.
                    values[k] = unsafe { scaled::<STEPS>(value, map, y, x + (4 * g + i) * D::SIDE + k) };
                }
            });
            // SAFETY: the features are those of this function.
            rows[i] = unsafe { D::join(values) };
        });
        let turned = turn64::<4, 4>(rows, 4);
        unrolled!(4, j => {
            pieces[j][g] = turned[j];
        });
    });
    let pieces = pieces.as_flattened();
    let first = step_mut(job.dst, y, job.dst_y).wrapping_add(x * size_of::<D>());
    unrolled!(G, m => {
        let lines = turn_lanes([pieces[4 * m], pieces[4 * m + 1], pieces[4 * m + 2], pieces[4 * m + 3]]);
        unrolled!(4, lane => {
            let to = if G == 4 {
                step_mut(first, 4 * lane + m, job.dst_y)
            } else {
                first.wrapping_add(4 * lane * G * 16 + m * LINE)
            };
            if streams {
                // SAFETY: this line is in the job, and aligned.
                unsafe { stream(to, lines[lane]) };
            } else {
                // SAFETY: this line is in the job.
                unsafe { store64(to, lines[lane]) };
            }
        });
    });
}

/// `S` to f32, in lines of 16 elements of the destination.
///
/// # Safety
/// That of [`CrossedWay::run`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn widen<S: Widen>(job: &Crossed, map: Option<&Affine>) {
    match map {
        // SAFETY: the caller's promise.
        None => unsafe { widen_with::<S, NONE>(job, &Affine::neutral()) },
        // SAFETY: as above.
        Some(map) => unsafe { widen_with::<S, FACTOR>(job, map) },
    }
}

/// # Safety
/// As [`widen`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn widen_with<S: Widen, const STEPS: u8>(job: &Crossed, map: &Affine) {
    let side = 16 / size_of::<S>();
    let streams = job.stream && (job.dst.addr() | job.dst_y as usize).is_multiple_of(LINE);
    let mut chunk = 0;
    while chunk < job.ny {
        let end = if job.ny - chunk < 2 * CHUNK { job.ny } else { chunk + 2 * CHUNK };
        let mut x = 0usize;
        loop {
            let mut y = if chunk + side > end { end - side } else { chunk };
            loop {
                let at = Block { x, y, streams: streams && x.is_multiple_of(16) };
                // SAFETY: 16 values of x and `side` of y from here on are in the job.
                unsafe { widen_block::<S, STEPS>(job, map, at) };
                match next(y, side, end) {
                    Some(next) => y = next,
                    None => break,
                }
            }
            match next(x, 16, job.nx) {
                Some(next) => x = next,
                None => break,
            }
        }
        chunk = end;
    }
}

/// # Safety
/// As [`widen`], for the block of 16 values of x.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn widen_block<S: Widen, const STEPS: u8>(job: &Crossed, map: &Affine, at: Block) {
    let Block { x, y, streams } = at;
    let from = step(job.src, x, job.src_x).wrapping_add(y * size_of::<S>());
    let from = opaque(from.cast_mut()).cast_const();
    let quarters: [_; 4] =
        core::array::from_fn(|l| opaque(step(from, 4 * l, job.src_x).cast_mut()).cast_const());
    let mut rows = [_mm512_setzero_si512(); 4];
    unrolled!(4, i => {
        // SAFETY: the caller's promise: 16 bytes of each of 16 rows.
        rows[i] = join4(quarters.map(|from| unsafe { load16(step(from, i, job.src_x)) }));
    });
    let groups = turn64::<4, 4>(rows, 4);
    let first = step_mut(job.dst, y, job.dst_y).wrapping_add(4 * x);
    // The processor does not follow many lines that lie apart: the next one of each is asked for.
    let apart = job.dst_y.unsigned_abs() >= FAR;
    macro_rules! part {
        ($group:ident, $j:ident, $k:literal) => {
            if $k < S::SIDE {
                // SAFETY: the features are those of this function.
                let value = unsafe { S::part::<$k>(groups[$j]) };
                // SAFETY: the caller's promise.
                let value = unsafe { scaled::<STEPS>(value, map, x, y + $j * S::SIDE + $k) };
                let to = step_mut($group, $k, job.dst_y);
                if streams {
                    // SAFETY: this line is in the job, and aligned.
                    unsafe { stream(to, _mm512_castps_si512(value)) };
                } else {
                    if apart {
                        prefetch(to.wrapping_add(LINE));
                    }
                    // SAFETY: this line is in the job.
                    unsafe { store64(to, _mm512_castps_si512(value)) };
                }
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
