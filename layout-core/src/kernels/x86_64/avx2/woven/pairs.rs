//! Blocks of 16 by 2 elements of 2 bytes, of which a run has 8 taps to 16: what belongs to a group lies as far apart in all of them, so that it
//! is enough to zip the taps of the two. Called by the module around it.

use core::arch::x86_64::*;

use super::super::super::super::drive::Woven;
use super::super::super::super::generic::{step, step_mut};
use super::super::super::parts::opaque;
use super::super::super::parts::woven::some_runs;
use super::super::super::parts::zip::{lanes, unrolled};
use super::super::memory::*;
use super::super::transpose::{join2, turn32};
use super::lane;

/// Taps that are moved at a time, and runs.
const TAPS: usize = 8;
const RUNS: usize = 8;

/// Whether `job`, of elements of 2 bytes, is one of these.
fn takes(job: &Woven) -> bool {
    job.elements == 2 && job.runs == 16 && (TAPS..=2 * TAPS).contains(&job.taps)
}

/// Runs to lines; `false` for other jobs, and then nothing was done.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::weave`], for elements of 2 bytes.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn pairs(job: &Woven) -> bool {
    if !takes(job) {
        return false;
    }
    // The last taps lie over the first.
    let last = job.taps - TAPS;
    some_runs!(job, RUNS, |k, first| {
        let block = job.block(k);
        let runs = step(block.src, first, job.run);
        let dst = block.dst.wrapping_add(4 * first);
        // SAFETY: the caller's promise: these taps of 8 runs, and a half of as many lines.
        unsafe { eight_taps(&block, runs, 0, dst, 0) };
        if last > 0 {
            // SAFETY: as above.
            unsafe { eight_taps(&block, runs, last, dst, TAPS - last) };
        }
    });
    true
}

/// Taps `tap` to `tap + 8` of 8 runs, of which the first `done` are written already, if those are 4 or more.
///
/// # Safety
/// They can be read at `runs` for both elements, and half of their lines written at `dst`.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn eight_taps(job: &Woven, runs: *const u8, tap: usize, dst: *mut u8, done: usize) {
    let (mut low, mut high) = ([_mm256_setzero_si256(); 4], [_mm256_setzero_si256(); 4]);
    let from =
        lanes!(32, l => opaque(step(runs, 4 * l, job.run).cast_mut()).cast_const().wrapping_add(2 * tap));
    unrolled!(4, i => {
        let at = lanes!(32, l => step(from[l], i, job.run));
        // SAFETY: the caller's promise.
        let first = join2(lanes!(32, l => unsafe { load16(at[l]) }));
        // SAFETY: as above: the other element's.
        let second = join2(lanes!(32, l => unsafe { load16(at[l].wrapping_add(2 * job.taps)) }));
        low[i] = _mm256_unpacklo_epi16(first, second);
        high[i] = _mm256_unpackhi_epi16(first, second);
    });
    let to = opaque(step_mut(dst, tap, job.line));
    if done < 4 {
        let lines = turn32::<4, 4>(low, 4);
        unrolled!(4, j => {
            // SAFETY: as above.
            unsafe { store32(step_mut(to, j, job.line), lines[j]) };
        });
    }
    let (to, lines) = (opaque(step_mut(to, 4, job.line)), turn32::<4, 4>(high, 4));
    unrolled!(4, j => {
        // SAFETY: as above.
        unsafe { store32(step_mut(to, j, job.line), lines[j]) };
    });
}

/// Lines to runs; `false` for other jobs, and then nothing was done.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::unweave`], for elements of 2 bytes.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn apart(job: &Woven) -> bool {
    if !takes(job) {
        return false;
    }
    let last = job.taps - TAPS;
    some_runs!(job, RUNS, |k, first| {
        let block = job.block(k);
        let src = block.src.wrapping_add(4 * first);
        let runs = step_mut(block.dst, first, job.run);
        // SAFETY: the caller's promise: half of as many lines, and these taps of 8 runs.
        unsafe { put_eight(&block, src, runs, 0) };
        if last > 4 {
            // SAFETY: as above.
            unsafe { put_eight(&block, src, runs, last) };
        } else if last > 0 {
            // SAFETY: as above.
            unsafe { put_four(&block, src, runs, last + 4) };
        }
    });
    true
}

/// Taps `tap` to `tap + 4` of half a line's groups: of run 4 l + i in lane l of register i, those of the first element and then of the other.
///
/// # Safety
/// Half of as many lines can be read from `src` on.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn four_taps(job: &Woven, src: *const u8, tap: usize) -> [__m256i; 4] {
    let from = opaque(step(src, tap, job.line).cast_mut()).cast_const();
    let mut lines = [_mm256_setzero_si256(); 4];
    unrolled!(4, j => {
        // SAFETY: the caller's promise.
        lines[j] = unsafe { load32(step(from, j, job.line)) };
    });
    let mut groups = turn32::<4, 4>(lines, 4);
    let elements = _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
    unrolled!(4, i => {
        groups[i] = _mm256_shuffle_epi8(groups[i], _mm256_broadcastsi128_si256(elements));
    });
    groups
}

/// Eight taps from `tap` on, of half a line's groups, to 8 runs.
///
/// # Safety
/// Half of as many lines can be read from `src` on, and the taps written at `runs` for both elements.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn put_eight(job: &Woven, src: *const u8, runs: *mut u8, tap: usize) {
    // SAFETY: the caller's promise.
    let low = unsafe { four_taps(job, src, tap) };
    // SAFETY: as above.
    let taps = [low, unsafe { four_taps(job, src, tap + 4) }];
    let to = lanes!(32, l => opaque(step_mut(runs, 4 * l, job.run)).wrapping_add(2 * tap));
    unrolled!(4, i => {
        let first = _mm256_unpacklo_epi64(taps[0][i], taps[1][i]);
        let second = _mm256_unpackhi_epi64(taps[0][i], taps[1][i]);
        let _: [(); 2] = lanes!(32, l => {
            let at = step_mut(to[l], i, job.run);
            let parts = [lane(first, l), lane(second, l)];
            // SAFETY: the caller's promise.
            unsafe { store16(at, parts[0]) };
            // SAFETY: as above: the other element's.
            unsafe { store16(at.wrapping_add(2 * job.taps), parts[1]) };
        });
    });
}

/// The same for four.
///
/// # Safety
/// As [`put_eight`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn put_four(job: &Woven, src: *const u8, runs: *mut u8, tap: usize) {
    // SAFETY: the caller's promise.
    let taps = unsafe { four_taps(job, src, tap) };
    let to = lanes!(32, l => opaque(step_mut(runs, 4 * l, job.run)).wrapping_add(2 * tap));
    unrolled!(4, i => {
        let _: [(); 2] = lanes!(32, l => {
            let (at, part) = (step_mut(to[l], i, job.run), lane(taps[i], l));
            // SAFETY: the caller's promise.
            unsafe { store8(at, part) };
            let second = _mm_unpackhi_epi64(part, part);
            // SAFETY: as above: the other element's.
            unsafe { store8(at.wrapping_add(2 * job.taps), second) };
        });
    });
}
