//! Narrower types to f32 and s32: the elements of a group of 4 bytes, and the loop over blocks. Called by the module around it.

use core::arch::x86_64::*;

use super::super::super::super::super::convert::{Bf16, F16};
use super::super::super::super::super::drive::{Crossed, LINE};
use super::super::super::super::super::epilogue::{Affine, FACTOR, NONE};
use super::super::super::super::super::generic::{step, step_mut};
use super::super::super::super::super::parts::loops::Integer;
use super::super::super::super::super::parts::zip::{lanes, unrolled};
use super::super::super::super::super::parts::{opaque, prefetch};
use super::super::super::memory::{load16, store32};
use super::super::super::transpose::{join2, turn32};
use super::super::bf16::quiet;
use super::super::halves;
use super::order::{FAR, Order};
use super::scaled;

/// Values of y that are finished for all x before the next ones.
const CHUNK: usize = 128;

/// A type that becomes f32, or s32, whose bits stand for it.
pub(super) trait Widen: Sized {
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

impl Widen for F16 {
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn part<const K: u32>(groups: __m256i) -> __m256 {
        let low = if K == 0 {
            _mm256_and_si256(groups, _mm256_set1_epi32(0xFFFF))
        } else {
            _mm256_srli_epi32::<16>(groups)
        };
        let (first, second) = halves(low);
        _mm256_cvtph_ps(_mm_packus_epi32(first, second))
    }
}

impl Widen for i8 {
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn part<const K: u32>(groups: __m256i) -> __m256 {
        _mm256_cvtepi32_ps(signed::<K>(groups))
    }
}

impl Widen for u8 {
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn part<const K: u32>(groups: __m256i) -> __m256 {
        _mm256_cvtepi32_ps(unsigned::<K>(groups))
    }
}

impl Widen for Integer<i8> {
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn part<const K: u32>(groups: __m256i) -> __m256 {
        _mm256_castsi256_ps(signed::<K>(groups))
    }
}

impl Widen for Integer<u8> {
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn part<const K: u32>(groups: __m256i) -> __m256 {
        _mm256_castsi256_ps(unsigned::<K>(groups))
    }
}

/// Byte `K` of each number.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn signed<const K: u32>(groups: __m256i) -> __m256i {
    let top = match K {
        0 => _mm256_slli_epi32::<24>(groups),
        1 => _mm256_slli_epi32::<16>(groups),
        2 => _mm256_slli_epi32::<8>(groups),
        _ => groups,
    };
    _mm256_srai_epi32::<24>(top)
}

/// The same without a sign.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn unsigned<const K: u32>(groups: __m256i) -> __m256i {
    let low = match K {
        0 => groups,
        1 => _mm256_srli_epi32::<8>(groups),
        2 => _mm256_srli_epi32::<16>(groups),
        _ => _mm256_srli_epi32::<24>(groups),
    };
    _mm256_and_si256(low, _mm256_set1_epi32(0xFF))
}

/// `S` to f32, in pieces of the destination's lines of `G` times 8 elements.
///
/// # Safety
/// That of [`CrossedWay::run`].
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn widen<S: Widen, const G: usize>(job: &Crossed, map: Option<&Affine>) {
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
    let order = Order::along_rows(job, 4, 8 * G).unwrap_or(Order {
        run: job.nx,
        chunk: CHUNK,
        line: 8 * G,
        fetches: 0,
    });
    order.each(
        job,
        [8 * G, side],
        |_, _| (),
        |x, y| {
            let at = Block { x, y, streams: streams && x.is_multiple_of(16), fetches: order.fetches };
            // SAFETY: `8 * G` values of x and `side` of y from here on are in the job.
            unsafe { widen_block::<S, G, STEPS>(job, map, at) };
        },
    );
}

/// Where a block is.
#[derive(Clone, Copy)]
struct Block {
    x: usize,
    y: usize,
    streams: bool,
    /// Bytes from what it reads to what it fetches; 0 for nothing.
    fetches: isize,
}

/// # Safety
/// As [`widen`], for the block of `8 * G` values of x.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn widen_block<S: Widen, const G: usize, const STEPS: u8>(job: &Crossed, map: &Affine, at: Block) {
    let Block { x, y, streams, fetches } = at;
    let from = step(job.src, x, job.src_x).wrapping_add(y * size_of::<S>());
    let mut groups = [[_mm256_setzero_si256(); 4]; G];
    unrolled!(G of 2, g => {
        let halves = lanes!(32, l => opaque(step(from, 8 * g + 4 * l, job.src_x).cast_mut()).cast_const());
        let mut rows = [_mm256_setzero_si256(); 4];
        unrolled!(4, i => {
            rows[i] = join2(lanes!(32, l => {
                let row = step(halves[l], i, job.src_x);
                if fetches != 0 {
                    prefetch(row.wrapping_offset(fetches));
                }
                // SAFETY: the caller's promise: 16 bytes of each of 8 rows.
                unsafe { load16(row) }
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
