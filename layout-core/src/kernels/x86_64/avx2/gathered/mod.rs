//! Lines whose bytes come from several places: by copies, element by element, and in [`windows`]. Called by plans, through the crate's
//! `kernels`.

mod windows;

use core::arch::x86_64::*;

use super::super::super::drive::LINE;
use super::super::super::gather::{Copies, Elements, Gather, Pieces, Width};
use super::super::super::generic::{step, step_mut, transfer};
use super::super::super::parts::zip::unrolled;
use super::super::super::tile::Step;
use super::memory::{load16, store16, store32};
use windows::windows;

/// Lines that are put together side by side, so that what a pair says is read once for all of them.
const SIDE_BY_SIDE: usize = 4;

/// Bytes of half a line.
const HALF: usize = LINE / 2;

/// Puts lines together.
///
/// # Safety
/// That of `GatherLines`.
#[target_feature(enable = "avx2,f16c")]
pub(in super::super::super) unsafe fn gather_lines(
    gather: &Gather,
    src: *const u8,
    dst: *mut u8,
    lines: [Step; 2],
    stream: bool,
) {
    macro_rules! by {
        ($kernel:ident $($bytes:literal)?, $of:expr) => {{
            let kernels: [SomeLines<_>; 2] = [$kernel::<$($bytes,)? SIDE_BY_SIDE>, $kernel::<$($bytes,)? 1>];
            // SAFETY: the caller's promise.
            unsafe { in_turn(gather, $of, kernels, src, dst, lines, stream) }
        }};
    }
    match gather.pieces() {
        // A process has lines of one kind, that of its processor.
        None => debug_assert!(false, "steps are for wider registers"),
        Some(Pieces::Windows(of)) => by!(windows, of),
        Some(Pieces::Copies(of)) => by!(copies, of),
        Some(Pieces::Elements(of)) => match of.bytes {
            1 => by!(elements 1, of),
            2 => by!(elements 2, of),
            4 => by!(elements 4, of),
            8 => by!(elements 8, of),
            _ => by!(elements 16, of),
        },
    }
}

/// Puts some lines together, in one way.
type SomeLines<T> = unsafe fn(&Gather, &T, *const u8, *mut u8, Step, bool);

/// [`gather_lines`], by one of two functions for so many lines and for a single one.
///
/// # Safety
/// As there.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn in_turn<T>(
    gather: &Gather,
    of: &T,
    [four, one]: [SomeLines<T>; 2],
    src: *const u8,
    dst: *mut u8,
    [inner, outer]: [Step; 2],
    stream: bool,
) {
    for row in 0..outer.len {
        let (mut src, mut dst) = (step(src, row, outer.src), step_mut(dst, row, outer.dst));
        let mut left = inner.len;
        while left >= SIDE_BY_SIDE {
            // SAFETY: the caller's promise: these lines.
            unsafe { four(gather, of, src, dst, inner, stream) };
            (src, dst) = (step(src, SIDE_BY_SIDE, inner.src), step_mut(dst, SIDE_BY_SIDE, inner.dst));
            left -= SIDE_BY_SIDE;
        }
        for _ in 0..left {
            // SAFETY: as above.
            unsafe { one(gather, of, src, dst, inner, stream) };
            (src, dst) = (step(src, 1, inner.src), step_mut(dst, 1, inner.dst));
        }
    }
}

/// The first `N` lines, by copies; these do not go past the caches.
///
/// # Safety
/// As [`gather_lines`].
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
unsafe fn copies<const N: usize>(
    gather: &Gather,
    of: &Copies,
    src: *const u8,
    dst: *mut u8,
    lines: Step,
    _stream: bool,
) {
    unrolled!(2, half => {
        let written = (gather.written >> (HALF * half)) as u32;
        let data = (gather.data >> (HALF * half)) as u32;
        if written != data {
            unrolled!(4, i => {
                if i < N {
                    let dst = step_mut(dst, i, lines.dst).wrapping_add(HALF * half);
                    let zeros = _mm256_setzero_si256();
                    if written == u32::MAX {
                        // SAFETY: the caller's promise.
                        unsafe { store32(dst, zeros) };
                    } else {
                        // SAFETY: the caller's promise.
                        unsafe { store_some(dst, zeros, written) };
                    }
                }
            });
        }
    });
    for copied in of.all() {
        let (src, dst) = (src.wrapping_offset(copied.from), dst.wrapping_add(copied.to.into()));
        macro_rules! copy {
            ($type:ty) => {{
                unrolled!(4, i => {
                    if i < N {
                        let (src, dst) = (step(src, i, lines.src), step_mut(dst, i, lines.dst));
                        // SAFETY: the caller's promise.
                        unsafe { transfer::<$type>(src, dst) };
                    }
                });
            }};
        }
        match copied.width {
            Width::One => copy!(u8),
            Width::Two => copy!(u16),
            Width::Four => copy!(u32),
            Width::Eight => copy!(u64),
            Width::Sixteen => copy!(u128),
        }
    }
}

/// The first `N` lines, by elements of `B` bytes that are taken one by one.
///
/// # Safety
/// As [`gather_lines`].
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
unsafe fn elements<const B: usize, const N: usize>(
    gather: &Gather,
    of: &Elements,
    src: *const u8,
    dst: *mut u8,
    lines: Step,
    stream: bool,
) {
    for (piece, from) in of.from[..LINE / B].chunks_exact(16 / B).enumerate() {
        let mut line = [_mm_setzero_si128(); N];
        unrolled!(16, k => {
            if k < 16 / B {
                let from = src.wrapping_offset(from[k]);
                unrolled!(4, i => {
                    if i < N {
                        // SAFETY: the caller's promise.
                        line[i] = unsafe { insert::<B>(line[i], step(from, i, lines.src), k) };
                    }
                });
            }
        });
        // SAFETY: these are 16 bytes.
        let mask = unsafe { load16(of.mask.as_ptr().wrapping_add(16 * piece)) };
        let written = (gather.written >> (16 * piece)) as u16;
        unrolled!(4, i => {
            if i < N {
                let dst = step_mut(dst, i, lines.dst).wrapping_add(16 * piece);
                let line = _mm_and_si128(line[i], mask);
                if stream {
                    // SAFETY: the caller's promise: whole lines that are aligned.
                    unsafe { _mm_stream_si128(dst.cast(), line) };
                } else if written == u16::MAX {
                    // SAFETY: the caller's promise.
                    unsafe { store16(dst, line) };
                } else {
                    let line = _mm256_castsi128_si256(line);
                    // SAFETY: the caller's promise.
                    unsafe { store_some(dst, line, written.into()) };
                }
            }
        });
    }
}

/// `value` with the element of `B` bytes at `src` in place of the `k`th.
///
/// # Safety
/// It can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn insert<const B: usize>(value: __m128i, src: *const u8, k: usize) -> __m128i {
    macro_rules! place {
        ($type:ty, $insert:ident, $($k:literal)*) => {{
            // SAFETY: the caller's promise; no alignment is needed.
            let element = unsafe { src.cast::<$type>().read_unaligned() };
            match k {
                $($k => $insert::<$k>(value, element as _),)*
                _ => value,
            }
        }};
    }
    match B {
        1 => place!(u8, _mm_insert_epi8, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
        2 => place!(u16, _mm_insert_epi16, 0 1 2 3 4 5 6 7),
        4 => place!(u32, _mm_insert_epi32, 0 1 2 3),
        8 => place!(u64, _mm_insert_epi64, 0 1),
        // SAFETY: as above.
        _ => unsafe { load16(src) },
    }
}

/// Writes the bytes of `value` that have a bit in `written`.
///
/// # Safety
/// They can be written.
#[cold]
#[target_feature(enable = "avx2,f16c")]
unsafe fn store_some(dst: *mut u8, value: __m256i, written: u32) {
    let mut bytes = [0u8; HALF];
    // SAFETY: as many bytes can be written there.
    unsafe { store32(bytes.as_mut_ptr(), value) };
    let mut at = 0;
    while at < HALF {
        let len = (written >> at).trailing_ones() as usize;
        // SAFETY: the caller's promise.
        unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr().wrapping_add(at), dst.wrapping_add(at), len) };
        at += len.max(1);
    }
}
