//! What converting one number means. Every kernel of every CPU family follows this table bit for bit.
//!
//! | from | to | result |
//! |---|---|---|
//! | any | the same type | the same bytes |
//! | float | wider float | exact; a signalling NaN becomes quiet |
//! | float | narrower float | nearest, ties to even, rounded *once* (f64 to f16 and bf16 as well); too large becomes infinity, too small a subnormal or zero, the sign of zero is kept |
//! | NaN | float | a quiet NaN with the sign and the leading payload bits of the source |
//! | float | integer | nearest integer, ties to even, then the nearest value of the type (saturated; infinities too) |
//! | NaN | integer | 0 |
//! | integer | float | nearest, ties to even, rounded once; too large becomes infinity (s32 to f16) |
//! | integer | integer | the nearest value of the type (saturated) |
//!
//! Rounding is that of IEEE 754 `roundTiesToEven` and does not read the floating-point environment, which Rust
//! programs leave at its default.
//!
//! Called by the converting kernels; knows single numbers alone. Nothing here branches on a value, so that loops
//! over it vectorise.

mod float16;
mod number;

pub use float16::{bf16_to_f32, f16_to_f32, f32_to_bf16, f32_to_f16, f64_to_bf16, f64_to_f16};
pub(crate) use number::{Bf16, Convert, F16, Format, Number};
