//! Conversions of rows, eight elements at a time: a loader for each source type, a storer for each destination type, and
//! every pair of them a loop. f32 stands between all types that it holds exactly; s32 has its own way to 8 bits.
//! Bit for bit what `kernels::convert` says.

use core::arch::x86_64::*;

use super::super::super::convert::{Bf16, F16, Format};
use super::super::super::drive::{ConvertRows, Rows};
use super::super::super::generic::{step, step_mut, zero_run};
use super::super::parts::convert::{Load, Store, convert_kernel, loads, stores};
use super::memory::*;

/// The loop from `src` to `dst`, where there is one.
#[inline(always)]
pub(super) fn rows(src: Format, dst: Format) -> Option<ConvertRows> {
    /// All destinations that differ from the source.
    macro_rules! from {
        ($src:ty, $own:ident) => {
            match dst {
                Format::$own | Format::F64 => return None,
                Format::F32 => convert::<$src, f32, __m256>,
                Format::F16 => convert::<$src, F16, __m256>,
                Format::Bf16 => convert::<$src, Bf16, __m256>,
                Format::S32 => convert::<$src, i32, __m256>,
                Format::S8 => convert::<$src, i8, __m256>,
                Format::U8 => convert::<$src, u8, __m256>,
            }
        };
    }
    #[allow(unreachable_patterns, reason = "a type is not converted to itself")]
    Some(match src {
        Format::F32 => from!(f32, F32),
        Format::F16 => from!(F16, F16),
        Format::Bf16 => from!(Bf16, Bf16),
        Format::S8 => from!(i8, S8),
        Format::U8 => from!(u8, U8),
        Format::S32 => match dst {
            Format::F32 => convert::<i32, f32, __m256>,
            Format::S8 => convert::<i32, i8, __m256i>,
            Format::U8 => convert::<i32, u8, __m256i>,
            // f32 between would round twice.
            _ => return None,
        },
        Format::F64 => return None,
    })
}

convert_kernel! { "avx2,f16c", 8 }

loads! {
    "avx2,f16c";
    f32: __m256, load32 load32_first, |bits| _mm256_castsi256_ps(bits);
    F16: __m256, load16 load16_first, |bits| _mm256_cvtph_ps(bits);
    Bf16: __m256, load16 load16_first, |bits| bf16_to_f32(bits);
    i8: __m256, load8 load16_first, |bits| _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bits));
    u8: __m256, load8 load16_first, |bits| _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bits));
    i32: __m256, load32 load32_first, |bits| _mm256_cvtepi32_ps(bits);
    i32: __m256i, load32 load32_first, |bits| bits;
}

stores! {
    "avx2,f16c";
    f32: __m256, store32 store32_first, |value| _mm256_castps_si256(value);
    F16: __m256, store16 store16_first, |value| _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(value);
    Bf16: __m256, store16 store16_first, |value| f32_to_bf16(value);
    i32: __m256, store32 store32_first, |value| f32_to_s32(value);
    i8: __m256, store8 store16_first, |value| s32_to_s8(f32_to_range(value, -128.0, 127.0));
    u8: __m256, store8 store16_first, |value| s32_to_u8(f32_to_range(value, 0.0, 255.0));
    i8: __m256i, store8 store16_first, |value| s32_to_s8(value);
    u8: __m256i, store8 store16_first, |value| s32_to_u8(value);
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

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn bf16_to_f32(bits: __m128i) -> __m256 {
    let wide = _mm256_slli_epi32::<16>(_mm256_cvtepu16_epi32(bits));
    let value = _mm256_castsi256_ps(wide);
    // A NaN becomes quiet.
    let nan = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_UNORD_Q>(value, value));
    _mm256_castsi256_ps(_mm256_or_si256(wide, _mm256_and_si256(nan, _mm256_set1_epi32(0x0040_0000))))
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn f32_to_bf16(value: __m256) -> __m128i {
    let bits = _mm256_castps_si256(value);
    let high = _mm256_srli_epi32::<16>(bits);
    let odd = _mm256_and_si256(high, _mm256_set1_epi32(1));
    let rounded = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7FFF)), odd);
    let nan = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_UNORD_Q>(value, value));
    let quiet = _mm256_or_si256(high, _mm256_set1_epi32(0x0040));
    let (low, high) = halves(_mm256_blendv_epi8(_mm256_srli_epi32::<16>(rounded), quiet, nan));
    _mm_packus_epi32(low, high)
}

/// The nearest integer within `low..=high`, which are integers; 0 for NaN.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn f32_to_range(value: __m256, low: f32, high: f32) -> __m256i {
    let number = _mm256_cmp_ps::<_CMP_ORD_Q>(value, value);
    let value = _mm256_and_ps(number, value);
    // Rounding is that of the environment, which Rust programs leave at its default.
    _mm256_cvtps_epi32(_mm256_min_ps(_mm256_max_ps(value, _mm256_set1_ps(low)), _mm256_set1_ps(high)))
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
