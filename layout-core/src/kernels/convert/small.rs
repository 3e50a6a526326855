//! The number types of 8 bits and less beside the integers, and the conversions that define theirs: to f32, which holds them
//! all, and from f32, f64 and, where f32 between would round twice, s32. Called by the converting kernels, which go
//! through f32 between two of them.
//!
//! Elements of 4 bits are here as bytes: `packed` takes them out of memory and puts them back.

use super::float8::*;
use super::number::{Convert, Format, Number};

/// `$name: $format, to f32, from f32, from f64`.
macro_rules! small_numbers {
    ($($(#[$doc:meta])* $name:ident: $format:ident, $to_f32:expr, $from_f32:expr, $from_f64:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub(crate) struct $name(u8);

        impl Number for $name {
            const FORMAT: Format = Format::$format;
        }
        impl Convert<f32> for $name {
            #[inline(always)]
            fn convert(self) -> f32 {
                $to_f32(self.0)
            }
        }
        impl Convert<$name> for f32 {
            #[inline(always)]
            fn convert(self) -> $name {
                $name($from_f32(self))
            }
        }
        impl Convert<$name> for f64 {
            #[inline(always)]
            fn convert(self) -> $name {
                $name($from_f64(self))
            }
        }
    )*};
}
small_numbers! {
    /// An f8_e5m2 as its bits.
    F8E5M2: F8E5M2, f8_e5m2_to_f32, f32_to_f8_e5m2, f64_to_f8_e5m2;
    /// An f8_e4m3 as its bits.
    F8E4M3: F8E4M3, f8_e4m3_to_f32, f32_to_f8_e4m3, f64_to_f8_e4m3;
    /// An e8m0 as its bits.
    E8M0: E8M0, e8m0_to_f32, f32_to_e8m0, f64_to_e8m0;
    /// An f4_e2m1 in the lower half of a byte, whose upper half is 0.
    F4E2M1: F4E2M1, f4_e2m1_to_f32, f32_to_f4_e2m1, f64_to_f4_e2m1;
    /// An f4_e3m0 in the lower half of a byte, whose upper half is 0.
    F4E3M0: F4E3M0, f4_e3m0_to_f32, f32_to_f4_e3m0, f64_to_f4_e3m0;
    /// False is 0, true is every other byte; true is written as 1.
    Boolean: Boolean, |bits| if bits == 0 { 0.0 } else { 1.0 }, |value| u8::from(value != 0.0), |value| u8::from(value != 0.0);
}

impl Convert<E8M0> for i32 {
    /// In f32 the largest numbers below a power of two would become that.
    #[inline(always)]
    fn convert(self) -> E8M0 {
        E8M0(f64_to_e8m0(self as f64))
    }
}
