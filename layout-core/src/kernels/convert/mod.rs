//! What converting one number means. Every kernel of every CPU family follows this table bit for bit.
//!
//! | from | to | result |
//! |---|---|---|
//! | any | the same type | the same bytes |
//! | float | wider float | exact; a signalling NaN becomes quiet |
//! | float | narrower float | nearest, ties to even, rounded *once* (from f64 as well); too small becomes a subnormal or zero; the sign of zero is kept |
//! | too large, infinity | f32, f16, bf16, f8_e5m2 | infinity |
//! | too large, infinity | f8_e4m3 | NaN, with the sign: 448 is the largest number, and 464 still rounds to it |
//! | too large, infinity | f4_e2m1, f4_e3m0 | the largest number, 6 or 16, with the sign |
//! | NaN | f64, f32, f16, bf16, f8_e5m2 | a quiet NaN with the sign and the leading payload bits of the source |
//! | NaN | f8_e4m3 | 0x7f, with the sign |
//! | NaN | f4_e2m1, f4_e3m0 | the largest number, with the sign: there is no NaN |
//! | float, integer | e8m0 | the largest power of two not above the magnitude; the sign is lost; zero and what is too small becomes 2^-127, from 2^128 on and NaN 0xff |
//! | e8m0 NaN | float | a quiet NaN without sign or payload |
//! | float | integer | nearest integer, ties to even, then the nearest value of the type (saturated; infinities too) |
//! | NaN | integer | 0 |
//! | integer | float | nearest, ties to even, rounded once; what is too large as above |
//! | integer | integer | the nearest value of the type (saturated) |
//! | any | boolean | 0 where it is zero of either sign, else 1, of NaN too |
//! | boolean | any | 0 or 1: every byte but 0 is true |
//!
//! Integers are s32, s8, u8, s4 and u4. f8_e5m2, f8_e4m3 and e8m0 are those of OCP's specifications and oneDNN, f4_e2m1 OCP's
//! and f4_e3m0 oneDNN's; the functions below have their values. Two elements of 4 bits share a byte: that of even offset has
//! the lower half. Padding is zero bytes whatever the type.
//!
//! Rounding is that of IEEE 754 `roundTiesToEven`, e8m0 apart, and does not read the floating-point environment, which Rust
//! programs leave at its default. Who wants another asks for it: [`Rounding`].
//!
//! Called by the converting kernels; knows single numbers alone. Nothing here branches on a value, so that loops
//! over it vectorise.

mod float16;
mod float8;
mod number;
mod rounding;
mod small;

pub use float8::{
    e8m0_to_f32, f4_e2m1_to_f32, f4_e3m0_to_f32, f8_e4m3_to_f32, f8_e5m2_to_f32, f32_to_e8m0, f32_to_f4_e2m1,
    f32_to_f4_e3m0, f32_to_f8_e4m3, f32_to_f8_e5m2, f64_to_e8m0, f64_to_f4_e2m1, f64_to_f4_e3m0,
    f64_to_f8_e4m3, f64_to_f8_e5m2,
};
pub use float16::{bf16_to_f32, f16_to_f32, f32_to_bf16, f32_to_f16, f64_to_bf16, f64_to_f16};
pub(crate) use number::{Bf16, Convert, F16, Format, Number};
pub use rounding::Rounding;
pub(crate) use rounding::{Rounder, chance};
pub(crate) use small::{Boolean, E8M0, F4E2M1, F4E3M0, F8E4M3, F8E5M2};
