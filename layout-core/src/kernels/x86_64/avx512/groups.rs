//! Planes of 1- and 2-byte elements to groups of 4 bytes and back, a register of each plane at a time. Called by this folder's
//! `Simd`.

use core::arch::x86_64::*;

use super::super::super::drive::{Groups, LINE};
use super::super::super::generic::{step, step_mut};
use super::super::parts::maker::writes_in_turn;
use super::super::parts::zip::unrolled;
use super::super::parts::{prefetch_far, prefetch_write};
use super::memory::{load16_first, load32_first, load64, load64_first, store64, store64_first};
use super::narrow::{interleave, separate};

/// At these distances of repetitions Intel's processors do not see well what is read next: so many ahead are fetched into the
/// second-level cache, mostly those of the next tile. AMD's do without (Zen 4, 1.05 to 1.2 times as fast).
const FAR_Z: core::ops::Range<usize> = 4096..2 * 4096;
const AHEAD_Z: usize = 16;

/// Planes to groups of `N` elements, `N * B == 4`.
///
/// # Safety
/// As [`super::super::super::drive::Simd::group`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn group<const B: usize, const N: usize>(job: &Groups) {
    if job.len == GROUPS {
        // SAFETY: the caller's promise.
        unsafe { group_lines::<B, N>(job) };
    } else if FAR_Z.contains(&job.src_z.unsigned_abs()) && writes_in_turn() {
        // SAFETY: the caller's promise.
        unsafe { group_far::<B, N>(job) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { group_of::<B, N, false>(job) };
    }
}

/// [`group`] of a line in each repetition, of which some groups may be padding. Not inlined, as [`group_far`].
///
/// # Safety
/// As [`group`], of 16 groups.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn group_lines<const B: usize, const N: usize>(job: &Groups) {
    // SAFETY: these groups are in the job.
    let at = unsafe { line_of(job, 0) };
    let data = job.valid.min(GROUPS) * B;
    let len = |n: usize| if n < job.planes { data } else { 0 };
    // SAFETY: 64 bytes can be read there.
    let order = unsafe { load64(const { &beside::<N>() }.as_ptr().cast()) };
    for z in 0..job.count {
        let (src, dst) = (step(job.src, z, job.src_z), step_mut(job.dst, z, job.dst_z).wrapping_offset(at));
        if job.claims {
            prefetch_write(step_mut(dst, CLAIMED_Z, job.dst_z));
        }
        let mut parts = [_mm256_setzero_si256(); 2];
        unrolled!(2, i => {
            parts[i] = if B == 1 {
                // SAFETY: as many elements of this plane hold data, as for the others.
                let low = unsafe { load16_first(step(src, 2 * i, job.plane), len(2 * i)) };
                // SAFETY: see above.
                let high = unsafe { load16_first(step(src, 2 * i + 1, job.plane), len(2 * i + 1)) };
                _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)
            } else {
                // SAFETY: see above.
                unsafe { load32_first(step(src, i, job.plane), len(i)) }
            };
        });
        let planes = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(parts[0]), parts[1]);
        let line = match B {
            1 => _mm512_permutexvar_epi8(order, planes),
            _ => _mm512_permutexvar_epi16(order, planes),
        };
        // SAFETY: the line is in the job.
        unsafe { store64(dst, line) };
    }
}

/// Where the elements of a line of groups of `N` are, in bytes or, of two, in pairs of bytes, when their planes follow one another.
const fn beside<const N: usize>() -> [u8; LINE] {
    let mut order = [0; LINE];
    let mut i = 0;
    while i < GROUPS * N {
        let from = (i % N * GROUPS + i / N) as u8;
        if N == 4 {
            order[i] = from;
        } else {
            order[2 * i] = from;
        }
        i += 1;
    }
    order
}

/// [`group`] of repetitions that are fetched ahead. Not inlined, so that the other is.
///
/// # Safety
/// As [`group`].
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn group_far<const B: usize, const N: usize>(job: &Groups) {
    // SAFETY: the caller's promise.
    unsafe { group_of::<B, N, true>(job) };
}

/// [`group`], with fetching ahead or without.
///
/// # Safety
/// As [`group`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn group_of<const B: usize, const N: usize, const FETCH: bool>(job: &Groups) {
    let side = LINE / B;
    let whole = if job.planes == N { job.valid.min(job.len) / side * side } else { 0 };
    for z in 0..job.count {
        let (src, dst) = (step(job.src, z, job.src_z), step_mut(job.dst, z, job.dst_z));
        if FETCH {
            let ahead = step(src, AHEAD_Z, job.src_z);
            for at in (0..whole * B).step_by(LINE) {
                unrolled!(N, n => {
                    prefetch_far(step(ahead, n, job.plane).wrapping_add(at));
                });
            }
        }
        let mut done = 0;
        while done < whole {
            let mut planes = [_mm512_setzero_si512(); N];
            unrolled!(N, n => {
                // SAFETY: `side` elements of plane n from here on hold data.
                planes[n] = unsafe { load64(step(src, n, job.plane).wrapping_add(done * B)) };
            });
            let lines = interleave::<B, N>(planes);
            unrolled!(N, n => {
                // SAFETY: these groups are in the job.
                let at = unsafe { line_of(job, done + n * GROUPS) };
                if job.claims {
                    prefetch_write(step_mut(dst, CLAIMED_Z, job.dst_z).wrapping_offset(at));
                }
                // SAFETY: as above.
                unsafe { store64(dst.wrapping_offset(at), lines[n]) };
            });
            done += side;
        }
        if done < job.len {
            // SAFETY: these groups are in the job.
            unsafe { group_rest::<B, N>(&Groups { src, dst, ..*job }, done) };
        }
    }
}

/// The groups of one repetition from `done` on: what fills no register or has padding.
///
/// # Safety
/// As [`group`].
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn group_rest<const B: usize, const N: usize>(job: &Groups, done: usize) {
    let mut done = done;
    while done < job.len {
        let data = job.valid.saturating_sub(done).min(LINE / B);
        let mut planes = [_mm512_setzero_si512(); N];
        for (n, plane) in planes.iter_mut().enumerate() {
            if n < job.planes && data > 0 {
                // SAFETY: as many elements of plane n from here on hold data.
                *plane =
                    unsafe { load64_first(step(job.src, n, job.plane).wrapping_add(done * B), data * B) };
            }
        }
        for line in interleave::<B, N>(planes) {
            if done < job.len {
                let left = if job.len - done < GROUPS { job.len - done } else { GROUPS };
                // SAFETY: this group is in the job.
                let at = unsafe { line_of(job, done) };
                // SAFETY: as many groups are.
                unsafe { store64_first(job.dst.wrapping_offset(at), line, left * 4) };
            }
            done += GROUPS;
        }
    }
}

/// Groups of `N` elements to planes, `N * B == 4`.
///
/// # Safety
/// As [`super::super::super::drive::Simd::ungroup`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn ungroup<const B: usize, const N: usize>(job: &Groups) {
    let side = LINE / B;
    let whole = job.valid.min(job.len) / side * side;
    // Lines that compete for the same places of the first-level cache would not stay there.
    let claims = job.claims && !job.plane.unsigned_abs().is_multiple_of(4096);
    for z in 0..job.count {
        let (src, dst) = (step(job.src, z, job.src_z), step_mut(job.dst, z, job.dst_z));
        let mut done = 0;
        while done < whole {
            let mut lines = [_mm512_setzero_si512(); N];
            unrolled!(N, n => {
                // SAFETY: these groups are in the job.
                let at = unsafe { line_of(job, done + n * GROUPS) };
                // SAFETY: as above, and hold data.
                lines[n] = unsafe { load64(src.wrapping_offset(at)) };
            });
            let planes = separate::<B, N>(lines);
            unrolled!(N, n => {
                if claims {
                    prefetch_write(step_mut(step_mut(dst, CLAIMED_Z, job.dst_z), n, job.plane).wrapping_add(done * B));
                }
                // SAFETY: `side` elements of plane n from here on are in the job.
                unsafe { store64(step_mut(dst, n, job.plane).wrapping_add(done * B), planes[n]) };
            });
            done += side;
        }
        if done < job.len {
            // SAFETY: these groups are in the job.
            unsafe { ungroup_rest::<B, N>(&Groups { src, dst, ..*job }, done) };
        }
    }
}

/// The groups of one repetition from `done` on: what fills no register or has padding.
///
/// # Safety
/// As [`ungroup`].
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn ungroup_rest<const B: usize, const N: usize>(job: &Groups, done: usize) {
    let (side, mut done) = (LINE / B, done);
    while done < job.len {
        let mut lines = [_mm512_setzero_si512(); N];
        for (n, line) in lines.iter_mut().enumerate() {
            let at = done + n * GROUPS;
            let data = job.valid.saturating_sub(at).min(GROUPS);
            if data > 0 {
                // SAFETY: this group is in the job.
                let from = job.src.wrapping_offset(unsafe { line_of(job, at) });
                // SAFETY: as many groups hold data.
                *line = unsafe { load64_first(from, data * 4) };
            }
        }
        let count = if job.len - done < side { job.len - done } else { side };
        for (n, plane) in separate::<B, N>(lines).into_iter().enumerate() {
            // SAFETY: as many elements of plane n from here on are in the job.
            unsafe {
                store64_first(step_mut(job.dst, n, job.plane).wrapping_add(done * B), plane, count * B)
            };
        }
        done += side;
    }
}

/// So many repetitions ahead lines of the destination are asked for.
const CLAIMED_Z: usize = 4;

/// Groups of 4 bytes in a line.
const GROUPS: usize = LINE / 4;

/// Bytes from the first group to that at `at`, a multiple of [`GROUPS`].
///
/// # Safety
/// There is such a group.
#[inline(always)]
unsafe fn line_of(job: &Groups, at: usize) -> isize {
    if job.lines.is_null() {
        return (at * 4) as isize;
    }
    // SAFETY: the table has an entry for each group.
    unsafe { job.lines.wrapping_add(at).read() }
}
