//! Bytes to 16-bit floats: blocks are turned as bytes, and become f32 and then lines of 32 elements. Called by the module around it.

use core::arch::x86_64::*;
use core::marker::PhantomData;

use super::super::super::super::super::convert::{Bf16, F16};
use super::super::super::super::super::drive::{Crossed, LINE};
use super::super::super::super::super::epilogue::{Affine, FACTOR, LANES, NONE};
use super::super::super::super::super::generic::step_mut;
use super::super::super::super::super::parts::prefetch_write;
use super::super::super::super::super::parts::square::next;
use super::super::super::super::super::parts::zip::unrolled;
use super::super::super::memory::{store64, stream};
use super::super::{NEAREST, keep_normal, rounded_to_bf16};
use super::bands::{Blocks, bands, in_bands, low_groups};
use super::narrow::{NativeBf16, native_line};
use super::widen::{Block, Rows, Widen, groups, scaled};

/// A type of 16 bits.
pub(super) trait Half {
    /// The type for numbers of any kind, where this one knows no subnormal ones.
    type Any: Half;
    const KNOWS_ALL: bool = true;

    /// A line of the numbers of two registers; `EXACT`: it holds all of them.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn line<const EXACT: bool>(low: __m512, high: __m512) -> __m512i;
}

impl Half for Bf16 {
    type Any = Bf16;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn line<const EXACT: bool>(low: __m512, high: __m512) -> __m512i {
        // The upper halves of two registers.
        let upper = _mm512_set_epi16(
            63, 61, 59, 57, 55, 53, 51, 49, 47, 45, 43, 41, 39, 37, 35, 33, 31, 29, 27, 25, 23, 21, 19, 17,
            15, 13, 11, 9, 7, 5, 3, 1,
        );
        let bits = |value| if EXACT { _mm512_castps_si512(value) } else { rounded_to_bf16(value) };
        _mm512_permutex2var_epi16(bits(low), upper, bits(high))
    }
}

impl Half for F16 {
    type Any = F16;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn line<const EXACT: bool>(low: __m512, high: __m512) -> __m512i {
        let [low, high] = [_mm512_cvtps_ph::<NEAREST>(low), _mm512_cvtps_ph::<NEAREST>(high)];
        _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
    }
}

impl Half for NativeBf16 {
    type Any = Bf16;
    const KNOWS_ALL: bool = false;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn line<const EXACT: bool>(low: __m512, high: __m512) -> __m512i {
        if EXACT {
            // SAFETY: the caller's promise.
            return unsafe { Bf16::line::<EXACT>(low, high) };
        }
        // SAFETY: as above.
        unsafe { native_line(low, high) }
    }
}

/// `S` to `D`, in lines of 32 elements of the destination, or of 16 that follow one another.
///
/// # Safety
/// That of [`CrossedWay::run`](super::CrossedWay::run).
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn halves<S: Widen, D: Half>(job: &Crossed, map: Option<&Affine>) {
    match map {
        // SAFETY: the caller's promise.
        None => unsafe { halves_with::<S, D, NONE>(job, &Affine::neutral()) },
        // SAFETY: as above.
        Some(map) if D::KNOWS_ALL || unsafe { are_normal(job, map) } => unsafe {
            halves_with::<S, D, FACTOR>(job, map)
        },
        // SAFETY: as above.
        Some(map) => unsafe { halves_with::<S, D::Any, FACTOR>(job, map) },
    }
}

/// Whether no product of a factor and an integer is subnormal.
///
/// # Safety
/// As [`halves`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn are_normal(job: &Crossed, map: &Affine) -> bool {
    let count = match (map.mask[1], map.row[1]) {
        (0, 0) => LANES,
        (0, LANES) => job.ny * LANES,
        (usize::MAX, 0) => job.nx.next_multiple_of(LANES),
        _ => return false,
    };
    // SAFETY: the caller's promise: as many factors as a register has are there from each on.
    unsafe { keep_normal(map.at[1], count) }
}

/// # Safety
/// As [`halves`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn halves_with<S: Widen, D: Half, const STEPS: u8>(job: &Crossed, map: &Affine) {
    let bands = bands(job, 1);
    let (staged, low) = bands.map_or((false, false), |bands| (bands.staged, bands.low));
    if job.nx < 32 {
        // SAFETY: the caller's promise: lines of 16 elements follow one another.
        unsafe { narrow_lines::<S, D, STEPS>(job, map) };
    } else if low {
        // SAFETY: the caller's promise.
        unsafe { in_bands::<Low<S, D, STEPS>>(job, map, staged) };
    } else {
        // SAFETY: as above.
        unsafe { in_bands::<Whole<S, D, STEPS>>(job, map, staged) };
    }
}

/// 32 values of x and 16 of y.
struct Whole<S, D, const STEPS: u8>(PhantomData<(S, D)>);

impl<S: Widen, D: Half, const STEPS: u8> Blocks for Whole<S, D, STEPS> {
    const BYTES: usize = 1;
    const WIDTH: usize = 32;
    const SIDE: usize = 16;
    const LINE: usize = 32;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn run(job: &Crossed, map: &Affine, rows: &Rows, at: Block) {
        // SAFETY of both: the caller's promise.
        // SAFETY: see above.
        let first = unsafe { groups(rows, at.x, at.y, 1) };
        // SAFETY: see above.
        let second = unsafe { groups(rows, at.x + 16, at.y, 1) };
        unrolled!(4, j => {
            // SAFETY: the caller's promise, for four values of y.
            unsafe { lines::<S, D, STEPS>(job, map, [first[j], second[j]], Block { y: at.y + 4 * j, ..at }) };
        });
    }
}

/// 32 values of x and 8 of y.
struct Low<S, D, const STEPS: u8>(PhantomData<(S, D)>);

impl<S: Widen, D: Half, const STEPS: u8> Blocks for Low<S, D, STEPS> {
    const BYTES: usize = 1;
    const WIDTH: usize = 32;
    const SIDE: usize = 8;
    const LINE: usize = 32;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn run(job: &Crossed, map: &Affine, rows: &Rows, at: Block) {
        // SAFETY: the caller's promise.
        let [a, b, c, d] = unsafe { low_groups(rows, at.x, at.y) };
        // SAFETY: the caller's promise, for four values of y.
        unsafe { lines::<S, D, STEPS>(job, map, [a, c], at) };
        // SAFETY: as above.
        unsafe { lines::<S, D, STEPS>(job, map, [b, d], Block { y: at.y + 4, ..at }) };
    }
}

/// Writes the lines of four values of y, from two registers of groups of 4 bytes.
///
/// # Safety
/// They are in the job; where it streams, they are aligned.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn lines<S: Widen, D: Half, const STEPS: u8>(
    job: &Crossed,
    map: &Affine,
    groups: [__m512i; 2],
    Block { x, y, streams }: Block,
) {
    let first = step_mut(job.dst, y, job.dst_y).wrapping_add(2 * x);
    macro_rules! line {
        ($($k:literal)*) => {$(
            // SAFETY of both: the features are those of this function.
            // SAFETY: see above.
            let low = unsafe { S::part::<$k>(groups[0]) };
            // SAFETY: see above.
            let high = unsafe { S::part::<$k>(groups[1]) };
            // SAFETY of both: the caller's promise.
            // SAFETY: see above.
            let low = unsafe { scaled::<STEPS>(low, map, x, y + $k) };
            // SAFETY: see above.
            let high = unsafe { scaled::<STEPS>(high, map, x + 16, y + $k) };
            // SAFETY: as above. All numbers of a byte are numbers of 16 bits.
            let line = if STEPS == NONE {
                // SAFETY: see above.
                unsafe { D::line::<true>(low, high) }
            } else {
                // SAFETY: see above.
                unsafe { D::line::<false>(low, high) }
            };
            let to = step_mut(first, $k, job.dst_y);
            if streams {
                // SAFETY: this line is in the job, and aligned.
                unsafe { stream(to, line) };
            } else {
                prefetch_write(to.wrapping_add(LINE));
                // SAFETY: this line is in the job.
                unsafe { store64(to, line) };
            }
        )*};
    }
    line!(0 1 2 3);
}

/// All of a job of 16 values of x, whose lines follow one another: two of them at a time.
///
/// # Safety
/// As [`halves`].
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn narrow_lines<S: Widen, D: Half, const STEPS: u8>(job: &Crossed, map: &Affine) {
    let streams = job.stream && job.dst.addr().is_multiple_of(LINE);
    let rows = Rows { src: job.src, pitch: job.src_x, x: 0, y: 0 };
    let mut y = 0;
    loop {
        // SAFETY: the caller's promise: 16 values of y from here on are in the job.
        let groups = unsafe { groups(&rows, 0, y, 1) };
        let streams = streams && y.is_multiple_of(2);
        unrolled!(4, j => {
            let first = step_mut(job.dst, y + 4 * j, job.dst_y);
            macro_rules! line {
                ($first:literal $second:literal) => {
                    // SAFETY of both: the features are those of this function.
                    // SAFETY: see above.
                    let low = unsafe { S::part::<$first>(groups[j]) };
                    // SAFETY: see above.
                    let high = unsafe { S::part::<$second>(groups[j]) };
                    // SAFETY of both: the caller's promise.
                    // SAFETY: see above.
                    let low = unsafe { scaled::<STEPS>(low, map, 0, y + 4 * j + $first) };
                    // SAFETY: see above.
                    let high = unsafe { scaled::<STEPS>(high, map, 0, y + 4 * j + $second) };
                    let line = if STEPS == NONE {
                        // SAFETY: as above. All numbers of a byte are numbers of 16 bits.
                        unsafe { D::line::<true>(low, high) }
                    } else {
                        // SAFETY: as above.
                        unsafe { D::line::<false>(low, high) }
                    };
                    let to = step_mut(first, $first, job.dst_y);
                    if streams {
                        // SAFETY: these lines are in the job, and aligned.
                        unsafe { stream(to, line) };
                    } else {
                        if job.claims {
                            prefetch_write(to.wrapping_add(16 * LINE));
                        }
                        // SAFETY: these lines are in the job.
                        unsafe { store64(to, line) };
                    }
                };
            }
            line!(0 1);
            line!(2 3);
        });
        match next(y, 16, job.ny) {
            Some(next) => y = next,
            None => return,
        }
    }
}
