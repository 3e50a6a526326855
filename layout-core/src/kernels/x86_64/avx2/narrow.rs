//! Pixels of 2, 3, 4 or 8 elements and of 5 to 7 bytes to planes and back, blocks of which few elements hold data, and a few
//! elements of each pixel to lines.

use core::arch::x86_64::*;

use super::super::super::drive::{LINE, Pixels, Strips};
use super::super::super::generic::{step, step_mut};
use super::super::parts::few::{by_line, cell, few_kernel};
use super::super::parts::maker::writes_in_turn;
use super::super::parts::packed::{apart_tables, packed_kernel};
use super::super::parts::pixels::{AHEAD, SIDE, parted, pixel_kernels, woven};
use super::super::parts::square::next;
use super::super::parts::zip::{lanes, unrolled, zip_network};
use super::super::parts::{opaque, prefetch_write};
use super::memory::*;
use super::transpose::{join2, turn32};
use super::woven::lane;

pixel_kernels! {
    "avx2,f16c", __m256i, 32, _mm256_setzero_si256 join2 _mm256_broadcastsi128_si256 lane turn32,
    _mm256_shuffle_epi8 _mm256_or_si256, load32 load32_first store32 store32_first,
    claims: writes_in_turn()
}
packed_kernel! {
    "avx2,f16c", 32, _mm256_setzero_si256 join2 _mm256_broadcastsi128_si256 lane turn32 _mm256_shuffle_epi8,
    load32 store32
}
few_kernel! { "avx2,f16c" }
zip_network! {
    turn, __m128i, "avx2,f16c",
    _mm_unpacklo_epi8 _mm_unpackhi_epi8, _mm_unpacklo_epi16 _mm_unpackhi_epi16,
    _mm_unpacklo_epi32 _mm_unpackhi_epi32, _mm_unpacklo_epi64 _mm_unpackhi_epi64
}

/// Planes of fewer than 32 bytes to pixels, `W` (8 or 16) of each at a time, in registers of 16: blocks of few channels.
///
/// # Safety
/// As [`pixels`], for `W / B` pixels or more with data in all of the planes, which are 2, 4 or 8.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn short_pixels<const B: usize, const N: usize, const W: usize>(job: &Pixels) {
    let mut done = 0;
    loop {
        let mut planes = [_mm_setzero_si128(); N];
        unrolled!(N, n => {
            let from = step(job.src, n, job.plane).wrapping_add(done * B);
            // SAFETY: the caller's promise: `W` bytes of each plane.
            planes[n] = if W == SIDE { unsafe { load16(from) } } else { unsafe { load8(from) } };
        });
        // What stands behind the first 8 bytes of planes comes behind all pixels.
        let lines = turn::<B, N>(planes, N);
        let to = job.dst.wrapping_add(done * N * B);
        unrolled!(N, n => {
            if n < N * W / SIDE {
                // SAFETY: as above: as many pixels.
                unsafe { store16(to.wrapping_add(n * SIDE), lines[n]) };
            }
        });
        match next(done, W / B, job.len) {
            Some(next) => done = next,
            None => return,
        }
    }
}

/// The inverse of [`short_pixels`].
///
/// # Safety
/// As [`planes`], for `W / B` pixels or more of 2, 4 or 8 elements.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn short_planes<const B: usize, const N: usize, const W: usize>(job: &Pixels) {
    let mut done = 0;
    loop {
        let from = job.src.wrapping_add(done * N * B);
        let mut lines = [_mm_setzero_si128(); N];
        unrolled!(N, n => {
            if n < N * W / SIDE {
                // SAFETY: the caller's promise: `W` bytes for each plane.
                lines[n] = unsafe { load16(from.wrapping_add(n * SIDE)) };
            }
        });
        // As many shuffles as are left of a round.
        let planes = turn::<B, N>(lines, SIDE / B);
        unrolled!(N, n => {
            let to = step_mut(job.dst, n, job.plane).wrapping_add(done * B);
            // SAFETY: as above: `W` bytes of each plane.
            if W == SIDE { unsafe { store16(to, planes[n]) } } else { unsafe { store8(to, planes[n]) } }
        });
        match next(done, W / B, job.len) {
            Some(next) => done = next,
            None => return,
        }
    }
}

/// Pixels of a register, for elements of 4 bytes.
const PIXELS: usize = 8;

/// Three planes of elements of 4 bytes to pixels, eight at a time.
///
/// # Safety
/// As [`pixels`], for three planes.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn pixels_of_three(job: &Pixels) {
    let whole = if job.valid == 3 { job.len / PIXELS * PIXELS } else { 0 };
    // Element p of plane n goes to place 3 p + n, of eight in a register.
    let at = [
        _mm256_setr_epi32(0, 3, 6, 1, 4, 7, 2, 5),
        _mm256_setr_epi32(5, 0, 3, 6, 1, 4, 7, 2),
        _mm256_setr_epi32(2, 5, 0, 3, 6, 1, 4, 7),
    ];
    let mut done = 0;
    while done < whole {
        let mut planes = [_mm256_setzero_si256(); 3];
        for (n, plane) in planes.iter_mut().enumerate() {
            let from = step(job.src, n, job.plane).wrapping_add(4 * done);
            // SAFETY: eight elements of each plane lie in the job.
            *plane = _mm256_permutevar8x32_epi32(unsafe { load32(from) }, at[n]);
        }
        for (k, &line) in each_third(planes).iter().enumerate() {
            // SAFETY: eight pixels lie in the job.
            unsafe { store32(job.dst.wrapping_add(12 * done + 32 * k), line) };
        }
        done += PIXELS;
    }
    if done < job.len {
        let (src, dst) = (job.src.wrapping_add(4 * done), job.dst.wrapping_add(12 * done));
        // SAFETY: the pixels behind those are in the job.
        unsafe { pixels::<4, 3>(&Pixels { src, dst, len: job.len - done, ..*job }) };
    }
}

/// Pixels of three elements of 4 bytes to planes, eight at a time.
///
/// # Safety
/// As [`planes`], for three planes.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn planes_of_three(job: &Pixels) {
    let (whole, claims) = (job.len / PIXELS * PIXELS, writes_in_turn());
    // Element p of plane n lies in place 3 p + n, of eight in a register.
    let at = [
        _mm256_setr_epi32(0, 3, 6, 1, 4, 7, 2, 5),
        _mm256_setr_epi32(1, 4, 7, 2, 5, 0, 3, 6),
        _mm256_setr_epi32(2, 5, 0, 3, 6, 1, 4, 7),
    ];
    let mut done = 0;
    while done < whole {
        let mut lines = [_mm256_setzero_si256(); 3];
        for (k, line) in lines.iter_mut().enumerate() {
            // SAFETY: eight pixels lie in the job.
            *line = unsafe { load32(job.src.wrapping_add(12 * done + 32 * k)) };
        }
        for (n, &plane) in each_third(lines).iter().enumerate() {
            let plane = _mm256_permutevar8x32_epi32(plane, at[n]);
            let to = step_mut(job.dst, n, job.plane).wrapping_add(4 * done);
            if claims {
                prefetch_write(to.wrapping_add(AHEAD));
            }
            // SAFETY: eight elements of each plane lie in the job.
            unsafe { store32(to, plane) };
        }
        done += PIXELS;
    }
    if done < job.len {
        let (src, dst) = (job.src.wrapping_add(12 * done), job.dst.wrapping_add(4 * done));
        // SAFETY: the pixels behind those are in the job.
        unsafe { planes::<4, 3>(&Pixels { src, dst, len: job.len - done, ..*job }) };
    }
}

/// Every third element of three registers, those that begin with the first, second and third one, each in its place: planes
/// from pixels, and, since three registers are 24 elements, pixels from planes.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn each_third([a, b, c]: [__m256i; 3]) -> [__m256i; 3] {
    [
        _mm256_blend_epi32::<0b0010_0100>(_mm256_blend_epi32::<0b1001_0010>(a, b), c),
        _mm256_blend_epi32::<0b0100_1001>(_mm256_blend_epi32::<0b0010_0100>(a, b), c),
        _mm256_blend_epi32::<0b1001_0010>(_mm256_blend_epi32::<0b0100_1001>(a, b), c),
    ]
}
