//! Conversions of rows, sixteen elements at a time: a loader for each source type, a storer for each destination type, and
//! f32 between them, with an affine map if there is one. Bit for bit what `kernels::convert` says.

mod crossed;
mod float8;
mod integers;
mod lookup;
mod narrow16;
mod native;
mod nibbles;
mod saturate;
mod short;
mod wide;

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::super::convert::{
    Bf16, Boolean, Convert, E8M0, F4E2M1, F4E3M0, F8E4M3, F8E5M2, F16, Format, Number,
};
use super::super::super::cpu::Avx512;
use super::super::super::drive::{AddRows, ConvertRows, Rows, by_buffer};
use super::super::super::epilogue::{
    ALL, Affine, FACTOR, FACTOR_SHIFT, NONE, PARAMETERS, SECOND, SHIFT, SHIFT_FACTOR,
};
use super::super::super::generic::{step, step_mut};
use super::super::super::parts::convert::{
    AnyBf16, Load, OddF64, OddS32, Row, Store, claim, claim_row, convert_kernel, lines, one_pass_kernel, pad,
    zero,
};
use super::super::super::parts::loops::{loads, loops, stores};
use super::super::super::parts::rows::BLOCK;
use super::memory::*;
pub(in super::super::super) use crossed::planes_way;
pub(super) use crossed::way as crossed_way;
use float8::{e8m0_to_f32, f32_to_e8m0, four_e4m3, four_e5m2};
use integers::{four_s8, in_order};
pub(super) use lookup::look_up;
pub(in super::super::super) use native::bf16::native_results;
pub(super) use native::bf16::{keep_normal, store_four};
pub(in super::super::super) use native::is_native;
pub(super) use nibbles::{nibbles, results_of};
use saturate::{narrow_rows, rows as saturated_rows, widen_rows};
pub(super) use short::{native_parted_rows, padded_tile, parted_rows};

loops! {
    F64: f64, F16: F16, Bf16: Bf16, S32: i32, S8: i8, U8: u8, F8E5M2: F8E5M2, F8E4M3: F8E4M3, E8M0: E8M0, F4E2M1: F4E2M1,
    F4E3M0: F4E3M0, Boolean: Boolean;
    small F8E5M2: F8E5M2, F8E4M3: F8E4M3;
    odd F64: OddF64 => F16: F16, Bf16: Bf16, S8: i8, U8: u8, F8E5M2: F8E5M2, F8E4M3: F8E4M3, F4E2M1: F4E2M1, F4E3M0: F4E3M0,
        Boolean: Boolean;
    odd S32: OddS32 => Bf16: Bf16, E8M0: E8M0;
}

/// The loop that converts rows from `src` to `dst`, where this family has one of its own; with parameters, if `scaled`.
#[inline]
pub(in super::super::super) fn convert_rows(
    token: Avx512,
    src: Format,
    dst: Format,
    scaled: bool,
) -> Option<ConvertRows> {
    let own = match (src, dst) {
        _ if scaled => None,
        (Format::S8, Format::U8) => Some(saturated_rows::<true> as ConvertRows),
        (Format::U8, Format::S8) => Some(saturated_rows::<false> as ConvertRows),
        (Format::S32, Format::S8) => Some(narrow_rows::<true> as ConvertRows),
        (Format::S32, Format::U8) => Some(narrow_rows::<false> as ConvertRows),
        (Format::S8, Format::S32) => Some(widen_rows::<true> as ConvertRows),
        (Format::U8, Format::S32) => Some(widen_rows::<false> as ConvertRows),
        _ => native::convert_rows(token, src, dst).or(narrow16::convert_rows(src, dst)),
    };
    own.or(loop_between(src, dst, scaled))
}

/// The loop with parameters for rows of some registers, of those pairs that have no other.
#[inline]
pub(in super::super::super) const fn scale_rows(
    _token: Avx512,
    src: Format,
    dst: Format,
) -> Option<ConvertRows> {
    scale_between(src, dst)
}

/// The loop that adds elements of `src` to those of `dst`, where this family has one.
#[inline]
pub(in super::super::super) const fn add_rows(_token: Avx512, src: Format, dst: Format) -> Option<AddRows> {
    add_between(src, dst)
}

convert_kernel! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", __m512, 16, zero: _mm512_setzero_ps(), overlap: false }
one_pass_kernel! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", __m512, 16 }

loads! {
    "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", __m512;
    f32: load64 first_32bit, |bits| _mm512_castsi512_ps(bits);
    F16: load32 first_16bit, |bits| _mm512_cvtph_ps(bits);
    Bf16: load32 first_16bit, |bits| bf16_to_f32(bits);
    AnyBf16: load32 first_16bit,
        |bits| _mm512_castsi512_ps(_mm512_slli_epi32::<16>(_mm512_cvtepu16_epi32(bits)));
    i8: load16 first_8bit, |bits| _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bits));
    u8: load16 first_8bit, |bits| _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bits));
    F8E5M2: load16 first_8bit, |bits| _mm512_cvtph_ps(_mm256_slli_epi16::<8>(_mm256_cvtepu8_epi16(bits)));
    F8E4M3: load16 first_8bit, |bits| f8_e4m3_to_f32(bits);
    E8M0: load16 first_8bit, |bits| e8m0_to_f32(bits);
    F4E2M1: load16 first_8bit, |bits| f4_e2m1_to_f32(bits);
    F4E3M0: load16 first_8bit, |bits| f4_e3m0_to_f32(bits);
    Boolean: load16 first_8bit, |bits| _mm512_maskz_mov_ps(_mm_test_epi8_mask(bits, bits), _mm512_set1_ps(1.0));
    i32: load64 first_32bit, |bits| _mm512_cvt_roundepi32_ps::<NEAREST>(bits);
}

stores! {
    "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", __m512;
    f32: store64 _mm512_stream_si512 put_32bit, |value| _mm512_castps_si512(value);
    F16: store32 _mm256_stream_si256 put_16bit, |value| _mm512_cvtps_ph::<NEAREST>(value);
    Bf16: store32 _mm256_stream_si256 put_16bit, |value| f32_to_bf16(value), four_bf16;
    i32: store64 _mm512_stream_si512 put_32bit, |value| f32_to_s32(value);
    i8: store16 _mm_stream_si128 put_8bit, |value| _mm512_cvtsepi32_epi8(f32_to_s32_below(value, 127.0)), four_s8;
    F8E5M2: store16 _mm_stream_si128 put_8bit, |value| _mm512_cvtepi32_epi8(f32_to_f8_e5m2(value)), four_e5m2;
    F8E4M3: store16 _mm_stream_si128 put_8bit, |value| _mm512_cvtepi32_epi8(f32_to_f8_e4m3(value)), four_e4m3;
    E8M0: store16 _mm_stream_si128 put_8bit, |value| _mm512_cvtepi32_epi8(f32_to_e8m0(value));
    F4E2M1: store16 _mm_stream_si128 put_8bit, |value| _mm512_cvtepi32_epi8(f32_to_f4_e2m1(value));
    F4E3M0: store16 _mm_stream_si128 put_8bit, |value| _mm512_cvtepi32_epi8(f32_to_f4_e3m0(value));
    Boolean: store16 _mm_stream_si128 put_8bit, |value| _mm_maskz_set1_epi8(is_true(value), 1), four_booleans;
    u8: store16 _mm_stream_si128 put_8bit, |value| _mm512_cvtusepi32_epi8(f32_to_u32(value));
}

/// What `epilogue` says: the `STEPS` of it, rounded each for itself.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn apply<const STEPS: u8>(mut value: __m512, parameters: &[__m512; PARAMETERS]) -> __m512 {
    for (k, &parameter) in parameters.iter().enumerate() {
        if STEPS >> k & 1 == 1 {
            value = match k {
                0 => _mm512_sub_ps(value, parameter),
                3 => _mm512_add_ps(value, parameter),
                _ => _mm512_mul_ps(value, parameter),
            };
        }
    }
    value
}

/// Ones for the first `len` (at most 16) elements.
#[inline]
const fn ones(len: usize) -> __mmask16 {
    ((1u32 << len) - 1) as __mmask16
}

/// The first `len` values, then zeros.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn keep_first(value: __m512, len: usize) -> __m512 {
    _mm512_maskz_mov_ps(ones(len), value)
}

/// `$load: the first elements of a width, others zero; $store: writes them` => the instructions. What has no bit in the mask
/// is not touched.
macro_rules! firsts {
    ($($load:ident $store:ident: $value:ty, $masked_load:ident $masked_store:ident;)*) => {$(
        /// Reads `len` elements; the others are zero.
        ///
        /// # Safety
        /// They can be read.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
        unsafe fn $load(src: *const u8, len: usize) -> $value {
            // SAFETY: the caller's promise.
            unsafe { $masked_load(ones(len), src.cast()) }
        }

        /// Writes the first `len` elements.
        ///
        /// # Safety
        /// They can be written.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
        unsafe fn $store(dst: *mut u8, value: $value, len: usize) {
            // SAFETY: the caller's promise.
            unsafe { $masked_store(dst.cast(), ones(len), value) }
        }
    )*};
}
firsts! {
    first_8bit put_8bit: __m128i, _mm_maskz_loadu_epi8 _mm_mask_storeu_epi8;
    first_16bit put_16bit: __m256i, _mm256_maskz_loadu_epi16 _mm256_mask_storeu_epi16;
    first_32bit put_32bit: __m512i, _mm512_maskz_loadu_epi32 _mm512_mask_storeu_epi32;
}

/// To the nearest, ties to even, whatever the floating-point environment says.
const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn bf16_to_f32(bits: __m256i) -> __m512 {
    bf16_to_f32_wide(_mm512_slli_epi32::<16>(_mm512_cvtepu16_epi32(bits)))
}

/// The numbers that have the bits of a bf16 in the upper half.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn bf16_to_f32_wide(wide: __m512i) -> __m512 {
    let value = _mm512_castsi512_ps(wide);
    // A NaN becomes quiet.
    let nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(value, value);
    _mm512_castsi512_ps(_mm512_mask_or_epi32(wide, nan, wide, _mm512_set1_epi32(0x0040_0000)))
}

/// The nearest bf16, ties to even, in the upper half of each value, a quiet NaN for NaN; the lower half is anything. Not the
/// instruction of AVX512_BF16, which takes subnormal numbers for zero.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn rounded_to_bf16(value: __m512) -> __m512i {
    let bits = _mm512_castps_si512(value);
    let odd = _mm512_and_si512(_mm512_srli_epi32::<16>(bits), _mm512_set1_epi32(1));
    let rounded = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7FFF)), odd);
    /// For the two kinds of NaN the value as a quiet one, for any number what was there.
    const QUIET: i32 = 0x22;
    let rounded = _mm512_castsi512_ps(rounded);
    _mm512_castps_si512(_mm512_fixupimm_ps::<0>(rounded, value, _mm512_set1_epi32(QUIET)))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn f32_to_bf16(value: __m512) -> __m256i {
    _mm512_cvtepi32_epi16(_mm512_srli_epi32::<16>(rounded_to_bf16(value)))
}

/// Stores the elements of four registers as bf16.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn four_bf16(dst: *mut u8, [a, b, c, d]: [__m512; 4]) {
    // The upper halves of two registers.
    let upper = _mm512_set_epi16(
        63, 61, 59, 57, 55, 53, 51, 49, 47, 45, 43, 41, 39, 37, 35, 33, 31, 29, 27, 25, 23, 21, 19, 17, 15,
        13, 11, 9, 7, 5, 3, 1,
    );
    let low = _mm512_permutex2var_epi16(rounded_to_bf16(a), upper, rounded_to_bf16(b));
    let high = _mm512_permutex2var_epi16(rounded_to_bf16(c), upper, rounded_to_bf16(d));
    // SAFETY: the caller's promise.
    unsafe { store64(dst, low) };
    // SAFETY: as above.
    unsafe { store64(dst.wrapping_add(64), high) };
}

/// The nearest integer no larger than `high`, which is one; saturated below, 0 for NaN.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn f32_to_s32_below(value: __m512, high: f32) -> __m512i {
    let number = _mm512_cmp_ps_mask::<_CMP_ORD_Q>(value, value);
    // What is too small converts to the smallest number.
    _mm512_maskz_cvt_roundps_epi32::<NEAREST>(number, _mm512_min_ps(value, _mm512_set1_ps(high)))
}

/// The nearest integer, 0 for negative numbers and NaN; what is too large converts to 2^31.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn f32_to_u32(value: __m512) -> __m512i {
    // Of NaN and a number the maximum is the second operand.
    _mm512_cvt_roundps_epi32::<NEAREST>(_mm512_max_ps(value, _mm512_setzero_ps()))
}

/// The nearest integer, saturated; 0 for NaN.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn f32_to_s32(value: __m512) -> __m512i {
    let number = _mm512_cmp_ps_mask::<_CMP_ORD_Q>(value, value);
    // What is too small converts to the smallest number, as does what is too large.
    let near = _mm512_maskz_cvt_roundps_epi32::<NEAREST>(number, value);
    let large = _mm512_cmp_ps_mask::<_CMP_GE_OQ>(value, _mm512_set1_ps(2_147_483_648.0));
    _mm512_mask_mov_epi32(near, large, _mm512_set1_epi32(i32::MAX))
}

/// f16 has three bits of mantissa in the same place, and one bit of exponent more.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn f8_e4m3_to_f32(bits: __m128i) -> __m512 {
    let wide = _mm256_cvtepu8_epi16(bits);
    let magnitude = _mm256_and_si256(_mm256_slli_epi16::<7>(wide), _mm256_set1_epi16(0x3F80));
    let sign = _mm256_and_si256(_mm256_slli_epi16::<8>(wide), _mm256_set1_epi16(0x8000u16 as i16));
    // The biases differ by 8.
    let value = _mm512_mul_ps(_mm512_cvtph_ps(_mm256_or_si256(magnitude, sign)), _mm512_set1_ps(256.0));
    // What would be 480 is NaN.
    let nan = _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(_mm512_abs_ps(value), _mm512_set1_ps(480.0));
    let sign = _mm512_and_si512(_mm512_castps_si512(value), _mm512_set1_epi32(i32::MIN));
    let quiet = _mm512_or_si512(sign, _mm512_set1_epi32(0x7FC0_0000));
    _mm512_mask_mov_ps(value, nan, _mm512_castsi512_ps(quiet))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn f4_e2m1_to_f32(bits: __m128i) -> __m512 {
    let values = _mm512_setr_ps(
        0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0,
    );
    _mm512_permutexvar_ps(_mm512_cvtepu8_epi32(bits), values)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn f4_e3m0_to_f32(bits: __m128i) -> __m512 {
    let values = _mm512_setr_ps(
        0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, -0.0, -0.25, -0.5, -1.0, -2.0, -4.0, -8.0, -16.0,
    );
    _mm512_permutexvar_ps(_mm512_cvtepu8_epi32(bits), values)
}

/// `narrow` of `convert::float8`, for a format of some bits of mantissa; the three numbers follow from that and the bias.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn narrow<const MANTISSA: u32>(magnitude: __m512i, bias: i32, smallest: i32, place: i32) -> __m512i {
    let shift = _mm_cvtsi32_si128(23 - MANTISSA as i32);
    let half = _mm512_set1_epi32((1 << (22 - MANTISSA)) - 1 - bias);
    let one = _mm512_set1_epi32(1);
    // Without a mantissa the last place is the leading 1, which is not stored.
    let odd = if MANTISSA == 0 { one } else { _mm512_and_si512(_mm512_srl_epi32(magnitude, shift), one) };
    let normal = _mm512_srl_epi32(_mm512_add_epi32(_mm512_add_epi32(magnitude, half), odd), shift);
    let place = _mm512_set1_epi32(place);
    let moved = _mm512_add_ps(_mm512_castsi512_ps(magnitude), _mm512_castsi512_ps(place));
    let subnormal = _mm512_sub_epi32(_mm512_castps_si512(moved), place);
    let small = _mm512_cmplt_epi32_mask(magnitude, _mm512_set1_epi32(smallest));
    _mm512_mask_mov_epi32(normal, small, subnormal)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn f32_to_f8_e5m2(value: __m512) -> __m512i {
    let bits = _mm512_castps_si512(value);
    let magnitude = _mm512_and_si512(bits, _mm512_set1_epi32(i32::MAX));
    let number = narrow::<2>(magnitude, 112 << 23, 113 << 23, 134 << 23);
    let large = _mm512_cmpge_epi32_mask(magnitude, _mm512_set1_epi32(0x4770_0000));
    let number = _mm512_mask_mov_epi32(number, large, _mm512_set1_epi32(0x7C));
    let payload = _mm512_and_si512(_mm512_srli_epi32::<21>(magnitude), _mm512_set1_epi32(1));
    let nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(value, value);
    let number = _mm512_mask_or_epi32(number, nan, payload, _mm512_set1_epi32(0x7E));
    with_sign::<24>(number, bits)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn f32_to_f8_e4m3(value: __m512) -> __m512i {
    let bits = _mm512_castps_si512(value);
    let magnitude = _mm512_and_si512(bits, _mm512_set1_epi32(i32::MAX));
    let number = narrow::<3>(magnitude, 120 << 23, 121 << 23, 141 << 23);
    let large = _mm512_cmpgt_epi32_mask(magnitude, _mm512_set1_epi32(0x43E8_0000));
    let number = _mm512_mask_mov_epi32(number, large, _mm512_set1_epi32(0x7F));
    with_sign::<24>(number, bits)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn f32_to_f4_e2m1(value: __m512) -> __m512i {
    let bits = _mm512_castps_si512(value);
    let magnitude = _mm512_and_si512(bits, _mm512_set1_epi32(i32::MAX));
    let magnitude = _mm512_min_epi32(magnitude, _mm512_set1_epi32(6f32.to_bits() as i32));
    with_sign::<28>(narrow::<1>(magnitude, 126 << 23, 127 << 23, 149 << 23), bits)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn f32_to_f4_e3m0(value: __m512) -> __m512i {
    let bits = _mm512_castps_si512(value);
    let magnitude = _mm512_and_si512(bits, _mm512_set1_epi32(i32::MAX));
    let magnitude = _mm512_min_epi32(magnitude, _mm512_set1_epi32(16f32.to_bits() as i32));
    with_sign::<28>(narrow::<0>(magnitude, 124 << 23, 125 << 23, 148 << 23), bits)
}

/// `number` with the sign of the float `bits`, `BY` bits further down.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn with_sign<const BY: u32>(number: __m512i, bits: __m512i) -> __m512i {
    let sign = _mm512_srli_epi32::<BY>(_mm512_and_si512(bits, _mm512_set1_epi32(i32::MIN)));
    _mm512_or_si512(number, sign)
}

/// What is not zero, NaN included.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn is_true(value: __m512) -> __mmask16 {
    _mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(value, _mm512_setzero_ps())
}

/// Stores the elements of four registers as booleans.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn four_booleans(dst: *mut u8, [a, b, c, d]: [__m512; 4]) {
    let low = u64::from(is_true(b)) << 16 | u64::from(is_true(a));
    let high = u64::from(is_true(d)) << 16 | u64::from(is_true(c));
    let booleans = _mm512_maskz_set1_epi8(high << 32 | low, 1);
    // SAFETY: the caller's promise.
    unsafe { store64(dst, booleans) };
}
