//! f32, and s32, to narrower types: how their elements are brought beside one another, and the loop over blocks. Called by the module around
//! it.

use core::arch::x86_64::*;

use super::super::super::super::super::convert::{Bf16, F16};
use super::super::super::super::super::drive::{Crossed, LINE, is_crowded};
use super::super::super::super::super::epilogue::{Affine, FACTOR, NONE};
use super::super::super::super::super::generic::{step, step_mut};
use super::super::super::super::super::parts::loops::Integer;
use super::super::super::super::super::parts::zip::{lanes, unrolled};
use super::super::super::super::super::parts::{opaque, prefetch, prefetch_write};
use super::super::super::super::parts::maker::writes_in_turn;
use super::super::super::memory::{load32, store16, store32};
use super::super::super::transpose::{join2, turn32};
use super::super::bf16::beside_bf16;
use super::super::{f32_to_s32_below, f32_to_u32_below};
use super::order::{FAR, Order};
use super::scaled;

/// Lines 4096 bytes apart share a place of a first-level cache, which has at least so many of each.
const WAYS: usize = 8;

/// Values of y that are finished for all x before the next ones.
const CHUNK: usize = 64;

/// Values of y in a block that is narrowed.
const HEIGHT: usize = 8;

/// A type that f32 becomes, or s32, whose bits stand for it.
pub(super) trait Narrow: Sized {
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
        beside_bf16(a, b)
    }
}

impl Narrow for F16 {
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn join([a, b, ..]: [__m256; 4]) -> __m256i {
        const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT;
        let [a, b] = [_mm256_cvtps_ph::<NEAREST>(a), _mm256_cvtps_ph::<NEAREST>(b)];
        join2([_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)])
    }
}

/// `$type, |value| its 32-bit integer => how two registers of 16-bit ones are packed`.
macro_rules! bytes {
    ($($ty:ty: |$value:ident| $integer:expr => $pack:ident;)*) => {$(
        impl Narrow for $ty {
            #[inline]
            #[target_feature(enable = "avx2,f16c")]
            unsafe fn join(values: [__m256; 4]) -> __m256i {
                let [a, b, c, d] = lanes!(64, i => {
                    let $value = values[i];
                    $integer
                });
                woven($pack(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d)))
            }
        }
    )*};
}
bytes! {
    i8: |value| f32_to_s32_below(value, 127.0) => _mm256_packs_epi16;
    u8: |value| f32_to_u32_below(value, 255.0) => _mm256_packus_epi16;
    Integer<i8>: |bits| _mm256_castps_si256(bits) => _mm256_packs_epi16;
    Integer<u8>: |bits| _mm256_castps_si256(bits) => _mm256_packus_epi16;
}

/// Of each lane, four groups of 4 bytes transposed.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn woven(bytes: __m256i) -> __m256i {
    let at = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    _mm256_shuffle_epi8(bytes, _mm256_broadcastsi128_si256(at))
}

/// f32 to `D`, in pieces of the destination's lines of `G` times 16 bytes.
///
/// # Safety
/// That of [`CrossedWay::run`].
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn narrow<D: Narrow, const G: usize>(job: &Crossed, map: Option<&Affine>) {
    let whole = in_whole_lines::<D, G>(job);
    match map {
        // SAFETY of all: the caller's promise.
        // SAFETY: see above.
        None if whole => unsafe { narrow_with::<D, 1, 2, NONE>(job, &Affine::neutral()) },
        // SAFETY: see above.
        None => unsafe { narrow_with::<D, G, 1, NONE>(job, &Affine::neutral()) },
        // SAFETY: see above.
        Some(map) if whole => unsafe { narrow_with::<D, 1, 2, FACTOR>(job, map) },
        // SAFETY: see above.
        Some(map) => unsafe { narrow_with::<D, G, 1, FACTOR>(job, map) },
    }
}

/// Whether the rows of a block drive one another out of the first-level cache, so that a line of each is better read at once, by
/// registers of half as much of the destination's: 1.0 to 1.8 times as fast (Zen 3, where it was measured).
#[inline]
fn in_whole_lines<D: Narrow, const G: usize>(job: &Crossed) -> bool {
    let side = G * 16 / size_of::<D>();
    let compete = is_crowded(job.src_x, side) && !is_crowded(job.dst_y, LINE);
    compete && !writes_in_turn() && job.ny >= 2 * HEIGHT
}

/// By blocks of `H` times [`HEIGHT`] values of y.
///
/// # Safety
/// As [`narrow`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn narrow_with<D: Narrow, const G: usize, const H: usize, const STEPS: u8>(
    job: &Crossed,
    map: &Affine,
) {
    let side = G * 16 / size_of::<D>();
    let (rows, lines) = (job.src_x.unsigned_abs(), job.dst_y.unsigned_abs());
    // How far the lines of the next blocks are from those of this one.
    let claimed = match job.claims && lines >= FAR {
        true if rows < FAR || rows < 4 * FAR && lines >= 4 * FAR => LINE as isize,
        true => job.dst_y.wrapping_mul(2 * HEIGHT as isize),
        false => 0,
    };
    let order = match H {
        2 => Order::by_lines(job, side),
        _ => Order::along_rows(job, size_of::<D>(), side).unwrap_or_else(|| in_turn::<D>(job, side)),
    };
    let begin = |x: usize, y: usize| {
        if claimed != 0 {
            let next = step_mut(job.dst, y, job.dst_y).wrapping_add(x * size_of::<D>());
            claim(next.wrapping_offset(claimed), job.dst_y, H);
        }
    };
    order.each(job, [side, H * HEIGHT], begin, |x, y| {
        // SAFETY: `side` values of x and as many of y as a block has from here on are in the job.
        unsafe { narrow_block::<D, G, H, STEPS>(job, map, x, y, order.fetches) };
    });
}

/// The order in which pieces that make up a line of the destination are written in turn, unless the rows that they come from drive one
/// another out. The lines of the source that are fetched are those of the next chunk in the same rows, where these lie far apart;
/// or, where the processor does not foresee next rows, some of these.
#[inline]
fn in_turn<D: Narrow>(job: &Crossed, side: usize) -> Order {
    let rows = job.src_x.unsigned_abs();
    let line = (LINE / size_of::<D>()).min(WAYS * (4096 >> (rows | 4096).trailing_zeros())).max(side);
    let fetches = if writes_in_turn() || job.nx <= line {
        if rows >= FAR { 4 * CHUNK as isize } else { 0 }
    } else {
        job.src_x.wrapping_mul(side as isize)
    };
    Order { run: job.nx, chunk: CHUNK, line, fetches }
}

/// Asks for `blocks` times [`HEIGHT`] lines before they are written. Not inlined: its distances would take the registers of the block.
#[inline(never)]
fn claim(first: *mut u8, apart: isize, blocks: usize) {
    for i in 0..blocks * HEIGHT {
        prefetch_write(step_mut(first, i, apart));
    }
}

/// # Safety
/// As [`narrow`], for the block of `H` times [`HEIGHT`] values of y from `y` on.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn narrow_block<D: Narrow, const G: usize, const H: usize, const STEPS: u8>(
    job: &Crossed,
    map: &Affine,
    x: usize,
    y: usize,
    fetches: isize,
) {
    // Two halves make up a line of the source.
    let fetches = if H == 2 || (y / HEIGHT).is_multiple_of(2) { fetches } else { 0 };
    let block = step(job.src, x, job.src_x).wrapping_add(4 * y);
    let mut groups = [[[_mm256_setzero_si256(); 4]; G]; H];
    unrolled!(G of 2, g => {
        unrolled!(4, i => {
            let from = opaque(step(block, (4 * g + i) * D::SIDE, job.src_x).cast_mut()).cast_const();
            unrolled!(H of 2, h => {
                let mut values = [_mm256_setzero_ps(); 4];
                unrolled!(4, k => {
                    if k < D::SIDE {
                        let row = step(from, k, job.src_x).wrapping_add(4 * HEIGHT * h);
                        if fetches != 0 && h == 0 {
                            prefetch(row.wrapping_offset(fetches));
                        }
                        // SAFETY: the caller's promise.
                        let value = _mm256_castsi256_ps(unsafe { load32(row) });
                        let at = (y + HEIGHT * h, x + (4 * g + i) * D::SIDE + k);
                        // SAFETY: the caller's promise.
                        values[k] = unsafe { scaled::<STEPS>(value, map, at.0, at.1) };
                    }
                });
                // SAFETY: the features are those of this function.
                groups[h][g][i] = unsafe { D::join(values) };
            });
        });
    });
    unrolled!(H of 2, h => {
        let mut pieces = [[_mm256_setzero_si256(); 4]; G];
        unrolled!(G of 2, g => pieces[g] = turn32::<4, 4>(groups[h][g], 4));
        let first = step_mut(job.dst, y + HEIGHT * h, job.dst_y).wrapping_add(x * size_of::<D>());
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
    });
}
