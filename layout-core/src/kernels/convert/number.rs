//! The seven number types of the kernels and the 49 conversions between them. Called by the converting kernels.

use super::float16::{bf16_to_f32, f16_to_f32, f32_to_bf16, f32_to_f16, f64_to_bf16, f64_to_f16};

/// A type of numbers that kernels convert.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    F64,
    F32,
    F16,
    Bf16,
    S32,
    S8,
    U8,
    F8E5M2,
    F8E4M3,
    E8M0,
    F4E2M1,
    F4E3M0,
    Boolean,
}

impl Format {
    /// Bytes of a number.
    pub(crate) const fn bytes(self) -> usize {
        match self {
            Format::F64 => 8,
            Format::F32 | Format::S32 => 4,
            Format::F16 | Format::Bf16 => 2,
            Format::S8
            | Format::U8
            | Format::F8E5M2
            | Format::F8E4M3
            | Format::E8M0
            | Format::F4E2M1
            | Format::F4E3M0
            | Format::Boolean => 1,
        }
    }
}

/// An IEEE 754 binary16 as its bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct F16(u16);

/// A bfloat16 as its bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Bf16(u16);

/// A number in memory. Every bit pattern of its size is a value, and all-zero bits are zero.
pub(crate) trait Number: Copy + 'static {
    /// The type as a value.
    #[cfg_attr(
        not(any(target_arch = "aarch64", target_arch = "x86_64")),
        allow(dead_code, reason = "the vector families alone ask for it")
    )]
    const FORMAT: Format;
}

/// Converts one number as the table of the module above says.
pub(crate) trait Convert<To> {
    /// The converted number.
    fn convert(self) -> To;
}

macro_rules! numbers {
    ($($ty:ty: $format:ident)*) => {$(
        impl Number for $ty {
            const FORMAT: Format = Format::$format;
        }
        impl Convert<$ty> for $ty {
            #[inline(always)]
            fn convert(self) -> $ty {
                self
            }
        }
    )*};
}
numbers! { f64: F64 f32: F32 F16: F16 Bf16: Bf16 i32: S32 i8: S8 u8: U8 }

/// `$from => $to: |value| result`, one line for each pair.
macro_rules! conversions {
    ($($from:ty => $to:ty: |$value:ident| $result:expr;)*) => {$(
        impl Convert<$to> for $from {
            #[inline(always)]
            fn convert(self) -> $to {
                let $value = self;
                $result
            }
        }
    )*};
}

conversions! {
    f64 => f32: |v| v as f32;
    f64 => F16: |v| F16(f64_to_f16(v));
    f64 => Bf16: |v| Bf16(f64_to_bf16(v));
    f64 => i32: |v| round_f64(v, i32::MIN, i32::MAX);
    f64 => i8: |v| round_f64(v, i8::MIN as i32, i8::MAX as i32) as i8;
    f64 => u8: |v| round_f64(v, 0, u8::MAX as i32) as u8;

    f32 => f64: |v| v as f64;
    f32 => F16: |v| F16(f32_to_f16(v));
    f32 => Bf16: |v| Bf16(f32_to_bf16(v));
    // i32 has more bits than the significand of f32: clamp and round where both fit.
    f32 => i32: |v| round_f64(v as f64, i32::MIN, i32::MAX);
    f32 => i8: |v| round_f32(v, i8::MIN as i32, i8::MAX as i32) as i8;
    f32 => u8: |v| round_f32(v, 0, u8::MAX as i32) as u8;

    F16 => f64: |v| f16_to_f32(v.0) as f64;
    F16 => f32: |v| f16_to_f32(v.0);
    F16 => Bf16: |v| Bf16(f32_to_bf16(f16_to_f32(v.0)));
    F16 => i32: |v| { let v: f32 = v.convert(); v.convert() };
    F16 => i8: |v| { let v: f32 = v.convert(); v.convert() };
    F16 => u8: |v| { let v: f32 = v.convert(); v.convert() };

    Bf16 => f64: |v| bf16_to_f32(v.0) as f64;
    Bf16 => f32: |v| bf16_to_f32(v.0);
    Bf16 => F16: |v| F16(f32_to_f16(bf16_to_f32(v.0)));
    Bf16 => i32: |v| { let v: f32 = v.convert(); v.convert() };
    Bf16 => i8: |v| { let v: f32 = v.convert(); v.convert() };
    Bf16 => u8: |v| { let v: f32 = v.convert(); v.convert() };

    i32 => f64: |v| v as f64;
    i32 => f32: |v| v as f32;
    // Through f64, which holds every i32: one rounding.
    i32 => F16: |v| F16(f64_to_f16(v as f64));
    i32 => Bf16: |v| Bf16(f64_to_bf16(v as f64));
    i32 => i8: |v| clamp(v, i8::MIN as i32, i8::MAX as i32) as i8;
    i32 => u8: |v| clamp(v, 0, u8::MAX as i32) as u8;

    i8 => f64: |v| v as f64;
    i8 => f32: |v| v as f32;
    i8 => F16: |v| F16(f32_to_f16(v as f32));
    i8 => Bf16: |v| Bf16(f32_to_bf16(v as f32));
    i8 => i32: |v| v as i32;
    i8 => u8: |v| if v < 0 { 0 } else { v as u8 };

    u8 => f64: |v| v as f64;
    u8 => f32: |v| v as f32;
    u8 => F16: |v| F16(f32_to_f16(v as f32));
    u8 => Bf16: |v| Bf16(f32_to_bf16(v as f32));
    u8 => i32: |v| v as i32;
    u8 => i8: |v| if v > 127 { 127 } else { v as i8 };
}

#[inline(always)]
const fn clamp(value: i32, low: i32, high: i32) -> i32 {
    if value < low {
        low
    } else if value > high {
        high
    } else {
        value
    }
}

/// `value` rounded to the nearest integer within `low..=high`, ties to even; 0 for NaN. The bounds lie within 2^22.
///
/// Added to 1.5 * 2^23, whose last place is 1, a number is rounded to an integer by the addition itself, and
/// that integer stands in the low bits: no function call and no conversion instruction, so that loops vectorise.
#[inline(always)]
const fn round_f32(value: f32, low: i32, high: i32) -> i32 {
    const SHIFT: f32 = 12_582_912.0;
    // Clamped before it is rounded: the bounds are integers, so that the order makes no difference.
    let value = if value < low as f32 { low as f32 } else { value };
    let value = if value > high as f32 { high as f32 } else { value };
    let value = if value.is_nan() { 0.0 } else { value };
    (value + SHIFT).to_bits().wrapping_sub(SHIFT.to_bits()) as i32
}

/// As [`round_f32`], for bounds anywhere in `i32`: 1.5 * 2^52 has its last place at 1 and all-zero low bits.
#[inline(always)]
const fn round_f64(value: f64, low: i32, high: i32) -> i32 {
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    let value = if value < low as f64 { low as f64 } else { value };
    let value = if value > high as f64 { high as f64 } else { value };
    let value = if value.is_nan() { 0.0 } else { value };
    (value + SHIFT).to_bits() as u32 as i32
}
