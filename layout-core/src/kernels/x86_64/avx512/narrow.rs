//! Pixels of 2, 3, 4 or 8 elements to planes and back, a register of each plane at a time. Elements are picked from two
//! registers by index; the tables of indices are computed while compiling.

use core::arch::x86_64::*;

use super::super::super::drive::{LINE, Pixels};
use super::super::super::generic::{step, step_mut};
use super::super::parts::prefetch;
use super::super::parts::zip::unrolled;
use super::memory::{load64, load64_first, store64, store64_first};

/// At these distances several planes are so short that the processor does not see what is read next; so many bytes ahead it is
/// fetched.
const FAR: core::ops::Range<usize> = 2048..4 * 4096;
const AHEAD: usize = 8 * LINE;

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

/// The elements of `N` registers in turn.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn interleave<const B: usize, const N: usize>(planes: [__m512i; N]) -> [__m512i; N] {
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
pub(super) fn separate<const B: usize, const N: usize>(lines: [__m512i; N]) -> [__m512i; N] {
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
