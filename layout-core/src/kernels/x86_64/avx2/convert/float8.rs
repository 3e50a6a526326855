//! Floats of 8 bits to and from 16 bits, in integers: as many at a time as a register has, and from f32 by way of bf16. Called by
//! the files of this folder.

use core::arch::x86_64::*;

use super::super::super::super::convert::{f8_e4m3_to_f32, f8_e5m2_to_f32, f32_to_bf16, f32_to_f16};
use super::super::memory::load16;

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
