//! Conversions of rows, eight elements at a time: a loader for each source type, a storer for each destination type, and
//! f32 between them, with an affine map if there is one. Bit for bit what `kernels::convert` says.

mod apart;
mod bf16;
mod crossed;
mod float8;
mod lookup;
mod nibbles;
mod rows;
mod wide;

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::super::convert::{
    Bf16, Boolean, Convert, E8M0, F4E2M1, F4E3M0, F8E4M3, F8E5M2, F16, Format, Number,
};
use super::super::super::drive::{AddRows, ConvertRows, Rows, by_buffer};
use super::super::super::epilogue::{
    ALL, Affine, FACTOR, FACTOR_SHIFT, NEUTRAL, NONE, PARAMETERS, SECOND, SHIFT, SHIFT_FACTOR,
};
use super::super::super::generic::{step, step_mut};
use super::super::super::parts::convert::{
    AnyBf16, Load, OddF64, OddS32, Row, Store, claim, claim_row, convert_kernel, lines, one_pass_kernel, pad,
    zero,
};
use super::super::super::parts::loops::{Integer, loads, loops, stores};
use super::super::super::parts::rows::BLOCK;
use super::memory::*;
pub(in super::super::super) use apart::{Copies, Registers};
use apart::{apart8, apart16, apart32};
use bf16::{bf16_to_f32, f32_to_bf16, four_bf16};
pub(super) use crossed::planes_way;
pub(super) use crossed::way as crossed_way;
use float8::{four_e4m3, four_e5m2};
pub(super) use lookup::look_up;
pub(super) use nibbles::{Numbers, Results, nibbles, place, results_of};
pub(super) use rows::padded_tile;

loops! {
    F64: f64, F16: F16, Bf16: Bf16, S32: i32, S8: i8, U8: u8, F8E5M2: F8E5M2, F8E4M3: F8E4M3, E8M0: E8M0, F4E2M1: F4E2M1,
    F4E3M0: F4E3M0, Boolean: Boolean;
    small F8E5M2: F8E5M2, F8E4M3: F8E4M3;
    odd F64: OddF64 => F16: F16, Bf16: Bf16, S8: i8, U8: u8, F8E5M2: F8E5M2, F8E4M3: F8E4M3, F4E2M1: F4E2M1, F4E3M0: F4E3M0,
        Boolean: Boolean;
    odd S32: OddS32 => Bf16: Bf16, E8M0: E8M0;
}

/// The loop from `src` to `dst`, where this family has one; with parameters, if `scaled`.
#[inline]
pub(super) const fn convert_rows(src: Format, dst: Format, scaled: bool) -> Option<ConvertRows> {
    let own = match (src, dst) {
        _ if scaled => None,
        (Format::S32, Format::S8) => Some(plain::<Integer<i32>, Integer<i8>> as ConvertRows),
        (Format::S32, Format::U8) => Some(plain::<Integer<i32>, Integer<u8>> as ConvertRows),
        (Format::S8, Format::S32) => Some(plain::<Integer<i8>, Integer<i32>> as ConvertRows),
        (Format::U8, Format::S32) => Some(plain::<Integer<u8>, Integer<i32>> as ConvertRows),
        _ => rows::convert_rows(src, dst),
    };
    if own.is_some() { own } else { loop_between(src, dst, scaled) }
}

convert_kernel! { "avx2,f16c", __m256, 8, zero: _mm256_setzero_ps(), overlap: true }
one_pass_kernel! { "avx2,f16c", __m256, 8 }

loads! {
    "avx2,f16c", __m256;
    f32: load32 first_32bit, |bits| _mm256_castsi256_ps(bits), apart32;
    F16: load16 first_16bit, |bits| _mm256_cvtph_ps(bits);
    Bf16: load16 first_16bit, |bits| bf16_to_f32(bits), apart16;
    AnyBf16: load16 first_16bit, |bits| _mm256_castsi256_ps(_mm256_slli_epi32::<16>(_mm256_cvtepu16_epi32(bits))), apart16;
    i8: load8 first_8bit, |bits| _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bits)), apart8;
    u8: load8 first_8bit, |bits| _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bits)), apart8;
    F8E5M2: load8 first_8bit, |bits| _mm256_cvtph_ps(_mm_slli_epi16::<8>(_mm_cvtepu8_epi16(bits)));
    F8E4M3: load8 first_8bit, |bits| f8_e4m3_to_f32(bits);
    E8M0: load8 first_8bit, |bits| e8m0_to_f32(bits);
    F4E2M1: load8 first_8bit, |bits| f4_e2m1_to_f32(bits);
    F4E3M0: load8 first_8bit, |bits| f4_e3m0_to_f32(bits);
    Boolean: load8 first_8bit, |bits| boolean_to_f32(bits);
    i32: load32 first_32bit, |bits| _mm256_cvtepi32_ps(bits), apart32;
}

stores! {
    "avx2,f16c", __m256;
    f32: store32 _mm256_stream_si256 put_32bit, |value| _mm256_castps_si256(value);
    F16: store16 _mm_stream_si128 put_16bit, |value| _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(value);
    Bf16: store16 _mm_stream_si128 put_16bit, |value| f32_to_bf16(value), four_bf16;
    i32: store32 _mm256_stream_si256 put_32bit, |value| f32_to_s32(value);
    i8: store8 stream8 put_8bit, |value| s32_to_s8(f32_to_s32_below(value, 127.0)), four_s8;
    F8E5M2: store8 stream8 put_8bit, |value| s32_to_u8(f32_to_f8_e5m2(value)), four_e5m2;
    F8E4M3: store8 stream8 put_8bit, |value| s32_to_u8(f32_to_f8_e4m3(value)), four_e4m3;
    E8M0: store8 stream8 put_8bit, |value| s32_to_u8(f32_to_e8m0(value)), four_e8m0;
    F4E2M1: store8 stream8 put_8bit, |value| s32_to_u8(f32_to_f4_e2m1(value));
    F4E3M0: store8 stream8 put_8bit, |value| s32_to_u8(f32_to_f4_e3m0(value));
    Boolean: store8 stream8 put_8bit, |value| s32_to_u8(f32_to_boolean(value)), four_booleans;
    u8: store8 stream8 put_8bit, |value| s32_to_u8(f32_to_u32_below(value, 255.0)), four_u8;
}

/// What `epilogue` says: the `STEPS` of it, rounded each for itself.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn apply<const STEPS: u8>(mut value: __m256, parameters: &[__m256; PARAMETERS]) -> __m256 {
    for (k, &parameter) in parameters.iter().enumerate() {
        if STEPS >> k & 1 == 1 {
            value = match k {
                0 => _mm256_sub_ps(value, parameter),
                3 => _mm256_add_ps(value, parameter),
                _ => _mm256_mul_ps(value, parameter),
            };
        }
    }
    value
}

/// The first `len` values, then zeros.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn keep_first(value: __m256, len: usize) -> __m256 {
    _mm256_and_ps(value, _mm256_castsi256_ps(ones32(len * size_of::<f32>())))
}

/// `$load: the first elements of a width, others zero; $store: writes them` => by bytes.
macro_rules! firsts {
    ($($load:ident $store:ident: $value:ty, $bytes:literal $load_bytes:ident $store_bytes:ident;)*) => {$(
        /// Reads `len` elements; the others are zero.
        ///
        /// # Safety
        /// They can be read.
        #[inline]
        #[target_feature(enable = "avx2,f16c")]
        unsafe fn $load(src: *const u8, len: usize) -> $value {
            // SAFETY: the caller's promise.
            unsafe { $load_bytes(src, len * $bytes) }
        }

        /// Writes the first `len` elements.
        ///
        /// # Safety
        /// They can be written.
        #[inline]
        #[target_feature(enable = "avx2,f16c")]
        unsafe fn $store(dst: *mut u8, value: $value, len: usize) {
            // SAFETY: the caller's promise.
            unsafe { $store_bytes(dst, value, len * $bytes) }
        }
    )*};
}
firsts! {
    first_8bit put_8bit: __m128i, 1 load16_first store16_first;
    first_16bit put_16bit: __m128i, 2 load16_first store16_first;
    first_32bit put_32bit: __m256i, 4 load32_masked store32_first;
}

/// Writes the lower 8 bytes of `value` past the caches.
///
/// # Safety
/// They can be written at `dst`.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn stream8(dst: *mut i64, value: __m128i) {
    let value = _mm_cvtsi128_si64(value);
    // SAFETY: the caller's promise.
    unsafe { _mm_stream_si64(dst, value) }
}

/// The two halves of a register.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn halves(value: __m256i) -> (__m128i, __m128i) {
    (_mm256_castsi256_si128(value), _mm256_extracti128_si256::<1>(value))
}

/// Saturated, in the lower half.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn s32_to_s8(value: __m256i) -> __m128i {
    let (low, high) = halves(value);
    let words = _mm_packs_epi32(low, high);
    _mm_packs_epi16(words, words)
}

/// Saturated, in the lower half.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn s32_to_u8(value: __m256i) -> __m128i {
    let (low, high) = halves(value);
    let words = _mm_packs_epi32(low, high);
    _mm_packus_epi16(words, words)
}

/// The bytes of four registers of 32-bit numbers that were packed, both halves apart, one register behind the other.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn in_order(packed: __m256i) -> __m256i {
    _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7))
}

/// `$name: $type, |value| $round => $pack`: stores the elements of four registers as `$type`, at once.
macro_rules! fours {
    ($($name:ident: $type:literal, |$value:ident| $round:expr => $pack:ident;)*) => {$(
        #[doc = concat!("Stores the elements of four registers as ", $type, ".")]
        ///
        /// # Safety
        /// They can be written.
        #[inline]
        #[target_feature(enable = "avx2,f16c")]
        unsafe fn $name(dst: *mut u8, [a, b, c, d]: [__m256; 4]) {
            macro_rules! round {
                ($one:ident) => {{
                    let $value = $one;
                    $round
                }};
            }
            let [a, b, c, d] = [round!(a), round!(b), round!(c), round!(d)];
            let bytes = $pack(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
            // SAFETY: the caller's promise.
            unsafe { store32(dst, in_order(bytes)) };
        }
    )*};
}
fours! {
    four_s8: "s8", |value| f32_to_s32_below(value, 127.0) => _mm256_packs_epi16;
    four_u8: "u8", |value| f32_to_u32_below(value, 255.0) => _mm256_packus_epi16;
    four_e8m0: "e8m0", |value| f32_to_e8m0(value) => _mm256_packus_epi16;
    four_booleans: "booleans", |value| f32_to_boolean(value) => _mm256_packus_epi16;
}

/// The nearest integer no larger than `high`, which is one; saturated below, 0 for NaN.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn f32_to_s32_below(value: __m256, high: f32) -> __m256i {
    let number = _mm256_cmp_ps::<_CMP_ORD_Q>(value, value);
    // Rounding is that of the environment, which Rust programs leave at its default. What is too small converts to the
    // smallest number.
    _mm256_cvtps_epi32(_mm256_min_ps(_mm256_and_ps(number, value), _mm256_set1_ps(high)))
}

/// The nearest integer no larger than `high`, which is one; 0 for negative numbers and NaN.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn f32_to_u32_below(value: __m256, high: f32) -> __m256i {
    // Of NaN and a number the maximum is the second operand.
    let value = _mm256_max_ps(value, _mm256_setzero_ps());
    _mm256_cvtps_epi32(_mm256_min_ps(value, _mm256_set1_ps(high)))
}

/// The nearest integer, saturated; 0 for NaN.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn f32_to_s32(value: __m256) -> __m256i {
    let number = _mm256_cmp_ps::<_CMP_ORD_Q>(value, value);
    // What is too small converts to the smallest number, as does what is too large: all ones flip it to the largest.
    let near = _mm256_cvtps_epi32(_mm256_and_ps(number, value));
    let large = _mm256_cmp_ps::<_CMP_GE_OQ>(value, _mm256_set1_ps(2_147_483_648.0));
    _mm256_xor_si256(near, _mm256_castps_si256(large))
}

/// f16 has three bits of mantissa in the same place, and one bit of exponent more.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn f8_e4m3_to_f32(bits: __m128i) -> __m256 {
    let wide = _mm_cvtepi8_epi16(bits);
    // The sign is there twice.
    let half = _mm_and_si128(_mm_slli_epi16::<7>(wide), _mm_set1_epi16(0xBFFFu16 as i16));
    // What would be 480 is NaN.
    let nan = _mm_cmpeq_epi16(_mm_slli_epi16::<9>(wide), _mm_set1_epi16(0xFE00u16 as i16));
    let half = _mm_xor_si128(half, _mm_and_si128(nan, _mm_set1_epi16(0x3F80 ^ 0x7E00)));
    // The biases differ by 8.
    _mm256_mul_ps(_mm256_cvtph_ps(half), _mm256_set1_ps(256.0))
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn f4_e2m1_to_f32(bits: __m128i) -> __m256 {
    f4_to_f32(bits, _mm256_setr_ps(0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0))
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn f4_e3m0_to_f32(bits: __m128i) -> __m256 {
    f4_to_f32(bits, _mm256_setr_ps(0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0))
}

/// The numbers of elements of 4 bits, of which those without a sign have these `values`.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn f4_to_f32(bits: __m128i, values: __m256) -> __m256 {
    let wide = _mm256_cvtepu8_epi32(bits);
    let sign = _mm256_slli_epi32::<28>(_mm256_and_si256(wide, _mm256_set1_epi32(8)));
    // The index is three bits wide.
    _mm256_or_ps(_mm256_permutevar8x32_ps(values, wide), _mm256_castsi256_ps(sign))
}

/// `narrow` of `convert::float8`, for a format of some bits of mantissa; the three numbers follow from that and the bias.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn narrow<const MANTISSA: u32>(magnitude: __m256i, bias: i32, smallest: i32, place: i32) -> __m256i {
    let shift = _mm_cvtsi32_si128(23 - MANTISSA as i32);
    let half = _mm256_set1_epi32((1 << (22 - MANTISSA)) - 1 - bias);
    let one = _mm256_set1_epi32(1);
    // Without a mantissa the last place is the leading 1, which is not stored.
    let odd = if MANTISSA == 0 { one } else { _mm256_and_si256(_mm256_srl_epi32(magnitude, shift), one) };
    let normal = _mm256_srl_epi32(_mm256_add_epi32(_mm256_add_epi32(magnitude, half), odd), shift);
    let place = _mm256_set1_epi32(place);
    let moved = _mm256_add_ps(_mm256_castsi256_ps(magnitude), _mm256_castsi256_ps(place));
    let subnormal = _mm256_sub_epi32(_mm256_castps_si256(moved), place);
    let small = _mm256_cmpgt_epi32(_mm256_set1_epi32(smallest), magnitude);
    _mm256_blendv_epi8(normal, subnormal, small)
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn f32_to_f8_e5m2(value: __m256) -> __m256i {
    let bits = _mm256_castps_si256(value);
    let magnitude = _mm256_and_si256(bits, _mm256_set1_epi32(i32::MAX));
    let number = narrow::<2>(magnitude, 112 << 23, 113 << 23, 134 << 23);
    let large = _mm256_cmpgt_epi32(magnitude, _mm256_set1_epi32(0x476F_FFFF));
    let number = _mm256_blendv_epi8(number, _mm256_set1_epi32(0x7C), large);
    let payload = _mm256_and_si256(_mm256_srli_epi32::<21>(magnitude), _mm256_set1_epi32(1));
    let nan = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_UNORD_Q>(value, value));
    let number = _mm256_blendv_epi8(number, _mm256_or_si256(payload, _mm256_set1_epi32(0x7E)), nan);
    with_sign::<24>(number, bits)
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn f32_to_f8_e4m3(value: __m256) -> __m256i {
    let bits = _mm256_castps_si256(value);
    let magnitude = _mm256_and_si256(bits, _mm256_set1_epi32(i32::MAX));
    let number = narrow::<3>(magnitude, 120 << 23, 121 << 23, 141 << 23);
    let large = _mm256_cmpgt_epi32(magnitude, _mm256_set1_epi32(0x43E8_0000));
    with_sign::<24>(_mm256_blendv_epi8(number, _mm256_set1_epi32(0x7F), large), bits)
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn f32_to_f4_e2m1(value: __m256) -> __m256i {
    let bits = _mm256_castps_si256(value);
    let magnitude = _mm256_and_si256(bits, _mm256_set1_epi32(i32::MAX));
    let magnitude = _mm256_min_epi32(magnitude, _mm256_set1_epi32(6f32.to_bits() as i32));
    with_sign::<28>(narrow::<1>(magnitude, 126 << 23, 127 << 23, 149 << 23), bits)
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn f32_to_f4_e3m0(value: __m256) -> __m256i {
    let bits = _mm256_castps_si256(value);
    let magnitude = _mm256_and_si256(bits, _mm256_set1_epi32(i32::MAX));
    let magnitude = _mm256_min_epi32(magnitude, _mm256_set1_epi32(16f32.to_bits() as i32));
    with_sign::<28>(narrow::<0>(magnitude, 124 << 23, 125 << 23, 148 << 23), bits)
}

/// `number` with the sign of the float `bits`, `BY` bits further down.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn with_sign<const BY: i32>(number: __m256i, bits: __m256i) -> __m256i {
    let sign = _mm256_srli_epi32::<BY>(_mm256_and_si256(bits, _mm256_set1_epi32(i32::MIN)));
    _mm256_or_si256(number, sign)
}

/// The exponent.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn f32_to_e8m0(value: __m256) -> __m256i {
    _mm256_srli_epi32::<24>(_mm256_slli_epi32::<1>(_mm256_castps_si256(value)))
}

/// 1 for what is not zero, NaN included.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn f32_to_boolean(value: __m256) -> __m256i {
    let is_true = _mm256_cmp_ps::<_CMP_NEQ_UQ>(value, _mm256_setzero_ps());
    _mm256_and_si256(_mm256_castps_si256(is_true), _mm256_set1_epi32(1))
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn boolean_to_f32(bits: __m128i) -> __m256 {
    let is_false = _mm256_cmpeq_epi32(_mm256_cvtepu8_epi32(bits), _mm256_setzero_si256());
    _mm256_andnot_ps(_mm256_castsi256_ps(is_false), _mm256_set1_ps(1.0))
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn e8m0_to_f32(bits: __m128i) -> __m256 {
    let wide = _mm256_cvtepu8_epi32(bits);
    let first = _mm256_cmpeq_epi32(wide, _mm256_setzero_si256());
    let last = _mm256_cmpeq_epi32(wide, _mm256_set1_epi32(0xFF));
    // 2^-127 is subnormal; the quiet bit of NaN is the same one.
    let ends = _mm256_and_si256(_mm256_or_si256(first, last), _mm256_set1_epi32(0x0040_0000));
    _mm256_castsi256_ps(_mm256_or_si256(_mm256_slli_epi32::<23>(wide), ends))
}
