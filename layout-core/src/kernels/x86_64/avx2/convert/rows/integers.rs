//! Integers in registers of 32 bits each, on their way to others: as bits of f32, which nothing computes with. Called by this folder's
//! loops and `crossed`.

use core::arch::x86_64::*;

use super::super::super::super::super::parts::convert::{Load, Store};
use super::super::super::super::super::parts::loops::{Integer, loads, stores};
use super::super::super::memory::*;
use super::super::apart::{apart8, apart32};
use super::super::{first_8bit, first_32bit, in_order, put_8bit, put_32bit, s32_to_s8, s32_to_u8, stream8};

loads! {
    "avx2,f16c", __m256;
    Integer<i32>: load32 first_32bit, |bits| _mm256_castsi256_ps(bits), apart32;
    Integer<i8>: load8 first_8bit, |bits| _mm256_castsi256_ps(_mm256_cvtepi8_epi32(bits)), apart8;
    Integer<u8>: load8 first_8bit, |bits| _mm256_castsi256_ps(_mm256_cvtepu8_epi32(bits)), apart8;
}

stores! {
    "avx2,f16c", __m256;
    Integer<i32>: store32 _mm256_stream_si256 put_32bit, |value| _mm256_castps_si256(value);
    Integer<i8>: store8 stream8 put_8bit, |value| s32_to_s8(_mm256_castps_si256(value)), four_s8;
    Integer<u8>: store8 stream8 put_8bit, |value| s32_to_u8(_mm256_castps_si256(value)), four_u8;
}

/// `$name: $type => $pack`: stores the integers of four registers as `$type`, saturated, at once.
macro_rules! fours {
    ($($name:ident: $type:literal => $pack:ident;)*) => {$(
        #[doc = concat!("Stores the integers of four registers as ", $type, ", saturated.")]
        ///
        /// # Safety
        /// They can be written.
        #[inline]
        #[target_feature(enable = "avx2,f16c")]
        unsafe fn $name(dst: *mut u8, [a, b, c, d]: [__m256; 4]) {
            let (a, b) = (_mm256_castps_si256(a), _mm256_castps_si256(b));
            let (c, d) = (_mm256_castps_si256(c), _mm256_castps_si256(d));
            let bytes = in_order($pack(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d)));
            // SAFETY: the caller's promise.
            unsafe { store32(dst, bytes) };
        }
    )*};
}
fours! {
    four_s8: "s8" => _mm256_packs_epi16;
    four_u8: "u8" => _mm256_packus_epi16;
}
