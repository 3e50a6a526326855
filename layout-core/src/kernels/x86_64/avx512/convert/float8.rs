//! Floats of 8 bits from bf16 and f16, 32 at a time in integers of 16 bits, and from f32 by way of bf16 or f16: what f32 has besides is
//! not rounded, but leaves a trace in the last bit, which is all that the next step asks. Called by the files of this folder.
//!
//! A magnitude is the same linear function of the bits of a bf16 or f16 wherever the exponent is the same: times a factor and plus an
//! offset, it becomes a number with 7 or 8 bits behind the point, which is rounded. Both are looked up. An e8m0 is an exponent.

use core::arch::asm;
use core::arch::x86_64::*;

use super::super::memory::{load64, store64};

/// What a type makes of bf16, whose exponents count from the one [below](Format8::below) which all is zero.
struct Format8 {
    /// The bits of a bf16 that are subtracted first, saturated.
    below: u16,
    /// The bits, less those, of what is larger than all numbers.
    top: u16,
    factors: Lookup,
    offsets: Lookup,
}

/// A value for each of 32 exponents.
#[repr(align(64))]
struct Lookup([u16; 32]);

/// The place of the factor and of the offset of normal numbers in the table is `normal`, and that of all after it, up to `top`.
const fn format8(below: u16, normal: u16, top: u16) -> Format8 {
    let (mut factors, mut offsets) = ([0u16; 32], [0u16; 32]);
    let mut at = 1;
    while at < 32 {
        // Subnormal numbers: the implicit bit and those of the mantissa, twice as much for each exponent.
        let exponent = if at < normal { at } else { normal };
        let factor = 1u16 << (exponent - 1);
        factors[at as usize] = factor;
        offsets[at as usize] = (128u16.wrapping_sub(exponent * 128)).wrapping_mul(factor);
        at += 1;
    }
    Format8 { below: below << 7, top, factors: Lookup(factors), offsets: Lookup(offsets) }
}

/// Half of the smallest f8_e4m3 is 2^-10, exponent 117. What would be 480 is NaN as it is.
static E4M3: Format8 = format8(116, 5, 19 << 7 | 0x70);
/// Half of the smallest f8_e5m2 is 2^-17, exponent 110. What would be 2^16 is infinity as it is.
static E5M2: Format8 = format8(109, 4, 34 << 7);

/// The f8_e4m3 nearest to each bf16, in its upper byte; the lower one is anything.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn bf16_to_e4m3(bits: __m512i) -> __m512i {
    with_sign(rounded::<false>(magnitudes(bits), &E4M3), bits)
}

/// The f8_e5m2 nearest to the bf16 of two registers, in their upper bytes; the lower ones are anything. A NaN, which is looked for in
/// both at once, keeps the upper bit behind the quiet one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn bf16_to_e5m2(both: [__m512i; 2]) -> [__m512i; 2] {
    let infinity = _mm512_set1_epi16(0x7F80);
    let magnitudes = [magnitudes(both[0]), magnitudes(both[1])];
    let mut numbers = [rounded::<true>(magnitudes[0], &E5M2), rounded::<true>(magnitudes[1], &E5M2)];
    let largest = _mm512_max_epu16(magnitudes[0], magnitudes[1]);
    if _mm512_cmpgt_epi16_mask(largest, infinity) != 0 {
        for (number, magnitude) in numbers.iter_mut().zip(magnitudes) {
            let nan = _mm512_cmpgt_epi16_mask(magnitude, infinity);
            let payload = _mm512_and_si512(_mm512_slli_epi16::<3>(magnitude), _mm512_set1_epi16(0x0100));
            let quiet = _mm512_or_si512(payload, _mm512_set1_epi16(0x7E00));
            *number = _mm512_mask_mov_epi16(*number, nan, quiet);
        }
    }
    [with_sign(numbers[0], both[0]), with_sign(numbers[1], both[1])]
}

/// Half of the smallest f8_e4m3 has exponent 5 of an f16; each above it, up to that of the first normal number, has one bit less behind
/// the 7 that a factor of 2^-16 leaves of twice the magnitude.
static F16_TO_E4M3: (Lookup, Lookup) = {
    const NORMAL: u16 = 9;
    let (mut factors, mut offsets) = ([0u16; 32], [0u16; 32]);
    let mut at = 4;
    while at < 32 {
        let lost = NORMAL.saturating_sub(at);
        factors[at as usize] = 1 << (15 - lost);
        // The implicit bit, in place of the exponent, or one exponent for another.
        let offset =
            if at < NORMAL { (1024 - 1024 * at as i32) >> lost } else { -1024 * (NORMAL as i32 - 1) };
        offsets[at as usize] = offset as u16;
        at += 1;
    }
    (Lookup(factors), Lookup(offsets))
};

/// The f8_e4m3 nearest to each f16, in its upper byte; the lower one is anything.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn f16_to_e4m3(bits: __m512i) -> __m512i {
    /// Twice the magnitude of what is larger than all numbers: what would be 480 is NaN as it is.
    const TOP: u16 = 0xBF00;
    let twice = _mm512_min_epu16(_mm512_add_epi16(bits, bits), _mm512_set1_epi16(TOP.cast_signed()));
    let exponent = _mm512_srli_epi16::<11>(twice);
    let factor = looked_up(&F16_TO_E4M3.0, exponent);
    let number = _mm512_add_epi16(_mm512_mulhi_epu16(twice, factor), looked_up(&F16_TO_E4M3.1, exponent));
    // What is below the 7 bits leaves a trace.
    let trace = _mm512_min_epu16(_mm512_mullo_epi16(twice, factor), ones());
    let odd = _mm512_test_epi16_mask(number, _mm512_set1_epi16(0x0080));
    let half = _mm512_add_epi16(_mm512_or_si512(number, trace), _mm512_set1_epi16(0x3F));
    let nearest = _mm512_mask_add_epi16(half, odd, half, ones());
    // The sign, and the rest a bit further up.
    _mm512_ternarylogic_epi32::<0xCA>(_mm512_set1_epi16(i16::MIN), bits, _mm512_add_epi16(nearest, nearest))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn magnitudes(bits: __m512i) -> __m512i {
    _mm512_and_si512(bits, _mm512_set1_epi16(i16::MAX))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn with_sign(number: __m512i, bits: __m512i) -> __m512i {
    _mm512_or_si512(number, _mm512_and_si512(bits, _mm512_set1_epi16(i16::MIN)))
}

/// Ones, which the compiler does not see: it would make a comparison of what is smaller than the smallest number above zero, and blends
/// of sums with it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn ones() -> __m512i {
    #[cfg_attr(miri, allow(unused_mut, reason = "Miri runs no assembly"))]
    let mut ones = _mm512_set1_epi16(1);
    #[cfg(not(miri))]
    // SAFETY: no instruction at all.
    unsafe {
        asm!("/* {0} */", inout(zmm_reg) ones, options(pure, nomem, nostack, preserves_flags))
    };
    ones
}

/// The value for each exponent, of which the lower 5 bits count.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn looked_up(table: &Lookup, exponent: __m512i) -> __m512i {
    // SAFETY: the table has 64 bytes.
    _mm512_permutexvar_epi16(exponent, unsafe { load64(table.0.as_ptr().cast()) })
}

/// The result in the upper byte; `LONG`: there are more than 32 exponents, of which the last have the same factor and offset.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn rounded<const LONG: bool>(magnitude: __m512i, format: &Format8) -> __m512i {
    let above = _mm512_subs_epu16(magnitude, _mm512_set1_epi16(format.below.cast_signed()));
    let above = _mm512_min_epu16(above, _mm512_set1_epi16(format.top.cast_signed()));
    let mut exponent = _mm512_srli_epi16::<7>(above);
    if LONG {
        exponent = _mm512_min_epu16(exponent, _mm512_set1_epi16(31));
    }
    let product = _mm512_mullo_epi16(above, looked_up(&format.factors, exponent));
    let number = _mm512_add_epi16(product, looked_up(&format.offsets, exponent));
    // The nearest, ties to even.
    let odd = _mm512_test_epi16_mask(number, _mm512_set1_epi16(0x0100));
    let half = _mm512_add_epi16(number, _mm512_set1_epi16(0x7F));
    _mm512_mask_add_epi16(half, odd, half, ones())
}

/// The upper bytes of two registers of 16 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn upper_bytes(first: __m512i, second: __m512i) -> __m512i {
    // SAFETY: the table has 64 bytes.
    let upper = unsafe { load64(UPPER.0.as_ptr()) };
    _mm512_permutex2var_epi8(first, upper, second)
}

#[repr(align(64))]
struct Bytes([u8; 64]);
static UPPER: Bytes = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        table[i] = 2 * i as u8 + 1;
        i += 1;
    }
    Bytes(table)
};

/// The same of what [`with_trace`] makes of four registers, in their order.
static UPPER_IN_TURN: Bytes = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        let (register, element) = (i / 16, i % 16);
        table[i] = (64 * (register / 2) + 4 * element + 2 * (register % 2) + 1) as u8;
        i += 1;
    }
    Bytes(table)
};

/// The upper halves of the f32 of two registers in turn, whose last bit is set where the lower ones are not zero: NaN stays NaN, and
/// no tie becomes one or ceases to be.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn with_trace(first: __m512, second: __m512) -> __m512i {
    let (first, second) = (_mm512_castps_si512(first), _mm512_castps_si512(second));
    let odd = _mm512_set1_epi32(0xFFFF_0000u32.cast_signed());
    // The second where there are ones, else the third.
    let upper = _mm512_ternarylogic_epi32::<0xCA>(odd, second, _mm512_srli_epi32::<16>(first));
    let lower = _mm512_ternarylogic_epi32::<0xCA>(odd, _mm512_slli_epi32::<16>(second), first);
    _mm512_or_si512(upper, _mm512_min_epu16(lower, ones()))
}

/// Stores the elements of four registers as f8_e4m3.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn four_e4m3(dst: *mut u8, [a, b, c, d]: [__m512; 4]) {
    let (first, second) = (bf16_to_e4m3(with_trace(a, b)), bf16_to_e4m3(with_trace(c, d)));
    // SAFETY: the table has 64 bytes.
    let upper = unsafe { load64(UPPER_IN_TURN.0.as_ptr()) };
    let bytes = _mm512_permutex2var_epi8(first, upper, second);
    // SAFETY: the caller's promise.
    unsafe { store64(dst, bytes) };
}

/// f16 of two registers, without what they do not hold: its trace is in a bit that they do, below all that rounding to f8_e5m2
/// keeps. Of smaller numbers that bit is lost as well, but these are less than half of the smallest f8_e5m2.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn halves_with_trace(first: __m512, second: __m512) -> __m512i {
    const TOWARD_ZERO: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
    let half = |value: __m512| {
        let bits = _mm512_castps_si512(value);
        let inexact = _mm512_test_epi32_mask(bits, _mm512_set1_epi32(0xFFFF));
        let traced = _mm512_mask_or_epi32(bits, inexact, bits, _mm512_set1_epi32(0x1_0000));
        _mm512_cvtps_ph::<TOWARD_ZERO>(_mm512_castsi512_ps(traced))
    };
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(half(first)), half(second))
}

/// The f8_e5m2 nearest to each f16, in its upper byte; the lower one is anything. A NaN is quiet and keeps its upper bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn quiet_halves_to_e5m2(bits: __m512i) -> __m512i {
    let number = _mm512_cmple_epi16_mask(magnitudes(bits), _mm512_set1_epi16(0x7C00));
    let odd = _mm512_mask_test_epi16_mask(number, bits, _mm512_set1_epi16(0x0100));
    let half = _mm512_mask_add_epi16(bits, number, bits, _mm512_set1_epi16(0x7F));
    _mm512_mask_add_epi16(half, odd, half, ones())
}

/// Stores the elements of four registers as f8_e5m2.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn four_e5m2(dst: *mut u8, [a, b, c, d]: [__m512; 4]) {
    let (first, second) = (halves_with_trace(a, b), halves_with_trace(c, d));
    let bytes = upper_bytes(quiet_halves_to_e5m2(first), quiet_halves_to_e5m2(second));
    // SAFETY: the caller's promise.
    unsafe { store64(dst, bytes) };
}

/// The exponent.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn f32_to_e8m0(value: __m512) -> __m512i {
    _mm512_srli_epi32::<23>(_mm512_castps_si512(value))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn e8m0_to_f32(bits: __m128i) -> __m512 {
    let exponent = _mm512_slli_epi32::<23>(_mm512_cvtepu8_epi32(bits));
    // 2^-127 is subnormal; the quiet bit of NaN is the same one.
    let ends = _mm_cmpeq_epi8_mask(bits, _mm_setzero_si128()) | _mm_cmpeq_epi8_mask(bits, _mm_set1_epi8(-1));
    _mm512_castsi512_ps(_mm512_mask_or_epi32(exponent, ends, exponent, _mm512_set1_epi32(0x0040_0000)))
}
