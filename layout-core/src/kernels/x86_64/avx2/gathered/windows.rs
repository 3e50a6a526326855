//! Lines by permutations of windows of 16 bytes. Called by the module around it.

use core::arch::x86_64::*;

use super::super::super::super::gather::{Gather, Pair, Reads, Windows};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::parts::zip::unrolled;
use super::super::super::super::tile::Step;
use super::super::super::parts::bytes;
use super::super::memory::{load16, load32, store32};
use super::{HALF, store_some};

/// The first `N` lines, by windows.
///
/// # Safety
/// As [`gather_lines`](super::gather_lines).
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn windows<const N: usize>(
    gather: &Gather,
    of: &Windows,
    src: *const u8,
    dst: *mut u8,
    lines: Step,
    stream: bool,
) {
    unrolled!(2, half => {
        let mut line = [_mm256_setzero_si256(); N];
        for pair in of.of_half(half) {
            // SAFETY: these are 32 bytes.
            let index = unsafe { load32(pair.index.as_ptr()) };
            macro_rules! take {
                ($read:ident) => {{
                    unrolled!(4, i => {
                        if i < N {
                            // SAFETY: the caller's promise.
                            let window = unsafe { $read(step(src, i, lines.src), pair) };
                            line[i] = _mm256_or_si256(line[i], _mm256_shuffle_epi8(window, index));
                        }
                    });
                }};
            }
            match pair.reads {
                Reads::Once => take!(once),
                Reads::Along => take!(along),
                Reads::Whole => take!(whole),
                Reads::Eight => take!(eight),
                Reads::Four => take!(four),
                Reads::Few => take!(few),
            }
        }
        let written = (gather.written >> (HALF * half)) as u32;
        unrolled!(4, i => {
            if i < N {
                let dst = step_mut(dst, i, lines.dst).wrapping_add(HALF * half);
                if stream {
                    // SAFETY: the caller's promise: whole lines that are aligned.
                    unsafe { _mm256_stream_si256(dst.cast(), line[i]) };
                } else if written == u32::MAX {
                    // SAFETY: the caller's promise.
                    unsafe { store32(dst, line[i]) };
                } else {
                    // SAFETY: the caller's promise.
                    unsafe { store_some(dst, line[i], written) };
                }
            }
        });
    });
}

/// 16 bytes, in both lanes.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn once(src: *const u8, pair: &Pair) -> __m256i {
    // SAFETY: the caller's promise.
    let window = unsafe { load16(src.wrapping_offset(pair.at[0])) };
    _mm256_broadcastsi128_si256(window)
}

/// 32 bytes.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn along(src: *const u8, pair: &Pair) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe { load32(src.wrapping_offset(pair.at[0])) }
}

/// 16 bytes for each lane.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn whole(src: *const u8, pair: &Pair) -> __m256i {
    // SAFETY: the caller's promise.
    let low = unsafe { load16(src.wrapping_offset(pair.at[0])) };
    // SAFETY: the caller's promise.
    let high = unsafe { load16(src.wrapping_offset(pair.at[1])) };
    _mm256_set_m128i(high, low)
}

/// 8 bytes for each lane.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn eight(src: *const u8, pair: &Pair) -> __m256i {
    // SAFETY: the caller's promise.
    let low = unsafe { _mm_loadu_si64(src.wrapping_offset(pair.at[0])) };
    // SAFETY: the caller's promise.
    let high = unsafe { _mm_loadu_si64(src.wrapping_offset(pair.at[1])) };
    _mm256_set_m128i(high, low)
}

/// 4 bytes for each lane.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn four(src: *const u8, pair: &Pair) -> __m256i {
    // SAFETY: the caller's promise.
    let low = unsafe { _mm_loadu_si32(src.wrapping_offset(pair.at[0])) };
    // SAFETY: the caller's promise.
    let high = unsafe { _mm_loadu_si32(src.wrapping_offset(pair.at[1])) };
    _mm256_set_m128i(high, low)
}

/// As many as there are.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn few(src: *const u8, pair: &Pair) -> __m256i {
    let [low, high] = pair.len.map(usize::from);
    // SAFETY: the caller's promise.
    let low = unsafe { bytes::load16_first(src.wrapping_offset(pair.at[0]), low) };
    // SAFETY: the caller's promise.
    let high = unsafe { bytes::load16_first(src.wrapping_offset(pair.at[1]), high) };
    _mm256_set_m128i(high, low)
}
