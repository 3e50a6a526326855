//! The zip network of this family. Used by `transpose` and `narrow`; touches no memory.

use core::arch::aarch64::*;
use core::convert::identity;

use super::super::super::parts::zip::zip_network;

zip_network! { pub(super) turn, uint8x16_t, "neon", low1 high1, low2 high2, low4 high4, low8 high8 }

/// `low high by zip1 zip2, cast there and back`: the lower and the upper halves of two registers, element by element.
macro_rules! zips {
    ($($low:ident $high:ident by $zip1:ident $zip2:ident, $to:ident $from:ident;)*) => {$(
        #[inline]
        #[target_feature(enable = "neon")]
        fn $low(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
            $from($zip1($to(a), $to(b)))
        }

        #[inline]
        #[target_feature(enable = "neon")]
        fn $high(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
            $from($zip2($to(a), $to(b)))
        }
    )*};
}

zips! {
    low1 high1 by vzip1q_u8 vzip2q_u8, identity identity;
    low2 high2 by vzip1q_u16 vzip2q_u16, vreinterpretq_u16_u8 vreinterpretq_u8_u16;
    low4 high4 by vzip1q_u32 vzip2q_u32, vreinterpretq_u32_u8 vreinterpretq_u8_u32;
    low8 high8 by vzip1q_u64 vzip2q_u64, vreinterpretq_u64_u8 vreinterpretq_u8_u64;
}
