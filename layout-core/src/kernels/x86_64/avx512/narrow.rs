//! Pixels of 2, 3, 4 or 8 elements to planes and back, a register of each plane at a time. Elements are picked from two
//! registers by index, of three by masks and then put in order; the tables of indices are computed while compiling.

use core::arch::x86_64::*;

use super::super::super::drive::{LINE, Pixels};
use super::super::super::generic::{step, step_mut};
use super::super::parts::zip::unrolled;
use super::super::parts::{ACROSS, prefetch, prefetch_write};
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
    let whole = if job.valid == N { job.len / side * side } else { 0 };
    let far = N >= 4 && FAR.contains(&job.plane.unsigned_abs());
    let mut done = 0;
    while done < whole {
        if far {
            unrolled!(N, n => {
                prefetch(step(job.src, n, job.plane).wrapping_add(done * B + AHEAD));
            });
        }
        let mut planes = [_mm512_setzero_si512(); N];
        for (n, plane) in planes.iter_mut().enumerate() {
            // SAFETY: `side` elements of plane n lie in the job.
            *plane = unsafe { load64(step(job.src, n, job.plane).wrapping_add(done * B)) };
        }
        let lines = interleave::<B, N>(planes);
        for (n, &line) in lines.iter().enumerate() {
            // SAFETY: `side` pixels lie in the job.
            unsafe { store64(job.dst.wrapping_add(done * N * B + n * LINE), line) };
        }
        done += side;
    }
    while done < job.len {
        let count = if job.len - done < side { job.len - done } else { side };
        let mut planes = [_mm512_setzero_si512(); N];
        for (n, plane) in planes.iter_mut().enumerate().take(job.valid) {
            let from = step(job.src, n, job.plane).wrapping_add(done * B);
            // SAFETY: this stops at the end of the plane.
            *plane = unsafe { load64_first(from, count * B) };
        }
        let lines = interleave::<B, N>(planes);
        for (n, &line) in lines.iter().enumerate() {
            let left = (count * N * B).saturating_sub(n * LINE).min(LINE);
            // SAFETY: `left` stops at the last pixel.
            unsafe { store64_first(job.dst.wrapping_add(done * N * B + n * LINE), line, left) };
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
    // Of registers that are written across lines.
    let claims = job.claims && !(job.dst.addr() | job.plane as usize).is_multiple_of(LINE);
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
            if claims {
                prefetch_write(to.wrapping_add((ACROSS + 1) * LINE - 1));
            }
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
        let masks = thirds();
        let order = [const { &dealt::<B>(0) }, const { &dealt::<B>(1) }, const { &dealt::<B>(2) }];
        let mut dealt = planes;
        for (n, plane) in dealt.iter_mut().enumerate() {
            *plane = put::<B>(*plane, order[n]);
        }
        for (k, line) in lines.iter_mut().enumerate() {
            let two = blend::<B>(dealt[0], dealt[1], masks[part::<B>(1, k)]);
            *line = blend::<B>(two, dealt[2], masks[part::<B>(2, k)]);
        }
        return lines;
    }
    if B == 1 && N == 4 {
        // Lane l of register n of the result has dword 4 n + l of each plane: in its own lane, bytes need no indices of their own,
        // for which two registers are slower.
        let at = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
        for plane in &mut lines {
            *plane = _mm512_permutexvar_epi32(at, *plane);
        }
        let (a, b) = (_mm512_unpacklo_epi8(lines[0], lines[1]), _mm512_unpackhi_epi8(lines[0], lines[1]));
        let (c, d) = (_mm512_unpacklo_epi8(lines[2], lines[3]), _mm512_unpackhi_epi8(lines[2], lines[3]));
        (lines[0], lines[1]) = (_mm512_unpacklo_epi16(a, c), _mm512_unpackhi_epi16(a, c));
        (lines[2], lines[3]) = (_mm512_unpacklo_epi16(b, d), _mm512_unpackhi_epi16(b, d));
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
        let masks = thirds();
        let order = [const { &third::<B>(0) }, const { &third::<B>(1) }, const { &third::<B>(2) }];
        for (n, plane) in planes.iter_mut().enumerate() {
            let two = blend::<B>(lines[0], lines[1], masks[part::<B>(n, 1)]);
            *plane = put::<B>(blend::<B>(two, lines[2], masks[part::<B>(n, 2)]), order[n]);
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

/// The elements of `a` at the indices `at`, which takes a third of what picking bytes from two registers does.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn put<const B: usize>(a: __m512i, at: &Indices) -> __m512i {
    // SAFETY: a table has 64 bytes.
    let at = unsafe { load64(at.0.as_ptr()) };
    match B {
        1 => _mm512_permutexvar_epi8(at, a),
        2 => _mm512_permutexvar_epi16(at, a),
        _ => _mm512_permutexvar_epi32(at, a),
    }
}

/// The elements of `a`, or those of `b` where `mask` has a bit.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn blend<const B: usize>(a: __m512i, b: __m512i, mask: u64) -> __m512i {
    match B {
        1 => _mm512_mask_mov_epi8(a, mask, b),
        2 => _mm512_mask_mov_epi16(a, mask as u32, b),
        _ => _mm512_mask_mov_epi32(a, mask as u16, b),
    }
}

/// Masks of every third place from 0, 1 and 2 on, [`hidden`].
#[inline]
fn thirds() -> [u64; 3] {
    [0x9249_2492_4924_9249, 0x2492_4924_9249_2492, 0x4924_9249_2492_4924].map(hidden)
}

/// `mask`, which the compiler does not see: it would make blends and what follows them, and picks that leave zeros, picks from two
/// registers.
#[inline]
pub(super) fn hidden(mask: u64) -> u64 {
    #[cfg_attr(miri, allow(unused_mut, reason = "Miri runs no assembly"))]
    let mut mask = mask;
    #[cfg(not(miri))]
    // SAFETY: no instruction at all.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg) mask, options(pure, nomem, nostack, preserves_flags))
    };
    mask
}

/// Which of the [`thirds`] of register `k` of pixels holds elements of plane `n`.
const fn part<const B: usize>(n: usize, k: usize) -> usize {
    (n + 2 * k * (LINE / B)) % 3
}

/// Indices of elements in one or two registers, as wide as the elements.
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

/// Where the elements of plane `k` of three stand in the registers of pixels, each in one of these, is where this has their indices.
const fn dealt<const B: usize>(k: usize) -> Indices {
    let (side, mut table, mut i) = (LINE / B, [0; LINE], 0);
    while i < side {
        table[(3 * i + k) % side * B] = i as u8;
        i += 1;
    }
    Indices(table)
}

/// Elements `k`, k + 3, k + 6 … of three registers, of which each place holds one.
const fn third<const B: usize>(k: usize) -> Indices {
    table!(B, |i| (3 * i + k) % (LINE / B))
}

const _: () = assert!(size_of::<Indices>() == LINE);
