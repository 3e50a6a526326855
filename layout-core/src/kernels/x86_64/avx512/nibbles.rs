//! Runs of elements of 4 bits, out of memory into bytes and back: a register at a time, the last one in part, so that short runs take
//! few instructions. Called by `packed`.

use core::arch::x86_64::*;

use super::super::super::packed::{Held, Nibble, NibbleRuns, Place, get, saturated, set};
use super::memory::first;

/// Elements of a register of bytes.
const SIDE: usize = 64;

/// Writes the elements of all runs from `src` on to `stage`, a byte each.
///
/// # Safety
/// They can be read, and as many bytes written; the processor has the instructions.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super::super) unsafe fn load_nibbles(
    runs: &NibbleRuns,
    held: Held,
    src: Place<*const u8>,
    stage: *mut u8,
) {
    let is_signed = matches!(held, Held::As(Nibble::Signed) | Held::Positive);
    let sign = _mm512_set1_epi8(if is_signed { 8 } else { 0 });
    let least = _mm512_set1_epi8(if held == Held::Positive { 0 } else { i8::MIN });
    each(runs, |at, staged| {
        let from = Place { at: src.at.wrapping_add(at), ..src };
        // SAFETY: the caller's promise, for a run.
        unsafe { unpack(held, [sign, least], from, runs.len, stage.wrapping_offset(staged)) };
    });
}

/// Puts the bytes of `stage` in the places of all runs from `dst` on.
///
/// # Safety
/// The bytes can be read, and the elements written by reading and writing the bytes that hold them; the processor has the
/// instructions.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super::super) unsafe fn store_nibbles(
    runs: &NibbleRuns,
    held: Held,
    stage: *const u8,
    dst: Place<*mut u8>,
) {
    each(runs, |at, staged| {
        let to = Place { at: dst.at.wrapping_add(at), ..dst };
        // SAFETY: the caller's promise, for a run.
        unsafe { pack(held, stage.wrapping_offset(staged), runs.len, to) };
    });
}

/// Calls `f` with how far each run is from the first, in memory and in the buffer: `Runs::each`, with these instructions.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn each(runs: &NibbleRuns, mut f: impl FnMut(isize, isize)) {
    let [(x_len, x), (y_len, y), (z_len, z)] = runs.loops();
    for k in 0..z_len {
        for j in 0..y_len {
            for i in 0..x_len {
                let by = |side: usize| i as isize * x[side] + j as isize * y[side] + k as isize * z[side];
                f(by(0), by(1));
            }
        }
    }
}

/// The `len` elements from `src` on, of which `bounds` has the bit that is the sign, and the least value.
///
/// # Safety
/// The bytes that hold the elements can be read, and `len` bytes written at `dst`; the two do not overlap.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn unpack(held: Held, bounds: [__m512i; 2], src: Place<*const u8>, len: usize, dst: *mut u8) {
    let (mut src, mut dst, mut len) = (src, dst, len);
    if src.at & 1 == 1 && len > 0 {
        // SAFETY: the byte holds the first element.
        let first = unsafe { get(held, src) };
        // SAFETY: there is room for it.
        unsafe { dst.write(first) };
        (src.at, dst, len) = (src.at.wrapping_add(1), dst.wrapping_add(1), len - 1);
    }
    let mut from = src.memory.wrapping_offset(src.at >> 1);
    while len >= SIDE {
        // SAFETY: so many bytes hold elements.
        let pairs = unsafe { _mm256_loadu_si256(from.cast()) };
        let bytes = spread(pairs, bounds);
        // SAFETY: there is room for a register.
        unsafe { _mm512_storeu_si512(dst.cast(), bytes) };
        (from, dst, len) = (from.wrapping_add(SIDE / 2), dst.wrapping_add(SIDE), len - SIDE);
    }
    if len > 0 {
        // SAFETY: these bytes hold elements; what has no bit in the mask is not touched.
        let pairs = unsafe { _mm256_maskz_loadu_epi8(first(len.div_ceil(2)) as u32, from.cast()) };
        let bytes = spread(pairs, bounds);
        // SAFETY: there is room for so many bytes.
        unsafe { _mm512_mask_storeu_epi8(dst.cast(), first(len), bytes) };
    }
}

/// Both elements of each byte.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn spread(pairs: __m256i, [sign, least]: [__m512i; 2]) -> __m512i {
    let pairs = _mm512_cvtepu8_epi16(pairs);
    let both = _mm512_or_si512(pairs, _mm512_slli_epi16::<4>(pairs));
    let both = _mm512_and_si512(both, _mm512_set1_epi8(0x0F));
    // A number with the bit of the sign changed, less that bit.
    _mm512_max_epi8(_mm512_sub_epi8(_mm512_xor_si512(both, sign), sign), least)
}

/// The `len` bytes from `src` on as elements from `dst` on, saturated as `held` says.
///
/// # Safety
/// The bytes can be read, and the elements written by reading and writing the bytes that hold them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn pack(held: Held, src: *const u8, len: usize, dst: Place<*mut u8>) {
    let (mut src, mut dst, mut len) = (src, dst, len);
    let one = |src: *const u8, dst: Place<*mut u8>| {
        // SAFETY: the caller's promise, for an element.
        let byte = unsafe { src.read() };
        // SAFETY: as above.
        unsafe { set(dst, saturated(held, byte)) };
    };
    if dst.at & 1 == 1 && len > 0 {
        one(src, dst);
        (src, dst.at, len) = (src.wrapping_add(1), dst.at.wrapping_add(1), len - 1);
    }
    let mut to = dst.memory.wrapping_offset(dst.at >> 1);
    dst.at = dst.at.wrapping_add(len as isize - 1);
    while len >= SIDE {
        // SAFETY: so many bytes can be read.
        let bytes = unsafe { _mm512_loadu_si512(src.cast()) };
        let pairs = join(held, bytes);
        // SAFETY: half as many hold the elements.
        unsafe { _mm256_storeu_si256(to.cast(), pairs) };
        (src, to, len) = (src.wrapping_add(SIDE), to.wrapping_add(SIDE / 2), len - SIDE);
    }
    if len > 1 {
        // SAFETY: what has no bit in the mask is not touched; the others can be read.
        let bytes = unsafe { _mm512_maskz_loadu_epi8(first(len & !1), src.cast()) };
        let pairs = join(held, bytes);
        // SAFETY: whole bytes that hold elements.
        unsafe { _mm256_mask_storeu_epi8(to.cast(), first(len / 2) as u32, pairs) };
    }
    if len % 2 == 1 {
        one(src.wrapping_add(len - 1), dst);
    }
}

/// Two bytes of `bytes`, saturated as `held` says, in each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn join(held: Held, bytes: __m512i) -> __m256i {
    let bytes = match held {
        Held::As(Nibble::Signed) => {
            _mm512_min_epi8(_mm512_max_epi8(bytes, _mm512_set1_epi8(-8)), _mm512_set1_epi8(7))
        }
        Held::As(Nibble::Unsigned) => _mm512_min_epu8(bytes, _mm512_set1_epi8(15)),
        Held::As(Nibble::Bits) => bytes,
        Held::Positive => {
            _mm512_min_epi8(_mm512_max_epi8(bytes, _mm512_setzero_si512()), _mm512_set1_epi8(15))
        }
        Held::Low => _mm512_min_epu8(bytes, _mm512_set1_epi8(7)),
    };
    let bytes = _mm512_and_si512(bytes, _mm512_set1_epi8(0x0F));
    _mm512_cvtepi16_epi8(_mm512_or_si512(bytes, _mm512_srli_epi16::<4>(bytes)))
}
