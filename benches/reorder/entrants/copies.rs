//! The yardstick, one memcpy that moves as many bytes as the case; one that moves the lines that the case touches, where these
//! are more; and a copy with streaming stores.

use super::{Entrant, Role};
use crate::lines;
use crate::problem::Problem;
use rayon::prelude::*;

/// Bytes from which the streaming copy is shown: within the caches it only halves the speed.
const STREAMS_FROM: usize = 1 << 20;

pub(super) fn entrants(problem: &Problem, threads: usize) -> Vec<Entrant<'_>> {
    let len = problem.copy_len();
    let mut out = vec![Entrant::new(
        "memcpy",
        Role::Yardstick,
        Box::new(move |src, dst| {
            split(&src[..len], &mut dst[..len], threads, |src, dst| dst.copy_from_slice(src));
        }),
    )];
    let lines = lines::bytes(problem).div_ceil(2);
    if lines * 10 > len * 11 {
        out.push(Entrant::new(
            "memcpy of lines",
            Role::Yardstick,
            Box::new(move |src, dst| {
                split(&src[..lines], &mut dst[..lines], threads, |src, dst| dst.copy_from_slice(src));
            }),
        ));
    }
    if len >= STREAMS_FROM && cfg!(target_arch = "x86_64") {
        out.push(Entrant::new(
            "streaming copy",
            Role::Copy,
            Box::new(move |src, dst| split(&src[..len], &mut dst[..len], threads, stream)),
        ));
    }
    out
}

/// Runs `copy` on as many parts as there are threads, in whole cache lines.
fn split(src: &[u8], dst: &mut [u8], threads: usize, copy: impl Fn(&[u8], &mut [u8]) + Sync) {
    // As for reorders: less than this is not worth waking another thread.
    const LEAST: usize = 64 << 10;
    if threads == 1 || src.len() < 2 * LEAST {
        return copy(src, dst);
    }
    let part = src.len().div_ceil(threads).next_multiple_of(64);
    src.par_chunks(part).zip(dst.par_chunks_mut(part)).for_each(|(src, dst)| copy(src, dst));
}

#[cfg(target_arch = "x86_64")]
fn stream(src: &[u8], dst: &mut [u8]) {
    // SAFETY: every x86-64 processor has SSE2.
    unsafe { stream_sse2(src, dst) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "sse2")]
fn stream_sse2(src: &[u8], dst: &mut [u8]) {
    use std::arch::x86_64::{_mm_set_epi64x, _mm_sfence, _mm_stream_si128};

    // SAFETY: any bytes are a value of these registers.
    let (head, lines, tail) = unsafe { dst.align_to_mut::<[std::arch::x86_64::__m128i; 4]>() };
    let (first, rest) = src.split_at(head.len());
    let (middle, last) = rest.split_at(size_of_val(lines));
    head.copy_from_slice(first);
    tail.copy_from_slice(last);
    let half = |bytes: &[u8]| i64::from_ne_bytes(bytes.try_into().expect("a chunk of 8 bytes"));
    for (line, bytes) in lines.iter_mut().zip(middle.chunks_exact(64)) {
        for (to, from) in line.iter_mut().zip(bytes.chunks_exact(16)) {
            let value = _mm_set_epi64x(half(&from[8..]), half(&from[..8]));
            // SAFETY: `to` is an aligned place in the destination, borrowed exclusively; the fence is below.
            unsafe { _mm_stream_si128(to, value) };
        }
    }
    _mm_sfence();
}

#[cfg(not(target_arch = "x86_64"))]
fn stream(src: &[u8], dst: &mut [u8]) {
    dst.copy_from_slice(src);
}
