//! Blocks of 16 by 4 bytes whose runs have nine taps, as those of windows of 3 x 3 do: a run of 36 bytes, whatever its elements, lies in four
//! registers that read no byte behind it, and the ninth tap needs no square of its own. Called by the module around it.

use core::arch::x86_64::*;

use super::super::super::super::drive::Woven;
use super::super::super::super::generic::{step, step_mut};
use super::super::super::parts::opaque;
use super::super::super::parts::woven::some_runs;
use super::super::super::parts::zip::{lanes, unrolled};
use super::super::memory::*;
use super::super::transpose::{join2, turn32};
use super::lane;

/// Taps of a run; those in squares, four by four; and runs that are moved at a time.
const TAPS: usize = 9;
const LAST: usize = 8;
const RUNS: usize = 8;

/// Whether `job`, of elements of `B` bytes, is one of these, without padding.
fn takes<const B: usize>(job: &Woven) -> bool {
    job.elements * B == 4 && job.runs == 16 && job.taps == TAPS
}

/// Runs to lines; `false` for other jobs, and then nothing was done.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::weave`], for elements of 1 or 2 bytes.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn weave<const B: usize>(job: &Woven) -> bool {
    if !takes::<B>(job) {
        return false;
    }
    some_runs!(job, RUNS, |k, first| {
        let block = job.block(k);
        let (runs, dst) = (step(block.src, first, job.run), block.dst.wrapping_add(4 * first));
        // SAFETY: the caller's promise: 8 runs, and a half of each line.
        unsafe { lines_of::<B>(&block, runs, dst) };
    });
    true
}

/// Halves of nine lines from 8 runs.
///
/// # Safety
/// The runs can be read at `runs`, and half of the lines written at `dst`.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn lines_of<const B: usize>(job: &Woven, runs: *const u8, dst: *mut u8) {
    // Where the two halves of a group's elements lie, of the first taps, of those behind them, and of the ninth.
    let of_first = [taps([0, 9, NONE, NONE], 1), taps([NONE, NONE, 0, 9], 1)];
    let of_behind = [of_first[0], taps([NONE, NONE, 2, 11], 1)];
    let of_ninth = if B == 1 {
        [taps([4, 13, NONE, NONE], 0), taps([NONE, NONE, 6, 15], 0)]
    } else {
        [taps([12, 13, NONE, NONE], 0), taps([NONE, NONE, 14, 15], 0)]
    };
    let from = lanes!(32, l => opaque(step(runs, 4 * l, job.run).cast_mut()).cast_const());
    let (mut low, mut high) = ([_mm256_setzero_si256(); 4], [_mm256_setzero_si256(); 4]);
    let mut ninth = [_mm256_setzero_si256(); 4];
    unrolled!(4, i => {
        let at = lanes!(32, l => step(from[l], i, job.run));
        // What belongs to the first taps, and what to those behind them; of the first half of a group's elements and of the other half.
        // SAFETY of all four: the caller's promise: a run has 36 bytes.
        // SAFETY: see above.
        let first = join2(lanes!(32, l => unsafe { load16(at[l]) }));
        // SAFETY: see above.
        let first_other = join2(lanes!(32, l => unsafe { load16(at[l].wrapping_add(18)) }));
        // SAFETY: see above.
        let behind = join2(lanes!(32, l => unsafe { load16(at[l].wrapping_add(4)) }));
        // SAFETY: see above.
        let behind_other = join2(lanes!(32, l => unsafe { load16(at[l].wrapping_add(20)) }));
        if B == 1 {
            low[i] = both([first, first_other], of_first);
            high[i] = both([behind, behind_other], of_behind);
        } else {
            low[i] = _mm256_unpacklo_epi16(first, first_other);
            high[i] = _mm256_unpackhi_epi16(first, first_other);
        }
        ninth[i] = both([behind, behind_other], of_ninth);
    });
    let lines = [turn32::<4, 4>(low, 4), turn32::<4, 4>(high, 4)];
    unrolled!(2, part => {
        let to = opaque(step_mut(dst, 4 * part, job.line));
        unrolled!(4, j => {
            // SAFETY: the caller's promise.
            unsafe { store32(step_mut(to, j, job.line), lines[part][j]) };
        });
    });
    let even = _mm256_blend_epi32::<0b1010_1010>(ninth[0], ninth[1]);
    let odd = _mm256_blend_epi32::<0b1010_1010>(ninth[2], ninth[3]);
    let line = _mm256_blend_epi32::<0b1100_1100>(even, odd);
    // SAFETY: as above.
    unsafe { store32(step_mut(dst, LAST, job.line), line) };
}

/// Bytes that come from nowhere.
const NONE: i8 = -128;

/// Lookup of four groups of which the first has the bytes `group` and each next one those `by` behind them.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn taps([a, b, c, d]: [i8; 4], by: i8) -> __m256i {
    let first = _mm256_set1_epi32(i32::from_le_bytes([a as u8, b as u8, c as u8, d as u8]));
    let by = i32::from(by) * 0x0101_0101;
    _mm256_add_epi8(first, _mm256_setr_epi32(0, by, 2 * by, 3 * by, 0, by, 2 * by, 3 * by))
}

/// What two lookups find.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn both([one, other]: [__m256i; 2], [in_one, in_other]: [__m256i; 2]) -> __m256i {
    _mm256_or_si256(_mm256_shuffle_epi8(one, in_one), _mm256_shuffle_epi8(other, in_other))
}

/// Lines to runs; `false` for other jobs, and then nothing was done.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::unweave`], for elements of 1 or 2 bytes.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn unweave<const B: usize>(job: &Woven) -> bool {
    if !takes::<B>(job) {
        return false;
    }
    some_runs!(job, RUNS, |k, first| {
        let block = job.block(k);
        let (src, runs) = (block.src.wrapping_add(4 * first), step_mut(block.dst, first, job.run));
        // SAFETY: the caller's promise: a half of each line, and 8 runs.
        unsafe { runs_of::<B>(&block, src, runs) };
    });
    true
}

/// Eight runs from halves of nine lines.
///
/// # Safety
/// Half of the lines can be read at `src`, and the runs written at `runs`.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn runs_of<const B: usize>(job: &Woven, src: *const u8, runs: *mut u8) {
    let mut groups = [[_mm256_setzero_si256(); 4]; 2];
    unrolled!(2, part => {
        let from = opaque(step(src, 4 * part, job.line).cast_mut()).cast_const();
        let mut lines = [_mm256_setzero_si256(); 4];
        unrolled!(4, j => {
            // SAFETY: the caller's promise.
            lines[j] = unsafe { load32(step(from, j, job.line)) };
        });
        groups[part] = turn32::<4, 4>(lines, 4);
    });
    // SAFETY: as above.
    let ninth = unsafe { load32(step(src, LAST, job.line)) };
    // Of register i, run i comes first.
    let ninth =
        [ninth, _mm256_srli_si256::<4>(ninth), _mm256_srli_si256::<8>(ninth), _mm256_srli_si256::<12>(ninth)];
    let to = lanes!(32, l => opaque(step_mut(runs, 4 * l, job.run)));
    unrolled!(4, i => {
        let parts = if B == 1 {
            bytes_of_run(groups[0][i], groups[1][i], ninth[i])
        } else {
            pairs_of_run(groups[0][i], groups[1][i], ninth[i])
        };
        let _: [(); 2] = lanes!(32, l => {
            let at = step_mut(to[l], i, job.run);
            let [begin, middle, end] = [lane(parts[0], l), lane(parts[1], l), lane(parts[2], l)];
            // A part lies over the end of the one before.
            // SAFETY of all three: the caller's promise: a run has 36 bytes.
            // SAFETY: see above.
            unsafe { store16(at, begin) };
            // SAFETY: see above.
            unsafe { store16(at.wrapping_add(if B == 1 { 9 } else { 16 }), middle) };
            // SAFETY: see above.
            unsafe { store16(at.wrapping_add(20), end) };
        });
    });
}

/// The bytes from 0, 9 and 20 on of runs of four times nine bytes, from the groups of their taps.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn bytes_of_run(first: __m256i, behind: __m256i, ninth: __m256i) -> [__m256i; 3] {
    const N: i8 = NONE;
    let spread = |table| _mm256_broadcastsi128_si256(table);
    let apart = spread(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    let (first, behind) = (_mm256_shuffle_epi8(first, apart), _mm256_shuffle_epi8(behind, apart));
    // Eight taps each of the four elements.
    let (ab, cd) = (_mm256_unpacklo_epi32(first, behind), _mm256_unpackhi_epi32(first, behind));
    let bc = _mm256_alignr_epi8::<8>(cd, ab);
    let gap = spread(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, N, 8, 9, 10, 11, 12, 13, 14));
    let end = spread(_mm_setr_epi8(2, 3, 4, 5, 6, 7, N, 8, 9, 10, 11, 12, 13, 14, 15, N));
    let of_a = spread(_mm_setr_epi8(N, N, N, N, N, N, N, N, 0, N, N, N, N, N, N, N));
    let of_b = spread(_mm_setr_epi8(N, N, N, N, N, N, N, N, 1, N, N, N, N, N, N, N));
    let of_cd = spread(_mm_setr_epi8(N, N, N, N, N, N, 2, N, N, N, N, N, N, N, N, 3));
    [both([ab, ninth], [gap, of_a]), both([bc, ninth], [gap, of_b]), both([cd, ninth], [end, of_cd])]
}

/// The bytes from 0, 16 and 20 on of runs of twice nine elements of 2 bytes.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn pairs_of_run(first: __m256i, behind: __m256i, ninth: __m256i) -> [__m256i; 3] {
    let apart =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
    let (first, behind) = (_mm256_shuffle_epi8(first, apart), _mm256_shuffle_epi8(behind, apart));
    let (a, b) = (_mm256_unpacklo_epi64(first, behind), _mm256_unpackhi_epi64(first, behind));
    let middle = _mm256_alignr_epi8::<14>(b, _mm256_slli_si256::<14>(ninth));
    let end = _mm256_alignr_epi8::<2>(_mm256_srli_si256::<2>(ninth), b);
    [a, middle, end]
}
