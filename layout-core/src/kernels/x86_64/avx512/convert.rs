//! Conversions of rows, sixteen elements at a time: a loader for each source type, a storer for each destination type, and
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
                Format::F32 => convert::<$src, f32, __m512>,
                Format::F16 => convert::<$src, F16, __m512>,
                Format::Bf16 => convert::<$src, Bf16, __m512>,
                Format::S32 => convert::<$src, i32, __m512>,
                Format::S8 => convert::<$src, i8, __m512>,
                Format::U8 => convert::<$src, u8, __m512>,
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
            Format::F32 => convert::<i32, f32, __m512>,
            Format::S8 => convert::<i32, i8, __m512i>,
            Format::U8 => convert::<i32, u8, __m512i>,
            // f32 between would round twice.
            _ => return None,
        },
        Format::F64 => return None,
    })
}

convert_kernel! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", 16 }

loads! {
    "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi";
    f32: __m512, load64 load64_first, |bits| _mm512_castsi512_ps(bits);
    F16: __m512, load32 load32_first, |bits| _mm512_cvtph_ps(bits);
    Bf16: __m512, load32 load32_first, |bits| bf16_to_f32(bits);
    i8: __m512, load16 load16_first, |bits| _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bits));
    u8: __m512, load16 load16_first, |bits| _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bits));
    i32: __m512, load64 load64_first, |bits| _mm512_cvt_roundepi32_ps::<NEAREST>(bits);
    i32: __m512i, load64 load64_first, |bits| bits;
}

stores! {
    "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi";
    f32: __m512, store64 store64_first, |value| _mm512_castps_si512(value);
    F16: __m512, store32 store32_first, |value| _mm512_cvtps_ph::<NEAREST>(value);
    Bf16: __m512, store32 store32_first, |value| f32_to_bf16(value);
    i32: __m512, store64 store64_first, |value| f32_to_s32(value);
    i8: __m512, store16 store16_first, |value| _mm512_cvtepi32_epi8(f32_to_range(value, -128.0, 127.0));
    u8: __m512, store16 store16_first, |value| _mm512_cvtepi32_epi8(f32_to_range(value, 0.0, 255.0));
    i8: __m512i, store16 store16_first, |value| _mm512_cvtsepi32_epi8(value);
    u8: __m512i, store16 store16_first,
        |value| _mm512_cvtusepi32_epi8(_mm512_max_epi32(value, _mm512_setzero_si512()));
}

/// To the nearest, ties to even, whatever the floating-point environment says.
const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn bf16_to_f32(bits: __m256i) -> __m512 {
    let wide = _mm512_slli_epi32::<16>(_mm512_cvtepu16_epi32(bits));
    let value = _mm512_castsi512_ps(wide);
    // A NaN becomes quiet.
    let nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(value, value);
    _mm512_castsi512_ps(_mm512_mask_or_epi32(wide, nan, wide, _mm512_set1_epi32(0x0040_0000)))
}

/// Not the instruction of AVX512_BF16, which takes subnormal numbers for zero.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn f32_to_bf16(value: __m512) -> __m256i {
    let bits = _mm512_castps_si512(value);
    let high = _mm512_srli_epi32::<16>(bits);
    let odd = _mm512_and_si512(high, _mm512_set1_epi32(1));
    let rounded = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7FFF)), odd);
    let nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(value, value);
    let quiet = _mm512_or_si512(high, _mm512_set1_epi32(0x0040));
    _mm512_cvtepi32_epi16(_mm512_mask_mov_epi32(_mm512_srli_epi32::<16>(rounded), nan, quiet))
}

/// The nearest integer within `low..=high`, which are integers; 0 for NaN.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn f32_to_range(value: __m512, low: f32, high: f32) -> __m512i {
    let number = _mm512_cmp_ps_mask::<_CMP_ORD_Q>(value, value);
    let value = _mm512_min_ps(_mm512_max_ps(value, _mm512_set1_ps(low)), _mm512_set1_ps(high));
    _mm512_maskz_cvt_roundps_epi32::<NEAREST>(number, value)
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
