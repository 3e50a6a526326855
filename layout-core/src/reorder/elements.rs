//! What the element types that Rust does not have are worth: conversions of single numbers, comparison and text. The bit
//! patterns themselves are in `descriptor`, the arithmetic in `kernels::convert`.

use crate::descriptor::{E8M0, F8E4M3, F8E5M2};
use crate::kernels::convert::{
    e8m0_to_f32, f8_e4m3_to_f32, f8_e5m2_to_f32, f32_to_e8m0, f32_to_f8_e4m3, f32_to_f8_e5m2, f64_to_e8m0,
    f64_to_f8_e4m3, f64_to_f8_e5m2,
};
use core::cmp::Ordering;
use core::fmt;

/// `$name: $to_f32, $from_f32, $from_f64`.
macro_rules! floats {
    ($($name:ident: $to_f32:ident, $from_f32:ident, $from_f64:ident;)*) => {$(
        impl $name {
            #[doc = concat!("The nearest number, as [`", stringify!($from_f32), "`](crate::kernels::convert::", stringify!($from_f32), ") has it.")]
            pub const fn from_f32(value: f32) -> $name {
                $name::from_bits($from_f32(value))
            }

            #[doc = concat!("The nearest number, rounded once, as [`", stringify!($from_f64), "`](crate::kernels::convert::", stringify!($from_f64), ") has it.")]
            pub const fn from_f64(value: f64) -> $name {
                $name::from_bits($from_f64(value))
            }

            /// The value, which f32 holds.
            pub const fn to_f32(self) -> f32 {
                $to_f32(self.to_bits())
            }
        }

        impl From<$name> for f32 {
            fn from(value: $name) -> f32 {
                value.to_f32()
            }
        }

        impl From<$name> for f64 {
            fn from(value: $name) -> f64 {
                value.to_f32().into()
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &$name) -> bool {
                self.to_f32() == other.to_f32()
            }
        }

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &$name) -> Option<Ordering> {
                self.to_f32().partial_cmp(&other.to_f32())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.to_f32(), f)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.to_f32(), f)
            }
        }
    )*};
}
floats! {
    F8E5M2: f8_e5m2_to_f32, f32_to_f8_e5m2, f64_to_f8_e5m2;
    F8E4M3: f8_e4m3_to_f32, f32_to_f8_e4m3, f64_to_f8_e4m3;
    E8M0: e8m0_to_f32, f32_to_e8m0, f64_to_e8m0;
}
