//! 8 and 16 bits to f32: blocks are transposed in the narrower type, then widened. Called by the module around it.

use core::arch::x86_64::*;

use super::super::super::super::super::convert::{Bf16, F16};
use super::super::super::super::super::drive::{Crossed, LINE};
use super::super::super::super::super::epilogue::{Affine, FACTOR, NONE};
use super::super::super::super::super::generic::{step, step_mut};
use super::super::super::super::super::parts::square::next;
use super::super::super::super::super::parts::zip::{lanes, unrolled};
use super::super::super::super::super::parts::{opaque, prefetch, prefetch_write};
use super::super::super::memory::{load16, store64, stream};
use super::super::super::transpose::{join4, turn64};
use super::super::bf16_to_f32_wide;
use super::bands::{bands, widen_bands};
use super::{CHUNK, FAR};

/// Bytes of the source that stay in a second-level cache.
const HELD: usize = 256 * 1024;
/// From this distance each line of the destination has a page of its own.
const PAGE: usize = 4096;

/// A type that becomes f32.
pub(super) trait Widen: Sized {
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

impl Widen for F16 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn part<const K: u32>(groups: __m512i) -> __m512 {
        let low = if K == 0 { groups } else { _mm512_srli_epi32::<16>(groups) };
        _mm512_cvtph_ps(_mm512_cvtepi32_epi16(low))
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
pub(super) unsafe fn scaled<const STEPS: u8>(value: __m512, map: &Affine, x: usize, y: usize) -> __m512 {
    if STEPS == NONE {
        return value;
    }
    let at = map.at[1].wrapping_add((x & map.mask[1]) + y * map.row[1]);
    // SAFETY: the caller's promise: as many values as a register has.
    _mm512_mul_ps(value, unsafe { _mm512_loadu_ps(at) })
}

/// `S` to f32, in lines of 16 elements of the destination.
///
/// # Safety
/// That of [`CrossedWay::run`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn widen<S: Widen>(job: &Crossed, map: Option<&Affine>) {
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
    if let Some(bands) = bands(job, size_of::<S>()) {
        // SAFETY: the caller's promise.
        return unsafe { widen_bands::<S, STEPS>(job, map, bands) };
    }
    let side = 16 / size_of::<S>();
    let streams = job.stream && (job.dst.addr() | job.dst_y as usize).is_multiple_of(LINE);
    // Where lines are waited for, few are open at a time: of those that lie nearer to one another than the source's rows so that they
    // are written in turn; of those in pages of their own what the source has beside them is then read again, from the
    // second-level cache.
    let (rows, lines) = (job.src_x.unsigned_abs(), job.dst_y.unsigned_abs());
    let few = 16 * size_of::<S>();
    let (height, width) = match job.claims {
        true if lines < rows => (few, job.nx),
        true if lines >= PAGE && rows < FAR => (few, (HELD / rows.max(1)).max(CHUNK) / 16 * 16),
        _ => (2 * CHUNK, job.nx),
    };
    let mut first = 0;
    while first < job.nx {
        // The last part is no narrower than a block.
        let end = if job.nx - first < width + 16 { job.nx } else { first + width };
        let mut chunk = 0;
        while chunk < job.ny {
            let bottom = if job.ny - chunk < height { job.ny } else { chunk + height };
            let mut x = first;
            loop {
                let mut y = if chunk + side > bottom { bottom - side } else { chunk };
                loop {
                    let at = Block { x, y, streams: streams && x.is_multiple_of(16) };
                    let rows = Rows { src: job.src, pitch: job.src_x, x: 0, y: 0 };
                    // SAFETY: 16 values of x and `side` of y from here on are in the job.
                    unsafe { widen_block::<S, STEPS, false>(job, map, &rows, at) };
                    match next(y, side, bottom) {
                        Some(next) => y = next,
                        None => break,
                    }
                }
                match next(x, 16, end) {
                    Some(next) => x = next,
                    None => break,
                }
            }
            chunk = bottom;
        }
        first = end;
    }
}

/// Where a block is.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) streams: bool,
}

/// Where rows of the source are read, which begin with value `x` and element `y`.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    pub(super) src: *const u8,
    /// Bytes between two of them.
    pub(super) pitch: isize,
    pub(super) x: usize,
    pub(super) y: usize,
}

impl Rows {
    /// Where the element of the row of value `x` is, of `bytes` bytes.
    #[inline(always)]
    pub(super) fn at(&self, x: usize, y: usize, bytes: usize) -> *const u8 {
        let at = step(self.src, x - self.x, self.pitch).wrapping_add((y - self.y) * bytes);
        opaque(at.cast_mut()).cast_const()
    }
}

/// Groups of 4 bytes along y of 16 rows, for elements of `bytes` bytes: the first of each row, and so on.
///
/// # Safety
/// 16 bytes of each row can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn groups(rows: &Rows, x: usize, y: usize, bytes: usize) -> [__m512i; 4] {
    let (from, pitch) = (rows.at(x, y, bytes), rows.pitch);
    let quarters = lanes!(64, l => opaque(step(from, 4 * l, pitch).cast_mut()).cast_const());
    let mut parts = [_mm512_setzero_si512(); 4];
    unrolled!(4, i => {
        parts[i] = join4(lanes!(64, l => {
            // SAFETY: the caller's promise.
            unsafe { load16(step(quarters[l], i, pitch)) }
        }));
    });
    turn64::<4, 4>(parts, 4)
}

/// A block whose lines are asked for before they are written where that pays; in `BANDS` the next one of each.
///
/// # Safety
/// As [`widen`], for the block of 16 values of x, which is in `rows`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn widen_block<S: Widen, const STEPS: u8, const BANDS: bool>(
    job: &Crossed,
    map: &Affine,
    rows: &Rows,
    at: Block,
) {
    let Block { x, y, streams } = at;
    // SAFETY: the caller's promise.
    let groups = unsafe { groups(rows, x, y, size_of::<S>()) };
    let first = step_mut(job.dst, y, job.dst_y).wrapping_add(4 * x);
    // The processor does not follow many lines that lie apart: the next one of each is asked for.
    let apart = job.dst_y.unsigned_abs() >= FAR;
    // Those of the next block, where they begin at the same place of a line; of two lines the last.
    let claims = job.claims && (job.dst_y as usize).is_multiple_of(LINE);
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
                    if BANDS {
                        prefetch_write(to.wrapping_add(2 * LINE - 1));
                    } else if apart {
                        prefetch(to.wrapping_add(2 * LINE - 1));
                    } else if claims {
                        prefetch_write(step_mut(to, 4 * S::SIDE, job.dst_y).wrapping_add(LINE - 1));
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
