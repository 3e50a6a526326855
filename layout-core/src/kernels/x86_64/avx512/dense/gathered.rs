//! Lines whose bytes come from several places. Called by plans, through the crate's `kernels`.

use core::arch::x86_64::*;

use super::super::super::super::drive::LINE;
use super::super::super::super::gather::{Gather, GatherLines, GatherStep};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::tile::Step;
use super::super::super::parts::zip::unrolled;
use super::super::memory::{load64, store64};

/// Lines that are put together side by side, so that what a step says is read once for all of them.
const SIDE_BY_SIDE: usize = 4;

/// Puts lines together.
///
/// # Safety
/// That of `GatherLines`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super::super::super) unsafe fn gather_lines(
    gather: &Gather,
    src: *const u8,
    dst: *mut u8,
    lines: [Step; 2],
    stream: bool,
) {
    let whole = gather.steps().iter().all(|one| one.read == u64::MAX);
    let lines_of: GatherLines = match (gather.steps().len(), whole) {
        (1, true) => few_places::<1, true>,
        (2, true) => few_places::<2, true>,
        (1, false) => few_places::<1, false>,
        (2, false) => few_places::<2, false>,
        (3, _) => few_places::<3, false>,
        (4, true) => few_places::<4, true>,
        (4, false) => few_places::<4, false>,
        (_, true) => many_places::<true>,
        (_, false) => many_places::<false>,
    };
    // SAFETY: the caller's promise, and all bytes of the places are read where these are whole.
    unsafe { lines_of(gather, src, dst, lines, stream) };
}

/// What is read at one place, in registers.
#[derive(Clone, Copy)]
struct Place {
    index: __m512i,
    taken: u64,
    read: u64,
    at: isize,
}

/// [`gather_lines`], from `P` places, of which all bytes are read where they are `WHOLE`.
///
/// # Safety
/// As there.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn few_places<const P: usize, const WHOLE: bool>(
    gather: &Gather,
    src: *const u8,
    dst: *mut u8,
    lines: [Step; 2],
    stream: bool,
) {
    let mut places = [Place { index: _mm512_setzero_si512(), taken: 0, read: 0, at: 0 }; P];
    for (place, GatherStep { index, taken, read, at }) in places.iter_mut().zip(gather.steps()) {
        // SAFETY: these are 64 bytes.
        let index = unsafe { load64(index.as_ptr()) };
        *place = Place { index, taken: *taken, read: *read, at: *at };
    }
    let whole = gather.written == u64::MAX;
    let [inner, outer] = lines;
    for row in 0..outer.len {
        let (mut src, mut dst) = (step(src, row, outer.src), step_mut(dst, row, outer.dst));
        for _ in 0..inner.len {
            // SAFETY: the caller's promise.
            let line = unsafe { line_of::<P, WHOLE>(&places, src) };
            if stream {
                // SAFETY: the caller's promise: a whole line that is aligned.
                unsafe { _mm512_stream_si512(dst.cast(), line) };
            } else if whole {
                // SAFETY: the caller's promise.
                unsafe { store64(dst, line) };
            } else {
                // SAFETY: the caller's promise; what has no bit in the mask is not touched.
                unsafe { _mm512_mask_storeu_epi8(dst.cast(), gather.written, line) };
            }
            (src, dst) = (step(src, 1, inner.src), step_mut(dst, 1, inner.dst));
        }
    }
}

/// The line that is put together from `places`.
///
/// # Safety
/// What they read can be read from `src` on.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn line_of<const P: usize, const WHOLE: bool>(places: &[Place; P], src: *const u8) -> __m512i {
    let mut line = _mm512_setzero_si512();
    unrolled!(4, i => {
        if i < P {
            let Place { index, taken, read, at } = places[i];
            let src = src.wrapping_offset(at);
            let place = if WHOLE {
                // SAFETY: the caller's promise: all of this can be read.
                unsafe { load64(src) }
            } else {
                // SAFETY: the caller's promise; what has no bit in the mask is not touched.
                unsafe { _mm512_maskz_loadu_epi8(read, src.cast()) }
            };
            line = if i == 0 {
                _mm512_maskz_permutexvar_epi8(taken, index, place)
            } else {
                _mm512_mask_permutexvar_epi8(line, taken, index, place)
            };
        }
    });
    line
}

/// [`gather_lines`], from places of which all bytes are read where they are `WHOLE`.
///
/// # Safety
/// As there.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn many_places<const WHOLE: bool>(
    gather: &Gather,
    src: *const u8,
    dst: *mut u8,
    lines: [Step; 2],
    stream: bool,
) {
    let [inner, outer] = lines;
    for row in 0..outer.len {
        let (mut src, mut dst) = (step(src, row, outer.src), step_mut(dst, row, outer.dst));
        let mut left = inner.len;
        while left >= SIDE_BY_SIDE {
            // SAFETY: the caller's promise: these lines.
            unsafe { some_lines::<4, WHOLE>(gather, src, dst, inner, stream) };
            (src, dst) = (step(src, 4, inner.src), step_mut(dst, 4, inner.dst));
            left -= SIDE_BY_SIDE;
        }
        match left {
            0 => {}
            // SAFETY of both: as above.
            // SAFETY: see above.
            1 => unsafe { some_lines::<1, WHOLE>(gather, src, dst, inner, stream) },
            // SAFETY: see above.
            2 => unsafe { some_lines::<2, WHOLE>(gather, src, dst, inner, stream) },
            // SAFETY: see above.
            _ => unsafe { some_lines::<3, WHOLE>(gather, src, dst, inner, stream) },
        }
    }
}

/// The first `N` lines.
///
/// # Safety
/// As [`many_places`], whose places are whole if they are so there.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn some_lines<const N: usize, const WHOLE: bool>(
    gather: &Gather,
    src: *const u8,
    dst: *mut u8,
    lines: Step,
    stream: bool,
) {
    let mut line = [_mm512_setzero_si512(); N];
    for GatherStep { index, taken, read, at } in gather.steps() {
        // SAFETY: these are 64 bytes.
        let index = unsafe { load64(index.as_ptr()) };
        let src = src.wrapping_offset(*at);
        unrolled!(4, i => {
            if i < N {
                let src = step(src, i, lines.src);
                let place = if WHOLE {
                    // SAFETY: the caller's promise: all of this can be read.
                    unsafe { load64(src) }
                } else {
                    // SAFETY: the caller's promise; what has no bit in the mask is not touched.
                    unsafe { _mm512_maskz_loadu_epi8(*read, src.cast()) }
                };
                line[i] = _mm512_mask_permutexvar_epi8(line[i], *taken, index, place);
            }
        });
    }
    unrolled!(4, i => {
        if i < N {
            let dst = step_mut(dst, i, lines.dst);
            if stream {
                // SAFETY: the caller's promise: a whole line that is aligned.
                unsafe { _mm512_stream_si512(dst.cast(), line[i]) };
            } else if gather.written == u64::MAX {
                // SAFETY: the caller's promise.
                unsafe { store64(dst, line[i]) };
            } else {
                // SAFETY: the caller's promise; what has no bit in the mask is not touched.
                unsafe { _mm512_mask_storeu_epi8(dst.cast(), gather.written, line[i]) };
            }
        }
    });
}

const _: () = assert!(LINE == 64);
