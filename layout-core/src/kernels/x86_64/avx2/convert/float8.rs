//! Floats of 8 bits to and from 16 bits, in integers: as many at a time as a register has, and from f32 by way of bf16. Called by
//! the files of this folder.

use core::arch::x86_64::*;

use super::super::super::super::convert::{f8_e4m3_to_f32, f8_e5m2_to_f32, f32_to_bf16, f32_to_f16};
use super::super::memory::{load16, store32};

/// What the 16 bits of a wider float have besides those of a narrow one that are moved, and an exponent that is added: changes of
/// both bytes for magnitudes from so many below zero on, which are the largest of all, to those of subnormal numbers.
struct Exceptions {
    /// What is added to a magnitude for its place among them.
    below: u8,
    /// Places from which there are none.
    count: u8,
    low: [u8; 16],
    high: [u8; 16],
}

/// The exceptions of a format: what is right for the first 128 bytes, against the magnitude moved by `shift` and `added` to.
const fn exceptions(right: [u16; 128], shift: u32, added: u16, below: u8, count: u8) -> Exceptions {
    let (mut low, mut high) = ([0; 16], [0; 16]);
    let mut place = 0;
    while place < count {
        let magnitude = (128 + place - below) % 128;
        let change = right[magnitude as usize] ^ (((magnitude as u16) << shift) + added);
        // Behind places from where the bit for no result is set.
        let at = (16 - count + place) as usize;
        (low[at], high[at]) = (change as u8, (change >> 8) as u8);
        place += 1;
    }
    Exceptions { below, count, low, high }
}

/// `$right` of each `$bits` without a sign.
macro_rules! magnitudes {
    (|$bits:ident| $right:expr) => {{
        let mut right = [0; 128];
        let mut $bits = 0u8;
        while $bits < 128 {
            right[$bits as usize] = $right;
            $bits += 1;
        }
        right
    }};
}

static E4M3_TO_BF16: Exceptions =
    exceptions(magnitudes!(|bits| f32_to_bf16(f8_e4m3_to_f32(bits))), 4, 120 << 7, 1, 9);
static E4M3_TO_F16: Exceptions =
    exceptions(magnitudes!(|bits| f32_to_f16(f8_e4m3_to_f32(bits))), 7, 8 << 10, 1, 9);
static E5M2_TO_BF16: Exceptions =
    exceptions(magnitudes!(|bits| f32_to_bf16(f8_e5m2_to_f32(bits))), 5, 112 << 7, 4, 8);

/// The lower and the upper bytes, with the exceptions of what these bytes are.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn excepted(bytes: __m256i, low: __m256i, high: __m256i, exceptions: &Exceptions) -> [__m256i; 2] {
    let moved = _mm256_add_epi8(bytes, _mm256_set1_epi8(exceptions.below.cast_signed()));
    let place = _mm256_and_si256(moved, _mm256_set1_epi8(0x7F));
    // Where the upper bit is set, no byte is looked up.
    let at = _mm256_add_epi8(place, _mm256_set1_epi8((128 - exceptions.count).cast_signed()));
    [
        _mm256_xor_si256(low, _mm256_shuffle_epi8(twice(&exceptions.low), at)),
        _mm256_xor_si256(high, _mm256_shuffle_epi8(twice(&exceptions.high), at)),
    ]
}

/// A table in both lanes.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn twice(table: &[u8; 16]) -> __m256i {
    // SAFETY: the table has 16 bytes.
    _mm256_broadcastsi128_si256(unsafe { load16(table.as_ptr()) })
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn signs(bytes: __m256i) -> __m256i {
    _mm256_and_si256(bytes, _mm256_set1_epi8(i8::MIN))
}

/// The lower and the upper bytes of the bf16.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn e4m3_to_bf16(bytes: __m256i) -> [__m256i; 2] {
    /// For each of the upper four bits the sign, and the exponent without its last bit.
    const HIGH: [u8; 16] = {
        let mut high = [0; 16];
        let mut i = 0;
        while i < 16 {
            high[i] = (i as u8 & 8) << 4 | (60 + (i as u8 & 7));
            i += 1;
        }
        high
    };
    let low = _mm256_and_si256(_mm256_slli_epi16::<4>(bytes), _mm256_set1_epi8(0xF0u8.cast_signed()));
    let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(0x0F));
    excepted(bytes, low, _mm256_shuffle_epi8(twice(&HIGH), upper), &E4M3_TO_BF16)
}

/// The lower and the upper bytes of the f16.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn e4m3_to_f16(bytes: __m256i) -> [__m256i; 2] {
    let low = signs(_mm256_slli_epi16::<7>(bytes));
    let upper = _mm256_and_si256(_mm256_srli_epi16::<1>(bytes), _mm256_set1_epi8(0x3F));
    let high = _mm256_or_si256(_mm256_add_epi8(upper, _mm256_set1_epi8(0x20)), signs(bytes));
    excepted(bytes, low, high, &E4M3_TO_F16)
}

/// The lower and the upper bytes of the bf16.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn e5m2_to_bf16(bytes: __m256i) -> [__m256i; 2] {
    let low = _mm256_and_si256(_mm256_slli_epi16::<5>(bytes), _mm256_set1_epi8(0xE0u8.cast_signed()));
    let upper = _mm256_and_si256(_mm256_srli_epi16::<3>(bytes), _mm256_set1_epi8(0x0F));
    let high = _mm256_or_si256(_mm256_add_epi8(upper, _mm256_set1_epi8(0x38)), signs(bytes));
    excepted(bytes, low, high, &E5M2_TO_BF16)
}

/// The lower and the upper bytes of the f16: the latter are the bytes, but for a NaN that is not quiet.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn e5m2_to_f16(bytes: __m256i) -> [__m256i; 2] {
    let magnitude = _mm256_and_si256(bytes, _mm256_set1_epi8(0x7F));
    let signals = _mm256_cmpeq_epi8(magnitude, _mm256_set1_epi8(0x7D));
    let quiet = _mm256_and_si256(signals, _mm256_set1_epi8(0x02));
    [_mm256_setzero_si256(), _mm256_or_si256(bytes, quiet)]
}

/// A float of 8 bits as the floats of 16 bits see it whose mantissa has 7, with exponents that count from the one below which all is
/// zero.
struct Narrow {
    /// What is subtracted from a magnitude first, saturated.
    below: u16,
    /// The magnitude, less that, of what is larger than all numbers.
    top: u16,
    /// The exponent of the smallest normal number.
    normal: u16,
}

/// Half of the smallest f8_e4m3 is 2^-10, and the bias of bf16 127. What would be 480 is NaN as it is.
const BF16_TO_E4M3: Narrow = Narrow { below: 116 << 7, top: 19 << 7 | 0x70, normal: 5 };
/// The bias of f16 is 15.
const F16_TO_E4M3: Narrow = Narrow { below: 4 << 7, ..BF16_TO_E4M3 };
/// Half of the smallest f8_e5m2 is 2^-17. What would be 2^16 is infinity as it is.
const BF16_TO_E5M2: Narrow = Narrow { below: 109 << 7, top: 34 << 7, normal: 4 };

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn every(bits: u16) -> __m256i {
    _mm256_set1_epi16(bits.cast_signed())
}

/// The nearest float of 8 bits, in the upper byte.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn rounded(magnitude: __m256i, format: &Narrow) -> __m256i {
    /// By exponent: the last place counts twice as much for each, up to that of normal numbers.
    const FACTORS: [u8; 16] = [0, 1, 2, 4, 8, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let above = _mm256_min_epu16(_mm256_subs_epu16(magnitude, every(format.below)), every(format.top));
    let limited = _mm256_min_epu16(above, every(format.normal << 7));
    let exponent = _mm256_srli_epi16::<7>(limited);
    // Of the exponents above that of normal numbers their distance is left; the implicit bit is put in.
    let limited = _mm256_and_si256(limited, every(!0x7F));
    let mantissa = _mm256_add_epi16(_mm256_sub_epi16(above, limited), every(0x80));
    // The upper byte of an exponent is 0, and so is the factor of that.
    let number = _mm256_mullo_epi16(mantissa, _mm256_shuffle_epi8(twice(&FACTORS), exponent));
    nearest(number)
}

/// The upper byte, rounded to nearest even.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn nearest(number: __m256i) -> __m256i {
    let odd = _mm256_and_si256(_mm256_srli_epi16::<8>(number), every(1));
    _mm256_add_epi16(_mm256_add_epi16(number, every(0x7F)), odd)
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn magnitude(bits: __m256i) -> __m256i {
    _mm256_and_si256(bits, every(0x7FFF))
}

/// The upper bytes of two registers, one of the second behind those of the first in each lane.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn upper_bytes([first, second]: [__m256i; 2]) -> __m256i {
    _mm256_packus_epi16(_mm256_srli_epi16::<8>(first), _mm256_srli_epi16::<8>(second))
}

/// The same of `numbers`, with the signs of `bits`.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn with_signs(numbers: [__m256i; 2], [first, second]: [__m256i; 2]) -> __m256i {
    // Saturation keeps them.
    _mm256_or_si256(upper_bytes(numbers), signs(_mm256_packs_epi16(first, second)))
}

/// The f8_e4m3 nearest to the bf16 of two registers, packed in each lane apart.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn bf16_to_e4m3(both: [__m256i; 2]) -> __m256i {
    let [first, second] = both;
    let numbers = [rounded(magnitude(first), &BF16_TO_E4M3), rounded(magnitude(second), &BF16_TO_E4M3)];
    with_signs(numbers, both)
}

/// The f8_e5m2 nearest to the bf16 of two registers, packed in each lane apart. A NaN, which is looked for in both at once, keeps
/// the upper bit behind the quiet one.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn bf16_to_e5m2(both: [__m256i; 2]) -> __m256i {
    let magnitudes = [magnitude(both[0]), magnitude(both[1])];
    let mut numbers = [rounded(magnitudes[0], &BF16_TO_E5M2), rounded(magnitudes[1], &BF16_TO_E5M2)];
    if is_any_above(magnitudes, 0x7F80) {
        for (number, magnitude) in numbers.iter_mut().zip(magnitudes) {
            let nan = _mm256_cmpgt_epi16(magnitude, every(0x7F80));
            let payload = _mm256_and_si256(_mm256_slli_epi16::<3>(magnitude), every(0x0100));
            *number = _mm256_blendv_epi8(*number, _mm256_or_si256(payload, every(0x7E00)), nan);
        }
    }
    with_signs(numbers, both)
}

/// Whether a magnitude is larger than `most`.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn is_any_above([first, second]: [__m256i; 2], most: u16) -> bool {
    let largest = _mm256_max_epi16(first, second);
    _mm256_movemask_epi8(_mm256_cmpgt_epi16(largest, every(most))) != 0
}

/// The f8_e4m3 nearest to the f16 of two registers, packed in each lane apart.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn f16_to_e4m3(both: [__m256i; 2]) -> __m256i {
    let [first, second] = both;
    let numbers = [rounded(short(first), &F16_TO_E4M3), rounded(short(second), &F16_TO_E4M3)];
    with_signs(numbers, both)
}

/// The magnitude of an f16 without three bits of its mantissa, whose last one is set where these are not zero: no tie becomes one or
/// ceases to be.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn short(bits: __m256i) -> __m256i {
    let magnitude = magnitude(bits);
    let trace = _mm256_min_epu16(_mm256_and_si256(magnitude, every(0x0007)), every(1));
    _mm256_or_si256(_mm256_srli_epi16::<3>(magnitude), trace)
}

/// The f8_e5m2 nearest to the f16 of two registers, packed in each lane apart. A NaN keeps its upper bits, and becomes quiet.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn f16_to_e5m2(both: [__m256i; 2]) -> __m256i {
    let magnitudes = [magnitude(both[0]), magnitude(both[1])];
    let mut numbers = [nearest(both[0]), nearest(both[1])];
    if is_any_above(magnitudes, 0x7C00) {
        for ((number, magnitude), bits) in numbers.iter_mut().zip(magnitudes).zip(both) {
            let nan = _mm256_cmpgt_epi16(magnitude, every(0x7C00));
            *number = _mm256_blendv_epi8(*number, _mm256_or_si256(bits, every(0x0200)), nan);
        }
    }
    upper_bytes(numbers)
}

/// The upper halves of the f32 of two registers in turn, whose last bit is set where the lower ones are not zero: NaN stays NaN, and
/// no tie becomes one or ceases to be.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn with_trace(first: __m256, second: __m256) -> __m256i {
    let (first, second) = (_mm256_castps_si256(first), _mm256_castps_si256(second));
    let upper = _mm256_blend_epi16::<0b1010_1010>(_mm256_srli_epi32::<16>(first), second);
    let lower = _mm256_blend_epi16::<0b1010_1010>(first, _mm256_slli_epi32::<16>(second));
    _mm256_or_si256(upper, _mm256_min_epu16(lower, every(1)))
}

/// Stores the elements of four registers, whose bf16 with their traces `$narrow` makes 8 bits of.
macro_rules! fours {
    ($($name:ident: $narrow:ident;)*) => {$(
        /// Stores the elements of four registers.
        ///
        /// # Safety
        /// They can be written.
        #[inline]
        #[target_feature(enable = "avx2,f16c")]
        pub(super) unsafe fn $name(dst: *mut u8, [a, b, c, d]: [__m256; 4]) {
            let bytes = $narrow([with_trace(a, b), with_trace(c, d)]);
            let in_turn = _mm_setr_epi8(0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15);
            let bytes = _mm256_shuffle_epi8(bytes, _mm256_broadcastsi128_si256(in_turn));
            // SAFETY: the caller's promise.
            unsafe { store32(dst, super::in_order(bytes)) };
        }
    )*};
}
fours! {
    four_e4m3: bf16_to_e4m3;
    four_e5m2: bf16_to_e5m2;
}
