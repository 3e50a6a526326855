//! Pixels of 2, 3, 4 or 8 elements to planes and back, a register of each plane at a time. Elements are picked from two
//! registers by index; the tables of indices are computed while compiling.

use core::arch::x86_64::*;

use super::super::super::drive::{Groups, LINE, Pixels};
use super::super::super::generic::{step, step_mut};
use super::super::parts::prefetch;
use super::super::parts::zip::unrolled;
use super::memory::{load64, load64_first, store64, store64_first};

/// At these distances several planes are so short that the processor does not see what is read next; so many bytes ahead it is
/// fetched.
const FAR: core::ops::Range<usize> = 2048..4 * 4096;
const AHEAD: usize = 8 * LINE;
/// The same of repetitions: so many ahead are fetched into the second-level cache, mostly those of the next tile.
const FAR_Z: core::ops::Range<usize> = 4096..2 * 4096;
const AHEAD_Z: usize = 16;

/// Planes to pixels.
///
/// # Safety
/// As [`super::super::super::drive::Simd::pixels`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn pixels<const B: usize, const N: usize>(job: &Pixels) {
    let side = LINE / B;
    let mut done = 0;
    while done < job.len {
        let count = if job.len - done < side { job.len - done } else { side };
        let whole = count == side && job.valid == N;
        if N >= 4 && FAR.contains(&job.plane.unsigned_abs()) {
            unrolled!(N, n => {
                prefetch(step(job.src, n, job.plane).wrapping_add(done * B + AHEAD));
            });
        }
        let mut planes = [_mm512_setzero_si512(); N];
        for (n, plane) in planes.iter_mut().enumerate() {
            let from = step(job.src, n, job.plane).wrapping_add(done * B);
            if whole {
                // SAFETY: `side` elements of plane n lie in the job.
                *plane = unsafe { load64(from) };
            } else if n < job.valid {
                // SAFETY: this stops at the end of the plane.
                *plane = unsafe { load64_first(from, count * B) };
            }
        }
        let lines = interleave::<B, N>(planes);
        for (n, &line) in lines.iter().enumerate() {
            let to = job.dst.wrapping_add(done * N * B + n * LINE);
            if count == side {
                // SAFETY: `side` pixels lie in the job.
                unsafe { store64(to, line) };
            } else {
                let left = (count * N * B).saturating_sub(n * LINE).min(LINE);
                // SAFETY: `left` stops at the last pixel.
                unsafe { store64_first(to, line, left) };
            }
        }
        done += count;
    }
}

/// Pixels to planes.
///
/// # Safety
/// As [`super::super::super::drive::Simd::planes`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn planes<const B: usize, const N: usize>(job: &Pixels) {
    let side = LINE / B;
    let mut done = 0;
    while done < job.len {
        let count = if job.len - done < side { job.len - done } else { side };
        let mut lines = [_mm512_setzero_si512(); N];
        for (n, line) in lines.iter_mut().enumerate() {
            let from = job.src.wrapping_add(done * N * B + n * LINE);
            if count == side {
                // SAFETY: `side` pixels lie in the job.
                *line = unsafe { load64(from) };
            } else {
                let left = (count * N * B).saturating_sub(n * LINE);
                // SAFETY: `left` stops at the last pixel.
                *line = unsafe { load64_first(from, left.min(LINE)) };
            }
        }
        let planes = separate::<B, N>(lines);
        for (n, &plane) in planes.iter().enumerate() {
            let to = step_mut(job.dst, n, job.plane).wrapping_add(done * B);
            if count == side {
                // SAFETY: `side` elements of plane n lie in the job.
                unsafe { store64(to, plane) };
            } else {
                // SAFETY: this stops at the end of the plane.
                unsafe { store64_first(to, plane, count * B) };
            }
        }
        done += count;
    }
}

/// Planes to groups of `N` elements, `N * B == 4`.
///
/// # Safety
/// As [`super::super::super::drive::Simd::group`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn group<const B: usize, const N: usize>(job: &Groups) {
    if FAR_Z.contains(&job.src_z.unsigned_abs()) {
        // SAFETY: the caller's promise.
        unsafe { group_far::<B, N>(job) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { group_of::<B, N, false>(job) };
    }
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
                    _mm_prefetch::<_MM_HINT_T1>(step(ahead, n, job.plane).wrapping_add(at).cast());
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

/// The elements of `N` registers in turn.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn interleave<const B: usize, const N: usize>(planes: [__m512i; N]) -> [__m512i; N] {
    let mut lines = planes;
    if N == 3 {
        let low = [
            const { &woven::<B>(0, false) },
            const { &woven::<B>(1, false) },
            const { &woven::<B>(2, false) },
        ];
        let last =
            [const { &woven::<B>(0, true) }, const { &woven::<B>(1, true) }, const { &woven::<B>(2, true) }];
        for k in 0..3 {
            let two = pick::<B>(planes[0], planes[1], low[k]);
            lines[k] = pick::<B>(two, planes[2], last[k]);
        }
        return lines;
    }
    // Perfect shuffles, as in the zip network.
    let mut left = N;
    while left > 1 {
        let rows = lines;
        for i in 0..N / 2 {
            lines[2 * i] = pick::<B>(rows[i], rows[i + N / 2], const { &zipped::<B>(0) });
            lines[2 * i + 1] = pick::<B>(rows[i], rows[i + N / 2], const { &zipped::<B>(1) });
        }
        left /= 2;
    }
    lines
}

/// Every N-th element of `N` registers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn separate<const B: usize, const N: usize>(lines: [__m512i; N]) -> [__m512i; N] {
    let mut planes = lines;
    if N == 3 {
        let low = [
            const { &third::<B>(0, false) },
            const { &third::<B>(1, false) },
            const { &third::<B>(2, false) },
        ];
        let last =
            [const { &third::<B>(0, true) }, const { &third::<B>(1, true) }, const { &third::<B>(2, true) }];
        for n in 0..3 {
            let two = pick::<B>(lines[0], lines[1], low[n]);
            planes[n] = pick::<B>(two, lines[2], last[n]);
        }
        return planes;
    }
    let mut left = N;
    while left > 1 {
        let rows = planes;
        for i in 0..N / 2 {
            planes[i] = pick::<B>(rows[2 * i], rows[2 * i + 1], const { &halved::<B>(0) });
            planes[i + N / 2] = pick::<B>(rows[2 * i], rows[2 * i + 1], const { &halved::<B>(1) });
        }
        left /= 2;
    }
    planes
}

/// The bytes of `a` and, from 64 on, of `b` at the indices `at`; by the widest elements that these allow, because
/// those are the faster instructions on some processors.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn pick<const B: usize>(a: __m512i, b: __m512i, at: &Indices) -> __m512i {
    // SAFETY: a table has 64 bytes.
    let at = unsafe { load64(at.0.as_ptr()) };
    match B {
        1 => _mm512_permutex2var_epi8(a, at, b),
        2 => _mm512_permutex2var_epi16(a, at, b),
        _ => _mm512_permutex2var_epi32(a, at, b),
    }
}

/// Indices of elements in two registers, as wide as the elements.
#[repr(align(64))]
struct Indices([u8; LINE]);

/// The table for elements of `B` bytes whose element `i` is `index(i)`; a macro because const functions take no closures.
macro_rules! table {
    ($bytes:ident, |$i:ident| $index:expr) => {{
        let mut table = [0; LINE];
        let mut $i = 0;
        while $i < LINE / $bytes {
            let index: usize = $index;
            // Little-endian; an index is below 128.
            table[$i * $bytes] = index as u8;
            $i += 1;
        }
        Indices(table)
    }};
}

/// Half `k` of two registers zipped.
const fn zipped<const B: usize>(k: usize) -> Indices {
    let side = LINE / B;
    table!(B, |i| (k * side + i) / 2 + i % 2 * side)
}

/// Elements `k`, k + 2, k + 4 … of two registers.
const fn halved<const B: usize>(k: usize) -> Indices {
    table!(B, |i| 2 * i + k)
}

/// Part `k` of three registers woven: first from two of them, leaving room for the third, then (`last`) from what came
/// out and the third.
const fn woven<const B: usize>(k: usize, last: bool) -> Indices {
    let side = LINE / B;
    table!(B, |i| {
        let (pixel, plane) = ((k * side + i) / 3, (k * side + i) % 3);
        match (last, plane == 2) {
            (false, true) => 0,
            (false, false) => plane * side + pixel,
            (true, true) => side + pixel,
            (true, false) => i,
        }
    })
}

/// Elements `k`, k + 3, k + 6 … of three registers: first from two of them, then (`last`) from what came out and the
/// third.
const fn third<const B: usize>(k: usize, last: bool) -> Indices {
    let side = LINE / B;
    table!(B, |i| {
        let at = 3 * i + k;
        match (last, at < 2 * side) {
            (false, true) => at,
            (false, false) => 0,
            (true, true) => i,
            (true, false) => at - side,
        }
    })
}

const _: () = assert!(size_of::<Indices>() == LINE);
