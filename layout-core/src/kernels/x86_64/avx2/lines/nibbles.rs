//! Runs of elements of 4 bits, out of memory into bytes and back: a register at a time, of which the last one overlaps the one before.
//! Called by `packed`.

use core::arch::x86_64::*;

use super::super::super::super::packed::{Held, Nibble, NibbleRuns, Place, get, saturated, set};
use super::super::memory::*;

/// Writes the elements of all runs from `src` on to `stage`, a byte each.
///
/// # Safety
/// They can be read, and as many bytes written; the processor has the instructions.
#[target_feature(enable = "avx2,f16c")]
pub(in super::super::super::super) unsafe fn load_nibbles(
    runs: &NibbleRuns,
    held: Held,
    src: Place<*const u8>,
    stage: *mut u8,
) {
    let values = match held {
        Held::As(Nibble::Signed) => _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1),
        Held::Positive => _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0, 0, 0, 0, 0),
        Held::As(Nibble::Unsigned | Nibble::Bits) | Held::Low => {
            _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
        }
    };
    each(runs, |at, staged| {
        let from = Place { at: src.at.wrapping_add(at), ..src };
        // SAFETY: the caller's promise, for a run.
        unsafe { unpack(held, values, from, runs.len, stage.wrapping_offset(staged)) };
    });
}

/// Puts the bytes of `stage` in the places of all runs from `dst` on.
///
/// # Safety
/// The bytes can be read, and the elements written by reading and writing the bytes that hold them; the processor has the
/// instructions.
#[target_feature(enable = "avx2,f16c")]
pub(in super::super::super::super) unsafe fn store_nibbles(
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
#[target_feature(enable = "avx2,f16c")]
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

/// The `len` elements from `src` on; `values` has the byte of each.
///
/// # Safety
/// The bytes that hold the elements can be read, and `len` bytes written at `dst`; the two do not overlap.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn unpack(held: Held, values: __m128i, src: Place<*const u8>, len: usize, dst: *mut u8) {
    let (mut src, mut dst, mut len) = (src, dst, len);
    let one = |src: Place<*const u8>, dst: *mut u8| {
        // SAFETY: the caller's promise, for an element.
        let byte = unsafe { get(held, src) };
        // SAFETY: there is room for it.
        unsafe { dst.write(byte) };
    };
    if src.at & 1 == 1 && len > 0 {
        one(src, dst);
        (src.at, dst, len) = (src.at.wrapping_add(1), dst.wrapping_add(1), len - 1);
    }
    if len % 2 == 1 {
        one(Place { at: src.at.wrapping_add(len as isize - 1), ..src }, dst.wrapping_add(len - 1));
    }
    let (from, pairs) = (src.memory.wrapping_offset(src.at >> 1), len / 2);
    let wide = _mm256_broadcastsi128_si256(values);
    if pairs >= 16 {
        let mut at = 0;
        loop {
            // SAFETY: so many bytes hold elements.
            let two = unsafe { load16(from.wrapping_add(at)) };
            let bytes = _mm256_shuffle_epi8(wide, spread32(two));
            // SAFETY: there is room for their elements.
            unsafe { _mm256_storeu_si256(dst.wrapping_add(2 * at).cast(), bytes) };
            if at + 16 == pairs {
                return;
            }
            at = (at + 16).min(pairs - 16);
        }
    }
    if pairs >= 8 {
        for at in [0, pairs - 8] {
            // SAFETY: so many bytes hold elements.
            let two = unsafe { _mm_loadl_epi64(from.wrapping_add(at).cast()) };
            let bytes = _mm_shuffle_epi8(values, spread16(two));
            // SAFETY: there is room for their elements.
            unsafe { store16(dst.wrapping_add(2 * at), bytes) };
        }
        return;
    }
    if pairs >= 4 {
        for at in [0, pairs - 4] {
            // SAFETY: so many bytes hold elements.
            let two = unsafe { from.wrapping_add(at).cast::<i32>().read_unaligned() };
            let bytes = _mm_shuffle_epi8(values, spread16(_mm_cvtsi32_si128(two)));
            // SAFETY: there is room for their elements.
            unsafe { _mm_storel_epi64(dst.wrapping_add(2 * at).cast(), bytes) };
        }
        return;
    }
    for at in 0..pairs {
        let place = Place { memory: from.wrapping_add(at), at: 0 };
        one(place, dst.wrapping_add(2 * at));
        one(Place { at: 1, ..place }, dst.wrapping_add(2 * at + 1));
    }
}

/// The halves of 16 bytes, each in the lower half of its own.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn spread32(pairs: __m128i) -> __m256i {
    let pairs = _mm256_cvtepu8_epi16(pairs);
    let both = _mm256_or_si256(pairs, _mm256_slli_epi16::<4>(pairs));
    _mm256_and_si256(both, _mm256_set1_epi8(0x0F))
}

/// The same for the lower 8 bytes.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn spread16(pairs: __m128i) -> __m128i {
    let pairs = _mm_cvtepu8_epi16(pairs);
    let both = _mm_or_si128(pairs, _mm_slli_epi16::<4>(pairs));
    _mm_and_si128(both, _mm_set1_epi8(0x0F))
}

/// The `len` bytes from `src` on as elements from `dst` on, saturated as `held` says.
///
/// # Safety
/// The bytes can be read, and the elements written by reading and writing the bytes that hold them.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn pack(held: Held, src: *const u8, len: usize, dst: Place<*mut u8>) {
    let (mut src, mut dst, mut len) = (src, dst, len);
    let one = |src: *const u8| {
        // SAFETY: the caller's promise, for an element.
        let byte = unsafe { src.read() };
        saturated(held, byte)
    };
    if dst.at & 1 == 1 && len > 0 {
        // SAFETY: the caller's promise, for an element.
        unsafe { set(dst, one(src)) };
        (src, dst.at, len) = (src.wrapping_add(1), dst.at.wrapping_add(1), len - 1);
    }
    if len % 2 == 1 {
        let last = Place { at: dst.at.wrapping_add(len as isize - 1), ..dst };
        // SAFETY: as above.
        unsafe { set(last, one(src.wrapping_add(len - 1))) };
    }
    let (to, pairs) = (dst.memory.wrapping_offset(dst.at >> 1), len / 2);
    if pairs >= 32 {
        let mut at = 0;
        loop {
            let from = src.wrapping_add(2 * at);
            // SAFETY: so many bytes can be read.
            let low = unsafe { _mm256_loadu_si256(from.cast()) };
            // SAFETY: as above.
            let high = unsafe { _mm256_loadu_si256(from.wrapping_add(32).cast()) };
            let both = _mm256_packus_epi16(join32(held, low), join32(held, high));
            let both = _mm256_permute4x64_epi64::<0xD8>(both);
            // SAFETY: half as many bytes hold the elements.
            unsafe { _mm256_storeu_si256(to.wrapping_add(at).cast(), both) };
            if at + 32 == pairs {
                return;
            }
            at = (at + 32).min(pairs - 32);
        }
    }
    if pairs >= 8 {
        let mut at = 0;
        loop {
            // SAFETY: so many bytes can be read.
            let both = join16(held, unsafe { load16(src.wrapping_add(2 * at)) });
            // SAFETY: half as many bytes hold the elements.
            unsafe { _mm_storel_epi64(to.wrapping_add(at).cast(), both) };
            if at + 8 == pairs {
                return;
            }
            at = (at + 8).min(pairs - 8);
        }
    }
    if pairs >= 4 {
        for at in [0, pairs - 4] {
            // SAFETY: so many bytes can be read.
            let bytes = unsafe { _mm_loadl_epi64(src.wrapping_add(2 * at).cast()) };
            let both = _mm_cvtsi128_si32(join16(held, bytes));
            // SAFETY: half as many bytes hold the elements.
            unsafe { to.wrapping_add(at).cast::<i32>().write_unaligned(both) };
        }
        return;
    }
    for at in 0..pairs {
        let first = src.wrapping_add(2 * at);
        let (low, high) = (one(first) & 0x0F, one(first.wrapping_add(1)) & 0x0F);
        // SAFETY: the byte holds two of the elements.
        unsafe { to.wrapping_add(at).write(low | high << 4) };
    }
}

/// Two bytes of `bytes`, saturated as `held` says, in each 16 bits.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn join32(held: Held, bytes: __m256i) -> __m256i {
    let bytes = match held {
        Held::As(Nibble::Signed) => {
            _mm256_min_epi8(_mm256_max_epi8(bytes, _mm256_set1_epi8(-8)), _mm256_set1_epi8(7))
        }
        Held::As(Nibble::Unsigned) => _mm256_min_epu8(bytes, _mm256_set1_epi8(15)),
        Held::As(Nibble::Bits) => bytes,
        Held::Positive => {
            _mm256_min_epi8(_mm256_max_epi8(bytes, _mm256_setzero_si256()), _mm256_set1_epi8(15))
        }
        Held::Low => _mm256_min_epu8(bytes, _mm256_set1_epi8(7)),
    };
    let bytes = _mm256_and_si256(bytes, _mm256_set1_epi8(0x0F));
    _mm256_maddubs_epi16(bytes, _mm256_set1_epi16(0x1001))
}

/// The same in each of the lower 8 bytes.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn join16(held: Held, bytes: __m128i) -> __m128i {
    let both = _mm256_castsi256_si128(join32(held, _mm256_castsi128_si256(bytes)));
    _mm_packus_epi16(both, both)
}
