//! Between f32 and bf16. Called by this folder's loops.

use core::arch::x86_64::*;

use super::super::memory::store32;
use super::halves;

#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn bf16_to_f32(bits: __m128i) -> __m256 {
    quiet(_mm256_slli_epi32::<16>(_mm256_cvtepu16_epi32(bits)))
}

/// The f32 with the bits `wide`, of which a NaN becomes quiet.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn quiet(wide: __m256i) -> __m256 {
    let value = _mm256_castsi256_ps(wide);
    let nan = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_UNORD_Q>(value, value));
    _mm256_castsi256_ps(_mm256_or_si256(wide, _mm256_and_si256(nan, _mm256_set1_epi32(0x0040_0000))))
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn f32_to_bf16(value: __m256) -> __m128i {
    let (low, high) = halves(rounded_to_bf16(value));
    _mm_packus_epi32(low, high)
}

/// The nearest bf16, ties to even, a quiet NaN for NaN.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn rounded_to_bf16(value: __m256) -> __m256i {
    let bits = _mm256_castps_si256(value);
    let high = _mm256_srli_epi32::<16>(bits);
    let odd = _mm256_and_si256(high, _mm256_set1_epi32(1));
    let rounded = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7FFF)), odd);
    let nan = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_UNORD_Q>(value, value));
    let quiet = _mm256_or_si256(high, _mm256_set1_epi32(0x0040));
    _mm256_blendv_epi8(_mm256_srli_epi32::<16>(rounded), quiet, nan)
}

/// The nearest bf16, ties to even, in the upper half of each number; what is NaN becomes anything.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn near_bf16(value: __m256) -> __m256i {
    let bits = _mm256_castps_si256(value);
    let odd = _mm256_and_si256(_mm256_srli_epi32::<16>(bits), _mm256_set1_epi32(1));
    _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7FFF)), odd)
}

/// Whether a value of one of the two is NaN.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn has_nan(a: __m256, b: __m256) -> bool {
    _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_UNORD_Q>(a, b)) != 0
}

/// The nearest bf16 of both, ties to even, those of `a` in the lower halves.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn beside_bf16(a: __m256, b: __m256) -> __m256i {
    if has_nan(a, b) {
        return _mm256_or_si256(rounded_to_bf16(a), _mm256_slli_epi32::<16>(rounded_to_bf16(b)));
    }
    _mm256_blend_epi16::<0b1010_1010>(_mm256_srli_epi32::<16>(near_bf16(a)), near_bf16(b))
}

/// The nearest bf16 of both, ties to even, those of `b` behind those of `a` in each lane.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn two_bf16(a: __m256, b: __m256) -> __m256i {
    if has_nan(a, b) {
        return two_with_nan(a, b);
    }
    let [a, b] = [near_bf16(a), near_bf16(b)];
    _mm256_packus_epi32(_mm256_srli_epi32::<16>(a), _mm256_srli_epi32::<16>(b))
}

/// [`two_bf16`] for any values. Not inlined: else these few instructions may lie in the middle of a loop.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
fn two_with_nan(a: __m256, b: __m256) -> __m256i {
    _mm256_packus_epi32(rounded_to_bf16(a), rounded_to_bf16(b))
}

/// Stores the elements of four registers as bf16.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn four_bf16(dst: *mut u8, [a, b, c, d]: [__m256; 4]) {
    let (low, high) = (two_bf16(a, b), two_bf16(c, d));
    // Both halves of a register are packed apart.
    let low = _mm256_permute4x64_epi64::<0b11_01_10_00>(low);
    let high = _mm256_permute4x64_epi64::<0b11_01_10_00>(high);
    // SAFETY: the caller's promise.
    unsafe { store32(dst, low) };
    // SAFETY: as above.
    unsafe { store32(dst.wrapping_add(32), high) };
}
